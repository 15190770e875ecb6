// The playground: an editor and a chart on a page of the site; scripts are checked and run in the reader's browser.
import './playground.css';
import { fileOf, type ChartFile, type File } from '../chart/data';
import { Picture } from '../chart/picture';
import { colouring, configuration } from '../editor/language';
import { monaco } from '../editor/monaco';
import { LIGHT_THEME, THEME } from '../editor/theme';
import type { Words } from '../server';
import { keepFiles } from './offline';
import { Python, Stopped } from './python';

/** Milliseconds without a change after which a script is checked. */
const PAUSE = 120;
/** Milliseconds after its check before a script runs; checks do not wait for runs of texts that still change. */
const RUN_PAUSE = 400;
/** A run that lasts longer ends when the script changes, and is stopped in any case after the limit (milliseconds). */
const LONG = 2_000;
const LIMIT = 20_000;
const KEPT = 'pinebench-playground';
const OLD = 'The chart shows the last text without errors.';

interface Finding {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  code: string;
  severity: 'error' | 'warning' | 'info' | 'hint';
  message: string;
  hint: string | null;
}

interface Ran {
  refused?: string;
  hint?: string | null;
  chart?: File | null;
  error?: { code: string; message: string; bar: number | null; line: number | null } | null;
  alerts?: { bar: number; message: string }[];
  logs?: { bar: number; level: string; message: string }[];
  figures?: Record<string, string>;
}

interface Example {
  name: string;
  title: string;
  group: string;
  source: string;
  /** The symbol and the timeframe on which it is shown. */
  on: [string, string];
}

interface Data {
  words: Words;
  symbols: string[];
  timeframes: string[];
  examples: Example[];
}

declare global {
  interface Window {
    /** A worker that the page has begun before this script was there. */
    pineWorker?: Worker;
    /**
     * For tests and measurements: when Python was ready and when the first verdict came (milliseconds since the page
     * began), how long each check took, the number of runs, whether everything is kept for a visit without a network,
     * and a way to replace the script.
     */
    pineVerdicts?: {
      ready: number | null;
      first: number | null;
      checks: number[];
      runs: number;
      state: string;
      kept: boolean;
      write: (text: string) => void;
    };
  }
}

const HTML = `
<div class="pg-bar">
  <label>Example <select data-id="example"></select></label>
  <label>Symbol <select data-id="symbol"></select></label>
  <label>Timeframe <select data-id="timeframe"></select></label>
  <button type="button" data-id="stop" hidden>Stop</button>
  <span data-id="state" role="status">Loading Python …</span>
  <span data-id="kept" hidden>Works without a network from now on.</span>
</div>
<div class="pg-main">
  <div class="pg-left">
    <div class="pg-editor" data-id="editor"></div>
    <div class="pg-problems" data-id="problems" aria-live="polite" role="region" aria-label="Errors and warnings" tabindex="0"></div>
  </div>
  <div class="pg-right">
    <div class="pg-chart" data-id="frame"><div class="pg-canvas" data-id="chart" role="img" aria-label="Chart"></div><div class="pg-tip" data-id="tip"></div></div>
    <div class="pg-output" data-id="output" role="region" aria-label="Results" tabindex="0"></div>
  </div>
</div>`;

class Playground {
  private readonly python: Python;
  private readonly editor: monaco.editor.IStandaloneCodeEditor;
  private readonly model: monaco.editor.ITextModel;
  private picture: Picture | null = null;
  private timer = 0;
  private version = 0;
  private running: { since: number; timer: number } | null = null;
  private readonly figures = (window.pineVerdicts = {
    ready: null,
    first: null,
    checks: [],
    runs: 0,
    state: 'loading',
    kept: false,
    write: (text) => this.model.setValue(text),
  } as NonNullable<Window['pineVerdicts']>);

  constructor(
    private readonly root: HTMLElement,
    private readonly data: Data,
    base: string,
  ) {
    this.fill();
    this.python = new Python(`${base}worker.js`, (state, why) => this.tell(state, why), window.pineWorker);
    this.model = monaco.editor.createModel(this.first(), 'pine');
    this.editor = monaco.editor.create(this.part('editor'), {
      model: this.model,
      theme: this.editorTheme(),
      automaticLayout: true,
      minimap: { enabled: false },
      fontSize: 13,
      scrollBeyondLastLine: false,
      fixedOverflowWidgets: true,
      renderFinalNewline: 'on', // a dimmed number has too little contrast
      ariaLabel: 'Pine script. Tab indents; after Ctrl+M it leaves the editor.',
      tabSize: 4,
    });
    this.keepKeys();
    this.model.onDidChangeContent(() => this.changed());
    this.part('stop').addEventListener('click', () => this.stop('Stopped.'));
    for (const name of ['symbol', 'timeframe']) this.part(name).addEventListener('change', () => this.changed(0));
    this.part('example').addEventListener('change', () => this.choose(this.select('example').value));
    window.addEventListener('hashchange', () => this.choose(location.hash.slice(1)));
    new MutationObserver(() => this.dress()).observe(document.body, { attributeFilter: ['data-md-color-scheme'] });
    this.changed(0);
  }

