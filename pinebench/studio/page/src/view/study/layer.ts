// What a study shows in one pane, as a layer over a series of that pane: in its order, with the last values on the scale.
import type {
  AutoscaleInfo,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
} from 'lightweight-charts';
import type { Chart } from '../../model/chart';
import type { Study } from '../../model/study';
import type { Drawing, Output, RunResult } from '../../server';
import { drawDrawings, isTextCut, type Drawings } from './drawings';
import { scaleLabels, type LabelStack } from './labels';
import { MovablePicture } from './movable';
import { drawOutputs, valuesBetween } from './outputs';
import { Pane, type Tip } from './pane';
import { drawTable } from './tables';
import { drawTrades } from './trades';

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

/** The parts that are drawn together: behind the prices, in front of them, and the tables on top. */
export type Part = 'behind' | 'before' | 'tables';

const PARTS: readonly Part[] = ['behind', 'before', 'tables'];

/** One view of a pane, drawn with the series that has the primitive. */
export const view = (draw: (target: Target) => void): IPrimitivePaneView => ({ zOrder: () => 'normal', renderer: () => ({ draw }) });

/** Draws one part of several layers one after another, at the place of the series in the order of its pane. */
export class Parts implements ISeriesPrimitive {
  private readonly views: readonly IPrimitivePaneView[];

  constructor(layers: () => readonly StudyLayer[], parts: readonly Part[]) {
    this.views = parts.map((part) =>
      view((target) => {
        for (const layer of layers()) layer.draw(target, part);
      }),
    );
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views;
  }
}

export class StudyLayer implements ISeriesPrimitive {
  private attachment: SeriesAttachedParameter | null = null;
  private outputs: readonly Output[] = [];
  private drawings: Drawings = {};
  private labels: readonly ISeriesPrimitiveAxisView[] = [];
  private readonly tips = new Map<Part, readonly Tip[]>();
  private readonly pictures = { behind: new MovablePicture(), before: new MovablePicture() };
  private readonly views = PARTS.map((part) => view((target) => this.draw(target, part)));

