// The open panels, and the buttons on the screen by their place.
function () {
  const box = (key) => {
    const boxes = this.all(key).map((node) => node.getBoundingClientRect());
    const most = (name) => Math.round(Math.max(0, ...boxes.map((one) => one[name])));
    return { width: most("width"), height: most("height") };
  };
  const shown = (key) => this.all(key).some((node) => this.visible(node));
  const region = (x, y) => {
    if (y < 50) return "top_bar";
    if (y < 90 && x < 650) return "toolbar";
    if (x < 45) return "left_sidebar";
    if (x > 650 && y < 100) return "pine_header";
    return y > window.innerHeight - 80 ? "bottom_bar" : "other";
  };
  const buttons = {};
  const seen = new Set();
  const every = this.buttons(document).filter((node) => this.visible(node));
  for (const node of every) {
    const at = node.getBoundingClientRect();
    const label = (this.labels(node)[0] || node.getAttribute("data-name") || "").slice(0, 60);
    if (at.width < 15 || label === "") continue;
    const place = region(at.x, at.y);
    if (seen.has(place + label)) continue;
    seen.add(place + label);
    const middle = { x: Math.round(at.x + at.width / 2), y: Math.round(at.y + at.height / 2) };
    (buttons[place] ||= []).push({ label, disabled: !this.enabled(node), ...middle });
  }
  const key = {};
  for (const [name, purpose] of [["add_to_chart", "add"], ["update_on_chart", "update"], ["save", "save"]]) {
    const node = every.find((one) => this.says(one, purpose));
    if (node) key[name] = { text: (this.labels(node)[0] || "").slice(0, 60), disabled: !this.enabled(node), visible: true };
  }
  const shownBy = (one) => ({
    symbol: this.words(one.symbol()),
    resolution: this.words(one.resolution()),
    chartType: one.chartType(),
    study_count: one.getAllStudies().length,
  });
  const bottom = box("bottomArea");
  const right = box("rightArea");
  const editor = this.all("editor").filter((node) => this.visible(node))[0];
  const size = editor ? editor.getBoundingClientRect() : null;
  const chart = this.resolve("chartApi");
  const replay = this.resolve("replayApi");
  const asked = (name) => (replay !== null && name in replay ? Boolean(this.unwrap(replay[name].bind(replay))) : null);
  return {
    bottom_panel: { open: bottom.height > 50, height: bottom.height },
    right_panel: { open: right.width > 50, width: right.width },
    pine_editor: { open: size !== null, width: size ? Math.round(size.width) : 0, height: size ? Math.round(size.height) : 0 },
    strategy_tester: { open: shown("strategyTester") },
    widgetbar: { open: shown("widgetBar") },
    buttons,
    key_buttons: key,
    chart: chart === null ? { error: "the page has no chart API" } : shownBy(chart),
    replay: replay === null ? { available: false } : { available: asked("isReplayAvailable"), started: asked("isReplayStarted") },
    dialogs: this.dialogs().map((dialog) => dialog.text),
  };
}
