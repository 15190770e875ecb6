// A study as the chart's model holds it: `model().model().dataSources()`.
import { instrument } from '../faults';
import type { Chart } from '../model/chart';
import type { Study } from '../model/study';

export function dataSourceApi(chart: Chart, study: Study) {
  return instrument('dataSource', {
    id: () => study.id,
    name: () => study.name,
    title: () => [study.shortName, study.argumentText].filter((part) => part !== '').join(' '),
    metaInfo: () => ({
      ...study.meta,
      description: study.name,
      shortDescription: study.shortName,
      id: metaId(study),
    }),
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
