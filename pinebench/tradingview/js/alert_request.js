// Send a request to TradingView's alert service with the page's own log-in. The service accepts JSON from other hosts only as plain text.
function ({ path, payload, limit }) {
  if (payload === null) return this.request("alerts", path, {}, limit);
  const options = { method: "POST", headers: { "Content-Type": "text/plain" }, body: JSON.stringify({ payload }) };
  return this.request("alerts", path, options, limit);
}
