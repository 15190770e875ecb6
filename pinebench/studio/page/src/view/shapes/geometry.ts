// The lines, areas and texts of each kind of drawing.
import type { Shape, ShapePoint } from '../../model/shapes';

export interface Place {
  x: number;
  y: number;
}

/** A part of a drawing; a `thin` line is one pixel wide. */
export type Part =
  | { kind: 'line'; places: readonly Place[]; color?: string; dashed?: boolean; thin?: boolean }
  | { kind: 'area'; places: readonly Place[]; color?: string; opacity: number }
  | { kind: 'circle'; at: Place; radius: number }
  | { kind: 'words'; at: Place; lines: readonly string[]; size: number; align: CanvasTextAlign; color?: string; ground?: string };

/** The pane of a drawing: its size, and the places and texts of times and prices. */
export interface Sheet {
  width: number;
  height: number;
  place: (point: ShapePoint) => Place | null;
  index: (time: number) => number;
  priceText: (price: number) => string;
  /** The smallest step of a price. */
  tick: number;
}

const UP = '#2fae86';
const DOWN = '#e05a62';

/** The levels of TradingView's retracement, with the colours of their bands. */
const FIBONACCI: readonly (readonly [share: number, color: string])[] = [
  [0, '#8a94a6'],
  [0.236, '#e05a62'],
  [0.382, '#e0a94b'],
  [0.5, '#2fae86'],
  [0.618, '#35b5a5'],
  [0.786, '#5a9cf8'],
  [1, '#8a94a6'],
];

const FAR = 1e4;

type Draw = (sheet: Sheet, shape: Shape, points: readonly ShapePoint[], places: readonly Place[]) => Part[];

/** The parts of a drawing with its points at `points`; none if a point has no place. */
export function partsOf(sheet: Sheet, shape: Shape, points: readonly ShapePoint[]): Part[] {
  const found = points.map((point) => sheet.place(point));
  if (found.some((place) => place === null)) return [];
  const places = found as Place[];
  const [first] = places;
  if (first === undefined) return [];
  const parts = (KINDS[shape.name] ?? path)(sheet, shape, points, places);
  if (shape.text !== '' && shape.name !== 'text') parts.push(words({ x: first.x + 6, y: first.y - 10 }, [shape.text]));
  return parts;
}

/** The handles of a drawing: its points, and places that follow from them. */
export function handlesOf(shape: Shape, points: readonly ShapePoint[], tick: number): ShapePoint[] {
  const [one, two] = points;
  if (one === undefined || two === undefined) return [...points];
  if (shape.name === 'rectangle') return [one, two, { time: one.time, price: two.price }, { time: two.time, price: one.price }];
  const levels = levelsOf(shape, one.price, tick);
  if (levels === null) return [...points];
  return [one, { time: two.time, price: one.price }, { time: one.time, price: levels.target }, { time: one.time, price: levels.stop }];
}

/** The points and properties of a drawing after its handle `at` is moved to a point. */
export function withHandle(
  shape: Shape,
  points: readonly ShapePoint[],
  at: number,
  to: ShapePoint,
  tick: number,
): { points: ShapePoint[]; more?: Record<string, number> } {
  const [one, two] = points;
  if (one === undefined || two === undefined) return { points: [to] };
  if (shape.name === 'rectangle' && at >= 2) {
    const [first, second] = at === 2 ? [{ time: to.time, price: one.price }, { time: two.time, price: to.price }] : [{ time: one.time, price: to.price }, { time: to.time, price: two.price }];
    return { points: [first, second] };
  }
  if (!isPosition(shape)) return { points: points.map((point, i) => (i === at ? to : point)) };
  if (at === 0) return { points: [to, { time: two.time, price: to.price }] };
  if (at === 1) return { points: [one, { time: to.time, price: one.price }] };
  const [up, name] = at === 2 ? [1, 'profitLevel'] : [-1, 'stopLevel'];
  const away = (to.price - one.price) * up * (shape.name === 'long_position' ? 1 : -1);
  return { points: [...points], more: { [name]: Math.max(1, Math.round(away / tick)) } };
}

