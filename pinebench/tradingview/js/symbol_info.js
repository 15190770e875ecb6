// The chart's information about its symbol, with the evidence that it has loaded that symbol. It is true whatever dialog is open.
function () {
  const chart = this.chart();
  const info = (typeof chart.symbolExt === "function" ? chart.symbolExt() : null) || {};
  const text = (name) => (info[name] === undefined || info[name] === null ? "" : String(info[name]));
  return {
    evidence: { ...this.evidence(), interruptions: [] },
    symbol: text("symbol") || this.words(chart.symbol()),
    full_name: text("full_name") || this.words(chart.symbol()),
    pro_name: text("pro_name"),
    exchange: text("exchange"),
    description: text("description"),
    type: text("type"),
    typespecs: Array.isArray(info.typespecs) ? info.typespecs.map(String) : [],
    currency: text("currency_code"),
    resolution: this.words(chart.resolution()),
    chart_type: chart.chartType(),
  };
}
