// All that an alert on a script of the chart needs: its id and version, its inputs, and the ids of its alertcondition() calls.
function ({ study }) {
  const chart = this.chart();
  const quiet = (look, otherwise = null) => {
    try {
      const found = look();
      return found === undefined ? otherwise : found;
    } catch {
      return otherwise;
    }
  };
  const idOf = (source) => String(quiet(() => (typeof source.id === "function" ? source.id() : source.id), ""));
  const metaOf = (source) => quiet(() => source.metaInfo());
  const scripts = this.dataSources().filter((source) => /Script\$/.test(String((metaOf(source) || {}).id)));
  const nameOf = (source) => String(metaOf(source).description || metaOf(source).shortDescription || "");
  const named = study.toLowerCase();
  const exact = scripts.filter((source) => idOf(source) === study || nameOf(source).toLowerCase() === named);
  const like = scripts.filter((source) => nameOf(source).toLowerCase().includes(named));
  const fitting = study === "" ? scripts : exact.length > 0 ? exact : like;
  const told = (list) => list.map((source) => ({ id: idOf(source), name: nameOf(source) }));
  const shown = { symbol: this.words(chart.symbol()), resolution: this.words(chart.resolution()) };
  const head = { ...shown, fitting: told(fitting), known: told(scripts), script: null };
  if (fitting.length !== 1) return head;
  const [source] = fitting;
  const meta = metaOf(source);
  const api = quiet(() => chart.getStudyById(idOf(source)));
  const inputs = quiet(() => api.getInputValues(), []) || [];
  const own = inputs.filter(({ id, value }) => !["pineId", "pineVersion", "text"].includes(id) && value !== undefined);
  const plain = ({ value }) => value === null || ["number", "string", "boolean"].includes(typeof value);
  const of = (id) => (inputs.find((one) => one.id === id) || {}).value;
  const conditions = (meta.plots || []).filter(({ type }) => /^alert/.test(String(type)));
  const drawn = (meta.plots || []).filter(({ type }) => !/^alert/.test(String(type)));
  const strategy = Boolean(meta.isTVScriptStrategy || meta.is_strategy) || /^StrategyScript/.test(String(meta.id));
  return {
    ...head,
    script: {
      ...told([source])[0],
      meta_id: String(meta.id),
      pine_id: this.words(of("pineId")),
      version: this.words((meta.pine && meta.pine.version) || of("pineVersion")),
      strategy,
      inputs: own.filter(plain),
      odd: own.filter((input) => !plain(input)).map(({ id }) => String(id)),
      conditions: conditions.map(({ id }) => ({ id: String(id), title: String(((meta.styles || {})[id] || {}).title || "") })),
      offsets: Object.fromEntries(drawn.map(({ id }) => [String(id), 0])),
    },
  };
}
