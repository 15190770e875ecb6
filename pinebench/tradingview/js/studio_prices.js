// The origin of a studio's prices: "file" if each of the symbols is charted from the user's own file, else "sample". Without symbols,
// the chart's symbol is meant.
async function ({ symbols, limit }) {
  const wanted = symbols.length > 0 ? symbols : [this.words(this.chart().symbol())];
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limit);
  try {
    const answer = await fetch(location.origin + "/studio/api/symbols?text=", { signal: abort.signal });
    const known = (await answer.json()).symbols;
    // The server finds a symbol by its full name or its ticker, in this order; upper and lower case are the same.
    const isOwn = (name) => {
      const upper = name.trim().toUpperCase();
      const found = known.find((one) => one.full_name.toUpperCase() === upper || one.symbol.toUpperCase() === upper);
      return found !== undefined && found.own === true;
    };
    return wanted.every(isOwn) ? "file" : "sample";
  } catch {
    return "sample";
  } finally {
    clearTimeout(timer);
  }
}
