// Press the button for `purpose` (`cancel`, `confirm`, `discard`, `save`) in the dialog `id`. If there is no button to cancel, press
// Escape. `disabled` says that there is a button for `purpose`, but that it cannot be pressed yet. A dialog that offers to save or to
// discard asks another question, so it is never confirmed.
function ({ id, purpose, name }) {
  const dialog = this.dialogs().find((one) => one.id === id);
  if (!dialog) return { gone: true };
  if (typeof name === "string") {
    const field = [...dialog.node.querySelectorAll("input")].find((input) => this.visible(input));
    if (!field) return { field: false };
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    setter.call(field, name); // React notices the change of a controlled input only through the native setter
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const other = (node) => this.says(node, "save") || this.says(node, "discard");
  if (purpose === "confirm" && dialog.buttons.some(other)) return { pressed: null };
  const fitting = this.buttons(dialog.node).filter((node) => this.visible(node) && this.says(node, purpose));
  const button = fitting.find(this.enabled);
  if (button) {
    this.press(button);
    return { pressed: this.labels(button)[0] };
  }
  if (purpose !== "cancel") return { pressed: null, disabled: fitting.length > 0 };
  const key = { key: "Escape", code: "Escape", keyCode: 27, bubbles: true, cancelable: true };
  dialog.node.dispatchEvent(new KeyboardEvent("keydown", key));
  dialog.node.dispatchEvent(new KeyboardEvent("keyup", key));
  return { pressed: "Escape" };
}
