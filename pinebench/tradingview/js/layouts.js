// The saved layouts, as the page lists them.
async function ({ limit }) {
  const list = this.require("layoutManager");
  const charts = await this.within(new Promise((resolve) => list(resolve)), limit);
  const shown = location.pathname.split("/")[2] || null;
  if (!Array.isArray(charts)) return { answered: false, layouts: [], shown };
  const number = (value) => (value === undefined || value === null ? null : value);
  const plain = (one) => ({
    id: String(number(one.id) === null ? one.chartId : one.id),
    url: this.words(number(one.image_url) === null ? one.chartId : one.image_url),
    name: String(one.name || one.title || ""),
    symbol: String(one.symbol || ""),
    resolution: String(one.resolution || ""),
    modified: number(one.timestamp) === null ? number(one.modified) : one.timestamp,
  });
  return { answered: true, layouts: charts.map(plain), shown };
}
