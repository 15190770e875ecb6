// Wait for a symbol on the watchlist that was not there before.
async function ({ known, limit }) {
  const symbols = () => [...new Set(this.all("watchRow").map((node) => node.getAttribute("data-symbol-full")))];
  await this.until(() => symbols().some((symbol) => !known.includes(symbol)), limit);
  return { symbols: symbols() };
}
