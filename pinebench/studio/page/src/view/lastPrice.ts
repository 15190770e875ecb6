// The label of the last price on the scale of the prices.
import type { ISeriesPrimitive, ISeriesPrimitiveAxisView } from 'lightweight-charts';

interface Label {
  y: number;
  text: string;
  color: string;
}

/** Whether dark letters can be read better on a colour, #RRGGBB. */
function isLight(color: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return 0.299 * (red ?? 0) + 0.587 * (green ?? 0) + 0.114 * (blue ?? 0) > 160;
}

export class LastPrice implements ISeriesPrimitive {
  private readonly views: readonly ISeriesPrimitiveAxisView[];

  /** `label` returns the text to show; null if there is none. */
  constructor(label: () => Label | null) {
    this.views = [
      {
        coordinate: () => label()?.y ?? -100,
        text: () => label()?.text ?? '',
        textColor: () => (isLight(label()?.color ?? '') ? '#0f1318' : '#ffffff'),
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
