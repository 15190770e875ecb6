// The layout that the chart itself shows; the page's address may name another one. What the page does not tell is null.
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
  const id = quiet(() => service.layoutId()) || quiet(() => api.layoutId());
  const changed = quiet(() => (typeof service.hasChanges === "function" ? service.hasChanges() : service.hasChanges));
  return {
    id: id ? String(id) : null,
    name: this.words(quiet(() => api.layoutName())),
    changed: typeof changed === "boolean" ? changed : null,
    ready: Boolean(quiet(() => this.chart().dataReady())) && !this.loading(),
    able: typeof api.createNewLayout === "function" && typeof api.saveChartToServer === "function",
  };
}
