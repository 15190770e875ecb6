// Inputs and visibility of one study. Long values are left out, because they are useless.
function ({ id }) {
  const study = this.study(id);
  const listed = this.chart().getAllStudies().find((one) => String(one.id) === id) || {};
  const short = (input) => String(input.id).length <= 200 && (typeof input.value !== "string" || input.value.length <= 500);
  const plain = ({ value }) => (value === null || ["number", "string", "boolean"].includes(typeof value) ? value : JSON.stringify(value));
  return {
    id,
    name: String(listed.name || listed.title || ""),
    visible: Boolean(study.isVisible()),
    inputs: study
      .getInputValues()
      .filter((input, _, all) => short(input) && !this.isMetaInput(String(input.id), all))
      .map((input) => ({ id: String(input.id), value: plain(input) })),
  };
}
