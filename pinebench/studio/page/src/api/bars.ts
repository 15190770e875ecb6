// `mainSeries().bars()`: the bars of a chart by index, `[time, open, high, low, close, volume]`.
import { faults, instrument } from '../faults';
import type { Chart } from '../model/chart';

export function barsApi(chart: Chart) {
  let looks = 0;
  const bars = () => {
    const all = chart.bars.value();
    return faults.restlessBars && all.length > 0 ? all.slice(0, all.length - (looks++ % 7)) : all;
  };
  return instrument('bars', {
    firstIndex: () => (bars().length > 0 ? 0 : null),
    lastIndex: () => (bars().length > 0 ? bars().length - 1 : null),
    size: () => bars().length,
    isEmpty: () => bars().length === 0,
    valueAt: (index: number) => {
      const bar = chart.bars.value()[index];
      return bar === undefined ? null : [...bar];
    },
  });
}
