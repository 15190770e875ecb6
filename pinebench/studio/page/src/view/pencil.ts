// Drawing by mouse, finger and keyboard: points are set, drawings are selected and moved.
import type { Chart } from '../model/chart';
import { type DrawingTool, type DrawingTools } from '../model/drawingTools';
import { indexAt, timeAt } from '../model/places';
import { Shape, type ShapePoint } from '../model/shapes';
import type { DrawnShapes, Hit } from './drawnShapes';
import { withHandle, type Place } from './shapes/geometry';

/** A pane, as drawing needs it. */
export interface Surface {
  /** The study whose pane it is; null for the prices. */
  pane: string | null;
  element: HTMLElement;
  /** The rectangle of the pane on the page, without its axis. */
  box: () => DOMRect | undefined;
  /** Convert a place on the page to a place in the pane; null outside of it. */
  placeAt: (clientX: number, clientY: number) => Place | null;
  /** The index of the bar, with a fraction, and the price at a place of the pane. */
  read: (place: Place) => { index: number; price: number } | null;
  size: () => { width: number; height: number };
  y: (price: number) => number | null;
}

/** A press that moves by more pixels is a drag. */
const DRAG = 5;
const REACH = { mouse: 6, other: 14 };
/** The reach of the magnet, in pixels. */
const PULL = 60;
/** The width of a new position in bars, and the part of the pane's height between its entry and its target. */
const POSITION_BARS = 20;
const POSITION_SHARE = 8;

interface Placing {
  tool: DrawingTool;
  points: ShapePoint[];
  /** The place of the press for the newest point; null after the release. */
  pressed: Place | null;
}

interface Moving {
  hit: Hit;
  from: { index: number; price: number };
  start: Place;
  moved: boolean;
  points: ShapePoint[];
  more: Record<string, number> | undefined;
}

export class Pencil {
  private current: Placing | null = null;
  private moving: Moving | null = null;
  /** Whether the chart must not hear of the present press. */
  private taken = false;
  private readonly forget: (() => void)[];

  constructor(
    private readonly chart: Chart,
    private readonly tools: DrawingTools,
    private readonly shapes: DrawnShapes,
    private readonly surface: Surface,
  ) {
    const { element } = surface;
    const listen = <Name extends keyof HTMLElementEventMap>(name: Name, listener: (event: HTMLElementEventMap[Name]) => void) => {
      element.addEventListener(name, listener, { capture: true, passive: false });
      return () => element.removeEventListener(name, listener, { capture: true });
    };
    this.forget = [
      listen('pointerdown', this.down),
      listen('pointermove', this.move),
      listen('pointerup', this.up),
      listen('pointercancel', () => this.drop()),
      // The chart listens to these events, and a press on a drawing must not move it.
      listen('mousedown', (event) => {
        if (!this.taken) return;
        event.stopPropagation();
        event.preventDefault();
      }),
      listen('touchstart', (event) => {
        if (!this.taken) return;
        event.stopPropagation();
        event.preventDefault();
      }),
      listen('touchmove', (event) => this.taken && event.stopPropagation()),
      tools.tool.subscribe(() => {
        if (this.placing !== null && this.placing.tool !== tools.tool.value()) this.drop();
        if (tools.tool.value() === null) this.shapes.cursor = null;
        shapes.redraw();
      }),
      tools.selected.subscribe(shapes.redraw),
      tools.hidden.subscribe(shapes.redraw),
    ];
  }

  dispose(): void {
    this.placing = null;
    for (const forget of this.forget) forget();
  }

  /** The new drawing that has some of its points. */
  get placing(): Placing | null {
    return this.current;
  }

  private set placing(next: Placing | null) {
    this.current = next;
    if (next !== null) this.tools.busy = this;
    else if (this.tools.busy === this) this.tools.busy = null;
  }

