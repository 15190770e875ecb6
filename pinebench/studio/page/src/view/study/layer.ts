// What a study shows in one pane, as a layer over a series of that pane: behind the prices, before them, and on the scale.
import type {
  AutoscaleInfo,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
} from 'lightweight-charts';
import type { Chart } from '../../model/chart';
import { colorAt, DISPLAY, isDisplayed, opaque, valueText } from '../../model/plots';
import type { Study } from '../../model/study';
import type { Drawing, Output, RunResult } from '../../server';
import { drawDrawings, type Drawings } from './drawings';
import { drawOutputs, valuesBetween } from './outputs';
import { Pane } from './pane';
import { drawTable } from './tables';
import { drawTrades } from './trades';

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

export class StudyLayer implements ISeriesPrimitive {
  private attachment: SeriesAttachedParameter | null = null;
  private outputs: readonly Output[] = [];
  private drawings: Drawings = {};
  private labels: readonly ISeriesPrimitiveAxisView[] = [];

  /** `onPrices` says whether this is the pane with the prices, or the study's own. */
  constructor(
    private readonly chart: Chart,
    private readonly study: Study,
    private readonly onPrices: boolean,
  ) {
    this.refresh();
  }

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
  }

  detached(): void {
    this.attachment = null;
  }

  /** Take what the study's last run left. */
  refresh(): void {
    const result = this.study.result.value();
    const shown = result !== null && result.error === null && this.study.visible.value() ? result : null;
    const overlay = !this.study.ownPane;
    const here = (forced: unknown) => (overlay || forced === true) === this.onPrices;
    this.outputs = shown?.outputs.filter(({ settings }) => here(settings['force_overlay'])) ?? [];
    this.drawings = Object.fromEntries(
      Object.entries(shown?.drawings ?? {}).map(([kind, all]) => [kind, all.filter((drawing: Drawing) => here(drawing['force_overlay']))]),
    );
    this.labels = shown === null ? [] : this.lastValues(shown);
    this.attachment?.requestUpdate();
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [
      { zOrder: () => 'bottom', renderer: () => ({ draw: (target: Target) => this.draw(target, true) }) },
      { zOrder: () => 'top', renderer: () => ({ draw: (target: Target) => this.draw(target, false) }) },
    ];
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.labels;
  }

  autoscaleInfo(first: number, last: number): AutoscaleInfo | null {
    const values = valuesBetween(this.outputs, Math.floor(first), Math.ceil(last)) ?? this.heights();
    return values === null ? null : { priceRange: { minValue: values[0], maxValue: values[1] } };
  }

  private draw(target: Target, behind: boolean): void {
    const { attachment } = this;
    const result = this.study.result.value();
    const bars = this.chart.bars.value();
    // What a run on later bars left is not to be seen in a replay that went back.
    if (attachment === null || result === null || result.times.length > bars.length) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      context.save();
      const pane = new Pane(context, width, height, bars, attachment.chart, attachment.series);
      drawOutputs(pane, this.outputs, result.outputs, behind);
      if (!behind) {
        drawDrawings(pane, this.drawings);
        if (this.onPrices && this.study.visible.value()) drawTrades(pane, result.tested?.filledOrders ?? []);
        for (const table of this.drawings['table'] ?? []) drawTable(pane, table);
      }
      context.restore();
    });
  }

  /** The prices of drawings, for a pane of the study's own that has nothing else. */
  private heights(): [number, number] | null {
    if (this.onPrices) return null;
    const found = ['line', 'label', 'box', 'polyline'].flatMap((kind) => (this.drawings[kind] ?? []).flatMap(heightsOf));
    const known = found.filter((value): value is number => typeof value === 'number');
    return known.length === 0 ? null : [Math.min(...known), Math.max(...known)];
  }

  /** The last values on the price scale, in the plots' colours. */
  private lastValues(result: RunResult): ISeriesPrimitiveAxisView[] {
    const decimals = this.chart.info.value()?.decimals ?? 2;
    return this.outputs.flatMap((output) => {
      const values = output.columns['series'] ?? [];
      const value = values.at(-1);
      const color = colorAt(output, values.length - 1);
      const offset = output.settings['offset'];
      if (output.function !== 'plot' || typeof value !== 'number' || color === null || color % 256 === 0) return [];
      if (!isDisplayed(output, DISPLAY.priceScale) || !isDisplayed(output, DISPLAY.pane) || (typeof offset === 'number' && offset !== 0)) return [];
      const text = valueText(value, result, decimals);
      return [
        {
          coordinate: () => this.attachment?.series.priceToCoordinate(value) ?? -100,
          text: () => text,
          textColor: () => (isLight(color) ? '#0f1318' : '#ffffff'),
          backColor: () => opaque(color),
          visible: () => true,
          tickVisible: () => false,
        },
      ];
    });
  }
}

function heightsOf(drawing: Drawing): unknown[] {
  const points = Array.isArray(drawing['points']) ? (drawing['points'] as Drawing[]) : [];
  return [...['y1', 'y2', 'y', 'top', 'bottom'].map((name) => drawing[name]), ...points.map((point) => point['price'])];
}

function isLight(color: number): boolean {
  const [red, green, blue] = [24, 16, 8].map((shift) => Math.floor(color / 2 ** shift) % 256);
  return 0.299 * (red ?? 0) + 0.587 * (green ?? 0) + 0.114 * (blue ?? 0) > 140;
}
