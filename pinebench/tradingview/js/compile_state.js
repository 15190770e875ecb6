// Return the changes since the compile was started: as soon as they differ from the last answer, or after `limit` milliseconds. A
// document that was loaded later has nothing to compare with. `quiet` holds the limits of the three times without a change; reaching
// one of these limits counts as a change too. `symbol` is the chart's symbol now; null if the page does not tell it.
async function ({ limit, quiet }) {
  const { baseline, watch } = this;
  if (baseline === null) return { reloaded: true };
  const since = (moment) => performance.now() - moment;
  const look = () => {
    const find = this.pick();
    const markers = find === null ? null : this.markers(find);
    if (watch && find !== null) watch.look(markers);
    baseline.closedAt = find === null ? baseline.closedAt ?? performance.now() : null;
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
      added: ids.filter((id) => !(id in baseline.studies) && !studies[id].startsWith("built in")), // a person may add built-in studies
      updated: ids.filter((id) => baseline.updating && changed(id)),
      dialogs: this.dialogs().filter((dialog) => !baseline.dialogs.includes(dialog.id + dialog.text)).map(this.describeDialog),
      console: rows,
      disabled: baseline.disabled && this.compileButton().disabled,
    };
  };
  const symbol = () => {
    try {
      return this.words(this.resolve("chartApi").symbol()); // a verdict is told also when the symbol cannot be read
    } catch {
      return null;
    }
  };
  let state = null;
  let spans = null;
  await this.until(() => {
    state = look();
    spans = {
      quiet_ms: watch ? since(watch.last) : 0,
      console_quiet_ms: since(baseline.saidAt),
      closed_ms: baseline.closedAt === null ? 0 : since(baseline.closedAt),
    };
    const passed = Object.entries(spans).map(([name, span]) => quiet[name].map((least) => span >= least));
    const told = JSON.stringify([{ ...state, marker_events: state.marker_events > 0 }, passed]);
    if (told === baseline.told) return false;
    baseline.told = told;
    return true;
  }, limit);
  return { ...state, ...spans, symbol: symbol() };
}
