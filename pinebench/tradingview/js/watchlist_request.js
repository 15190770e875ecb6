// Send a request to TradingView's watchlist service with the page's own log-in. A body is sent as plain text, as the page does it.
function ({ path, body, limit }) {
  return this.request("watchlists", path, body === null ? {} : { method: "POST", body: JSON.stringify(body) }, limit);
}
