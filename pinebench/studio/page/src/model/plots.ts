// The plots of a run: what the legend, the data window and exports say of them.
import type { Cell, Output, RunResult } from '../server';

/** The places where a plot is shown, as Pine's bits. */
export const DISPLAY = { dataWindow: 1, pane: 2, priceScale: 4, statusLine: 8 };

const PLOTTED = ['plot', 'plotshape', 'plotchar', 'plotarrow', 'plotcandle', 'plotbar'];
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
  return `#${color.toString(16).padStart(8, '0')}`;
}

/** The colour in the legend: without transparency, so that the text can be read. */
export const opaque = (color: number): string => css(color).slice(0, 7);

/** A value with the decimals of its plot, otherwise of the script, otherwise of the chart's prices. */
export function valueText(value: number | null | undefined, result: RunResult, decimals: number, output?: Output): string {
  if (value === null || value === undefined) return '∅';
  const own = text(output?.settings['format']);
  const format = own === '' ? result.declared.format : `format.${own.replace('format.', '')}`;
  const asked = output?.settings['precision'];
  const precision = typeof asked === 'number' ? asked : result.declared.precision;
  if (format === 'format.volume') return volumeText(value, precision ?? 2);
  return value.toFixed(precision ?? decimals) + (format === 'format.percent' ? '%' : '');
}

function volumeText(value: number, decimals: number): string {
  for (const [size, letter] of [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']] as const) {
    if (Math.abs(value) >= size) return `${(value / size).toFixed(decimals)}${letter}`;
  }
  return value.toFixed(decimals);
}
