// Remove a study or a drawing from the chart; return whether it was there, and whether it is gone.
async function ({ id, kind, limit }) {
  const chart = this.chart();
  const all = () => (kind === "shape" ? chart.getAllShapes() : chart.getAllStudies()).map((one) => String(one.id));
  if (!all().includes(id)) return { found: false, gone: true, left: all().length, known: all().slice(0, 20) };
  chart.removeEntity(id);
  await this.until(() => !all().includes(id), limit);
  return { found: true, gone: !all().includes(id), left: all().length, known: [] };
}
