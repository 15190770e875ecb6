// The indicators the studio computes itself, and what one of them looks like on a chart.
import type { Bar } from '../server';

export interface InputDefinition {
  id: string;
  name: string;
  value: number;
  /** Whether it need not be whole; all others count bars. */
  fraction?: true;
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
  /** Other names that clients call it by. */
  also?: readonly string[];
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

/** Apply an average to each stretch of a series that has no gap. */
function skippingGaps(series: Series, apply: (values: number[]) => Series): Series {
  const result: Series = [];
  let stretch: number[] = [];
  for (const value of [...series, null]) {
    if (value !== null) {
      stretch.push(value);
      continue;
    }
    result.push(...apply(stretch), null);
    stretch = [];
  }
  return result.slice(0, -1);
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

/** `apply` on the last `length` bars up to each bar; null before there are as many. */
function over(bars: readonly Bar[], length: number, apply: (window: readonly Bar[]) => number | null): Series {
  return bars.map((_, i) => (i >= length - 1 ? apply(bars.slice(i - length + 1, i + 1)) : null));
}

const highest = (window: readonly Bar[]): number => Math.max(...window.map((bar) => bar[2]));
const lowest = (window: readonly Bar[]): number => Math.min(...window.map((bar) => bar[3]));
const typical = (bar: Bar): number => (bar[2] + bar[3] + bar[4]) / 3;

function weighted(values: readonly number[], length: number): Series {
  const weights = (length * (length + 1)) / 2;
  return values.map((_, i) =>
    i >= length - 1
      ? values.slice(i - length + 1, i + 1).reduce((sum, value, at) => sum + value * (at + 1), 0) / weights
      : null,
  );
}

function hull(values: readonly number[], length: number): Series {
  const half = weighted(values, Math.max(1, Math.floor(length / 2)));
  const raw = both(half, weighted(values, length), (a, b) => 2 * a - b);
  return skippingGaps(raw, (known) => weighted(known, Math.max(1, Math.floor(Math.sqrt(length)))));
}

function averageTrueRange(bars: readonly Bar[], length: number): Series {
  const ranges = bars.map(([, , high, low], i) => {
    const before = bars[i - 1]?.[4];
    return before === undefined ? high - low : Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
  return exponential(ranges, length, 1 / length);
}

/** Where the close stands between the lowest low (0) and the highest high (100) of the last `length` bars; null where these are one. */
const stochastic = (bars: readonly Bar[], length: number): Series =>
  over(bars, length, (window) => {
    const low = lowest(window);
    const span = highest(window) - low;
    return span === 0 ? null : (((window.at(-1)?.[4] ?? low) - low) / span) * 100;
  });

/** The change against the close `length` bars before, or null. */
const changed = (values: readonly number[], length: number, combine: (now: number, before: number) => number): Series =>
  values.map((value, i) => (i >= length ? combine(value, values[i - length] ?? value) : null));

function commodityChannel(bars: readonly Bar[], length: number): Series {
  return over(bars, length, (window) => {
    const prices = window.map(typical);
    const mean = prices.reduce((sum, price) => sum + price, 0) / length;
    const spread = prices.reduce((sum, price) => sum + Math.abs(price - mean), 0) / length;
    return spread === 0 ? null : ((prices.at(-1) ?? mean) - mean) / (0.015 * spread);
  });
}

function onBalance(bars: readonly Bar[]): Series {
  let sum = 0;
  return bars.map((bar, i) => {
    const before = bars[i - 1]?.[4];
    if (before !== undefined) sum += Math.sign(bar[4] - before) * bar[5];
    return sum;
  });
}

/** The average price weighed by volume since the day began. */
function volumeWeighted(bars: readonly Bar[]): Series {
  let day = -1;
  let traded = 0;
  let volume = 0;
  return bars.map((bar) => {
    const now = Math.floor(bar[0] / 86400);
    if (now !== day) [day, traded, volume] = [now, 0, 0];
    traded += typical(bar) * bar[5];
    volume += bar[5];
    return volume === 0 ? null : traded / volume;
  });
}

const length = (value: number): InputDefinition => ({ id: 'length', name: 'Length', value });

export const INDICATORS: readonly Indicator[] = [
  {
    name: 'Moving Average Simple',
    shortName: 'SMA',
    also: ['Moving Average', 'Simple Moving Average'],
    ownPane: false,
    inputs: [length(20)],
    compute: (bars, inputs) => [
      { title: 'MA', color: '#5a9cf8', style: 'line', values: average(closes(bars), inputs.length ?? 20) },
    ],
  },
  {
    name: 'Moving Average Exponential',
    shortName: 'EMA',
    also: ['Exponential Moving Average'],
    ownPane: false,
    inputs: [length(21)],
    compute: (bars, inputs) => [{ title: 'EMA', color: '#e0a94b', style: 'line', values: ema(closes(bars), inputs.length ?? 21) }],
  },
  {
    name: 'Bollinger Bands',
    shortName: 'BB',
    ownPane: false,
    inputs: [length(20), { id: 'mult', name: 'StdDev', value: 2, fraction: true }],
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
        { title: 'Histogram', color: '#4d9a86', style: 'histogram', values: both(macd, signal, (a, b) => a - b) },
        { title: 'MACD', color: '#5a9cf8', style: 'line', values: macd },
        { title: 'Signal', color: '#e0a94b', style: 'line', values: signal },
      ];
    },
  },
  {
    name: 'Moving Average Weighted',
    shortName: 'WMA',
    also: ['Weighted Moving Average'],
    ownPane: false,
    inputs: [length(9)],
    compute: (bars, inputs) => [{ title: 'WMA', color: '#8f7ae0', style: 'line', values: weighted(closes(bars), inputs.length ?? 9) }],
  },
  {
    name: 'Hull Moving Average',
    shortName: 'HMA',
    ownPane: false,
    inputs: [length(9)],
    compute: (bars, inputs) => [{ title: 'HMA', color: '#4cc49a', style: 'line', values: hull(closes(bars), inputs.length ?? 9) }],
  },
  {
    name: 'VWAP',
    shortName: 'VWAP',
    also: ['Volume Weighted Average Price'],
    ownPane: false,
    inputs: [],
    compute: (bars) => [{ title: 'VWAP', color: '#5a9cf8', style: 'line', values: volumeWeighted(bars) }],
  },
  {
    name: 'Donchian Channels',
    shortName: 'DC',
    ownPane: false,
    inputs: [length(20)],
    compute: (bars, inputs) => {
      const upper = over(bars, inputs.length ?? 20, highest);
      const lower = over(bars, inputs.length ?? 20, lowest);
      return [
        { title: 'Basis', color: '#e0a94b', style: 'line', values: both(upper, lower, (u, l) => (u + l) / 2) },
        { title: 'Upper', color: '#5a9cf8', style: 'line', values: upper },
        { title: 'Lower', color: '#5a9cf8', style: 'line', values: lower },
      ];
    },
  },
  {
    name: 'Volume',
    shortName: 'Vol',
    ownPane: true,
    inputs: [],
    compute: (bars) => [{ title: 'Volume', color: '#7b8aa6', style: 'histogram', values: bars.map((bar) => bar[5]) }],
  },
  {
    name: 'Average True Range',
    shortName: 'ATR',
    ownPane: true,
    inputs: [length(14)],
    compute: (bars, inputs) => [{ title: 'ATR', color: '#e05a62', style: 'line', values: averageTrueRange(bars, inputs.length ?? 14) }],
  },
  {
    name: 'Stochastic',
    shortName: 'Stoch',
    ownPane: true,
    inputs: [length(14), { id: 'smoothK', name: '%K Smoothing', value: 1 }, { id: 'smoothD', name: '%D Smoothing', value: 3 }],
    compute: (bars, inputs) => {
      const raw = stochastic(bars, inputs.length ?? 14);
      const k = skippingGaps(raw, (known) => average(known, inputs.smoothK ?? 1));
      return [
        { title: '%K', color: '#5a9cf8', style: 'line', values: k },
        { title: '%D', color: '#e0a94b', style: 'line', values: skippingGaps(k, (known) => average(known, inputs.smoothD ?? 3)) },
      ];
    },
  },
  {
    name: 'Commodity Channel Index',
    shortName: 'CCI',
    ownPane: true,
    inputs: [length(20)],
    compute: (bars, inputs) => [{ title: 'CCI', color: '#5a9cf8', style: 'line', values: commodityChannel(bars, inputs.length ?? 20) }],
  },
  {
    name: 'Williams %R',
    shortName: '%R',
    also: ['Williams Percent Range'],
    ownPane: true,
    inputs: [length(14)],
    compute: (bars, inputs) => [{ title: '%R', color: '#a78bfa', style: 'line', values: stochastic(bars, inputs.length ?? 14).map((value) => (value === null ? null : value - 100)) }],
  },
  {
    name: 'Momentum',
    shortName: 'Mom',
    ownPane: true,
    inputs: [length(10)],
    compute: (bars, inputs) => [{ title: 'Mom', color: '#5a9cf8', style: 'line', values: changed(closes(bars), inputs.length ?? 10, (now, before) => now - before) }],
  },
  {
    name: 'Rate Of Change',
    shortName: 'ROC',
    ownPane: true,
    inputs: [length(9)],
    compute: (bars, inputs) => [{ title: 'ROC', color: '#5a9cf8', style: 'line', values: changed(closes(bars), inputs.length ?? 9, (now, before) => ((now - before) / before) * 100) }],
  },
  {
    name: 'On Balance Volume',
    shortName: 'OBV',
    ownPane: true,
    inputs: [],
    compute: (bars) => [{ title: 'OBV', color: '#5a9cf8', style: 'line', values: onBalance(bars) }],
  },
];

/** The indicator called `name` in full, in short or otherwise, whatever the case. */
export function findIndicator(name: string): Indicator | undefined {
  const wanted = name.trim().toLowerCase();
  return INDICATORS.find((known) => [known.name, known.shortName, ...(known.also ?? [])].some((text) => text.toLowerCase() === wanted));
}
