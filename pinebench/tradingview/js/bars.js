// The last bars of the chart, the oldest first.
function ({ count }) {
  const chart = this.chart();
  const bars = this.require("mainSeriesBars");
  const total = typeof bars.size === "function" ? bars.size() : bars.lastIndex() === null ? 0 : bars.lastIndex() - bars.firstIndex() + 1;
  return {
    evidence: this.evidence(),
    symbol: this.words(chart.symbol()),
    resolution: this.words(chart.resolution()),
    total,
    last_index: bars.lastIndex(),
    bars: this.lastBars(bars, count).map((bar) => [...bar].slice(0, 6)),
  };
}
