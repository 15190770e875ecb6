// Symbol, resolution, type and studies of the active chart; everything is null if the page has no chart API.
function () {
  const chart = this.resolve("chartApi");
  const ask = (name) => (chart !== null && typeof chart[name] === "function" ? chart[name]() : null);
  const type = ask("chartType");
  return {
    symbol: chart === null ? null : this.words(ask("symbol")),
    resolution: chart === null ? null : this.words(ask("resolution")),
    chartType: Number.isInteger(type) ? type : null,
    studies: chart === null ? [] : this.studyList(chart),
  };
}
