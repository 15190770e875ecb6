// Close a dialog that a person could close with Escape, and wait until it is closed.
async function ({ limit }) {
  const node = document.activeElement || document.body;
  if (this.dialogs().length > 0) {
    const key = { key: "Escape", code: "Escape", keyCode: 27, bubbles: true, cancelable: true };
    node.dispatchEvent(new KeyboardEvent("keydown", key));
    node.dispatchEvent(new KeyboardEvent("keyup", key));
    await this.until(() => this.dialogs().length === 0, limit);
  }
  return { open: this.dialogs().length };
}
