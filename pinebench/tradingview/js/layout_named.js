// Save the chart under a name, unless it still shows the layout `former`, which would get the name then.
function ({ former, name }) {
  const api = window.TradingViewApi;
  const service = typeof api.getSaveChartService === "function" ? api.getSaveChartService() : null;
  const shown = service && typeof service.layoutId === "function" ? service.layoutId() : api.layoutId();
  const moved = Boolean(shown) && String(shown) !== former;
  if (moved) api.saveChartToServer(undefined, undefined, { chartName: name });
  return { moved };
}
