// The label of the last price on the scale of the prices.
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts';
import { axisLabel } from './study/labels';

interface Label {
  y: number;
  text: string;
  color: string;
}

export class LastPrice implements ISeriesPrimitive {
  private readonly views: readonly ISeriesPrimitiveAxisView[];

  /** `label` returns the text to show; null if there is none. */
  constructor(private readonly label: () => Label | null) {
    const view = axisLabel(() => this.y() ?? -100, () => label()?.text ?? '', () => label()?.color ?? '#00000000');
    this.views = [{ ...view, visible: () => label() !== null }];
  }

  /** The height of the last price in pixels; null if there is none. */
  readonly y = (): number | null => this.label()?.y ?? null;

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.views;
  }
}
