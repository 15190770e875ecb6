// Chart resolutions in TradingView's notation: minutes as a number, days and longer with D, W, M.

export const RESOLUTIONS: readonly { name: string; label: string; long: string }[] = [
  { name: '1', label: '1m', long: '1 minute' },
  { name: '5', label: '5m', long: '5 minutes' },
  { name: '15', label: '15m', long: '15 minutes' },
  { name: '60', label: '1h', long: '1 hour' },
  { name: '240', label: '4h', long: '4 hours' },
  { name: '1D', label: 'D', long: '1 day' },
  { name: '1W', label: 'W', long: '1 week' },
  { name: '1M', label: 'M', long: '1 month' },
];

/** The intervals of TradingView's list, by their unit. */
export const INTERVALS: readonly (readonly string[])[] = [
  ['1', '3', '5', '15', '30', '45'],
  ['60', '120', '180', '240'],
  ['1D', '1W', '1M', '3M', '6M', '12M'],
];

/** `D` as `1D`, `4h` as `240`; null if the text is not a resolution. */
export function normalResolution(text: string): string | null {
  const match = /^(\d{0,4})([HDWM]?)$/.exec(text.trim().toUpperCase());
  if (match === null || text.trim() === '') return null;
  const number = Number(match[1] === '' ? 1 : match[1]);
  const [unit, count] = match[2] === 'H' ? ['', number * 60] : [match[2] ?? '', number];
  return count >= 1 && count <= (MOST[unit] ?? 0) ? `${count}${unit}` : null;
}

/**
 * The largest multiplier of each unit, as in the studio's server: a day of minutes, a year of days, weeks or months.
 */
const MOST: Record<string, number> = { '': 1440, D: 365, W: 52, M: 12 };

const UNITS: Record<string, string> = { '': 'minute', D: 'day', W: 'week', M: 'month' };

/** `240` as "4 hours", for a resolution from `normalResolution`. */
export function intervalText(name: string): string {
  const minutes = Number(name);
  const [count, unit] = minutes >= 60 && minutes % 60 === 0 ? [minutes / 60, 'hour'] : [parseInt(name, 10), UNITS[name.replace(/\d/g, '')]];
  return `${count} ${unit ?? ''}${count === 1 ? '' : 's'}`;
}

export function resolutionLabel(name: string): string {
  return RESOLUTIONS.find((resolution) => resolution.name === name)?.label ?? name;
}

export const isIntraday = (name: string): boolean => /^\d+$/.test(name);
