// Remove all drawings from the chart.
async function ({ limit }) {
  const chart = this.chart();
  const before = chart.getAllShapes().length;
  chart.removeAllShapes();
  await this.until(() => chart.getAllShapes().length === 0, limit);
  return { before, left: chart.getAllShapes().length };
}
