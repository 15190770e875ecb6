// `_chartWidget`: the widget behind a chart, the same object as in the collection's `getAll()`.
import { instrument } from '../faults';
import type { Chart } from '../model/chart';
import { barsApi } from './bars';
import { dataSourceApi } from './dataSource';

export type ChartWidget = ReturnType<typeof makeChartWidget>;

const widgets = new WeakMap<Chart, ChartWidget>();

export function chartWidget(chart: Chart): ChartWidget {
  const known = widgets.get(chart);
  if (known !== undefined) return known;
  const made = makeChartWidget(chart);
  widgets.set(chart, made);
  return made;
}

function makeChartWidget(chart: Chart) {
  const bars = barsApi(chart);
  const mainSeries = instrument('mainSeries', {
    bars: () => bars,
    symbol: () => chart.symbol.value(),
    interval: () => chart.resolution.value(),
    isLoading: () => chart.loading.value(),
  });
  const timeScale = instrument('timeScale', {
    zoomToBarsRange: (first: number, last: number) => chart.view?.showBars(first, last),
  });
  const studies = instrument('chartModel', {
    dataSources: () => chart.studies.value().map((study) => dataSourceApi(chart, study)),
  });
  const model = { mainSeries: () => mainSeries, timeScale: () => timeScale, model: () => studies };
  // The element is not enumerable, so that the widget can still be serialised.
  return Object.defineProperty({ model: () => model }, '_mainDiv', { get: () => chart.view?.element ?? null }) as {
    model: () => typeof model;
    readonly _mainDiv: HTMLElement | null;
  };
}
