// The plot family in a pane: lines, areas, columns, shapes, arrows, candles, fills, lines across, backgrounds.
import { colorAt, css, DISPLAY, isDisplayed, text } from '../../model/plots';
import type { Bar, Cell, Output } from '../../server';
import { textHeight, type Pane, type Place } from './pane';
import { sign } from './signs';

const GRAY = 0x787b86ff;
const GREEN = 0x089981ff;
const RED = 0xf23645ff;
const SIZES: Record<string, number> = { auto: 9, tiny: 6, small: 8, normal: 11, large: 16, huge: 24 };
const WORDS = { size: 11 };

type Outputs = readonly Output[];

/** The manual's order: later ones are drawn on top. A script can ask for the order of its calls instead. */
const RANKS: Record<string, number> = { bgcolor: 0, fill: 1, hline: 3 };
const PLOTS = 2;

export function drawOutputs(pane: Pane, outputs: Outputs, all: Outputs, asCalled: boolean): void {
  const rank = ({ function: name }: Output) => (asCalled && name !== 'bgcolor' ? PLOTS : (RANKS[name] ?? PLOTS));
  for (const output of [...outputs].sort((a, b) => rank(a) - rank(b))) {
    if (!isDisplayed(output, DISPLAY.pane)) continue;
    if (output.function === 'fill') fill(pane, output, all);
    else DRAWN[output.function]?.(pane, output);
  }
}

/** The lowest and the highest value between the bars `first` and `last` that the scale must show; null if there is none. */
export function valuesBetween(outputs: Outputs, bars: readonly Bar[], first: number, last: number): [number, number] | null {
  let [least, greatest] = [Infinity, -Infinity];
  const take = (value: number | null) => {
    if (value === null) return;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  };
  for (const output of outputs) {
    if (!isDisplayed(output, DISPLAY.pane)) continue;
    const beside = output.function === 'plotshape' || output.function === 'plotchar' ? text(output.settings['location']) : 'absolute';
    if (beside !== 'absolute') {
      const price = PRICE_BESIDE[beside];
      if (price === undefined) continue;
      for (const [index, value] of shifted(output, 'series', first, last)) if (value !== null && value !== 0) take(bars[index]?.[price] ?? null);
      continue;
    }
    for (const name of SCALED[output.function] ?? []) {
      const [from, to] = [least, greatest];
      const { values, begin, offset } = placed(output, name);
      const end = Math.min(last - offset, values.length - 1);
      for (let at = Math.max(first - offset, begin); at <= end; at++) take(numeric(values[at]));
      const seen = from !== least || to !== greatest;
      if (output.function === 'plot' && seen && isBased(text(output.settings['style']))) take(number(output.settings['histbase'], 0));
    }
    if (output.function === 'hline') take(typeof output.settings['price'] === 'number' ? output.settings['price'] : null);
  }
  return least <= greatest ? [least, greatest] : null;
}

const SCALED: Record<string, string[]> = {
  plot: ['series'],
  plotshape: ['series'],
  plotchar: ['series'],
  plotcandle: ['high', 'low'],
  plotbar: ['high', 'low'],
};

/** The price of a bar beside which a shape of a location is drawn. A location at the top or the bottom has none. */
const PRICE_BESIDE: Record<string, 2 | 3> = { abovebar: 2, belowbar: 3 };

