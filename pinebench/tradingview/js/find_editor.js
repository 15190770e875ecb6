// Which editor would be used, how it was reached and how deep it lies; or why there is none.
function () {
  return this.describeEditors();
}
