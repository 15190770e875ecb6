// Scroll and zoom so that the bars from one time to another are shown; return the range that is shown then.
async function ({ from, to, limit, load }) {
  const chart = this.chart();
  const bars = this.require("mainSeriesBars");
  const oldest = bars.firstIndex() === null ? null : bars.valueAt(bars.firstIndex());
  const back = oldest && oldest[0] > from ? await this.loadBack({ count: 0, since: from }, load) : null;
  if (back && !back.able && typeof chart.setVisibleRange === "function") {
    // Without another way, the page loads older bars only when the chart is scrolled to them.
    const scrolled = async () => chart.setVisibleRange({ from, to });
    await this.within(scrolled().catch(() => null), limit);
  }
  let first = null;
  let last = null;
  for (let index = bars.firstIndex(); index !== null && index <= bars.lastIndex(); index += 1) {
    const bar = bars.valueAt(index);
    if (!bar) continue;
    if (first === null && bar[0] >= from) first = index;
    if (bar[0] <= to) last = index;
  }
  const ends = [bars.firstIndex(), bars.lastIndex()].map((index) => (index === null ? null : bars.valueAt(index)[0]));
  if (first === null || last === null || last < first) return { shown: false, ends, actual: null, spacing: this.spacing() };
  chart._chartWidget.model().timeScale().zoomToBarsRange(first, last);
  const wanted = [bars.valueAt(first)[0], bars.valueAt(last)[0]];
  const gap = 2 * (this.spacing() || 0);
  const close = () => {
    const range = chart.getVisibleRange();
    return range && Math.abs(range.from - wanted[0]) <= gap && Math.abs(range.to - wanted[1]) <= gap;
  };
  const shown = await this.until(close, limit);
  const range = chart.getVisibleRange();
  return { shown: Boolean(shown), ends, actual: range ? { from: range.from, to: range.to } : null, spacing: this.spacing() };
}
