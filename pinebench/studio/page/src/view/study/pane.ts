// Where bars and prices stand in a pane, and the strokes, surfaces and words that studies are drawn with.
import { PriceScaleMode, type IChartApiBase, type ISeriesApi, type Logical, type SeriesType } from 'lightweight-charts';
import { indexAt } from '../../model/places';
import type { Bar } from '../../server';
import { FONT, loaded } from '../fonts';

export type Context = CanvasRenderingContext2D;

export interface Place {
  x: number;
  y: number;
}

/** The style of a text; `formatting` has Pine's bits: 1 is bold, 2 is italic. */
export interface Font {
  size: number;
  face?: string;
  formatting?: number;
}

export type Align = 'left' | 'center' | 'right';

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text that is shown while the pointer is over an area. */
export interface Tip {
  area: Area;
  text: string;
}

export class Pane {
  /** The indices of the first and the last bar that can be visible. */
  readonly first: number;
  readonly last: number;
  /** The distance between two bars in pixels. */
  readonly step: number;
  readonly tips: Tip[] = [];
  private readonly zero: number;
  /** The pixels of the screen for each pixel of the page, and how far the pane is moved on the screen. */
  private readonly ratio: number;
  private readonly moved: number;
  /** The price at the pane's top and the pixels that one more of it is worth; null where prices do not lie in equal steps. */
  private readonly ruler: { top: number; each: number } | null;

  /** `margin` is the number of pixels of `width` on each side that are not visible. */
  constructor(
    readonly context: Context,
    readonly width: number,
    readonly height: number,
    readonly bars: readonly Bar[],
    private readonly chart: IChartApiBase,
    private readonly series: ISeriesApi<SeriesType>,
    margin = 0,
  ) {
    const scale = chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    const zero = scale.logicalToCoordinate(0 as Logical) ?? 0;
    this.step = (scale.logicalToCoordinate(1 as Logical) ?? 0) - zero || 1;
    this.zero = zero + margin;
    this.first = Math.floor((range?.from ?? 0) - margin / this.step) - 1;
    this.last = Math.ceil((range?.to ?? -1) + margin / this.step) + 1;
    this.ruler = this.rulerOf(series);
    ({ a: this.ratio, e: this.moved } = context.getTransform());
  }

  /** The same bars and prices with more room at both sides, on another canvas. */
  widened(context: Context, margin: number): Pane {
    return new Pane(context, this.width + 2 * margin, this.height, this.bars, this.chart, this.series, margin);
  }

  /** The prices at some heights: as long as they are the same, all prices are where they were. */
  heights(): (number | null)[] {
    return [0, this.height / 2, this.height].map((y) => this.series.coordinateToPrice(y));
  }

  /** The index of the first bar whose middle is in the pane. */
  get firstInside(): number {
    return Math.ceil(-this.zero / this.step);
  }

  /** The index of the last bar whose middle is in the pane. */
  get lastInside(): number {
    return Math.floor((this.width - this.zero) / this.step);
  }

  x(index: number): number {
    return this.zero + index * this.step;
  }

  /** The height of a price in pixels; NaN if the pane has no prices. */
  y(price: number): number {
    const { ruler } = this;
    return ruler === null ? (this.series.priceToCoordinate(price) ?? Number.NaN) : (price - ruler.top) * ruler.each;
  }

  private rulerOf(series: ISeriesApi<SeriesType>): Pane['ruler'] {
    if (series.priceScale().options().mode === PriceScaleMode.Logarithmic) return null;
    const [top, bottom] = [series.coordinateToPrice(0), series.coordinateToPrice(this.height)];
    return top === null || bottom === null || top === bottom ? null : { top, each: this.height / (bottom - top) };
  }

  /**
   * The index of the bar that opens at a time in milliseconds, with a fraction between two bars. Beyond the ends, the
   * distance of the outermost bars is used.
   */
  indexOfTime(milliseconds: number): number {
    return indexAt(this.bars, milliseconds / 1000);
  }

