// The editor that would be used, how it is reached and how deep it is; or the numbers that show why there is none.
function () {
  return this.describeEditors();
}
