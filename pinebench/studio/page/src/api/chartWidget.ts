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
    symbolInfo: () => symbolInfo(chart),
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

/** The properties of the symbol under TradingView's names; null until its bars are loaded. A tick is `minmov / pricescale`. */
function symbolInfo(chart: Chart) {
  const info = chart.info.value();
  if (info === null || chart.loading.value()) return null;
  return {
    name: info.symbol,
    full_name: info.full_name,
    pro_name: info.full_name,
    exchange: info.exchange,
    listed_exchange: info.exchange,
    description: info.description,
    type: info.type,
    currency_code: info.currency,
    base_currency: info.base_currency,
    timezone: info.timezone,
    session: info.session,
    pointvalue: info.pointvalue,
    minmov: Math.max(1, Math.round(info.mintick * 10 ** info.decimals)),
    pricescale: 10 ** info.decimals,
  };
}
