// Play or pause, trade, or stop; return the state of the replay before and after.
async function ({ action, delay, limit }) {
  const replay = this.require("replayApi");
  const before = this.replayState();
  const changed = (name) => () => JSON.stringify(this.replayState()[name]) !== JSON.stringify(before[name]);
  const ways = {
    delay: () => replay.changeAutoplayDelay(delay),
    autoplay: () => replay.toggleAutoplay(),
    buy: () => replay.buy(),
    sell: () => replay.sell(),
    close: () => replay.closePosition(),
    stop: () => replay.stopReplay(),
  };
  const watched = { delay: "delay", autoplay: "autoplay", buy: "position", sell: "position", close: "position", stop: "started" };
  await this.within(ways[action](), limit);
  await this.until(changed(watched[action]), limit);
  return { before, after: this.replayState() };
}
