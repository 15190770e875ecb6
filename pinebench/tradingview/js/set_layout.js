// Arrange the panes by a layout code, and wait until the page has this layout and shows all its panes.
async function ({ code, limit }) {
  const charts = this.require("chartWidgetCollection");
  await this.within(charts.setLayout(code), limit);
  await this.until(() => String(this.unwrap(charts._layoutType)) === code && charts.getAll().every((widget) => widget._mainDiv), limit);
  return { layout: String(this.unwrap(charts._layoutType)), count: charts.getAll().length };
}
