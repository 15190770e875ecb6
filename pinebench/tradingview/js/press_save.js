// Press the editor's own Save button, if the panel still shows the script `name`. If there is no button, focus the editor, so that
// Ctrl+S can be pressed. A button outside the panel is never pressed: the layout has its own. `text` is the text that is saved.
function ({ name, names }) {
  const find = this.pickOrThrow();
  const shown = this.scriptName(names);
  const saved = { shown, text: this.text(find), mac: /mac/i.test(navigator.platform) };
  if (shown !== name || saved.text === null) return { via: null, ...saved };
  const area = this.editorArea();
  const save = (node) => this.says(node, "save") || /(^|\s)saveButton/.test(String(node.className));
  const button = (area === null ? [] : this.buttons(area)).find(
    (node) => save(node) && this.visible(node) && this.enabled(node) && !node.closest('[role="dialog"]'),
  );
  if (button) {
    this.press(button);
    return { via: "button", ...saved };
  }
  find.editor.focus();
  return { via: "keyboard", ...saved };
}
