// `backtestingStrategyApi()`: the page's API for the strategy that is tested, on the builds that have it.
import { faults } from '../faults';
import type { Workspace } from '../model/workspace';
import { dataSourceApi } from './dataSource';
import { reportOf } from './strategy';

/** TradingView's numbers for the state of a back-test. */
const RUNNING = 1;
const DONE = 2;
const FAILED = 3;

export function backtestingApi(workspace: Workspace) {
  const chart = () => workspace.active.value();
  const all = () => chart().studies.value().filter((study) => study.isStrategy);
  const active = () => all().at(-1) ?? null;
  let last: object | null = null;
  const watched = <T>(value: () => T) => ({ value });
  const status = () => {
    const kind = active()?.state.value().kind;
    return { type: kind === 'done' ? DONE : kind === 'failed' ? FAILED : RUNNING };
  };
  return {
    activeStrategy: watched(() => active()?.id ?? null),
    activeStrategyMetaInfo: watched(() => {
      const study = active();
      return study === null ? null : dataSourceApi(chart(), study).metaInfo();
    }),
    activeStrategyStatus: watched(status),
    activeStrategyReportData: watched(() => {
      const study = active();
      if (study === null) return faults.keptReport ? last : null;
      return (last = reportOf(study));
    }),
    allStrategies: watched(() => all().map(({ id, name }) => ({ id, name }))),
    isStrategyEmpty: watched(() => all().length === 0),
  };
}
