// Bar replay: the active chart ends at a moment of the past and goes on bar by bar; trades on it are only practice.
import { Watched } from '../watched';
import type { Chart } from './chart';
import type { Workspace } from './workspace';

/** The pauses between two bars that TradingView keeps, in milliseconds; any other one breaks replay on all of a user's devices. */
export const DELAYS: readonly number[] = [100, 143, 200, 300, 1000, 2000, 3000, 5000, 10000];

const STEP_MS = 30;

export class Replay {
  readonly toolbar = new Watched(false);
  readonly started = new Watched(false);
  readonly autoplay = new Watched(false);
  readonly delay = new Watched(1000);
  /** The moment at which the bars end, in milliseconds. */
  readonly date = new Watched<number | null>(null);
  readonly position = new Watched(0);
  readonly realized = new Watched(0);
  /** Whether something was done that TradingView's account would not recover from. */
  readonly corrupted = new Watched(false);
  private chart: Chart | null = null;
  private average = 0;
  private timer = 0;

  constructor(private readonly workspace: Workspace) {}

  available(): boolean {
    return this.workspace.active.value().bars.value().length > 1;
  }

  /** Begin at the last bar that opens at or before a moment in milliseconds; nothing happens where there is none. */
  async select(ms: number): Promise<void> {
    const chart = this.workspace.active.value();
    const bar = chart.every().filter((one) => one[0] * 1000 <= ms).at(-1);
    await Promise.resolve();
    if (bar !== undefined) this.begin(chart, bar[0]);
  }

  selectFirst(): void {
    const chart = this.workspace.active.value();
    const bar = chart.every()[1];
    if (bar !== undefined) this.begin(chart, bar[0]);
  }

  step(): void {
    if (this.started.value()) setTimeout(() => this.forward(), STEP_MS);
  }

  toggleAutoplay(): void {
    if (!this.started.value()) return;
    this.autoplay.setValue(!this.autoplay.value());
    this.schedule();
  }

  changeDelay(ms: number): void {
    if (!DELAYS.includes(ms)) this.corrupted.setValue(true);
    this.delay.setValue(ms);
    this.schedule();
  }

  /** To the newest bar; replay goes on from there. */
  goToRealtime(): void {
    const bar = this.chart?.every().at(-1);
    if (bar !== undefined) this.show(bar[0]);
  }

  stop(): void {
    clearInterval(this.timer);
    this.autoplay.setValue(false);
    this.started.setValue(false);
    this.toolbar.setValue(false);
    this.date.setValue(null);
    this.position.setValue(0);
    this.realized.setValue(0);
    this.chart?.replayUntil(null);
    this.chart = null;
  }

  /** Trade one contract at the last close; `by` is 1 to buy and -1 to sell. */
  trade(by: 1 | -1): void {
    const price = this.price();
    if (!this.started.value() || price === null) return;
    const before = this.position.value();
    if (before * by < 0) this.realized.setValue(this.realized.value() + (price - this.average) * -by);
    else this.average = (this.average * Math.abs(before) + price) / (Math.abs(before) + 1);
    this.position.setValue(before + by);
  }

  closePosition(): void {
    while (this.position.value() !== 0) this.trade(this.position.value() > 0 ? -1 : 1);
  }

  private begin(chart: Chart, time: number): void {
    if (this.chart !== null && this.chart !== chart) this.chart.replayUntil(null);
    this.chart = chart;
    this.toolbar.setValue(true);
    this.started.setValue(true);
    this.show(time);
  }

  private show(time: number): void {
    this.chart?.replayUntil(time);
    this.date.setValue(time * 1000);
  }

  private forward(): void {
    const now = this.date.value();
    const next = this.chart?.every().find((bar) => now !== null && bar[0] * 1000 > now);
    if (next !== undefined) this.show(next[0]);
    else if (this.autoplay.value()) this.toggleAutoplay();
  }

  private schedule(): void {
    clearInterval(this.timer);
    if (this.autoplay.value()) this.timer = window.setInterval(() => this.forward(), this.delay.value());
  }

  private price(): number | null {
    return this.chart?.bars.value().at(-1)?.[4] ?? null;
  }
}
