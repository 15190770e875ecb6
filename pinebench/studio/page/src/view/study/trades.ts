// The orders of a strategy that were filled, as arrows below and above their bars with what they are called.
import type { FilledOrder } from '../../server';
import type { Pane } from './pane';
import { sign } from './signs';

const COLORS = { buy: '#5a9cf8', sell: '#e8696f', exit: '#c77dff' };
/** With fewer pixels than this for each bar, there is no room for words. */
const ROOM = 5;
const LINE = 12;
const FONT = { size: 11 };

export function drawTrades(pane: Pane, orders: readonly FilledOrder[]): void {
  const stacked = new Map<string, number>();
  for (const order of orders) {
    const bar = pane.bars[order.b];
    if (bar === undefined || order.b < pane.first || order.b > pane.last) continue;
    const up = order.side === 'buy';
    const away = up ? 1 : -1;
    const key = `${order.b} ${order.side}`;
    const before = stacked.get(key) ?? 0;
    const x = pane.x(order.b);
    const foot = pane.y(up ? bar[3] : bar[2]) + away * (10 + before);
    const opens = order.position !== 0 && order.position > 0 === up;
    const color = opens ? COLORS[order.side] : COLORS.exit;
    pane.surface(sign(up ? 'arrowup' : 'arrowdown', x, foot, 5), color);
    // A short mark where it was filled.
    pane.stroke([{ x: x - 4, y: pane.y(order.p) }, { x: x + 4, y: pane.y(order.p) }], color, 2);
    let taken = 16;
    if (pane.step >= ROOM) {
      pane.words(x, foot + away * 13, order.c || order.id, color, FONT);
      pane.words(x, foot + away * (13 + LINE), `${up ? '+' : '−'}${amountText(order.q)}`, color, FONT);
      taken += 2 * LINE;
    }
    stacked.set(key, before + taken);
  }
}

const amountText = (value: number): string => String(Number(value.toPrecision(8)));
