// Begin a replay at a moment in milliseconds, or at the first bar that can be had; stopped again where it does not come up.
async function ({ date, limit }) {
  const replay = this.require("replayApi");
  const before = this.replayState();
  if (!before.available) return { ...before, began: false };
  replay.showReplayToolbar();
  await this.within(date === null ? replay.selectFirstAvailableDate() : replay.selectDate(date), limit);
  const up = () => {
    const state = this.replayState();
    return state.started && state.date !== null;
  };
  const began = Boolean(await this.until(up, limit));
  if (!began) replay.stopReplay();
  return { ...this.replayState(), began };
}
