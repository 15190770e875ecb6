// The rows of the Pine console, the oldest first.
function () {
  return this.consoleRows().map(this.describeRow);
}
