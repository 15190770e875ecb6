// The markers of the editor's text, or null where the page hides them.
function () {
  const markers = this.markers(this.pickOrThrow());
  return markers === null ? null : markers.map(this.describeMarker);
}
