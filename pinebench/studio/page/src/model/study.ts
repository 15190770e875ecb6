// One study on a chart: a Pine script of the studio's or from the editor, with its inputs and what its last run left.
import { server, type InputData, type InputDefinition, type Indicator, type MetaInfo, type RunError, type RunRequest, type RunResult, type Tested } from '../server';
import { Watched } from '../watched';
import { completed, inputText, problemOf, shownInput } from './inputs';
import { DISPLAY, plotsOf, type Plot, type ShownAt } from './plots';
import { shifted } from './shifted';
import { WHOLE_STUDY, withStyles, type Styles } from './styles';
import { Turns } from './turns';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An id like TradingView's: six letters and digits. */
export function newEntityId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

export interface InputValue {
  id: string;
  value: unknown;
}

/** A study as it is stored for a reload. */
export interface KeptStudy {
  id: string;
  meta: MetaInfo;
  source: string;
  definitions: readonly InputDefinition[];
  scriptKey: string | null;
  inputs: readonly InputValue[];
  visible: boolean;
  properties?: Properties;
  styles?: Styles;
  kinds?: readonly Kind[];
  label?: string;
  place?: StudyPlace;
}

/** Whether a stored study still has the script that draws it. */
export const isDrawable = ({ source, definitions }: Pick<KeptStudy, 'source' | 'definitions'>): boolean =>
  typeof source === 'string' && Array.isArray(definitions);

/**
 * The place of a study: as its script declares, on the prices with their scale, with that scale in percent, with a
 * separate scale on the left, or in a separate pane.
 */
export type StudyPlace = 'script' | 'prices' | 'percent' | 'left' | 'pane';

/** Values that replace arguments of a strategy's declaration, by their names. */
export type Properties = Readonly<Record<string, string | number | boolean>>;

/** The kinds of intervals on which a study is shown. */
export const KINDS = ['Minutes', 'Hours', 'Days', 'Weeks', 'Months'] as const;
export type Kind = (typeof KINDS)[number];

export function kindOf(resolution: string): Kind {
  const units: Record<string, Kind> = { D: 'Days', W: 'Weeks', M: 'Months' };
  return units[resolution.slice(-1)] ?? (Number(resolution) >= 60 ? 'Hours' : 'Minutes');
}

/** The state of a study's values; `problem` says why there are none. */
export type StudyState = { kind: 'running' } | { kind: 'done' } | { kind: 'failed'; problem: string; line: number | null; offer: RunError['offer'] };

/** A run that was requested; `done` is called when it has ended, or when another one has replaced it. */
interface Job {
  request: RunRequest;
  times: readonly number[];
  round: number;
  wanted: string;
  done: () => void;
}

/** The number of runs that are requested at the same time; browsers have six connections to a server. */
const turns = new Turns(4);
/** A run is cancelled after this number of milliseconds if the same study must run again. */
const PATIENCE_MS = 2000;

const RUNNING: StudyState = { kind: 'running' };
const DONE: StudyState = { kind: 'done' };

/** The name of the indicator that draws another symbol. */
export const COMPARE = 'Compare';

export class Study {
  readonly visible = new Watched(true);
  readonly inputs: Watched<readonly InputValue[]>;
  readonly properties = new Watched<Properties>({});
  readonly styles = new Watched<Styles>({});
  readonly kinds = new Watched<readonly Kind[]>(KINDS);
  /** The user's name for the study; empty if the script's name is shown. */
  readonly label = new Watched('');
  readonly place = new Watched<StudyPlace>('script');
  /** The result of the last run; it stays visible while the next run is in progress. */
  readonly result = new Watched<RunResult | null>(null);
  readonly state = new Watched<StudyState>(RUNNING);
  /** The plots of the last successful run, even if it does not belong to what the chart shows. */
  plotted: readonly Plot[] = [];
  private round = 0;
  private raw: RunResult | null = null;
  /** The request of the newest run, without the present time of a replay. */
  private wanted = '';
  private next: Job | null = null;
  private asking = false;
  private underWay: { since: number; abort: AbortController } | null = null;

