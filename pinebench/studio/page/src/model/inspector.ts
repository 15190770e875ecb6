// See inside the run of a script on the chart: values on the bar under the crosshair, breakpoints, and answers to "why".
import { server, type FilledOrder, type OrderAnswer, type RecordedName, type RecordedRun, type RunRefusal, type Tested, type TestedTrade, type TradeEnd, type WhyAnswer } from '../server';
import { Watched } from '../watched';
import { keepBreakpoints, keptBreakpoints, placed } from './breakpoints';
import type { Chart } from './chart';
import { inlineValues } from './preferences';
import type { Study } from './study';
import type { Workspace } from './workspace';

/** The state of the recorded values; `problem` says in words why there are none. */
export type Values = { kind: 'none' } | { kind: 'loading' } | { kind: 'failed'; problem: string } | { kind: 'known'; run: RecordedRun };

/** A breakpoint in the text of the editor; `times` are the bars on which it is hit, null if they are not known. */
export interface Breakpoint {
  readonly id: number;
  readonly line: number;
  readonly condition: string;
  readonly times: readonly number[] | null;
  readonly problem: string | null;
}

/** The answer to the last question "why". */
export type Told =
  | { kind: 'asking'; title: string }
  | { kind: 'refused'; title: string; problem: string }
  | { kind: 'why'; answer: WhyAnswer }
  | { kind: 'order'; answer: OrderAnswer };

/** A row of the table of names. */
export interface NameRow {
  name: RecordedName;
  value: string | null | undefined;
  previous: string | null | undefined;
  /** The bar of the last change; null if it was long before, undefined if nothing is known of this bar. */
  since: number | null | undefined;
}

const SOON_MS = 150;
/** The words for a script on the chart that is not the text in the editor. */
export const DIFFERS = 'The text in the editor is not the script on the chart. Put it on the chart (Ctrl+Enter) to see its values.';
const NO_SCRIPT = 'Put a script on the chart (Ctrl+Enter) to look inside its run.';
const NONE: Values = { kind: 'none' };
const LOADING: Values = { kind: 'loading' };

export class Inspector {
  readonly values = new Watched<Values>(NONE);
  /** The script that is looked into; null if the chart has none. */
  readonly study = new Watched<Study | null>(null);
  /** Whether the script that is looked into is the text in the editor. */
  readonly isText = new Watched(false);
  /** The bar that is looked at, by its index on the chart. */
  readonly bar = new Watched(-1);
  readonly breakpoints = new Watched<readonly Breakpoint[]>([]);
  readonly told = new Watched<Told | null>(null);
  /** A sentence about the last search for a hit. */
  readonly note = new Watched('');
  /** The line of the breakpoint that was hit last. */
  readonly hitLine = new Watched<number | null>(null);

  /** The present lines of the breakpoints in the editor, by their ids; null while the editor is not on the screen. */
  places: (() => ReadonlyMap<number, number>) | null = null;

  /** The study that the person chose; null for the one of the text in the editor. */
  private chosen: Study | null = null;
  /** The time in seconds of the bar that was chosen without the pointer. */
  private pinned: number | null = null;
  private viewers = 0;
  private round = 0;
  private asked = 0;
  private timer = 0;
  private number = 0;
  private keeping = 0;
  /** Whether the editor has a new text whose breakpoints are not set yet. */
  private isTaking = false;
  private known = '';
  private forget: (() => unknown)[] = [];
  private forgetStudy: (() => unknown)[] = [];

  constructor(private readonly workspace: Workspace) {
    workspace.active.subscribe(() => this.follow());
    workspace.pine.model.onDidChangeContent(({ isFlush }) => {
      if (isFlush) this.takeBack(); // another text
      else if (this.places !== null) this.moved(this.places());
      this.hitLine.setValue(null);
      this.keepSoon();
      this.find();
    });
    workspace.pine.script.subscribe(() => this.keepSoon());
    window.addEventListener('pagehide', () => this.keep());
    inlineValues.subscribe(() => this.find());
    workspace.pine.mounted.subscribe(() => this.find());
    this.breakpoints.subscribe(() => {
      this.note.setValue('');
      this.countSoon();
      this.keep();
    });
    this.follow();
  }

  get chart(): Chart {
    return this.workspace.active.value();
  }

  /** Look into a study; null for the script in the editor. */
  choose(study: Study | null): void {
    this.chosen = study;
    this.find();
  }

