// The text in the editor, or null where the page does not give it, and where it comes from.
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
