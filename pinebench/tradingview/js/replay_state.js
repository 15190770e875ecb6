// The present state of the replay.
function () {
  return this.replayState();
}
