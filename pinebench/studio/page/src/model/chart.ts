// One chart: its symbol, resolution, bars and studies, whoever changes them.
import { faults } from '../faults';
import { BARS, server, ServerError, type Bar, type CheckAnswer, type RunRequest, type SymbolInfo, type TestedTrade } from '../server';
import { Watched } from '../watched';
import { lookOf, PLAIN_LOOK, type ChartLook } from './chartLook';
import { findIndicator } from './indicators';
import { theme, timeZone } from './preferences';
import { isIntraday, normalResolution } from './resolution';
import { Shape, type KeptShape, type ShapePoint } from './shapes';
import { COMPARE, isDrawable, KINDS, kindOf, newEntityId, Study, type KeptStudy } from './study';
import { dateText, zoneFor } from './zones';

export interface TimeRange {
  from: number;
  to: number;
}

/** The functions of the drawn chart for its model; set while the chart is on the screen. */
export interface ChartView {
  visibleRange: () => TimeRange | null;
  visibleBars: () => TimeRange | null;
  showBars: (first: number, last: number) => void;
  point: (time: number | null) => void;
  picture: () => HTMLCanvasElement;
  element: HTMLElement;
  /** The keys of the drawing tools, and the points of a drawing at another place. */
  pencil: {
    key: (event: { key: string; shiftKey: boolean }) => boolean;
    moved: (shape: Shape, bars: number, pixels: number) => ShapePoint[];
  };
}

/** TradingView's chart types by number. A type whose bars the studio does not compute is refused by its name. */
export const CHART_TYPES: readonly { id: number; name: string; drawn?: false }[] = [
  { id: 0, name: 'Bars' },
  { id: 1, name: 'Candles' },
  { id: 9, name: 'Hollow candles' },
  { id: 8, name: 'Heikin Ashi' },
  { id: 2, name: 'Line' },
  { id: 3, name: 'Area' },
  { id: 4, name: 'Renko', drawn: false },
  { id: 5, name: 'Kagi', drawn: false },
  { id: 6, name: 'Point & figure', drawn: false },
  { id: 7, name: 'Line break', drawn: false },
  { id: 11, name: 'Range', drawn: false },
];

/** Why a chart type cannot be shown; null if it can. */
export function refusalOf(type: number): string | null {
  const known = CHART_TYPES.find(({ id }) => id === type);
  const offered = CHART_TYPES.filter(({ drawn }) => drawn !== false).map(({ id, name }) => `${id} (${name})`).join(', ');
  if (known === undefined) return `there is no chart of type ${type}, but ${offered}`;
  if (known.drawn !== false) return null;
  return `${known.name} charts are not drawn here: their bars are made of prices, not of time, and the studio does not compute them. There are ${offered}`;
}

/** The losses when a stored chart is opened, as sentences; empty if all of it can be shown. */
export function lossesOf({ symbol, type, studies }: KeptChart): string[] {
  const refusal = refusalOf(type);
  const gone = studies.filter((kept) => !isDrawable(kept)).map(({ meta }) => `${symbol} opens without the study "${meta.description}": its script was not stored`);
  return refusal === null ? gone : [`${symbol} opens as candles: ${refusal}`, ...gone];
}

/** Heikin Ashi: its bars are computed, and everything reads the computed bars. */
export const HEIKIN_ASHI = 8;

export type ScaleMode = 'regular' | 'log' | 'percent' | 'indexed';

/** The scale of the prices. `auto` means that it fits the visible bars. */
export interface Scale {
  mode: ScaleMode;
  inverted: boolean;
  auto: boolean;
  /** Whether prices and bars keep their ratio: more bars in the same room show more prices, too. */
  locked: boolean;
}

const PLAIN_SCALE: Scale = { mode: 'regular', inverted: false, auto: true, locked: false };

/** A chart as it is stored for a reload. */
export interface KeptChart {
  symbol: string;
  resolution: string;
  type: number;
  studies: KeptStudy[];
  shapes?: KeptShape[];
  scale?: Partial<Scale>;
  look?: Partial<ChartLook>;
}

/** The number of older bars that one request loads. */
const OLDER = 1000;
const MOST_AT_ONCE = 20_000;

/** The time in milliseconds that callers wait for the first values of a study. */
const MOMENT_MS = 2000;

/** The colours of compared symbols, in this order. */
const COMPARE_COLORS: readonly number[] = [0xe0a94bff, 0xc77dffff, 0x5a9cf8ff, 0xe05a9aff, 0x8bc34aff];

