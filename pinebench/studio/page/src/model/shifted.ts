// A run of a script as it is on a chart with more bars in front: everything stays at its bars.
import type { Drawing, RunResult } from '../server';

/** Properties of drawings that are bar indices if their `xloc` is `bar_index`. */
const BY_BARS = ['x', 'x1', 'x2', 'left', 'right'];

/** The run behind further bars, which open at `times` in seconds and have no values. */
export function shifted(result: RunResult, times: readonly number[]): RunResult {
  const count = times.length;
  const before = Array.from({ length: count }, () => null);
  return {
    ...result,
    times: [...times, ...result.times],
    outputs: result.outputs.map((output) => ({
      ...output,
      columns: Object.fromEntries(Object.entries(output.columns).map(([name, column]) => [name, [...before, ...column]])),
    })),
    drawings: Object.fromEntries(Object.entries(result.drawings).map(([kind, all]) => [kind, all.map((drawing) => moved(drawing, count))])),
    ...(result.tested === null || result.tested === undefined
      ? {}
      : { tested: { ...result.tested, filledOrders: result.tested.filledOrders.map((order) => ({ ...order, b: order.b + count })) } }),
  };
}

/** A drawing, and the drawings and points inside of it, `count` bars later. */
function moved(drawing: Drawing, count: number): Drawing {
  const isByBars = drawing['xloc'] === 'bar_index';
  const place = (name: string, value: unknown): unknown => {
    if (typeof value === 'number' && (name === 'index' || (isByBars && BY_BARS.includes(name)))) return value + count;
    if (Array.isArray(value)) return value.map((one) => place('', one));
    return typeof value === 'object' && value !== null ? moved(value as Drawing, count) : value;
  };
  return Object.fromEntries(Object.entries(drawing).map(([name, value]) => [name, place(name, value)]));
}
