// Put a drawing on the chart, and read it back.
async function ({ shape, points, text, overrides, limit }) {
  const chart = this.chart();
  const before = new Set(chart.getAllShapes().map((one) => String(one.id)));
  const options = { shape, overrides };
  if (text !== null) options.text = text;
  let refused = null;
  let named = null;
  const made = Promise.resolve()
    .then(() => (points.length > 1 ? chart.createMultipointShape(points, options) : chart.createShape(points[0], options)))
    .then((id) => (named = this.entityId(id)))
    .catch((error) => {
      refused = String((error && error.message) || error);
    });
  // A person may draw at the same moment. If the page refuses, no new drawing is ours; if it names a drawing, only that one is.
  const appeared = () => chart.getAllShapes().filter((one) => !before.has(String(one.id)));
  const fresh = () => {
    if (named !== null) return appeared().find((one) => String(one.id) === named);
    return refused === null ? appeared()[0] : undefined;
  };
  const settled = () => fresh() || refused !== null;
  await this.until(settled, limit);
  await this.within(made, 1000);
  if (named !== null) await this.until(settled, 1000);
  const found = fresh();
  const others = appeared().map((one) => String(one.id)).filter((id) => !found || id !== String(found.id));
  const details = found ? this.shapeDetails(String(found.id)) : { name: "", points: [] };
  return { id: found ? String(found.id) : null, refused, others, ...details };
}
