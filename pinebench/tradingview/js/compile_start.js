// Remember the present state, then press "Add to chart" or "Update on chart". A button that saves is never pressed. If the editor does
// not hold `text`, nothing is pressed; without `text`, any text in the editor is compiled, and `source` is that text.
function ({ text }) {
  const find = this.pickOrThrow();
  if (typeof text !== "string") this.hold(find, this.text(find) || "");
  else if (this.held === null || this.held.text !== this.plain(text)) return { via: null, other_text: "page" };
  const whose = this.whose(find);
  if (whose !== "ours") return { via: null, other_text: whose };
  const watch = this.watch || this.watchMarkers(find);
  const baseline = this.begin({
    studies: this.studies(),
    dialogs: this.dialogs().map((dialog) => dialog.id + dialog.text), // a page may use the same node for several dialogs
    rows: new WeakSet(this.consoleRows()),
    said: 0,
    saidAt: performance.now(),
    events: 0,
    updating: true,
    told: null,
    closedAt: null,
    disabled: false,
  });
  watch.look(this.markers(find));
  const written = watch.events;
  const source = typeof text === "string" ? null : this.held.text;
  baseline.events = written;
  const { button, via, disabled } = this.compileButton();
  baseline.disabled = disabled;
  if (disabled) return { via: null, disabled: true, written, source };
  if (button) {
    // After "Add" only a new study is evidence, because another study may change by itself meanwhile.
    baseline.updating = via !== "button" || this.says(button, "update");
    this.press(button);
    return { via, button: (this.labels(button)[0] || "").slice(0, 60), written, source };
  }
  const api = this.resolve("pineEditorApi");
  if (api !== null && typeof api().addScriptOnChart === "function") {
    Promise.resolve(api().addScriptOnChart()).catch(() => undefined);
    return { via: "api", button: "addScriptOnChart", written, source };
  }
  find.editor.focus();
  return { via: "keyboard", button: null, mac: /mac/i.test(navigator.platform), written, source };
}
