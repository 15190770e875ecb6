// The drawing tools of the page: which one is in hand, what is selected, and what keeps hands off the drawings.
import { Watched } from '../watched';
import type { Chart } from './chart';
import { Shape, type KeptShape, type ShapePoint } from './shapes';
import { newEntityId } from './study';
import type { Workspace } from './workspace';

export interface DrawingTool {
  /** The kind of drawing that it makes, by TradingView's name. */
  name: string;
  label: string;
  /** How many places are pointed at. */
  places: 1 | 2 | 3;
  /** The key that takes it in hand together with Alt, as `KeyboardEvent.code` has it. */
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

/** The look of what is drawn by hand, until its person gives it another. */
const LOOK = { linecolor: '#5a9cf8', linewidth: 2 };

/** What is done at once, for a dialog that waits. */
export const told = (done: (text: string) => void) => (text: string): Promise<void> => {
  done(text);
  return Promise.resolve();
};

/** A drawing that is selected, and the chart that it is on. */
export interface Selected {
  chart: Chart;
  shape: Shape;
}

export class DrawingTools {
  readonly tool = new Watched<DrawingTool | null>(null);
  /** Whether places are drawn to the open, high, low or close of their bar. */
  readonly magnet = new Watched(false);
  readonly selected = new Watched<Selected | null>(null);
  /** Whether no drawing is shown. */
  readonly hidden = new Watched(false);
  readonly barOpen = new Watched(window.innerWidth >= 1000);

  constructor(private readonly workspace: Workspace) {}

  /** Take a tool in hand; null, or the same a second time, puts it down. */
  choose(name: string | null): void {
    const tool = DRAWING_TOOLS.find((one) => one.name === name) ?? null;
    this.selected.setValue(null);
    if (tool !== null) this.hidden.setValue(false);
    this.tool.setValue(tool === this.tool.value() ? null : tool);
  }

  select(chart: Chart, shape: Shape): void {
    this.selected.setValue({ chart, shape });
  }

  /** What is selected and still there. */
  current(): Selected | null {
    const selected = this.selected.value();
    return selected?.chart.drawings().includes(selected.shape) === true ? selected : null;
  }

  /** Put what was pointed out on a chart; a text is asked for first. */
  finish(chart: Chart, name: string, points: readonly ShapePoint[], more: Record<string, unknown> = {}): void {
    this.tool.setValue(null);
    const add = (properties: Record<string, unknown>) => {
      const shape = new Shape(name, points, { ...LOOK, ...properties }, newEntityId(), true, false, chart.symbol.value());
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

  /** Remove what is selected; what is locked stays. Says whether anything was selected. */
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

  /** Put a copy of a drawing a few bars beside it. */
  clone({ chart, shape }: Selected, moved: readonly ShapePoint[]): void {
    const kept: KeptShape = { ...shape.kept(), id: newEntityId(), points: [...moved], locked: false };
    const copy = Shape.ofKept(kept);
    chart.addShape(copy);
    this.select(chart, copy);
  }
}
