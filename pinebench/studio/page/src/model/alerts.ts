// Alerts: kept by the alert service, shown in their panel, and told when bars that come let them fire.
import { server, type Alert } from '../server';
import { Watched } from '../watched';
import type { Chart } from './chart';
import { conditionText, firesOn, isOnce, studiesOf } from './conditions';
import type { Study } from './study';
import type { Workspace } from './workspace';

/** The event on `window` after a request has changed the alerts without the page. */
export const ALERTS_CHANGED = 'pinebench-alerts-changed';

/** An alert that fired, and the moment at which its bar opened, in seconds. */
export interface Fired {
  alert: Alert;
  time: number;
}

/** The alert that a person describes in the dialog. */
export interface Wanted {
  condition: Omit<Alert['condition'], 'resolution'>;
  once: boolean;
  message: string;
}

/** The number of fired alerts in the list. */
const MOST_FIRED = 100;

export class Alerts {
  readonly all = new Watched<readonly Alert[]>([]);
  /** The alerts that fired since the page was opened, the newest first. */
  readonly fired = new Watched<readonly Fired[]>([]);
  /** The time of the last bar that was checked in this replay, in seconds, for each alert. */
  private readonly seen = new Map<number, number>();
  private since: number | null = null;
  private busy = false;

  constructor(private readonly workspace: Workspace) {
    const look = () => void this.look().catch(workspace.pine.complain);
    window.addEventListener(ALERTS_CHANGED, () => void this.refresh().catch(workspace.pine.complain));
    workspace.replay.date.subscribe(look);
    this.followStudies(look);
  }

  async refresh(): Promise<void> {
    const now = await server.alerts();
    const known = new Set(this.all.value().map(({ alert_id }) => alert_id));
    const last = this.workspace.active.value().bars.value().at(-1)?.[0];
    // An alert that is made during a replay does not fire on the bars before it.
    for (const { alert_id } of now) if (!known.has(alert_id) && last !== undefined && this.since !== null) this.seen.set(alert_id, last);
    this.all.setValue(now);
  }

  /** Create an alert on the active chart. If `old` is given, delete it when the new alert exists. */
  async create({ condition, once, message }: Wanted, old?: Alert): Promise<void> {
    const chart = this.workspace.active.value();
    const resolution = old?.resolution ?? chart.resolution.value();
    const symbol = old?.symbol ?? `=${JSON.stringify({ symbol: chart.symbol.value() })}`;
    await server.createAlert({ conditions: [{ ...condition, resolution }], symbol, resolution, message, auto_deactivate: once });
    if (old !== undefined) await server.deleteAlerts([old.alert_id]);
    await this.refresh();
  }

  /** Move a price level of an alert to another price. Undo moves it back. */
  async moveLevel(alert: Alert, from: number, to: number): Promise<void> {
    let now = alert;
    let last: Promise<unknown> = Promise.resolve();
    const attempt = async (before: number, after: number): Promise<boolean> => {
      try {
        now = await this.withLevel(now, before, after);
        return true;
      } catch (error) {
        this.all.setValue([...this.all.value()]); // the line goes back to where the alert is
        const text = error instanceof Error ? error.message : String(error);
        this.workspace.notices.show({ title: 'The alert was not moved', text });
        return false;
      }
    };
    // One after another: each move makes another alert, which the next one needs.
    const move = (before: number, after: number): Promise<boolean> => {
      const next = last.then(() => attempt(before, after));
      last = next;
      return next;
    };
    if (await move(from, to)) this.workspace.history.add({ undo: () => void move(to, from), redo: () => void move(from, to) });
  }

  /** Replace an alert by the same alert with another level. The new one is made before the old one is deleted. */
  private async withLevel(alert: Alert, from: number, to: number): Promise<Alert> {
    const isThere = (await server.alerts()).some(({ alert_id }) => alert_id === alert.alert_id);
    if (!isThere) throw new Error('The alert was changed or deleted meanwhile.');
    const series = alert.condition.series.map((one) => (one.value === from ? { ...one, value: to } : one));
    const made = await server.createAlert({ ...alert, conditions: [{ ...alert.condition, series, resolution: alert.resolution }] });
    await server.deleteAlerts([alert.alert_id]);
    await this.refresh();
    return made;
  }

  async remove(...ids: readonly number[]): Promise<void> {
    await server.deleteAlerts(ids);
    await this.refresh();
  }

