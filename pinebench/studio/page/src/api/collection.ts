// `_chartWidgetCollection`: all charts of the page.
import { instrument } from '../faults';
import { ARRANGEMENTS, type Workspace } from '../model/workspace';
import { readOnly } from '../watched';
import { chartWidget } from './chartWidget';

export function collectionApi(workspace: Workspace) {
  const methods = instrument('collection', {
    getAll: () => workspace.charts.value().map(chartWidget),
    setLayout: (code: string) => {
      if (!(code in ARRANGEMENTS)) return Promise.reject(new Error(`unknown layout "${code}"`));
      workspace.arrange(code);
      return Promise.resolve();
    },
    setSymbol: (symbol: string) => void workspace.active.value().setSymbol(symbol),
    setResolution: (resolution: string) => void workspace.active.value().setResolution(resolution).catch(console.error),
    takeScreenshot: () => workspace.active.value().view?.picture().toDataURL('image/png') ?? null,
  });
  return {
    ...methods,
    _layoutType: readOnly(workspace.arrangement),
    inlineChartsCount: { value: () => workspace.charts.value().length },
    activeChartWidget: { value: () => chartWidget(workspace.active.value()) },
  };
}
