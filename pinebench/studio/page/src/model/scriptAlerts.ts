// What scripts say with alert() and alertcondition(): a list over all bars that they ran on, and toasts while a replay goes on.
import type { Chart } from './chart';
import type { Study } from './study';
import type { Workspace } from './workspace';

export interface ScriptAlert {
  study: Study;
  message: string;
  /** When its bar opened, in milliseconds. */
  time: number;
}

/** A run that takes more than this number of milliseconds is mentioned to the person. */
const LONG_MS = 3000;

/** The alerts of all scripts on a chart, newest first. */
export function alertsOf(studies: readonly Study[]): ScriptAlert[] {
  const all = studies.flatMap((study) => (study.result.value()?.alerts ?? []).map(({ time, message }) => ({ study, time, message })));
  return all.sort((one, other) => other.time - one.time);
}

/** From now on show alerts that fire during a replay, and scripts that take long. */
export function tellOfScripts(workspace: Workspace): void {
  const followed = new Map<Study, () => void>();
  const follow = () => {
    const now = workspace.charts.value().flatMap((chart) => chart.studies.value().map((study) => [study, chart] as const));
    const studies = new Set(now.map(([study]) => study));
    for (const [study, forget] of followed) {
      if (studies.has(study)) continue;
      forget();
      followed.delete(study);
    }
    for (const [study, chart] of now) {
      if (!followed.has(study)) followed.set(study, tellOf(workspace, chart, study));
    }
  };
  let forgets: (() => void)[] = [];
  const charts = () => {
    forgets.forEach((forget) => forget());
    forgets = workspace.charts.value().map((chart) => chart.studies.subscribe(follow));
    follow();
  };
  workspace.charts.subscribe(charts);
  charts();
}

function tellOf(workspace: Workspace, chart: Chart, study: Study): () => void {
  const forgets = [tellAlerts(workspace, chart, study), tellOfLongRuns(workspace, study)];
  return () => forgets.forEach((forget) => forget());
}

/** Show a toast for each alert on a bar that the replay adds. Alerts from before its start are only in the list. */
function tellAlerts({ notices, replay }: Workspace, chart: Chart, study: Study): () => void {
  let told: number | null = null;
  return study.result.subscribe((result) => {
    const last = result?.times.at(-1);
    if (result === null || last === undefined) return;
    const newest = last * 1000;
    if (!replay.started.value() || told === null || newest < told) {
      told = replay.started.value() ? newest : null;
      return;
    }
    const since = told;
    told = newest;
    for (const { time, message } of result.alerts.filter((alert) => alert.time > since && alert.time <= newest)) {
      const moment = new Date(time).toISOString().slice(0, 16).replace('T', ' ');
      const show = { label: 'Show', run: () => void chart.goTo(time / 1000) };
      notices.show({ title: `Alert of ${study.shortName}, ${moment}`, text: message, action: show });
    }
  });
}

/** Show a toast while a run takes long, with a button that ends the run. */
function tellOfLongRuns({ notices }: Workspace, study: Study): () => void {
  let timer = 0;
  let drop = () => {};
  const follow = () => {
    clearTimeout(timer);
    drop();
    if (study.state.value().kind !== 'running') return;
    timer = window.setTimeout(() => {
      const stop = { label: 'Stop', run: () => study.stop() };
      drop = notices.show({ title: `${study.shortName} is still running`, text: 'It has taken more than 3 seconds.', action: stop }, Infinity);
    }, LONG_MS);
  };
  const forget = study.state.subscribe(follow);
  follow();
  return () => {
    forget();
    clearTimeout(timer);
    drop();
  };
}
