// Which bars a chart shows next when its bars change: who looks at a place stays there.
import type { Bar } from '../server';

export interface Span {
  from: number;
  to: number;
}

/** The range of bars to show, by index; null if the bars were replaced and the newest ones should be shown. */
export function nextSpan(before: readonly Bar[], after: readonly Bar[], shown: Span | null): Span | null {
  const [first, last, newest] = [before[0], before.at(-1), after.at(-1)];
  if (shown === null || first === undefined || last === undefined || newest === undefined) return null;
  const added = placeOf(after, first);
  if (added >= 0 && isSame(last, newest)) return moved(shown, added);
  // A replay: bars come or go at the end.
  if (!isSame(first, after[0])) return null;
  const common = Math.min(before.length, after.length) - 1;
  if (!isSame(before[common], after[common])) return null;
  const atEnd = shown.to >= before.length - 1;
  const lost = shown.from >= after.length || shown.to < 0;
  return atEnd || lost ? moved(shown, after.length - before.length) : shown;
}

const moved = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by });

const placeOf = (bars: readonly Bar[], one: Bar): number => bars.findIndex((bar) => bar[0] === one[0]);

const isSame = (one: Bar | undefined, other: Bar | undefined): boolean => one?.join() === other?.join();
