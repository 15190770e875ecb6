// Set the chart's type, and return the type that the chart has then.
async function ({ type }) {
  const chart = this.chart();
  chart.setChartType(type);
  await this.until(() => chart.chartType() === type, 1000);
  return { type: chart.chartType() };
}
