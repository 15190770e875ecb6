// Show another symbol, resolution or both, and wait until the bars are there and stable. If the call ends before that, go back to the
// previous ones.
async function ({ symbol, resolution, spacing, limit }) {
  const chart = this.chart();
  const previous = { symbol: this.words(chart.symbol()), resolution: this.words(chart.resolution()) };
  const before = this.barsMark();
  const started = performance.now();
  const bare = (text) => String(text).toUpperCase().replace(/^1([SDWM])$/, "$1");
  const other = (symbol && !this.sameSymbol(symbol, previous.symbol)) || (resolution && bare(resolution) !== bare(previous.resolution));
  if (symbol) chart.setSymbol(symbol, {});
  if (resolution) chart.setResolution(resolution, {});
  let mark = null;
  let since = 0;
  const ready = () => {
    const now = this.barsMark();
    if (now !== mark) {
      mark = now;
      since = performance.now();
      return false;
    }
    if (this.loading() || (symbol && !this.sameSymbol(symbol, chart.symbol()))) return false;
    if (this.lastBars(this.resolve("mainSeriesBars"), 1).length === 0) return false;
    // For a while, the chart may show the old bars under the new name.
    if (other && now === before && performance.now() - started < 1500) return false;
    const gap = this.spacing();
    if (resolution && spacing && gap !== null && (gap < spacing[0] || gap > spacing[1])) return false;
    if (resolution && !spacing && bare(chart.resolution()) !== bare(resolution)) return false;
    return performance.now() - since >= 25;
  };
  let done;
  try {
    done = await this.until(ready, limit);
  } catch (error) {
    // The caller does not wait any more, so it cannot restore the chart.
    if (symbol) chart.setSymbol(previous.symbol, {});
    if (resolution) chart.setResolution(previous.resolution, {});
    throw error;
  }
  return {
    ready: Boolean(done),
    symbol: this.words(chart.symbol()),
    resolution: this.words(chart.resolution()),
    bars: this.lastBars(this.resolve("mainSeriesBars"), 1).length,
    previous,
  };
}
