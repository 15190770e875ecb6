// Press the one button of the dialog that says that the session was taken over, and wait until the dialog is gone.
async function ({ limit }) {
  const find = () => this.dialogs().find(({ kind }) => kind === "session-disconnected");
  const dialog = find();
  if (!dialog) return { found: false, pressed: null, gone: true };
  const buttons = dialog.buttons.filter((node) => this.enabled(node));
  const button = buttons.length === 1 ? buttons[0] : buttons.find((node) => this.says(node, "connect"));
  if (!button) return { found: true, pressed: null, gone: false };
  const pressed = this.labels(button)[0] || "";
  this.press(button);
  const gone = await this.until(() => !find(), limit);
  return { found: true, pressed, gone: Boolean(gone) };
}
