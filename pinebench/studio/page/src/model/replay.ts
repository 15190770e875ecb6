// Bar replay: the active chart ends at a moment of the past and goes on bar by bar; trades on it are only practice.
import { Watched } from '../watched';
import type { Chart } from './chart';
import type { Workspace } from './workspace';

/**
 * The pauses between two bars that TradingView accepts, in milliseconds. Any other value breaks the replay on all of a
 * user's devices.
 */
export const DELAYS: readonly number[] = [100, 143, 200, 300, 1000, 2000, 3000, 5000, 10000];

const STEP_MS = 30;

export class Replay {
  readonly toolbar = new Watched(false);
  readonly started = new Watched(false);
  readonly autoplay = new Watched(false);
  readonly delay = new Watched(1000);
  /** The time at which the bars end, in milliseconds. */
  readonly date = new Watched<number | null>(null);
  readonly position = new Watched(0);
  readonly realized = new Watched(0);
  /** Whether something was done that would damage a TradingView account permanently. */
  readonly corrupted = new Watched(false);
  private chart: Chart | null = null;
  /** For each symbol: the contracts held, and their mean price. */
  private readonly held = new Map<string, { position: number; average: number }>();
  private unfollow = () => {};
  private timer = 0;

  constructor(private readonly workspace: Workspace) {}

  available(): boolean {
    return this.workspace.active.value().bars.value().length > 1;
  }

  /** Begin at the last bar that opens at or before a time in milliseconds. Do nothing if there is none. */
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

  /** Go to the newest bar. The replay goes on from there. */
  goToRealtime(): void {
    const bar = this.chart?.every().at(-1);
    if (bar !== undefined) void this.show(bar[0]);
  }

  stop(): void {
    clearInterval(this.timer);
    this.autoplay.setValue(false);
    this.started.setValue(false);
    this.toolbar.setValue(false);
    this.date.setValue(null);
    this.held.clear();
    this.position.setValue(0);
    this.realized.setValue(0);
    this.unfollow();
    void this.chart?.replayUntil(null);
    this.chart = null;
  }

  /** Trade one contract at the last close; `by` is 1 for buying and -1 for selling. */
  trade(by: 1 | -1): void {
    const price = this.price();
    if (!this.started.value() || this.chart === null || price === null) return;
    const { position: before, average } = this.holding();
    const closes = before * by < 0;
    if (closes) this.realized.setValue(this.realized.value() + (price - average) * -by);
    const now = closes ? average : (average * Math.abs(before) + price) / (Math.abs(before) + 1);
    this.held.set(this.chart.symbol.value(), { position: before + by, average: now });
    this.position.setValue(before + by);
  }

  closePosition(): void {
    const { position } = this.holding();
    for (let left = Math.abs(position); left > 0; left--) this.trade(position > 0 ? -1 : 1);
  }

  /** The position in the symbol that the chart shows. */
  private holding(): { position: number; average: number } {
    return this.held.get(this.chart?.symbol.value() ?? '') ?? { position: 0, average: 0 };
  }

  private begin(chart: Chart, time: number): void {
    if (this.chart !== null && this.chart !== chart) void this.chart.replayUntil(null);
    this.chart = chart;
    this.unfollow();
    this.unfollow = chart.symbol.subscribe(() => this.position.setValue(this.holding().position));
    this.position.setValue(this.holding().position);
    this.toolbar.setValue(true);
    this.started.setValue(true);
    void this.show(time)?.then(() => chart.findEnd());
  }

  private show(time: number): Promise<void> | undefined {
    const done = this.chart?.replayUntil(time);
    this.date.setValue(time * 1000);
    return done;
  }

  private forward(): void {
    const now = this.date.value();
    const next = this.chart?.every().find((bar) => now !== null && bar[0] * 1000 > now);
    if (next !== undefined) void this.show(next[0]);
    else if (this.autoplay.value()) this.toggleAutoplay();
  }

  private schedule(): void {
    clearInterval(this.timer);
    if (this.autoplay.value()) this.timer = window.setInterval(() => this.forward(), this.delay.value());
  }

  private price(): number | null {
    if (this.chart?.loading.value()) return null;
    return this.chart?.bars.value().at(-1)?.[4] ?? null;
  }
}
