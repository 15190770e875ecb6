// Save the chart under a name, unless it still shows the layout `former`, which would get the name then.
function ({ former, name }) {
  const api = window.TradingViewApi;
  const shown = this.shownLayout();
  const moved = shown !== null && shown !== former;
  if (moved) api.saveChartToServer(undefined, undefined, { chartName: name });
  return { moved };
}
