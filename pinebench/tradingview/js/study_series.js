// All that the chart holds of one script: its bars, its plots on each bar, its inputs, and the trades of a strategy. Everything is
// read in one go, so that it belongs together. Wait first until all studies have computed.
async function ({ study, limit, testing }) {
  const idle = await this.computed(limit);
  const quiet = (look, otherwise = null) => {
    try {
      const found = look();
      return found === undefined ? otherwise : found;
    } catch {
      return otherwise;
    }
  };
  const chart = this.chart();
  const isStudy = (source) => typeof source.metaInfo === "function" && quiet(() => source.metaInfo()) !== null;
  const sources = this.dataSources().filter(isStudy);
  const idOf = (source) => String(quiet(() => (typeof source.id === "function" ? source.id() : source.id), ""));
  const listed = this.studyList(chart);
  const nameOf = (source) => {
    const meta = source.metaInfo();
    const shown = listed.find(({ id }) => id === idOf(source));
    return String((shown && shown.name) || meta.description || meta.shortDescription || "");
  };
  const isStrategy = (meta) => Boolean(meta.isTVScriptStrategy || meta.is_strategy) || /^StrategyScript/.test(String(meta.id));
  const isScript = (meta) => isStrategy(meta) || /Script\$/.test(String(meta.id));
  const shown = sources.filter((source) => listed.length === 0 || listed.some(({ id }) => id === idOf(source)));
  const scripts = shown.filter((source) => isScript(source.metaInfo()));
  const named = study.toLowerCase();
  const exact = shown.filter((source) => idOf(source) === study || nameOf(source).toLowerCase() === named);
  const like = shown.filter((source) => nameOf(source).toLowerCase().includes(named));
  const fitting = study === "" ? scripts : exact.length > 0 ? exact : like;
  const head = {
    symbol: this.words(chart.symbol()),
    resolution: this.words(chart.resolution()),
    chart_type: Number(chart.chartType()),
    fitting: fitting.map((source) => ({ id: idOf(source), name: nameOf(source) })),
    known: shown.map((source) => ({ id: idOf(source), name: nameOf(source) })),
    computed: Boolean(idle),
    study: null,
  };
  if (fitting.length !== 1) return head;
  const source = fitting[0];
  const meta = source.metaInfo();
  const api = window.TradingViewApi && window.TradingViewApi.backtestingStrategyApi;
  this.backtests = isStrategy(meta) && typeof api === "function" ? await this.within(api.call(window.TradingViewApi), 2000) : null;
  // The page's API for back-tests has the report of its active strategy only.
  const apart = () => {
    const told = this.backtests && String(this.peek(this.backtests, "activeStrategy")) === idOf(source);
    return told ? this.peek(this.backtests, "activeStrategyReportData") : null;
  };
  const reported = () => this.reportOf(source) || apart();
  const isOld = () => Boolean(reported()) && !this.isOfChart(this.ownerOf(reported()));
  if (isStrategy(meta)) await this.until(() => reported() && !isOld(), testing);

  const series = quiet(() => chart._chartWidget.model().mainSeries());
  const bars = this.lastBars(this.require("mainSeriesBars"), 1e9).map((bar) => [...bar].slice(0, 6));
  const more = quiet(() => this.unwrap(series.requestMoreDataAvailable()));
  const number = (value) => (typeof value === "boolean" ? Number(value) : value);
  const plain = (value) => (Number.isFinite(number(value)) ? number(value) : null);
  const rows = quiet(() => {
    const data = source.data();
    const [first, last] = [data.firstIndex(), data.lastIndex()];
    const found = [];
    for (let at = first; first !== null && last !== null && at <= last; at += 1) {
      const row = data.valueAt(at);
      if (row) found.push(Array.from(row, plain));
    }
    return found;
  }, []);
  const shownStudy = quiet(() => chart.getStudyById(idOf(source)));
  const value = (given) => (["number", "string", "boolean"].includes(typeof given) ? given : null);
  const inputs = quiet(() => shownStudy.getInputValues(), []) || [];
  const definitions = [...(Array.isArray(meta.inputs) ? meta.inputs : [])].filter((one) => one && typeof one === "object");
  const given = new Map(inputs.map((one) => [String(one.id), value(one.value)]));
  const traded = definitions.filter((one) => one.groupId === "strategy_props" && one.internalID);
  const report = isStrategy(meta) ? reported() : null;
  const asInputs = traded.map((one) => [one.internalID, given.get(String(one.id))]);
  const own = traded.length > 0 ? asInputs : Object.entries((report && report.properties) || {});
  const taken = new Set(traded.map((one) => String(one.id)));
  const info = quiet(() => series.symbolInfo()) || {};
  const ext = quiet(() => chart.symbolExt()) || {};
  const flat = (object) => Object.fromEntries(Object.entries(object).filter(([, one]) => value(one) !== null));
  return {
    ...head,
    study: {
      id: idOf(source),
      name: nameOf(source),
      meta_id: String(meta.id || ""),
      version: this.words((meta.pine && meta.pine.version) || given.get("pineVersion")),
      pine_id: this.words(given.get("pineId")),
      strategy: isStrategy(meta),
      state: this.stands(source),
      failure: this.failure(source),
      inputs: [...given].filter(([id]) => /^in_\d+$/.test(id) && !taken.has(id)).map(([id, one]) => ({ id, value: one })),
      properties: Object.fromEntries(own.filter(([, one]) => value(one) !== null)),
      plots: (meta.plots || []).map(({ id, type }) => ({
        id: String(id),
        type: String(type),
        title: String((meta.styles && meta.styles[id] && meta.styles[id].title) || ""),
      })),
      rows,
      trades: report && Array.isArray(report.trades) ? this.plainTrades(report.trades) : null,
    },
    bars,
    evidence: this.evidence(),
    old_of: isStrategy(meta) && isOld() ? this.ownerOf(reported()) : null,
    more: typeof more === "boolean" ? more : null,
    info: { ...flat(ext), ...flat(info) },
  };
}
