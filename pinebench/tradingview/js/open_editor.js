// Open the Pine editor and wait until it can be reached. Until then, the steps of `plan` are taken. Each step has its time in
// milliseconds from the beginning and its action: the page's own widget `bar`, a `button`, the editor's `api`, or `reopen`, which
// closes the panel first. `passed` is the number of milliseconds that earlier calls have used.
async function ({ plan, passed, limit }) {
  const began = performance.now();
  const tried = [];
  const attempt = (holder, name, ...args) => {
    if (holder === null || typeof holder[name] !== "function") return;
    try {
      const done = holder[name](...args);
      if (done && typeof done.catch === "function") done.catch(() => undefined);
      tried.push(name);
    } catch (error) {
      tried.push(name + ": " + String(error).slice(0, 80));
    }
  };
  const steps = {
    bar: () => {
      const bar = this.resolve("bottomWidgetBar");
      // The widget has had two names, and newer builds ignore the call until the widget is made available.
      attempt(bar, "setWidgetAvailability", "scripteditor", true);
      attempt(bar, "showWidget", "pine-editor");
      attempt(bar, "showWidget", "scripteditor");
      attempt(bar, "activateScriptEditorTab");
    },
    button: () => {
      const button = this.all("editorOpener").find((node) => this.visible(node) && this.enabled(node));
      if (!button) return;
      this.press(button);
      tried.push("button " + (this.labels(button)[0] || ""));
    },
    api: () => {
      const api = this.resolve("pineEditorApi");
      if (api !== null) attempt(api(), "openEditor");
    },
    reopen: () => {
      const bar = this.resolve("bottomWidgetBar");
      const way = ["hideWidget", "close", "hide"].find((name) => bar !== null && typeof bar[name] === "function");
      if (way) attempt(bar, way, "scripteditor");
      steps.bar();
    },
  };
  const due = plan.filter(([at]) => at >= passed);
  const found = await this.until(() => {
    if (this.pick() !== null) return true;
    const now = passed + performance.now() - began;
    while (due.length > 0 && due[0][0] <= now) steps[due.shift()[1]]();
    return false;
  }, limit);
  return { found: found === true, passed: passed + performance.now() - began, tried };
}
