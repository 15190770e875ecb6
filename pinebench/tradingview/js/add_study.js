// Add an indicator by its full name. When it is on the chart, set its inputs and read them back.
async function ({ name, inputs, limit }) {
  const chart = this.chart();
  const before = new Set(chart.getAllStudies().map((study) => String(study.id)));
  let refused = null;
  let named = null;
  const asked = Promise.resolve()
    .then(() => chart.createStudy(name, false, false))
    .then((id) => (named = this.entityId(id)))
    .catch((error) => {
      refused = String((error && error.message) || error);
    });
  const dialog = () => this.dialogs().find((one) => one.kind === "plan-limit");
  // A person may add a study at the same moment. If the page refuses, no new study is ours; if it names a study, only that one is.
  const fresh = () => {
    const all = chart.getAllStudies().filter((study) => !before.has(String(study.id)));
    if (named !== null) return all.find((study) => String(study.id) === named);
    return refused === null && !dialog() ? all[0] : undefined;
  };
  const settled = () => fresh() || refused !== null || dialog();
  await this.until(settled, limit);
  await this.within(asked, 1000);
  if (named !== null) await this.until(settled, 1000);
  const found = fresh();
  const stands = dialog();
  const report = { id: found ? String(found.id) : null, count: chart.getAllStudies().length, refused, dialog: stands ? stands.text : null };
  const computed = async () => {
    await this.until(() => this.stands(this.sourceOf(found.id)) !== "loading", limit);
    return this.stands(this.sourceOf(found.id));
  };
  const none = { inputs: null, unknown: [], settings: [], had: 0, has: 0, failure: null };
  if (!found) return { ...report, ...none, computed: null };
  const failure = () => this.failure(this.sourceOf(found.id));
  if (!inputs) return { ...report, ...none, computed: await computed(), failure: failure() };
  const study = this.study(found.id);
  const known = study.getInputValues();
  const unknown = Object.keys(inputs).filter((id) => !known.some((input) => input.id === id));
  const settings = Object.keys(inputs).filter((id) => this.isMetaInput(id, known));
  if (unknown.length > 0 || settings.length > 0) return { ...report, ...none, computed: null, unknown, settings };
  await computed();
  const again = this.computing(found.id);
  const { held, anew, ...done } = await this.changeInputs(study, inputs, limit);
  const state = anew && held ? await again(limit) : this.stands(this.sourceOf(found.id));
  return { ...report, ...done, computed: state, failure: failure(), unknown, settings };
}
