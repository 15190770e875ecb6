// The list of trades: which of them are shown, and in which order.
import type { TestedTrade } from '../server';
import { sideOf, type NumberedTrade } from './testerText';

/** A column by which trades can be sorted. */
export interface Column {
  title: string;
  /** The value that is compared; null for trades without one, which come last. */
  of: (one: NumberedTrade) => number | string | null;
}

export const COLUMNS: readonly Column[] = [
  { title: 'Trade', of: ({ number }) => number },
  { title: 'Side', of: ({ trade }) => sideOf(trade) },
  { title: 'Entry', of: ({ trade }) => trade.e.tm },
  { title: 'Exit', of: ({ trade }) => trade.x?.tm ?? null },
  { title: 'Size', of: ({ trade }) => trade.q },
  { title: 'Net P&L', of: ({ trade }) => trade.tp.v },
  { title: 'Run-up', of: ({ trade }) => trade.rn.v },
  { title: 'Drawdown', of: ({ trade }) => trade.dd.v },
  { title: 'Cumulative P&L', of: ({ number }) => number },
];

export const FILTERS: Readonly<Record<string, (trade: TestedTrade) => boolean>> = {
  'All trades': () => true,
  Long: (trade) => sideOf(trade) === 'long',
  Short: (trade) => sideOf(trade) === 'short',
  Winning: (trade) => trade.x !== null && trade.tp.v > 0,
  Losing: (trade) => trade.x !== null && trade.tp.v < 0,
  Open: (trade) => trade.x === null,
};

export interface Order {
  column: string;
  down: boolean;
}

export function listed(trades: readonly TestedTrade[], filter: string, { column, down }: Order): NumberedTrade[] {
  const of = COLUMNS.find(({ title }) => title === column)?.of ?? (({ number }: NumberedTrade) => number);
  const passes = FILTERS[filter] ?? (() => true);
  const numbered = trades.map((trade, i) => ({ trade, number: i + 1 })).filter(({ trade }) => passes(trade));
  return numbered.sort((one, other) => compare(of(one), of(other), down) || one.number - other.number);
}

function compare(one: number | string | null, other: number | string | null, down: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order = one < other ? -1 : one > other ? 1 : 0;
  return down ? -order : order;
}
