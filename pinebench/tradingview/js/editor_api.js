// Ask the page's own editor API to `openNewScript` or `openScript`; says whether there is such an API.
async function ({ action, argument }) {
  const api = this.resolve("pineEditorApi");
  if (api === null) return { available: false };
  const editor = api();
  if (typeof editor[action] !== "function") return { available: false };
  await editor[action](argument);
  return { available: true };
}
