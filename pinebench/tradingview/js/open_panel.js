// Open or close a panel; return whether it was open, and whether it is open now.
async function ({ panel, action, limit }) {
  const shown = (key) => this.all(key).some((node) => this.visible(node));
  const bar = this.resolve("bottomWidgetBar");
  const sides = { watchlist: "watchlistButton", alerts: "alertsButton", trading: "tradingButton" };
  const button = () => (sides[panel] ? this.all(sides[panel]).find((node) => this.visible(node)) : null);
  const pressed = (node) => node.getAttribute("aria-pressed") === "true" || /(^|\s)(isActive|active|Active)/.test(String(node.className));
  const isOpen = () => {
    if (panel === "pine-editor") return this.pick() !== null;
    if (panel === "strategy-tester") return shown("strategyTester");
    const node = button();
    return node ? pressed(node) : false;
  };
  const was = isOpen();
  const wanted = action === "toggle" ? !was : action === "open";
  if (was === wanted) return { available: true, was, open: was, performed: was ? "already_open" : "already_closed" };
  let available = true;
  if (sides[panel]) {
    const node = button();
    if (node) this.press(node);
    else available = false;
  } else if (bar === null) available = false;
  else if (!wanted) {
    const name = panel === "pine-editor" ? "pine-editor" : "backtesting";
    if (typeof bar.hideWidget === "function") bar.hideWidget(name);
    await this.until(() => !isOpen(), 100);
    for (const way of ["close", "hide"]) if (isOpen() && typeof bar[way] === "function") bar[way]();
  } else if (panel === "pine-editor") {
    if (typeof bar.setWidgetAvailability === "function") bar.setWidgetAvailability("scripteditor", true);
    for (const name of ["pine-editor", "scripteditor"]) if (typeof bar.showWidget === "function") bar.showWidget(name);
    if (typeof bar.activateScriptEditorTab === "function") bar.activateScriptEditorTab();
  } else if (typeof bar.showWidget === "function") bar.showWidget("backtesting");
  await this.until(() => isOpen() === wanted, limit);
  const open = isOpen();
  return { available, was, open, performed: open === wanted ? (open ? "opened" : "closed") : "none" };
}
