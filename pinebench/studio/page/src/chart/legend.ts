// The legends of the panes: names, and the values on the bar under the crosshair, else on the last bar.
import { colorAt, DISPLAY, isDisplayed, opaque, text } from '../model/plots';
import { dateText } from '../model/zones';
import type { Cell, Output } from '../server';
import type { ChartFile } from './data';
import type { RunLayer } from './layer';

const PRICES = ['open', 'high', 'low', 'close'];
/** The columns of each plot function that a legend has. */
const IN_LEGEND: Record<string, string[]> = { plot: ['series'], plotarrow: ['series'], plotbar: PRICES, plotcandle: PRICES };
const LARGE = 10_000;
const VERY_LARGE = 1e6;
const SIZES = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']] as const;

/** Write the row of the prices on a bar. */
export function pricesRow(row: HTMLElement, file: ChartFile, index: number): void {
  row.replaceChildren(part(file.name));
  const bar = file.bars[index];
  if (bar === undefined) return;
  const tone = bar[4] >= bar[1] ? 'up' : 'down';
  if (file.dated) row.append(part(dateText(bar[0], file.zone, file.intraday)));
  PRICES.forEach((name, i) => row.append(part(`${name.charAt(0).toUpperCase()} ${fixed(bar[i + 1] ?? 0, file.decimals)}`, tone)));
  if (file.hasVolume) row.append(part(`Vol ${sized(bar[5], 2)}`, tone));
}

/** Write the row of a run on a bar: its title, and the values of the plots of the status line in their colours. */
export function runRow(row: HTMLElement, layer: RunLayer, index: number): void {
  row.replaceChildren(part(layer.run.title));
  for (const output of layer.outputs) {
    if (!isDisplayed(output, DISPLAY.statusLine)) continue;
    const values = (IN_LEGEND[output.function] ?? []).map((name) => at(output.columns[name], index)).filter((value) => value !== null);
    if (values.length === 0) continue;
    const words = [text(output.settings['title']), ...values.map((value) => valueText(value, output))].join(' ').trim();
    const color = colorAt(output, index);
    const made = part(words);
    if (color !== null) made.style.color = opaque(color);
    row.append(made);
  }
}

function part(words: string, tone = ''): HTMLElement {
  const made = document.createElement('span');
  made.textContent = words;
  if (tone !== '') made.className = tone;
  return made;
}

const at = (column: readonly Cell[] | undefined, index: number): number | null => {
  const value = column?.[index];
  return typeof value === 'number' ? value : null;
};

const fixed = (value: number, decimals: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** A value on an axis: with a letter if it is very large. */
export function axisText(value: number, decimals: number): string {
  const [size, letter] = SIZES.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  return Math.abs(value) < VERY_LARGE ? fixed(value, decimals) : `${Number((value / size).toPrecision(6))}${letter}`;
}

function sized(value: number, decimals: number): string {
  const [size, letter] = SIZES.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  return `${(value / size).toFixed(decimals)}${letter}`;
}

/** A value with the format and the precision of its plot, if it has them. */
export function valueText(value: number, { settings }: Output): string {
  const { precision } = settings;
  const unit = text(settings['format']).replace('format.', '');
  const decimals = typeof precision === 'number' ? precision : null;
  if (unit === 'volume') return sized(value, decimals ?? 2);
  const few = decimals ?? (Math.abs(value) >= LARGE ? 2 : null);
  const words = few === null ? String(Number(value.toPrecision(6))) : fixed(value, few);
  return unit === 'percent' ? `${words}%` : words;
}
