// The markers of the editor's text, or null if the page does not give access to them.
function () {
  const markers = this.markers(this.pickOrThrow());
  return markers === null ? null : markers.map(this.describeMarker);
}
