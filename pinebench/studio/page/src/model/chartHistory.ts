// Undo and redo of what was done to the charts: symbols, intervals, studies with their inputs, drawings, arrangements.
import { Watched } from '../watched';
import type { KeptChart } from './chart';
import type { Arranged } from './layouts';
import type { Workspace } from './workspace';

const MOST = 100;
/** Changes within this time are one step: a change of symbol and interval, a drawing that is moved. */
const ONE_STEP_MS = 300;

/** A change that is not of the charts, such as of an alert. */
export interface Step {
  undo: () => void;
  redo: () => void;
}

export class ChartHistory {
  readonly canUndo = new Watched(false);
  readonly canRedo = new Watched(false);
  private past: (string | Step)[] = [];
  private future: (string | Step)[] = [];
  private now: string;
  private timer = 0;
  private held = 0;

  constructor(private readonly workspace: Workspace) {
    this.now = this.shown();
    let followed: (() => void)[] = [];
    const soon = () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.note(), ONE_STEP_MS);
    };
    const follow = () => {
      for (const forget of followed) forget();
      followed = workspace.charts
        .value()
        .flatMap((chart) => [
          chart.symbol.subscribe(soon),
          chart.resolution.subscribe(soon),
          chart.type.subscribe(soon),
          chart.studies.subscribe(soon),
          chart.shapes.subscribe(soon),
          chart.changed.subscribe(soon),
          // What is removed soon after it was made must come back by undo.
          chart.removing.subscribe(() => this.note()),
        ]);
      soon();
    };
    workspace.charts.subscribe(follow);
    follow();
  }

  /** Let what changes from now on be one step, until the result is called. */
  hold(): () => void {
    this.note();
    this.held += 1;
    return () => {
      this.held -= 1;
      this.note();
    };
  }

  undo(): void {
    this.note(true);
    this.go(this.past, this.future, 'undo');
  }

  redo(): void {
    this.note(true);
    this.go(this.future, this.past, 'redo');
  }

  /** Note a change that is not of the charts. */
  add(step: Step): void {
    this.note();
    this.past = [...this.past, step].slice(-MOST);
    this.future = [];
    this.tell();
  }

  private go(from: (string | Step)[], to: (string | Step)[], way: 'undo' | 'redo'): void {
    const next = from.pop();
    if (next === undefined) return;
    if (typeof next !== 'string') {
      to.push(next);
      next[way]();
      this.tell();
      return;
    }
    to.push(this.now);
    this.now = next;
    const wanted = JSON.parse(next) as Arranged;
    if (!this.restoreDrawings(wanted)) {
      if (this.workspace.replay.started.value()) this.workspace.replay.stop();
      this.workspace.restore(wanted);
    }
    this.tell();
  }

  /** Restore the drawings of the charts; return false if other parts of the charts differ. */
  private restoreDrawings({ arrangement, charts: wanted }: Arranged): boolean {
    const charts = this.workspace.charts.value();
    const rest = (chart: KeptChart) => JSON.stringify({ ...chart, shapes: [] });
    if (arrangement !== this.workspace.arrangement.value() || wanted.length !== charts.length) return false;
    if (!wanted.every((kept, i) => charts[i] !== undefined && rest(kept) === rest(charts[i].kept()))) return false;
    wanted.forEach(({ shapes = [] }, i) => charts[i]?.restoreShapes(shapes));
    return true;
  }

  /** Note what the charts show as a step; while steps are held back, only if it is `forced`. */
  private note(forced = false): void {
    clearTimeout(this.timer);
    if (this.held > 0 && !forced) return;
    const shown = this.shown();
    if (shown === this.now) return;
    this.past = [...this.past, this.now].slice(-MOST);
    this.future = [];
    this.now = shown;
    this.tell();
  }

  private tell(): void {
    this.canUndo.setValue(this.past.length > 0);
    this.canRedo.setValue(this.future.length > 0);
  }

  /** The choice of the active chart is not a step of its own. */
  private shown(): string {
    const { charts, arrangement } = this.workspace;
    return JSON.stringify({ arrangement: arrangement.value(), active: 0, charts: charts.value().map((chart) => chart.kept()) });
  }
}
