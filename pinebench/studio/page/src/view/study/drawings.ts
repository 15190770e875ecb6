// Labels, lines, boxes, polylines and fills between lines in a pane.
import type { Drawing } from '../../server';
import { FONT, textHeight, type Pane, type Place } from './pane';
import { sign } from './signs';

export const TEXT_SIZES: Record<string, number> = { auto: 11, tiny: 8, small: 10, normal: 12, large: 16, huge: 22 };
const FAR = 1e5;
/** Straight pieces from one point of a curve to the next. */
const CURVE = 8;
const MONOSPACE = 'JetBrains Mono Variable, monospace';

export type Drawings = Record<string, readonly Drawing[]>;

/** Draw what is left on the chart, but for tables, which belong to no bar. */
export function drawDrawings(pane: Pane, drawings: Drawings): void {
  for (const [kind, draw] of ORDER) for (const drawing of drawings[kind] ?? []) draw(pane, drawing);
}

export const word = (value: unknown): string => (typeof value === 'string' ? value : '');
const amount = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
/** A colour as the runtime tells it; null where there is none to be seen. */
export const paint = (value: unknown): string | null => (typeof value === 'string' && !value.endsWith('00') ? value : null);

const across = (pane: Pane, value: unknown, xloc: unknown): number =>
  pane.x(xloc === 'bar_time' ? pane.indexOfTime(amount(value)) : amount(value));

export function textSize(size: unknown): number {
  if (typeof size === 'string') return TEXT_SIZES[size] ?? 12;
  return typeof size === 'number' && size > 0 ? Math.min(Math.max(size, 6), 60) : (TEXT_SIZES['auto'] ?? 11);
}

/** Where a line begins and ends, prolonged where it goes on. */
function ends(pane: Pane, line: Drawing): [Place, Place] | null {
  const first = { x: across(pane, line['x1'], line['xloc']), y: pane.y(amount(line['y1'])) };
  const second = { x: across(pane, line['x2'], line['xloc']), y: pane.y(amount(line['y2'])) };
  if (![first.x, first.y, second.x, second.y].every(Number.isFinite)) return null;
  const extend = word(line['extend']);
  return [
    extend === 'left' || extend === 'both' ? beyond(second, first) : first,
    extend === 'right' || extend === 'both' ? beyond(first, second) : second,
  ];
}

function beyond(start: Place, through: Place): Place {
  const [dx, dy] = [through.x - start.x, through.y - start.y];
  const by = 5000 / (Math.hypot(dx, dy) || 1);
  return { x: through.x + dx * by, y: through.y + dy * by };
}

function line(pane: Pane, drawing: Drawing): void {
  const [found, color] = [ends(pane, drawing), paint(drawing['color'])];
  if (found === null || color === null) return;
  const style = word(drawing['style']);
  pane.stroke(found, color, Math.max(amount(drawing['width']) || 1, 1), style);
  if (style === 'arrow_right' || style === 'arrow_both') head(pane, found[0], found[1], color);
  if (style === 'arrow_left' || style === 'arrow_both') head(pane, found[1], found[0], color);
}

function head(pane: Pane, start: Place, tip: Place, color: string): void {
  const angle = Math.atan2(tip.y - start.y, tip.x - start.x);
  const sides = [0.45, -0.45].map((turn) => ({ x: tip.x - 9 * Math.cos(angle + turn), y: tip.y - 9 * Math.sin(angle + turn) }));
  pane.surface([tip, ...sides], color);
}

function between(pane: Pane, drawing: Drawing): void {
  const [one, two, color] = [drawing['line1'], drawing['line2'], paint(drawing['color'])];
  const [first, second] = [one, two].map((each) => (typeof each === 'object' && each !== null ? ends(pane, each as Drawing) : null));
  if (color !== null && first && second) pane.surface([...first, ...[...second].reverse()], color);
}

