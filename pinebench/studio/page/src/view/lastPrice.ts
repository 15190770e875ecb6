// The label of the last price on the scale of the prices.
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts';

interface Label {
  y: number;
  text: string;
  color: string;
}

export class LastPrice implements ISeriesPrimitive {
  private readonly views: readonly ISeriesPrimitiveAxisView[];

  /** `label` returns the text to show; null if there is none. */
  constructor(label: () => Label | null) {
    this.views = [
      {
        coordinate: () => label()?.y ?? -100,
        text: () => label()?.text ?? '',
        textColor: () => '#ffffff',
        backColor: () => label()?.color ?? '#00000000',
        visible: () => label() !== null,
        tickVisible: () => false,
      },
    ];
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.views;
  }
}
