// Draw the bars in another way; what the chart says then.
async function ({ type }) {
  const chart = this.chart();
  chart.setChartType(type);
  await this.until(() => chart.chartType() === type, 1000);
  return { type: chart.chartType() };
}