function box(pane: Pane, drawing: Drawing): void {
  const extend = word(drawing['extend']);
  const places = [across(pane, drawing['left'], drawing['xloc']), across(pane, drawing['right'], drawing['xloc'])];
  const heights = [pane.y(amount(drawing['top'])), pane.y(amount(drawing['bottom']))];
  if (![...places, ...heights].every(Number.isFinite)) return;
  const left = extend === 'left' || extend === 'both' ? -FAR : Math.min(...places);
  const right = extend === 'right' || extend === 'both' ? FAR : Math.max(...places);
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  const [ground, border, ink] = [paint(drawing['bgcolor']), paint(drawing['border_color']), paint(drawing['text_color'])];
  if (ground !== null) pane.rectangle(left, top, right, bottom, ground);
  const width = amount(drawing['border_width']);
  if (border !== null && width > 0) {
    const corners = [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }, { x: left, y: top }];
    pane.stroke(corners, border, width, word(drawing['border_style']));
  }
  const words = word(drawing['text']);
  if (words === '' || ink === null || right <= 0 || left >= pane.width) return;
  const area = { left: Math.max(left, 0), top, right: Math.max(Math.min(right, pane.width), 1), bottom };
  const size = fitting(pane, words, drawing['text_size'], area);
  inside(pane, area, words, ink, size, word(drawing['text_halign']), word(drawing['text_valign']));
}

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The size of a text; an automatic one is as large as its box lets it be. */
function fitting(pane: Pane, words: string, size: unknown, { left, top, right, bottom }: Area): number {
  if (size !== 'auto' && size !== 0) return textSize(size);
  const fits = Math.min((right - left) / (pane.textWidth(words, 10) / 10 || 1), (bottom - top) / textHeight(words, 1));
  return Math.trunc(Math.max(6, Math.min(fits, 18)));
}

/** A text in a rectangle, at its sides or in its middle. */
export function inside(pane: Pane, area: Area, words: string, color: string, size: number, horizontal: string, vertical: string): void {
  const half = textHeight(words, size) / 2;
  const x = horizontal === 'left' ? area.left + 4 : horizontal === 'right' ? area.right - 4 : (area.left + area.right) / 2;
  const y = vertical === 'top' ? area.top + half + 2 : vertical === 'bottom' ? area.bottom - half - 2 : (area.top + area.bottom) / 2;
  pane.words(x, y, words, color, size, horizontal === 'left' || horizontal === 'right' ? horizontal : 'center');
}

