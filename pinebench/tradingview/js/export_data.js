// All bars of the chart, and the values of its studies if they are wanted: as the page exports them, or from the studies' series if
// the page exports nothing.
async function ({ studies, limit }) {
  const chart = this.chart();
  const bars = this.require("mainSeriesBars");
  const plain = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
  const head = ["time", "open", "high", "low", "close", "volume"];
  const own = () => this.lastBars(bars, 1e9).map((bar) => [...bar].slice(0, 6).map(plain));
  if (!studies) return { evidence: this.evidence(), columns: head, rows: own(), source: "bars", computing: [] };
  await this.computed(limit);
  const computing = this.computingNames();
  const names = new Map();
  const unique = (name) => {
    const count = (names.get(name) || 0) + 1;
    names.set(name, count);
    return count === 1 ? name : name + " (" + count + ")";
  };
  const listed = new Map(this.studyList(chart).map(({ id, name }) => [id, name]));

  // The plots of one study by bar, with their titles.
  const seriesOf = (source) => {
    const meta = source.metaInfo();
    const data = source.data();
    const titleOf = (id) => meta.styles && meta.styles[id] && meta.styles[id].title;
    const plots = (meta.plots || []).map(({ id, type }, i) => ({ type, at: i + 1, title: titleOf(id) }));
    const shown = plots.filter(({ title, type }) => title && !/color|data/.test(String(type)));
    const name = listed.get(String(source.id())) || String(meta.description || "");
    return shown.map(({ at, title }) => ({ title: name + ": " + title, at, data }));
  };
  const fromSeries = () => {
    const isReadable = (one) => typeof one.data === "function" && typeof one.metaInfo === "function";
    const sources = this.dataSources().filter((one) => isReadable(one) && listed.has(String(one.id())));
    const plots = sources.flatMap(seriesOf);
    const columns = [...head, ...plots.map(({ title }) => title)].map(unique);
    const rows = [];
    for (let index = bars.firstIndex(); index !== null && index <= bars.lastIndex(); index += 1) {
      const bar = bars.valueAt(index);
      if (!bar) continue;
      const values = plots.map(({ data, at }) => {
        const row = data.valueAt(index);
        return row && row[0] === bar[0] ? plain(row[at]) : null;
      });
      rows.push([...[...bar].slice(0, 6).map(plain), ...values]);
    }
    return { evidence: this.evidence(), columns, rows, source: "series", computing };
  };

  let found = null;
  try {
    found = await chart.exportData({ includeTime: true, includeSeries: true, includeDisplayedValues: false });
  } catch {
    return fromSeries();
  }
  const title = (entry, i) => {
    const name = String(entry.plotTitle || entry.sourceTitle || (i === 0 ? "time" : "column " + i));
    const source = listed.get(String(entry.sourceId));
    return unique(i === 0 ? "time" : source && entry.sourceType === "study" ? source + ": " + name : name);
  };
  const columns = found.schema.map(title);
  const rows = Array.from(found.data, (row) => Array.from(row, plain));
  return { evidence: this.evidence(), columns, rows, source: "export", computing };
}
