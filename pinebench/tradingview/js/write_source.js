// Replace the editor's whole text by `text`, so that one undo brings the old text back. With `over`, this is done only if the old
// text is one of these texts (or `text` itself). After the page could run its own tasks, the editor's text is compared with `text`.
// It is returned only if it differs. The old text is returned only if it was not written by the write with the name `before`.
async function ({ text, over, name, before }) {
  const find = this.pickOrThrow();
  const { editor } = find;
  const model = editor.getModel();
  const given = this.text(find);
  const previous = given || "";
  const wanted = this.plain(text);
  const current = this.plain(previous);
  const own = this.written() !== null && this.written().name === before && this.written().text === current;
  const reached = { strategy: find.strategy, parents: find.parents, steps: find.steps };
  const held = { verified: false, text: "page", back: null, closed: false, age_ms: performance.now() };
  const report = { previous: own ? null : previous, ...reached, via: null, ...held };
  if (this.readOnly(find)) return { ...report, read_only: true };
  if (given === null) return { ...report, unread: true }; // a text that cannot be kept is not replaced
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
  report.via = Object.keys(ways).find((way) => {
    try {
      ways[way]();
    } catch {
      return false;
    }
    return arrived();
  }) || null;
  if (report.via !== null) {
    this.hold(find, wanted);
    this.written({ name, text: wanted });
    await this.turn();
  }
  // From here on no error may be thrown, because the old text must be returned.
  const now = this.pick();
  report.text = this.whose(now);
  if (now === null) return { ...report, closed: true };
  try {
    report.back = this.text(now);
  } catch {
    return report;
  }
  report.verified = report.back !== null && this.plain(report.back) === wanted;
  return report.verified ? { ...report, back: null } : report;
}
