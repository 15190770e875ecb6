// Type a symbol into the field of the dialog that `watchlist_open_add` opened, and wait until it is offered. Return whether the field
// holds it then and has the focus. The page may move the focus at any time, so the field takes the focus in the same task that types.
// If the next Enter does not reach the field, it is suppressed, because elsewhere it would have another effect.
async function ({ typed, limit }) {
  const { field } = this;
  const take = () => {
    field.focus();
    return document.activeElement === field;
  };
  if (!field || !field.isConnected || !take()) return { offered: false, input: false };
  field.select();
  document.execCommand("insertText", false, typed);
  const wanted = typed.toUpperCase();
  const ticker = wanted.split(":").pop();
  const rows = () => this.all("symbolOption").filter((node) => this.visible(node));
  const offered = await this.until(() => rows().some((node) => this.squeeze(node.textContent).toUpperCase().includes(ticker)), limit);
  if (!field.isConnected || field.value.toUpperCase() !== wanted || !take()) return { offered: Boolean(offered), input: false };
  const guard = (event) => {
    if (event.key !== "Enter") return;
    window.removeEventListener("keydown", guard, true);
    if (event.target === field) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", guard, true);
  setTimeout(() => window.removeEventListener("keydown", guard, true), limit);
  return { offered: Boolean(offered), input: true };
}
