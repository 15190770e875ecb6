// The symbols on the screen: the symbols of the panes and, if wanted, of the visible rows of the watchlist.
function ({ watchlist }) {
  const charts = this.resolve("chartWidgetCollection");
  const panes = charts !== null && typeof charts.getAll === "function" ? charts.getAll() : [];
  const rows = watchlist ? [...document.querySelectorAll("[data-symbol-full]")].filter((node) => this.visible(node)) : [];
  return [
    ...panes.map((widget) => String(widget.model().mainSeries().symbol())),
    ...rows.map((node) => String(node.getAttribute("data-symbol-full"))),
  ];
}
