// Search symbols with the page's symbol search.
function ({ query, type, limit }) {
  const asked = new URLSearchParams({ text: query, hl: "0", exchange: "", lang: "en", search_type: type, domain: "production" });
  return this.request("symbolSearch", "/v3/?" + asked, {}, limit);
}
