// What has changed since the compile was started; in a document that came later there is nothing to compare with.
function () {
  const { baseline, watch } = this;
  if (baseline === null) return { reloaded: true };
  const find = this.pick();
  const markers = find === null ? null : this.markers(find);
  if (watch && find !== null) watch.look(markers);
  const studies = this.studies();
  const ids = Object.keys(studies);
  const changed = (id) => id in baseline.studies && baseline.studies[id] !== studies[id] && studies[id].startsWith("script");
  const rows = this.consoleRows().filter((row) => !baseline.rows.has(row)).map(this.describeRow);
  if (rows.length !== baseline.said) {
    baseline.said = rows.length;
    baseline.saidAt = performance.now();
  }
  return {
    editor: find !== null,
    text: this.whose(find),
    markers: markers === null ? null : markers.map(this.describeMarker),
    errors: (markers || []).filter((marker) => marker.severity === 8).length,
    marker_events: watch ? watch.events - baseline.events : 0,
    quiet_ms: watch ? performance.now() - watch.last : 0,
    added: ids.filter((id) => !(id in baseline.studies) && !studies[id].startsWith("built in")), // somebody may add others
    updated: ids.filter((id) => baseline.updating && changed(id)),
    dialogs: this.dialogs().filter((dialog) => !baseline.dialogs.includes(dialog.id + dialog.text)).map(this.describeDialog),
    console: rows,
    console_quiet_ms: performance.now() - baseline.saidAt,
  };
}
