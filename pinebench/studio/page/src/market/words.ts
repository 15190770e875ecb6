// Numbers, moments and conditions in words.
export interface Condition {
  price_above?: number;
  price_below?: number;
  crossing?: { level: number; direction?: string };
  percent?: { change: number; bars?: number };
  indicator_signal?: { indicator: string; signal: string };
  indicator_value?: { indicator: string; line?: string; above?: number; below?: number };
  pine?: string;
  script?: { title?: string };
}

export function conditionText(condition: Condition): string {
  const { price_above, price_below, crossing, percent, indicator_signal, indicator_value, pine, script } = condition;
  if (price_above !== undefined) return `close at or above ${price(price_above)}`;
  if (price_below !== undefined) return `close at or below ${price(price_below)}`;
  if (crossing !== undefined) return `close crosses ${price(crossing.level)}${crossing.direction === 'up' || crossing.direction === 'down' ? ` ${crossing.direction}wards` : ''}`;
  if (percent !== undefined) return `close changed by ${percent.change} % within ${percent.bars ?? 1} bars`;
  if (indicator_signal !== undefined) return `${indicator_signal.indicator} gives ${indicator_signal.signal}`;
  if (indicator_value !== undefined) {
    const { indicator, line, above, below } = indicator_value;
    return `${[indicator, line].filter((part) => part !== undefined).join(' ')} at or ${above === undefined ? `below ${below}` : `above ${above}`}`;
  }
  if (pine !== undefined) return `Pine: ${pine}`;
  return `a script${script?.title === undefined ? '' : `: ${script.title}`}`;
}

/** All digits that matter; nothing is rounded that could be an order. */
export const price = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : String(Number(value.toPrecision(12))));

/** A value of an indicator for reading: six digits, or more for a price that has more. */
export const figure = (value: number | null): string => (value === null ? '–' : String(Number(value.toFixed(Math.min(Math.max(decimalsOf(value), 2), 100)))));

const decimalsOf = (value: number): number => (value === 0 ? 0 : 5 - Math.floor(Math.log10(Math.abs(value))));

export const money = (value: number): string => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const moment = (text: string | number): string => `${new Date(text).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export const clock = (milliseconds: number): string => new Date(milliseconds).toLocaleTimeString('en-GB');

/** How long something is past, in the largest unit. */
export function age(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The text of a field of a form. */
export function textOf(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
