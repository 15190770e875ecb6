// All bars of the chart, and the values of its studies if they are wanted.
async function ({ studies, limit }) {
  const chart = this.chart();
  if (!studies) {
    const rows = this.lastBars(this.require("mainSeriesBars"), 1e9).map((bar) => [...bar].slice(0, 6));
    return { columns: ["time", "open", "high", "low", "close", "volume"], rows };
  }
  await this.computed(limit);
  const wanted = { includeTime: true, includeSeries: true, includeDisplayedValues: false };
  const found = await chart.exportData(wanted);
  const names = new Map();
  const unique = (name) => {
    const count = (names.get(name) || 0) + 1;
    names.set(name, count);
    return count === 1 ? name : name + " (" + count + ")";
  };
  const listed = new Map(chart.getAllStudies().map((study) => [String(study.id), String(study.name || study.title || "")]));
  const title = (entry, i) => {
    const name = String(entry.plotTitle || entry.sourceTitle || (i === 0 ? "time" : "column " + i));
    const source = listed.get(String(entry.sourceId));
    return unique(i === 0 ? "time" : source && entry.sourceType === "study" ? source + ": " + name : name);
  };
  const columns = found.schema.map(title);
  const plain = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
  return { columns, rows: Array.from(found.data, (row) => Array.from(row, plain)) };
}
