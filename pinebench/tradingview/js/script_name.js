// The name of the script that the editor is bound to, as the panel shows it, or null. If the known places do not show a name, a
// heading or button of the panel counts if its text is exactly one of `names`.
function ({ names }) {
  const text = (node) => this.undouble(this.squeeze(node.textContent)).slice(0, 200);
  const node = this.all("scriptName").find((one) => this.visible(one));
  if (node) return { name: text(node) };
  const css = 'button, [role="button"], h1, h2, h3, [class*="title"], [class*="name"]';
  const said = [...this.editorArea().querySelectorAll(css)]
    .filter((one) => this.visible(one) && !one.closest(".monaco-editor") && !one.closest('[role="dialog"]'))
    .map(text)
    .filter((label) => names.includes(label));
  return { name: new Set(said).size === 1 ? said[0] : null };
}
