// Advance the replay by some bars, one after another: wait for each bar before the next step. A replay that ends, or that somebody
// begins again at an earlier date, has not advanced.
async function ({ bars, limit }) {
  const replay = this.require("replayApi");
  let done = 0;
  while (done < bars && this.replayState().started) {
    const before = this.replayState().date;
    replay.doStep();
    const later = ({ started, date }) => started && date !== null && date > before;
    await this.until(() => later(this.replayState()) || !this.replayState().started, limit);
    if (!later(this.replayState())) break;
    done += 1;
  }
  return { ...this.replayState(), done };
}
