// Every drawing on the chart.
function () {
  return { shapes: this.chart().getAllShapes().map((one) => ({ id: String(one.id), name: String(one.name || "") })) };
}
