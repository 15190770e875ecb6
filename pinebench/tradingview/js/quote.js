// The last bar of the chart with its symbol, and bid and ask if the page shows them.
function () {
  const chart = this.chart();
  const bar = this.lastBars(this.require("mainSeriesBars"), 1)[0] || null;
  const info = (typeof chart.symbolExt === "function" ? chart.symbolExt() : null) || {};
  // A number of the page counts only if it is near the last bar: the page may write numbers in a way that we do not know.
  const number = (key) => {
    const node = this.all(key).find((one) => this.visible(one));
    const values = node && bar !== null ? [".", ","].map((mark) => this.numberIn(node.textContent, mark)) : [];
    const near = values.find((value) => value !== null && Math.abs(value / bar[4] - 1) <= 0.2);
    return near === undefined ? null : near;
  };
  return {
    evidence: this.evidence(),
    symbol: this.words(chart.symbol()),
    resolution: this.words(chart.resolution()),
    bar: bar === null ? null : bar.slice(0, 6),
    bid: number("bid"),
    ask: number("ask"),
    header: number("headerPrice"),
    description: String(info.description || ""),
    exchange: String(info.exchange || ""),
    type: String(info.type || ""),
  };
}
