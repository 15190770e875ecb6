// The Pine editor's business: the text, the script it belongs to, compiling, saving, and what the console says.
import { faults, instrument } from '../faults';
import { monaco, type MonacoEditor } from '../editor/monaco';
import { server, ServerError, type CheckAnswer, type Draft, type Marker, type SavedScript } from '../server';
import { Watched } from '../watched';
import { StudyLimitReached } from './chart';
import { keepDraft, pageName } from './kept';
import type { Study } from './study';
import { tellOthers } from './together';
import type { Workspace } from './workspace';

export type RowKind = 'error' | 'warning' | 'info' | 'success';

export interface ConsoleRow {
  key: number;
  time: string;
  kind: RowKind;
  text: string;
  line?: number;
  column?: number;
}

export interface Counts {
  errors: number;
  warnings: number;
}

/** The editor as it is stored for a reload; `savedText` is null if the text is saved. */
export interface KeptText {
  script: SavedScript | null;
  text: string;
  savedText: string | null;
  draft: number;
}

export type ScriptKind = 'indicator' | 'strategy' | 'library';

const STARTERS: Record<ScriptKind, string> = {
  indicator: '//@version=6\nindicator("My script")\nplot(close)\n',
  strategy:
    '//@version=6\nstrategy("My strategy", overlay = true, margin_long = 100, margin_short = 100)\n\n' +
    'if ta.crossover(ta.sma(close, 14), ta.sma(close, 28))\n    strategy.entry("Long", strategy.long)\n',
  library: '//@version=6\n// @description A few functions worth sharing.\nlibrary("MyLibrary")\n\n' +
    '// @function Twice a number.\nexport twice(float x) =>\n    x * 2\n',
};

/** Monaco's numbers for the severity of a marker (`MarkerSeverity`). */
const SEVERE = { error: 8, warning: 4 };
const OWNER = 'pine';
/** The version of a draft that does not say from which version it comes: older than all. */
const UNKNOWN = '0.0';
const CHECK_AFTER_MS = 150;
const MOST_ROWS = 300;
const MOST_LOGS = 100;

export class Pine {
  readonly model = monaco.editor.createModel(STARTERS.indicator, 'pine');
  readonly script = new Watched<SavedScript | null>(null);
  readonly changed = new Watched(false);
  readonly busy = new Watched(false);
  readonly rows = new Watched<readonly ConsoleRow[]>([]);
  readonly counts = new Watched<Counts>({ errors: 0, warnings: 0 });
  /** Whether the counts belong to the current text; false if the studio could not be asked. */
  readonly checked = new Watched(true);
  readonly onChart = new Watched(false);
  /** The number of unsaved texts of other pages. */
  readonly leftBehind = new Watched(0);
  readonly cursor = new Watched({ line: 1, column: 1 });
  /** The name of the built-in script in the editor, which is read-only; null for the user's own text. */
  readonly builtIn = new Watched<string | null>(null);
  /** Whether the editor is on the screen. */
  readonly mounted = new Watched(false);
  editor: MonacoEditor | null = null;

  private savedText = STARTERS.indicator;
  private draft = 1;
  private round = 0;
  private rowKey = 0;
  private timer = 0;
  private checkedVersion = 0;
  /** Counts the texts that were loaded into the editor: a save or a compile that began before the last one is another text's. */
  private loaded = 0;
  private putBack = false;
  /** The newer version, saved elsewhere, that the console has reported. */
  private toldOf = '';

  constructor(private readonly workspace: Workspace) {
    Object.assign(this.model, instrument('model', { getValue: this.model.getValue.bind(this.model) }));
    this.model.onDidChangeContent(({ isFlush }) => this.contentChanged(isFlush));
    workspace.charts.subscribe(() => this.refreshOnChart());
    let forget: () => unknown = () => undefined;
    const follow = () => {
      forget();
      forget = workspace.active.value().studies.subscribe(() => this.refreshOnChart());
      this.refreshOnChart();
    };
    workspace.active.subscribe(follow);
    follow();
  }

  /** The key of the open script on a chart: its id, or a number if it was never saved. */
  get key(): string {
    return this.script.value()?.scriptIdPart ?? `draft ${this.draft}`;
  }

