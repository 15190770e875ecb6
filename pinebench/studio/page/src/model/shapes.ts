// Drawings that people and programs put on a chart: lines, rectangles, texts.
import { Watched } from '../watched';
import { newEntityId } from './study';

export interface ShapePoint {
  time: number;
  price: number;
}

export type ShapeProperties = Record<string, unknown>;

/** A drawing as it is stored for a reload. */
export interface KeptShape {
  id: string;
  name: string;
  points: ShapePoint[];
  properties: ShapeProperties;
  visible: boolean;
  locked: boolean;
  /** The symbol of the drawing; without one, it is shown on all symbols. */
  symbol?: string | null;
  /** The study in whose pane the drawing is; without one, it is on the prices. */
  pane?: string | null;
}

/** The number of points of each kind of drawing; null means two or more. */
const POINTS: Record<string, number | null> = {
  horizontal_line: 1,
  horizontal_ray: 1,
  vertical_line: 1,
  cross_line: 1,
  text: 1,
  note: 1,
  arrow_up: 1,
  arrow_down: 1,
  flag: 1,
  trend_line: 2,
  ray: 2,
  extended: 2,
  arrow: 2,
  rectangle: 2,
  price_range: 2,
  date_range: 2,
  trend_angle: 2,
  info_line: 2,
  circle: 2,
  fib_retracement: 2,
  date_and_price_range: 2,
  long_position: 2,
  short_position: 2,
  triangle: 3,
  parallel_channel: 3,
  path: null,
  polyline: null,
  brush: null,
};

const WORDS: Record<string, string> = { date_and_price_range: 'Measure', fib_retracement: 'Fib retracement' };

/** The name of a kind of drawing for people: "Trend line" for `trend_line`. */
export const kindText = (name: string): string => WORDS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

export class Shape {
  readonly visible: Watched<boolean>;
  readonly locked: Watched<boolean>;
  readonly points: Watched<readonly ShapePoint[]>;
  readonly properties: Watched<ShapeProperties>;

  constructor(
    readonly name: string,
    points: readonly ShapePoint[],
    properties: ShapeProperties,
    readonly id = newEntityId(),
    visible = true,
    locked = false,
    readonly symbol: string | null = null,
    /** The id of the study in whose pane the drawing is; null for the pane of the prices. */
    readonly pane: string | null = null,
  ) {
    const count = POINTS[name];
    if (count === undefined) throw new Error(`the studio cannot draw "${name}"; it draws ${Object.keys(POINTS).join(', ')}`);
    if (count === null ? points.length < 2 : points.length !== count) {
      throw new Error(`"${name}" has ${count ?? 'two or more'} points, not ${points.length}`);
    }
    for (const { time, price } of points) {
      if (!Number.isFinite(time) || !Number.isFinite(price)) throw new Error(`a point of "${name}" has no time or no price`);
    }
    this.points = new Watched<readonly ShapePoint[]>(points.map(({ time, price }) => ({ time, price })));
    this.properties = new Watched(properties);
    this.visible = new Watched(visible);
    this.locked = new Watched(locked);
  }

  static ofKept({ id, name, points, properties, visible, locked, symbol, pane }: KeptShape): Shape {
    return new Shape(name, points, properties, id, visible, locked, symbol ?? null, pane ?? null);
  }

  kept(): KeptShape {
    const { id, name } = this;
    return {
      id,
      name,
      points: [...this.points.value()],
      properties: this.properties.value(),
      visible: this.visible.value(),
      locked: this.locked.value(),
      symbol: this.symbol,
      ...(this.pane === null ? {} : { pane: this.pane }),
    };
  }

  /** Change some of the properties. */
  set(more: ShapeProperties): void {
    this.properties.setValue({ ...this.properties.value(), ...more });
  }

  /** The name in lists: the user's name for the drawing, or its kind. */
  get title(): string {
    const { title } = this.properties.value();
    return typeof title === 'string' && title !== '' ? title : kindText(this.name);
  }

  /** A numeric property; `otherwise` if it is missing or not a number. */
  amount(name: string, otherwise: number): number {
    const value = this.properties.value()[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  }

  get text(): string {
    const { text } = this.properties.value();
    return typeof text === 'string' ? text : '';
  }

  get color(): string {
    const { linecolor, color } = this.properties.value();
    return [linecolor, color].find((value) => typeof value === 'string') ?? '#5a9cf8';
  }

  get width(): number {
    const width = this.amount('linewidth', 1);
    return width > 0 && width < 20 ? width : 1;
  }
}
