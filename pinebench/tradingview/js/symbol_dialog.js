// The symbols that the open symbol dialog offers, once they match what was typed.
async function ({ typed, limit }) {
  const rows = () => this.all("symbolOption").filter((node) => this.visible(node));
  const wanted = typed.toUpperCase().split(":").pop();
  const fits = () => rows().find((node) => this.squeeze(node.textContent).toUpperCase().includes(wanted));
  await this.until(fits, limit);
  return { offered: Boolean(fits()), input: document.activeElement instanceof HTMLInputElement };
}