  stroke(points: readonly Place[], color: string, width = 1, style = 'solid'): void {
    this.strokeAll([points], color, width, style);
  }

  /** Lines of one colour, as one path. */
  strokeAll(lines: readonly (readonly Place[])[], color: string, width = 1, style = 'solid'): void {
    const { context } = this;
    context.beginPath();
    let any = false;
    for (const points of lines) {
      if (points.length < 2 || !isSomewhere(points)) continue;
      any = true;
      const shown = this.thinned(points);
      context.moveTo(shown[0]?.x ?? 0, shown[0]?.y ?? 0);
      for (let i = 1; i < shown.length; i++) context.lineTo(shown[i]?.x ?? 0, shown[i]?.y ?? 0);
    }
    if (!any) return;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = 'round';
    const dashes = DASHES[style] ?? [];
    if (dashes.length > 0) context.setLineDash(dashes.map((length) => length * Math.max(width, 1)));
    context.stroke();
    if (dashes.length > 0) context.setLineDash([]);
  }

  surface(points: readonly Place[], color: string | CanvasGradient): void {
    this.surfaces([points], color);
  }

  /** Surfaces of one colour, as one path. */
  surfaces(outlines: readonly (readonly Place[])[], color: string | CanvasGradient): void {
    const { context } = this;
    context.beginPath();
    for (const points of outlines) {
      if (points.length < 3 || !isSomewhere(points)) continue;
      const [first, ...others] = this.thinned(points);
      context.moveTo(first?.x ?? 0, first?.y ?? 0);
      for (const { x, y } of others) context.lineTo(x, y);
      context.closePath();
    }
    context.fillStyle = color;
    context.fill();
  }

  /** Draw only above a height. */
  above(bottom: number, draw: () => void): void {
    const { context, width } = this;
    context.save();
    context.beginPath();
    context.rect(0, 0, width, Math.max(bottom, 0));
    context.clip();
    draw();
    context.restore();
  }

  /** The place of the nearest edge between two pixels of the screen. */
  wholePixel(x: number): number {
    const { ratio, moved } = this;
    return (Math.round(x * ratio + moved) - moved) / ratio;
  }

  /**
   * The points of a way that are seen: of many in one column of pixels the first, the lowest, the highest and the last.
   * Where bars have a pixel each, these are all of them.
   */
  thinned(points: readonly Place[]): readonly Place[] {
    if (!this.isThin || points.length < MANY) return points;
    const found: Place[] = [];
    let [begin, column] = [0, Number.NaN];
    for (let i = 0; i <= points.length; i++) {
      const next = i === points.length ? Number.NaN : this.columnOf(points[i]?.x ?? 0);
      if (next === column) continue;
      if (i > begin) addExtremes(found, points, begin, i - 1);
      [begin, column] = [i, next];
    }
    return found;
  }

  /** Whether several bars share a column of pixels. */
  get isThin(): boolean {
    return this.step < THIN;
  }

  /** The column of pixels of the screen at a place. */
  columnOf(x: number): number {
    return Math.floor(x * this.ratio);
  }

  /** Paint a column of pixels between two heights, as strongly as a share of one. */
  paintColumn(column: number, top: number, bottom: number, color: string | CanvasGradient, share = 1): void {
    const { context, ratio } = this;
    context.fillStyle = color;
    context.globalAlpha = share;
    context.fillRect(column / ratio, top, 1 / ratio, bottom - top);
    context.globalAlpha = 1;
  }

  /** Whether a rectangle with these sides is out of sight. */
  isOutside(left: number, top: number, right: number, bottom: number): boolean {
    return right < 0 || left > this.width || bottom < 0 || top > this.height;
  }

  rectangle(left: number, top: number, right: number, bottom: number, color: string): void {
    if (![left, top, right, bottom].every(Number.isFinite)) return;
    this.context.fillStyle = color;
    this.context.fillRect(left, top, right - left, bottom - top);
  }

