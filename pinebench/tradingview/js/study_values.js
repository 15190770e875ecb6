// The values of the studies at the last bar, with the names of the data window. Wait first until all studies have computed.
async function ({ filter, limit }) {
  await this.computed(limit);
  const found = [];
  for (const source of this.dataSources()) {
    try {
      if (typeof source.metaInfo !== "function" || typeof source.dataWindowView !== "function") continue;
      const meta = source.metaInfo();
      const name = String(meta.description || meta.shortDescription || "");
      if (name === "" || (filter !== "" && !name.toLowerCase().includes(filter.toLowerCase()))) continue;
      const values = {};
      for (const item of source.dataWindowView().items()) {
        const text = String(item._value === undefined ? "" : item._value);
        if (item._title && text !== "" && text !== "∅") values[String(item._title)] = text;
      }
      const id = typeof source.id === "function" ? source.id() : source.id;
      found.push({ id: String(id === undefined ? "" : id), name, values });
    } catch {
      continue;
    }
  }
  return { symbol: this.words(this.chart().symbol()), studies: found };
}
