// `_chartWidget`: the widget behind a chart, the same object as in the collection's `getAll()`.
import { faults, instrument } from '../faults';
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

const STATUS_LOADING = 2;
const STATUS_READY = 3;

function makeChartWidget(chart: Chart) {
  const bars = barsApi(chart);
  const mainSeries = instrument('mainSeries', {
    bars: () => bars,
    symbol: () => chart.symbol.value(),
    interval: () => chart.resolution.value(),
    symbolInfo: () => symbolInfo(chart),
    isLoading: () => chart.loading.value(),
    status: () => (chart.ahead.value() ? STATUS_LOADING : STATUS_READY),
    requestMoreData: () => void chart.loadOlder(),
    requestMoreDataAvailable: () => chart.hasOlder,
  });
  const timeScale = instrument('timeScale', {
    zoomToBarsRange: (first: number, last: number) => chart.view?.showBars(first, last),
  });
  const strategies = () => chart.studies.value().filter((study) => study.isStrategy).map((study) => dataSourceApi(chart, study));
  const studies = instrument('chartModel', {
    dataSources: () => {
      const listed = chart.studies.value().filter((study) => !study.isStrategy || faults.reportPlace !== 'active');
      return listed.map((study) => dataSourceApi(chart, study));
    },
    activeStrategySource: () => (faults.reportPlace === 'active' ? { value: () => strategies().at(-1) ?? null } : null),
    strategySources: () => (faults.reportPlace === 'active' ? strategies() : []),
  });
  const model = { mainSeries: () => mainSeries, timeScale: () => timeScale, model: () => studies };
  // The element is not enumerable, so that the widget can still be serialised.
  return Object.defineProperty({ model: () => model }, '_mainDiv', { get: () => chart.view?.element ?? null }) as {
    model: () => typeof model;
    readonly _mainDiv: HTMLElement | null;
  };
}

/** The properties of the symbol under TradingView's names; null until the chart has loaded it. A tick is `minmov / pricescale`. */
function symbolInfo(chart: Chart) {
  const info = chart.info.value();
  if (info === null) return null;
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
    ...info.first_bars,
  };
}
