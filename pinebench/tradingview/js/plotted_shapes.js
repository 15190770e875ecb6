// The visible shapes, characters and arrows that scripts plotted on bars, the newest last. Wait first until all scripts
// have computed; a script that still computes then is listed with a note, because it may plot more.
async function ({ filter, most, limit }) {
  await this.computed(limit);
  const found = [];
  const kinds = ["shapes", "chars", "arrows"];
  const words = (text) => (text === undefined || text === null ? "" : String(text));
  for (const source of this.dataSources()) {
    try {
      if (typeof source.metaInfo !== "function" || typeof source.data !== "function") continue;
      const meta = source.metaInfo();
      const name = String(meta.description || meta.shortDescription || "");
      if (filter !== "" && !name.toLowerCase().includes(filter.toLowerCase())) continue;
      if (typeof source.isVisible === "function" && !source.isVisible()) continue;
      const plots = (meta.plots || []).map(({ id, type }, i) => ({ id, type, at: i + 1 })).filter(({ type }) => kinds.includes(type));
      const note = this.isComputing(source) ? "it is still being computed" : null;
      const data = source.data();
      const [first, last] = [data.firstIndex(), data.lastIndex()];
      const isEmpty = first === null || last === null;
      if (plots.length === 0 || (isEmpty && note === null)) continue;
      const items = [];
      for (let bar = first; !isEmpty && bar <= last; bar++) {
        const row = data.valueAt(bar);
        if (!row) continue;
        for (const { id, type, at } of plots) {
          const value = row[at];
          if (typeof value !== "number" || !Number.isFinite(value)) continue;
          const style = (meta.styles && meta.styles[id]) || {};
          const [title, text, location] = [style.title, style.text, style.location].map(words);
          if (value === 0 && !/^absolute$/i.test(location)) continue; // only there 0 is a place and not false
          items.push({ bar, time: row[0], value, type, title, text, location });
        }
      }
      found.push({ name, total: items.length, items: items.slice(-most), note });
    } catch {
      continue;
    }
  }
  return { evidence: this.evidence(), symbol: this.words(this.chart().symbol()), studies: found };
}
