// Open the watchlist and its dialog for a symbol. Return whether a field has taken the focus; `symbol_dialog` types into that field.
async function ({ limit }) {
  const add = () => this.all("addSymbol").find((node) => this.visible(node));
  if (!add()) {
    const button = this.all("watchlistButton").find((node) => this.visible(node));
    if (button) this.press(button);
    await this.until(add, limit);
  }
  const button = add();
  if (!button) return { button: false, input: false };
  this.keepField(null);
  const before = document.activeElement;
  this.press(button);
  const inside = (node) => this.dialogs().some((dialog) => dialog.node.contains(node));
  const taken = () => document.activeElement !== before || inside(before) ? this.keepField(document.activeElement) : null;
  return { button: true, input: (await this.until(taken, limit)) !== null };
}
