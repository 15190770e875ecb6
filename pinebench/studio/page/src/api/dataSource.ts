// A study as the chart's model holds it: `model().model().dataSources()`.
import { faults, instrument } from '../faults';
import type { Chart } from '../model/chart';
import { conditionLines } from '../model/conditions';
import { logsOf } from '../model/logs';
import { NO_VALUE, plainText } from '../model/formats';
import { isShownAt, valueText } from '../model/plots';
import type { Study, StudyState } from '../model/study';
import type { MetaInfo, Output } from '../server';
import { graphicsOf } from './graphics';
import { isDestroyed } from './metaInputs';
import { strategyApi } from './strategy';

const sources = new WeakMap<Study, { isStrategy: boolean; source: ReturnType<typeof makeSource> }>();
const descriptions = new WeakMap<Study, { of: MetaInfo; shown: ReturnType<typeof makeDescription> }>();

/** One object for each study: clients compare these objects to see whether a study is still the same. */
export function dataSourceApi(chart: Chart, study: Study) {
  const known = sources.get(study);
  if (known?.isStrategy === study.isStrategy) return known.source;
  const source = makeSource(chart, study);
  sources.set(study, { isStrategy: study.isStrategy, source });
  return source;
}

/** One object for each compilation of the study. Its plots are known after its first run. */
function describe(study: Study) {
  const known = descriptions.get(study);
  if (known?.of === study.meta) return known.shown;
  const shown = makeDescription(study);
  descriptions.set(study, { of: study.meta, shown });
  return shown;
}

function makeDescription(study: Study) {
  return {
    ...study.meta,
    description: study.name,
    shortDescription: study.shortName,
    id: metaId(study),
    get plots() {
      const plots = study.plots().map(({ kind }, i) => ({ id: `plot_${i}`, type: PLOT_TYPES[kind] ?? 'line' }));
      const conditions = conditionLines(study.source).map((_, i) => ({ id: `plot_${plots.length + i}`, type: 'alertcondition' }));
      return [...plots, ...conditions];
    },
    get styles() {
      return Object.fromEntries(study.plots().map(({ title, output: { settings } }, i) => [`plot_${i}`, styleOf(title, settings)]));
    },
  };
}

/** TradingView's words for kinds of plots. */
const PLOT_TYPES: Record<string, string> = {
  plotshape: 'shapes',
  plotchar: 'chars',
  plotarrow: 'arrows',
  plotcandle: 'ohlc',
  plotbar: 'ohlc',
};

const styleOf = (title: string, settings: Output['settings']) => ({
  title,
  text: settings['text'] ?? settings['char'] ?? null,
  location: settings['location'] ?? null,
  plottype: settings['style'] ?? null,
});

function makeSource(chart: Chart, study: Study) {
  const source = instrument('dataSource', {
    id: () => study.id,
    name: () => study.name,
    title: () => [study.shortName, study.argumentText].filter((part) => part !== '').join(' '),
    metaInfo: () => describe(study),
    isVisible: () => study.visible.value(),
    properties: () => ({ visible: { value: () => study.visible.value(), setValue: (on: boolean) => study.visible.setValue(on) } }),
    dataWindowView: () => ({ items: () => items(chart, study) }),
    data: () => columns(chart, study),
    isLoading: () => study.state.value().kind === 'running' && !(study.isStrategy && faults.oldReport !== 0),
    isFailed: () => study.state.value().kind === 'failed',
    status: () => statusOf(study.state.value()),
    logs: () => logsOf(study).map(({ level, message, time, bar, line }) => ({ level, message, time, bar, line })),
    ...(study.isStrategy ? strategyApi(study) : {}),
  });
  const hidden = {
    _graphics: { get: () => graphicsOf(study, chart.bars.value()) },
    _lastBarValues: { get: () => lastValues(study) },
  };
  return Object.defineProperties(source, hidden) as typeof source & {
    readonly _graphics: ReturnType<typeof graphicsOf>;
    readonly _lastBarValues: ReturnType<typeof lastValues>;
  };
}

/** The state of a run as TradingView's studies tell it: computing, computed, or stopped by an error. */
function statusOf(state: StudyState) {
  if (state.kind !== 'failed') return { type: state.kind === 'running' ? 1 : 2 };
  const error = state.line === null ? state.problem : `Line ${state.line}: ${state.problem}`;
  return { type: 3, errorDescription: { title: 'Runtime error', error } };
}

/** The values of the plots at the last bar, by title. */
function lastValues(study: Study): Record<string, number> {
  const shown = study.visible.value() ? study.plots() : [];
  const last = shown.map(({ title, values }) => [title, values.at(-1)] as const);
  return Object.fromEntries(last.filter((pair): pair is readonly [string, number] => typeof pair[1] === 'number' && Number.isFinite(pair[1])));
}

/** The plots by bar: `[time, value, value …]` in the order of `metaInfo().plots`. */
function columns(chart: Chart, study: Study) {
  const [plots, bars] = [study.plots(), chart.bars.value()];
  const size = study.fresh() === null || isDestroyed(study) ? 0 : bars.length;
  return {
    size: () => size,
    firstIndex: () => (size > 0 ? 0 : null),
    lastIndex: () => (size > 0 ? size - 1 : null),
    valueAt: (index: number) => {
      const bar = index < size ? bars[index] : undefined;
      return bar === undefined ? null : [bar[0], ...plots.map(({ values }) => values[index] ?? null)];
    },
  };
}

/**
 * The rows of the data window on the bar under the pointer, else on the last bar. They have no values if the last run does not belong to what the chart
 * shows.
 */
function items(chart: Chart, study: Study) {
  const isBlank = isDestroyed(study) || (faults.crosshairValues && study.ownPane);
  const result = study.visible.value() && !isBlank ? study.fresh() : null;
  const decimals = chart.info.value()?.decimals ?? 2;
  const at = chart.pointed.value() ?? -1;
  return study.plotted
    .filter(({ output }) => isShownAt(output, 'dataWindow'))
    .map(({ title, values, output }) => ({ _title: title, _value: result === null ? NO_VALUE : plainText(valueText(values.at(at), result.declared, decimals, output)) }));
}

function metaId(study: Study): string {
  if (study.isBuiltIn) return `${study.shortName}@tv-basicstudies`;
  const kind = study.meta.isTVScriptStrategy ? 'StrategyScript' : 'Script';
  return `${kind}$${study.scriptKey ?? study.id}@tv-scripts`;
}