const isPosition = ({ name }: Shape): boolean => name === 'long_position' || name === 'short_position';

/** The target and the stop of a position, from TradingView's properties in ticks; null for other kinds. */
function levelsOf(shape: Shape, entry: number, tick: number): { target: number; stop: number } | null {
  if (!isPosition(shape)) return null;
  const by = shape.name === 'long_position' ? tick : -tick;
  const usual = Math.max(1, Math.round(Math.abs(entry) / 100 / tick));
  return { target: entry + by * shape.amount('profitLevel', usual), stop: entry - by * shape.amount('stopLevel', usual) };
}

function words(at: Place, lines: readonly string[], more: Partial<Extract<Part, { kind: 'words' }>> = {}): Part {
  return { kind: 'words', at, lines, size: 12, align: 'left', ...more };
}

/** The four corners of the area between two places. */
const corners = (one: Place, two: Place): Place[] => [one, { x: two.x, y: one.y }, two, { x: one.x, y: two.y }];

const closed = (places: readonly Place[]): Place[] => [...places, ...places.slice(0, 1)];

/** A place far beyond the second one, seen from the first. */
function beyond(one: Place, two: Place): Place {
  const length = Math.hypot(two.x - one.x, two.y - one.y) || 1;
  return { x: two.x + ((two.x - one.x) * FAR) / length, y: two.y + ((two.y - one.y) * FAR) / length };
}

const path: Draw = (_sheet, _shape, _points, places) =>
  places.length < 2 ? mark(places) : [{ kind: 'line', places }];

/** A small square for drawings with one point. */
function mark([place]: readonly Place[]): Part[] {
  const at = place ?? { x: 0, y: 0 };
  return [{ kind: 'area', places: corners({ x: at.x - 3, y: at.y - 3 }, { x: at.x + 3, y: at.y + 3 }), opacity: 1 }];
}

const box: Draw = (_sheet, _shape, _points, [one, two]) => {
  if (one === undefined || two === undefined) return [];
  const around = corners(one, two);
  return [
    { kind: 'area', places: around, opacity: 0.15 },
    { kind: 'line', places: closed(around) },
  ];
};

const position: Draw = (sheet, shape, points, [one, two]) => {
  const entry = points[0]?.price ?? Number.NaN;
  const levels = levelsOf(shape, entry, sheet.tick);
  if (one === undefined || two === undefined || levels === null) return [];
  const [target, stop] = [levels.target, levels.stop].map((price) => sheet.place({ time: points[0]?.time ?? 0, price })?.y ?? one.y);
  const band = (y: number, color: string): Part => ({ kind: 'area', places: corners(one, { x: two.x, y }), color, opacity: 0.22 });
  const [profit, risk] = [Math.abs(levels.target - entry), Math.abs(entry - levels.stop)];
  const share = (by: number) => `${((by / entry) * 100).toFixed(2)}%`;
  const middle = (one.x + two.x) / 2;
  const outside = (y: number) => ({ x: middle, y: y + (y > one.y ? 12 : -12) });
  const label = (name: string, price: number, by: number, at: Place, ground: string) =>
    words(at, [`${name} ${sheet.priceText(price)} (${share(by)})`], { align: 'center', size: 11, ground, color: '#ffffff' });
  return [
    band(target ?? one.y, UP),
    band(stop ?? one.y, DOWN),
    { kind: 'line', places: [one, { x: two.x, y: one.y }], color: '#8a94a6', thin: true },
    label('Target', levels.target, profit, outside(target ?? one.y), '#1f7d5f'),
    label('Stop', levels.stop, risk, outside(stop ?? one.y), '#b03a44'),
    words({ x: middle, y: one.y }, [`Risk/reward ${(profit / risk).toFixed(2)}`], { align: 'center', size: 11, ground: '#4d586a', color: '#ffffff' }),
  ];
};

const DAY = 86_400;