  /** Handle a key while a tool is active or a drawing is selected; return false for other keys. */
  key({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean {
    if (key === 'Escape') return this.escape();
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    if (this.tools.tool.value() !== null) {
      if (key === 'Enter' || key === ' ') this.place(this.cursor(), false);
      else if (step !== undefined) this.moveCursor(step[0] ?? 0, step[1] ?? 0, shiftKey ? 10 : 1);
      else return false;
      return true;
    }
    if (key === 'Delete' || key === 'Backspace') return this.tools.removeSelected();
    const selected = this.tools.current();
    if (step === undefined || selected === null || selected.chart !== this.chart) return false;
    if (!selected.shape.locked.value()) this.nudge(selected.shape, step[0] ?? 0, step[1] ?? 0, shiftKey ? 10 : 1);
    return true;
  }

  /** The points of a drawing, moved by bars and pixels. */
  moved(shape: Shape, bars: number, pixels: number): ShapePoint[] {
    return shape.points.value().map(({ time, price }) => ({ time: this.timeBeside(time, bars), price: this.priceBeside(price, pixels) }));
  }

  /** Cancel the present step: a point, a move, the tool, the selection. */
  private escape(): boolean {
    if (this.placing !== null || this.moving !== null) this.drop();
    else if (this.tools.tool.value() !== null) this.tools.tool.setValue(null);
    else if (this.tools.current() !== null) this.tools.selected.setValue(null);
    else return false;
    return true;
  }

  private drop(): void {
    this.placing = null;
    this.moving = null;
    this.shapes.sketch = null;
    this.shapes.redraw();
  }

  private readonly down = (event: PointerEvent): void => {
    this.taken = false;
    const inside = this.surface.placeAt(event.clientX, event.clientY);
    // The next point of a drawing that is begun here may be pressed anywhere: it stays at the edge of this pane.
    const place = inside ?? (this.placing === null ? null : this.clamped(event));
    if (event.button !== 0 || place === null) return;
    if (this.tools.tool.value() !== null) {
      this.taken = true;
      if (this.tools.busy !== null && this.tools.busy !== this) return; // its next point belongs to another pane
      this.hold(event);
      const point = this.pointAt(place, event.ctrlKey);
      if (point === null) return;
      this.place(point, true);
      if (this.placing !== null) this.placing.pressed = place;
      return;
    }
    const hit = this.shapes.hitAt(place, event.pointerType === 'mouse' ? REACH.mouse : REACH.other);
    if (hit === null) {
      this.tools.selected.setValue(null);
      return;
    }
    this.taken = true;
    this.hold(event);
    this.tools.select(this.chart, hit.shape);
    const from = this.surface.read(place);
    if (from === null || hit.shape.locked.value()) return;
    this.moving = { hit, from, start: place, moved: false, points: [...hit.shape.points.value()], more: undefined };
  };

  /** Receive the pointer's events until its release, and the keys. */
  private hold({ pointerId }: PointerEvent): void {
    this.surface.element.focus({ preventScroll: true });
    try {
      this.surface.element.setPointerCapture(pointerId);
    } catch {
      return; // a pointer that is gone already
    }
  }

  private readonly move = (event: PointerEvent): void => {
    const outside = () => (this.moving === null ? this.clamped(event) : this.beyond(event));
    const place = this.surface.placeAt(event.clientX, event.clientY) ?? outside();
    if (this.moving !== null) this.drag(this.moving, place, event.ctrlKey);
    else if (this.placing !== null) {
      const point = this.pointAt(place, event.ctrlKey);
      if (point !== null) this.show(this.placing, point);
    }
  };

  private readonly up = (event: PointerEvent): void => {
    const { moving, placing } = this;
    if (moving !== null) {
      this.moving = null;
      this.shapes.sketch = null;
      if (moving.moved) {
        if (moving.more !== undefined) moving.hit.shape.set(moving.more);
        moving.hit.shape.points.setValue(moving.points);
      }
      this.shapes.redraw();
    } else if (placing !== null && placing.pressed !== null) {
      const place = this.surface.placeAt(event.clientX, event.clientY) ?? this.clamped(event);
      const isDrag = Math.hypot(place.x - placing.pressed.x, place.y - placing.pressed.y) > DRAG;
      placing.pressed = null;
      const point = isDrag ? this.pointAt(place, event.ctrlKey) : null;
      if (point !== null) this.place(point, true);
    }
  };

  /** A place outside of the pane, in the coordinates of the pane. */
  private beyond({ clientX, clientY }: PointerEvent): Place {
    const { left, top } = this.surface.box() ?? this.surface.element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** The place of this pane that is nearest to the pointer. */
  private clamped(event: PointerEvent): Place {
    const { x, y } = this.beyond(event);
    const { width, height } = this.surface.size();
    return { x: Math.min(Math.max(x, 0), Math.max(width - 1, 0)), y: Math.min(Math.max(y, 0), Math.max(height - 1, 0)) };
  }

  private drag(moving: Moving, place: Place, pull: boolean): void {
    if (!moving.moved && Math.hypot(place.x - moving.start.x, place.y - moving.start.y) < 3) return;
    moving.moved = true;
    const { shape, handle } = moving.hit;
    if (handle !== null) {
      const point = this.pointAt(place, pull);
      if (point === null) return;
      const changed = withHandle(shape, shape.points.value(), handle, point, this.tick);
      moving.points = changed.points;
      moving.more = changed.more;
      this.sketch(changed.more === undefined ? shape : preview(shape, changed.more), changed.points, shape);
      return;
    }
    const to = this.surface.read(place);
    if (to === null) return;
    const bars = Math.round(to.index - moving.from.index);
    const by = to.price - moving.from.price;
    moving.points = shape.points.value().map(({ time, price }) => ({ time: this.timeBeside(time, bars), price: this.rounded(price + by) }));
    this.sketch(shape, moving.points, shape);
  }

  /** Show a drawing that is not finished. */
  private sketch(shape: Shape, points: readonly ShapePoint[], of: Shape | null): void {
    this.shapes.sketch = { of, shape, points };
    this.shapes.redraw();
  }

  /** Add a point to the new drawing; the last point finishes it. */
  private place(point: ShapePoint | null, byPointer: boolean): void {
    const tool = this.tools.tool.value();
    if (tool === null || point === null) return;
    const points = [...(this.placing?.points ?? []), point];
    if (!byPointer) this.shapes.cursor = point;
    if (points.length < tool.places) {
      this.placing = { tool, points, pressed: null };
      this.show(this.placing, point);
      return;
    }
    this.drop();
    if (tool.name.endsWith('_position')) this.finishPosition(tool.name, point);
    else this.tools.finish(this.chart, tool.name, points, {}, this.surface.pane);
  }

  private finishPosition(name: string, entry: ShapePoint): void {
    const end = { time: this.timeBeside(entry.time, POSITION_BARS), price: entry.price };
    const away = Math.abs(this.priceBeside(entry.price, this.surface.size().height / POSITION_SHARE) - entry.price);
    const level = Math.max(1, Math.round(away / this.tick));
    this.tools.finish(this.chart, name, [entry, end], { profitLevel: level, stopLevel: level }, this.surface.pane);
  }

  /** Show the new drawing with its next point here. */
  private show({ tool, points }: Placing, next: ShapePoint): void {
    const known = [...points, next];
    // A drawing with too few points is shown as a line.
    const name = known.length < tool.places ? 'trend_line' : tool.name;
    const shape = new Shape(name, known, { linecolor: '#5a9cf8', linewidth: 2 }, 'sketch');
    this.sketch(shape, known, null);
  }

  private get tick(): number {
    return 10 ** -this.shapes.decimals;
  }

  private rounded(price: number): number {
    return Number((Math.round(price / this.tick) * this.tick).toFixed(10));
  }

  /** The point at a place: on a bar, and with the magnet on one of its prices. Ctrl switches the magnet while it is held. */
  private pointAt(place: Place, turned: boolean): ShapePoint | null {
    const found = this.surface.read(place);
    const bars = this.chart.bars.value();
    if (found === null || bars.length < 2) return null;
    const index = Math.round(found.index);
    const time = timeAt(bars, index);
    const bar = bars[index];
    if (bar === undefined || this.surface.pane !== null || this.tools.magnet.value() === turned) return { time, price: this.rounded(found.price) };
    const away = (price: number) => Math.abs((this.surface.y(price) ?? Infinity) - place.y);
    const nearest = [bar[1], bar[2], bar[3], bar[4]].reduce((one, other) => (away(other) < away(one) ? other : one));
    return { time, price: away(nearest) <= PULL ? nearest : this.rounded(found.price) };
  }

  private timeBeside(time: number, bars: number): number {
    const all = this.chart.bars.value();
    return timeAt(all, indexAt(all, time) + bars);
  }

  private priceBeside(price: number, pixels: number): number {
    const y = this.surface.y(price);
    const found = y === null ? null : this.surface.read({ x: 0, y: y - pixels });
    return found === null ? price : this.rounded(found.price);
  }

  private nudge(shape: Shape, bars: number, up: number, by: number): void {
    const moved = this.moved(shape, bars * by, 0);
    shape.points.setValue(moved.map(({ time, price }) => ({ time, price: up === 0 ? price : this.priceBeside(price, up * by * 2) })));
  }

  /** The cursor of the keyboard; it begins in the middle. */
  private cursor(): ShapePoint | null {
    const { width, height } = this.surface.size();
    return this.shapes.cursor ?? this.pointAt({ x: width / 2, y: height / 2 }, false);
  }

  private moveCursor(bars: number, up: number, by: number): void {
    const at = this.cursor();
    if (at === null) return;
    this.shapes.cursor = { time: this.timeBeside(at.time, bars * by), price: this.priceBeside(at.price, up * by * 4) };
    if (this.placing !== null) this.show(this.placing, this.shapes.cursor);
    this.shapes.redraw();
  }
}

/** A copy of a drawing with other properties, for display only. */
const preview = (shape: Shape, more: Record<string, number>): Shape =>
  new Shape(shape.name, shape.points.value(), { ...shape.properties.value(), ...more }, shape.id);

