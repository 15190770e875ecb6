// `_replayApi`: bar replay.
import { instrument } from '../faults';
import type { Workspace } from '../model/workspace';
import { readOnly } from '../watched';

export function replayApi(workspace: Workspace) {
  const { replay } = workspace;
  return instrument('replayApi', {
    isReplayAvailable: () => ({ value: () => replay.available() }),
    isReplayStarted: () => readOnly(replay.started),
    isAutoplayStarted: () => readOnly(replay.autoplay),
    isReplayToolbarVisible: () => readOnly(replay.toolbar),
    replayMode: () => ({ value: () => 'AllCharts' }),
    currentDate: () => readOnly(replay.date),
    autoplayDelay: () => readOnly(replay.delay),
    position: () => readOnly(replay.position),
    realizedPL: () => readOnly(replay.realized),
    showReplayToolbar: () => replay.toolbar.setValue(true),
    // On TradingView's page this is kept in the account, and no replay begins any more.
    hideReplayToolbar: () => {
      replay.corrupted.setValue(true);
      replay.toolbar.setValue(false);
    },
    selectDate: (ms: number | Date) => replay.select(Number(ms)),
    selectFirstAvailableDate: () => replay.selectFirst(),
    doStep: () => replay.step(),
    toggleAutoplay: () => replay.toggleAutoplay(),
    changeAutoplayDelay: (ms: number) => replay.changeDelay(ms),
    goToRealtime: () => replay.goToRealtime(),
    stopReplay: () => replay.stop(),
    buy: () => replay.trade(1),
    sell: () => replay.trade(-1),
    closePosition: () => replay.closePosition(),
  });
}
