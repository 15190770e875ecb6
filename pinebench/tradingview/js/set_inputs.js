// Change inputs of a study and read them back. If one of them is unknown, nothing is changed.
async function ({ id, inputs, limit }) {
  const study = this.study(id);
  const known = study.getInputValues();
  const unknown = Object.keys(inputs).filter((name) => !known.some((input) => input.id === name));
  const names = known.map((input) => String(input.id)).slice(0, 50);
  if (unknown.length > 0) return { unknown, known: names, inputs: [], computed: null };
  const anew = known.some((input) => input.id in inputs && input.value !== inputs[input.id]);
  const again = this.computing(id);
  study.setInputValues(known.map((input) => (input.id in inputs ? { ...input, value: inputs[input.id] } : input)));
  const now = () => study.getInputValues().filter((input) => input.id in inputs);
  await this.until(() => now().every((input) => input.value === inputs[input.id]), limit);
  const held = now().every((input) => input.value === inputs[input.id]);
  const computed = anew && held ? await again(limit) : this.stands(this.sourceOf(id));
  return { unknown, known: names, computed, inputs: now().map((input) => ({ id: String(input.id), value: input.value })) };
}
