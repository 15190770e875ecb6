// Search indicators in the page's own dialog, and press the one with the title `add` if that is wanted. The dialog is closed in any
// case, unless a person had opened it.
async function ({ query, add, most, limit }) {
  const chart = this.chart();
  const none = { dialog: false, rows: [], pressed: null, added: null, version: null, count: chart.getAllStudies().length, asked: null };
  const ids = new Set(this.studyList(chart).map(({ id }) => id));
  const shown = () => this.all("indicatorsDialog").find((node) => this.visible(node)) || null;
  const wasOpen = shown() !== null;
  if (!wasOpen) {
    const button = this.all("indicatorsButton").find((node) => this.visible(node) && this.enabled(node));
    if (!button) return none;
    this.press(button);
  }
  const dialog = await this.until(shown, limit);
  if (dialog === null) return none;

  // The rows of the dialog. On pages that do not mark them, the entries of a list are the rows.
  const rows = () => {
    const marked = [...dialog.querySelectorAll('[data-role="list-item"], [data-title]')];
    const found = marked.length > 0 ? marked : [...dialog.querySelectorAll('[role="option"]')];
    return found.filter((node) => !found.some((other) => other !== node && other.contains(node)));
  };
  const describe = (node) => {
    const marked = node.matches("[data-title]") ? node : node.querySelector("[data-title]");
    const title = marked ? marked.getAttribute("data-title") : (node.innerText || "").split("\n")[0];
    const text = this.squeeze(node.innerText || node.textContent);
    return { title: this.squeeze(title), text: text.slice(0, 200), id: node.getAttribute("data-id") || "" };
  };
  // The version of the saved script that a study runs, and which script that is; null for other studies, or if the page does not tell.
  const versionOf = (wanted) => {
    const source = this.dataSources().find((one) => String(typeof one.id === "function" ? one.id() : one.id) === wanted);
    const meta = source && typeof source.metaInfo === "function" ? source.metaInfo() : {};
    const study = chart.getStudyById(wanted);
    const inputs = (study && typeof study.getInputValues === "function" && study.getInputValues()) || [];
    const of = (name) => (inputs.find((one) => one.id === name) || {}).value;
    const version = this.words((meta.pine && meta.pine.version) || of("pineVersion"));
    return version === null ? null : { script: this.words(of("pineId") || meta.scriptIdPart), version };
  };
  try {
    const field = await this.until(() => dialog.querySelector('input[data-role="search"]') || dialog.querySelector("input"), limit);
    if (field === null) return { ...none, dialog: true };
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    field.focus();
    write.call(field, query);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    // The rows for the previous text stay for a moment, so wait until the rows no longer change.
    let before = null;
    let since = performance.now();
    await this.until(() => {
      const now = rows().map((node) => describe(node).text).join("\n");
      if (now !== before) [before, since] = [now, performance.now()];
      return performance.now() - since > (now === "" ? 1500 : 300);
    }, limit);
    const listed = rows().map(describe);
    if (add === null) return { ...none, dialog: true, rows: listed.slice(0, most) };
    const wanted = add.trim().toLowerCase();
    const row = rows().find((node) => describe(node).title.toLowerCase() === wanted);
    if (!row) return { ...none, dialog: true, rows: listed.slice(0, most) };
    const pressed = describe(row);
    this.press(row);
    const fresh = () => this.studyList(chart).find(({ id }) => !ids.has(id)) || null;
    const isApart = (node) => node !== dialog && !node.contains(dialog) && !dialog.contains(node);
    const question = () => this.dialogs().find(({ kind, node }) => kind !== "settings" && isApart(node));
    await this.until(() => fresh() || question(), limit);
    const asked = question();
    // If the plan allows no further study, a person has added the new one.
    const found = asked && asked.kind === "plan-limit" ? null : fresh();
    const count = chart.getAllStudies().length;
    const version = found === null ? null : versionOf(found.id);
    return { ...none, dialog: true, pressed, added: found, version, count, asked: asked ? asked.text : null };
  } finally {
    if (!wasOpen && shown() !== null) {
      const close = shown().querySelector('[data-name="close"], [aria-label="Close"]');
      if (close) this.press(close);
      else shown().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", code: "Escape", keyCode: 27, bubbles: true }));
      await this.until(() => shown() === null, 1000);
    }
  }
}
