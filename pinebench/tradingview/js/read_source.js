// The text in the editor, or null if the page does not give it, with how the editor was reached and who wrote the text.
function () {
  const find = this.pickOrThrow();
  const model = find.editor.getModel();
  return {
    source: this.text(find),
    line_ends: typeof model.getEOL === "function" ? model.getEOL() : null,
    read_only: this.readOnly(find),
    strategy: find.strategy,
    parents: find.parents,
    steps: find.steps,
    text: this.whose(find),
    age_ms: performance.now(),
  };
}