function spanText(seconds: number): string {
  const size = Math.abs(seconds);
  const [days, hours, minutes] = [Math.floor(size / DAY), Math.floor((size % DAY) / 3600), Math.round((size % 3600) / 60)];
  return [`${days}d`, `${hours}h`, `${minutes}m`].filter((part) => !part.startsWith('0')).join(' ') || '0m';
}

const measure: Draw = (sheet, _shape, [from, to], [one, two]) => {
  if (one === undefined || two === undefined || from === undefined || to === undefined) return [];
  const by = to.price - from.price;
  const color = by < 0 ? DOWN : '#5a9cf8';
  const sign = by < 0 ? '−' : '+';
  const bars = Math.round(sheet.index(to.time)) - Math.round(sheet.index(from.time));
  const [midX, midY] = [(one.x + two.x) / 2, (one.y + two.y) / 2];
  const told = [
    `${sign}${sheet.priceText(Math.abs(by))} (${sign}${Math.abs((by / from.price) * 100).toFixed(2)}%)`,
    `${bars} bars, ${spanText(to.time - from.time)}`,
  ];
  const tip = (at: Place, dx: number, dy: number): Part => ({
    kind: 'line',
    places: [{ x: at.x - 5 * dx - 4 * dy, y: at.y - 5 * dy - 4 * dx }, at, { x: at.x - 5 * dx + 4 * dy, y: at.y - 5 * dy + 4 * dx }],
    color,
    thin: true,
  });
  return [
    { kind: 'area', places: corners(one, two), color, opacity: 0.18 },
    { kind: 'line', places: [{ x: midX, y: one.y }, { x: midX, y: two.y }], color, thin: true },
    { kind: 'line', places: [{ x: one.x, y: midY }, { x: two.x, y: midY }], color, thin: true },
    tip({ x: midX, y: two.y }, 0, Math.sign(two.y - one.y)),
    tip({ x: two.x, y: midY }, Math.sign(two.x - one.x), 0),
    words({ x: midX, y: two.y + (by < 0 ? 24 : -24) }, told, { align: 'center', ground: by < 0 ? '#b03a44' : '#2a5fb0', color: '#ffffff' }),
  ];
};

const retracement: Draw = (sheet, _shape, [from, to], [one, two]) => {
  if (one === undefined || two === undefined || from === undefined || to === undefined) return [];
  const [left, right] = [Math.min(one.x, two.x), Math.max(one.x, two.x)];
  const heights = FIBONACCI.map(([share]) => two.y + (one.y - two.y) * share);
  const bands = FIBONACCI.slice(1).map(
    ([, color], i): Part => ({ kind: 'area', places: corners({ x: left, y: heights[i] ?? 0 }, { x: right, y: heights[i + 1] ?? 0 }), color, opacity: 0.1 }),
  );
  const lines = FIBONACCI.flatMap(([share, color], i): Part[] => {
    const y = heights[i] ?? 0;
    const price = to.price + (from.price - to.price) * share;
    return [
      { kind: 'line', places: [{ x: left, y }, { x: right, y }], color, thin: true },
      words({ x: left - 4, y }, [`${share} (${sheet.priceText(price)})`], { align: 'right', color, size: 11 }),
    ];
  });
  return [...bands, ...lines, { kind: 'line', places: [one, two], dashed: true, thin: true }];
};

const channel: Draw = (_sheet, _shape, _points, [one, two, three]) => {
  if (one === undefined || two === undefined) return [];
  if (three === undefined) return [{ kind: 'line', places: [one, two] }];
  // The third point gives the distance of the other line, which has the same bars as the first line.
  const slope = two.x === one.x ? 0 : (two.y - one.y) / (two.x - one.x);
  const by = three.y - (one.y + slope * (three.x - one.x));
  const moved = (place: Place, share = 1): Place => ({ x: place.x, y: place.y + by * share });
  return [
    { kind: 'area', places: [one, two, moved(two), moved(one)], opacity: 0.12 },
    { kind: 'line', places: [one, two] },
    { kind: 'line', places: [moved(one), moved(two)] },
    { kind: 'line', places: [moved(one, 0.5), moved(two, 0.5)], dashed: true, thin: true },
  ];
};

