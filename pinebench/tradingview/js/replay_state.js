// What replay does now.
function () {
  return this.replayState();
}
