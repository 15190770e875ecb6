// The values of the studies at the last bar: from the data window, or from the study's series if the data window has none, as for
// panes without a crosshair, or those of another bar, as under a crosshair. A study without values is listed too, with the reason.
// Wait first until all studies have computed: one that still computes then may have the values of the former symbol or inputs, so
// none is given.
async function ({ filter, limit }) {
  await this.computed(limit);
  const listed = new Set(this.studyList(this.chart()).map(({ id }) => id));
  const found = [];
  const why = (source) => {
    if (typeof source.isVisible === "function" && !source.isVisible()) return "it is hidden";
    if (this.isComputing(source)) return "it is still being computed";
    const state = this.stands(source);
    if (state === "failed") return "it failed: " + this.failure(source);
    return state === "loading" ? "it is still being computed" : "the page shows no values of it";
  };
  for (const source of this.dataSources()) {
    let entry = null;
    try {
      if (typeof source.metaInfo !== "function") continue;
      const meta = source.metaInfo();
      const name = String(meta.description || meta.shortDescription || "");
      if (name === "" || (filter !== "" && !name.toLowerCase().includes(filter.toLowerCase()))) continue;
      const id = typeof source.id === "function" ? source.id() : source.id;
      entry = { id: String(id === undefined ? "" : id), name, values: {}, source: "none", note: null };
      const isHidden = typeof source.isVisible === "function" && !source.isVisible();
      const isEmpty = isHidden || this.isComputing(source);
      const shown = isEmpty ? {} : this.windowValues(source);
      const own = isEmpty ? {} : this.seriesValues(source);
      const isLast = this.areOfLastBar(shown, own);
      const other = "the data window shows another bar or other values";
      if (isLast === false) Object.assign(entry, { values: own, source: "series", note: other });
      else if (Object.keys(shown).length > 0) Object.assign(entry, { values: shown, source: "data_window" });
      else if (Object.keys(own).length > 0) Object.assign(entry, { values: own, source: "series" });
      else entry.note = why(source);
    } catch (error) {
      if (entry !== null) entry.note = "the page failed to give its values: " + String((error && error.message) || error).slice(0, 100);
    }
    if (entry !== null && (entry.source !== "none" || listed.has(entry.id))) found.push(entry);
  }
  return { evidence: this.evidence(), symbol: this.words(this.chart().symbol()), studies: found };
}