  /** Record values as long as somebody shows them; call the result when nobody does any more. */
  watch(): () => void {
    this.viewers += 1;
    this.find();
    return () => {
      this.viewers -= 1;
    };
  }

  /** The opening time in seconds of the bar that is looked at; null if there is none. */
  get time(): number | null {
    return this.chart.bars.value()[this.bar.value()]?.[0] ?? null;
  }

  /** Look at another bar: by its index on the chart. */
  async look(index: number): Promise<void> {
    const bar = this.chart.bars.value()[index];
    if (bar !== undefined) await this.lookAt(bar[0]);
  }

  /** Show the bar at a time in seconds, and look at it. */
  private async lookAt(time: number): Promise<void> {
    const { chart } = this;
    const shown = chart.view?.visibleBars();
    const at = chart.bars.value().findIndex((bar) => bar[0] === time);
    if (at < 0 || shown === null || shown === undefined || at < shown.from || at > shown.to) await chart.goTo(time);
    this.pinned = time;
    await frame(); // the chart scrolls then, and the crosshair would stay where it was
    if (this.pinned === time) chart.view?.point(time);
    this.place();
  }

  // breakpoints

  breakpointAt(line: number): Breakpoint | undefined {
    return this.breakpoints.value().find((one) => one.line === line);
  }

  toggle(line: number): void {
    const known = this.breakpointAt(line);
    if (known === undefined) this.setBreakpoint(line, '');
    else this.removeBreakpoint(known.id);
  }

  /** Set a breakpoint on a line, or the condition of the one that is there. */
  setBreakpoint(line: number, condition: string): void {
    const others = this.breakpoints.value().filter((one) => one.line !== line);
    const made: Breakpoint = { id: ++this.number, line, condition, times: null, problem: null };
    this.breakpoints.setValue([...others, made].sort((one, other) => one.line - other.line));
  }

  /** Set the breakpoints that were kept for the script in the editor, as soon as its new text is bound to it. */
  private takeBack(): void {
    const isFirst = !this.isTaking;
    this.isTaking = true;
    this.breakpoints.setValue([]);
    if (!isFirst) return;
    queueMicrotask(() => {
      const { key, model } = this.workspace.pine;
      const kept = placed(keptBreakpoints(key), model.getLinesContent());
      this.breakpoints.setValue(kept.map((one) => ({ ...one, id: ++this.number, times: null, problem: null })));
      this.isTaking = false;
    });
  }

  private keepSoon(): void {
    clearTimeout(this.keeping);
    if (!this.isTaking) this.keeping = window.setTimeout(() => this.keep(), SOON_MS);
  }

  /** Keep the breakpoints with the present text of their lines. */
  private keep(): void {
    const { key, model } = this.workspace.pine;
    if (this.isTaking) return;
    const all = this.breakpoints.value().filter(({ line }) => line <= model.getLineCount());
    keepBreakpoints(key, all.map(({ line, condition }) => ({ line, text: model.getLineContent(line).trim(), condition })));
  }

  removeBreakpoint(id: number): void {
    this.breakpoints.setValue(this.breakpoints.value().filter((one) => one.id !== id));
  }

  /** Ask the person for the condition of the breakpoint on a line. */
  askCondition(line: number): void {
    this.workspace.dialog.setValue({
      kind: 'name',
      title: `Condition of the breakpoint on line ${line}`,
      label: 'Condition, such as close > open',
      value: this.breakpointAt(line)?.condition ?? '',
      done: async (condition) => {
        const { study, request } = this.ofText();
        const answer = await server.inspect('hits', request(study), { line, condition });
        if ('refused' in answer) throw new Error(words(answer));
        this.setBreakpoint(line, condition);
      },
    });
  }

  /** Breakpoints stay at their text when it moves. */
  private moved(lines: ReadonlyMap<number, number>): void {
    const next = this.breakpoints.value().map((one) => {
      const line = lines.get(one.id) ?? one.line;
      return line === one.line ? one : { ...one, line };
    });
    const one = next.filter(({ line }, i) => next.findIndex((other) => other.line === line) === i);
    if (one.length !== next.length || next.some((each, i) => each !== this.breakpoints.value()[i])) this.breakpoints.setValue(one);
  }

