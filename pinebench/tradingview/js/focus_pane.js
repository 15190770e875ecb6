// Make a pane active, as a click on it does.
async function ({ index, limit }) {
  const charts = this.require("chartWidgetCollection");
  const all = charts.getAll();
  const widget = all[index];
  if (!widget) return { focused: -1, total: all.length };
  const where = () => all.indexOf(this.chart()._chartWidget);
  if (where() !== index && widget._mainDiv) this.press(widget._mainDiv);
  await this.until(() => where() === index, limit);
  return { focused: where(), total: all.length };
}
