// Keeps the ratio of prices to bars while it is locked: a zoom of one axis is a zoom of the other.
import type { IChartApiBase, IPriceScaleApi } from 'lightweight-charts';

/** Changes smaller than this share are the rounding of the library. */
const SAME = 1e-6;

export class PriceToBarRatio {
  private locked = false;
  /** The pixels of a bar, and the prices of the scale, at the last look. */
  private spacing = 0;
  private span = 0;

  /** `isScale` says whether a node of `element` is an axis. */
  constructor(
    private readonly chart: IChartApiBase,
    private readonly element: HTMLElement,
    private readonly isScale: (node: EventTarget | null) => boolean,
  ) {
    element.addEventListener('pointermove', this.followDrag);
  }

  dispose(): void {
    this.element.removeEventListener('pointermove', this.followDrag);
  }

  setLocked(locked: boolean): void {
    this.locked = locked;
    this.look();
  }

  /** The bars have another distance: show as many more prices. */
  follow(): void {
    if (!this.locked) return;
    const range = this.scale.getVisibleRange();
    const now = this.chart.timeScale().options().barSpacing;
    if (range === null || this.spacing === 0 || Math.abs(now / this.spacing - 1) < SAME) return;
    const [middle, half] = [(range.from + range.to) / 2, ((range.to - range.from) / 2) * (this.spacing / now)];
    this.scale.setVisibleRange({ from: middle - half, to: middle + half });
    this.look();
  }

  /** While the axis of the prices is dragged, give the bars the distance that fits. */
  private readonly followDrag = (event: PointerEvent): void => {
    if (!this.locked || event.buttons === 0 || !this.isScale(event.target)) return;
    requestAnimationFrame(() => {
      const range = this.scale.getVisibleRange();
      if (range === null || this.span === 0) return;
      const share = this.span / (range.to - range.from);
      if (Math.abs(share - 1) < SAME) return;
      const barSpacing = this.chart.timeScale().options().barSpacing * share;
      this.look(); // before the change, which calls follow
      this.spacing = barSpacing;
      this.chart.timeScale().applyOptions({ barSpacing });
    });
  };

  private look(): void {
    const range = this.scale.getVisibleRange();
    this.spacing = this.chart.timeScale().options().barSpacing;
    this.span = range === null ? 0 : range.to - range.from;
  }

  private get scale(): IPriceScaleApi {
    return this.chart.priceScale('right');
  }
}
