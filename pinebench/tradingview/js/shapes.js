// Every drawing on the chart.
function () {
  const entry = ({ id, name }) => ({ id: String(id), name: String(name || ""), study: this.paneOfShape(String(id)) });
  return { shapes: this.chart().getAllShapes().map(entry) };
}
