// Replace the editor's whole text by `text` so that one undo brings the old text back; where `over` is given, only if the old
// text is one of these (or is `text` already).
function ({ text, over }) {
  const find = this.pickOrThrow();
  const { editor } = find;
  const model = editor.getModel();
  const report = { previous: this.text(find) || "", strategy: find.strategy, parents: find.parents, steps: find.steps, via: null };
  if (this.readOnly(find)) return { ...report, read_only: true };
  const wanted = this.plain(text);
  const current = this.plain(report.previous);
  if (over && current !== wanted && !over.some((known) => this.plain(known) === current)) return { ...report, held_back: true };
  this.watchMarkers(find);
  const arrived = () => this.plain(this.text(find) || "") === wanted;
  const ways = {
    edit: () => {
      if (typeof editor.executeEdits !== "function") return;
      if (typeof editor.pushUndoStop === "function") editor.pushUndoStop();
      editor.executeEdits("pinebench", [{ range: model.getFullModelRange(), text, forceMoveMarkers: true }]);
      if (typeof editor.pushUndoStop === "function") editor.pushUndoStop();
    },
    setScript: () => find.setScript && find.setScript(text),
    api: () => {
      const api = this.resolve("pineEditorApi");
      if (api !== null && typeof api().setEditorText === "function") api().setEditorText(text);
    },
    setValue: () => editor.setValue(text),
  };
  for (const via of Object.keys(ways)) {
    try {
      ways[via]();
    } catch {
      continue;
    }
    if (!arrived()) continue;
    this.hold(find, wanted);
    return { ...report, via };
  }
  return report;
}
