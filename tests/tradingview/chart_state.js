// One look at the chart: whether it is loading, its symbol and timeframe, and its bars.
function () {
  const chart = this.resolve("chartApi");
  const bars = this.resolve("mainSeriesBars");
  const state = {
    loading: this.all("spinner").some((node) => this.visible(node)),
    symbol: null,
    resolution: null,
    count: 0,
    last_index: null,
    last_time: null,
    times: [],
  };
  if (chart !== null) {
    state.symbol = typeof chart.symbol === "function" ? String(chart.symbol()) : null;
    state.resolution = typeof chart.resolution === "function" ? String(chart.resolution()) : null;
  }
  if (bars !== null) {
    const last = bars.lastIndex();
    state.count = typeof bars.size === "function" ? bars.size() : last === null ? 0 : last - bars.firstIndex() + 1;
    state.last_index = last;
    for (let index = Math.max(bars.firstIndex(), last - 30); last !== null && index <= last; index += 1) {
      const bar = bars.valueAt(index);
      if (bar) state.times.push(bar[0]);
    }
    state.last_time = state.times.length > 0 ? state.times[state.times.length - 1] : null;
  }
  return state;
}
