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

/** `D` as `1D`, `4h` as `240`; null when it is no resolution. */
export function normalResolution(text: string): string | null {
  const match = /^(\d{0,4})([HDWM]?)$/.exec(text.trim().toUpperCase());
  if (match === null || text.trim() === '') return null;
  const count = Number(match[1] === '' ? 1 : match[1]);
  if (count < 1) return null;
  return match[2] === 'H' ? String(count * 60) : `${count}${match[2] ?? ''}`;
}

export function resolutionLabel(name: string): string {
  return RESOLUTIONS.find((resolution) => resolution.name === name)?.label ?? name;
}

export const isIntraday = (name: string): boolean => /^\d+$/.test(name);
