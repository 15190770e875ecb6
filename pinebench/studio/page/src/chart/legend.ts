// The legends of the panes: names, and the values on the bar under the crosshair, else on the last bar.
import { fixedText, volumeText } from '../model/formats';
import { colorAt, isShownAt, opaque, text, valueText } from '../model/plots';
import { dateText } from '../model/zones';
import type { Cell } from '../server';
import type { ChartFile } from './data';
import type { RunLayer } from './layer';

const PRICES = ['open', 'high', 'low', 'close'];
/** The columns of the plot functions whose values are prices. */
const COLUMNS: Record<string, string[]> = { plotbar: PRICES, plotcandle: PRICES };
const VERY_LARGE = 1e6;

/** Write the row of the prices on a bar. */
export function pricesRow(row: HTMLElement, file: ChartFile, index: number): void {
  row.replaceChildren(part(file.name));
  const bar = file.bars[index];
  if (bar === undefined) return;
  const tone = bar[4] >= bar[1] ? 'up' : 'down';
  if (file.dated) row.append(part(dateText(bar[0], file.zone, file.intraday)));
  PRICES.forEach((name, i) => row.append(part(`${name.charAt(0).toUpperCase()} ${fixedText(bar[i + 1] ?? 0, file.decimals)}`, tone)));
  if (file.hasVolume) row.append(part(`Vol ${volumeText(bar[5], 2)}`, tone));
}

/** Write the row of a run on a bar: its title, and the values of the plots of the status line in their colours. */
export function runRow(row: HTMLElement, layer: RunLayer, index: number): void {
  row.replaceChildren(part(layer.run.title));
  for (const output of layer.outputs) {
    if (!isShownAt(output, 'statusLine')) continue;
    const values = (COLUMNS[output.function] ?? ['series']).map((name) => at(output.columns[name], index)).filter((value) => value !== null);
    if (values.length === 0) continue;
    const words = [text(output.settings['title']), ...values.map((value) => valueText(value, layer.run.declared, layer.decimals, output))].join(' ').trim();
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
  return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : null;
};

/** A value on an axis: with a letter if it is very large. */
export const axisText = (value: number, decimals: number): string =>
  Math.abs(value) < VERY_LARGE ? fixedText(value, decimals) : volumeText(value, 2);
