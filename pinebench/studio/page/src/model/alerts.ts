// Alerts: kept by the alert service, shown in their panel, and told when bars that come let them fire.
import { server, type Alert, type Bar } from '../server';
import { Watched } from '../watched';
import type { Workspace } from './workspace';

/** The event on `window` after a request has changed the alerts without the page. */
export const ALERTS_CHANGED = 'pinebench-alerts-changed';

export class Alerts {
  readonly all = new Watched<readonly Alert[]>([]);

  constructor(private readonly workspace: Workspace) {
    window.addEventListener(ALERTS_CHANGED, () => void this.refresh().catch(workspace.pine.complain));
    workspace.replay.date.subscribe(() => void this.look().catch(workspace.pine.complain));
  }

  async refresh(): Promise<void> {
    this.all.setValue(await server.alerts());
  }

  /** Add an alert on the active chart's close. */
  async create(type: string, value: number, message: string): Promise<void> {
    const chart = this.workspace.active.value();
    const resolution = chart.resolution.value();
    const series = [{ type: 'barset' }, { type: 'value', value }];
    await server.createAlert({
      conditions: [{ type, frequency: 'on_first_fire', series, resolution }],
      symbol: `=${JSON.stringify({ symbol: chart.symbol.value() })}`,
      resolution,
      message,
    });
    await this.refresh();
  }

  async remove(...ids: readonly number[]): Promise<void> {
    await server.deleteAlerts(ids);
    await this.refresh();
  }

  /** Fire the alerts whose condition is true on the newest bar of the active chart. */
  private async look(): Promise<void> {
    const chart = this.workspace.active.value();
    const [before, last] = chart.bars.value().slice(-2);
    if (before === undefined || last === undefined || this.workspace.replay.date.value() === null) return;
    const fired = this.all.value().filter((alert) => alert.active && symbolOf(alert) === chart.symbol.value() && fires(alert, before, last));
    if (fired.length === 0) return;
    await server.firedAlerts(fired.map((alert) => alert.alert_id), last[0]);
    for (const alert of fired) this.workspace.pine.say('info', `Alert: ${alert.message === '' ? symbolOf(alert) : alert.message}`);
    await this.refresh();
  }
}

/** `NASDAQ:AAPL` for the symbol of an alert, which may be inside JSON. */
export function symbolOf(alert: Alert): string {
  if (!alert.symbol.startsWith('=')) return alert.symbol;
  try {
    const { symbol } = JSON.parse(alert.symbol.slice(1)) as { symbol?: unknown };
    return typeof symbol === 'string' ? symbol : alert.symbol;
  } catch {
    return alert.symbol;
  }
}

/** The price in an alert's condition; null if it has none. */
export function valueOf(alert: Alert): number | null {
  return alert.condition.series.map((series) => series.value).find((value) => typeof value === 'number') ?? null;
}

function fires(alert: Alert, before: Bar, last: Bar): boolean {
  const value = valueOf(alert);
  if (value === null) return false;
  const up = before[4] < value && last[4] >= value;
  const down = before[4] > value && last[4] <= value;
  switch (alert.condition.type) {
    case 'cross':
      return up || down;
    case 'cross_up':
      return up;
    case 'cross_down':
      return down;
    case 'greater':
      return last[4] > value;
    case 'less':
      return last[4] < value;
    default:
      return false;
  }
}
