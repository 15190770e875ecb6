// The results of the strategy on the chart, in whatever form the page holds them: its report, its trades, or its equity bar by bar.
// Wait for a strategy that is still being tested, and for a report that belongs to this chart and not to the former one.
async function ({ part, most, limit }) {
  const read = this.peek;
  const api = window.TradingViewApi && window.TradingViewApi.backtestingStrategyApi;
  if (typeof api === "function") this.backtests = await this.within(api.call(window.TradingViewApi), 2000);
  else this.backtests = null;

  // Each strategy with its name, its id, its report, and the object that may have its trades and its equity outside the report.
  const nameOf = (meta) => String((meta && (meta.description || meta.shortDescription)) || "");
  const listed = () =>
    this.strategies().map((source) => ({
      source,
      name: nameOf(source.metaInfo()),
      id: String(typeof source.id === "function" ? source.id() : source.id || ""),
      report: this.reportOf(source),
      isBusy: this.stands(source) === "loading",
    }));
  const active = () => {
    if (!this.backtests) return [];
    const report = read(this.backtests, "activeStrategyReportData");
    const status = read(this.backtests, "activeStrategyStatus") || {};
    const name = nameOf(read(this.backtests, "activeStrategyMetaInfo"));
    // The report of a strategy that was removed may stay in this API: only an active strategy counts.
    if (name === "" && !read(this.backtests, "activeStrategy")) return [];
    return [{ source: {}, name, id: String(read(this.backtests, "activeStrategy") || ""), report, isBusy: status.type === 1 }];
  };
  const all = () => [...listed(), ...active()];
  const hasResults = ({ source, report }) => Boolean(report) || read(source, "performance") !== null;
  const isOld = ({ report }) => Boolean(report) && !this.isOfChart(this.ownerOf(report));
  const chosen = () => {
    const known = all();
    return known.filter(hasResults).pop() || known[known.length - 1] || null;
  };
  const tested = () => {
    const one = chosen();
    if (one === null) return true;
    return hasResults(one) ? !isOld(one) : !one.isBusy;
  };
  await this.until(tested, limit);
  const one = chosen();
  const evidence = this.evidence();
  const nothing = { source: "", currency: "", total: 0, report: null, rows: [] };
  const empty = { evidence, ...nothing, old_of: null, range: null, foreign: 0, compared: 0 };
  if (one === null) return { ...empty, strategy: null, id: "" };
  const { source, report } = one;
  const plain = (value) => JSON.parse(JSON.stringify(value === undefined ? null : value));

  // The trades whose bar is on the chart, and how many of them have a price that their bar cannot have had.
  const bars = this.resolve("mainSeriesBars");
  const rows = bars ? this.lastBars(bars, 1e9) : [];
  const trades = (report && Array.isArray(report.trades) && report.trades) || [];
  const seconds = (time) => (time > 1e11 ? Math.floor(time / 1000) : time);
  const barAt = (time) => {
    let [low, high] = [0, rows.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (rows[middle][0] <= time) low = middle;
      else high = middle - 1;
    }
    return rows.length > 0 && rows[low][0] <= time ? rows[low] : null;
  };
  let [foreign, compared] = [0, 0];
  for (const trade of trades.slice(-20)) {
    const entry = trade.e || trade.entry || {};
    const time = seconds(Number(entry.tm === undefined ? entry.time : entry.tm));
    const price = Number(entry.p === undefined ? entry.price : entry.p);
    const bar = Number.isFinite(time) && Number.isFinite(price) ? barAt(time) : null;
    if (bar === null) continue;
    compared += 1;
    if (price < bar[3] - 0.2 * Math.abs(bar[3]) || price > bar[2] + 0.25 * Math.abs(bar[2])) foreign += 1;
  }
  const dates = report && report.settings && report.settings.dateRange;
  const tests = dates && (dates.backtest || dates);
  const head = {
    ...empty,
    strategy: one.name,
    id: one.id,
    currency: String((report && report.currency) || ""),
    old_of: isOld(one) ? this.ownerOf(report) : null,
    range: tests && Number.isFinite(Number(tests.from)) ? { from: seconds(Number(tests.from)), to: seconds(Number(tests.to)) } : null,
    foreign,
    compared,
  };
  const list = (name, records) => ({ ...head, source: name, total: records.length, rows: plain(records.slice(-most)) });
  const filled = (records) => Array.isArray(records) && records.length > 0;
  const known = (pairs, otherwise) => {
    const found = pairs.find(([, records]) => filled(records));
    return found ? list(...found) : { ...list("", []), source: hasResults(one) ? otherwise : "" };
  };
  if (part === "trades") {
    // A report with a list of trades is right, even if the list is empty.
    const names = report && Array.isArray(report.trades) ? [] : ["tradesData", "ordersData", "_orders"];
    const found = known([["reportData", trades], ...names.map((name) => [name, read(source, name)])], "reportData");
    return { ...found, rows: this.plainTrades(found.rows) };
  }
  if (part === "equity") {
    const times = rows.map((bar) => bar[0]);
    const curve = report && Array.isArray(report.equity) && report.equity.length === times.length ? report.equity : [];
    const falls = (report && report.drawDown) || [];
    const own = curve.map((equity, i) => ({ time: times[i], equity, drawdown: falls[i] === undefined ? null : falls[i] }));
    return known([["equityData", read(source, "equityData")], ["reportData", own]], "reportData");
  }
  const performance = (report && report.performance) || read(source, "performance");
  const scalars = {};
  for (const [name, value] of Object.entries(report || {})) if (typeof value === "number") scalars[name] = value;
  const found = performance === null ? null : plain({ ...scalars, ...performance });
  return { ...head, source: report ? "reportData" : found ? "performance" : "", report: found };
}
