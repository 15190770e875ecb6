// Ask TradingView's watchlist service with the page's own log-in; a body is sent as plain text, as the page does.
function ({ path, body, limit }) {
  return this.request("watchlists", path, body === null ? {} : { method: "POST", body: JSON.stringify(body) }, limit);
}