  /**
   * `onPrices` says whether this is the prices' pane and not the study's own. In the prices' pane `Parts` draws the
   * layer, so that the candles are drawn in between. `stack` has the labels of its scale. `relative` writes a value as the scale does if it has no prices.
   */
  constructor(
    private readonly chart: Chart,
    private readonly study: Study,
    private readonly onPrices: boolean,
    readonly stack: LabelStack,
    readonly relative: (value: number) => string | null = () => null,
  ) {
    this.refresh();
  }

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
    attachment.requestUpdate();
  }

  detached(): void {
    this.attachment?.requestUpdate();
    this.attachment = null;
    this.stack.remove(this);
  }

  /** Use the result of the study's last run. */
  refresh(): void {
    const result = this.study.result.value();
    const shown = result !== null && result.error === null && this.study.visible.value() ? result : null;
    const overlay = !this.study.ownPane;
    const here = (forced: unknown) => (overlay || forced === true) === this.onPrices;
    this.outputs = shown?.outputs.filter(({ settings }) => here(settings['force_overlay'])) ?? [];
    this.drawings = Object.fromEntries(
      Object.entries(shown?.drawings ?? {}).map(([kind, all]) => [kind, all.filter((drawing: Drawing) => here(drawing['force_overlay']))]),
    );
    const isOnScale = !this.onPrices || this.study.ownScale !== 'none';
    this.labels = scaleLabels(isOnScale ? this.outputs : [], shown?.declared ?? { format: null, precision: null }, this.chart.info.value()?.decimals ?? 2, this);
    this.attachment?.requestUpdate();
  }

  /** The height of a value on the scale of the layer. */
  readonly y = (value: number): number | null => this.attachment?.series.priceToCoordinate(value) ?? null;

  paneViews(): readonly IPrimitivePaneView[] {
    return this.onPrices ? [] : this.views;
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.labels;
  }

  autoscaleInfo(first: number, last: number): AutoscaleInfo | null {
    const values = valuesBetween(this.outputs, this.chart.bars.value(), Math.floor(first), Math.ceil(last)) ?? this.heights();
    return values === null ? null : { priceRange: { minValue: values[0], maxValue: values[1] } };
  }

  draw(target: Target, part: Part): void {
    const { attachment } = this;
    const result = this.study.result.value();
    const bars = this.chart.bars.value();
    this.tips.delete(part);
    if (result === null || !this.has(part, result)) return;
    // What a run on later bars left is not to be seen in a replay that went back.
    if (attachment === null || result.times.length > bars.length) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      context.save();
      const pane = new Pane(context, width, height, bars, attachment.chart, attachment.series);
      this.tips.set(part, this.moved(pane, result, part) ?? this.drawPart(pane, result, part));
      context.restore();
    });
  }

  /** Whether there is anything to draw in a part: most layers have only one, and each picture asks for all three. */
  private has(part: Part, { declared, tested }: RunResult): boolean {
    if (part === 'tables') return (this.drawings['table'] ?? []).length > 0;
    if (part === 'behind') return !this.onPrices || declared.behind_chart !== false;
    return this.onPrices && (declared.behind_chart === false || (tested?.filledOrders.length ?? 0) > 0);
  }

  /** Draw a part with much in it as a picture that a drag moves; return its tips, or null if it must be drawn as usual. */
  private moved(pane: Pane, result: RunResult, part: Part): readonly Tip[] | null {
    if (part === 'tables' || !isMuch(pane, this.outputs, this.drawings)) return null;
    if (dependsOnView(pane, this.outputs, this.drawings)) return null;
    const content = [result, this.outputs, this.drawings, this.study.visible.value()];
    return this.pictures[part].show(pane, content, (wide) => this.drawPart(wide, result, part));
  }

  /** Draw a part, and return its tips. */
  private drawPart(pane: Pane, result: RunResult, part: Part): readonly Tip[] {
    if (part === 'tables') {
      for (const table of this.drawings['table'] ?? []) drawTable(pane, table);
      return pane.tips;
    }
    const isBehind = !this.onPrices || result.declared.behind_chart !== false;
    if (isBehind === (part === 'behind')) {
      drawOutputs(pane, this.outputs, result.outputs, result.declared.explicit_plot_zorder === true);
      drawDrawings(pane, this.drawings);
    }
    if (part === 'before' && this.onPrices && this.study.visible.value()) drawTrades(pane, result.tested?.filledOrders ?? []);
    return pane.tips;
  }

  /** The tooltip at a place of the pane; the topmost one if there are several; null if there is none. */
  tipAt(x: number, y: number): string | null {
    const tips = PARTS.flatMap((part) => this.tips.get(part) ?? []);
    const inside = ({ area }: Tip) => x >= area.left && x <= area.right && y >= area.top && y <= area.bottom;
    return tips.findLast(inside)?.text ?? null;
  }

  /** The prices of drawings, for a scale of the study's own that has no plots. */
  private heights(): [number, number] | null {
    if (this.onPrices && this.study.ownScale === null) return null;
    const found = ['line', 'label', 'box', 'polyline'].flatMap((kind) => (this.drawings[kind] ?? []).flatMap(heightsOf));
    const known = found.filter((value): value is number => typeof value === 'number');
    return known.length === 0 ? null : [Math.min(...known), Math.max(...known)];
  }
}

/** From this many values and drawings on, a picture that is moved costs less than to draw again. */
const MUCH = 2000;
/** A drawing costs about as much as this number of values. */
const DRAWING = 10;

/** Whether so much is drawn that a picture of it pays. */
function isMuch(pane: Pane, outputs: readonly Output[], drawings: Drawings): boolean {
  const drawn = Object.values(drawings).reduce((sum, all) => sum + all.length, 0);
  return outputs.length * Math.min(pane.last - pane.first, pane.bars.length) + drawn * DRAWING >= MUCH;
}

/** Whether something looks different where other bars are visible: it cannot be moved as a picture. */
const dependsOnView = (pane: Pane, outputs: readonly Output[], drawings: Drawings): boolean =>
  outputs.some((output) => output.function === 'plotarrow') || (drawings['box'] ?? []).some((box) => isTextCut(pane, box));

function heightsOf(drawing: Drawing): unknown[] {
  const points = Array.isArray(drawing['points']) ? (drawing['points'] as Drawing[]) : [];
  return [...['y1', 'y2', 'y', 'top', 'bottom'].map((name) => drawing[name]), ...points.map((point) => point['price'])];
}