const text: Draw = (_sheet, shape, _points, places) =>
  shape.text === '' || places[0] === undefined ? mark(places) : [words(places[0], shape.text.split('\n'), { size: shape.amount('fontsize', 14) })];

const through = (make: (sheet: Sheet, place: Place) => Place[][]): Draw => (sheet, _shape, _points, [place]) =>
  place === undefined ? [] : make(sheet, place).map((places) => ({ kind: 'line', places }));

const across = (sheet: Sheet, { x, y }: Place, from = 0): Place[] => [{ x: Math.min(from, x), y }, { x: sheet.width, y }];
const down = (sheet: Sheet, { x }: Place): Place[] => [{ x, y: 0 }, { x, y: sheet.height }];

const KINDS: Record<string, Draw> = {
  horizontal_line: through((sheet, place) => [across(sheet, place)]),
  horizontal_ray: through((sheet, place) => [across(sheet, place, place.x)]),
  vertical_line: through((sheet, place) => [down(sheet, place)]),
  cross_line: through((sheet, place) => [across(sheet, place), down(sheet, place)]),
  ray: (_sheet, _shape, _points, [one, two]) => (one === undefined || two === undefined ? [] : [{ kind: 'line', places: [one, beyond(one, two)] }]),
  extended: (_sheet, _shape, _points, [one, two]) =>
    one === undefined || two === undefined ? [] : [{ kind: 'line', places: [beyond(two, one), beyond(one, two)] }],
  rectangle: box,
  price_range: box,
  date_range: box,
  circle: (_sheet, _shape, _points, [one, two]) =>
    one === undefined || two === undefined ? [] : [{ kind: 'circle', at: one, radius: Math.hypot(two.x - one.x, two.y - one.y) }],
  triangle: (_sheet, _shape, _points, places) => [{ kind: 'line', places: closed(places) }],
  parallel_channel: channel,
  fib_retracement: retracement,
  date_and_price_range: measure,
  long_position: position,
  short_position: position,
  text,
};

/** The distance of a place from the nearest part of a drawing in pixels; 0 inside an area. */
export function distanceTo(parts: readonly Part[], { x, y }: Place, textWidth: (part: Extract<Part, { kind: 'words' }>) => number): number {
  return Math.min(
    Infinity,
    ...parts.map((part) => {
      if (part.kind === 'line') return alongLine(part.places, x, y);
      if (part.kind === 'circle') return Math.abs(Math.hypot(x - part.at.x, y - part.at.y) - part.radius);
      if (part.kind === 'area') return isInside(part.places, x, y) ? 0 : Infinity;
      const wide = textWidth(part);
      const left = part.align === 'center' ? part.at.x - wide / 2 : part.align === 'right' ? part.at.x - wide : part.at.x;
      const half = (part.lines.length * part.size * 1.3) / 2;
      return x >= left && x <= left + wide && Math.abs(y - part.at.y) <= half ? 0 : Infinity;
    }),
  );
}

function alongLine(places: readonly Place[], x: number, y: number): number {
  let nearest = Infinity;
  for (let i = 1; i < places.length; i++) {
    const [one, two] = [places[i - 1], places[i]] as [Place, Place];
    const [dx, dy] = [two.x - one.x, two.y - one.y];
    const share = Math.min(1, Math.max(0, ((x - one.x) * dx + (y - one.y) * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, Math.hypot(x - one.x - share * dx, y - one.y - share * dy));
  }
  return nearest;
}

function isInside(places: readonly Place[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = places.length - 1; i < places.length; j = i++) {
    const [one, two] = [places[i], places[j]] as [Place, Place];
    if (one.y > y !== two.y > y && x < ((two.x - one.x) * (y - one.y)) / (two.y - one.y) + one.x) inside = !inside;
  }
  return inside;
}
