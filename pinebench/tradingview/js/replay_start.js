// Begin a replay at `date` (milliseconds), or at the first available bar (null). If it does not begin, it is stopped again; a replay
// that ran before continues. `near` says whether it has gone near that date: one that ran before and has not moved may be near the
// date by chance. `late` is the time of the last bar if that bar is older.
async function ({ date, limit }) {
  const replay = this.require("replayApi");
  const before = this.replayState();
  if (!before.available) return { ...before, began: false, near: false, late: null };
  // The date may be on a weekend; then the nearest bar is before or after the weekend.
  const slack = 4 * 86_400_000 + 2000 * (this.spacing() ?? 0);
  const near = (state) => date === null || Math.abs(state.date - date) <= slack;
  const isMoved = (state) => !before.started || state.date !== before.date;
  const isThere = (state) => date !== null && Math.abs(state.date - date) <= 2000 * (this.spacing() ?? 0);
  const last = this.lastBars(this.resolve("mainSeriesBars"), 1)[0];
  if (date !== null && !before.started && last && date > last[0] * 1000 + slack) {
    return { ...before, began: false, near: false, late: last[0] };
  }
  replay.showReplayToolbar();
  await this.within(date === null ? replay.selectFirstAvailableDate() : replay.selectDate(date), limit);
  const up = () => {
    const state = this.replayState();
    if (!state.started || state.date === null) return false;
    return isMoved(state) ? near(state) || state.date < date : isThere(state);
  };
  const isUp = Boolean(await this.until(up, limit));
  if (!isUp && !before.started) replay.stopReplay();
  const now = this.replayState();
  return { ...now, began: isUp || (before.started && now.started && near(now)), near: isUp && near(now), late: null };
}
