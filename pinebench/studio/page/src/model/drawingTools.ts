// The drawing tools of the page: the active tool, the selected drawing, the magnet.
import { Watched } from '../watched';
import type { Chart } from './chart';
import { Shape, type KeptShape, type ShapePoint } from './shapes';
import { newEntityId } from './study';
import type { Workspace } from './workspace';

export interface DrawingTool {
  /** TradingView's name of the drawing that the tool makes. */
  name: string;
  label: string;
  /** The number of points to click. */
  places: 1 | 2 | 3;
  /** The key that activates the tool together with Alt, as a `KeyboardEvent.code`. */
  code?: string;
  shift?: true;
  keys?: string;
}

export const DRAWING_TOOLS: readonly DrawingTool[] = [
  { name: 'trend_line', label: 'Trend line', places: 2, code: 'KeyT', keys: 'Alt+T' },
  { name: 'ray', label: 'Ray', places: 2 },
  { name: 'horizontal_line', label: 'Horizontal line', places: 1, code: 'KeyH', keys: 'Alt+H' },
  { name: 'vertical_line', label: 'Vertical line', places: 1, code: 'KeyV', keys: 'Alt+V' },
  { name: 'rectangle', label: 'Rectangle', places: 2, code: 'KeyR', shift: true, keys: 'Alt+Shift+R' },
  { name: 'parallel_channel', label: 'Parallel channel', places: 3 },
  { name: 'fib_retracement', label: 'Fib retracement', places: 2, code: 'KeyF', keys: 'Alt+F' },
  { name: 'date_and_price_range', label: 'Measure', places: 2 },
  { name: 'text', label: 'Text', places: 1 },
  { name: 'long_position', label: 'Long position', places: 1 },
  { name: 'short_position', label: 'Short position', places: 1 },
];

/** The colour and width of new drawings. */
const LOOK = { linecolor: '#5a9cf8', linewidth: 2 };

/** Return `done` as a function that a dialog can wait for. */
export const told = (done: (text: string) => void) => (text: string): Promise<void> => {
  done(text);
  return Promise.resolve();
};

/** The selected drawing and its chart. */
export interface Selected {
  chart: Chart;
  shape: Shape;
}

export class DrawingTools {
  readonly tool = new Watched<DrawingTool | null>(null);
  /** Whether new points take the open, high, low or close of their bar. */
  readonly magnet = new Watched(false);
  readonly selected = new Watched<Selected | null>(null);
  /** The part that has the unfinished drawing, so that no other pane takes its next point; null if there is none. */
  busy: object | null = null;
  /** Whether all drawings are hidden. */
  readonly hidden = new Watched(false);
  readonly barOpen = new Watched(window.innerWidth >= 1000);

  constructor(private readonly workspace: Workspace) {
    // In a narrow window the chart needs the room.
    window.matchMedia('(min-width: 1000px)').addEventListener('change', ({ matches }) => this.barOpen.setValue(matches));
  }

  /** Activate a tool; null, or the active tool again, deactivates it. */
  choose(name: string | null): void {
    const tool = DRAWING_TOOLS.find((one) => one.name === name) ?? null;
    this.selected.setValue(null);
    if (tool !== null) this.hidden.setValue(false);
    this.tool.setValue(tool === this.tool.value() ? null : tool);
  }

  select(chart: Chart, shape: Shape): void {
    this.selected.setValue({ chart, shape });
  }

  /** The selected drawing, if it is still on its chart. */
  current(): Selected | null {
    const selected = this.selected.value();
    return selected?.chart.drawings().includes(selected.shape) === true ? selected : null;
  }

  /** Add a drawing to a chart; a text drawing asks for its text first. */
  finish(chart: Chart, name: string, points: readonly ShapePoint[], more: Record<string, unknown> = {}, pane: string | null = null): void {
    this.tool.setValue(null);
    const add = (properties: Record<string, unknown>) => {
      const shape = new Shape(name, points, { ...LOOK, ...properties }, newEntityId(), true, false, chart.symbol.value(), pane);
      chart.addShape(shape);
      this.select(chart, shape);
    };
    if (name !== 'text') add(more);
    else this.askText('', (text) => add({ ...more, text }));
  }

  askText(value: string, done: (text: string) => void): void {
    const dialog = { kind: 'name' as const, title: 'Text on the chart', label: 'Text', value };
    this.workspace.dialog.setValue({ ...dialog, done: told(done) });
  }

  askTitle({ shape }: Selected): void {
    const dialog = { kind: 'name' as const, title: 'Rename the drawing', label: 'Name', value: shape.title };
    this.workspace.dialog.setValue({ ...dialog, done: told((title) => shape.set({ title })) });
  }

  /** Remove the selected drawing, except if it is locked. Return whether a drawing was selected. */
  removeSelected(): boolean {
    const selected = this.current();
    if (selected === null) return false;
    if (selected.shape.locked.value()) {
      this.workspace.notices.show({ title: 'Not removed', text: `${selected.shape.title} is locked. Unlock it first.` });
      return true;
    }
    selected.chart.remove(selected.shape.id);
    this.selected.setValue(null);
    return true;
  }

  /** Add a copy of a drawing with other points. */
  clone({ chart, shape }: Selected, moved: readonly ShapePoint[]): void {
    const kept: KeptShape = { ...shape.kept(), id: newEntityId(), points: [...moved], locked: false };
    const copy = Shape.ofKept(kept);
    chart.addShape(copy);
    this.select(chart, copy);
  }
}
