// Load a saved layout, known by its `ids`. A question about unsaved changes is answered with "discard" only if `discard` is true; else
// it is cancelled. `proved` says that the page names this layout as the shown one, or, if it names none of the layouts `known`, that
// the chart has changed to the layout's symbol and timeframe. A layout that was shown before is loaded again if nothing in it is unsaved.
async function ({ ids, known, symbol, resolution, discard, limit }) {
  const api = window.TradingViewApi;
  if (!api || typeof api.loadChartFromServer !== "function") throw new Error("PATH_MISSING:layoutManager");
  const raw = /^\d+$/.test(ids[0]) ? Number(ids[0]) : ids[0];
  const bare = (text) => String(text).toUpperCase().replace(/^1([SDWM])$/, "$1");
  const fits = () => {
    const chart = this.chart();
    const same = resolution === "" || bare(resolution) === bare(chart.resolution());
    return same && (symbol === "" || this.sameSymbol(symbol, chart.symbol()));
  };
  const named = () => {
    const shown = this.shownLayout();
    return shown === null || !known.includes(shown) ? null : ids.includes(shown);
  };
  const fitted = fits();
  const wasShown = named() === true;
  api.loadChartFromServer(raw);
  const shows = () => fits() && named() !== false;
  let dismissed = false;
  const isLoaded = () => this.unsaved() === false || (dismissed && this.unsaved() === null);
  const isProved = () => shows() && (wasShown ? isLoaded() : named() === true || !fitted);
  const asks = () => this.dialogs().find((one) => one.kind === "unsaved-changes");
  await this.until(() => asks() || (isProved() && !this.loading()), limit);
  const dialog = asks();
  if (dialog) {
    const button = dialog.buttons.find((one) => this.says(one, discard ? "discard" : "cancel"));
    if (button) this.press(button);
    dismissed = Boolean(button) && discard;
    if (!discard) return { asked: dialog.text, dismissed: false, shows: false, proved: false };
    await this.until(() => !asks() && isProved() && !this.loading(), limit);
  }
  return { asked: dialog ? dialog.text : null, dismissed, shows: shows(), proved: isProved() };
}
