// Show another symbol, resolution or both, and wait until the bars are there and stable. The bars themselves and the series' own
// description prove a change, because the chart has the new name before it has the bars. If the call ends before that, go back to
// the previous symbol and resolution.
async function ({ symbol, resolution, limit }) {
  const chart = this.chart();
  const previous = { symbol: this.words(chart.symbol()), resolution: this.words(chart.resolution()) };
  this.doubt(); // remembers to which symbol the present bars belong
  const before = this.sample();
  const started = performance.now();
  const standing = this.dialogs().map(this.describeDialog);
  const bare = (text) => String(text).toUpperCase().replace(/^1([SDWM])$/, "$1");
  const same = (one, two) => this.sameSymbol(one, two) || this.sameSymbol(two, one);
  const otherSymbol = Boolean(symbol) && !same(symbol, this.provedSymbol() || previous.symbol);
  const other = otherSymbol || (resolution && bare(resolution) !== bare(previous.resolution));
  this.noteReports();
  if (symbol) chart.setSymbol(symbol, {});
  if (resolution) chart.setResolution(resolution, {});
  let mark = null;
  let since = 0;
  let emptied = false;
  // The reason why the chart does not show what was asked for, or null.
  const missing = () => {
    const rows = this.sample();
    const shown = this.words(chart.symbol());
    if (rows.length === 0) {
      emptied = true;
      return "bars";
    }
    if (symbol && !this.sameSymbol(symbol, shown)) return "symbol";
    if (resolution && bare(chart.resolution()) !== bare(resolution) && !this.spacingLimits(resolution)) return "resolution";
    const loaded = this.hasLoaded(symbol || shown);
    if (loaded === null) return "loading";
    // A page that has emptied its bars has loaded them anew, even if they are equal.
    if (!loaded || (other && !emptied && this.sameBars(before, rows))) return "old bars";
    const timeframe = resolution || chart.resolution();
    const isStrict = performance.now() - started < 1500;
    if (!(isStrict ? this.hasSpacing(timeframe, rows) : this.fitsTimeframe(timeframe, rows))) return "spacing";
    return this.loading() ? "loading" : null;
  };
  const ready = () => {
    const now = JSON.stringify([chart.symbol(), chart.resolution(), this.barsMark()]);
    const reason = missing();
    if (now !== mark) {
      mark = now;
      since = performance.now();
      return false;
    }
    return reason === null && performance.now() - since >= 25;
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
  if (done) this.doubt();
  return {
    ready: Boolean(done),
    missing: done ? null : missing() || "rest",
    bars_of: this.provedSymbol(),
    dialogs: [...this.dialogs().map(this.describeDialog), ...standing].filter(
      (one, i, all) => all.findIndex((two) => two.id === one.id) === i,
    ),
    symbol: this.words(chart.symbol()),
    resolution: this.words(chart.resolution()),
    bars: this.lastBars(this.resolve("mainSeriesBars"), 1).length,
    previous,
  };
}
