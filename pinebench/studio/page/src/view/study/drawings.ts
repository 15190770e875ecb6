// Labels, lines, boxes, polylines and fills between lines in a pane.
import type { Drawing } from '../../server';
import { FONT, MONOSPACE } from '../fonts';
import { textHeight, type Align, type Area, type Font, type Pane, type Place } from './pane';
import { sign } from './signs';

/** The sizes of text in pixels, from the manual: in boxes and tables, and in labels. An automatic size depends on what contains the text. */
const TEXT_SIZES: Record<string, number> = { tiny: 8, small: 10, normal: 14, large: 20, huge: 36 };
const LABEL_SIZES: Record<string, number> = { tiny: 7, small: 10, normal: 12, large: 18, huge: 24 };
const AUTO = 12;
const LARGEST_TEXT = 500;
const FAR = 1e5;
/** Straight pieces from one point of a curve to the next: as short as this number of pixels, within the limits. */
const PIECE = 4;
const [LEAST_PIECES, MOST_PIECES] = [8, 64];

export type Drawings = Record<string, readonly Drawing[]>;

/** Draw the remaining drawings on the chart, without tables, which belong to no bar. */
export function drawDrawings(pane: Pane, drawings: Drawings): void {
  for (const [kind, draw] of ORDER) for (const drawing of drawings[kind] ?? []) draw(pane, drawing);
}

export const word = (value: unknown): string => (typeof value === 'string' ? value : '');
const amount = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
/** A colour in the runtime's form; null if it is invisible. */
export const paint = (value: unknown): string | null => (typeof value === 'string' && !value.endsWith('00') ? value : null);

const across = (pane: Pane, value: unknown, xloc: unknown): number =>
  pane.x(xloc === 'bar_time' ? pane.indexOfTime(amount(value)) : amount(value));

/** The style of the text of a label, a box or a cell. */
export function fontOf(drawing: Drawing, size: unknown, sizes = TEXT_SIZES): Font {
  const formatting = drawing['text_formatting'];
  return {
    size: textSize(size, sizes),
    face: drawing['text_font_family'] === 'monospace' ? MONOSPACE : FONT,
    formatting: typeof formatting === 'number' ? formatting : 0,
  };
}

function textSize(size: unknown, sizes: Record<string, number>): number {
  if (typeof size === 'string') return sizes[size] ?? AUTO;
  return typeof size === 'number' && size > 0 ? Math.min(size, LARGEST_TEXT) : AUTO;
}

/** The start and the end of a line, with its extensions. */
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
  const [style, width] = [word(drawing['style']), Math.max(amount(drawing['width']) || 1, 1)];
  const [atLeft, atRight] = [style === 'arrow_left' || style === 'arrow_both', style === 'arrow_right' || style === 'arrow_both'];
  const [left, right] = found;
  // A wide line ends inside of its head, so that the head has a point.
  pane.stroke([atLeft ? toward(left, right, width) : left, atRight ? toward(right, left, width) : right], color, width, style);
  if (atRight) head(pane, left, right, color, width);
  if (atLeft) head(pane, right, left, color, width);
}

/** The length of the side of an arrow's head for lines of one pixel, and what each further pixel adds. */
const [HEAD, HEAD_EACH] = [9, 3];

function head(pane: Pane, start: Place, tip: Place, color: string, width: number): void {
  const [angle, long] = [Math.atan2(tip.y - start.y, tip.x - start.x), HEAD + HEAD_EACH * (width - 1)];
  const sides = [0.45, -0.45].map((turn) => ({ x: tip.x - long * Math.cos(angle + turn), y: tip.y - long * Math.sin(angle + turn) }));
  pane.surface([tip, ...sides], color);
}

/** A place moved toward another one by pixels, at most to the middle between them. */
function toward(place: Place, other: Place, by: number): Place {
  const share = Math.min(by / (Math.hypot(other.x - place.x, other.y - place.y) || 1), 0.5);
  return { x: place.x + (other.x - place.x) * share, y: place.y + (other.y - place.y) * share };
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
  if (pane.isOutside(left, top, right, bottom)) return;
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
  const [written, font] = fitting(pane, drawing, words, { left, top, right, bottom });
  const write = () => inside(pane, area, written, ink, font, word(drawing['text_halign']), word(drawing['text_valign']));
  if (drawing['text_wrap'] === 'auto') pane.above(bottom, write);
  else write();
}

