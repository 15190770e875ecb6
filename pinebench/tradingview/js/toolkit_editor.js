// The part of the toolkit (`this`) for the Pine editor: finding it, who wrote its text, and its markers.
function () {
  const toolkit = this;
  let written = null;

  // -- finding it -----------------------------------------------------------------------------------------------------

  const FIBER = ["__reactFiber$", "__reactInternalInstance$"];
  const PARENTS = 30;
  const STEPS = 60;

  const usable = (env) => {
    try {
      return Boolean(env && env.editor && typeof env.editor.getEditors === "function" && env.editor.getEditors().length > 0);
    } catch {
      return false;
    }
  };

  // Monaco's namespace, or the editor itself, if the props of a component hold one of them; else null.
  const offered = (props) => {
    if (!props || typeof props !== "object") return null;
    const value = props.value && typeof props.value === "object" ? props.value : {};
    if (usable(value.monacoEnv)) return { strategy: "value.monacoEnv", env: value.monacoEnv };
    if (usable(props.monacoEnv)) return { strategy: "monacoEnv", env: props.monacoEnv };
    for (const holder of [value, props]) {
      const editor = holder._editorRef && holder._editorRef.current;
      if (editor && typeof editor.getModel === "function") {
        const setScript = typeof holder.setScript === "function" ? holder.setScript.bind(holder) : null;
        return { strategy: "_editorRef", editor, setScript };
      }
    }
    return null;
  };

  const propsOf = (fiber) => {
    const read = [];
    for (const name of ["memoizedProps", "pendingProps", "props"]) {
      try {
        if (fiber[name]) read.push(fiber[name]);
      } catch {
        continue;
      }
    }
    return read;
  };

  // Walk up from one container and follow every fiber on the way. Return all finds of the first fiber that has any.
  const climb = (container) => {
    let node = container;
    for (let parents = 0; node && parents <= PARENTS; parents += 1, node = node.parentElement) {
      const keys = Object.getOwnPropertyNames(node).filter((name) => FIBER.some((prefix) => name.startsWith(prefix)));
      for (const key of keys) {
        const finds = [];
        let fiber = node[key];
        for (let steps = 0; fiber && steps <= STEPS; steps += 1, fiber = fiber.return) {
          for (const props of propsOf(fiber)) {
            let find = null;
            try {
              find = offered(props);
            } catch {
              find = null;
            }
            if (find) finds.push({ ...find, parents, steps, key: key.split("$")[0], container });
          }
        }
        if (finds.length > 0) return finds;
      }
    }
    return [];
  };

  const inside = (editor, container) => {
    const node = typeof editor.getDomNode === "function" ? editor.getDomNode() : null;
    return Boolean(node && (node === container || node.contains(container) || container.contains(node)));
  };

  const shown = (editor) => {
    const node = typeof editor.getDomNode === "function" ? editor.getDomNode() : null;
    return node ? toolkit.visible(node) : null;
  };

  const languageOf = (editor) => {
    const model = editor.getModel();
    return String(typeof model.getLanguageId === "function" ? model.getLanguageId() : "");
  };

  // Every editor that can be reached, and how. The best is first: in a visible container, visible itself, focused.
  toolkit.findEditors = () => {
    // Some builds give the Pine editor no class of its own; then an editor counts if its text is Pine's.
    const known = toolkit.all("editor");
    const containers = known.length > 0 ? known : [...document.querySelectorAll(".monaco-editor")].filter(toolkit.visible);
    const isPine = (editor) => known.length > 0 || /pine/i.test(languageOf(editor));
    const finds = containers.flatMap(climb);
    const global = toolkit.resolve("globalMonaco");
    if (usable(global)) finds.push({ strategy: "window.monaco", env: global, parents: 0, steps: 0, key: null, container: null });
    if (finds.length === 0 && typeof window.require === "function" && typeof window.require.defined === "function") {
      if (window.require.defined("vs/editor/editor.main")) {
        const env = window.require("vs/editor/editor.main");
        if (usable(env)) finds.push({ strategy: "amd", env, parents: 0, steps: 0, key: null, container: null });
      }
    }
    const env = (finds.find((find) => find.env) || {}).env || null;
    const found = [];
    for (const find of finds) {
      for (const editor of find.editor ? [find.editor] : find.env.editor.getEditors()) {
        if (typeof editor.getModel !== "function" || !editor.getModel() || !isPine(editor)) continue;
        const home = find.container && inside(editor, find.container) ? find.container : containers.find((c) => inside(editor, c));
        if (home === undefined && containers.length > 0) continue; // an editor of another part of the page
        const visible = shown(editor) === null ? Boolean(find.container && toolkit.visible(find.container)) : shown(editor);
        const focused = typeof editor.hasTextFocus === "function" && editor.hasTextFocus();
        const score = (home && toolkit.visible(home) ? 8 : 0) + (visible ? 4 : 0) + (home === find.container ? 2 : 0) + (focused ? 1 : 0);
        found.push({ ...find, env: find.env || env, editor, visible: visible && (home === undefined || toolkit.visible(home)), score });
      }
    }
    found.sort((a, b) => b.score - a.score);
    const setScript = (found.find((find) => find.setScript && found[0] && find.editor === found[0].editor) || {}).setScript || null;
    if (found[0]) found[0].setScript = setScript;
    return { found, containers };
  };

  // The editor to use, or null; only a visible editor counts.
  toolkit.pick = () => {
    const best = toolkit.findEditors().found[0];
    return best && best.visible ? best : null;
  };

  // The editor that would be used, how it is reached and how deep it is; or the numbers that show why there is none.
  toolkit.describeEditors = () => {
    const { found, containers } = toolkit.findEditors();
    const best = found.find((find) => find.visible) || null;
    const report = {
      containers: containers.length,
      visible_containers: containers.filter((node) => toolkit.visible(node)).length,
      editors: new Set(found.map((find) => find.editor)).size,
      page_api: toolkit.resolve("pineEditorApi") !== null,
      open: best !== null,
    };
    if (best === null) return report;
    const { strategy, key, parents, steps } = best;
    return { ...report, strategy, key, parents, steps, read_only: toolkit.readOnly(best) };
  };

  toolkit.pickOrThrow = () => {
    const best = toolkit.pick();
    if (best === null) throw new Error("EDITOR_MISSING");
    return best;
  };

  // The editor's text, or null if the page does not give it. If the page only throws an error, that error is thrown.
  toolkit.text = (find) => {
    const thrown = [];
    for (const holder of [find.editor.getModel(), find.editor]) {
      try {
        const text = holder.getValue();
        if (typeof text === "string") return text;
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
    return null;
  };

  // A text as Monaco holds it: every line end is one character.
  toolkit.plain = (text) => String(text).replace(/\r\n?/g, "\n");

  // Watch from now on whether the editor still holds `text`, which it holds now. A change of the whole text at once comes from the
  // page; any other change comes from a person.
  toolkit.hold = (find, text) => {
    if (toolkit.held) toolkit.held.stop();
    const model = find.editor.getModel();
    const held = { text: toolkit.plain(text), model, version: null, lost: null, stop: () => undefined };
    const handles = [];
    const listen = (holder, name, react) => {
      if (holder && typeof holder[name] === "function") handles.push(holder[name](react));
    };
    listen(model, "onDidChangeContent", (change) => {
      if (held.lost !== null || toolkit.plain(model.getValue()) === held.text) return;
      held.lost = change && change.isFlush === false ? "person" : "page";
    });
    held.stop = () => handles.forEach((handle) => handle && typeof handle.dispose === "function" && handle.dispose());
    toolkit.held = held;
    return held;
  };

  // The text and the name of the last write; with `now`, remember that write first.
  toolkit.written = (now) => {
    if (now) written = now;
    return written;
  };

  // Remember the state at the beginning of a compile.
  toolkit.begin = (baseline) => {
    toolkit.baseline = baseline;
    return baseline;
  };

  // The author of the editor's text: `ours` if it was the held text all the time since, else `page` or `person`. If the editor was
  // closed, its text still counts.
  toolkit.whose = (find) => {
    const { held } = toolkit;
    if (held === null) return "page";
    if (held.lost !== null) return held.lost;
    try {
      const model = find === null ? held.model : find.editor.getModel();
      const version = typeof model.getVersionId === "function" ? model.getVersionId() : null;
      if (model === held.model && version !== null && version === held.version) return "ours";
      const text = find === null ? model.getValue() : toolkit.text(find);
      if (text === null || toolkit.plain(text) !== held.text) {
        held.lost = "page";
      } else {
        held.version = model === held.model ? version : null;
      }
    } catch {
      return "page";
    }
    return held.lost || "ours";
  };

  // The name of the script that the editor is bound to, as its panel shows it, or null. If the known places do not show a name, a
  // heading or button of the panel counts if its text is exactly one of `names`.
  toolkit.scriptName = (names) => {
    const text = (node) => toolkit.undouble(toolkit.squeeze(node.textContent)).slice(0, 200);
    const area = toolkit.editorArea();
    const labels = toolkit.all("scriptName").filter((node) => toolkit.visible(node) && !toolkit.isElsewhere(node));
    const node = labels.find((one) => area !== null && area.contains(one)) || labels[0];
    if (node) return text(node);
    if (area === null) return null;
    const css = 'button, [role="button"], h1, h2, h3, [class*="title"], [class*="name"]';
    const said = [...area.querySelectorAll(css)]
      .filter((one) => toolkit.visible(one) && !one.closest(".monaco-editor") && !one.closest('[role="dialog"]'))
      .map(text)
      .filter((label) => names.includes(label));
    return new Set(said).size === 1 ? said[0] : null;
  };

  toolkit.readOnly = (find) => {
    try {
      const option = find.env && find.env.editor.EditorOption;
      if (option && typeof find.editor.getOption === "function") return Boolean(find.editor.getOption(option.readOnly));
      return Boolean(typeof find.editor.getRawOptions === "function" && find.editor.getRawOptions().readOnly);
    } catch {
      return false;
    }
  };

  // -- markers --------------------------------------------------------------------------------------------------------

  toolkit.markers = (find) => {
    if (!find.env || typeof find.env.editor.getModelMarkers !== "function") return null;
    return find.env.editor.getModelMarkers({ resource: find.editor.getModel().uri });
  };

  const place = (value, otherwise) => (Number.isInteger(value) && value > 0 ? value : otherwise);

  const SEVERITIES = { 8: "error", 4: "warning", 2: "info", 1: "hint" }; // of Monaco

  toolkit.describeMarker = (marker) => ({
    line: place(marker.startLineNumber, 1),
    column: place(marker.startColumn, 1),
    end_line: place(marker.endLineNumber, place(marker.startLineNumber, 1)),
    end_column: place(marker.endColumn, place(marker.startColumn, 1)),
    message: typeof marker.message === "string" && marker.message !== "" ? marker.message : "the page gives no reason",
    severity: SEVERITIES[marker.severity] || "info",
    code: marker.code && typeof marker.code === "object" ? String(marker.code.value) : marker.code ? String(marker.code) : null,
  });

  const digest = (markers) => JSON.stringify((markers || []).map((m) => [m.startLineNumber, m.startColumn, m.severity, m.message]));

  // From now on, count how often the markers of the editor's text are set, and note when they changed last. The page may replace the
  // model or the editor meanwhile.
  toolkit.watchMarkers = (find) => {
    if (toolkit.watch) toolkit.watch.stop();
    const watch = { events: 0, last: performance.now(), digest: digest(toolkit.markers(find)), stop: () => undefined };
    const editor = find.env && find.env.editor;
    const listens = Boolean(editor && typeof editor.onDidChangeMarkers === "function");
    watch.look = (now) => {
      const fresh = digest(now);
      if (fresh === watch.digest) return;
      watch.digest = fresh;
      watch.last = performance.now();
      if (!listens) watch.events += 1;
    };
    if (listens) {
      const handle = editor.onDidChangeMarkers((uris) => {
        const current = find.editor.getModel() ? find : toolkit.pick();
        if (current === null || !uris.some((changed) => String(changed) === String(current.editor.getModel().uri))) return;
        if (watch.events === 0) watch.last = performance.now();
        watch.events += 1;
        watch.look(toolkit.markers(current));
      });
      watch.stop = () => handle.dispose();
    }
    toolkit.watch = watch;
    return watch;
  };
}