  private constructor(
    public meta: MetaInfo,
    public source: string,
    public definitions: readonly InputDefinition[],
    /** The key of its script in the editor; null for an indicator of the studio. */
    public scriptKey: string | null,
    inputs: readonly InputValue[],
    readonly id = newEntityId(),
  ) {
    this.inputs = new Watched(inputs);
  }

  static ofIndicator({ metaInfo, source, inputs }: Indicator, values: Record<string, unknown>): Study {
    const study = new Study(metaInfo, source, inputs, null, defaults(inputs));
    study.setInputs(Object.entries(values).map(([id, value]) => ({ id, value })));
    return study;
  }

  /** A study of the script that has the key `scriptKey` in the editor. */
  static ofScript(meta: MetaInfo, source: string, definitions: readonly InputDefinition[], scriptKey: string, id?: string): Study {
    return new Study(meta, source, definitions, scriptKey, defaults(definitions), id);
  }

  /** The stored study; null if its source does not exist any more. */
  static ofKept({ id, meta, source, definitions, scriptKey, inputs, visible, properties, styles, kinds, label, place }: KeptStudy): Study | null {
    if (!isDrawable({ source, definitions })) return null;
    const study = new Study(meta, source, definitions.map(completed), scriptKey, inputs, id);
    study.visible.setValue(visible);
    study.properties.setValue(properties ?? {});
    study.styles.setValue(styles ?? {});
    study.kinds.setValue(kinds ?? KINDS);
    study.label.setValue(label ?? '');
    study.place.setValue(place ?? 'script');
    return study;
  }

  kept(): KeptStudy {
    const { id, meta, source, definitions, scriptKey } = this;
    const look = { properties: this.properties.value(), styles: this.styles.value(), kinds: this.kinds.value(), label: this.label.value(), place: this.place.value() };
    return { id, meta, source, definitions, scriptKey, inputs: this.inputs.value(), visible: this.visible.value(), ...look };
  }

  /** Use another text of the same script. Inputs that it still has keep their values. */
  become(meta: MetaInfo, source: string, definitions: readonly InputDefinition[]): void {
    const before = this.definitions;
    const kept = this.inputs.value().filter(({ id }) => {
      const [old, now] = [before, definitions].map((list) => list.find((one) => one.id === id));
      return old !== undefined && now !== undefined && old.name === now.name && old.type === now.type;
    });
    const changed = kept.filter(({ id, value }) => before.find((one) => one.id === id)?.defval !== value);
    Object.assign(this, { meta, source, definitions });
    this.inputs.setValue(defaults(definitions));
    this.setInputs(changed);
  }

  get name(): string {
    return this.meta.description === '' ? 'Untitled script' : this.meta.description;
  }

  get shortName(): string {
    return this.meta.shortDescription === '' ? this.name : this.meta.shortDescription;
  }

  get isBuiltIn(): boolean {
    return this.scriptKey === null;
  }

  /** The name in legends and lists: the user's name for the study, or the script's name with its inputs. */
  get title(): string {
    const label = this.label.value();
    if (label === '' && this.isCompared) return inputText(this.inputs.value().find(({ id }) => id === 'symbol')?.value);
    return label !== '' ? label : [this.shortName, this.argumentText].filter((part) => part !== '').join(' ');
  }

  /** Whether the study draws another symbol. */
  get isCompared(): boolean {
    return this.isBuiltIn && this.name === COMPARE;
  }

  get ownPane(): boolean {
    const place = this.place.value();
    if (place !== 'script') return place === 'pane';
    return !(this.result.value()?.declared.overlay ?? this.meta.is_price_study);
  }