/** The list after `one` has changed places with its neighbour, among the elements that `counts` accepts. */
function moved<T>(all: readonly T[], one: T, by: -1 | 1, counts: (other: T) => boolean): T[] {
  const order = all.filter(counts);
  const other = order[order.indexOf(one) + by];
  if (other === undefined) return [...all];
  return all.map((each) => (each === one ? other : each === other ? one : each));
}

export class StudyLimitReached extends Error {}

export class Chart {
  readonly symbol: Watched<string>;
  readonly resolution: Watched<string>;
  readonly type = new Watched(1);
  readonly scale = new Watched<Scale>(PLAIN_SCALE);
  readonly look = new Watched<ChartLook>(PLAIN_LOOK);
  readonly info = new Watched<SymbolInfo | null>(null);
  readonly bars = new Watched<readonly Bar[]>([]);
  readonly loading = new Watched(true);
  /** Whether the name is of another symbol or resolution than the bars. */
  readonly ahead = new Watched(false);
  readonly problem = new Watched<string | null>(null);
  readonly studies = new Watched<readonly Study[]>([]);
  readonly shapes = new Watched<readonly Shape[]>([]);
  /** The trade of a strategy that is marked; null if none is. */
  readonly marked = new Watched<TestedTrade | null>(null);
  /** The index of the bar under the pointer; null if there is none. */
  readonly pointed = new Watched<number | null>(null);
  /** A number that increases whenever a study changes. */
  readonly changed = new Watched(0);
  /** A number that increases just before studies or drawings are removed. */
  readonly removing = new Watched(0);
  view: ChartView | null = null;

  private loaded: readonly Bar[] = [];
  /** The number of bars that were requested, and whether there are older ones. */
  private count = BARS;
  /** Whether the loaded bars are Heikin Ashi bars. */
  private averaged = false;
  private more = false;
  private older: Promise<void> | null = null;
  private until: number | null = null;
  private wanted: { symbol: string; resolution: string };
  private round = 0;
  private inPercent = false;
  private beforePercent: ScaleMode = 'regular';
  private pending: Promise<void> | null = null;

  constructor(symbol: string, resolution: string) {
    this.symbol = new Watched(symbol);
    this.resolution = new Watched(resolution);
    this.wanted = { symbol, resolution };
    this.studies.subscribe(() => this.followPercent());
    this.scale.subscribe(() => this.tell());
    this.look.subscribe(() => this.tell());
    this.resolution.subscribe(() => {
      for (const study of this.studies.value()) if (study.kinds.value().length < KINDS.length) this.showByKind(study);
    });
    void this.load();
  }

  static ofKept({ symbol, resolution, type, studies, shapes = [], scale, look }: KeptChart): Chart {
    const chart = new Chart(symbol, resolution);
    if (refusalOf(type) === null) chart.type.setValue(type);
    chart.look.setValue(lookOf(look));
    if (scale !== undefined) chart.scale.setValue({ ...PLAIN_SCALE, ...scale });
    for (const kept of studies) {
      const study = Study.ofKept(kept);
      if (study !== null) chart.put(study);
    }
    for (const kept of shapes) chart.addShape(Shape.ofKept(kept));
    return chart;
  }

  /** The time zone by which its bars are dated: the one that was chosen, else the exchange's. */
  get zone(): string {
    return zoneFor(this.resolution.value(), this.info.value()?.timezone ?? '', timeZone.value());
  }

  /** A moment in milliseconds as panels write it. */
  momentText(ms: number): string {
    return dateText(Math.floor(ms / 1000), this.zone, true);
  }

  /** The time of a bar in milliseconds as panels write it: bars of a day or longer have a date only. */
  barText(ms: number): string {
    return dateText(Math.floor(ms / 1000), this.zone, isIntraday(this.resolution.value()));
  }

  kept(): KeptChart {
    const studies = this.studies.value().map((study) => study.kept());
    const shapes = this.shapes.value().map((shape) => shape.kept());
    return { ...this.wanted, type: this.type.value(), studies, shapes, scale: this.scale.value(), look: this.look.value() };
  }

  /** Like `kept`, but with changes that have not reached the chart yet. */
  shown(): KeptChart {
    return { ...this.kept(), symbol: this.symbol.value(), resolution: this.resolution.value() };
  }

  /** All loaded bars, including the bars after the present time of a replay. */
  every(): readonly Bar[] {
    return this.loaded;
  }

