// The drawings of a chart, as a layer over its prices.
import type { IPrimitivePaneView, ISeriesApi, ISeriesPrimitive, Logical, SeriesAttachedParameter, SeriesType } from 'lightweight-charts';
import type { Chart } from '../model/chart';
import type { Shape } from '../model/shapes';

type Context = CanvasRenderingContext2D;
type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

interface Place {
  x: number;
  y: number;
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

  private drawShape(context: Context, { width, height }: { width: number; height: number }, shape: Shape): void {
    const places = shape.points.value().map((point) => this.place(point.time, point.price));
    const [one, two] = places;
    if (one === undefined || one === null || two === null) return;
    context.save();
    context.strokeStyle = context.fillStyle = shape.color;
    context.lineWidth = shape.width;
    const line = (from: Place, to: Place) => {
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    };
    if (shape.name.startsWith('horizontal')) line({ x: shape.name === 'horizontal_ray' ? one.x : 0, y: one.y }, { x: width, y: one.y });
    else if (shape.name === 'vertical_line') line({ x: one.x, y: 0 }, { x: one.x, y: height });
    else if (two === undefined) context.fillRect(one.x - 3, one.y - 3, 6, 6);
    else if (['rectangle', 'price_range', 'date_range'].includes(shape.name)) {
      context.strokeRect(one.x, one.y, two.x - one.x, two.y - one.y);
      context.globalAlpha = 0.15;
      context.fillRect(one.x, one.y, two.x - one.x, two.y - one.y);
      context.globalAlpha = 1;
    } else line(one, two);
    if (shape.text !== '') {
      context.font = '12px Inter Variable, system-ui, sans-serif';
      context.fillText(shape.text, one.x + 6, one.y - 5);
    }
    context.restore();
  }

  /** Where a moment and a price lie in the pane; null where they cannot be placed. */
  private place(time: number, price: number): Place | null {
    const series: ISeriesApi<SeriesType> | undefined = this.attachment?.series;
    const x = this.attachment?.chart.timeScale().logicalToCoordinate(this.index(time) as Logical) ?? null;
    const y = series?.priceToCoordinate(price) ?? null;
    return x === null || y === null ? null : { x, y };
  }

  /** The index of the bar at a time, with a fraction between two bars; beyond the ends at the distance of the outermost two. */
  private index(time: number): number {
    const bars = this.model.bars.value();
    const after = bars.findIndex((bar) => bar[0] >= time);
    const at = after < 0 ? bars.length - 1 : Math.max(1, after);
    const [left, right] = [bars[at - 1]?.[0] ?? 0, bars[at]?.[0] ?? 1];
    return at - 1 + (time - left) / Math.max(1, right - left);
  }
}
