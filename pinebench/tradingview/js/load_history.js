// Load older bars. Return how many there are now and whether the server has more, and put the view back if the page has moved it.
async function ({ count, since, limit }) {
  const chart = this.chart();
  const range = () => (typeof chart.getVisibleRange === "function" ? chart.getVisibleRange() : null);
  const before = range();
  const loaded = await this.loadBack({ count, since }, limit);
  const gap = 2 * (this.spacing() || 0);
  const moved = (now) => before !== null && now !== null && Math.abs(now.from - before.from) > gap;
  if (moved(range())) {
    const bars = this.require("mainSeriesBars");
    const shown = [];
    for (let index = bars.firstIndex(); index <= bars.lastIndex(); index += 1) {
      const bar = bars.valueAt(index);
      if (bar && bar[0] >= before.from && bar[0] <= before.to) shown.push(index);
    }
    if (shown.length > 0) chart._chartWidget.model().timeScale().zoomToBarsRange(shown[0], shown[shown.length - 1]);
    await this.until(() => !moved(range()), 2000);
  }
  const bars = this.require("mainSeriesBars");
  const last = bars.lastIndex() === null ? null : bars.valueAt(bars.lastIndex())[0];
  return { evidence: this.evidence(), ...loaded, last, moved: moved(range()) };
}
