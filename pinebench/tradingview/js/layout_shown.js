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
  return {
    id: this.shownLayout(),
    name: this.words(quiet(() => api.layoutName())),
    changed: this.unsaved(),
    ready: Boolean(quiet(() => this.chart().dataReady())) && !this.loading(),
    dialogs: this.dialogs().map(this.describeDialog),
    able: typeof api.createNewLayout === "function" && typeof api.saveChartToServer === "function",
  };
}