/** Whether a box has a text and an end out of sight, so that the text is moved to the part that is seen. */
export function isTextCut(pane: Pane, drawing: Drawing): boolean {
  if (word(drawing['text']) === '') return false;
  const [one, other] = [across(pane, drawing['left'], drawing['xloc']), across(pane, drawing['right'], drawing['xloc'])];
  const isSeen = Math.max(one, other) > 0 && Math.min(one, other) < pane.width;
  return drawing['extend'] !== 'none' || (isSeen && (Math.min(one, other) < 0 || Math.max(one, other) > pane.width));
}

const LEAST_TEXT = 6;
const LARGEST_AUTO = 18;

/**
 * The text of a box with its font: wrapped at the sides of the box if wanted; an automatic size is as large as the box
 * allows.
 */
function fitting(pane: Pane, drawing: Drawing, words: string, { left, top, right, bottom }: Area): [string, Font] {
  const size = drawing['text_size'];
  const [wide, tall] = [right - left - 8, bottom - top - 4];
  const wraps = drawing['text_wrap'] === 'auto';
  const at = (font: Font) => (wraps ? pane.wrapped(words, font, Math.max(wide, 1)) : words);
  const font = fontOf(drawing, size);
  if (size !== 'auto' && size !== 0) return [at(font), font];
  for (let tried = LARGEST_AUTO; tried > LEAST_TEXT; tried--) {
    const smaller = { ...font, size: tried };
    const written = at(smaller);
    if (pane.textWidth(written, smaller) <= wide && textHeight(written, tried) <= tall) return [written, smaller];
  }
  const least = { ...font, size: LEAST_TEXT };
  return [at(least), least];
}

/** A text in a rectangle, at its sides or in its middle. */
export function inside(pane: Pane, area: Area, words: string, color: string, font: Font, horizontal: string, vertical: string): void {
  const half = textHeight(words, font.size) / 2;
  const x = horizontal === 'left' ? area.left + 4 : horizontal === 'right' ? area.right - 4 : (area.left + area.right) / 2;
  const y = vertical === 'top' ? area.top + half + 2 : vertical === 'bottom' ? area.bottom - half - 2 : (area.top + area.bottom) / 2;
  pane.words(x, y, words, color, font, alignment(horizontal));
}

const alignment = (side: string): Align => (side === 'left' || side === 'right' ? side : 'center');

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

/** A smooth curve through all points, as short straight pieces (Catmull-Rom). */
function curve(points: readonly Place[]): Place[] {
  const at = (i: number): Place => points[Math.min(Math.max(i, 0), points.length - 1)] ?? { x: 0, y: 0 };
  const found = [at(0)];
  for (let i = 0; i < points.length - 1; i++) {
    const [from, to] = [at(i), at(i + 1)];
    const pieces = Math.min(Math.max(Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / PIECE), LEAST_PIECES), MOST_PIECES);
    for (let step = 1; step <= pieces; step++) {
      const t = step / pieces;
      const weights = [-0.5 * t + t ** 2 - 0.5 * t ** 3, 1 - 2.5 * t ** 2 + 1.5 * t ** 3, 0.5 * t + 2 * t ** 2 - 1.5 * t ** 3, -0.5 * t ** 2 + 0.5 * t ** 3];
      const around = [at(i - 1), at(i), at(i + 1), at(i + 2)];
      const mix = (axis: 'x' | 'y') => around.reduce((sum, point, n) => sum + point[axis] * (weights[n] ?? 0), 0);
      found.push({ x: mix('x'), y: mix('y') });
    }
  }
  return found;
}

/** The place of a label's body relative to its point: in widths and heights, and in lengths of its pointer. */
const BODIES: Record<string, readonly [wide: number, tall: number, right: number, down: number]> = {
  label_down: [-0.5, -1, 0, -1],
  label_up: [-0.5, 0, 0, 1],
  label_left: [0, -0.5, 1, 0],
  label_right: [-1, -0.5, -1, 0],
  label_lower_left: [0, -1, 0, -1],
  label_lower_right: [-1, -1, 0, -1],
  label_upper_left: [0, 0, 0, 1],
  label_upper_right: [-1, 0, 0, 1],
  label_center: [-0.5, -0.5, 0, 0],
  none: [-0.5, -0.5, 0, 0],
  text_outline: [-0.5, -0.5, 0, 0],
};
const POINTER = 6;

