// The order book as the page's panel shows it: bids and asks by price, and the numbers of rows that say neither (`raw`).
function () {
  const panel = this.all("depthPanel").find((node) => this.visible(node));
  const symbol = this.words(this.chart().symbol());
  const evidence = this.evidence();
  if (!panel) return { evidence, symbol, found: false, bids: [], asks: [], raw: [] };
  const words = [...panel.querySelectorAll("*")].filter((node) => node.childElementCount === 0);
  const mark = this.decimalMark(words.map((node) => node.textContent));
  const number = (node) => (node ? this.numberIn(node.textContent, mark) : null);
  const name = (node) => node.className + " " + (node.getAttribute("data-name") || "");
  const names = (row) => [row, ...row.querySelectorAll("*")].map(name).join(" ");
  const sideOf = (row) => {
    // A ladder has a column for each side, and a number in one of them.
    const filled = ["bid", "buy", "ask", "sell"].filter((word) => number(row.querySelector(`[class*="${word}" i]`)) !== null);
    const said = filled.length > 0 ? filled.join(" ") : names(row);
    if (/bid|buy/i.test(said)) return "bids";
    if (/ask|sell/i.test(said)) return "asks";
    return null;
  };
  const found = { bids: [], asks: [] };
  const rows = [...panel.querySelectorAll('[class*="row"], tr')].filter((row) => row.querySelector('[class*="price" i]'));
  const leaves = rows.filter((row) => !rows.some((other) => other !== row && row.contains(other)));
  const apart = [];
  for (const row of leaves) {
    const price = number(row.querySelector('[class*="price" i]'));
    if (price === null) continue;
    const sizes = [...row.querySelectorAll('[class*="size" i], [class*="volume" i], [class*="qty" i]')].map(number);
    const size = sizes.find((one) => one !== null) ?? null;
    const side = sideOf(row);
    if (side === null) apart.push(price, size);
    else found[side].push({ price, size });
  }
  const cells = leaves.length > 0 ? [] : [...panel.querySelectorAll('[class*="cell"], td')].map(number);
  const raw = [...apart, ...cells].filter((value) => value !== null && value > 0);
  found.bids.sort((a, b) => b.price - a.price);
  found.asks.sort((a, b) => a.price - b.price);
  return { evidence, symbol, found: true, ...found, raw: raw.slice(0, 50) };
}
