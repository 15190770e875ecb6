// Whether the document fills the screen. Wait first until this differs from `was`, unless `was` is null.
async function ({ was, limit }) {
  const now = () => document.fullscreenElement !== null;
  if (was !== null) await this.until(() => now() !== was, limit);
  return { on: now() };
}