  // the parts of the page

  private part(id: string): HTMLElement {
    const found = this.root.querySelector<HTMLElement>(`[data-id="${id}"]`);
    if (found === null) throw new Error(`${id} is missing`);
    return found;
  }

  /**
   * Keep what is typed in the editor from the shortcuts of the site, which are letters and signs: they only spare fields
   * of forms, and the editor is none.
   */
  private keepKeys(): void {
    for (const event of ['keydown', 'keypress', 'keyup']) {
      this.part('editor').addEventListener(event, (pressed) => pressed.stopPropagation());
    }
  }

  private select(id: string): HTMLSelectElement {
    return this.part(id) as HTMLSelectElement;
  }

  private fill(): void {
    this.root.innerHTML = HTML;
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const { name, title, group } of this.data.examples) {
      const made = groups.get(group) ?? Object.assign(document.createElement('optgroup'), { label: group });
      groups.set(group, made);
      made.append(new Option(title, name));
    }
    this.select('example').append(...groups.values());
    this.select('symbol').append(...this.data.symbols.map((name) => new Option(name.split(':')[1], name)));
    this.select('timeframe').append(...this.data.timeframes.map((name) => new Option(name, name)));
    this.select('timeframe').value = '1D';
  }

  private get isDark(): boolean {
    return document.body.dataset['mdColorScheme'] === 'slate';
  }

  private editorTheme(): string {
    return this.isDark ? 'pinebench' : 'pinebench-light';
  }

  private dress(): void {
    monaco.editor.setTheme(this.editorTheme());
    this.picture?.paint(this.isDark ? 'dark' : 'light');
  }

  private tell(state: 'loading' | 'ready' | 'failed', why: string): void {
    this.figures.state = state;
    if (state === 'ready') this.figures.ready ??= performance.now();
    this.part('state').textContent = state === 'loading' ? 'Loading Python …' : state === 'ready' ? '' : `Python does not start: ${why}`;
  }

  // scripts

  /** The example that the address names, or the text that the reader had before, or the first example. */
  private first(): string {
    const named = this.data.examples.find(({ name }) => name === location.hash.slice(1));
    const shown = named ?? (kept() === null ? this.data.examples[0] : undefined);
    if (shown !== undefined) this.prefer(shown);
    return named?.source ?? kept() ?? this.data.examples[0]?.source ?? '';
  }

  private choose(name: string): void {
    const found = this.data.examples.find((one) => one.name === name);
    if (found === undefined) return;
    this.prefer(found);
    history.replaceState(null, '', `#${name}`);
    this.editor.pushUndoStop();
    this.model.pushEditOperations([], [{ range: this.model.getFullModelRange(), text: found.source }], () => null);
    this.editor.pushUndoStop();
    this.editor.setPosition({ lineNumber: 1, column: 1 });
  }

  private prefer({ name, on: [symbol, timeframe] }: Example): void {
    this.select('example').value = name;
    this.select('symbol').value = symbol;
    this.select('timeframe').value = timeframe;
  }

  private changed(pause = PAUSE): void {
    this.version += 1;
    if (this.running !== null && performance.now() - this.running.since > LONG) this.stop('');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.work(this.version, pause === 0 ? 0 : RUN_PAUSE), pause);
  }

  /** Check the script, and run it after a pause if it has no errors. Answers about an old text are dropped. */
  private async work(version: number, pause: number): Promise<void> {
    const source = this.model.getValue();
    keep(source);
    try {
      const begin = performance.now();
      const { findings } = await this.python.ask<{ findings: Finding[] }>({ kind: 'check', source });
      if (version !== this.version) return;
      this.show(findings);
      if (this.figures.first === null) {
        this.figures.first = performance.now();
        void this.keepForLater(); // after the first answer, because it loads much
      }
      this.figures.checks.push(performance.now() - begin);
      if (findings.some(({ severity }) => severity === 'error')) {
        if (this.picture !== null) this.part('output').replaceChildren(node('p', '', OLD));
        return;
      }
      await new Promise((done) => setTimeout(done, pause));
      if (version !== this.version) return;
      await this.run(source, version);
    } catch (error) {
      if (!(error instanceof Stopped)) this.part('output').textContent = `The run failed: ${String(error)}`;
    }
  }

  private async keepForLater(): Promise<void> {
    this.figures.kept = await keepFiles();
    if (this.figures.kept) this.part('kept').hidden = false;
  }

  private async run(source: string, version: number): Promise<void> {
    this.running = { since: performance.now(), timer: window.setTimeout(() => this.stop(`Stopped: the script ran for ${LIMIT / 1000} seconds.`), LIMIT) };
    const button = window.setTimeout(() => (this.part('stop').hidden = false), 400);
    const asked = { kind: 'run', source, symbol: this.select('symbol').value, timeframe: this.select('timeframe').value, dark: this.isDark };
    try {
      const ran = await this.python.ask<Ran>(asked);
      if (version === this.version) this.draw(ran);
    } finally {
      clearTimeout(button);
      this.ended();
    }
  }

  private ended(): void {
    if (this.running !== null) clearTimeout(this.running.timer);
    this.running = null;
    this.part('stop').hidden = true;
  }

  private stop(words: string): void {
    this.ended();
    this.python.stop();
    if (words !== '') this.part('output').textContent = words;
  }

  // results

  private show(findings: Finding[]): void {
    const { MarkerSeverity } = monaco;
    const severities = { error: MarkerSeverity.Error, warning: MarkerSeverity.Warning, info: MarkerSeverity.Info, hint: MarkerSeverity.Hint };
    const markers = findings.map((one) => ({
      severity: severities[one.severity],
      code: one.code,
      message: one.hint === null ? one.message : `${one.message}\n${one.hint}`,
      startLineNumber: one.line,
      startColumn: one.column,
      endLineNumber: one.endLine,
      endColumn: one.endColumn,
    }));
    monaco.editor.setModelMarkers(this.model, 'pinebench', markers);
    const list = findings.map((one) => {
      const row = node('button', `pg-problem pg-${one.severity}`, `${one.line}:${one.column} ${one.severity} ${one.code}: ${one.message}`);
      if (one.hint !== null) row.append(node('span', 'pg-hint', one.hint));
      row.addEventListener('click', () => {
        this.editor.setPosition({ lineNumber: one.line, column: one.column });
        this.editor.revealLineInCenter(one.line);
        this.editor.focus();
      });
      return row;
    });
    this.part('problems').replaceChildren(...(list.length === 0 ? [node('p', 'pg-clean', 'No errors, no warnings.')] : list));
  }

  private draw(ran: Ran): void {
    const output = this.part('output');
    output.replaceChildren();
    if (ran.refused !== undefined) output.append(node('p', 'pg-error', `${ran.refused}${ran.hint ? ` (${ran.hint})` : ''}`));
    if (ran.error) {
      const { code, message, bar, line } = ran.error;
      output.append(node('p', 'pg-error', `Error on bar ${bar ?? '?'}, line ${line ?? '?'}: ${message} (${code})`));
    }
    const figures = Object.entries(ran.figures ?? {}).map(([title, value]) => `${title}: ${value}`);
    if (figures.length > 0) output.append(node('p', 'pg-figures', figures.join(' · ')));
    const { alerts = [], logs = [] } = ran;
    if (alerts.length > 0) output.append(node('p', '', `${alerts.length} alerts; the last one: ${alerts.at(-1)?.message ?? ''}`));
    for (const { bar, level, message } of logs.slice(-20)) output.append(node('p', `pg-log pg-${level}`, `bar ${bar} ${level}: ${message}`));
    if (ran.chart !== undefined && ran.chart !== null) this.paint(fileOf(ran.chart));
    this.figures.runs += 1;
  }

  private paint(file: ChartFile): void {
    this.picture?.close();
    this.part('chart').setAttribute('aria-label', file.title);
    const theme = this.isDark ? 'dark' : 'light';
    for (const [name, color] of Object.entries(file.themes[theme])) this.part('frame').style.setProperty(`--${name}`, String(color));
    this.picture = new Picture(this.part('chart'), this.part('tip'), { ...file, theme });
  }
}

function node(tag: string, className: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // the browser keeps nothing for this page
  }
}

function keep(source: string): void {
  try {
    localStorage.setItem(KEPT, source);
  } catch {
    // the browser keeps nothing for this page
  }
}

async function start(root: HTMLElement): Promise<void> {
  const base = new URL(root.dataset['files'] ?? '', document.baseURI).href;
  window.MonacoEnvironment = { getWorker: () => new Worker(`${base}editor.worker.js`) };
  const data = (await (await fetch(`${base}data.json`)).json()) as Data;
  monaco.languages.register({ id: 'pine' });
  monaco.languages.setLanguageConfiguration('pine', configuration(data.words));
  monaco.languages.setMonarchTokensProvider('pine', colouring(data.words));
  monaco.editor.defineTheme('pinebench', THEME);
  monaco.editor.defineTheme('pinebench-light', LIGHT_THEME);
  new Playground(root, data, base);
}

const root = document.getElementById('pine-playground');
if (root !== null) void start(root);
