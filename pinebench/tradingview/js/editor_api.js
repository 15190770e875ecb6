// Call `openNewScript` or `openScript` of the page's own editor API. Return as soon as it is done or a dialog asks a question.
async function ({ action, argument, limit }) {
  const api = this.resolve("pineEditorApi");
  const missing = { available: false, settled: false, dialogs: [] };
  if (api === null) return missing;
  const editor = api();
  if (typeof editor[action] !== "function") return missing;
  const before = this.dialogs().map((dialog) => dialog.id);
  const asked = () => this.dialogs().filter((dialog) => !before.includes(dialog.id));
  let settled = false;
  let failure = null;
  Promise.resolve(editor[action](argument)).then(
    () => { settled = true; },
    (error) => { settled = true; failure = error; },
  );
  const end = performance.now() + limit;
  do {
    await new Promise((done) => setTimeout(done, 20));
  } while (!settled && asked().length === 0 && performance.now() < end);
  if (failure !== null) throw failure;
  return { available: true, settled, dialogs: asked().map(this.describeDialog) };
}
