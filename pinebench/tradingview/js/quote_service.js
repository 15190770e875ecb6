// The prices of one symbol from TradingView's quote service, without showing the symbol on the chart. A request without headers of its
// own is allowed from the page.
function ({ symbol, fields, limit }) {
  const query = "?symbol=" + encodeURIComponent(symbol) + "&fields=" + encodeURIComponent(fields.join(",")) + "&no_404=true";
  return this.request("quotes", "/symbol" + query, { credentials: "omit" }, limit);
}
