// Write a whole watchlist, but only if the service still holds the expected one, so that no change made meanwhile is lost.
async function ({ path, expected, entries, limit }) {
  const before = await this.request("watchlists", "/active/", {}, limit);
  const held = before.data && before.data.symbols;
  if (JSON.stringify(held) !== JSON.stringify(expected)) return { before, asked: false, answer: null };
  const answer = await this.request("watchlists", path, { method: "POST", body: JSON.stringify(entries) }, limit);
  return { before, asked: true, answer };
}
