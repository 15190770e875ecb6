// The fills of a strategy's orders: an arrow beside the bar, and a mark at the price.
import type { Pane } from '../view/study/pane';
import { sign } from '../view/study/signs';
import type { Fill } from './data';

const BUY = '#2962ff';
const SELL = '#d500f9';
const ROW = 13;
/** If a bar is narrower than this number of pixels, there is no room for texts. */
const WIDE = 7;

/** Draw buys below their bars and sales above. Several fills on one bar are drawn one after the other. */
export function drawFills(pane: Pane, fills: readonly Fill[]): void {
  const rows = new Map<string, number>();
  for (const fill of fills) {
    const bar = pane.bars[fill.bar];
    if (bar === undefined || fill.bar < pane.first || fill.bar > pane.last) continue;
    const buys = fill.quantity > 0;
    const [color, away] = buys ? [BUY, 1] : [SELL, -1];
    const [x, at] = [pane.x(fill.bar), pane.y(fill.price)];
    pane.stroke([{ x: x - Math.max(pane.step, 5), y: at }, { x: x + Math.max(pane.step, 5) / 2, y: at }], color, 2);
    const key = `${fill.bar} ${buys}`;
    const row = rows.get(key) ?? 0;
    const tip = pane.y(buys ? bar[3] : bar[2]) + away * (9 + row);
    pane.surface(sign(buys ? 'arrowup' : 'arrowdown', x, tip, 5), color);
    const words = pane.step >= WIDE;
    if (words) pane.words(x, tip + away * 14, `${fill.signal} ${amount(fill.quantity)}`.trim(), color, { size: 10 });
    rows.set(key, row + (words ? 2 : 1) * ROW);
  }
}

const amount = (value: number): string => `${value > 0 ? '+' : ''}${Number(value.toPrecision(12))}`;
