// Send a request to TradingView's watchlist service about a list, with the page's own log-in. A body is sent as JSON, as the page does it.
function ({ method, path, body, limit }) {
  const options = { method, headers: body === null ? {} : { "Content-Type": "application/json" } };
  if (body !== null) options.body = JSON.stringify(body);
  return this.request("watchlists", path, options, limit);
}