  /** Add older bars before the loaded ones. Do nothing if there are none. */
  loadOlder(): Promise<void> {
    this.older ??= this.fetchOlder(OLDER).finally(() => {
      this.older = null;
    });
    return this.older;
  }

  /**
   * Load older bars until they reach back to a time in seconds, or until there are as many as one jump may load. A symbol
   * or an interval that is loaded now comes first.
   */
  async loadBackTo(time: number): Promise<void> {
    await this.untilLoaded();
    while (this.more && this.count < MOST_AT_ONCE && (this.loaded[0]?.[0] ?? time) > time) {
      const before = this.loaded;
      await (this.older ?? this.fetchOlder(this.count));
      if (this.loaded === before) return;
    }
  }

  /**
   * Show the bar that is open at a time in seconds in the middle. Load older bars if the time is before the loaded
   * bars.
   */
  async goTo(time: number): Promise<void> {
    await this.loadBackTo(time);
    const after = this.bars.value().findIndex((bar) => bar[0] > time);
    const at = (after < 0 ? this.bars.value().length : after) - 1;
    const shown = this.view?.visibleBars();
    if (shown === null || shown === undefined || this.bars.value().length === 0) return;
    const half = Math.max(10, (shown.to - shown.from) / 2);
    this.view?.showBars(Math.max(at, 0) - half, Math.max(at, 0) + half);
  }

  /** Show the entry of a trade, and mark its bars. */
  async showTrade(trade: TestedTrade): Promise<void> {
    this.marked.setValue(trade);
    await this.goTo(Math.floor(trade.e.tm / 1000));
  }

  /** Show the bars from a time in seconds to the newest one; null shows all bars. */
  async showSince(time: number | null): Promise<void> {
    await this.loadBackTo(time ?? 0);
    const first = this.bars.value().findIndex((bar) => bar[0] >= (time ?? 0));
    if (first >= 0) this.view?.showBars(first, this.bars.value().length + 1);
  }

  /** Show the newest bars, as many as are on the screen now. */
  goToEnd(): void {
    const shown = this.view?.visibleBars();
    if (shown === null || shown === undefined) return;
    const end = this.bars.value().length - 1 + this.look.value().margin;
    this.view?.showBars(end - (shown.to - shown.from), end);
  }

  /** Show the newest bars if the last one is not on the screen. */
  findEnd(): void {
    const shown = this.view?.visibleBars();
    const last = this.bars.value().length - 1;
    if (shown !== null && shown !== undefined && (last < shown.from || last > shown.to)) this.goToEnd();
  }

  /** Hide the bars after a time in seconds; null shows all of them again. */
  replayUntil(time: number | null): Promise<void> {
    this.until = time;
    return this.showBars();
  }

  addShape(shape: Shape): void {
    const tell = () => this.tell();
    for (const watched of [shape.points, shape.properties, shape.visible, shape.locked]) {
      (watched as { subscribe: (listener: () => void) => unknown }).subscribe(tell);
    }
    this.shapes.setValue([...this.shapes.value(), shape]);
  }

  /** The drawings on the present symbol; drawings on other symbols, and in panes that are not there, are hidden and stay. */
  drawings(): readonly Shape[] {
    const symbol = this.symbol.value();
    const hasPane = (id: string) => this.studies.value().some((study) => study.id === id && study.ownPane);
    return this.shapes.value().filter((shape) => (shape.symbol === null || shape.symbol === symbol) && (shape.pane === null || hasPane(shape.pane)));
  }

  /** Remove the drawings on the present symbol; locked drawings stay, unless `locked` is true. */
  removeDrawings(locked = false): void {
    const gone = this.drawings().filter((shape) => locked || !shape.locked.value());
    this.tellRemoving();
    this.shapes.setValue(this.shapes.value().filter((shape) => !gone.includes(shape)));
  }

  /** Show exactly the stored drawings. Drawings without a change stay the same objects. */
  restoreShapes(kept: readonly KeptShape[]): void {
    const before = new Map(this.shapes.value().map((shape) => [JSON.stringify(shape.kept()), shape]));
    this.shapes.setValue([]);
    for (const one of kept) {
      const same = before.get(JSON.stringify(one));
      if (same === undefined) this.addShape(Shape.ofKept(one));
      else this.shapes.setValue([...this.shapes.value(), same]);
    }
  }