  /** The scale that the script asks for if it is not the scale of the prices: on the left, or invisible. */
  get ownScale(): 'left' | 'none' | null {
    const place = this.place.value();
    if (place !== 'script' && place !== 'pane') return place === 'left' ? 'left' : null;
    const scale = this.result.value()?.declared.scale;
    return scale === 'scale.left' ? 'left' : scale === 'scale.none' ? 'none' : null;
  }

  /** The values after the name in the legend: "14", "12 26 9". */
  get argumentText(): string {
    if (this.styles.value()[WHOLE_STUDY]?.inputs === false) return '';
    return this.inputsAt('statusLine')
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join(' ');
  }

  /** The inputs whose values are shown at a place, with their values. */
  inputsAt(place: ShownAt): { name: string; text: string }[] {
    const values = new Map(this.inputs.value().map(({ id, value }) => [id, value]));
    return this.definitions
      .filter((definition) => (definition.display & DISPLAY[place]) !== 0)
      .map((definition) => ({ name: definition.name, text: shownInput(definition, values.get(definition.id)) }));
  }

  /** The plots of the last run; none if no run belongs to what the chart shows. */
  plots(): readonly Plot[] {
    return this.state.value().kind === 'done' ? this.plotted : [];
  }

  /** The last run if it belongs to what the chart shows, otherwise null. */
  fresh(): RunResult | null {
    return this.state.value().kind === 'done' ? this.result.value() : null;
  }

  get isStrategy(): boolean {
    return this.meta.isTVScriptStrategy;
  }

  /** The results of a strategy on the bars that the chart shows; null if they are not known. */
  tested(): Tested | null {
    return this.fresh()?.tested ?? null;
  }

  /** Keep what the last run showed at its bars while the study runs again with older bars, which open at `times`. */
  shift(times: readonly number[]): void {
    const { raw } = this;
    if (raw === null || this.state.value().kind === 'failed') {
      this.forget();
      return;
    }
    this.round += 1;
    this.wanted = '';
    this.raw = shifted(raw, times);
    this.state.setValue(RUNNING);
    this.result.setValue(withStyles(this.raw, this.styles.value()));
  }

  /** Drop the last run, because it was on other bars. */
  forget(): void {
    this.round += 1;
    this.wanted = '';
    this.state.setValue(RUNNING);
    this.result.setValue(null);
  }

  /** The request to run on bars with the present inputs. */
  request(asked: Omit<RunRequest, 'source' | 'inputs' | 'study' | 'properties'>): RunRequest {
    return { ...asked, ...this.asks() };
  }

  /** Run on the requested bars. Resolve when the run is done, or when a later run has replaced it. */
  run(asked: Omit<RunRequest, 'source' | 'inputs' | 'study' | 'properties'>, times: readonly number[]): Promise<void> {
    const round = ++this.round;
    const request = this.request(asked);
    this.wanted = JSON.stringify({ ...request, until: null });
    this.state.setValue(RUNNING);
    return new Promise((done) => {
      this.next?.done();
      this.next = { request, times, round, wanted: this.wanted, done };
      if (!this.asking) void this.ask();
      else this.giveUpLate();
    });
  }

  /**
   * Do the requested runs one after another until there are none. In a fast replay, do only the newest of those that
   * were requested meanwhile.
   */
  private async ask(): Promise<void> {
    this.asking = true;
    while (this.next !== null) {
      await turns.take(async () => {
        const job = this.next;
        this.next = null;
        if (job !== null && job.round === this.round) await this.perform(job);
        job?.done();
      });
    }
    this.asking = false;
  }

  private async perform({ request, times, round, wanted }: Job): Promise<void> {
    const abort = new AbortController();
    this.underWay = { since: performance.now(), abort };
    const answer = await server.run(request, abort.signal).catch((error: unknown) => error);
    this.underWay = null;
    if (round === this.round) {
      if (answer instanceof Error) this.fail(answer.message);
      else this.take(answer as Awaited<ReturnType<typeof server.run>>, times);
    } else if (this.wanted === wanted && isResult(answer)) {
      this.result.setValue(withStyles(answer, this.styles.value())); // of a replay that went on meanwhile: nearer to what it shows than what there was
    }
  }

