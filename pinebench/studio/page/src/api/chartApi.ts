// The chart object of `_activeChartWidgetWV.value()`.
import { faults, instrument } from '../faults';
import { StudyLimitReached, type Chart, type TimeRange } from '../model/chart';
import type { Study } from '../model/study';
import type { Workspace } from '../model/workspace';
import { chartWidget } from './chartWidget';
import { createShape, shapeApi } from './shapeApi';
import { studyApi } from './studyApi';

export type ChartApi = ReturnType<typeof makeChartApi>;

type GivenPoint = Parameters<typeof createShape>[1][number];
type ShapeOptions = Parameters<typeof createShape>[2];
type Callback = (() => void) | { callback?: () => void; dataReady?: () => void } | undefined;

const apis = new WeakMap<Chart, ChartApi>();

/** The one API object of a chart. */
export function chartApi(workspace: Workspace, chart: Chart): ChartApi {
  const known = apis.get(chart);
  if (known !== undefined) return known;
  const made = makeChartApi(workspace, chart);
  apis.set(chart, made);
  return made;
}

function makeChartApi(workspace: Workspace, chart: Chart) {
  const methods = instrument('chart', {
    symbol: () => chart.symbol.value(),
    resolution: () => chart.resolution.value(),
    chartType: () => chart.type.value(),
    symbolExt: () => symbolExt(chart),
    setSymbol: (symbol: string, done?: Callback) => afterwards(chart.setSymbol(symbol), done),
    setResolution: (resolution: string, done?: Callback) => afterwards(chart.setResolution(resolution), done),
    setChartType: (type: number) => chart.setType(type),
    dataReady: (done?: () => void) => {
      if (chart.loading.value()) return false;
      done?.();
      return true;
    },
    getAllStudies: () => chart.studies.value().map(({ id, name }) => ({ id, name })),
    getStudyById: (id: string) => {
      const study = chart.studies.value().find((known) => known.id === id);
      return study === undefined ? null : studyApi(chart, study);
    },
    createStudy: (name: string, _overlay?: boolean, _lock?: boolean, inputs?: unknown) =>
      createStudy(workspace, chart, name, inputs),
    removeEntity: (id: string) => void chart.remove(id),
    removeAllStudies: () => chart.removeStudies(),
    createShape: (point: GivenPoint, options?: ShapeOptions) => createShape(chart, [point], options),
    createMultipointShape: (points: readonly GivenPoint[], options?: ShapeOptions) => createShape(chart, points, options),
    getAllShapes: () => chart.drawings().map(({ id, name }) => ({ id, name })),
    getShapeById: (id: string) => {
      const shape = chart.drawings().find((known) => known.id === id);
      if (shape === undefined) throw new Error(`there is no drawing "${id}"`);
      return shapeApi(shape);
    },
    removeAllShapes: () => chart.removeDrawings(true),
    getVisibleRange: () => chart.view?.visibleRange() ?? null,
    getVisibleBarsRange: () => chart.view?.visibleBars() ?? null,
    setVisibleRange: async (range: TimeRange) => {
      if (faults.noVisibleRange) throw new Error('Not implemented');
      await chart.loadBackTo(range.from);
      showTimes(chart, range);
    },
    exportData: (options?: { includedStudies?: string }) =>
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- TradingView's page rejects with a text
      faults.noExport ? Promise.reject('Data export is not supported') : Promise.resolve(exportData(chart, options)),
  });
  return Object.defineProperty(methods, '_chartWidget', { value: chartWidget(chart), enumerable: false }) as typeof methods & {
    _chartWidget: ReturnType<typeof chartWidget>;
  };
}

function afterwards(change: Promise<void>, done: Callback): void {
  const call = typeof done === 'function' ? done : (done?.callback ?? done?.dataReady);
  change.then(call, (error: unknown) => console.error(error));
}

function symbolExt(chart: Chart) {
  const info = chart.info.value();
  const [exchange = '', ticker = chart.symbol.value()] = chart.symbol.value().split(':');
  return {
    symbol: info?.symbol ?? ticker,
    full_name: chart.symbol.value(),
    pro_name: chart.symbol.value(),
    exchange: info?.exchange ?? exchange,
    description: info?.description ?? '',
    type: info?.type ?? '',
    typespecs: [],
    currency_code: info?.currency ?? '',
  };
}

/** An input is set by its position or by its name. A list of `{id, value}` is ignored, as on TradingView's page. */
async function createStudy(workspace: Workspace, chart: Chart, name: string, inputs: unknown): Promise<string> {
  if (faults.refusedStudies) throw new Error(`unexpected study id:${name}`);
  try {
    return (await chart.addIndicator(name, givenInputs(inputs))).id;
  } catch (error) {
    if (error instanceof StudyLimitReached) workspace.dialog.setValue({ kind: 'studyLimit', text: error.message });
    throw error;
  }
}

function givenInputs(inputs: unknown): Record<string, unknown> {
  if (Array.isArray(inputs)) {
    const plain = inputs.every((value) => typeof value !== 'object');
    return plain ? Object.fromEntries(inputs.map((value, i) => [`in_${i}`, value as unknown])) : {};
  }
  return typeof inputs === 'object' && inputs !== null ? (inputs as Record<string, unknown>) : {};
}

function showTimes(chart: Chart, { from, to }: TimeRange): void {
  const bars = chart.bars.value();
  const first = bars.findIndex((bar) => bar[0] >= from);
  const after = bars.findIndex((bar) => bar[0] > to);
  if (first >= 0) chart.view?.showBars(first, (after < 0 ? bars.length : after) - 1);
}

function exportData(chart: Chart, options: { includedStudies?: string } = {}) {
  const bars = chart.bars.value();
  const plots =
    options.includedStudies === 'none'
      ? []
      : chart.studies.value().flatMap((study: Study) => study.plots().map((plot) => ({ study, plot })));
  return {
    schema: [
      ...['time', 'open', 'high', 'low', 'close', 'volume'].map((name) => ({ type: name === 'time' ? 'time' : 'value', plotTitle: name })),
      ...plots.map(({ study, plot }) => ({ type: 'value', sourceType: 'study', sourceId: study.id, plotTitle: plot.title })),
    ],
    data: bars.map((bar, i) => [...bar, ...plots.map(({ plot }) => plot.values[i] ?? null)]),
  };
}
