// The toolkit: the table of paths, and the functions that all page functions need. It is made once for each document, together with
// `toolkit_editor.js`, and every page function gets it as `this`.
function (table) {
  const toolkit = { table, watch: null, baseline: null, held: null, field: null, backtests: null };
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

  // The id of a study or a drawing that the page has made, or null if the page did not name it.
  toolkit.entityId = (id) => (typeof id === "string" || typeof id === "number" ? String(id) : null);

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

  // The decimal separator in `texts` that the page wrote, "." or ","; null if it is not clear and the page's language is
  // not English. It follows from numbers with both signs, with one sign twice, or with other than three digits after the sign.
  toolkit.decimalMark = (texts) => {
    const votes = { ".": 0, ",": 0 };
    for (const text of texts) {
      for (const digits of String(text || "").match(/\d[\d.,]*\d/g) || []) {
        const signs = digits.replace(/\d/g, "");
        const last = signs.slice(-1);
        if (signs === "") continue;
        if (signs.includes(".") && signs.includes(",")) votes[last] += 1;
        else if (signs.length > 1) votes[last === "." ? "," : "."] += 1;
        else if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) votes[last] += 1;
      }
    }
    if (votes["."] !== votes[","]) return votes["."] > votes[","] ? "." : ",";
    return votes["."] === 0 && /^(en|$)/i.test(document.documentElement.lang || "") ? "." : null;
  };

  // The number that `text` is, with its unit K, M or B, or null. `mark` is the decimal separator; without it, a text that
  // can be read in two ways is no number.
  toolkit.numberIn = (text, mark = toolkit.decimalMark([text])) => {
    const plain = toolkit.squeeze(text).replace(/[−–]/g, "-").replace(/[\s'’]/g, "");
    const [, sign, digits, unit] = /^[^\p{L}\p{N}.,+-]*([+-]?)([\d.,]*\d)([KMB]?)[^\p{L}\p{N}]*$/iu.exec(plain) || [];
    if (digits === undefined || (mark === null && /[.,]/.test(digits))) return null;
    const value = Number(digits.replaceAll(mark === "," ? "." : ",", "").replace(",", "."));
    const unitValue = { K: 1e3, M: 1e6, B: 1e9 }[unit.toUpperCase()] || 1;
    return Number.isFinite(value) ? (sign === "-" ? -1 : 1) * value * unitValue : null;
  };

  // All texts that name a button for a person or a screen reader.
  toolkit.labels = (node) => {
    const names = ["aria-label", "title", "data-tooltip"].map((name) => node.getAttribute(name));
    names.push(node.textContent);
    // No label is longer. The text is cut first, so that the patterns stay fast.
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
    const own = area === null ? [] : toolkit.buttons(area);
    const wanted = (node) => toolkit.says(node, "update") || toolkit.says(node, "add");
    const inArea = own.filter(wanted);
    const free = (node) => wanted(node) && !node.closest('[role="dialog"]') && !toolkit.isElsewhere(node);
    const anywhere = inArea.length > 0 ? inArea : toolkit.buttons(document).filter(free);
    const button = anywhere.find((node) => toolkit.visible(node) && toolkit.enabled(node));
    if (button) return { button, via: "button", disabled: false };
    if (anywhere.some((node) => toolkit.visible(node))) return { button: null, via: null, disabled: true };
    // The button without a text right before Save is the one that adds or updates.
    const shown = own.filter((node) => toolkit.visible(node));
    const save = shown.findIndex((node) => toolkit.says(node, "save") || /(^|\s)saveButton/.test(String(node.className)));
    const before = save > 0 ? shown[save - 1] : null;
    const fits = before && /(^|\s)noContent/.test(String(before.className)) && toolkit.enabled(before) && !toolkit.says(before, "save");
    return { button: fits ? before : null, via: fits ? "position" : null, disabled: false };
  };

  // The visible panel around the Pine editor that is used, or null. A page may show several panels, each with an editor of its own.
  toolkit.editorArea = () => {
    const areas = toolkit.all("editorArea").filter((node) => toolkit.visible(node) && !node.closest(".monaco-editor"));
    return areas.find((area) => toolkit.isAround(area)) || areas.find((area) => !toolkit.isElsewhere(area)) || null;
  };

  // Whether a node holds the Pine editor that is used.
  toolkit.isAround = (node) => {
    const best = toolkit.pick();
    const home = best && typeof best.editor.getDomNode === "function" ? best.editor.getDomNode() : null;
    return Boolean(home) && node.contains(home);
  };

  // Whether a node belongs to a panel around another Pine editor than the one that is used.
  toolkit.isElsewhere = (node) => {
    const panels = toolkit.all("editorArea").filter((area) => !area.closest(".monaco-editor") && area.contains(node));
    return toolkit.pick() !== null && panels.some((area) => area.querySelector(".monaco-editor")) && !panels.some(toolkit.isAround);
  };

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

  // The data sources of the chart. Newer builds keep those of strategies apart from the others.
  toolkit.dataSources = () => {
    const lists = [];
    try {
      lists.push(toolkit.resolve("strategyStudy"));
      const widget = toolkit.chart()._chartWidget;
      const model = widget.model();
      const inner = typeof model.model === "function" ? model.model() : model;
      if (typeof inner.strategySources === "function") lists.push(toolkit.peek(inner, "strategySources"));
      if (typeof inner.activeStrategySource === "function") lists.push([toolkit.peek(inner, "activeStrategySource")]);
    } catch {
      // An older page has only its data sources.
    }
    const all = lists.flatMap((list) => (Array.isArray(list) ? list : []));
    return [...new Set(all.filter((source) => source !== null && typeof source === "object"))];
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

  // -- evidence -------------------------------------------------------------------------------------------------------
  // A number counts only with evidence that does not repeat the question: a chart names another symbol or timeframe
  // before it has the bars. So the bars and the series' own description of its symbol are compared, not the name.

  toolkit.series = () => {
    const widget = toolkit.chart()._chartWidget;
    const model = widget && typeof widget.model === "function" ? widget.model() : null;
    return model && typeof model.mainSeries === "function" ? model.mainSeries() : null;
  };

  toolkit.seriesNames = () => toolkit.namesOf(toolkit.series());

  // The names under which a series has loaded its symbol; null if it has loaded none, undefined if the page does not tell.
  toolkit.namesOf = (series) => {
    const own = series && typeof series.symbolInfo === "function";
    if (!own && series !== toolkit.series()) return undefined;
    const [holder, ask] = own ? [series, "symbolInfo"] : [toolkit.chart(), "symbolExt"];
    if (typeof holder[ask] !== "function") return undefined;
    const info = holder[ask]();
    if (!info) return null;
    const text = (name) => (typeof info[name] === "string" ? info[name] : "");
    const whole = [text("full_name"), text("pro_name")].filter((name) => name.includes(":"));
    const names = whole.length > 0 ? whole : [text("full_name"), text("pro_name"), text("name"), text("symbol")];
    const known = names.filter((name) => name !== "");
    return known.length > 0 ? known : undefined;
  };

  // Whether the series has loaded `symbol`: null if it has loaded nothing yet. A computed symbol has no name to compare.
  toolkit.hasLoaded = (symbol, names = toolkit.seriesNames()) => {
    if (names === null) return null;
    if (names === undefined || /[-+*/{]|\s/.test(symbol.split(":").pop())) return true;
    return names.some((name) => toolkit.sameSymbol(symbol, name) || toolkit.sameSymbol(name, symbol));
  };

  // The last bars, by which the bars of two symbols or of two moments are compared.
  toolkit.sample = () => toolkit.lastBars(toolkit.resolve("mainSeriesBars"), 40).map((bar) => [...bar].slice(0, 6));

  // Whether two samples are of the same bars. The newest bar of a sample may still have changed.
  toolkit.sameBars = (one, other) => {
    const closed = (rows) => (rows.length > 1 ? rows.slice(0, -1) : rows);
    const known = new Map(closed(other).map((row) => [row[0], row.join()]));
    const shared = closed(one).filter((row) => known.has(row[0]));
    return shared.length > 0 && shared.every((row) => known.get(row[0]) === row.join());
  };

  // The smallest and largest number of seconds between neighbouring bars of a timeframe; null for ranges and ticks.
  toolkit.spacingLimits = (resolution) => {
    const [, digits, unit] = /^(\d*)([SDWM]?)$/.exec(String(resolution).toUpperCase().trim()) || [];
    if (digits === undefined || (digits === "" && unit === "")) return null;
    const count = Number(digits || 1);
    const day = 86400;
    if (unit === "") return [count * 60, count * 60];
    if (unit === "S") return [count, count];
    if (unit === "M") return [count * 28 * day - 7200, count * 31 * day + 7200];
    const days = count * (unit === "W" ? 7 : 1);
    return [days * day - 7200, days * day + 7200];
  };

  const gapsOf = (rows) => rows.slice(1).map((row, i) => row[0] - rows[i][0]).filter((gap) => gap > 0);

  // Whether the smallest distance between the bars is exactly that of the timeframe, as it is on most charts.
  toolkit.hasSpacing = (resolution, rows) => {
    const limits = toolkit.spacingLimits(resolution);
    const least = Math.min(...gapsOf(rows));
    return limits === null || !Number.isFinite(least) || (least >= limits[0] && least <= limits[1]);
  };

  // Whether the distances between the bars can be those of the timeframe. Pauses at noon, short sessions and symbols that are
  // seldom traded give other distances, so only a distance that most bars have, and that is far from the timeframe, is against it.
  toolkit.fitsTimeframe = (resolution, rows) => {
    const limits = toolkit.spacingLimits(resolution);
    const gaps = gapsOf(rows).sort((one, other) => one - other);
    if (limits === null || gaps.length === 0 || toolkit.hasSpacing(resolution, rows)) return true;
    const middle = gaps[Math.floor(gaps.length / 2)];
    if (gaps.filter((gap) => Math.abs(gap - middle) <= middle * 0.2).length < gaps.length * 0.6) return true;
    const isDaily = limits[0] >= 180 * 60 && middle <= 26 * 3600; // one bar in each session
    return middle >= limits[0] * 0.6 && (middle <= limits[1] * 2.5 || isDaily);
  };

  // The symbol and the last bars at the moment when the bars were last proved to belong to the symbol.
  let proved = null;

  // The reason why it is not certain that the chart's bars belong to its symbol and timeframe, or null.
  toolkit.doubt = () => {
    const chart = toolkit.chart();
    const symbol = String(chart.symbol());
    const bars = toolkit.resolve("mainSeriesBars");
    // Nothing can change between two looks in one call, unless the page gives other bars at every look.
    if (bars !== null && bars.lastIndex() !== bars.lastIndex()) return { kind: "restless", of: null };
    const rows = toolkit.sample();
    if (rows.length === 0) return null; // whoever reads finds no bars
    const loaded = toolkit.hasLoaded(symbol);
    if (loaded === null) return { kind: "loading", of: proved && toolkit.sameBars(proved.rows, rows) ? proved.symbol : null };
    if (!loaded) return { kind: "symbol", of: toolkit.seriesNames()[0] };
    const same = proved !== null && (toolkit.sameSymbol(symbol, proved.symbol) || toolkit.sameSymbol(proved.symbol, symbol));
    if (proved !== null && !same && toolkit.sameBars(proved.rows, rows)) return { kind: "symbol", of: proved.symbol };
    if (!toolkit.fitsTimeframe(chart.resolution(), rows)) return { kind: "timeframe", of: null };
    proved = { symbol, rows };
    return null;
  };

  // The symbol to which the present bars were proved to belong, or null.
  toolkit.provedSymbol = () => (proved !== null && toolkit.sameBars(proved.rows, toolkit.sample()) ? proved.symbol : null);

  // The dialogs that say that the page's prices may have stopped.
  toolkit.interruptions = () => {
    const told = toolkit.dialogs().filter(({ kind }) => kind === "session-disconnected" || kind === "sign-in");
    return told.map(({ kind, text }) => ({ kind, text }));
  };

  // The evidence for the numbers that are read in the same call: the chart's symbol, timeframe and type, the doubt about its
  // bars, the dialogs that stop prices, the date of a replay in milliseconds, and the age of the last bar in seconds.
  toolkit.evidence = () => {
    const chart = toolkit.chart();
    const last = toolkit.lastBars(toolkit.resolve("mainSeriesBars"), 1)[0] || null;
    const replay = toolkit.resolve("replayApi") === null ? { started: false, date: null } : toolkit.replayState();
    return {
      symbol: toolkit.words(chart.symbol()),
      resolution: toolkit.words(chart.resolution()),
      chart_type: toolkit.peek(chart, "chartType"),
      doubt: toolkit.doubt(),
      interruptions: toolkit.interruptions(),
      replay: replay.started,
      replay_date: replay.started ? replay.date : null,
      age: last === null ? null : Date.now() / 1000 - last[0],
      spacing: toolkit.spacing(),
    };
  };

  // The evidence for numbers that do not belong to the chart's symbol, such as those of the watchlist.
  toolkit.pageEvidence = () => {
    const none = { symbol: null, resolution: null, chart_type: null, doubt: null, age: null, spacing: null };
    return { ...none, replay: false, replay_date: null, interruptions: toolkit.interruptions() };
  };

  // A text that differs whenever the chart's bars differ.
  toolkit.barsMark = () => {
    const bars = toolkit.resolve("mainSeriesBars");
    const last = bars === null ? null : bars.lastIndex();
    const first = bars === null ? null : bars.firstIndex();
    const ends = last === null || first === null ? [] : [bars.valueAt(first), bars.valueAt(last)];
    return JSON.stringify([first, last, ends]);
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

  // The id of the layout that the chart itself shows, or null; the page's address may name another one.
  toolkit.shownLayout = () => {
    const api = window.TradingViewApi || {};
    const service = toolkit.peek(api, "getSaveChartService");
    const id = (service && toolkit.peek(service, "layoutId")) || toolkit.peek(api, "layoutId");
    return id ? String(id) : null;
  };

  // Whether the shown layout has unsaved changes; null if the page does not tell.
  toolkit.unsaved = () => {
    const service = toolkit.peek(window.TradingViewApi || {}, "getSaveChartService");
    const changed = service ? toolkit.peek(service, "hasChanges") : null;
    return typeof changed === "boolean" ? changed : null;
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

  // The values of a study's plots at the chart's last bar by title, from its series; empty if it has none there.
  toolkit.seriesValues = (source) => {
    const bars = toolkit.resolve("mainSeriesBars");
    const last = bars === null ? null : bars.lastIndex();
    const data = typeof source.data === "function" ? source.data() : null;
    const meta = source.metaInfo();
    if (last === null || !data || typeof data.valueAt !== "function" || !Array.isArray(meta.plots)) return {};
    const row = data.valueAt(last);
    const bar = bars.valueAt(last);
    if (!row || !bar || (typeof row[0] === "number" && row[0] > 1e8 && row[0] !== bar[0])) return {};
    const found = {};
    meta.plots.forEach(({ id, type }, i) => {
      const title = meta.styles && meta.styles[id] && meta.styles[id].title;
      const value = row[i + 1];
      if (!title || /color|data/.test(String(type)) || typeof value !== "number" || !Number.isFinite(value)) return;
      found[toolkit.unused(found, String(title))] = String(Number(value.toPrecision(12)));
    });
    return found;
  };

  // The values of a study as the data window shows them, by title; empty if it shows none, as for panes without a crosshair.
  toolkit.windowValues = (source) => {
    const found = {};
    for (const item of typeof source.dataWindowView === "function" ? source.dataWindowView().items() : []) {
      const text = String(item._value === undefined || item._value === null ? "" : item._value);
      if (item._title && text !== "" && text !== "∅") found[toolkit.unused(found, String(item._title))] = text;
    }
    return found;
  };

  // Whether the values `shown` of the data window are those of the last bar, which the study's series has (`own`). They are those of
  // the bar under the crosshair if there is one. null if no value can be compared.
  toolkit.areOfLastBar = (shown, own) => {
    const mark = toolkit.decimalMark(Object.values(shown));
    const compared = Object.keys(shown).filter((title) => title in own && toolkit.numberIn(shown[title], mark) !== null);
    const agrees = (title) => {
      const [, decimals = "", unit = ""] = /(?:[.,](\d+))?([KMB]?)[^\dKMB]*$/i.exec(shown[title]) || [];
      const last = mark !== null && shown[title].includes(mark) ? decimals.length : 0;
      const step = ({ K: 1e3, M: 1e6, B: 1e9 }[unit.toUpperCase()] || 1) / 10 ** last;
      return Math.abs(toolkit.numberIn(shown[title], mark) - Number(own[title])) <= 0.6 * step;
    };
    return compared.length === 0 ? null : compared.every(agrees);
  };

  // `title`, or the title with a number if `found` has it already.
  toolkit.unused = (found, title) => {
    let name = title;
    for (let number = 2; name in found; number += 1) name = title + " (" + number + ")";
    return name;
  };

  // The state of a study's computation: "loading", "failed" or "done"; null if the page does not tell.
  toolkit.stands = (source) => {
    if (!source) return null;
    if (typeof source.isFailed === "function" && source.isFailed()) return "failed";
    const type = (toolkit.peek(source, "status") || {}).type;
    if (type === 3) return "failed";
    if (typeof source.isLoading === "function") return source.isLoading() ? "loading" : "done";
    if (type === 2) return "done";
    if (typeof source.dataWindowView !== "function") return null;
    if (source.dataWindowView().items().length === 0) return null;
    const hasValues = Object.keys(toolkit.windowValues(source)).length > 0 || Object.keys(toolkit.seriesValues(source)).length > 0;
    return hasValues ? "done" : "loading";
  };

  // The words of the error that stopped a study at run time; null if it has not failed. Names in braces are values of the error.
  toolkit.failure = (source) => {
    if (toolkit.stands(source) !== "failed") return null;
    const { error = "", title = "", ctx = null } = (toolkit.peek(source, "status") || {}).errorDescription || {};
    const filled = String(error).replace(/\{(\w+)\}/g, (whole, name) => (Object(ctx) === ctx && name in ctx ? String(ctx[name]) : whole));
    const told = [title, filled].map(toolkit.squeeze).filter((one) => one !== "").join(": ");
    return told.slice(0, 400) || "the page does not say why";
  };

  // Whether a study says that it is computing.
  toolkit.isComputing = (source) => {
    try {
      return typeof source.isLoading === "function" && Boolean(source.isLoading());
    } catch {
      return false;
    }
  };

  // The names of the studies that say that they are computing.
  toolkit.computingNames = () =>
    toolkit.dataSources().filter(toolkit.isComputing).map((source) => {
      const meta = toolkit.peek(source, "metaInfo") || {};
      return String(meta.description || meta.shortDescription || "a study");
    });

  // Resolves as soon as no study says that it is computing.
  toolkit.computed = function (limit) {
    return this.until(() => !toolkit.dataSources().some(toolkit.isComputing), limit);
  };

  // The settings of a script that the page lists among its inputs. To write one of them destroys the study.
  const META_INPUTS = ["pineId", "pineVersion", "pineFeatures"];
  toolkit.isMetaInput = (id, known) => {
    if (META_INPUTS.includes(id) || id.startsWith("__")) return true;
    return id === "text" && known.some((input) => META_INPUTS.includes(input.id)); // the script itself
  };

  // Change inputs of a study as the page's own dialog does, which writes only the pairs that change, and wait until the study
  // says that it has them. Return how many inputs it had and has, the requested inputs as they are now, and whether any was changed.
  toolkit.changeInputs = async function (study, inputs, limit) {
    const known = study.getInputValues();
    const changed = known.filter((input) => input.id in inputs && input.value !== inputs[input.id]);
    const asked = Object.keys(inputs).length;
    if (changed.length > 0) study.setInputValues(changed.map(({ id }) => ({ id, value: inputs[id] })));
    const now = () => study.getInputValues().filter((input) => input.id in inputs);
    const held = () => now().length === asked && now().every((input) => input.value === inputs[input.id]);
    await this.until(() => held() || study.getInputValues().length < known.length, limit);
    const plain = now().map((input) => ({ id: String(input.id), value: input.value }));
    return { had: known.length, has: study.getInputValues().length, inputs: plain, held: held(), anew: changed.length > 0 };
  };

  // Load older bars until there are `count` of them and the first one is not after `since`, or until the server has no more. The
  // view stays where it is.
  toolkit.loadBack = async function ({ count, since }, limit) {
    const series = toolkit.series();
    const bars = toolkit.require("mainSeriesBars");
    const able = series !== null && typeof series.requestMoreData === "function";
    const size = () => (bars.lastIndex() === null ? 0 : bars.lastIndex() - bars.firstIndex() + 1);
    const first = () => (bars.firstIndex() === null ? null : bars.valueAt(bars.firstIndex())[0]);
    const met = () => size() >= (count || 0) && (since === null || (first() !== null && first() <= since));
    const isTold = able && typeof series.requestMoreDataAvailable === "function";
    const available = () => !isTold || Boolean(toolkit.unwrap(series.requestMoreDataAvailable()));
    const had = size();
    const end = performance.now() + limit;
    let stalled = false;
    while (able && !met() && available() && !stalled && performance.now() < end) {
      const before = [size(), first()].join();
      series.requestMoreData(1000);
      const left = Math.max(1, Math.min(10000, end - performance.now()));
      const grown = await this.until(() => [size(), first()].join() !== before || !available(), left);
      stalled = grown === null;
    }
    return { able, had, size: size(), first: first(), met: met(), exhausted: able && !available(), stalled };
  };

  // Start to observe whether a study computes. The returned function waits until the study has computed since then, and resolves to
  // its state.
  toolkit.computing = function (id) {
    const until = this.until.bind(this);
    let told = false;
    let began = false;
    const values = () => {
      const source = toolkit.sourceOf(id);
      if (!source || typeof source.dataWindowView !== "function") return "";
      const own = toolkit.seriesValues(source); // those of the data window also change with the crosshair
      return JSON.stringify(Object.keys(own).length > 0 ? own : toolkit.windowValues(source));
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

  // -- strategies -----------------------------------------------------------------------------------------------------

  // The value of a property, function or watched value of `holder`, or null.
  toolkit.peek = (holder, name) => {
    try {
      let found = typeof holder[name] === "function" ? holder[name]() : holder[name];
      if (found && typeof found.value === "function") found = found.value();
      return found === undefined ? null : found;
    } catch {
      return null;
    }
  };

  const isStrategy = (source) => {
    try {
      const meta = source.metaInfo();
      return Boolean(meta.isTVScriptStrategy || meta.is_strategy) || /^StrategyScript/.test(String(meta.id));
    } catch {
      return false;
    }
  };

  // The data sources of the chart's strategies.
  toolkit.strategies = () => toolkit.dataSources().filter(isStrategy);

  toolkit.reportOf = (source) => toolkit.peek(source, "reportData") || toolkit.peek(source, "_reportData");

  // Trades as plain objects, open ones without an exit. For an open trade, a page may give an exit without a signal at the last bar,
  // with its close as the price.
  toolkit.plainTrades = (trades) => {
    const last = toolkit.lastBars(toolkit.resolve("mainSeriesBars"), 1)[0] || null;
    const seconds = (time) => (time > 1e11 ? time / 1000 : time);
    const isOpen = (leave) => leave && !(leave.c || leave.id) && last !== null && seconds(leave.tm ?? leave.time) >= last[0];
    const without = (trade, name) => (trade && isOpen(trade[name]) ? { ...trade, [name]: null } : trade);
    return JSON.parse(JSON.stringify(trades)).map((trade) => without(without(trade, "x"), "exit"));
  };

  // A text that is the same for the same report: its figures, the number of its trades and its last trade.
  const digestOf = (report) => {
    const trades = Array.isArray(report.trades) ? report.trades : [];
    return JSON.stringify([report.performance, trades.length, trades[trades.length - 1]]);
  };

  // The chart for which each report was seen first: pages show the report of the symbol before until they have another one.
  const owners = new Map();
  const shownChart = () => ({ symbol: String(toolkit.chart().symbol()), resolution: String(toolkit.chart().resolution()) });
  toolkit.noteReports = () => {
    for (const report of toolkit.strategies().map(toolkit.reportOf)) if (report) toolkit.ownerOf(report);
    const api = toolkit.backtests;
    const report = api ? toolkit.peek(api, "activeStrategyReportData") : null;
    if (report) toolkit.ownerOf(report);
  };

  // The chart to which `report` belongs: the present one, unless the same report was seen on another one before.
  toolkit.ownerOf = (report) => {
    const digest = digestOf(report);
    const known = owners.get(digest);
    const isEmpty = !Array.isArray(report.trades) || report.trades.length === 0;
    // Reports without trades are alike on all charts, so only the same object counts.
    if (known && (!isEmpty || known.report.deref() === report)) return known.chart;
    if (owners.size > 200) owners.clear();
    owners.set(digest, { chart: shownChart(), report: new WeakRef(report) });
    return shownChart();
  };

  // Whether a report that belongs to the chart `owner` may be shown for the present chart.
  toolkit.isOfChart = (owner) => {
    const now = shownChart();
    const bare = (resolution) => resolution.replace(/^1(?=[SDWM])/, "");
    const same = toolkit.sameSymbol(owner.symbol, now.symbol) || toolkit.sameSymbol(now.symbol, owner.symbol);
    return same && bare(owner.resolution) === bare(now.resolution);
  };

  // -- console --------------------------------------------------------------------------------------------------------

  toolkit.consoleRows = () => {
    const areas = [...toolkit.all("editorArea"), ...toolkit.all("bottomArea")];
    const rows = toolkit.all("consoleRow").filter((row) => !row.closest('[role="dialog"]') && !row.closest(".monaco-editor"));
    const inPanel = (row) => areas.length === 0 || areas.some((area) => area.contains(row));
    const ours = rows.filter((row) => inPanel(row) && !toolkit.isElsewhere(row));
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
