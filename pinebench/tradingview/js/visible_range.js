// Which part of the time the chart shows, in seconds, and which bars by their index.
function () {
  const chart = this.chart();
  const ask = (name) => (typeof chart[name] === "function" ? chart[name]() : null);
  const plain = (range) => (range && Number.isFinite(range.from) && Number.isFinite(range.to) ? { from: range.from, to: range.to } : null);
  return { visible_range: plain(ask("getVisibleRange")), bars_range: plain(ask("getVisibleBarsRange")), spacing: this.spacing() };
}