  /** Whether an alert is on the symbol and the interval of a chart. */
  isOn(alert: Alert, chart: Chart): boolean {
    return symbolOf(alert) === chart.symbol.value() && alert.resolution === chart.resolution.value();
  }

  /** Check the alerts again when a study of the active chart has a new result. */
  private followStudies(look: () => void): void {
    const followed = new Map<Study, () => void>();
    let forget = () => {};
    const studies = () => {
      const now = this.workspace.active.value().studies.value();
      for (const [study, stop] of followed) {
        if (now.includes(study)) continue;
        stop();
        followed.delete(study);
      }
      for (const study of now) if (!followed.has(study)) followed.set(study, study.result.subscribe(look));
    };
    const chart = () => {
      forget();
      forget = this.workspace.active.value().studies.subscribe(studies);
      studies();
    };
    this.workspace.active.subscribe(chart);
    chart();
  }

  /** Fire the alerts whose condition is true on bars that are new in this replay. Each bar is checked once. */
  private async look(): Promise<void> {
    const chart = this.workspace.active.value();
    const bars = chart.bars.value();
    const last = bars.at(-1)?.[0];
    if (this.workspace.replay.date.value() === null || last === undefined) {
      this.since = null;
      this.seen.clear();
      return;
    }
    if (this.since === null || last < this.since) {
      this.since = last;
      this.seen.clear();
    }
    if (this.busy) return;
    const found = this.all.value().filter((alert) => alert.active && this.isOn(alert, chart)).flatMap((alert) => this.newFires(alert, chart, last));
    if (found.length > 0) await this.fire(found);
  }

  /** The unchecked bars on which an alert fires; none while its studies still run. */
  private newFires(alert: Alert, chart: Chart, last: number): Fired[] {
    if (studiesOf(alert, chart).some((study) => study.fresh()?.times.at(-1) !== last)) return [];
    const seen = this.seen.get(alert.alert_id) ?? this.since ?? last;
    this.seen.set(alert.alert_id, last);
    const bars = chart.bars.value();
    const first = bars.findIndex((bar) => bar[0] > seen);
    const found = first < 0 ? [] : firesOn(alert, chart, first).map((index) => ({ alert, time: bars[index]?.[0] ?? last }));
    return isOnce(alert) ? found.slice(0, 1) : found;
  }

  private async fire(found: readonly Fired[]): Promise<void> {
    const { pine, notices } = this.workspace;
    this.fired.setValue([...[...found].reverse(), ...this.fired.value()].slice(0, MOST_FIRED));
    for (const [alert, times] of byAlert(found)) {
      const time = times.at(-1) ?? 0;
      const text = textOf(alert);
      pine.say('info', `Alert: ${text}`);
      const moment = new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ');
      const often = times.length > 1 ? `, ${times.length} times` : '';
      const chart = this.workspace.active.value();
      notices.show({ title: `Alert on ${symbolOf(alert)}, ${moment}${often}`, text, action: { label: 'Show', run: () => void chart.goTo(time) } });
    }
    this.busy = true;
    try {
      for (const [alert, times] of byAlert(found)) await server.firedAlerts([alert.alert_id], times.at(-1) ?? 0);
      await this.refresh();
    } finally {
      this.busy = false;
    }
    await this.look();
  }
}

function byAlert(found: readonly Fired[]): Map<Alert, number[]> {
  const times = new Map<Alert, number[]>();
  for (const { alert, time } of found) times.set(alert, [...(times.get(alert) ?? []), time]);
  return times;
}

/** The message of an alert, or its condition if it has no message. */
export const textOf = (alert: Alert): string => (alert.message === '' ? `${symbolOf(alert)} ${conditionText(alert)}` : alert.message);

/** `NASDAQ:AAPL` for the symbol of an alert, which may be wrapped in JSON. */
export function symbolOf(alert: Alert): string {
  if (!alert.symbol.startsWith('=')) return alert.symbol;
  try {
    const { symbol } = JSON.parse(alert.symbol.slice(1)) as { symbol?: unknown };
    return typeof symbol === 'string' ? symbol : alert.symbol;
  } catch {
    return alert.symbol;
  }
}

/** The price levels of an alert; none if its condition is a move. */
export function levelsOf({ condition }: Alert): number[] {
  if (condition.type.startsWith('moving')) return [];
  return condition.series.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
}
