// The drawings of a chart, as a layer over its prices, with the handles of the selected drawing.
import { fixedText } from '../model/formats';
import type {
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  Logical,
  PrimitiveHoveredItem,
  SeriesAttachedParameter,
  SeriesType,
} from 'lightweight-charts';
import type { Chart } from '../model/chart';
import type { DrawingTools, Selected } from '../model/drawingTools';
import { indexAt } from '../model/places';
import type { Shape, ShapePoint } from '../model/shapes';
import type { Study } from '../model/study';
import type { TestedTrade } from '../server';
import { FONT } from './fonts';
import { distanceTo, handlesOf, partsOf, type Part, type Place, type Sheet } from './shapes/geometry';

type Context = CanvasRenderingContext2D;
type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];
type Words = Extract<Part, { kind: 'words' }>;

const HANDLE = 4.5;
const PROFIT = '#2fae86';
const LOSS = '#e05a62';

/** The drawing under the pointer, and its handle there. */
export interface Hit {
  shape: Shape;
  handle: number | null;
}

/** A drawing that is not finished: a new one, or one that is moved. */
export interface Sketch {
  /** The drawing that is moved; null for a new one. */
  of: Shape | null;
  shape: Shape;
  points: readonly ShapePoint[];
}

export class DrawnShapes implements ISeriesPrimitive {
  /** The drawing that is drawn or moved now. */
  sketch: Sketch | null = null;
  /** The cursor of the keyboard while a tool is active. */
  cursor: ShapePoint | null = null;
  /** Whether handles are hidden, as in a picture. */
  plain = false;
  private attachment: SeriesAttachedParameter | null = null;
  private size = { width: 0, height: 0 };
  private readonly widths = new Map<string, number>();

  constructor(
    private readonly model: Chart,
    private readonly tools: DrawingTools,
    /** The study whose pane this is; null for the prices. */
    private readonly pane: Study | null = null,
  ) {}

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
  }

  detached(): void {
    this.attachment = null;
  }

  readonly redraw = (): void => this.attachment?.requestUpdate();

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target: Target) => this.draw(target) }) }];
  }

  /** The pointer's shape, for lightweight-charts. */
  hitTest(x: number, y: number): PrimitiveHoveredItem | null {
    if (this.tools.tool.value() !== null) return { cursorStyle: 'crosshair', externalId: 'tool', zOrder: 'top' };
    const hit = this.hitAt({ x, y }, 6);
    return hit === null ? null : { cursorStyle: hit.handle === null ? 'pointer' : 'grab', externalId: hit.shape.id, zOrder: 'top' };
  }

  /** The topmost drawing within `reach` pixels of a place of the pane: as drawings are now, also where they are not painted yet. */
  hitAt(place: Place, reach: number): Hit | null {
    if (this.tools.hidden.value()) return null;
    const selected = this.selected();
    if (selected !== null && selected.shape.visible.value()) {
      const at = this.handles(selected.shape).findIndex((handle) => Math.hypot(handle.x - place.x, handle.y - place.y) <= reach + 2);
      if (at >= 0) return { shape: selected.shape, handle: at };
    }
    const near = this.visible().findLast((shape) => distanceTo(this.parts(shape), place, this.width) <= reach);
    return near === undefined ? null : { shape: near, handle: null };
  }

  /** The places and texts of times and prices in the pane of the prices. */
  readonly sheet = (): Sheet => {
    const { decimals } = this;
    return {
      ...this.size,
      place: (point) => this.place(point),
      index: (time) => indexAt(this.model.bars.value(), time),
      priceText: (price) => fixedText(price, decimals),
      tick: 10 ** -decimals,
    };
  };

  /** The decimals of the values in this pane. */
  get decimals(): number {
    return this.pane?.result.value()?.declared.precision ?? this.model.info.value()?.decimals ?? 2;
  }

  /** The selected drawing, if it is in this pane. */
  private selected(): Selected | null {
    const selected = this.tools.current();
    return selected?.chart === this.model && selected.shape.pane === (this.pane?.id ?? null) ? selected : null;
  }

  private draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      this.size = mediaSize;
      const marked = this.model.marked.value();
      if (marked !== null && this.pane === null) this.drawTrade(context, marked);
      if (!this.tools.hidden.value()) {
        for (const shape of this.visible()) for (const part of this.parts(shape)) drawPart(context, part, shape);
        if (this.sketch !== null && this.sketch.of === null) for (const part of this.sketched(this.sketch)) drawPart(context, part, this.sketch.shape);
      }
      if (!this.plain) this.drawHands(context);
    });
  }

  /** Draw a band over the bars of a trade, and a line from its entry to its exit or to the last close. */
  private drawTrade(context: Context, { e, x, tp }: TestedTrade): void {
    const last = this.model.bars.value().at(-1);
    const entry = this.place({ time: e.tm / 1000, price: e.p });
    const exit = x !== null ? this.place({ time: x.tm / 1000, price: x.p }) : last === undefined ? null : this.place({ time: last[0], price: last[4] });
    if (entry === null || exit === null) return;
    context.save();
    context.fillStyle = context.strokeStyle = tp.v < 0 ? LOSS : PROFIT;
    context.globalAlpha = 0.16;
    const [left, right] = [Math.min(entry.x, exit.x) - 4, Math.max(entry.x, exit.x) + 4];
    context.fillRect(left, 0, right - left, this.size.height);
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(entry.x, entry.y);
    context.lineTo(exit.x, exit.y);
    context.stroke();
    context.setLineDash([]);
    for (const { x: at, y } of [entry, exit]) {
      context.beginPath();
      context.arc(at, y, 4, 0, 2 * Math.PI);
      context.fill();
    }
    context.restore();
  }

  /** The visible drawings of this pane; the topmost is the last. */
  private visible(): Shape[] {
    const pane = this.pane?.id ?? null;
    return this.model.drawings().filter((shape) => shape.visible.value() && shape.pane === pane);
  }

  private parts(shape: Shape): Part[] {
    return this.sketch?.of === shape ? this.sketched(this.sketch) : partsOf(this.sheet(), shape, shape.points.value());
  }

  private sketched({ shape, points }: Sketch): Part[] {
    return partsOf(this.sheet(), shape, points);
  }

  /** Draw the handles of the selected drawing, and the keyboard's cursor. */
  private drawHands(context: Context): void {
    const selected = this.selected();
    if (selected !== null && selected.shape.visible.value()) {
      for (const { x, y } of this.handles(selected.shape)) {
        context.beginPath();
        context.arc(x, y, HANDLE, 0, 2 * Math.PI);
        context.fillStyle = '#ffffff';
        context.strokeStyle = '#2962ff';
        context.lineWidth = 1.5;
        context.fill();
        context.stroke();
      }
    }
    const at = this.cursor === null ? null : this.place(this.cursor);
    if (at === null) return;
    context.strokeStyle = '#2962ff';
    context.lineWidth = 1.5;
    context.beginPath();
    for (const [dx, dy] of [[10, 0], [0, 10]] as const) {
      context.moveTo(at.x - dx, at.y - dy);
      context.lineTo(at.x + dx, at.y + dy);
    }
    context.stroke();
  }

  private handles(shape: Shape): Place[] {
    if (shape.locked.value()) return [];
    const { shape: shown, points } = this.sketch?.of === shape ? this.sketch : { shape, points: shape.points.value() };
    return handlesOf(shown, points, this.sheet().tick).flatMap((point) => this.place(point) ?? []);
  }

  /** The place of a time and a price in the pane; null if there is none. */
  private place({ time, price }: ShapePoint): Place | null {
    const series: ISeriesApi<SeriesType> | undefined = this.attachment?.series;
    const x = this.x(indexAt(this.model.bars.value(), time));
    const y = series?.priceToCoordinate(price) ?? null;
    return x === null || y === null ? null : { x, y };
  }

  /** The place of an index, also between two bars, such as a day on a chart of weeks. lightweight-charts places whole ones only. */
  private x(index: number): number | null {
    const scale = this.attachment?.chart.timeScale();
    const whole = Math.floor(index);
    const place = (each: number): number | null => scale?.logicalToCoordinate(each as Logical) ?? null;
    const [left, right] = [place(whole), place(whole + 1)];
    return left === null || right === null ? null : left + (index - whole) * (right - left);
  }

  private readonly width = ({ lines, size }: Words): number => Math.max(...lines.map((line) => this.widths.get(`${size} ${line}`) ?? measured(this.widths, line, size)));
}