  /** Look at the next (1) or the previous (-1) bar on which a breakpoint is hit. */
  async goToHit(by: 1 | -1): Promise<void> {
    const { time } = this;
    const all = this.breakpoints.value();
    const problem =
      all.length === 0 ? 'There are no breakpoints: click beside the number of a line.' : all.find((one) => one.problem !== null)?.problem;
    const waits = all.some((one) => one.times === null && one.problem === null);
    if (waits) await this.count();
    if (this.breakpoints.value().some((one) => one.times === null && one.problem === null)) {
      this.note.setValue(this.studyOfText() === null ? DIFFERS : 'The script is running: its hits are not known yet.');
      return;
    }
    const hits = this.breakpoints.value().flatMap(({ times, line }) => (times ?? []).map((at) => ({ at, line })));
    const beyond = hits.filter(({ at }) => time !== null && (by > 0 ? at > time : at < time));
    const [hit] = beyond.sort((one, other) => (one.at - other.at) * by || one.line - other.line);
    if (hit === undefined) {
      this.note.setValue(problem ?? (by > 0 ? 'No breakpoint is hit on a later bar.' : 'No breakpoint is hit on an earlier bar.'));
      return;
    }
    this.note.setValue('');
    await this.lookAt(hit.at);
    this.hitLine.setValue(hit.line);
  }

  // why

  /** Explain why an expression of the text in the editor has its value on the bar: at a line, in a call of its function. */
  async why(expression: string, line: number, call = ''): Promise<void> {
    const { time } = this;
    const title = `Why ${expression}`;
    if (time === null) return;
    await this.tell(title, async () => {
      const { study, request } = this.ofText();
      const answer = await server.inspect('why', request(study), { expression, time: time * 1000, line, call });
      return 'refused' in answer ? answer : { kind: 'why', answer };
    });
  }

  /** Tell the life of the order that entered or left a trade. */
  async whyTrade(study: Study, tested: Tested, trade: TestedTrade, end: TradeEnd): Promise<void> {
    const { chart } = this;
    await this.tell(`The order ${end.c}`, async () => {
      const fill = fillOf(tested.filledOrders, end);
      if (fill === undefined) return { refused: 'The run has no order that was filled at this time and price', line: null, hint: null };
      chart.marked.setValue(trade);
      if (study !== this.study.value()) this.choose(study);
      const answer = await server.inspect('order', chart.requestOf(study), { order: fill.id, time: fill.tm });
      return 'refused' in answer ? answer : { kind: 'order', answer };
    });
  }

  private async tell(title: string, ask: () => Promise<Told | RunRefusal>): Promise<void> {
    const round = ++this.asked;
    this.workspace.side.setValue('inspector');
    this.told.setValue({ kind: 'asking', title });
    const answer = await ask().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    if (round !== this.asked) return;
    if (answer instanceof Error) this.told.setValue({ kind: 'refused', title, problem: answer.message });
    else if ('refused' in answer) this.told.setValue({ kind: 'refused', title, problem: words(answer) });
    else this.told.setValue(answer);
  }

  // the run

  /** The study of the text in the editor. Throws an error with the reason if the chart has none. */
  private ofText(): { study: Study; request: (study: Study) => ReturnType<Chart['requestOf']> } {
    const { chart } = this;
    const study = this.studyOfText();
    if (study === null) throw new Error(chart.studies.value().length === 0 ? NO_SCRIPT : DIFFERS);
    return { study, request: (one) => ({ ...chart.requestOf(one), study: `${one.id} question` }) };
  }

  /** The text in the editor, read without the function of the page's contract, which faults can break. */
  private text(): string {
    const { model } = this.workspace.pine;
    return model.getValueInRange(model.getFullModelRange());
  }

  private studyOfText(): Study | null {
    const { pine } = this.workspace;
    const text = this.text();
    const same = this.chart.studies.value().filter(({ source }) => source === text);
    return same.find(({ scriptKey }) => scriptKey === pine.key) ?? same[0] ?? null;
  }

  private follow(): void {
    for (const stop of this.forget) stop();
    const { chart } = this;
    this.forget = [
      chart.studies.subscribe(() => {
        this.chosen = null;
        this.followStudies();
      }),
      chart.bars.subscribe((bars) => {
        if (this.pinned !== null && !bars.some((bar) => bar[0] === this.pinned)) this.unpin();
        this.drop();
        this.find();
      }),
      chart.pointed.subscribe((index) => {
        if (index !== null && this.isHovered) this.pinned = null;
        this.place();
      }),
    ];
    this.followStudies();
  }

