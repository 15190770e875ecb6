// Remove a symbol from the watchlist by its row's own button.
async function ({ symbol, limit }) {
  const every = () => [...document.querySelectorAll("[data-symbol-full]")];
  const rows = () => every().filter((node) => node.getAttribute("data-symbol-full") === symbol);
  const row = rows()[0];
  if (!row) return { found: false, button: false, gone: true };
  const holder = row.closest('[class*="row"]') || row;
  const button = this.buttons(holder).find((node) => /remove|delete/i.test(this.labels(node).join(" ")));
  if (!button) return { found: true, button: false, gone: false };
  button.click();
  await this.until(() => rows().length === 0, limit);
  return { found: true, button: true, gone: rows().length === 0 };
}
