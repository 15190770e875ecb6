// Returns of trades by the signal, the weekday and the hour of their entries.
import type { TestedTrade } from '../server';
import { onClock } from './zones';

export interface TradeGroup {
  name: string;
  trades: number;
  wins: number;
  profit: number;
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** By what trades are grouped: the name of the group of an entry, whose clock shows `clock` (seconds as in UTC). */
type Of = (trade: TestedTrade, clock: Date) => string;

const BY: Readonly<Record<string, Of>> = {
  Signal: ({ e }) => e.c,
  Weekday: (_, clock) => DAYS[(clock.getUTCDay() + 6) % 7] ?? '',
  Hour: (_, clock) => `${String(clock.getUTCHours()).padStart(2, '0')}:00`,
};

/** Closed trades in groups, by the clock of a time zone; days of the week and hours are in their order. */
export function tradeGroups(trades: readonly TestedTrade[], zone: string, hasHours: boolean): { by: string; groups: TradeGroup[] }[] {
  const closed = trades.filter(({ x }) => x !== null);
  return Object.entries(BY)
    .filter(([by]) => hasHours || by !== 'Hour')
    .map(([by, of]) => {
      const groups = grouped(closed, (trade) => of(trade, new Date(onClock(Math.floor(trade.e.tm / 1000), zone) * 1000)));
      return { by, groups: by === 'Signal' ? groups : groups.sort((one, other) => placeOf(one.name) - placeOf(other.name)) };
    });
}

const placeOf = (name: string): number => (DAYS.includes(name) ? DAYS.indexOf(name) : parseInt(name, 10));

function grouped(trades: readonly TestedTrade[], nameOf: (trade: TestedTrade) => string): TradeGroup[] {
  const found = new Map<string, TradeGroup>();
  for (const trade of trades) {
    const name = nameOf(trade);
    const { trades: count, wins, profit } = found.get(name) ?? { trades: 0, wins: 0, profit: 0 };
    found.set(name, { name, trades: count + 1, wins: wins + (trade.tp.v > 0 ? 1 : 0), profit: profit + trade.tp.v });
  }
  return [...found.values()];
}
