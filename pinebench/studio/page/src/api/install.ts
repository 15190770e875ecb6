// Puts the objects of TradingView's page on `window`; one module stands behind each of them.
import { faults, instrument } from '../faults';
import type { Workspace } from '../model/workspace';
import { server, type SavedLayout } from '../server';
import { alertService } from './alertService';
import { backtestingApi } from './backtesting';
import { bottomBarGetter } from './bottomBar';
import { chartApi } from './chartApi';
import { chartApiInstance } from './chartApiInstance';
import { collectionApi } from './collection';
import { pineEditorTestApi } from './pineEditorTestApi';
import { replayApi } from './replayApi';

export function installApi(workspace: Workspace): void {
  const active = () => chartApi(workspace, workspace.active.value());
  const backtesting = backtestingApi(workspace);
  const testApi = pineEditorTestApi(workspace);
  const api = instrument('TradingViewApi', {
    activeChart: active,
    getSavedCharts: (done: (charts: unknown[]) => void) => done(workspace.layouts.all.value().map(savedChart)),
    loadChartFromServer: (wanted: number | string | { id: number | string }) => {
      const id = String(typeof wanted === 'object' ? wanted.id : wanted);
      const layout = workspace.layouts.all.value().find((known) => String(known.id) === id || known.url === id);
      if (layout !== undefined) void workspace.layouts.open(layout);
    },
    layoutName: () => workspace.layouts.current.value().name,
    layoutId: () => workspace.layouts.current.value().url,
    getSaveChartService: () => ({
      layoutId: () => workspace.layouts.current.value().url,
      hasChanges: () => workspace.layouts.changed(),
    }),
    createNewLayout: () => workspace.layouts.create(),
    saveChartToServer: (_done: unknown, _failed: unknown, options?: { chartName?: string }) =>
      void workspace.layouts.saveUnasked(options?.chartName).catch(workspace.pine.complain),
    searchSymbols: (text: string) => server.symbols(text),
    ...(faults.noTestApi ? {} : { pineEditorTestApi: () => testApi }),
  });
  Object.assign(window, {
    TradingViewApi: {
      ...api,
      get backtestingStrategyApi() {
        return faults.reportPlace === 'api' ? () => Promise.resolve(backtesting) : undefined;
      },
      _activeChartWidgetWV: {
        value: active,
        subscribe: (listener: (chart: unknown) => void) => void workspace.active.subscribe(() => listener(active())),
      },
      _chartWidgetCollection: collectionApi(workspace),
      _replayApi: replayApi(workspace),
      _alertService: alertService(workspace),
    },
    ChartApiInstance: chartApiInstance(workspace),
    TradingView: Object.defineProperty({}, 'bottomWidgetBar', { get: bottomBarGetter(workspace), enumerable: true }),
  });
}

/** A saved layout as TradingView's page lists it. */
const savedChart = ({ id, url, name, symbol, resolution, modified }: SavedLayout) => ({ id, image_url: url, name, symbol, resolution, modified });
