// The order book of the sample market: made from the last price alone, the same on every machine, and never of real prices.
import type { Bar, SymbolInfo } from '../server';

export interface Level {
  price: number;
  size: number;
}

export interface Depth {
  /** The best price first: bids from high to low, asks from low to high. */
  bids: readonly Level[];
  asks: readonly Level[];
}

const LEVELS = 10;
/** The distance between two levels, as a share of the price. */
const STEP = 0.0001;

/** The levels around a bar's close. Null for the user's own prices, because no order book is known for them. */
export function depthOf(info: SymbolInfo | null, last: Bar | undefined): Depth | null {
  if (info === null || info.own || last === undefined) return null;
  const tick = 10 ** -info.decimals;
  const step = Math.max(1, Math.round((last[4] * STEP) / tick)) * tick;
  const rounded = (price: number) => Number(price.toFixed(info.decimals));
  const level = (side: 1 | -1, at: number): Level => ({
    price: rounded(last[4] + side * step * (at + (side > 0 ? 1 : 0))),
    size: sizeAt(`${info.full_name} ${last[0]} ${side} ${at}`),
  });
  const levels = (side: 1 | -1) => Array.from({ length: LEVELS }, (_, at) => level(side, at)).filter(({ price }) => price > 0);
  return { bids: levels(-1), asks: levels(1) };
}

/** A size from 1 to 1,000 that is computed from the text alone, with FNV-1a. */
function sizeAt(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash >>> 8) % 1000) + 1;
}
