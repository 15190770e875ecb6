// The drawings of a chart, as a layer over its prices.
import type { IPrimitivePaneView, ISeriesApi, ISeriesPrimitive, Logical, SeriesAttachedParameter, SeriesType } from 'lightweight-charts';
import type { Chart } from '../model/chart';
import type { Shape } from '../model/shapes';
import { FONT } from './fonts';

type Context = CanvasRenderingContext2D;
type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

/** Kinds of drawings that are an area between two places. */
const BOXES: readonly string[] = ['rectangle', 'price_range', 'date_range'];

/** The parts of a move at which TradingView's retracement draws lines. */
const FIBONACCI: readonly number[] = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1];

interface Place {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

export class DrawnShapes implements ISeriesPrimitive {
  private attachment: SeriesAttachedParameter | null = null;

  constructor(private readonly model: Chart) {}

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
  }

  detached(): void {
    this.attachment = null;
  }

  redraw(): void {
    this.attachment?.requestUpdate();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ renderer: () => ({ draw: (target: Target) => this.draw(target) }) }];
  }

  private draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const shape of this.model.shapes.value()) if (shape.visible.value()) this.drawShape(context, mediaSize, shape);
    });
  }

  private drawShape(context: Context, size: Size, shape: Shape): void {
    const places = shape.points.value().map((point) => this.place(point.time, point.price));
    const [one] = places;
    if (!places.every((place) => place !== null) || !one) return;
    context.save();
    context.font = `12px ${FONT}`;
    context.strokeStyle = context.fillStyle = shape.color;
    context.lineWidth = shape.width;
    drawKind(context, size, shape.name, one, places);
    if (shape.text !== '') context.fillText(shape.text, one.x + 6, one.y - 5);
    context.restore();
  }

  /** The place of a time and a price in the pane; null if there is none. */
  private place(time: number, price: number): Place | null {
    const series: ISeriesApi<SeriesType> | undefined = this.attachment?.series;
    const x = this.attachment?.chart.timeScale().logicalToCoordinate(this.index(time) as Logical) ?? null;
    const y = series?.priceToCoordinate(price) ?? null;
    return x === null || y === null ? null : { x, y };
  }

  /**
   * The index of the bar at a time, with a fraction between two bars. Beyond the ends, the distance of the outermost
   * two bars is used.
   */
  private index(time: number): number {
    const bars = this.model.bars.value();
    const after = bars.findIndex((bar) => bar[0] >= time);
    const at = after < 0 ? bars.length - 1 : Math.max(1, after);
    const [left, right] = [bars[at - 1]?.[0] ?? 0, bars[at]?.[0] ?? 1];
    return at - 1 + (time - left) / Math.max(1, right - left);
  }
}

/** Draw a drawing through its places; `one` is the first of them. */
function drawKind(context: Context, { width, height }: Size, name: string, one: Place, places: readonly Place[]): void {
  const [, two, three] = places;
  const through = (...along: readonly Place[]) => {
    context.beginPath();
    for (const { x, y } of along) context.lineTo(x, y);
    context.stroke();
  };
  const across = (from: number) => through({ x: from, y: one.y }, { x: width, y: one.y });
  const down = () => through({ x: one.x, y: 0 }, { x: one.x, y: height });
  if (name.startsWith('horizontal')) across(name === 'horizontal_ray' ? one.x : 0);
  else if (name === 'vertical_line') down();
  else if (name === 'cross_line') {
    across(0);
    down();
  } else if (two === undefined) context.fillRect(one.x - 3, one.y - 3, 6, 6);
  else if (BOXES.includes(name)) {
    context.strokeRect(one.x, one.y, two.x - one.x, two.y - one.y);
    context.globalAlpha = 0.15;
    context.fillRect(one.x, one.y, two.x - one.x, two.y - one.y);
    context.globalAlpha = 1;
  } else if (name === 'circle') {
    context.beginPath();
    context.arc(one.x, one.y, Math.hypot(two.x - one.x, two.y - one.y), 0, 2 * Math.PI);
    context.stroke();
  } else if (name === 'parallel_channel' && three !== undefined) {
    through(one, two);
    through(three, { x: three.x + two.x - one.x, y: three.y + two.y - one.y });
  } else through(...places, ...(name === 'triangle' ? [one] : []));
  if (name !== 'fib_retracement' || two === undefined) return;
  for (const level of FIBONACCI) {
    const y = two.y + (one.y - two.y) * level;
    through({ x: one.x, y }, { x: two.x, y });
    context.fillText(String(level), Math.min(one.x, two.x) + 2, y - 2);
  }
}