function polyline(pane: Pane, drawing: Drawing): void {
  const given = Array.isArray(drawing['points']) ? (drawing['points'] as Drawing[]) : [];
  const xloc = drawing['xloc'];
  let points = given
    .map((point) => ({ x: across(pane, xloc === 'bar_time' ? point['time'] : point['index'], xloc), y: pane.y(amount(point['price'])) }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  if (points.length < 2) return;
  if (drawing['closed'] === true && points[0] !== undefined) points.push(points[0]);
  if (drawing['curved'] === true) points = curve(points);
  const [ground, color] = [paint(drawing['fill_color']), paint(drawing['line_color'])];
  if (ground !== null) pane.surface(points, ground);
  if (color !== null) pane.stroke(points, color, Math.max(amount(drawing['line_width']) || 1, 1), word(drawing['line_style']));
}

/** A smooth way through all points, straight pieces of it (Catmull-Rom). */
function curve(points: readonly Place[]): Place[] {
  const at = (i: number): Place => points[Math.min(Math.max(i, 0), points.length - 1)] ?? { x: 0, y: 0 };
  const found = [at(0)];
  for (let i = 0; i < points.length - 1; i++) {
    for (let step = 1; step <= CURVE; step++) {
      const t = step / CURVE;
      const weights = [-0.5 * t + t ** 2 - 0.5 * t ** 3, 1 - 2.5 * t ** 2 + 1.5 * t ** 3, 0.5 * t + 2 * t ** 2 - 1.5 * t ** 3, -0.5 * t ** 2 + 0.5 * t ** 3];
      const around = [at(i - 1), at(i), at(i + 1), at(i + 2)];
      const mix = (axis: 'x' | 'y') => around.reduce((sum, point, n) => sum + point[axis] * (weights[n] ?? 0), 0);
      found.push({ x: mix('x'), y: mix('y') });
    }
  }
  return found;
}

const POINTERS = ['label_up', 'label_down', 'label_left', 'label_right'];
/** Where the corner of a label is from its place, in widths and heights. */
const ABOUT: Record<string, [number, number]> = {
  label_lower_left: [0, -1],
  label_lower_right: [-1, -1],
  label_upper_left: [0, 0],
  label_upper_right: [-1, 0],
};

function label(pane: Pane, drawing: Drawing): void {
  const x = across(pane, drawing['x'], drawing['xloc']);
  const [style, words] = [word(drawing['style']), word(drawing['text'])];
  const y = labelHeight(pane, drawing, x);
  if (!Number.isFinite(x) || !Number.isFinite(y) || x < -500 || x > pane.width + 500) return;
  const size = textSize(drawing['size']);
  const [color, ink] = [paint(drawing['color']), paint(drawing['textcolor'])];
  const face = drawing['text_font_family'] === 'monospace' ? MONOSPACE : FONT;
  const plain = style === 'none' || style === 'text_outline';
  if (!plain && !POINTERS.includes(style) && !(style in ABOUT) && style !== 'label_center') {
    if (color !== null) pane.surface(sign(style.replaceAll('_', ''), x, y, size * 0.7), color);
    if (words !== '' && ink !== null) pane.words(x, y - size * 1.2 - textHeight(words, size) / 2, words, ink, size, 'center', face);
    return;
  }
  const wide = (words === '' ? 8 : pane.textWidth(words, size)) + 12;
  const tall = textHeight(words === '' ? ' ' : words, size) + 6;
  const { left, top } = corner(style, x, y, wide, tall);
  if (color !== null && !plain) balloon(pane, { left, top, right: left + wide, bottom: top + tall }, style, x, y, color);
  if (words === '' || ink === null) return;
  const side = word(drawing['textalign']);
  const align = side === 'left' || side === 'right' ? side : 'center';
  const at = align === 'left' ? left + 6 : align === 'right' ? left + wide - 6 : left + wide / 2;
  pane.words(at, top + tall / 2, words, ink, size, align, face);
}

const TIP = 6;

function labelHeight(pane: Pane, drawing: Drawing, x: number): number {
  const where = word(drawing['yloc']);
  if (where !== 'abovebar' && where !== 'belowbar') return pane.y(amount(drawing['y']));
  const bar = pane.bars[Math.min(Math.max(Math.round((x - pane.x(0)) / pane.step), 0), pane.bars.length - 1)];
  if (bar === undefined) return Number.NaN;
  return where === 'abovebar' ? pane.y(bar[2]) - 4 : pane.y(bar[3]) + 4;
}

function corner(style: string, x: number, y: number, wide: number, tall: number): { left: number; top: number } {
  if (style === 'label_down') return { left: x - wide / 2, top: y - tall - TIP };
  if (style === 'label_up') return { left: x - wide / 2, top: y + TIP };
  if (style === 'label_left') return { left: x + TIP, top: y - tall / 2 };
  if (style === 'label_right') return { left: x - wide - TIP, top: y - tall / 2 };
  const [dx, dy] = ABOUT[style] ?? [-0.5, -0.5];
  return { left: x + dx * wide, top: y + dy * tall };
}

function balloon(pane: Pane, { left, top, right, bottom }: Area, style: string, x: number, y: number, color: string): void {
  const { context } = pane;
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, 3);
  context.fillStyle = color;
  context.fill();
  const foot: Record<string, Place[]> = {
    label_down: [{ x: x - 5, y: bottom }, { x: x + 5, y: bottom }],
    label_up: [{ x: x - 5, y: top }, { x: x + 5, y: top }],
    label_left: [{ x: left, y: y - 5 }, { x: left, y: y + 5 }],
    label_right: [{ x: right, y: y - 5 }, { x: right, y: y + 5 }],
  };
  pane.surface([{ x, y }, ...(foot[style] ?? [])], color);
}

const ORDER: [string, (pane: Pane, drawing: Drawing) => void][] = [
  ['linefill', between],
  ['box', box],
  ['polyline', polyline],
  ['line', line],
  ['label', label],
];
