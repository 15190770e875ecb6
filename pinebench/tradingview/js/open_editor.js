// Take one step to open the Pine editor: `bar` (the page's own widget bar), `button`, `api`, or `reopen` (close it first).
function ({ step }) {
  const bar = this.resolve("bottomWidgetBar");
  const done = [];
  const attempt = (name, ...args) => {
    if (bar === null || typeof bar[name] !== "function") return;
    try {
      bar[name](...args);
      done.push(name);
    } catch (error) {
      done.push(name + ": " + String(error).slice(0, 80));
    }
  };
  if (step === "reopen") {
    for (const name of ["hideWidget", "close", "hide"]) {
      if (bar !== null && typeof bar[name] === "function") {
        attempt(name, "scripteditor");
        break;
      }
    }
  }
  if (step === "bar" || step === "reopen") {
    // The widget has had two names, and newer builds ignore the call until it is made available.
    attempt("setWidgetAvailability", "scripteditor", true);
    attempt("showWidget", "pine-editor");
    attempt("showWidget", "scripteditor");
    attempt("activateScriptEditorTab");
  }
  if (step === "button") {
    const button = this.all("editorOpener").find((node) => this.visible(node) && this.enabled(node));
    if (button) {
      this.press(button);
      done.push("button " + (this.labels(button)[0] || ""));
    }
  }
  if (step === "api") {
    const api = this.resolve("pineEditorApi");
    if (api !== null && typeof api().openEditor === "function") {
      Promise.resolve(api().openEditor()).catch(() => undefined);
      done.push("openEditor");
    }
  }
  return done;
}