  get name(): string {
    return this.script.value()?.scriptName ?? this.builtIn.value() ?? 'Untitled script';
  }

  source(): string {
    return this.model.getValue();
  }

  /** Load the script that the user saved last, as the page does when it opens. A new user gets an untitled script. */
  async openLatest(): Promise<void> {
    const latest = (await this.listScripts()).find(({ sample }) => !sample);
    if (latest !== undefined) await this.open(latest.scriptIdPart);
    else this.checkSoon();
  }

  kept(): KeptText {
    const savedText = this.changed.value() ? this.savedText : null;
    return { script: this.script.value(), text: this.source(), savedText, draft: this.draft };
  }

  /** Restore the stored text. If it was saved, read it again, because a newer version may have been saved elsewhere. */
  async restore({ script, text, savedText, draft }: KeptText): Promise<void> {
    this.draft = draft;
    if (script !== null && savedText === null) {
      const newest = await server.script(script.scriptIdPart, 'last').catch((error: unknown) => error);
      if (!(newest instanceof Error)) {
        const known = newest as SavedScript & { source: string };
        this.bind(known, known.source);
        return;
      }
      if (newest instanceof ServerError && newest.status === 404) {
        this.bind(null, ''); // it was deleted elsewhere, and this may be the last copy
        this.replace(text);
        return;
      }
    }
    this.bind(script, savedText ?? text);
    this.replace(text);
  }

  /** Find out whether other pages left unsaved text. */
  async lookForDrafts(own: string): Promise<void> {
    const left = (await server.drafts().catch(() => [])).filter((draft) => draft.page !== own);
    this.leftBehind.setValue(left.length);
  }

  /** Put an unsaved text of another page into the editor. Ask first if changes would be lost. */
  async recover(draft: Draft): Promise<void> {
    const script = draft.script === '' ? null : await server.script(draft.script, 'last').catch(() => null);
    const { text, version = UNKNOWN } = await server.draft(draft.page);
    if (!(await this.mayReplace())) return;
    if (script === null) this.draft += 1;
    // What was saved since then is not buried without a question.
    this.bind(script === null ? null : { ...script, version }, script?.source ?? '');
    this.replace(text);
    await keepDraft(this);
    await server.putDraft(draft.page, null);
    await this.lookForDrafts(pageName());
    this.say('info', `The unsaved text of "${draft.name}" is in the editor.`);
  }

  /** Put an older version of the open script into the editor. Saving makes it the newest version. */
  async openVersion(version: string): Promise<void> {
    const script = this.script.value();
    if (script === null) return;
    const found = await this.newest(() =>
      Promise.all([server.script(script.scriptIdPart, 'last'), server.script(script.scriptIdPart, version)]),
    );
    if (found === null || !(await this.mayReplace())) return;
    const [newest, older] = found;
    this.bind(newest, newest.source);
    this.replace(older.source);
    const note = this.changed.value() ? 'saving makes it the newest version' : 'it is as the newest version';
    this.say('info', `Version ${version} of "${script.scriptName}" is in the editor; ${note}.`);
  }

  /**
   * Delete a saved script with its versions after the person has agreed. If it is open, its text stays as unsaved text.
   */
  async delete(script: SavedScript): Promise<void> {
    if (!(await this.workspace.ask((answer) => ({ kind: 'delete', script, answer })))) return;
    await server.deleteScript(script.scriptIdPart);
    this.say('info', `Deleted "${script.scriptName}".`);
    if (this.script.value()?.scriptIdPart !== script.scriptIdPart) return;
    const study = this.workspace.active.value().studyOfScript(this.key);
    this.draft += 1;
    this.script.setValue(null);
    if (study !== undefined) study.scriptKey = this.key;
    this.savedText = '';
    this.changed.setValue(this.source() !== '');
    this.refreshOnChart();
  }

  async listScripts(): Promise<SavedScript[]> {
    if (this.workspace.loggedOut.value()) return [];
    return server.scripts().catch(() => []);
  }

  /** Open a saved script. Ask first if changes would be lost. */
  async open(id: string, version = 'last'): Promise<void> {
    const script = await this.newest(() => server.script(id, version));
    if (script !== null && (await this.mayReplace())) this.bind(script, script.source);
  }

