// The log records of scripts: from the studies' data sources, or else from the rows of the Pine Logs panel, which begin with a date
// and time. Wait first until all studies have computed; `computing` are the names of those that still compute then.
async function ({ filter, keys, limit }) {
  const stands = (source) => typeof source.metaInfo !== "function" || this.stands(source) !== "loading";
  await this.until(() => this.dataSources().every(stands), limit);
  const computing = this.computingNames();
  const logs = [];
  let studies = 0;
  let silent = 0;
  for (const source of this.dataSources()) {
    try {
      if (typeof source.metaInfo !== "function") continue;
      const meta = source.metaInfo();
      const name = String(meta.description || meta.shortDescription || "");
      if (name === "" || (filter !== "" && !name.toLowerCase().includes(filter.toLowerCase()))) continue;
      studies += 1;
      const key = keys.find((one) => source[one] !== undefined && source[one] !== null);
      if (key === undefined) {
        silent += 1;
        continue;
      }
      const held = typeof source[key] === "function" ? source[key]() : this.unwrap(source[key]);
      for (const record of held && typeof held.values === "function" ? held.values() : held || []) {
        const message = [record.message, record.text, record.msg].find((text) => typeof text === "string");
        const time = [record.time, record.barTime, record.timestamp].find((number) => typeof number === "number");
        if (message === undefined) continue;
        const line = typeof record.line === "number" ? record.line : null;
        logs.push({ study: name, level: this.words(record.level), message, time: time === undefined ? null : time, line });
      }
    } catch {
      silent += 1;
    }
  }
  if (studies === 0 || silent < studies) return { studies, source: "data_source", computing, logs };
  const panel = this.all("pineLogs").find((node) => this.visible(node));
  if (!panel) return { studies, source: null, computing, logs };
  const moment = /^\[(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))\]:?\s*/;
  const begins = (node) => moment.test(this.squeeze(node.textContent.slice(0, 100)));
  const several = (node) => [...node.children].filter(begins).length > 1;
  const isRow = (node) => begins(node) && !several(node);
  for (const node of panel.querySelectorAll("*")) {
    if (!isRow(node) || isRow(node.parentElement)) continue;
    const text = this.squeeze(node.textContent);
    const found = moment.exec(text);
    const look = String(node.className) + " " + String(node.getAttribute("data-level") || "");
    const level = /error/i.test(look) ? "error" : /warn/i.test(look) ? "warning" : /info/i.test(look) ? "info" : null;
    logs.push({ study: null, level, message: text.slice(found[0].length), time: Date.parse(found[1]), line: null });
  }
  return { studies, source: "panel", computing, logs };
}
