// The indicators the studio computes itself, and what one of them looks like on a chart.
import type { Bar } from '../server';

export interface InputDefinition {
  id: string;
  name: string;
  value: number;
}

export interface Plot {
  title: string;
  color: string;
  style: 'line' | 'histogram';
  values: (number | null)[];
}

export interface Indicator {
  name: string;
  shortName: string;
  ownPane: boolean;
  inputs: InputDefinition[];
  compute: (bars: readonly Bar[], inputs: Record<string, number>) => Plot[];
}

type Series = (number | null)[];

const closes = (bars: readonly Bar[]): number[] => bars.map((bar) => bar[4]);

function average(values: readonly number[], length: number): Series {
  let sum = 0;
  return values.map((value, i) => {
    sum += value - (values[i - length] ?? 0);
    return i >= length - 1 ? sum / length : null;
  });
}

/** The exponential average with factor `alpha`, seeded by the plain average of the first `length` values. */
function exponential(values: readonly number[], length: number, alpha: number): Series {
  let last: number | null = null;
  const seeds = average(values, length);
  return values.map((value, i) => {
    last = last === null ? (seeds[i] ?? null) : last + alpha * (value - last);
    return last;
  });
}

const ema = (values: readonly number[], length: number): Series => exponential(values, length, 2 / (length + 1));

/** `first` and `second` combined where both have a value. */
function both(first: Series, second: Series, combine: (a: number, b: number) => number): Series {
  return first.map((a, i) => {
    const b = second[i] ?? null;
    return a === null || b === null ? null : combine(a, b);
  });
}

/** Apply an average to a series that begins with gaps. */
function skippingGaps(series: Series, apply: (values: number[]) => Series): Series {
  const start = series.findIndex((value) => value !== null);
  if (start < 0) return series;
  return [...series.slice(0, start), ...apply(series.slice(start).map((value) => value ?? 0))];
}

function rsi(values: readonly number[], length: number): Series {
  const changes = values.slice(1).map((value, i) => value - (values[i] ?? value));
  const up = exponential(changes.map((change) => Math.max(change, 0)), length, 1 / length);
  const down = exponential(changes.map((change) => Math.max(-change, 0)), length, 1 / length);
  return [null, ...both(up, down, (u, d) => (d === 0 ? 100 : 100 - 100 / (1 + u / d)))];
}

function deviation(values: readonly number[], length: number): Series {
  const means = average(values, length);
  return means.map((mean, i) => {
    if (mean === null) return null;
    const window = values.slice(i - length + 1, i + 1);
    return Math.sqrt(window.reduce((sum, value) => sum + (value - mean) ** 2, 0) / length);
  });
}

const length = (value: number): InputDefinition => ({ id: 'length', name: 'Length', value });

export const INDICATORS: readonly Indicator[] = [
  {
    name: 'Moving Average Simple',
    shortName: 'SMA',
    ownPane: false,
    inputs: [length(20)],
    compute: (bars, inputs) => [
      { title: 'MA', color: '#5a9cf8', style: 'line', values: average(closes(bars), inputs.length ?? 20) },
    ],
  },
  {
    name: 'Moving Average Exponential',
    shortName: 'EMA',
    ownPane: false,
    inputs: [length(21)],
    compute: (bars, inputs) => [{ title: 'EMA', color: '#e0a94b', style: 'line', values: ema(closes(bars), inputs.length ?? 21) }],
  },
  {
    name: 'Bollinger Bands',
    shortName: 'BB',
    ownPane: false,
    inputs: [length(20), { id: 'mult', name: 'StdDev', value: 2 }],
    compute: (bars, inputs) => {
      const values = closes(bars);
      const middle = average(values, inputs.length ?? 20);
      const spread = deviation(values, inputs.length ?? 20);
      const mult = inputs.mult ?? 2;
      return [
        { title: 'Basis', color: '#8a94a6', style: 'line', values: middle },
        { title: 'Upper', color: '#5a9cf8', style: 'line', values: both(middle, spread, (m, s) => m + mult * s) },
        { title: 'Lower', color: '#5a9cf8', style: 'line', values: both(middle, spread, (m, s) => m - mult * s) },
      ];
    },
  },
  {
    name: 'Relative Strength Index',
    shortName: 'RSI',
    ownPane: true,
    inputs: [length(14)],
    compute: (bars, inputs) => [{ title: 'RSI', color: '#a78bfa', style: 'line', values: rsi(closes(bars), inputs.length ?? 14) }],
  },
  {
    name: 'MACD',
    shortName: 'MACD',
    ownPane: true,
    inputs: [
      { id: 'fast', name: 'Fast Length', value: 12 },
      { id: 'slow', name: 'Slow Length', value: 26 },
      { id: 'signal', name: 'Signal Length', value: 9 },
    ],
    compute: (bars, inputs) => {
      const values = closes(bars);
      const macd = both(ema(values, inputs.fast ?? 12), ema(values, inputs.slow ?? 26), (a, b) => a - b);
      const signal = skippingGaps(macd, (known) => ema(known, inputs.signal ?? 9));
      return [
        { title: 'Histogram', color: '#3d6f62', style: 'histogram', values: both(macd, signal, (a, b) => a - b) },
        { title: 'MACD', color: '#5a9cf8', style: 'line', values: macd },
        { title: 'Signal', color: '#e0a94b', style: 'line', values: signal },
      ];
    },
  },
];

/** The indicator called `name` in full or in short, whatever the case. */
export function findIndicator(name: string): Indicator | undefined {
  const wanted = name.trim().toLowerCase();
  return INDICATORS.find((known) => [known.name, known.shortName].some((text) => text.toLowerCase() === wanted));
}
