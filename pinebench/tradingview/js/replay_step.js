// Advance the replay by some bars, one after another: wait for each bar before the next step.
async function ({ bars, limit }) {
  const replay = this.require("replayApi");
  let done = 0;
  while (done < bars && this.replayState().started) {
    const before = this.replayState().date;
    replay.doStep();
    if (!(await this.until(() => this.replayState().date !== before, limit))) break;
    done += 1;
  }
  return { ...this.replayState(), done };
}
