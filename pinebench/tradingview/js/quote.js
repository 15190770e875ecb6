// The last bar of the chart with its symbol, and bid and ask if the page shows them.
function () {
  const chart = this.chart();
  const bar = this.lastBars(this.require("mainSeriesBars"), 1)[0] || null;
  const info = (typeof chart.symbolExt === "function" ? chart.symbolExt() : null) || {};
  const number = (key) => {
    const node = this.all(key).find((one) => this.visible(one));
    const value = node ? Number(this.squeeze(node.textContent).replace(/[^\d.+-]/g, "")) : NaN;
    return node && Number.isFinite(value) && value > 0 ? value : null;
  };
  return {
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
