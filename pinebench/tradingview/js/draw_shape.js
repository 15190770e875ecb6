// Put a drawing on the chart, and read it back.
async function ({ shape, points, text, overrides, limit }) {
  const chart = this.chart();
  const before = new Set(chart.getAllShapes().map((one) => String(one.id)));
  const options = { shape, overrides };
  if (text !== null) options.text = text;
  let refused = null;
  const made = Promise.resolve()
    .then(() => (points.length > 1 ? chart.createMultipointShape(points, options) : chart.createShape(points[0], options)))
    .catch((error) => {
      refused = String((error && error.message) || error);
    });
  const fresh = () => chart.getAllShapes().find((one) => !before.has(String(one.id)));
  await this.until(() => fresh() || refused !== null, limit);
  await this.within(made, 50);
  const found = fresh();
  return { id: found ? String(found.id) : null, refused, ...(found ? this.shapeDetails(String(found.id)) : { name: "", points: [] }) };
}
