// The text in the editor, and where it comes from.
function () {
  const find = this.pickOrThrow();
  const model = find.editor.getModel();
  return {
    source: typeof model.getValue === "function" ? model.getValue() : find.editor.getValue(),
    line_ends: typeof model.getEOL === "function" ? model.getEOL() : null,
    read_only: this.readOnly(find),
    strategy: find.strategy,
    parents: find.parents,
    steps: find.steps,
  };
}
