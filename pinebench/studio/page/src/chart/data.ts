// What a chart file holds: bars, runs of scripts, fills of a strategy, and how they were asked to be shown.
import type { Format } from '../model/plots';
import type { Bar, Drawing, Output } from '../server';

export type ThemeName = 'light' | 'dark';

/** The colours of a theme, #RRGGBBAA. */
export interface Palette {
  background: string;
  ink: string;
  grid: string;
  rule: string;
  crosshair: string;
  label: string;
  up: string;
  down: string;
  volumeUp: string;
  volumeDown: string;
}

/** A run of a script. Columns and drawings count bars from the first of the file. */
export interface Run {
  title: string;
  /** Whether its plots are drawn on the prices. */
  overlay: boolean;
  /** Whether it has a pane below the prices. */
  pane: boolean;
  scale: string;
  behind: boolean;
  asCalled: boolean;
  /** How its values are written. */
  declared: Format;
  outputs: Output[];
  drawings: Record<string, Drawing[]>;
}

/** A fill of a strategy's order; the quantity is negative for a sale. */
export interface Fill {
  bar: number;
  price: number;
  quantity: number;
  signal: string;
}

/** The data as they are written. */
export interface File {
  title: string;
  /** The name of the bars in the legend. */
  name: string;
  zone: string;
  /** Bars that are not dated have numbers in place of times. */
  dated: boolean;
  intraday: boolean;
  decimals: number;
  theme: ThemeName;
  themes: Record<ThemeName, Palette>;
  logarithmic: boolean;
  /** The first and the last bar that are seen first, and the bars of free space after them. */
  first: number;
  last: number;
  ahead: number;
  /** The share of the height that each pane below the prices has. */
  share: number;
  /** Opening times in seconds. */
  times: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  /** null if the bars have no volume. */
  volume: (number | null)[] | null;
  runs: Run[];
  fills: Fill[];
}

export interface ChartFile extends Omit<File, 'times' | 'open' | 'high' | 'low' | 'close' | 'volume'> {
  bars: Bar[];
  hasVolume: boolean;
}

/** Read the data of a chart file. */
export const read = (text: string): ChartFile => fileOf(JSON.parse(text) as File);

/** The data of a chart with its bars as rows. */
export function fileOf({ times, open, high, low, close, volume, ...rest }: File): ChartFile {
  const bars = times.map((time, i): Bar => [time, open[i] ?? 0, high[i] ?? 0, low[i] ?? 0, close[i] ?? 0, volume?.[i] ?? 0]);
  return { ...rest, bars, hasVolume: volume !== null };
}
