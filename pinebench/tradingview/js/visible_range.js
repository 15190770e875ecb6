// The visible range of the chart, in seconds and in indices of bars.
function () {
  const chart = this.chart();
  const ask = (name) => (typeof chart[name] === "function" ? chart[name]() : null);
  const plain = (range) => (range && Number.isFinite(range.from) && Number.isFinite(range.to) ? { from: range.from, to: range.to } : null);
  return { visible_range: plain(ask("getVisibleRange")), bars_range: plain(ask("getVisibleBarsRange")), spacing: this.spacing() };
}
