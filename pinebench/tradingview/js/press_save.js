// Press the editor's own Save button. If there is none, focus the editor, so that Ctrl+S can be pressed.
function () {
  const find = this.pickOrThrow();
  const save = (node) => this.says(node, "save") || /(^|\s)saveButton/.test(String(node.className));
  const button = this.buttons(this.editorArea()).find(
    (node) => save(node) && this.visible(node) && this.enabled(node) && !node.closest('[role="dialog"]'),
  );
  if (button) {
    this.press(button);
    return { via: "button" };
  }
  find.editor.focus();
  return { via: "keyboard", mac: /mac/i.test(navigator.platform) };
}
