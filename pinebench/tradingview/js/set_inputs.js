// Change inputs of a study and read them back. If one of them is unknown or a setting of the script, nothing is changed.
async function ({ id, inputs, limit }) {
  const study = this.study(id);
  const known = study.getInputValues();
  const unknown = Object.keys(inputs).filter((name) => !known.some((input) => input.id === name));
  const settings = Object.keys(inputs).filter((name) => this.isMetaInput(name, known));
  const names = known.map((input) => String(input.id)).filter((name) => !this.isMetaInput(name, known)).slice(0, 50);
  const none = { had: known.length, has: known.length, inputs: [], computed: null, failure: null };
  if (unknown.length > 0 || settings.length > 0) return { ...none, unknown, settings, known: names };
  const again = this.computing(id);
  const { held, anew, ...done } = await this.changeInputs(study, inputs, limit);
  const computed = anew && held ? await again(limit) : this.stands(this.sourceOf(id));
  return { ...done, unknown, settings, known: names, computed, failure: this.failure(this.sourceOf(id)) };
}
