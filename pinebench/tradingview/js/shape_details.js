// One drawing: its points and properties.
function ({ id }) {
  const chart = this.chart();
  const known = chart.getAllShapes().map((one) => String(one.id));
  if (!known.includes(id)) {
    const nothing = { name: "", study: "", points: [], properties: {}, state: {}, methods: [] };
    return { found: false, known: known.slice(0, 20), ...nothing };
  }
  const shape = chart.getShapeById(id);
  const ask = (name) => (typeof shape[name] === "function" ? shape[name]() : null);
  const properties = ask("getProperties") || ask("properties") || {};
  const short = (value) => (typeof value === "string" ? value.slice(0, 500) : value);
  const plain = ([, value]) => ["number", "string", "boolean"].includes(typeof value);
  return {
    found: true,
    known: [],
    ...this.shapeDetails(id),
    study: this.paneOfShape(id),
    properties: Object.fromEntries(Object.entries(properties).filter(plain).slice(0, 60).map(([name, value]) => [name, short(value)])),
    methods: this.methods(shape),
    state: { visible: ask("isVisible"), locked: ask("isLocked"), selectable: ask("isSelectionEnabled") },
  };
}