  /** Show the source of a built-in script, read-only. Ask first if changes would be lost. */
  async readBuiltIn(name: string, source: string): Promise<void> {
    this.round += 1;
    if (!(await this.mayReplace())) return;
    this.draft += 1;
    this.bind(null, source);
    this.builtIn.setValue(name);
  }

  /** Turn the built-in source in the editor into an unsaved script of the user. */
  copyBuiltIn(): void {
    this.builtIn.setValue(null);
    this.savedText = '';
    this.changed.setValue(this.source() !== '');
    this.editor?.focus();
  }

  /** Put a text that is saved nowhere into the editor. Ask first if changes would be lost. */
  async openText(source: string): Promise<void> {
    if (!(await this.mayReplace())) return;
    this.draft += 1;
    this.bind(null, '');
    this.replace(source);
  }

  async startNew(kind: ScriptKind = 'indicator'): Promise<void> {
    this.round += 1;
    if (!(await this.mayReplace())) return;
    this.draft += 1;
    this.bind(null, STARTERS[kind]);
  }

  /** Check the text and show the findings. With `add`, add the script to the chart if it has no errors. */
  async compile(add: boolean): Promise<boolean> {
    if (this.busy.value()) return false;
    this.busy.setValue(true);
    const [source, key, version] = [this.source(), this.key, this.model.getVersionId()];
    this.checkedVersion = version;
    monaco.editor.setModelMarkers(this.model, OWNER, []);
    this.say('info', 'Compiling…');
    try {
      const checking = server.check(source);
      const study = add && !this.onChart.value() ? this.workspace.active.value().runAhead(source) : undefined;
      const answer = await checking;
      this.checked.setValue(true);
      await wait(faults.lateMarkers);
      const markers = faults.markers === null ? answer.markers : faults.markers.map(plantedMarker);
      this.showMarkers(markers);
      this.tell(markers);
      const ok = markers.every((marker) => marker.severity !== SEVERE.error);
      if (!ok) this.say('error', 'Compilation failed.');
      else if (!add || answer.metaInfo.kind === 'library') this.say('success', 'Compiled.');
      else await this.addToChart(answer, source, key, study);
      return ok;
    } catch (error) {
      this.checked.setValue(!(error instanceof ServerError));
      this.complain(error);
      return false;
    } finally {
      this.busy.setValue(false);
      if (version !== this.model.getVersionId()) this.checkSoon(); // while it was busy, no other text was checked
    }
  }

  /** Save the text as the next version, or ask for a name first if the script has none. */
  async save(): Promise<void> {
    if (this.workspace.loggedOut.value()) {
      this.workspace.dialog.setValue({ kind: 'signIn' });
      return;
    }
    const script = this.script.value();
    if (script === null) {
      this.askName('Save script', this.declaredTitle(), (name) => this.saveAs(name));
      return;
    }
    if (faults.quietSetValue && !this.changed.value()) return;
    await this.saving((source) => server.saveNext(script.scriptIdPart, source, script.version));
  }

  /**
   * Save the text as the newest version, whatever was saved elsewhere meanwhile. Other versions stay in the list of
   * versions.
   */
  async saveOver(): Promise<void> {
    const script = this.script.value();
    if (script !== null) await this.saving((source) => server.saveNext(script.scriptIdPart, source, null));
  }

  /**
   * Find out whether the open script was saved elsewhere. Load that version if nothing was changed here, otherwise
   * report it.
   */
  async followNewest(): Promise<void> {
    const script = this.script.value();
    if (script === null) return;
    const newest = await this.newest(() => server.script(script.scriptIdPart, 'last'));
    if (newest === null || newest.version === script.version || this.script.value() !== script) return;
    const told = `"${script.scriptName}" was saved elsewhere as version ${newest.version}`;
    if (!this.changed.value()) {
      this.bind(newest, newest.source);
      this.say('info', `${told}; it is in the editor now.`);
    } else if (this.toldOf !== newest.version) {
      this.say('warning', `${told}, and your text comes from version ${script.version}. When you save, you choose what to do with both.`);
    }
    this.toldOf = newest.version;
  }

