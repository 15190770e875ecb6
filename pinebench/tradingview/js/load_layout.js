// Load a saved layout. A question about unsaved changes is answered with "discard" only if `discard` is true; else it is cancelled.
async function ({ id, symbol, resolution, discard, limit }) {
  const api = window.TradingViewApi;
  if (!api || typeof api.loadChartFromServer !== "function") throw new Error("PATH_MISSING:layoutManager");
  const raw = /^\d+$/.test(id) ? Number(id) : id;
  const before = location.pathname;
  api.loadChartFromServer(raw);
  const bare = (text) => String(text).toUpperCase().replace(/^1([SDWM])$/, "$1");
  const shows = () => {
    const chart = this.chart();
    const same = resolution === "" || bare(resolution) === bare(chart.resolution());
    return same && (symbol === "" || this.sameSymbol(symbol, chart.symbol()));
  };
  const asks = () => this.dialogs().find((one) => one.kind === "unsaved-changes");
  await this.until(() => asks() || (shows() && !this.loading()), limit);
  const dialog = asks();
  let dismissed = false;
  if (dialog) {
    const button = dialog.buttons.find((one) => this.says(one, discard ? "discard" : "cancel"));
    if (button) this.press(button);
    dismissed = Boolean(button) && discard;
    if (!discard) return { asked: dialog.text, dismissed: false, shows: false, moved: false };
    await this.until(() => !asks() && shows() && !this.loading(), limit);
  }
  return { asked: dialog ? dialog.text : null, dismissed, shows: shows(), moved: location.pathname !== before };
}
