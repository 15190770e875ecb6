// The results of the strategy on the chart, in whatever form the page holds them: its report, its trades, or its equity bar by bar.
// Wait for a strategy that is still being tested.
async function ({ part, most, limit }) {
  const read = (holder, name) => {
    try {
      let found = typeof holder[name] === "function" ? holder[name]() : holder[name];
      if (found && typeof found.value === "function") found = found.value();
      return found === undefined ? null : found;
    } catch {
      return null;
    }
  };
  const isStrategy = (source) => {
    try {
      const meta = source.metaInfo();
      return Boolean(meta.isTVScriptStrategy || meta.is_strategy) || /^StrategyScript/.test(String(meta.id));
    } catch {
      return false;
    }
  };
  const reportOf = (source) => read(source, "reportData") || read(source, "_reportData");
  const hasReport = (source) => reportOf(source) !== null || read(source, "performance") !== null;
  const tested = () => {
    const all = this.dataSources().filter(isStrategy);
    return all.some(hasReport) || !all.some((one) => this.stands(one) === "loading");
  };
  await this.until(tested, limit);
  const strategies = this.dataSources().filter(isStrategy);
  const source = strategies.filter(hasReport).pop() || strategies[strategies.length - 1];
  if (!source) return { strategy: null, id: "", source: "", currency: "", total: 0, report: null, rows: [] };
  const plain = (value) => JSON.parse(JSON.stringify(value === undefined ? null : value));
  const report = reportOf(source);
  const meta = source.metaInfo();
  const head = {
    strategy: String(meta.description || meta.shortDescription || ""),
    id: String(typeof source.id === "function" ? source.id() : source.id || ""),
    currency: String((report && report.currency) || ""),
  };
  const list = (name, rows) => ({ ...head, source: name, total: rows.length, report: null, rows: plain(rows.slice(-most)) });
  const filled = (rows) => Array.isArray(rows) && rows.length > 0;
  const known = (pairs, empty) => {
    const found = pairs.find(([, rows]) => filled(rows));
    return found ? list(...found) : { ...list("", []), source: hasReport(source) ? empty : "" };
  };
  if (part === "trades") {
    const names = ["tradesData", "ordersData", "_orders"];
    const pairs = [["reportData", report && report.trades], ...names.map((name) => [name, read(source, name)])];
    return known(pairs, "reportData");
  }
  if (part === "equity") {
    const bars = this.resolve("mainSeriesBars");
    const times = bars ? this.lastBars(bars, 1e9).map((bar) => bar[0]) : [];
    const curve = report && Array.isArray(report.equity) && report.equity.length === times.length ? report.equity : [];
    const falls = (report && report.drawDown) || [];
    const own = curve.map((equity, i) => ({ time: times[i], equity, drawdown: falls[i] === undefined ? null : falls[i] }));
    return known([["equityData", read(source, "equityData")], ["reportData", own]], "reportData");
  }
  const performance = (report && report.performance) || read(source, "performance");
  const scalars = {};
  for (const [name, value] of Object.entries(report || {})) if (typeof value === "number") scalars[name] = value;
  const found = performance === null ? null : plain({ ...scalars, ...performance });
  return { ...head, source: report ? "reportData" : found ? "performance" : "", total: 0, report: found, rows: [] };
}
