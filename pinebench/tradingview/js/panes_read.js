// The last bars of every pane of the layout, and the last values of its studies from their series. Wait first until all studies have
// computed. Nothing is shown or focused.
async function ({ count, limit }) {
  const charts = this.require("chartWidgetCollection");
  const all = typeof charts.getAll === "function" ? charts.getAll() : [];
  const active = all.indexOf(this.chart()._chartWidget);
  const quiet = (look, otherwise) => {
    try {
      const found = look();
      return found === undefined ? otherwise : found;
    } catch {
      return otherwise;
    }
  };
  const finite = (value) => (typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 1e99 ? value : null);
  // The last values of a study by title; several plots may have the same title.
  const values = (source) => {
    const meta = source.metaInfo();
    const data = source.data();
    const row = data.lastIndex() === null ? null : data.valueAt(data.lastIndex());
    const plots = (meta.plots || []).map(({ id, type }, i) => ({ id, type: String(type), at: i + 1 }));
    const shown = plots.filter(({ type }) => !/color|^data|^alert/.test(type));
    const title = (id) => String(((meta.styles || {})[id] || {}).title || id);
    const found = {};
    for (const { id, at } of shown) if (row) found[this.unused(found, title(id))] = finite(row[at]);
    return row ? found : null;
  };
  const study = (source) => {
    const meta = source.metaInfo();
    const time = quiet(() => source.data().valueAt(source.data().lastIndex())[0], null);
    // While a study is computed, it may still have the values of the former symbol or inputs.
    const found = this.isComputing(source) ? null : quiet(() => values(source), null);
    return { name: String(meta.description || meta.shortDescription || ""), time, values: found };
  };
  // A pane counts as loaded if the bars can be those of its symbol and timeframe; the name alone says nothing about them.
  const isLoaded = (series) => {
    const named = this.hasLoaded(String(series.symbol()), this.namesOf(series)) === true;
    return named && this.fitsTimeframe(series.interval(), this.lastBars(series.bars(), 40));
  };
  const isStudy = (source) => typeof source.metaInfo === "function" && quiet(() => source.metaInfo(), null) !== null;
  const studiesOf = (widget) => quiet(() => widget.model().model().dataSources(), []).filter(isStudy);
  const read = (widget, index) => {
    const series = widget.model().mainSeries();
    const loaded = quiet(() => isLoaded(series), false);
    return {
      index,
      symbol: String(series.symbol()),
      resolution: String(series.interval()),
      loading: !loaded || Boolean(quiet(() => series.isLoading(), false)),
      bars: loaded ? this.lastBars(series.bars(), count).map((bar) => [...bar].slice(0, 6)) : [],
      studies: loaded ? studiesOf(widget).map(study) : [],
    };
  };
  await this.until(() => !all.some((widget) => studiesOf(widget).some(this.isComputing)), limit);
  return { evidence: this.evidence(), layout: String(this.unwrap(charts._layoutType)), active, panes: all.map(read) };
}
