// The toolkit: the table of paths, and the functions that all page functions need. It is made once for each document, together with
// `toolkit_editor.js`, and every page function gets it as `this`.
function (table) {
  const toolkit = { table, watch: null, baseline: null, held: null, field: null };
  const waits = new Map();
  const identities = new WeakMap();
  let lastIdentity = 0;

  // -- objects --------------------------------------------------------------------------------------------------------

  // The object at the path with the name `key` in the table, or null. Paths are walked step by step, never evaluated as code.
  toolkit.resolve = (key) => {
    let value = window;
    let holder = window;
    try {
      for (const step of table.paths[key].split(".")) {
        const called = step.endsWith("()");
        const name = called ? step.slice(0, -2) : step;
        holder = value;
        value = called ? holder[name]() : holder[name];
        if (value === undefined || value === null) return null;
      }
    } catch {
      return null;
    }
    return typeof value === "function" ? value.bind(holder) : value;
  };

  toolkit.require = (key) => {
    const value = toolkit.resolve(key);
    if (value === null) throw new Error("PATH_MISSING:" + key);
    return value;
  };

  // The plain value of a watched value, of a function's result, or of a plain value.
  toolkit.unwrap = (value) => {
    if (value && typeof value.value === "function") return value.value();
    return typeof value === "function" ? value() : value;
  };

  toolkit.words = (value) => (value === undefined || value === null ? null : String(value));

  // Resolves to the result of `look` as soon as it is neither null nor false, or to null after `limit` milliseconds. Rejects when the
  // caller stops waiting. `look` is called when the page changes, and from time to time for changes that are not in the document. On
  // a big page it is called less often, so that it takes only a part of the time.
  toolkit.until = function (look, limit) {
    const { call } = this;
    return new Promise((resolve, reject) => {
      const end = performance.now() + limit;
      let watching = null;
      let timer = 0;
      let cost = 0;
      let looked = 0;
      const finish = (settle, value) => {
        if (watching) watching.disconnect();
        clearTimeout(timer);
        waits.delete(call);
        settle(value);
      };
      const check = () => {
        const began = performance.now();
        try {
          const found = look();
          if (found !== null && found !== false && found !== undefined) return finish(resolve, found), true;
        } catch (error) {
          return finish(reject, error), true;
        }
        looked = performance.now();
        cost = looked - began;
        if (looked < end) return false;
        return finish(resolve, null), true;
      };
      const tick = () => {
        if (!check()) timer = setTimeout(tick, Math.max(15, 4 * cost));
      };
      if (check()) return;
      waits.set(call, () => finish(reject, new Error("WAIT_ENDED")));
      watching = new MutationObserver(() => {
        if (performance.now() - looked >= 2 * cost) check();
      });
      watching.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      timer = setTimeout(tick, 5);
    });
  };

  // End the wait of the call with this number.
  toolkit.end = (call) => {
    const end = waits.get(call);
    if (end) end();
  };

  // Resolves after the page could run its own tasks once. It does not use a timer, because a hidden tab delays timers.
  toolkit.turn = () =>
    new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        resolve();
      };
      channel.port2.postMessage(0);
    });

  // Resolves to the value of the promise, or to null after `limit` milliseconds.
  toolkit.within = (promise, limit) =>
    Promise.race([Promise.resolve(promise), new Promise((resolve) => setTimeout(() => resolve(null), limit))]);

  // The names of an object's methods, own and inherited, without the methods that every object has.
  toolkit.methods = (object) => {
    const names = new Set();
    for (let level = object; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
      for (const name of Object.getOwnPropertyNames(level)) {
        const property = Object.getOwnPropertyDescriptor(level, name);
        if (name !== "constructor" && property && typeof property.value === "function") names.add(name);
      }
    }
    return [...names].sort().slice(0, 50);
  };

  toolkit.identity = (object) => {
    if (object === null || (typeof object !== "object" && typeof object !== "function")) return String(object);
    if (!identities.has(object)) identities.set(object, (lastIdentity += 1));
    return identities.get(object);
  };

  // -- nodes ----------------------------------------------------------------------------------------------------------

  // To search a big page again for every selector would take long. So the whole document is searched once for each selector. After
  // that only added and changed nodes are searched, and nodes that were found before are tested again. This is correct for selectors
  // that depend only on a node and its ancestors, and the table has only such selectors.
  const MOST_TOUCHED = 1000;
  const ATTRIBUTES = [...new Set(["class", "id", ...Object.values(table.selectors).flat().join(" ").match(/(?<=\[)[\w-]+/g)])];
  const candidates = new Map();
  const touched = new Set();
  let changes = null;

  const note = (records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "attributes") touched.add(target);
      else for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) touched.add(node);
    }
    if (touched.size <= MOST_TOUCHED) return;
    touched.clear();
    candidates.clear();
  };

  const catchUp = () => {
    if (changes === null) {
      changes = new MutationObserver(note);
      changes.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ATTRIBUTES });
    }
    note(changes.takeRecords());
    for (const root of touched) {
      if (!root.isConnected) continue;
      for (const [css, nodes] of candidates) {
        nodes.add(root);
        for (const node of root.querySelectorAll(css)) nodes.add(node);
      }
    }
    touched.clear();
  };

  const inDocument = (css) => {
    if (!candidates.has(css)) candidates.set(css, new Set(document.querySelectorAll(css)));
    const nodes = candidates.get(css);
    for (const node of nodes) if (!node.isConnected || !node.matches(css)) nodes.delete(node);
    const after = (a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1);
    return nodes.size > 1 ? [...nodes].sort(after) : nodes;
  };

  toolkit.all = (key, root = document) => {
    const found = new Set();
    if (root === document) catchUp();
    for (const css of table.selectors[key]) {
      for (const node of root === document ? inDocument(css) : root.querySelectorAll(css)) found.add(node);
    }
    return [...found];
  };

  toolkit.visible = (node) => {
    if (!node.isConnected) return false;
    const box = node.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return false;
    if (typeof node.checkVisibility === "function") return node.checkVisibility({ visibilityProperty: true });
    return node.offsetParent !== null || getComputedStyle(node).position === "fixed";
  };

  toolkit.squeeze = (text) => String(text || "").replace(/\s+/g, " ").trim();

  // Some builds render a label twice, one copy for measuring: "SaveSave" is "Save".
  toolkit.undouble = (text) => {
    const half = text.length / 2;
    if (Number.isInteger(half) && half > 0 && text.slice(0, half) === text.slice(half)) return text.slice(0, half);
    const words = text.split(" ");
    const middle = words.length / 2;
    const first = words.slice(0, middle).join(" ");
    return Number.isInteger(middle) && middle > 0 && first === words.slice(middle).join(" ") ? first : text;
  };

  // All texts that name a button for a person or a screen reader.
  toolkit.labels = (node) => {
    const names = ["aria-label", "title", "data-tooltip"].map((name) => node.getAttribute(name));
    names.push(node.textContent);
    // No label is longer. The text is cut first, so that the patterns do not run long.
    return names.map((text) => toolkit.undouble(toolkit.squeeze(String(text || "").slice(0, 400)))).filter((text) => text !== "");
  };

  // Whether one of the node's labels is a text for `purpose`. A label may end with its shortcut in brackets.
  toolkit.says = (node, purpose) => {
    const words = table.labels[purpose];
    if (!words) return false;
    return toolkit.labels(node).some((label) => words.includes(label.toLowerCase().replace(/ ?[(（][^)）]*[)）]$/, "")));
  };

  toolkit.enabled = (node) => !node.disabled && node.getAttribute("aria-disabled") !== "true";

  // Some of the page's controls act on pointer events and ignore a bare click().
  toolkit.press = (node) => {
    const box = node.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, composed: true, view: window, button: 0, detail: 1 };
    at.clientX = box.x + box.width / 2;
    at.clientY = box.y + box.height / 2;
    const pointer = { ...at, pointerId: 1, pointerType: "mouse", isPrimary: true };
    node.dispatchEvent(new PointerEvent("pointerover", pointer));
    node.dispatchEvent(new PointerEvent("pointerenter", { ...pointer, bubbles: false }));
    node.dispatchEvent(new MouseEvent("mouseover", at));
    node.dispatchEvent(new MouseEvent("mousemove", at));
    node.dispatchEvent(new PointerEvent("pointerdown", { ...pointer, buttons: 1 }));
    node.dispatchEvent(new MouseEvent("mousedown", { ...at, buttons: 1 }));
    node.dispatchEvent(new PointerEvent("pointerup", pointer));
    node.dispatchEvent(new MouseEvent("mouseup", at));
    node.click();
  };

  toolkit.buttons = (root) => [...root.querySelectorAll('button, [role="button"]')];

  // The button that compiles, and how it was recognised: by its words, or by its place if the table does not have the language.
  // `disabled` says that there is such a button, but it cannot be pressed now.
  toolkit.compileButton = () => {
    const area = toolkit.editorArea();
    const wanted = (node) => toolkit.says(node, "update") || toolkit.says(node, "add");
    const inArea = toolkit.buttons(area).filter(wanted);
    const free = (node) => wanted(node) && !node.closest('[role="dialog"]');
    const anywhere = inArea.length > 0 ? inArea : toolkit.buttons(document).filter(free);
    const button = anywhere.find((node) => toolkit.visible(node) && toolkit.enabled(node));
    if (button) return { button, via: "button", disabled: false };
    if (anywhere.some((node) => toolkit.visible(node))) return { button: null, via: null, disabled: true };
    // The button without a text right before Save is the one that adds or updates.
    const shown = toolkit.buttons(area).filter((node) => toolkit.visible(node));
    const save = shown.findIndex((node) => toolkit.says(node, "save") || /(^|\s)saveButton/.test(String(node.className)));
    const before = save > 0 ? shown[save - 1] : null;
    const fits = before && /(^|\s)noContent/.test(String(before.className)) && toolkit.enabled(before) && !toolkit.says(before, "save");
    return { button: fits ? before : null, via: fits ? "position" : null, disabled: false };
  };

  // The innermost visible panel around the Pine editor, else the whole document.
  toolkit.editorArea = () => toolkit.all("editorArea").filter(toolkit.visible)[0] || document.body;

  // -- dialogs --------------------------------------------------------------------------------------------------------

  // A text as lower-case words between spaces, so that "log in" is found in "Log in!", but not in "dialog inputs".
  const words = (text) => " " + (String(text || "").slice(0, 2000).toLowerCase().match(/[\p{L}\p{N}'’]+/gu) || []).join(" ") + " ";
  const holds = (fields, phrases) => phrases.some((phrase) => fields.some((field) => field.includes(words(phrase))));

  // The texts in a node, separated by spaces, so that the labels of two neighbouring buttons do not become one word.
  const pieces = (node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    while (found.length < 300 && walker.nextNode()) found.push(walker.currentNode.data);
    return found.join(" ");
  };

  const kindOf = (node, buttons) => {
    const marked = [node, ...node.querySelectorAll('[data-name]:not(button):not(input):not(a):not([role="button"])')].slice(0, 50);
    const names = marked.flatMap((one) => ["data-name", "data-dialog-name"].map((name) => words(one.getAttribute(name))));
    const said = [words(node.getAttribute("aria-label")), words(pieces(node))];
    const fits = ({ names: known, words: phrases, offers }) =>
      holds(names, known) || holds(said, phrases) || (offers !== null && buttons.some((button) => toolkit.says(button, offers)));
    return Object.keys(table.dialogs).find((key) => fits(table.dialogs[key])) || "unknown";
  };

  toolkit.dialogs = () => {
    const shown = toolkit.all("dialog").filter((node) => toolkit.visible(node) && !node.querySelector(".monaco-editor"));
    const outermost = shown.filter((node) => !shown.some((other) => other !== node && other.contains(node)));
    return outermost.map((node) => {
      const text = toolkit.squeeze(node.innerText || node.textContent);
      const buttons = toolkit.buttons(node).filter(toolkit.visible);
      return { node, id: toolkit.identity(node), kind: kindOf(node, buttons), text: text.slice(0, 200), buttons };
    });
  };

  // Keep `node` for later calls if it is an input field, else null.
  toolkit.keepField = (node) => (toolkit.field = node instanceof HTMLInputElement ? node : null);

  toolkit.describeDialog = (dialog) => ({
    id: dialog.id,
    kind: dialog.kind,
    text: dialog.text,
    buttons: dialog.buttons.slice(0, 8).map((button) => (toolkit.labels(button)[0] || "").slice(0, 40)),
  });

  // -- studies --------------------------------------------------------------------------------------------------------

  toolkit.dataSources = () => {
    try {
      return toolkit.resolve("strategyStudy") || [];
    } catch {
      return [];
    }
  };

  toolkit.studyList = (chart) =>
    typeof chart.getAllStudies === "function"
      ? chart.getAllStudies().map((study) => ({ id: String(study.id), name: String(study.name || study.title || "") }))
      : [];

  // -- chart ----------------------------------------------------------------------------------------------------------

  toolkit.chart = () => toolkit.require("chartApi");

  toolkit.study = (id) => {
    const study = toolkit.chart().getStudyById(id);
    if (!study) throw new Error("NO_STUDY:" + id);
    return study;
  };

  // Whether two symbols are the same. Upper and lower case are the same, and an exchange that one of them leaves out is ignored.
  toolkit.sameSymbol = (wanted, found) => {
    const parts = [wanted, found].map((text) => String(text || "").trim().toUpperCase().split(":"));
    const [one, other] = parts.map((pair) => pair[pair.length - 1]);
    const borrowed = ["BATS", "CBOE", "CBOE_DLY"];
    const prefixes = parts.map((pair) => (pair.length > 1 ? pair.slice(0, -1).join(":") : ""));
    if (one === "" || one !== other) return false;
    return prefixes.includes("") || prefixes[0] === prefixes[1] || borrowed.includes(prefixes[1]);
  };

  // A text that differs whenever the chart's bars differ.
  toolkit.barsMark = () => {
    const bars = toolkit.resolve("mainSeriesBars");
    const chart = toolkit.chart();
    const last = bars === null ? null : bars.lastIndex();
    const first = bars === null ? null : bars.firstIndex();
    const ends = last === null || first === null ? [] : [bars.valueAt(first), bars.valueAt(last)];
    return JSON.stringify([chart.symbol(), chart.resolution(), first, last, ends]);
  };

  toolkit.spacing = () => {
    const bars = toolkit.resolve("mainSeriesBars");
    const times = toolkit.lastBars(bars, 30).map((bar) => bar[0]);
    const gaps = times.slice(1).map((time, i) => time - times[i]).filter((gap) => gap > 0);
    return gaps.length === 0 ? null : Math.min(...gaps);
  };

  toolkit.lastBars = (bars, count) => {
    const found = [];
    const last = bars === null ? null : bars.lastIndex();
    if (last === null || last === undefined) return found;
    const first = bars.firstIndex();
    for (let index = last; index >= first && found.length < count; index -= 1) {
      const bar = bars.valueAt(index);
      if (bar) found.push(bar);
    }
    return found.reverse();
  };

  // The id of the study in whose pane a drawing is; an empty text for a drawing on the prices, and if the page does not tell.
  toolkit.paneOfShape = (id) => {
    const shape = toolkit.chart().getShapeById(id);
    const owner = shape && typeof shape.ownerStudyId === "function" ? shape.ownerStudyId() : null;
    return typeof owner === "string" ? owner : "";
  };

  toolkit.shapeDetails = (id) => {
    const listed = toolkit.chart().getAllShapes().find((one) => String(one.id) === id) || {};
    const shape = toolkit.chart().getShapeById(id);
    const number = (value) => (Number.isFinite(value) ? value : null);
    const points = shape && typeof shape.getPoints === "function" ? shape.getPoints() : [];
    return { name: String(listed.name || ""), points: points.map((one) => ({ time: number(one.time), price: number(one.price) })) };
  };

  // The state of the replay. Some values of the page are wrapped, some are not; the date is in milliseconds.
  toolkit.replayState = () => {
    const replay = toolkit.require("replayApi");
    const ask = (name) => (typeof replay[name] === "function" ? toolkit.unwrap(replay[name]()) : toolkit.unwrap(replay[name]));
    const date = Number(ask("currentDate"));
    const given = ask("currentDate") === null || ask("currentDate") === undefined || !Number.isFinite(date);
    const number = (value) => (Number.isFinite(value) ? value : null);
    return {
      available: Boolean(ask("isReplayAvailable")),
      started: Boolean(ask("isReplayStarted")),
      autoplay: Boolean(ask("isAutoplayStarted")),
      mode: toolkit.words(ask("replayMode")),
      date: given ? null : date < 1e11 ? date * 1000 : date,
      delay: number(ask("autoplayDelay")),
      position: number(ask("position")),
      realized: number(ask("realizedPL")),
    };
  };

  toolkit.loading = () => toolkit.all("spinner").some((node) => toolkit.visible(node));

  // One token for each study. It changes when the page replaces the study by a newly compiled one. The token of a script begins with
  // "script".
  toolkit.studies = () => {
    const tokens = {};
    const chart = toolkit.resolve("chartApi");
    if (chart === null || typeof chart.getAllStudies !== "function") return tokens;
    for (const study of chart.getAllStudies()) tokens[String(study.id)] = String(study.name || study.title || "");
    const sources = toolkit.dataSources();
    // If a page makes new objects for each look, their identity has no meaning.
    const lasting = new Set(toolkit.dataSources());
    for (const source of sources) {
      try {
        if (typeof source.metaInfo !== "function") continue;
        const id = String(typeof source.id === "function" ? source.id() : source.id);
        if (!(id in tokens)) continue;
        const meta = source.metaInfo();
        const stable = meta === source.metaInfo() ? toolkit.identity(meta) : "";
        const pine = meta.pine || {};
        const script = meta.isTVScript || meta.isTVScriptStrategy || meta.pine || /Script\$/.test(String(meta.id));
        const same = lasting.has(source) ? toolkit.identity(source) : "";
        const parts = [meta.description, meta.id, pine.version, pine.digest, same, stable];
        tokens[id] = [script ? "script" : "built in", ...parts].join("|");
      } catch {
        continue;
      }
    }
    return tokens;
  };

  // -- studies --------------------------------------------------------------------------------------------------------

  toolkit.sourceOf = (id) => {
    const own = (source) => String(typeof source.id === "function" ? source.id() : source.id) === String(id);
    return toolkit.dataSources().find((source) => own(source)) || null;
  };

  // The state of a study's computation: "loading", "failed" or "done"; null if the page does not tell.
  toolkit.stands = (source) => {
    if (!source) return null;
    if (typeof source.isFailed === "function" && source.isFailed()) return "failed";
    if (typeof source.isLoading === "function") return source.isLoading() ? "loading" : "done";
    if (typeof source.dataWindowView !== "function") return null;
    const values = source.dataWindowView().items().map((item) => String(item._value === undefined ? "" : item._value));
    return values.length === 0 ? null : values.every((text) => text === "" || text === "∅") ? "loading" : "done";
  };

  // Resolves as soon as no study says that it is computing.
  toolkit.computed = function (limit) {
    const busy = (source) => {
      try {
        return typeof source.isLoading === "function" && Boolean(source.isLoading());
      } catch {
        return false;
      }
    };
    return this.until(() => !toolkit.dataSources().some(busy), limit);
  };

  // Starts to listen whether a study computes. The returned function waits until the study has computed since then, and resolves to
  // its state.
  toolkit.computing = function (id) {
    const until = this.until.bind(this);
    let told = false;
    let began = false;
    const values = () => {
      const source = toolkit.sourceOf(id);
      if (!source || typeof source.dataWindowView !== "function") return "";
      return JSON.stringify(source.dataWindowView().items().map((item) => String(item._value)));
    };
    const before = values();
    const study = toolkit.chart().getStudyById(id);
    const listener = () => (told = true);
    const event = study && typeof study.onDataLoaded === "function" ? study.onDataLoaded() : null;
    if (event) event.subscribe(null, listener);
    return async (limit) => {
      const since = performance.now();
      const done = () => {
        const source = toolkit.sourceOf(id);
        const state = toolkit.stands(source);
        if (state === "loading") began = true;
        // If the page reports when it computes, and it has not begun, then it has nothing to compute, for example after a new colour.
        const idle = source && typeof source.isLoading === "function" && performance.now() - since > 1000;
        return state !== "loading" && (told || began || idle || values() !== before) ? { state } : null;
      };
      const found = await until(done, limit);
      if (event && typeof event.unsubscribe === "function") event.unsubscribe(null, listener);
      return found === null ? null : found.state;
    };
  };

  // -- console --------------------------------------------------------------------------------------------------------

  toolkit.consoleRows = () => {
    const areas = [...toolkit.all("editorArea"), ...toolkit.all("bottomArea")];
    const rows = toolkit.all("consoleRow").filter((row) => !row.closest('[role="dialog"]') && !row.closest(".monaco-editor"));
    const ours = rows.filter((row) => areas.length === 0 || areas.some((area) => area.contains(row)));
    return ours.filter((row) => !ours.some((other) => other !== row && row.contains(other)));
  };

  toolkit.describeRow = (row) => {
    const text = toolkit.squeeze(row.textContent);
    const time = /^(\d{4}-\d\d-\d\d )?\d{1,2}:\d\d(:\d\d)?( [AP]M)?/.exec(text);
    const message = text.slice(time ? time[0].length : 0).trim();
    const look = String(row.className).toLowerCase() + " " + message.slice(0, 30).toLowerCase();
    let type = "info";
    if (look.includes("error") || /fail/.test(look)) type = "error";
    else if (message.slice(0, 40).toLowerCase().includes("compil")) type = "compile";
    else if (look.includes("warn")) type = "warning";
    return { timestamp: time ? time[0] : null, type, message: message.slice(0, 500) };
  };

  // -- services -------------------------------------------------------------------------------------------------------

  // One request with the page's own log-in and a time limit. A studio answers requests to TradingView's services itself.
  toolkit.request = async (service, path, options, limit) => {
    // A request to www.tradingview.com goes to the page's own host, which may be the host for another language.
    const address = new URL(table.services[service]);
    const own = table.studio || address.host === "www.tradingview.com";
    const base = own ? location.origin + address.pathname.replace(/\/$/, "") : table.services[service];
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), limit);
    try {
      const answer = await fetch(base + path, { credentials: "include", ...options, signal: abort.signal });
      const text = await answer.text();
      let data = null;
      try {
        data = JSON.parse(text);
      } catch {
        data = null;
      }
      return { status: answer.status, data, text: data === null ? text.slice(0, 200) : "" };
    } catch (error) {
      return { status: 0, data: null, text: abort.signal.aborted ? "no answer in time" : String(error).slice(0, 200) };
    } finally {
      clearTimeout(timer);
    }
  };

  return toolkit;
}
