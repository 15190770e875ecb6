// A study as the chart's model holds it: `model().model().dataSources()`.
import { instrument } from '../faults';
import type { Chart } from '../model/chart';
import type { Study } from '../model/study';
import type { MetaInfo } from '../server';

const sources = new WeakMap<Study, ReturnType<typeof makeSource>>();
const descriptions = new WeakMap<Study, { of: MetaInfo; shown: MetaInfo & { id: string } }>();

/** One object for each study, as clients tell by it whether a study is still the same. */
export function dataSourceApi(chart: Chart, study: Study) {
  const source = sources.get(study) ?? makeSource(chart, study);
  sources.set(study, source);
  return source;
}

/** One object for each compilation of the study. */
function describe(study: Study) {
  const known = descriptions.get(study);
  if (known?.of === study.meta) return known.shown;
  const shown = { ...study.meta, description: study.name, shortDescription: study.shortName, id: metaId(study) };
  descriptions.set(study, { of: study.meta, shown });
  return shown;
}

function makeSource(chart: Chart, study: Study) {
  return instrument('dataSource', {
    id: () => study.id,
    name: () => study.name,
    title: () => [study.shortName, study.argumentText].filter((part) => part !== '').join(' '),
    metaInfo: () => describe(study),
    isVisible: () => study.visible.value(),
    properties: () => ({ visible: { value: () => study.visible.value(), setValue: (on: boolean) => study.visible.setValue(on) } }),
    dataWindowView: () => ({
      items: () =>
        study.plots.value().map((plot) => ({
          _title: plot.title,
          _value: study.visible.value() ? valueText(plot.values[plot.values.length - 1], chart) : '∅',
        })),
    }),
  });
}

function metaId(study: Study): string {
  if (study.indicator !== null) return `${study.indicator.shortName}@tv-basicstudies`;
  const kind = study.meta.isTVScriptStrategy ? 'StrategyScript' : 'Script';
  return `${kind}$${study.scriptKey ?? study.id}@tv-scripts`;
}

function valueText(value: number | null | undefined, chart: Chart): string {
  return value === null || value === undefined ? '∅' : value.toFixed(chart.info.value()?.decimals ?? 2);
}
