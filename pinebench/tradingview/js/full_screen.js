// Whether the document is shown on the full screen, once it is otherwise than it was.
async function ({ was, limit }) {
  const now = () => document.fullscreenElement !== null;
  if (was !== null) await this.until(() => now() !== was, limit);
  return { on: now() };
}