  /** Save the text as a new script. Throws the server's reason, usually that the name exists. */
  async saveAs(name: string): Promise<void> {
    const study = this.workspace.active.value().studyOfScript(this.key);
    const [source, loaded] = [this.source(), this.loaded];
    this.savedAs(await server.saveNew(name, source), source, loaded);
    if (this.loaded === loaded && study !== undefined) {
      study.scriptKey = this.key;
      study.meta = { ...study.meta };
    }
    this.refreshOnChart();
  }

  askCopyName(): void {
    this.askName('Make a copy', `${this.name} copy`, (name) => this.saveAs(name));
  }

  askNewName(): void {
    const script = this.script.value();
    if (script === null) return;
    this.askName('Rename', script.scriptName, async (name) => {
      const renamed = await server.rename(script.scriptIdPart, name);
      // The text comes from the version that was opened, even if a newer one was saved elsewhere.
      this.script.setValue({ ...renamed, version: script.version });
    });
  }

  /** Put the cursor at the place that a console row names. */
  reveal(line: number, column: number): void {
    this.editor?.setPosition({ lineNumber: line, column });
    this.editor?.revealLineInCenterIfOutsideViewport(line);
    this.editor?.focus();
  }

  /** Report in the console why a requested action did not happen. */
  readonly complain = (error: unknown): void => {
    this.say('error', error instanceof Error ? error.message : String(error));
  };

  clearConsole(): void {
    this.rows.setValue([]);
  }

  say(kind: RowKind, text: string, place?: { line: number; column: number }): void {
    const time = new Date().toTimeString().slice(0, 8);
    const row = { key: ++this.rowKey, time, kind, text, ...place };
    this.rows.setValue([...this.rows.value(), row].slice(-MOST_ROWS));
  }

  refreshOnChart(): void {
    this.onChart.setValue(this.workspace.active.value().studyOfScript(this.key) !== undefined);
  }

  /** The answer with the version of the saved script, if `source` is the text of that version. */
  private versioned(answer: CheckAnswer, source: string): CheckAnswer {
    const script = this.script.value();
    if (script === null || source !== this.savedText) return answer;
    return { ...answer, metaInfo: { ...answer.metaInfo, pine: { version: script.version } } };
  }

  private async addToChart(answer: CheckAnswer, source: string, key: string, id?: string): Promise<void> {
    if (faults.pendingDialog) {
      const yes = await this.workspace.ask((answered) => ({ kind: 'externalData', answer: answered }));
      if (!yes) {
        this.say('info', 'Not added to the chart.');
        return;
      }
    }
    try {
      const chart = this.workspace.active.value();
      const update = chart.studyOfScript(key) !== undefined;
      const study = await chart.addScript(this.versioned(answer, source), source, key, id);
      this.say('success', update ? 'Compiled and updated on the chart.' : 'Compiled and added to the chart.');
      this.tellRun(study);
    } catch (error) {
      if (!(error instanceof StudyLimitReached)) throw error;
      this.workspace.dialog.setValue({ kind: 'studyLimit', text: error.message });
      this.say('error', `Not added: ${error.message}.`);
    }
    this.refreshOnChart();
  }

  /** Report in the console why a script shows nothing, and what it wrote into its log. */
  private tellRun(study: Study): void {
    const state = study.state.value();
    if (state.kind === 'failed') {
      const place = state.line === null ? undefined : { line: state.line, column: 1 };
      const words = study.result.value() === null ? 'Not run' : 'Runtime error';
      this.say('error', `${words}${place === undefined ? '' : ` at line ${place.line}`}: ${state.problem}`, place);
    }
    for (const note of study.result.value()?.notes ?? []) this.say('info', note);
    for (const log of (study.result.value()?.logs ?? []).slice(-MOST_LOGS)) {
      const kind = log.level === 'error' ? 'error' : log.level === 'warning' ? 'warning' : 'info';
      this.say(kind, `${momentText(log.time)} ${log.message}`, { line: log.line, column: 1 });
    }
  }

  /** The result of `load` for the editor; null if something else was requested meanwhile. */
  private async newest<T>(load: () => Promise<T>): Promise<T | null> {
    const round = ++this.round;
    const found = await load();
    return round === this.round ? found : null;
  }

  /** Put `text` into the editor as a change, even if a fault undoes changes. */
  private replace(text: string): void {
    this.putBack = true;
    this.model.setValue(text);
    this.putBack = false;
  }

