// One chart: its symbol, resolution, bars and studies, whoever changes them.
import { faults } from '../faults';
import { server, ServerError, type Bar, type MetaInfo, type SymbolInfo } from '../server';
import { Watched } from '../watched';
import { findIndicator } from './indicators';
import { normalResolution } from './resolution';
import { Shape, type KeptShape } from './shapes';
import { Study, type KeptStudy } from './study';

export interface TimeRange {
  from: number;
  to: number;
}

/** What the drawn chart can do for its model; set while it is on the screen. */
export interface ChartView {
  visibleRange: () => TimeRange | null;
  visibleBars: () => TimeRange | null;
  showBars: (first: number, last: number) => void;
  picture: () => HTMLCanvasElement;
  element: HTMLElement;
}

export const CHART_TYPES: readonly { id: number; name: string }[] = [
  { id: 0, name: 'Bars' },
  { id: 1, name: 'Candles' },
  { id: 9, name: 'Hollow candles' },
  { id: 8, name: 'Heikin Ashi' },
  { id: 2, name: 'Line' },
  { id: 3, name: 'Area' },
];

/** A chart as it is kept over a reload. */
export interface KeptChart {
  symbol: string;
  resolution: string;
  type: number;
  studies: KeptStudy[];
  shapes?: KeptShape[];
}

export class StudyLimitReached extends Error {}

export class Chart {
  readonly symbol: Watched<string>;
  readonly resolution: Watched<string>;
  readonly type = new Watched(1);
  readonly info = new Watched<SymbolInfo | null>(null);
  readonly bars = new Watched<readonly Bar[]>([]);
  readonly loading = new Watched(true);
  readonly problem = new Watched<string | null>(null);
  readonly studies = new Watched<readonly Study[]>([]);
  readonly shapes = new Watched<readonly Shape[]>([]);
  /** Rises whenever something of a study changes. */
  readonly changed = new Watched(0);
  view: ChartView | null = null;

  private loaded: readonly Bar[] = [];
  private until: number | null = null;
  private wanted: { symbol: string; resolution: string };
  private round = 0;
  private pending: Promise<void> | null = null;

  constructor(symbol: string, resolution: string) {
    this.symbol = new Watched(symbol);
    this.resolution = new Watched(resolution);
    this.wanted = { symbol, resolution };
    void this.load();
  }

  static ofKept({ symbol, resolution, type, studies, shapes = [] }: KeptChart): Chart {
    const chart = new Chart(symbol, resolution);
    if (CHART_TYPES.some(({ id }) => id === type)) chart.type.setValue(type);
    for (const kept of studies) {
      const study = Study.ofKept(kept);
      if (study !== null) chart.put(study);
    }
    for (const kept of shapes) chart.addShape(Shape.ofKept(kept));
    return chart;
  }

  kept(): KeptChart {
    const studies = this.studies.value().map((study) => study.kept());
    const shapes = this.shapes.value().map((shape) => shape.kept());
    return { ...this.wanted, type: this.type.value(), studies, shapes };
  }

  /** All bars that were loaded, those after the moment of a replay too. */
  every(): readonly Bar[] {
    return this.loaded;
  }

  /** Let the bars end at a moment in seconds; null shows all of them again. */
  replayUntil(time: number | null): void {
    this.until = time;
    this.showBars();
  }

  addShape(shape: Shape): void {
    const tell = () => this.changed.setValue(this.changed.value() + 1);
    for (const watched of [shape.points, shape.properties, shape.visible]) {
      (watched as { subscribe: (listener: () => void) => unknown }).subscribe(tell);
    }
    this.shapes.setValue([...this.shapes.value(), shape]);
  }

  /** Resolves when the change is on the chart, or when a later change took its place. */
  setSymbol(symbol: string): Promise<void> {
    this.wanted = { ...this.wanted, symbol };
    return this.loadSoon();
  }

  /** As `setSymbol`; refuses what is no resolution. */
  setResolution(resolution: string): Promise<void> {
    const normal = normalResolution(resolution);
    if (normal === null) return Promise.reject(new Error(`"${resolution}" is no resolution`));
    this.wanted = { ...this.wanted, resolution: normal };
    return this.loadSoon();
  }

  /** Refuses a type that the studio does not draw. */
  setType(type: number): void {
    if (!CHART_TYPES.some(({ id }) => id === type)) {
      throw new Error(`the studio draws no chart of type ${type}, but ${CHART_TYPES.map(({ id, name }) => `${id} (${name})`).join(', ')}`);
    }
    this.type.setValue(type);
  }

  addIndicator(name: string, values: Record<string, unknown>): Study {
    const indicator = findIndicator(name);
    if (indicator === undefined) throw new Error(`there is no indicator called "${name}"`);
    return this.add(Study.ofIndicator(indicator, values));
  }

  /** Put a compiled script on the chart, in place of the study that came from the same script. */
  addScript(meta: MetaInfo, scriptKey: string): Study {
    const old = this.studies.value().find((study) => study.scriptKey === scriptKey);
    if (old === undefined) return this.add(Study.ofScript(meta, scriptKey));
    old.meta = meta;
    this.studies.setValue([...this.studies.value()]);
    return old;
  }

  studyOfScript(scriptKey: string): Study | undefined {
    return this.studies.value().find((study) => study.scriptKey === scriptKey);
  }

  /** Whether there was a study or a drawing with this id. */
  remove(id: string): boolean {
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

  private add(study: Study): Study {
    const limit = faults.studyLimit;
    if (limit > 0 && this.studies.value().length >= limit) {
      throw new StudyLimitReached(`your plan allows ${limit} ${limit === 1 ? 'indicator' : 'indicators'} per chart`);
    }
    return this.put(study);
  }

  private put(study: Study): Study {
    study.compute(this.bars.value());
    study.inputs.subscribe(() => {
      study.compute(this.bars.value());
      this.changed.setValue(this.changed.value() + 1);
    });
    study.visible.subscribe(() => this.changed.setValue(this.changed.value() + 1));
    this.studies.setValue([...this.studies.value(), study]);
    return study;
  }

  /** A change of symbol directly followed by one of resolution is one change. */
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
    const started = performance.now();
    const answer = await server.bars(symbol, resolution).catch((error: unknown) => error);
    const rest = faults.slowSymbol - (performance.now() - started);
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    if (round !== this.round) return;
    if (answer instanceof ServerError || answer instanceof Error) {
      this.problem.setValue(answer instanceof ServerError && answer.status === 404 ? 'Invalid symbol' : answer.message);
      this.show(symbol, resolution, null, []);
      return;
    }
    const found = answer as Awaited<ReturnType<typeof server.bars>>;
    const stale = faults.wrongSpacing && resolution !== this.resolution.value() && this.bars.value().length > 0;
    this.problem.setValue(found.bars.length === 0 ? 'No data at this resolution' : null);
    this.show(found.symbol.full_name, found.resolution, found.symbol, stale ? this.bars.value() : found.bars);
  }

  private show(symbol: string, resolution: string, info: SymbolInfo | null, bars: readonly Bar[]): void {
    this.info.setValue(info);
    this.symbol.setValue(symbol);
    this.resolution.setValue(resolution);
    this.loaded = bars;
    this.showBars();
    this.loading.setValue(false);
  }

  private showBars(): void {
    const { until } = this;
    this.bars.setValue(until === null ? this.loaded : this.loaded.filter((bar) => bar[0] <= until));
    for (const study of this.studies.value()) study.compute(this.bars.value());
  }
}
