// Charts of one layout that follow each other: the crosshair, the symbol, the interval.
import { Watched } from '../watched';
import type { Chart } from './chart';
import type { Workspace } from './workspace';

export class Sync {
  readonly crosshair = new Watched(true);
  readonly symbol = new Watched(false);
  readonly interval = new Watched(false);
  private forget: (() => void)[] = [];
  /** The chart under the pointer that the crosshairs of the others follow. */
  private leader: Chart | null = null;

  constructor(private readonly workspace: Workspace) {
    const follow = () => {
      for (const forget of this.forget) forget();
      this.forget = workspace.charts.value().flatMap((chart) => [
        chart.pointed.subscribe((index) => this.point(chart, index)),
        chart.symbol.subscribe((symbol) => {
          if (this.symbol.value()) this.others(chart, (other) => other.symbol.value() !== symbol && void other.setSymbol(symbol));
        }),
        chart.resolution.subscribe((resolution) => {
          if (this.interval.value()) this.others(chart, (other) => other.resolution.value() !== resolution && void other.setResolution(resolution));
        }),
      ]);
    };
    workspace.charts.subscribe(follow);
    follow();
  }

  /** Show the pointer's time on the other charts, and ignore the events that they then send. */
  private point(chart: Chart, index: number | null): void {
    // When the pointer has left the chart, it is not above it any more.
    const leads = chart.view?.element.matches(':hover') === true || (index === null && chart === this.leader);
    if (!this.crosshair.value() || !leads) return;
    this.leader = index === null ? null : chart;
    const time = index === null ? null : (chart.bars.value()[index]?.[0] ?? null);
    for (const other of this.workspace.charts.value()) if (other !== chart) other.view?.point(time);
  }

  /** Only a person's action on one chart moves the others: the active chart, or the chart under the pointer. */
  private others(chart: Chart, act: (other: Chart) => unknown): void {
    const leads = chart === this.workspace.active.value() || chart.view?.element.matches(':hover') === true;
    if (!leads) return;
    for (const other of this.workspace.charts.value()) if (other !== chart) act(other);
  }
}
