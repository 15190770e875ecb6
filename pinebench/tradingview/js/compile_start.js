// Remember how things stand, then press "Add to chart" or "Update on chart". "Save" is never pressed, nor what saves as well.
// Nothing is pressed where the editor does not hold `text`; without one, what it holds is meant.
function ({ text }) {
  const find = this.pickOrThrow();
  if (typeof text !== "string") this.hold(find, this.text(find) || "");
  else if (this.held === null || this.held.text !== this.plain(text)) return { via: null, other_text: "page" };
  const whose = this.whose(find);
  if (whose !== "ours") return { via: null, other_text: whose };
  const area = this.editorArea();
  const watch = this.watch || this.watchMarkers(find);
  this.baseline = {
    studies: this.studies(),
    dialogs: this.dialogs().map((dialog) => dialog.id + dialog.text), // a page may use one node for dialog after dialog
    rows: new WeakSet(this.consoleRows()),
    said: 0,
    saidAt: performance.now(),
    events: 0,
    updating: true,
  };
  watch.look(this.markers(find));
  const written = watch.events;
  this.baseline.events = written;
  const wanted = (node) => this.says(node, "update") || this.says(node, "add");
  const inArea = this.buttons(area).filter(wanted);
  const anywhere = inArea.length > 0 ? inArea : this.buttons(document).filter((node) => wanted(node) && !node.closest('[role="dialog"]'));
  let button = anywhere.find((node) => this.visible(node) && this.enabled(node));
  let via = "button";
  if (!button && anywhere.some((node) => this.visible(node))) return { via: null, disabled: true, written };
  if (!button) {
    // An unknown language: the icon-only button right before Save is the one that adds or updates.
    const shown = this.buttons(area).filter((node) => this.visible(node));
    const save = shown.findIndex((node) => this.says(node, "save") || /(^|\s)saveButton/.test(String(node.className)));
    const before = save > 0 ? shown[save - 1] : null;
    if (before && /(^|\s)noContent/.test(String(before.className)) && this.enabled(before) && !this.says(before, "save")) {
      button = before;
      via = "position";
    }
  }
  if (button) {
    // After "Add" only a new study is evidence: another one may change by itself meanwhile.
    this.baseline.updating = via !== "button" || this.says(button, "update");
    this.press(button);
    return { via, button: (this.labels(button)[0] || "").slice(0, 60), written };
  }
  const api = this.resolve("pineEditorApi");
  if (api !== null && typeof api().addScriptOnChart === "function") {
    Promise.resolve(api().addScriptOnChart()).catch(() => undefined);
    return { via: "api", button: "addScriptOnChart", written };
  }
  find.editor.focus();
  return { via: "keyboard", button: null, mac: /mac/i.test(navigator.platform), written };
}