  /** Resolve when the change is on the chart, or when a later change has replaced it. */
  setSymbol(symbol: string): Promise<void> {
    this.wanted = { ...this.wanted, symbol };
    return this.loadSoon();
  }

  /** Like `setSymbol`; refuse a text that is not a resolution. */
  setResolution(resolution: string): Promise<void> {
    const normal = normalResolution(resolution);
    if (normal === null) return Promise.reject(new Error(`"${resolution}" is not a resolution`));
    this.wanted = { ...this.wanted, resolution: normal };
    return this.loadSoon();
  }

  /** Load the bars again, because they may have changed. */
  reload(): Promise<void> {
    return this.loadSoon();
  }

  /** Refuse a number that is not a chart type of TradingView, and a type that is not drawn here. */
  setType(type: number): void {
    const refusal = refusalOf(type);
    if (refusal !== null) throw new Error(refusal);
    const before = this.type.value();
    this.type.setValue(type);
    if ((before === HEIKIN_ASHI) !== (type === HEIKIN_ASHI)) void this.loadSoon();
  }

  /** Add an indicator to the chart. Resolve when it has values, or after a short wait if they take longer. */
  async addIndicator(name: string, values: Record<string, unknown>): Promise<Study> {
    const indicator = await findIndicator(name);
    if (indicator === undefined) throw new Error(`there is no indicator called "${name}"`);
    const known = indicator.inputs.map(({ id }, i) => [id, values[id] ?? values[`in_${i}`]] as const).filter(([, value]) => value !== undefined);
    const study = await this.add(Study.ofIndicator(indicator, Object.fromEntries(known)));
    if (study.isCompared) this.dressCompared(study, name.trim().toLowerCase() === 'overlay' ? 'left' : 'percent');
    return study;
  }

  /** Add a checked script to the chart in place of the study of the same script. Resolves like `addIndicator`. */
  async addScript({ metaInfo, inputs }: CheckAnswer, source: string, scriptKey: string, id?: string): Promise<Study> {
    const old = this.studyOfScript(scriptKey);
    if (old === undefined) return this.add(Study.ofScript(metaInfo, source, inputs, scriptKey, id));
    old.become(metaInfo, source, inputs);
    await this.run(old);
    this.studies.setValue([...this.studies.value()]);
    return old;
  }

  /** Let a script that will be added run while it is still checked. The result is the id for its study. */
  runAhead(source: string): string {
    const id = newEntityId();
    if (this.bars.value().length > 0) server.runAhead({ ...this.askedBars(), source, inputs: {}, study: id });
    return id;
  }

  studyOfScript(scriptKey: string): Study | undefined {
    return this.studies.value().find((study) => study.scriptKey === scriptKey);
  }

  /** Draw the closes of another symbol: in percent, with a scale on the left, or in a separate pane. */
  async compare(symbol: string, place: 'percent' | 'left' | 'pane'): Promise<Study> {
    const study = await this.addIndicator(COMPARE, { symbol });
    study.place.setValue(place);
    return study;
  }

  /** Give a compared symbol its colour and its place. */
  private dressCompared(study: Study, place: 'percent' | 'left'): void {
    const color = COMPARE_COLORS[(this.compared().length - 1) % COMPARE_COLORS.length] ?? 0;
    study.styles.setValue({ 'plot 1': { color } });
    study.place.setValue(place);
  }

  showVolume(shown: boolean): void {
    this.look.setValue({ ...this.look.value(), volume: shown ? 'shown' : 'hidden' });
  }

  /** Take volume off the chart, until the settings of the chart or a step back show it again. */
  removeVolume(): void {
    this.tellRemoving();
    this.look.setValue({ ...this.look.value(), volume: 'removed' });
  }

  /** The studies that draw other symbols. */
  compared(): readonly Study[] {
    return this.studies.value().filter((study) => study.isCompared);
  }

  /** Show the prices in percent while a study needs that. */
  private followPercent(): void {
    const wanted = this.studies.value().some((study) => study.place.value() === 'percent');
    const { mode } = this.scale.value();
    if (wanted && !this.inPercent) {
      this.beforePercent = mode;
      this.scale.setValue({ ...this.scale.value(), mode: 'percent' });
    } else if (!wanted && this.inPercent && mode === 'percent') {
      this.scale.setValue({ ...this.scale.value(), mode: this.beforePercent === 'percent' ? 'regular' : this.beforePercent });
    }
    this.inPercent = wanted;
  }