  private followStudies(): void {
    for (const stop of this.forgetStudy) stop();
    const find = () => this.find();
    this.forgetStudy = this.chart.studies.value().flatMap((study) => [study.state.subscribe(find), study.result.subscribe(find)]);
    this.find();
  }

  /** Find the script to look into, drop values of another run, and ask for the ones that are wanted. */
  private find(): void {
    const studies = this.chart.studies.value();
    const ofText = this.studyOfText();
    const study = this.chosen ?? ofText ?? this.chart.studyOfScript(this.workspace.pine.key) ?? studies.at(-1) ?? null;
    const isText = study !== null && study.source === this.text();
    const key = study === null ? '' : JSON.stringify(this.chart.requestOf(study));
    if (key !== this.known) this.drop();
    this.known = key;
    this.study.setValue(study);
    this.isText.setValue(isText);
    this.place();
    if (study === null) this.values.setValue({ kind: 'failed', problem: NO_SCRIPT });
    else if (this.values.value().kind !== 'known') this.askSoon();
  }

  /** Forget everything about a run: its values, and the hits of breakpoints. */
  private drop(): void {
    this.round += 1;
    this.values.setValue(NONE);
    const all = this.breakpoints.value();
    if (all.some((one) => one.times !== null || one.problem !== null)) {
      this.breakpoints.setValue(all.map((one) => ({ ...one, times: null, problem: null })));
    } else this.countSoon();
  }

  private unpin(): void {
    this.pinned = null;
    this.chart.view?.point(null);
  }

  /** Choose the bar: the one under the pointer, the one that was chosen, or the last one. */
  private place(): void {
    const bars = this.chart.bars.value();
    const pinned = this.pinned === null ? -1 : bars.findIndex((bar) => bar[0] === this.pinned);
    const pointed = this.chart.pointed.value();
    const isPointed = pointed !== null && pointed < bars.length && (this.isHovered || this.pinned === null);
    this.bar.setValue(isPointed ? pointed : pinned >= 0 ? pinned : bars.length - 1);
    if (this.time !== this.pinned) this.hitLine.setValue(null);
    const values = this.values.value();
    if (values.kind === 'known' && !isIn(values.run, this.bar.value()) && mayBeIn(values.run, this.bar.value())) this.askSoon();
  }

  /** Whether the pointer is on the chart. */
  private get isHovered(): boolean {
    return this.chart.view?.element.matches(':hover') === true;
  }

  private get isWanted(): boolean {
    return this.viewers > 0 || (inlineValues.value() && this.workspace.pine.mounted.value());
  }

  private askSoon(): void {
    clearTimeout(this.timer);
    if (this.isWanted) this.timer = window.setTimeout(() => void this.ask(), SOON_MS);
  }

  private async ask(): Promise<void> {
    const { chart } = this;
    const study = this.study.value();
    if (study === null || !this.isWanted || study.state.value().kind === 'running') return; // the run of the chart comes first
    const round = ++this.round;
    if (this.values.value().kind !== 'known') this.values.setValue(LOADING);
    const bars = chart.bars.value();
    const shown = chart.view?.visibleBars();
    const at = this.bar.value();
    const isSeen = shown !== null && shown !== undefined && at >= shown.from && at <= shown.to;
    const about = isSeen ? { first: Math.max(0, Math.floor(shown.from)), last: Math.max(0, Math.ceil(shown.to)) } : { first: at, last: at };
    const answer = await server
      .inspect('values', { ...chart.requestOf(study), study: `${study.id} inspector` }, about)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    if (round !== this.round) return;
    if (answer instanceof Error) this.values.setValue({ kind: 'failed', problem: answer.message });
    else if ('refused' in answer) this.values.setValue({ kind: 'failed', problem: words(answer) });
    else if (answer.shows[0] !== bars[0]?.[0] || answer.shows.at(-1) !== bars.at(-1)?.[0]) {
      this.values.setValue({ kind: 'failed', problem: 'The chart shows other bars than the script ran on.' });
    } else this.values.setValue({ kind: 'known', run: answer });
  }

  private counting = 0;

  private countSoon(): void {
    clearTimeout(this.counting);
    if (this.breakpoints.value().some((one) => one.times === null && one.problem === null)) {
      this.counting = window.setTimeout(() => void this.count(), SOON_MS);
    }
  }