  /** End the run that is in progress. */
  stop(): void {
    if (this.state.value().kind !== 'running') return;
    this.underWay?.abort.abort();
    void server.stop(this.id).catch(() => undefined);
    this.fail('You stopped the run.');
  }

  /** Let the next run start without waiting for a slow one, which the server cancels too. */
  private giveUpLate(): void {
    const { underWay } = this;
    if (underWay === null) return;
    const left = Math.max(0, underWay.since + PATIENCE_MS - performance.now());
    setTimeout(() => {
      if (this.underWay === underWay && this.next !== null) underWay.abort.abort();
    }, left);
  }

  private take(answer: Awaited<ReturnType<typeof server.run>>, times: readonly number[]): void {
    if ('refused' in answer) {
      this.fail([answer.refused, answer.hint].filter(Boolean).join('. '), answer.line);
    } else if (answer.times.length !== times.length || answer.times.some((time, i) => time !== times[i])) {
      this.fail('The chart shows other bars than the script ran on.');
    } else if (answer.error !== null) {
      this.fail([answer.error.message, answer.error.hint ?? ''].filter(Boolean).join('. '), answer.error.line, answer);
    } else {
      this.raw = answer;
      this.state.setValue(DONE);
      this.dress();
    }
  }

  /** Show the last run in the colours that the user chose. */
  dress(): void {
    if (this.raw === null || this.state.value().kind !== 'done') return;
    const shown = withStyles(this.raw, this.styles.value());
    this.plotted = plotsOf(shown);
    this.result.setValue(shown);
  }

  /** The run with the script's own colours. */
  undressed(): RunResult | null {
    return this.state.value().kind === 'done' ? this.raw : null;
  }

  /** The part of a request for its run that concerns the script. */
  asks(): Pick<RunRequest, 'source' | 'inputs' | 'study' | 'properties'> {
    return { source: this.source, inputs: this.changedInputs(), study: this.id, ...this.trading() };
  }

  private trading(): { properties?: Properties } {
    const properties = this.properties.value();
    return this.isStrategy && Object.keys(properties).length > 0 ? { properties } : {};
  }

  /** Say why there is nothing to show. The result of a run in progress is ignored. */
  fail(problem: string, line: number | null = null, result: RunResult | null = null): void {
    this.round += 1;
    this.state.setValue({ kind: 'failed', problem, line, offer: result?.error?.offer });
    this.result.setValue(result);
  }

  /** The inputs whose value differs from the script's default. */
  private changedInputs(): Record<string, InputData> {
    const given = new Map(this.definitions.map(({ id, defval }) => [id, defval]));
    const changed = this.inputs.value().filter(({ id, value }) => value !== null && value !== given.get(id));
    return Object.fromEntries(changed.map(({ id, value }) => [id, value as InputData]));
  }

  /** Change inputs by their ids. Unknown inputs and invalid values are ignored. */
  setInputs(changes: readonly InputValue[]): void {
    const changed = new Map(changes.map(({ id, value }) => [id, value]));
    const next = this.inputs.value().map((input) => {
      const definition = this.definitions.find((one) => one.id === input.id);
      if (definition === undefined || !changed.has(input.id)) return input;
      const value = changed.get(input.id);
      return problemOf(definition, value) === null ? { id: input.id, value } : input;
    });
    if (next.some(({ value }, i) => value !== this.inputs.value()[i]?.value)) this.inputs.setValue(next);
  }
}

const isResult = (answer: unknown): answer is RunResult =>
  !(answer instanceof Error) && typeof answer === 'object' && answer !== null && 'outputs' in answer && (answer as RunResult).error === null;

const defaults = (definitions: readonly InputDefinition[]): InputValue[] => definitions.map(({ id, defval }) => ({ id, value: defval }));