/** Whether the scale shows the base of a style. */
const isBased = (style: string): boolean => ['histogram', 'columns', 'area'].includes(style);
/** The styles whose lines have a form. */
const isDashed = (style: string): boolean => ['line', 'linebr', 'stepline', 'stepline_diamond', 'area'].includes(style);
const number = (value: Cell | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/**
 * The bars between two bars, each with the value that the plot's offset moves there, among the values that `show_last`
 * leaves; null is na.
 */
function* shifted(output: Output, column: string, first: number, last: number): Generator<[number, number | null]> {
  const { values, begin, offset } = placed(output, column);
  const end = Math.min(last, values.length + offset - 1);
  for (let index = Math.max(first, begin + offset); index <= end; index++) yield [index, numeric(values[index - offset])];
}

/** The values of a column, the first of them that `show_last` leaves, and by how many bars they are moved. */
function placed(output: Output, column: string): { values: readonly Cell[]; begin: number; offset: number } {
  const values = output.columns[column] ?? [];
  const begin = Math.max(values.length - number(output.settings['show_last'], values.length), 0);
  return { values, begin, offset: Math.trunc(number(output.settings['offset'], 0)) };
}

const numeric = (value: Cell | undefined): number | null => (typeof value === 'number' ? value : value === true ? 1 : null);

/**
 * The values of a line: the visible ones, and on both sides the one outside to which the line leads. Its dashes begin at
 * the first. A line that breaks at na leads only to the next bar.
 */
function led(pane: Pane, output: Output, breaks: boolean): Generator<[number, number | null]> {
  const { values, begin, offset } = placed(output, 'series');
  const nearest = (index: number, by: number) => {
    let at = index - offset;
    while (!breaks && at >= begin && at < values.length && numeric(values[at]) === null) at += by;
    return at + offset;
  };
  return shifted(output, 'series', nearest(pane.firstInside - 1, -1), nearest(pane.lastInside + 1, 1));
}

const seen = (pane: Pane, output: Output, column = 'series') => shifted(output, column, pane.first - 1, pane.last + 1);

/** The colour on a bar; `offset` is the plot's offset, by which its value is moved. */
function shiftedColor(output: Output, name = 'color', otherwise?: number | null): (index: number) => number | null {
  const offset = Math.trunc(number(output.settings['offset'], 0));
  return (index) => colorAt(output, index - offset, name, otherwise);
}

function plot(pane: Pane, output: Output): void {
  const style = text(output.settings['style']) || 'line';
  if (style === 'histogram' || style === 'columns') columns(pane, output, style === 'columns');
  else if (style === 'circles' || style === 'cross') points(pane, output, style);
  else line(pane, output, style);
  if (output.settings['trackprice'] === true) track(pane, output);
}

function line(pane: Pane, output: Output, style: string, width = number(output.settings['linewidth'], 1)): void {
  const color = shiftedColor(output);
  const [breaks, steps] = [style.endsWith('br'), style.startsWith('step')];
  const base = pane.y(number(output.settings['histbase'], 0));
  const dash = isDashed(style) ? text(output.settings['linestyle']) : '';
  const diamonds: [Place, number][] = [];
  /** The pieces of the line by their colours, so that each colour is one path. */
  const pieces = new Map<number, Place[][]>();
  let before: Place | null = null;
  let piece: { color: number; points: Place[] } | null = null;
  const flush = () => {
    if (piece === null) return;
    const [first, last] = [piece.points[0], piece.points.at(-1)];
    if (style.startsWith('area') && first !== undefined && last !== undefined) {
      pane.surface([{ x: first.x, y: base }, ...piece.points, { x: last.x, y: base }], css(fainter(piece.color)));
    }
    const alike = pieces.get(piece.color);
    if (alike === undefined) pieces.set(piece.color, [piece.points]);
    else alike.push(piece.points);
    piece = null;
  };
  for (const [index, value] of led(pane, output, breaks)) {
    if (value === null) {
      if (breaks) {
        flush();
        before = null;
      }
      continue;
    }
    const here: Place = { x: pane.x(index), y: pane.y(value) };
    const now = color(index);
    if (before !== null && now !== null) {
      const way: Place[] = steps ? [{ x: here.x, y: before.y }, here] : [here];
      if (piece === null || piece.color !== now || piece.points.at(-1) !== before) {
        flush();
        piece = { color: now, points: [before] };
      }
      piece.points.push(...way);
    } else flush();
    if (style === 'stepline_diamond' && now !== null) diamonds.push([here, now]);
    before = here;
  }
  flush();
  for (const [now, lines] of pieces) pane.strokeAll(lines, css(now), width, dash);
  for (const [place, now] of diamonds) pane.surface(sign('diamond', place.x, place.y, 4), css(now));
}

const fainter = (color: number): number => color - (color % 256) + Math.trunc(((color % 256) * 40) / 100);

function columns(pane: Pane, output: Output, wide: boolean): void {
  const base = pane.y(number(output.settings['histbase'], 0));
  const half = wide ? pane.step * 0.4 : Math.max(number(output.settings['linewidth'], 1) / 2, 0.5);
  const color = shiftedColor(output);
  for (const [index, value] of seen(pane, output)) {
    const now = color(index);
    if (value === null || now === null) continue;
    pane.rectangle(pane.x(index) - half, pane.y(value), pane.x(index) + half, base, css(now));
  }
}

function points(pane: Pane, output: Output, style: string): void {
  const size = 1.5 + number(output.settings['linewidth'], 1);
  if (output.settings['join'] === true) line(pane, output, 'line', 1);
  const color = shiftedColor(output);
  for (const [index, value] of seen(pane, output)) {
    const now = color(index);
    if (value === null || now === null) continue;
    pane.surface(sign(style === 'circles' ? 'circle' : 'cross', pane.x(index), pane.y(value), size), css(now));
  }
}

/** The dotted line at the last value. */
function track(pane: Pane, output: Output): void {
  const values = output.columns['series'] ?? [];
  const last = values.at(-1);
  const color = colorAt(output, values.length - 1);
  if (typeof last === 'number' && color !== null) across(pane, last, color, 1, 'dotted');
}

function across(pane: Pane, price: number, color: number, width: number, style: string): void {
  const y = pane.y(price);
  pane.stroke([{ x: 0, y }, { x: pane.width, y }], css(color), width, style);
}

function hline(pane: Pane, { settings, ...rest }: Output): void {
  const price = number(settings['price'], Number.NaN);
  const color = colorAt({ settings, ...rest }, 0, 'color', GRAY);
  if (color !== null) across(pane, price, color, number(settings['linewidth'], 1), text(settings['linestyle']) || 'dashed');
}

// shapes

function shape(pane: Pane, output: Output): void {
  const { settings } = output;
  const [color, ink] = [shiftedColor(output), shiftedColor(output, 'textcolor')];
  const size = SIZES[text(settings['size'])] ?? 9;
  const [words, style] = [text(settings['text']), text(settings['style'])];
  const labelled = output.function === 'plotshape' && style.startsWith('label') && words !== '';
  for (const [index, value] of seen(pane, output)) {
    if (value === null || (value === 0 && text(settings['location']) !== 'absolute')) continue;
    const { y, up } = location(pane, text(settings['location']), index, value, labelled ? 0 : size);
    const [x, now, written] = [pane.x(index), color(index), ink(index)];
    if (labelled) {
      const [points, tall] = [style === 'labelup' ? 1 : -1, textHeight(words, WORDS.size) + 4 + TIP];
      const beyond = BEYOND[text(settings['location'])] ?? points;
      balloon(pane, x, beyond === points ? y : y - points * tall, words, points, now, written);
      continue;
    }
    if (now !== null) {
      if (output.function === 'plotchar') pane.words(x, y, text(settings['char']), css(now), { size: size + 5 });
      else pane.surface(sign(style, x, y, size / 2 + 1), css(now));
    }
    if (words === '' || written === null) continue;
    const away = (size + 8 + (words.split('\n').length - 1) * 7) * (up ? -1 : 1);
    pane.words(x, y + away, words, css(written), WORDS);
  }
}

const TIP = 5;
/** The side of its location on which a shape is drawn: below (1) or above (-1). */
const BEYOND: Record<string, number> = { top: 1, belowbar: 1, bottom: -1, abovebar: -1 };

/** A label that is as large as its text. Its point is at the height `y`, its body above (-1) or below (1) it. */
function balloon(pane: Pane, x: number, y: number, words: string, away: number, color: number | null, ink: number | null): void {
  const half = pane.textWidth(words, WORDS) / 2 + 4;
  const tall = textHeight(words, WORDS.size) + 4;
  const [edge, end] = [y + away * TIP, y + away * (TIP + tall)];
  if (color !== null) {
    pane.rectangle(x - half, Math.min(edge, end), x + half, Math.max(edge, end), css(color));
    pane.surface([{ x: x - 5, y: edge }, { x: x + 5, y: edge }, { x, y }], css(color));
  }
  if (ink !== null) pane.words(x, (edge + end) / 2, words, css(ink), WORDS);
}

/** The height of a shape, and whether its text is above it. The size is 0 for an output that ends at the height. */
function location(pane: Pane, where: string, index: number, value: number, size: number): { y: number; up: boolean } {
  if (where === 'top') return { y: size + 4, up: false };
  if (where === 'bottom') return { y: pane.height - size - 4, up: true };
  if (where === 'absolute') return { y: pane.y(value), up: true };
  const bar = pane.bars[Math.min(Math.max(index, 0), pane.bars.length - 1)];
  if (bar === undefined) return { y: Number.NaN, up: true };
  if (where === 'belowbar') return { y: pane.y(bar[3]) + size + 6, up: false };
  return { y: pane.y(bar[2]) - size - 6, up: true };
}

function arrow(pane: Pane, output: Output): void {
  const { settings } = output;
  const shown = [...seen(pane, output)].filter((pair): pair is [number, number] => pair[1] !== null && pair[1] !== 0);
  const most = Math.max(1e-300, ...shown.map(([, value]) => Math.abs(value)));
  const [least, greatest] = [number(settings['minheight'], 5), number(settings['maxheight'], 100)];
  const [up, down] = [shiftedColor(output, 'colorup', GREEN), shiftedColor(output, 'colordown', RED)];
  for (const [index, value] of shown) {
    const color = value > 0 ? up(index) : down(index);
    const bar = pane.bars[index];
    if (color === null || bar === undefined) continue;
    const x = pane.x(index);
    const tall = least + ((greatest - least) * Math.abs(value)) / most;
    const tip = value > 0 ? pane.y(bar[3]) + 5 : pane.y(bar[2]) - 5;
    const foot = value > 0 ? tip + tall : tip - tall;
    pane.stroke([{ x, y: tip }, { x, y: foot }], css(color), 2);
    pane.surface(sign(value > 0 ? 'triangleup' : 'triangledown', x, value > 0 ? tip + 3 : tip - 3, 4), css(color));
  }
}

// candles

function candles(pane: Pane, output: Output): void {
  const color = shiftedColor(output);
  const [wick, border] = [shiftedColor(output, 'wickcolor', null), shiftedColor(output, 'bordercolor', null)];
  const [opens, highs, lows, closes] = ['open', 'high', 'low', 'close'].map((name) => new Map(seen(pane, output, name)));
  const half = Math.max(pane.step * 0.35, 0.5);
  for (const index of opens?.keys() ?? []) {
    const prices = [opens, highs, lows, closes].map((column) => column?.get(index) ?? null);
    const now = color(index);
    if (now === null || prices.some((price) => price === null)) continue;
    const x = pane.x(index);
    const [open = 0, high = 0, low = 0, close = 0] = prices.map((price) => pane.y(price ?? Number.NaN));
    if (output.function === 'plotbar') {
      pane.stroke([{ x, y: high }, { x, y: low }], css(now));
      pane.stroke([{ x: x - half, y: open }, { x, y: open }], css(now));
      pane.stroke([{ x, y: close }, { x: x + half, y: close }], css(now));
      continue;
    }
    pane.stroke([{ x, y: high }, { x, y: low }], css(wick(index) ?? now));
    const [top, bottom] = [Math.min(open, close), Math.max(open, close, Math.min(open, close) + 1)];
    pane.rectangle(x - half, top, x + half, bottom, css(now));
    const edge = border(index);
    if (edge === null || edge === now) continue;
    const corners = [[x - half, top], [x + half, top], [x + half, bottom], [x - half, bottom], [x - half, top]] as const;
    pane.stroke(corners.map(([cx, cy]) => ({ x: cx, y: cy })), css(edge));
  }
}

// behind

function background(pane: Pane, output: Output): void {
  const { length } = output.columns['color'] ?? pane.bars;
  const offset = Math.trunc(number(output.settings['offset'], 0));
  const begin = Math.max(length - number(output.settings['show_last'], length), 0) + offset;
  if (pane.isThin) {
    thinBackground(pane, Math.max(pane.first, begin), Math.min(pane.last, length + offset - 1), (index) => colorAt(output, index - offset, 'color', null));
    return;
  }
  let run: { color: number; first: number; last: number } | null = null;
  const flush = () => {
    if (run !== null) pane.rectangle(pane.x(run.first - 0.5), 0, pane.x(run.last + 0.5), pane.height, css(run.color));
    run = null;
  };
  for (let index = Math.max(pane.first, begin); index <= Math.min(pane.last, length + offset - 1); index++) {
    const color = colorAt(output, index - offset, 'color', null);
    if (run !== null && color === (run as { color: number }).color) (run as { last: number }).last = index;
    else {
      flush();
      if (color !== null) run = { color, first: index, last: index };
    }
  }
  flush();
}

/** Bars that share columns of pixels: each column is as strong as the share of its bars that have a colour. */
function thinBackground(pane: Pane, first: number, last: number, colorOf: (index: number) => number | null): void {
  let [column, bars, colored, color] = [Number.NaN, 0, 0, 0];
  const flush = () => {
    if (colored > 0) pane.paintColumn(column, 0, pane.height, css(color), colored / bars);
    [bars, colored] = [0, 0];
  };
  for (let index = first; index <= last; index++) {
    const at = pane.columnOf(pane.x(index));
    if (at !== column) flush();
    column = at;
    bars += 1;
    const now = colorOf(index);
    if (now === null) continue;
    colored += 1;
    color = now;
  }
  flush();
}

/** A part of a fill: its first and its last point on both edges, and its paint; null if it is not painted. */
interface FillPart {
  first: number;
  last: number;
  paint: string | CanvasGradient | null;
}

const GRADIENT = ['top_value', 'bottom_value', 'top_color', 'bottom_color'];

function fill(pane: Pane, output: Output, all: Outputs): void {
  const [one, two] = [edge(all, output, 'plot1', 'hline1'), edge(all, output, 'plot2', 'hline2')];
  if (one === null || two === null) return;
  const gradient = GRADIENT.some((name) => name in output.columns || name in output.settings);
  let over: Place[] = [];
  let under: Place[] = [];
  let parts: FillPart[] = [];
  const flush = () => {
    paintFill(pane, over, under, parts);
    [over, under, parts] = [[], [], []];
  };
  const { length } = pane.bars;
  const moved = fillOffset(output, all);
  const begin = Math.max(pane.first - 1, length - number(output.settings['show_last'], length));
  if (pane.isThin) {
    thinFill(pane, begin, one, two, (index) => (gradient ? band(pane, output, index - moved) : colorAt(output, index - moved, 'color', 0x2962ff66)));
    return;
  }
  for (let index = begin; index <= pane.last + 1; index++) {
    const [upper, lower] = [one(index), two(index)];
    if (upper === null || lower === null) {
      if (output.settings['fillgaps'] !== true) flush();
      continue;
    }
    const x = pane.x(index);
    if (over.length > 0) {
      const color = gradient ? null : colorAt(output, index - moved, 'color', 0x2962ff66);
      addPart(parts, over.length, gradient ? band(pane, output, index - moved) : color === null ? null : css(color));
    }
    over.push({ x, y: pane.y(upper) });
    under.push({ x, y: pane.y(lower) });
  }
  flush();
}

type Height = (index: number) => number | null;

/** A fill of bars that share columns of pixels: each column is painted between its extremes, in the paint of its first bar. */
function thinFill(pane: Pane, first: number, one: Height, two: Height, paintOf: (index: number) => number | CanvasGradient | null): void {
  let [column, begin, top, bottom] = [Number.NaN, first, Infinity, -Infinity];
  const flush = () => {
    const paint = top <= bottom ? paintOf(begin) : null;
    if (paint !== null) pane.paintColumn(column, top, bottom, typeof paint === 'number' ? css(paint) : paint);
    [top, bottom] = [Infinity, -Infinity];
  };
  for (let index = first; index <= pane.last + 1; index++) {
    const at = pane.columnOf(pane.x(index));
    if (at !== column) {
      flush();
      [column, begin] = [at, index];
    }
    const [upper, lower] = [one(index), two(index)];
    if (upper === null || lower === null) continue;
    const [y1, y2] = [pane.y(upper), pane.y(lower)];
    top = Math.min(top, y1, y2);
    bottom = Math.max(bottom, y1, y2);
  }
  flush();
}

/** Add the part that ends at a point; neighbours with the same paint become one. */
function addPart(parts: FillPart[], last: number, paint: FillPart['paint']): void {
  const before = parts.at(-1);
  if (before !== undefined && before.paint === paint) before.last = last;
  else parts.push({ first: last - 1, last, paint });
}

/** Paint a fill, all parts of one paint as one path. Parts meet at whole pixels, so that no seam is seen between them. */
function paintFill(pane: Pane, over: readonly Place[], under: readonly Place[], parts: readonly FillPart[]): void {
  const outlines = new Map<string | CanvasGradient, Place[][]>();
  for (const { first, last, paint } of parts) {
    if (paint === null) continue;
    const outline = [...edgeBetween(pane, over, first, last), ...edgeBetween(pane, under, first, last).reverse()];
    const alike = outlines.get(paint);
    if (alike === undefined) outlines.set(paint, [outline]);
    else alike.push(outline);
  }
  for (const [paint, all] of outlines) pane.surfaces(all, paint);
}

/** The points of an edge from one to another, whose ends are moved along the edge to whole pixels where a part meets another. */
function edgeBetween(pane: Pane, edge: readonly Place[], first: number, last: number): Place[] {
  const found = edge.slice(first, last + 1);
  const [begin, end] = [meeting(pane, edge, first), meeting(pane, edge, last)];
  if (begin !== undefined) found.splice(0, begin.x > (edge[first]?.x ?? 0) ? 1 : 0, begin);
  if (end !== undefined) found.splice(end.x < (edge[last]?.x ?? 0) ? -1 : found.length, 1, end);
  return found;
}

/** The place on an edge at the whole pixel that is nearest to one of its points; nothing at both ends of the edge. */
function meeting(pane: Pane, edge: readonly Place[], at: number): Place | undefined {
  const point = edge[at];
  if (point === undefined || at === 0 || at === edge.length - 1) return undefined;
  const x = pane.wholePixel(point.x);
  const other = edge[x > point.x ? at + 1 : at - 1] ?? point;
  const share = other.x === point.x ? 0 : (x - point.x) / (other.x - point.x);
  return { x, y: point.y + (other.y - point.y) * share };
}

/** How many bars the colours of a fill are moved by: as many as both of its plots are. */
function fillOffset({ settings }: Output, all: Outputs): number {
  const plots = ['plot1', 'plot2'].flatMap((name) => {
    const at = settings[name];
    return typeof at === 'number' ? [Math.trunc(number(all[at]?.settings['offset'], 0))] : [];
  });
  const [first = 0, ...others] = plots;
  return others.every((other) => other === first) ? first : 0;
}

/** The height of one edge of a fill, on each bar. */
function edge(all: Outputs, { settings }: Output, plotted: string, line: string): ((index: number) => number | null) | null {
  const at = [settings[plotted], settings[line]].find((value) => typeof value === 'number');
  const other = typeof at === 'number' ? all[at] : undefined;
  if (other === undefined) return null;
  if (other.function === 'hline') return () => number(other.settings['price'], Number.NaN);
  const { values, begin, offset } = placed(other, 'series');
  return (index) => (index < begin + offset ? null : numeric(values[index - offset]));
}

/** The paint of a fill whose colour changes with the price, on a bar; null if there is none. */
function band(pane: Pane, output: Output, index: number): CanvasGradient | null {
  const value = (name: string) => number((output.columns[name] ?? [])[index] ?? output.settings[name], Number.NaN);
  const [top, bottom] = [pane.y(value('top_value')), pane.y(value('bottom_value'))];
  const [over, under] = [colorAt(output, index, 'top_color', null), colorAt(output, index, 'bottom_color', null)];
  if (!Number.isFinite(top) || !Number.isFinite(bottom) || (over === null && under === null)) return null;
  const clear = (color: number) => color - (color % 256);
  const gradient = pane.context.createLinearGradient(0, top, 0, bottom);
  gradient.addColorStop(0, css(over ?? clear(under ?? 0)));
  gradient.addColorStop(1, css(under ?? clear(over ?? 0)));
  return gradient;
}

const DRAWN: Record<string, (pane: Pane, output: Output) => void> = {
  plot,
  plotshape: shape,
  plotchar: shape,
  plotarrow: arrow,
  plotbar: candles,
  plotcandle: candles,
  hline,
  bgcolor: background,
};
