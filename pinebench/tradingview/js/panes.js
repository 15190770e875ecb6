// The panes of the layout, each with its symbol, and the index of the active one.
function () {
  const charts = this.require("chartWidgetCollection");
  const all = typeof charts.getAll === "function" ? charts.getAll() : [];
  const active = this.chart()._chartWidget;
  return {
    layout: String(this.unwrap(charts._layoutType)),
    count: Number(this.unwrap(charts.inlineChartsCount) || all.length),
    active: all.indexOf(active),
    panes: all.map((widget, index) => {
      const series = widget.model().mainSeries();
      return { index, symbol: String(series.symbol()), resolution: String(series.interval()) };
    }),
  };
}
