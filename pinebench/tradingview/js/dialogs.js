// The dialogs that the page shows.
function () {
  return this.dialogs().map(this.describeDialog);
}
