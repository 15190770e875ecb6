// The labels of plots on a price scale: their last values, in their colours.
import type { ISeriesPrimitiveAxisView } from 'lightweight-charts';
import { colorAt, isShownAt, opaque, valueText, type Format } from '../../model/plots';
import type { Output } from '../../server';

/** Coordinates outside of a pane are not drawn. */
const NOWHERE = -100;
/** The height of a label in pixels. */
const TALL = 19;

interface Label {
  /** The height of its value in pixels; null if the scale is not there. */
  y: () => number | null;
}

/** The labels on one scale, moved so that none covers another. The label that is pinned stays at its value. */
export class LabelStack {
  private readonly labels = new Map<object, readonly Label[]>();
  /** The heights of the values and of the labels in the present picture. */
  private heights = new Map<Label, number>();
  private placed = new Map<Label, number>();
  private tall = 0;
  private isFresh = false;

  /** `height` is the height of the scale in pixels; `pinned` is the label that never moves. */
  constructor(
    private readonly height: () => number,
    private readonly pinned: Label | null = null,
  ) {}

  /** The labels of an owner, in place of the ones that it had. */
  set(owner: object, labels: readonly Label[]): void {
    this.labels.set(owner, labels);
    this.isFresh = false;
  }

  remove(owner: object): void {
    this.labels.delete(owner);
    this.isFresh = false;
  }

  /** The height of a label among the others. In one picture they are stacked once, unless the scale changes meanwhile. */
  place(label: Label): number {
    const isSame = this.isFresh && this.tall === this.height() && this.heights.get(label) === (label.y() ?? NOWHERE);
    if (!isSame) this.stack();
    return this.placed.get(label) ?? NOWHERE;
  }

  private stack(): void {
    const all = [...(this.pinned === null ? [] : [this.pinned]), ...[...this.labels.values()].flat()];
    const heights = all.map(({ y }) => y() ?? NOWHERE);
    this.tall = this.height();
    const placed = stacked(heights, this.tall);
    this.heights = new Map(all.map((label, i) => [label, heights[i] ?? NOWHERE]));
    this.placed = new Map(all.map((label, i) => [label, placed[i] ?? NOWHERE]));
    this.isFresh = true;
    queueMicrotask(() => (this.isFresh = false)); // another picture may have another scale
  }
}

/** Heights of labels without overlaps. The first one that is visible stays; the others move away from it. */
export function stacked(heights: readonly number[], height: number): number[] {
  const found = [...heights];
  const seen = heights.map((y, i) => ({ y, i })).filter(({ y }) => y >= 0 && y <= height);
  const first = seen[0];
  if (first === undefined) return found;
  const others = seen.slice(1).sort((one, other) => one.y - other.y || one.i - other.i);
  let edge = first.y;
  for (const { y, i } of others.filter((one) => one.y < first.y).reverse()) edge = found[i] = Math.min(y, edge - TALL);
  edge = first.y;
  for (const { y, i } of others.filter((one) => one.y >= first.y)) edge = found[i] = Math.max(y, edge + TALL);
  return found;
}

interface Scale {
  y: (value: number) => number | null;
  /** A value as the scale writes it, if the scale has no prices (percent); otherwise null. */
  relative: (value: number) => string | null;
  stack: LabelStack;
}

/** One label for each output whose `display` has the price scale, at its last value. Plots with an offset have none. */
export function scaleLabels(outputs: readonly Output[], declared: Format, decimals: number, scale: Scale): ISeriesPrimitiveAxisView[] {
  const labels: Label[] = [];
  const views = outputs.flatMap((output) => {
    const values = output.columns[output.function === 'plot' ? 'series' : 'close'] ?? [];
    const value = values.at(-1);
    const color = colorAt(output, values.length - 1);
    const offset = output.settings['offset'];
    if (!isShownAt(output, 'priceScale') || typeof value !== 'number' || color === null || color % 256 === 0) return [];
    if (typeof offset === 'number' && offset !== 0) return [];
    const text = valueText(value, declared, decimals, output);
    const label = { y: () => scale.y(value) };
    labels.push(label);
    return [axisLabel(() => scale.stack.place(label), () => scale.relative(value) ?? text, () => opaque(color))];
  });
  scale.stack.set(scale, labels);
  return views;
}

/** A label on a scale, on a ground of the colour #RRGGBB. */
export const axisLabel = (y: () => number, text: () => string, ground: () => string): ISeriesPrimitiveAxisView => ({
  coordinate: y,
  text,
  textColor: () => inkOn(ground()),
  backColor: ground,
  visible: () => true,
  tickVisible: () => false,
});

/** The colour of letters that can be read on a ground #RRGGBB. */
function inkOn(ground: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(ground.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#0f1318' : '#ffffff';
}
