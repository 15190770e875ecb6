// The layout that the chart itself shows, and the page's dialogs; the page's address may name another layout. What the page does not
// tell is null.
function () {
  const api = window.TradingViewApi || {};
  const quiet = (look) => {
    try {
      const found = look();
      return found && typeof found.value === "function" ? found.value() : found;
    } catch {
      return null;
    }
  };
  const service = quiet(() => api.getSaveChartService());
  const changed = quiet(() => (typeof service.hasChanges === "function" ? service.hasChanges() : service.hasChanges));
  return {
    id: this.shownLayout(),
    name: this.words(quiet(() => api.layoutName())),
    changed: typeof changed === "boolean" ? changed : null,
    ready: Boolean(quiet(() => this.chart().dataReady())) && !this.loading(),
    dialogs: this.dialogs().map(this.describeDialog),
    able: typeof api.createNewLayout === "function" && typeof api.saveChartToServer === "function",
  };
}
