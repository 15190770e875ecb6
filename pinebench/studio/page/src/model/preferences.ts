// What a person chose for all charts, kept by the browser: the theme, the time zone, values in the editor.
import { Watched } from '../watched';

export type Theme = 'dark' | 'light';

const THEME = 'pinebench-studio-theme';
const ZONE = 'pinebench-studio-zone';
const INLINE = 'pinebench-studio-inline-values';

/** Time zones that can be chosen besides the exchange's own, from west to east. */
export const ZONES: readonly { name: string; label: string }[] = [
  { name: 'America/Los_Angeles', label: 'Los Angeles' },
  { name: 'America/Chicago', label: 'Chicago' },
  { name: 'America/New_York', label: 'New York' },
  { name: 'America/Sao_Paulo', label: 'São Paulo' },
  { name: 'Etc/UTC', label: 'UTC' },
  { name: 'Europe/London', label: 'London' },
  { name: 'Europe/Berlin', label: 'Berlin' },
  { name: 'Africa/Johannesburg', label: 'Johannesburg' },
  { name: 'Asia/Dubai', label: 'Dubai' },
  { name: 'Asia/Kolkata', label: 'Kolkata' },
  { name: 'Asia/Singapore', label: 'Singapore' },
  { name: 'Asia/Tokyo', label: 'Tokyo' },
  { name: 'Australia/Sydney', label: 'Sydney' },
];

export const theme = new Watched<Theme>(read(THEME) === 'light' ? 'light' : 'dark');

/** The time zone of time axes and legends; empty for the time zone of the chart's exchange. */
export const timeZone = new Watched<string>(ZONES.some(({ name }) => name === read(ZONE)) ? (read(ZONE) ?? '') : '');

/** Whether the editor shows the values of a bar at the ends of its lines. */
export const inlineValues = new Watched<boolean>(read(INLINE) === 'on');

theme.subscribe((value) => keep(THEME, value));
timeZone.subscribe((value) => keep(ZONE, value));
inlineValues.subscribe((value) => keep(INLINE, value ? 'on' : 'off'));

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** If the browser cannot store anything, the choice still works until the page is closed. */
function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    return;
  }
}
