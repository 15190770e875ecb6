// The drawings of scripts: lines, labels, boxes and the cells of tables, as the data sources keep them. Wait first until
// all scripts have computed; a script that still computes then is listed with a note, because it may draw more.
async function ({ kind, filter, most, limit }) {
  await this.computed(limit);
  const places = {
    lines: ["dwglines", "lines"],
    labels: ["dwglabels", "labels"],
    boxes: ["dwgboxes", "boxes"],
    tables: ["dwgtablecells", "tableCells"],
  };
  const [holder, map] = places[kind];
  const found = [];
  for (const source of this.dataSources()) {
    try {
      if (typeof source.metaInfo !== "function") continue;
      const meta = source.metaInfo();
      const name = String(meta.description || meta.shortDescription || "");
      if (filter !== "" && !name.toLowerCase().includes(filter.toLowerCase())) continue;
      const collection = source._graphics && source._graphics._primitivesCollection;
      const outer = collection && collection[holder] && collection[holder].get(map);
      const inner = outer && typeof outer.get === "function" && outer.get(false) ? outer.get(false) : outer;
      const byId = inner && inner._primitivesDataById;
      const note = this.isComputing(source) ? "it is still being computed" : null;
      if ((!byId || byId.size === 0) && note === null) continue;
      const raw = byId ? [...byId.entries()] : [];
      const plain = ([id, value]) => ({ ...JSON.parse(JSON.stringify(value)), id: String(id) });
      found.push({ name, total: raw.length, items: raw.slice(-most).map(plain), note });
    } catch {
      continue;
    }
  }
  return { evidence: this.evidence(), symbol: this.words(this.chart().symbol()), studies: found };
}
