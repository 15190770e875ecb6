// Drawings as the chart object gives and takes them.
import { faults, instrument } from '../faults';
import type { Chart } from '../model/chart';
import { Shape, type ShapePoint, type ShapeProperties } from '../model/shapes';

interface Options {
  shape?: string;
  text?: string;
  overrides?: ShapeProperties;
  lock?: boolean;
  /** The study in whose pane the drawing is. */
  ownerStudyId?: string;
}

type GivenPoint = { time?: number; price?: number; channel?: string };

/** `getShapeById(id)`: the properties of one drawing that can be read and changed. */
export function shapeApi(shape: Shape) {
  return instrument('shape', {
    getPoints: () => shape.points.value().map((point) => ({ ...point })),
    setPoints: (points: readonly ShapePoint[]) => shape.points.setValue(points.map((point) => ({ ...point }))),
    getProperties: () => ({ ...shape.properties.value() }),
    setProperties: (more: ShapeProperties) => shape.set(more),
    isVisible: () => shape.visible.value(),
    isLocked: () => shape.locked.value(),
    isSelectionEnabled: () => !shape.locked.value(),
    ownerStudyId: () => shape.pane,
    bringToFront: () => undefined,
  });
}

/** Put a drawing on a chart; resolves to its id. */
export function createShape(chart: Chart, points: readonly GivenPoint[], options: Options = {}): Promise<string> {
  try {
    const name = options.shape ?? (points.length > 1 ? 'trend_line' : 'flag');
    const overrides = options.overrides ?? {};
    const properties = options.text === undefined ? overrides : { ...overrides, text: options.text };
    const pane = options.ownerStudyId ?? null;
    if (pane !== null && !chart.studies.value().some((study) => study.id === pane && study.ownPane)) {
      throw new Error(`there is no study "${pane}" with a pane of its own`);
    }
    const shape = new Shape(name, points.map((point) => complete(chart, point)), properties, undefined, true, options.lock ?? false, chart.symbol.value(), pane);
    chart.addShape(shape);
    if (faults.rejectedShapes) throw new Error('the drawing could not be read back');
    return Promise.resolve(shape.id);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** A vertical line may have no price, and a horizontal line no time: then the price or time of the last bar is used. */
function complete(chart: Chart, point: GivenPoint): ShapePoint {
  const last = chart.bars.value().at(-1);
  return { time: point.time ?? last?.[0] ?? Number.NaN, price: point.price ?? last?.[4] ?? Number.NaN };
}
