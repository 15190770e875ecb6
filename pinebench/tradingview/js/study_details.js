// Inputs and visibility of one study. Long texts are cut, and end with "…".
function ({ id }) {
  const study = this.study(id);
  const listed = this.chart().getAllStudies().find((one) => String(one.id) === id) || {};
  const cut = (value) => (typeof value === "string" && value.length > 500 ? value.slice(0, 499) + "…" : value);
  const plain = ({ value }) => (value === null || ["number", "string", "boolean"].includes(typeof value) ? value : JSON.stringify(value));
  return {
    id,
    name: String(listed.name || listed.title || ""),
    visible: Boolean(study.isVisible()),
    inputs: study
      .getInputValues()
      .filter((input, _, all) => !this.isMetaInput(String(input.id), all))
      .map((input) => ({ id: String(input.id), value: cut(plain(input)) })),
  };
}
