// The plots of a run: what the legend, the data window and exports say of them.
import type { Cell, Output, RunResult } from '../server';
import { fixedText, NO_VALUE, volumeText } from './formats';

/** The places where a plot is shown, as Pine's bits. */
export const DISPLAY = { dataWindow: 1, pane: 2, priceScale: 4, statusLine: 8 };

/** A place where something of a script is shown, unless its `display` leaves the place out. */
export type ShownAt = keyof typeof DISPLAY;

/**
 * The places that each kind of output has by itself. The flags of `display` are independent of each other: an output
 * without `display.pane` keeps its label and its values. `display` of the kinds that have the pane only is all or nothing.
 */
export const PLACES: Readonly<Record<string, readonly ShownAt[]>> = {
  plot: ['pane', 'priceScale', 'statusLine', 'dataWindow'],
  plotshape: ['pane', 'statusLine', 'dataWindow'],
  plotchar: ['pane', 'statusLine', 'dataWindow'],
  plotarrow: ['pane', 'statusLine', 'dataWindow'],
  plotcandle: ['pane', 'priceScale', 'statusLine', 'dataWindow'],
  plotbar: ['pane', 'priceScale', 'statusLine', 'dataWindow'],
  hline: ['pane'],
  fill: ['pane'],
  bgcolor: ['pane'],
  barcolor: ['pane'],
};

/** Whether an output is shown at a place. */
export const isShownAt = (output: Output, place: ShownAt): boolean =>
  (PLACES[output.function] ?? []).includes(place) && isDisplayed(output, DISPLAY[place]);

/** The kinds of outputs that have values. */
const PLOTTED = Object.keys(PLACES).filter((kind) => PLACES[kind]?.includes('dataWindow'));
const BLUE = 0x2962ffff;

export interface Plot {
  title: string;
  /** The function of the plot family that made it. */
  kind: string;
  output: Output;
  values: readonly (number | null)[];
}

/** A column of numbers; a value that is not a number counts as missing. */
function numbers(column: readonly Cell[] | undefined): (number | null)[] {
  return (column ?? []).map((value) => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null));
}

/** The plots in the order of the script; candles have four. A number distinguishes plots with the same name. */
export function plotsOf(result: RunResult): Plot[] {
  const found: Plot[] = [];
  for (const output of result.outputs) {
    if (!PLOTTED.includes(output.function)) continue;
    const title = text(output.settings['title']) || NAMES[output.function] || 'Plot';
    const columns = output.function === 'plotcandle' || output.function === 'plotbar' ? ['open', 'high', 'low', 'close'] : ['series'];
    for (const column of columns) {
      const name = columns.length === 1 ? title : `${title} ${column}`;
      found.push({ title: free(name, found), kind: output.function, output, values: numbers(output.columns[column]) });
    }
  }
  return found;
}

const NAMES: Record<string, string> = {
  plotshape: 'Shapes',
  plotchar: 'Chars',
  plotarrow: 'Arrows',
  plotcandle: 'Candles',
  plotbar: 'Bars',
};

function free(name: string, taken: readonly Plot[]): string {
  let number = 2;
  let title = name;
  while (taken.some((plot) => plot.title === title)) title = `${name} ${number++}`;
  return title;
}

export const text = (value: Cell | undefined): string => (typeof value === 'string' ? value : '');

export function isDisplayed(output: Output, where: number): boolean {
  const display = output.settings['display'];
  return typeof display !== 'number' || (display & where) !== 0;
}

/** The colour of an output on a bar; null if it is invisible. */
export function colorAt(output: Output, index: number, name = 'color', otherwise: number | null = BLUE): number | null {
  const column = output.columns[name];
  const value = column === undefined ? output.settings[name] : column[index];
  if (typeof value === 'number') return value;
  return column === undefined && value === undefined ? otherwise : null;
}

/** 0xRRGGBBAA as a colour for a canvas or a stylesheet. */
export function css(color: number): string {
  let text = written.get(color);
  if (text === undefined) {
    if (written.size > MOST_WRITTEN) written.clear();
    text = `#${color.toString(16).padStart(8, '0')}`;
    written.set(color, text);
  }
  return text;
}

/** Colours are written many times in each picture. */
const written = new Map<number, string>();
const MOST_WRITTEN = 4096;

/** The colour in the legend: without transparency, so that the text can be read. */
export const opaque = (color: number): string => css(color).slice(0, 7);

/** How a script writes its values, from its declaration; null is what the chart has. */
export interface Format {
  format: string | null;
  precision: number | null;
}

/** The decimals of volumes, which no precision changes. */
const VOLUME_DECIMALS = 2;

/** A value with the format and decimals of its plot, otherwise of the script, otherwise the decimals of the chart's prices. */
export function valueText(value: number | null | undefined, declared: Format, decimals: number, output?: Output): string {
  if (value === null || value === undefined) return NO_VALUE;
  const own = text(output?.settings['format']) || (declared.format ?? '');
  const asked = output?.settings['precision'];
  const precision = typeof asked === 'number' ? asked : declared.precision;
  const unit = own.replace('format.', '');
  if (unit === 'volume') return volumeText(value, VOLUME_DECIMALS);
  return fixedText(value, precision ?? decimals) + (unit === 'percent' ? '%' : '');
}
