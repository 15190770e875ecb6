// Make an empty layout, and return its place in the address. The chart stays where it is, so nothing may be saved yet.
async function ({ name, limit }) {
  const id = await this.within(window.TradingViewApi.createNewLayout(name), limit);
  return { id: id === undefined || id === null ? null : String(id) };
}