  private bind(script: SavedScript | null, source: string): void {
    this.loaded += 1;
    this.builtIn.setValue(null);
    this.replace(source);
    this.script.setValue(script);
    this.savedText = this.source();
    this.changed.setValue(false);
    this.refreshOnChart();
  }

  private async saving(send: (source: string) => Promise<SavedScript>): Promise<void> {
    const [source, loaded] = [this.source(), this.loaded];
    try {
      this.savedAs(await send(source), source, loaded);
    } catch (error) {
      if (error instanceof ServerError && error.status === 409) {
        this.say('warning', `Not saved yet: ${error.message}.`);
        this.workspace.dialog.setValue({ kind: 'overtaken', name: this.name, reason: error.message });
        return;
      }
      this.say('error', `Not saved: ${error instanceof ServerError ? error.message : String(error)}`);
    }
  }

  /** Note that `source`, which was text number `loaded`, is saved as `script`. Another text that came meanwhile stays its own. */
  private savedAs(script: SavedScript, source: string, loaded: number): void {
    if (loaded === this.loaded) {
      this.script.setValue(script);
      this.savedText = source;
      this.changed.setValue(this.source() !== source);
    }
    this.say('success', `Saved "${script.scriptName}", version ${script.version}.`);
    tellOthers('script');
  }

  private askName(title: string, value: string, done: (name: string) => Promise<void>): void {
    this.workspace.dialog.setValue({ kind: 'name', title, value, done });
  }

  private declaredTitle(): string {
    return /^[ \t]*(?:indicator|strategy|library)\(\s*(?:title\s*=\s*)?["']([^"']+)/m.exec(this.source())?.[1] ?? 'Untitled script';
  }

  /** Whether the text may be replaced: it is saved, or the person has agreed. */
  private mayReplace(): Promise<boolean> {
    if (!this.changed.value()) return Promise.resolve(true);
    return this.workspace.ask((answer) => ({ kind: 'unsaved', answer }));
  }

  private contentChanged(isFlush: boolean): void {
    if (faults.readOnlyScript && !this.putBack) {
      this.putBack = true;
      this.model.setValue(this.savedText);
      this.putBack = false;
      return;
    }
    if (!(isFlush && faults.quietSetValue)) this.changed.setValue(this.source() !== this.savedText);
    this.checkSoon();
  }

  /** Check in the background while somebody types. A running compile shows its own markers. */
  checkSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.checkQuietly(), CHECK_AFTER_MS + faults.lateMarkers);
  }

  private async checkQuietly(): Promise<void> {
    const version = this.model.getVersionId();
    if (this.busy.value() || faults.markers !== null || version === this.checkedVersion) return;
    const answer = await server.check(this.source()).catch(() => null);
    this.checked.setValue(answer !== null);
    if (answer === null || version !== this.model.getVersionId() || this.busy.value()) return;
    this.checkedVersion = version;
    this.showMarkers(answer.markers);
  }

  private showMarkers(markers: readonly Marker[]): void {
    monaco.editor.setModelMarkers(this.model, OWNER, [...markers]);
    const count = (severity: number) => markers.filter((marker) => marker.severity === severity).length;
    this.counts.setValue({ errors: count(SEVERE.error), warnings: count(SEVERE.warning) });
  }

  private tell(markers: readonly Marker[]): void {
    for (const marker of markers) {
      if (marker.severity < SEVERE.warning) continue;
      const kind = marker.severity === SEVERE.error ? 'error' : 'warning';
      const place = { line: marker.startLineNumber, column: marker.startColumn };
      this.say(kind, `${kind === 'error' ? 'Error' : 'Warning'} at ${place.line}:${place.column} ${marker.message}`, place);
    }
  }
}

const momentText = (ms: number): string => `[${new Date(ms).toISOString().slice(0, 19)}]`;

const wait = (ms: number): Promise<void> => (ms > 0 ? new Promise((done) => setTimeout(done, ms)) : Promise.resolve());

function plantedMarker(planted: { line: number; column: number; severity: number; message: string }): Marker {
  return {
    severity: planted.severity,
    code: '',
    message: planted.message,
    startLineNumber: planted.line,
    startColumn: planted.column,
    endLineNumber: planted.line,
    endColumn: planted.column + 1,
  };
}