  /** Move a study up (-1) or down (1), among the studies on the prices or among those in panes. */
  moveStudy(study: Study, by: -1 | 1): void {
    this.studies.setValue(moved(this.studies.value(), study, by, (one) => one.ownPane === study.ownPane));
  }

  /** Put a drawing in front of all others (1) or behind them (-1); with `step`, move it past one drawing only. */
  moveShape(shape: Shape, by: -1 | 1, step = false): void {
    const here = this.drawings();
    if (step) {
      this.shapes.setValue(moved(this.shapes.value(), shape, by, (one) => here.includes(one)));
      return;
    }
    const others = this.shapes.value().filter((one) => one !== shape);
    this.shapes.setValue(by > 0 ? [...others, shape] : [shape, ...others]);
  }

  /** Whether there was a study or a drawing with this id. */
  remove(id: string): boolean {
    this.tellRemoving();
    const shapes = this.shapes.value().filter((shape) => shape.id !== id);
    if (shapes.length < this.shapes.value().length) {
      this.shapes.setValue(shapes);
      return true;
    }
    const left = this.studies.value().filter((study) => study.id !== id);
    const found = left.length < this.studies.value().length;
    if (found) this.studies.setValue(left);
    return found;
  }

  removeStudies(): void {
    this.tellRemoving();
    this.studies.setValue([]);
  }

  private tellRemoving(): void {
    this.removing.setValue(this.removing.value() + 1);
  }

  private async add(study: Study): Promise<Study> {
    this.refuseBeyondPlan();
    const bars = this.bars.value();
    await this.run(study);
    this.refuseBeyondPlan();
    this.put(study);
    if (this.bars.value() !== bars) {
      study.forget();
      await this.run(study);
    }
    return study;
  }

  private refuseBeyondPlan(): void {
    const limit = faults.studyLimit;
    if (limit > 0 && this.studies.value().length >= limit) {
      throw new StudyLimitReached(`your plan allows ${limit} ${limit === 1 ? 'indicator' : 'indicators'} per chart`);
    }
  }

  private put(study: Study): void {
    study.inputs.subscribe(() => {
      void this.run(study);
      this.tell();
    });
    study.visible.subscribe(() => this.tell());
    study.properties.subscribe(() => {
      void this.run(study);
      this.tell();
    });
    study.styles.subscribe(() => {
      study.dress();
      this.tell();
    });
    study.kinds.subscribe(() => {
      this.showByKind(study);
      this.tell();
    });
    study.label.subscribe(() => this.tell());
    study.place.subscribe(() => {
      this.followPercent();
      this.tell();
    });
    this.studies.setValue([...this.studies.value(), study]);
  }

  /** Show a study on its intervals, and hide it on others. */
  private showByKind(study: Study): void {
    study.visible.setValue(study.kinds.value().includes(kindOf(this.resolution.value())));
  }

  private tell(): void {
    this.changed.setValue(this.changed.value() + 1);
  }

  /** Run a study on the chart's bars. Resolve when it is done, or after a short wait. */
  private async run(study: Study): Promise<void> {
    const bars = this.bars.value();
    if (bars.length === 0) {
      study.fail('There are no bars to run on');
      return;
    }
    const moment = new Promise<void>((done) => setTimeout(done, MOMENT_MS));
    await Promise.race([study.run(this.askedBars(), bars.map((bar) => bar[0])), moment]);
  }

  /** The request for the run of a study on the bars that the chart shows now. */
  requestOf(study: Study): RunRequest {
    return study.request(this.askedBars());
  }

  /** The bars and the look for which scripts run, as the server is asked. */
  private askedBars(): Omit<RunRequest, 'source' | 'inputs' | 'study' | 'properties'> {
    const look = { heikinAshi: this.averaged, dark: theme.value() === 'dark' };
    return { symbol: this.symbol.value(), resolution: this.resolution.value(), count: this.count, until: this.until, look };
  }

  /** Run a study on the bars of the chart without adding it to the chart. */
  preview(study: Study): Promise<void> {
    return this.run(study);
  }

  private untilLoaded(): Promise<void> {
    if (!this.loading.value()) return Promise.resolve();
    return new Promise((done) => {
      const forget = this.loading.subscribe((isLoading) => {
        if (isLoading) return;
        forget();
        done();
      });
    });
  }

