// The page's letters: what measures texts waits for them, and measures again where they come late.
import type { IChartApiBase } from 'lightweight-charts';
import { Watched } from '../watched';

export const FONT = 'Inter Variable, system-ui, sans-serif';
export const MONOSPACE = 'JetBrains Mono Variable, monospace';

const LONGEST_WAIT_MS = 3000;
const FILES = ['11px "Inter Variable"', '13px "JetBrains Mono Variable"'];

/** Whether the page's letters have come; texts that were measured before are measured again then. */
export const loaded = new Watched(false);

/** Wait for the letters, but not for long, and not where there are none. */
export async function loadFonts(): Promise<void> {
  const all = Promise.all(FILES.map((font) => document.fonts.load(font)))
    .then(() => loaded.setValue(true))
    .catch(() => undefined);
  await Promise.race([all, new Promise((done) => setTimeout(done, LONGEST_WAIT_MS))]);
}

/**
 * The family for lightweight-charts, which remembers the widths of texts by the name of their font: once the letters are
 * there, it is spelt in another way, so that they are measured again.
 */
export const chartFont = (): string => (loaded.value() ? FONT.replace('Inter Variable', '"Inter Variable"') : FONT);

/** Give a chart the letters when they come; the result ends that. */
export const followFont = (chart: Pick<IChartApiBase, 'applyOptions'>): (() => void) =>
  loaded.subscribe(() => chart.applyOptions({ layout: { fontFamily: chartFont() } }));
