// Open the watchlist and its dialog for a symbol; whether an input has the focus then.
async function ({ limit }) {
  const add = () => this.all("addSymbol").find((node) => this.visible(node));
  if (!add()) {
    const button = this.all("watchlistButton").find((node) => this.visible(node));
    if (button) this.press(button);
    await this.until(add, limit);
  }
  const button = add();
  if (!button) return { button: false, input: false };
  this.press(button);
  const typing = () => document.activeElement instanceof HTMLInputElement;
  await this.until(typing, limit);
  return { button: true, input: typing() };
}
