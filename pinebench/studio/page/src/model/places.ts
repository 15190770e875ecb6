// The index of the bar at a time, and the time at an index, also between bars and beyond them.
import type { Bar } from '../server';

/**
 * The index of the bar at a time in seconds, with a fraction between two bars. Beyond the first and the last bar, bars have
 * the distance of the outermost two.
 */
export function indexAt(bars: readonly Bar[], time: number): number {
  if (bars.length < 2) return 0;
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.[0] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  const at = Math.min(Math.max(low, 1), bars.length - 1);
  const [left, right] = [bars[at - 1]?.[0] ?? 0, bars[at]?.[0] ?? 1];
  return at - 1 + (time - left) / Math.max(1, right - left);
}

/** The time in seconds at an index, the inverse of `indexAt`; NaN if there are fewer than two bars. */
export function timeAt(bars: readonly Bar[], index: number): number {
  const at = Math.min(Math.max(Math.ceil(index), 1), bars.length - 1);
  const [left, right] = [bars[at - 1]?.[0], bars[at]?.[0]];
  if (left === undefined || right === undefined) return Number.NaN;
  return Math.round(left + (index - at + 1) * (right - left));
}
