// Add an indicator by its full name. When it is on the chart, set its inputs and read them back.
async function ({ name, inputs, limit }) {
  const chart = this.chart();
  const before = new Set(chart.getAllStudies().map((study) => String(study.id)));
  let refused = null;
  const asked = Promise.resolve()
    .then(() => chart.createStudy(name, false, false))
    .catch((error) => {
      refused = String((error && error.message) || error);
    });
  const fresh = () => chart.getAllStudies().find((study) => !before.has(String(study.id)));
  const dialog = () => this.dialogs().find((one) => one.kind === "plan-limit");
  await this.until(() => fresh() || refused !== null || dialog(), limit);
  await this.within(asked, 50);
  const found = fresh();
  const stands = dialog();
  const report = { id: found ? String(found.id) : null, count: chart.getAllStudies().length, refused, dialog: stands ? stands.text : null };
  const computed = async () => {
    await this.until(() => this.stands(this.sourceOf(found.id)) !== "loading", limit);
    return this.stands(this.sourceOf(found.id));
  };
  if (!found) return { ...report, computed: null, inputs: null, unknown: [] };
  if (!inputs) return { ...report, computed: await computed(), inputs: null, unknown: [] };
  const study = this.study(found.id);
  const known = study.getInputValues();
  const unknown = Object.keys(inputs).filter((id) => !known.some((input) => input.id === id));
  const changed = known.map((input) => (input.id in inputs ? { ...input, value: inputs[input.id] } : input));
  if (unknown.length > 0) return { ...report, computed: null, inputs: null, unknown };
  await computed();
  const anew = known.some((input) => input.id in inputs && input.value !== inputs[input.id]);
  const again = this.computing(found.id);
  study.setInputValues(changed);
  const state = anew ? await again(limit) : this.stands(this.sourceOf(found.id));
  const plain = study.getInputValues().map((input) => ({ id: String(input.id), value: input.value }));
  return { ...report, computed: state, inputs: plain, unknown };
}
