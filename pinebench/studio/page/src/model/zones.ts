// Moments as the clocks of a time zone show them.
import { isIntraday } from './resolution';

const HOUR = 3600;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

const PARTS = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...PARTS });
  formats.set(zone, made);
  return made;
}

/** How many seconds the clocks of a zone are ahead of UTC. */
function offsetAt(seconds: number, zone: string): number {
  const parts = Object.fromEntries(formatOf(zone).formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - Math.floor(seconds);
}

/** The offset can change only at a full hour, so one answer is enough for each hour. */
function offsetOf(seconds: number, zone: string): number {
  const hour = Math.floor(seconds / HOUR);
  const key = `${zone} ${hour}`;
  let found = offsets.get(key);
  if (found === undefined) {
    // Far from a change, the hours of a day share their offset.
    const day = Math.floor(seconds / (24 * HOUR));
    const [first, last] = [0, 24].map((at) => ends(day * 24 + at, zone));
    found = first === last ? (first ?? 0) : offsetAt(hour * HOUR, zone);
    if (first !== last) offsets.set(key, found);
  }
  return found;
}

function ends(hour: number, zone: string): number {
  const key = `${zone} ${hour}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const found = offsetAt(hour * HOUR, zone);
  offsets.set(key, found);
  return found;
}

/**
 * The time in UTC that shows the same clock reading as a time in seconds in the zone, so that UTC functions can read
 * dates and hours.
 */
export const onClock = (seconds: number, zone: string): number => (zone === 'Etc/UTC' || zone === '' ? seconds : seconds + offsetOf(seconds, zone));

/** The time in seconds at which the clocks of a zone show a reading, which is given as if it were in UTC; NaN for none. */
export function fromClock(reading: number, zone: string): number {
  if (Number.isNaN(reading)) return reading;
  const near = reading - (onClock(reading, zone) - reading);
  return reading - (onClock(near, zone) - near);
}

/** The time zone for the dates of bars. Bars of a day or longer have the exchange's dates, whatever zone is chosen. */
export const zoneFor = (resolution: string, exchange: string, chosen: string): string =>
  isIntraday(resolution) && chosen !== '' ? chosen : exchange || 'Etc/UTC';

/** "UTC-4" and the like. */
export function offsetText(seconds: number, zone: string): string {
  const minutes = Math.round((onClock(seconds, zone) - seconds) / 60);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** The date, with the time if it is wanted, in the legend's form. */
export function dateText(seconds: number, zone: string, withTime: boolean): string {
  const text = new Date(onClock(seconds, zone) * 1000).toISOString();
  return withTime ? `${text.slice(0, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
}