  /** Changes of symbol and resolution in a row are one change. */
  private loadSoon(): Promise<void> {
    this.loading.setValue(true);
    this.pending ??= Promise.resolve().then(() => {
      this.pending = null;
      return this.load();
    });
    return this.pending;
  }

  private async load(): Promise<void> {
    const round = ++this.round;
    const { symbol, resolution } = this.wanted;
    if (faults.stuckSymbol && this.bars.value().length > 0) {
      this.loading.setValue(false);
      return;
    }
    if (faults.question === 'replay' && this.bars.value().length > 0) {
      this.loading.setValue(false);
      return;
    }
    const started = performance.now();
    const averaged = this.type.value() === HEIKIN_ASHI;
    const answer = await server.bars(symbol, resolution, BARS, averaged).catch((error: unknown) => error);
    const rest = faults.slowSymbol - (performance.now() - started);
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    if (round !== this.round) return;
    if (answer instanceof ServerError || answer instanceof Error) {
      this.problem.setValue(answer instanceof ServerError && answer.status === 404 ? 'Invalid symbol' : answer.message);
      await this.show(symbol, resolution, null, [], false, round);
      return;
    }
    const found = answer as Awaited<ReturnType<typeof server.bars>>;
    const stale = faults.wrongSpacing && resolution !== this.resolution.value() && this.bars.value().length > 0;
    this.problem.setValue(found.bars.length === 0 ? 'No data at this resolution' : null);
    const [bars, more] = stale ? [this.bars.value(), false] : [found.bars, found.more];
    this.averaged = averaged;
    if (this.isOther(found.symbol.full_name, found.resolution) && !(await this.nameFirst(found.symbol, found.resolution, round))) return;
    await this.show(found.symbol.full_name, found.resolution, found.symbol, bars, more, round);
  }

  private isOther(symbol: string, resolution: string): boolean {
    const names = symbol !== this.symbol.value() || resolution !== this.resolution.value();
    return faults.nameFirst !== 0 && this.bars.value().length > 0 && (names || this.ahead.value());
  }

  /** Show the name of a symbol before its bars. The result is false if the bars never come, or belong to an older change. */
  private async nameFirst(info: SymbolInfo, resolution: string, round: number): Promise<boolean> {
    this.ahead.setValue(true);
    this.info.setValue(faults.infoFirst ? info : null);
    this.symbol.setValue(info.full_name);
    this.resolution.setValue(resolution);
    this.loading.setValue(false);
    if (faults.nameFirst < 0) return false;
    await new Promise((done) => setTimeout(done, faults.nameFirst));
    return round === this.round;
  }

  /** Whether there are bars before the loaded ones. */
  get hasOlder(): boolean {
    return this.more;
  }

  /**
   * Load older bars and run the studies again on all loaded bars. Until they have run, what they drew stays at its bars.
   * If the symbol or the interval changes meanwhile, do nothing.
   */
  private async fetchOlder(by: number): Promise<void> {
    const { round, count } = this;
    if (!this.more || this.loading.value()) return;
    const found = await server.bars(this.symbol.value(), this.resolution.value(), count + by, this.averaged).catch(() => null);
    if (found === null || round !== this.round || found.bars.length <= this.loaded.length) return;
    const older = found.bars.slice(0, found.bars.length - this.loaded.length).map((bar) => bar[0]);
    for (const study of this.studies.value()) study.shift(older);
    this.count = count + by;
    this.more = found.more;
    this.loaded = found.bars;
    await this.showBars();
  }

  /**
   * The chart counts as loading until its studies have run, so that clients do not read their old values as new ones.
   */
  private async show(
    symbol: string,
    resolution: string,
    info: SymbolInfo | null,
    bars: readonly Bar[],
    more: boolean,
    round: number,
  ): Promise<void> {
    for (const study of this.studies.value()) study.forget();
    this.marked.setValue(null);
    this.ahead.setValue(false);
    this.info.setValue(info);
    this.symbol.setValue(symbol);
    this.resolution.setValue(resolution);
    this.loaded = bars;
    this.count = BARS;
    this.more = more;
    await this.showBars();
    if (round === this.round) this.loading.setValue(false);
  }

  private async showBars(): Promise<void> {
    const { until } = this;
    this.bars.setValue(until === null ? this.loaded : this.loaded.filter((bar) => bar[0] <= until));
    await this.runAll();
  }

  /** Run all studies again, because the chart that they see has changed. */
  async runAll(): Promise<void> {
    await Promise.all(this.studies.value().map((study) => this.run(study)));
  }
}