  /** Ask on which bars the breakpoints are hit that have not been asked about. */
  private async count(): Promise<void> {
    for (const one of this.breakpoints.value()) {
      if (one.times !== null || one.problem !== null) continue;
      const study = this.studyOfText();
      if (study === null || study.state.value().kind === 'running') return; // asked again when it has run
      const bars = this.chart.bars.value();
      const request = { ...this.chart.requestOf(study), study: `${study.id} breakpoint ${one.id}` };
      const answer = await server
        .inspect('hits', request, { line: one.line, condition: one.condition })
        .catch((error: unknown) => ({ refused: error instanceof Error ? error.message : String(error), line: null, hint: null }));
      if (this.chart.bars.value() !== bars || this.studyOfText() !== study) return;
      const told = this.breakpoints.value().map((each) => (each.id === one.id ? counted(each, answer) : each));
      this.breakpoints.setValue(told.filter(({ line }, i) => told.findIndex((other) => other.line === line) === i));
    }
  }
}

/** Wait until the screen has been drawn twice. */
const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));

/** The breakpoint with the answer about its hits, on the line where it really is. */
function counted(one: Breakpoint, answer: RunRefusal | { line: number | null; times: number[]; error: string | null }): Breakpoint {
  if ('refused' in answer) return { ...one, problem: words(answer) };
  if (answer.line === null) return { ...one, problem: `There is no code on line ${one.line} or after it.` };
  return { ...one, line: answer.line, times: answer.times, problem: answer.times.length === 0 ? answer.error : null };
}

const words = ({ refused, hint }: RunRefusal): string => `${[refused, hint].filter(Boolean).join('. ')}.`.replace('..', '.');

/** The order that was filled at the entry or the exit of a trade. */
function fillOf(fills: readonly FilledOrder[], { tm, p, c }: TradeEnd): FilledOrder | undefined {
  const there = fills.filter((fill) => fill.tm === tm && fill.p === p);
  return there.find((fill) => fill.id === c || fill.c === c) ?? there[0];
}

const isIn = ({ first, last }: RecordedRun, bar: number): boolean => bar >= first && bar <= last;

/** Whether a bar that is not in an answer has values that could be asked for. */
const mayBeIn = ({ kept, ended }: RecordedRun, bar: number): boolean => bar >= kept && bar <= ended;

/** The number of the last change at or before a bar. */
function placeOf({ bars }: RecordedName, bar: number): number {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle] ?? 0) <= bar) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value of a name on a bar: null if its code did not run, undefined if it is not known. */
export function valueAt(run: RecordedRun, name: RecordedName, bar: number): string | null | undefined {
  if (bar === run.first - 1) return name.before;
  return isIn(run, bar) ? name.texts[placeOf(name, bar)] : undefined;
}

export function rowAt(run: RecordedRun, name: RecordedName, bar: number): NameRow {
  const place = placeOf(name, bar);
  const since = !isIn(run, bar) ? undefined : place > 0 ? name.bars[place] : name.since;
  return { name, value: valueAt(run, name, bar), previous: valueAt(run, name, bar - 1), since };
}

/** A value for people. */
export const shownText = (value: string | null | undefined): string => (value === undefined ? '—' : value === null ? 'did not run' : value);

/** The values of each line, by the number of the line: of its names, or of its calls if it has no names. */
export function byLine(run: RecordedRun): Map<number, RecordedName[]> {
  const found = new Map<number, RecordedName[]>();
  for (const name of run.names) {
    if (name.line > 0) found.set(name.line, [...(found.get(name.line) ?? []), name]);
  }
  for (const [line, names] of found) {
    const own = names.filter(({ call }) => !call);
    if (own.length > 0) found.set(line, own);
  }
  return found;
}

const MOST_COPIES = 3;
const LONGEST = 90;

/** The text at the end of a line: a function has a value for each of its calls. */
export function lineText(run: RecordedRun, names: readonly RecordedName[], bar: number): string {
  const byName = new Map<string, (string | null | undefined)[]>();
  for (const name of names) byName.set(name.name, [...(byName.get(name.name) ?? []), valueAt(run, name, bar)]);
  const parts = [...byName]
    .filter(([, values]) => values.some((value) => value !== undefined))
    .map(([name, values]) => {
      const first = values.slice(0, MOST_COPIES).map(shownText).join(' · ');
      return `${name} = ${first}${values.length > MOST_COPIES ? ` · … (${values.length} calls)` : ''}`;
    });
  const text = parts.join(', ').replace(/\s+/g, ' ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