function label(pane: Pane, drawing: Drawing): void {
  const x = across(pane, drawing['x'], drawing['xloc']);
  const [style, words] = [word(drawing['style']), word(drawing['text'])];
  const y = labelHeight(pane, drawing, x);
  if (!Number.isFinite(x) || !Number.isFinite(y)) return;
  const font = fontOf(drawing, drawing['size'], LABEL_SIZES);
  const [color, ink] = [paint(drawing['color']), paint(drawing['textcolor'])];
  const body = BODIES[style];
  if (body === undefined) {
    const half = font.size * 0.7;
    const [across, up] = [half + (words === '' ? 0 : pane.textWidth(words, font)), half + (words === '' ? 0 : textHeight(words, font.size) + font.size)];
    if (pane.isOutside(x - across, y - up, x + across, y + half)) return;
    if (color !== null) pane.surface(sign(style.replaceAll('_', ''), x, y, half), color);
    if (words !== '' && ink !== null) pane.words(x, y - font.size * 1.2 - textHeight(words, font.size) / 2, words, ink, font);
    pane.tip({ left: x - half, top: y - half, right: x + half, bottom: y + half }, word(drawing['tooltip']));
    return;
  }
  const wide = (words === '' ? 8 : pane.textWidth(words, font)) + 12;
  const tall = textHeight(words === '' ? ' ' : words, font.size) + 6;
  const [left, top] = [x + body[0] * wide + body[2] * POINTER, y + body[1] * tall + body[3] * POINTER];
  const area = { left, top, right: left + wide, bottom: top + tall };
  if (pane.isOutside(left - POINTER, top - POINTER, area.right + POINTER, area.bottom + POINTER)) return;
  if (color !== null && style.startsWith('label')) balloon(pane, area, style, x, y, color);
  pane.tip(area, word(drawing['tooltip']));
  if (words === '' || ink === null) return;
  const align = alignment(word(drawing['textalign']));
  const at = align === 'left' ? left + 6 : align === 'right' ? left + wide - 6 : left + wide / 2;
  pane.words(at, top + tall / 2, words, ink, font, align, style === 'text_outline' ? color : null);
}

function labelHeight(pane: Pane, drawing: Drawing, x: number): number {
  const where = word(drawing['yloc']);
  if (where !== 'abovebar' && where !== 'belowbar') return pane.y(amount(drawing['y']));
  const bar = pane.bars[Math.min(Math.max(Math.round((x - pane.x(0)) / pane.step), 0), pane.bars.length - 1)];
  if (bar === undefined) return Number.NaN;
  return where === 'abovebar' ? pane.y(bar[2]) - 4 : pane.y(bar[3]) + 4;
}

/** The body of a label with the pointer to its place. The pointer starts at the middle of a side or at a corner. */
function balloon(pane: Pane, { left, top, right, bottom }: Area, style: string, x: number, y: number, color: string): void {
  const { context } = pane;
  const edge = style.includes('lower') || style === 'label_down' ? bottom : top;
  const corner = /_(?:upper|lower)_(left|right)$/.exec(style)?.[1];
  // The corner that a pointer starts from is not round.
  const round = ['upper_left', 'upper_right', 'lower_right', 'lower_left'].map((name) => (style.endsWith(name) ? 0 : 3));
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, round);
  context.fillStyle = color;
  context.fill();
  if (style === 'label_center') return;
  const from = corner === 'left' ? left : corner === 'right' ? right - 9 : x - 5;
  const upright: Place[] = [{ x: from, y: edge }, { x: corner === undefined ? x + 5 : from + 9, y: edge }];
  const side = style === 'label_left' ? left : right;
  const lying: Place[] = [{ x: side, y: y - 5 }, { x: side, y: y + 5 }];
  pane.surface([{ x, y }, ...(style === 'label_left' || style === 'label_right' ? lying : upright)], color);
}

/** The manual's order: later ones are drawn on top. */
const ORDER: [string, (pane: Pane, drawing: Drawing) => void][] = [
  ['linefill', between],
  ['polyline', polyline],
  ['line', line],
  ['box', box],
  ['label', label],
];