const scratch = document.createElement('canvas').getContext('2d');

function measured(known: Map<string, number>, line: string, size: number): number {
  if (scratch === null) return line.length * size * 0.6;
  scratch.font = `${size}px ${FONT}`;
  const { width } = scratch.measureText(line);
  known.set(`${size} ${line}`, width);
  return width;
}

function drawPart(context: Context, part: Part, shape: Shape): void {
  context.save();
  const color = ('color' in part ? part.color : undefined) ?? shape.color;
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = part.kind === 'line' && part.thin === true ? 1 : shape.width;
  context.lineJoin = 'round';
  context.beginPath();
  if (part.kind === 'words') drawWords(context, part, color);
  else if (part.kind === 'circle') {
    context.arc(part.at.x, part.at.y, part.radius, 0, 2 * Math.PI);
    context.stroke();
  } else {
    for (const { x, y } of part.places) context.lineTo(x, y);
    if (part.kind === 'area') {
      context.globalAlpha = part.opacity;
      context.fill();
    } else {
      if (part.dashed === true) context.setLineDash([5, 4]);
      context.stroke();
    }
  }
  context.restore();
}

function drawWords(context: Context, { at, lines, size, align, ground }: Words, color: string): void {
  context.font = `${size}px ${FONT}`;
  context.textAlign = align;
  context.textBaseline = 'middle';
  const high = size * 1.35;
  if (ground !== undefined) {
    const wide = Math.max(...lines.map((line) => context.measureText(line).width)) + 12;
    const left = align === 'center' ? at.x - wide / 2 : align === 'right' ? at.x - wide + 6 : at.x - 6;
    context.fillStyle = ground;
    context.beginPath();
    context.roundRect(left, at.y - (lines.length * high) / 2 - 3, wide, lines.length * high + 6, 3);
    context.fill();
  }
  context.fillStyle = color;
  lines.forEach((line, i) => context.fillText(line, at.x, at.y + (i - (lines.length - 1) / 2) * high));
}
