// Arrange the panes by a layout code and wait until there are as many.
async function ({ code, limit }) {
  const charts = this.require("chartWidgetCollection");
  await this.within(charts.setLayout(code), limit);
  await this.until(() => String(this.unwrap(charts._layoutType)) === code && charts.getAll().every((widget) => widget._mainDiv), limit);
  return { layout: String(this.unwrap(charts._layoutType)), count: charts.getAll().length };
}
