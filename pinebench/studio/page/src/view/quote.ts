// What the side panels know of a symbol: its last daily bars.
import { useEffect, useState } from 'react';
import { faults } from '../faults';
import { fixedText } from '../model/formats';
import { server, type Bar, type SymbolInfo } from '../server';

export interface Quote {
  info: SymbolInfo;
  bars: readonly Bar[];
  last: Bar;
  change: number;
  percent: number;
}

/** The last `count` daily bars of `symbol` with its change; null while they are not known. */
export function useQuote(symbol: string, count: number): Quote | null {
  const [quote, setQuote] = useState<Quote | null>(null);
  useEffect(() => {
    let current = true;
    void server.bars(symbol, '1D', count).then(
      ({ symbol: info, bars }) => {
        const last = bars.at(-1);
        const before = bars.at(-2)?.[4] ?? last?.[1];
        if (!current || last === undefined || before === undefined) return;
        setQuote({ info, bars, last, change: last[4] - before, percent: ((last[4] - before) / before) * 100 });
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [symbol, count]);
  return quote;
}

/** A number with its sign: a hyphen for negative numbers, because programs read it as a minus, a plus for positive ones. */
export function signed(value: number, decimals: number): string {
  const size = pageNumber(Math.abs(value), decimals);
  return /[1-9]/.test(size) ? `${value < 0 ? '-' : '+'}${size}` : size;
}

/** A number as the page writes it. */
export function pageNumber(value: number, decimals: number): string {
  if (!faults.decimalComma) return fixedText(value, decimals);
  return value.toLocaleString('de-DE', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