  /**
   * Lines of text around a height. They begin at, are centred on, or end at `x`, with an outline if it has another
   * colour.
   */
  words(x: number, y: number, text: string, color: string, font: Font, align: Align = 'center', outline: string | null = null): void {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    const { context } = this;
    const lines = text.split('\n');
    context.font = fontText(font);
    context.textAlign = align;
    context.textBaseline = 'middle';
    lines.forEach((line, i) => {
      const at = y + (i - (lines.length - 1) / 2) * font.size * LINE;
      if (outline !== null) {
        context.strokeStyle = outline;
        context.lineWidth = Math.max(2, font.size / 5);
        context.lineJoin = 'round';
        context.strokeText(line, x, at);
      }
      context.fillStyle = color;
      context.fillText(line, x, at);
    });
  }

  textWidth(text: string, font: Font): number {
    return widthOf(this.context, fontText(font), text);
  }

  /** The text with line breaks so that no line is wider than `width`; a single word is never cut. */
  wrapped(text: string, font: Font, width: number): string {
    this.context.font = fontText(font);
    const fits = (line: string) => this.context.measureText(line).width <= width;
    return text.split('\n').map((line) => wrapLine(line, fits)).join('\n');
  }

  /** Show a text while the pointer is over an area. */
  tip(area: Area, text: string): void {
    if (text !== '') this.tips.push({ area, text });
  }
}

/** Bars of fewer pixels than this share columns of pixels; ways of fewer points than this are drawn as they are. */
const [THIN, MANY] = [0.5, 200];

/** Add the points from `first` to `last` that a column of pixels shows, in their order. */
function addExtremes(found: Place[], points: readonly Place[], first: number, last: number): void {
  let [low, high] = [first, first];
  for (let i = first + 1; i <= last; i++) {
    const y = points[i]?.y ?? 0;
    if (y > (points[low]?.y ?? 0)) low = i;
    if (y < (points[high]?.y ?? 0)) high = i;
  }
  let before = -1;
  for (const at of [first, Math.min(low, high), Math.max(low, high), last]) {
    const point = points[at];
    if (at > before && point !== undefined) found.push(point);
    before = Math.max(before, at);
  }
}

const isSomewhere = (points: readonly Place[]): boolean => points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));

function wrapLine(line: string, fits: (line: string) => boolean): string {
  const found: string[] = [];
  for (const part of line.split(' ')) {
    const longer = found.length === 0 ? part : `${found.at(-1) ?? ''} ${part}`;
    if (found.length > 0 && fits(longer)) found[found.length - 1] = longer;
    else found.push(part);
  }
  return found.join('\n');
}

const fontText = ({ size, face = FONT, formatting = 0 }: Font): string =>
  `${(formatting & 2) !== 0 ? 'italic ' : ''}${(formatting & 1) !== 0 ? 'bold ' : ''}${size}px ${face}`;

/** The widths of texts that were measured, by their fonts: the same texts are drawn in every picture of a drag. */
const widths = new Map<string, Map<string, number>>();
const MOST_WIDTHS = 5000;

function widthOf(context: Context, font: string, text: string): number {
  let known = widths.get(font);
  if (known === undefined || known.size > MOST_WIDTHS) {
    known = new Map();
    widths.set(font, known);
  }
  let found = known.get(text);
  if (found === undefined) {
    context.font = font;
    found = Math.max(...text.split('\n').map((line) => context.measureText(line).width));
    known.set(text, found);
  }
  return found;
}

loaded.subscribe(() => widths.clear());

const LINE = 1.25;
const DASHES: Record<string, number[]> = { dashed: [5, 4], dotted: [1, 3], arrow_left: [], arrow_right: [], arrow_both: [] };

export const textHeight = (text: string, size: number): number => text.split('\n').length * size * LINE;
