// What a run shows in one pane, drawn over a series of that pane.
import type { AutoscaleInfo, IPrimitivePaneView, ISeriesPrimitive, ISeriesPrimitiveAxisView, SeriesAttachedParameter } from 'lightweight-charts';
import type { Drawing, Output } from '../server';
import { drawDrawings, type Drawings } from '../view/study/drawings';
import { scaleLabels, type LabelStack } from '../view/study/labels';
import { drawOutputs, valuesBetween } from '../view/study/outputs';
import { Pane, type Tip } from '../view/study/pane';
import { drawTable } from '../view/study/tables';
import type { ChartFile, Run } from './data';
import { drawFills } from './fills';

type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

/** A primitive that only draws. */
export class Drawn implements ISeriesPrimitive {
  private readonly views: readonly IPrimitivePaneView[];

  constructor(draw: (target: Target) => void) {
    this.views = [{ zOrder: () => 'normal', renderer: () => ({ draw }) }];
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views;
  }
}

/** The fills of a strategy, on the prices. */
export class FillLayer implements ISeriesPrimitive {
  private attachment: SeriesAttachedParameter | null = null;
  private readonly views: readonly IPrimitivePaneView[] = [
    { zOrder: () => 'normal', renderer: () => ({ draw: (target) => inPane(target, this.attachment, this.file, (pane) => drawFills(pane, this.file.fills)) }) },
  ];

  constructor(private readonly file: ChartFile) {}

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views;
  }
}

export class RunLayer implements ISeriesPrimitive {
  readonly outputs: readonly Output[];
  /** The decimals of values whose script names none. */
  readonly decimals: number;
  private readonly drawings: Drawings;
  private attachment: SeriesAttachedParameter | null = null;
  private tips: readonly Tip[] = [];
  private labels: readonly ISeriesPrimitiveAxisView[] = [];

  /** `onPrices` says whether this is the pane of the prices and not the run's own. */
  constructor(
    private readonly file: ChartFile,
    readonly run: Run,
    private readonly onPrices: boolean,
    private readonly stack: LabelStack,
  ) {
    this.decimals = file.decimals;
    const here = (forced: unknown) => (run.overlay || forced === true) === onPrices;
    this.outputs = run.outputs.filter((output) => here(output.settings['force_overlay']));
    this.drawings = Object.fromEntries(
      Object.entries(run.drawings).map(([kind, all]) => [kind, all.filter((drawing: Drawing) => here(drawing['force_overlay']))]),
    );
  }

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
    const { declared, overlay, scale } = this.run;
    const isOnScale = !(this.onPrices && overlay && scale === 'none');
    const y = (value: number) => attachment.series.priceToCoordinate(value);
    this.labels = isOnScale ? scaleLabels(this.outputs, declared, this.decimals, { y, relative: () => null, stack: this.stack }) : [];
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.labels;
  }

  /** The values that the scale must show. Without plots they are the prices of drawings, for a scale of the run's own. */
  autoscaleInfo(first: number, last: number): AutoscaleInfo | null {
    const values = valuesBetween(this.outputs, this.file.bars, Math.floor(first), Math.ceil(last));
    return values === null ? null : { priceRange: { minValue: values[0], maxValue: values[1] } };
  }

  /** The values for a scale of the run's own: the values of plots, else the prices of drawings. */
  ownRange(first: number, last: number): AutoscaleInfo | null {
    const found = this.autoscaleInfo(first, last);
    if (found !== null) return found;
    const prices = ['line', 'label', 'box', 'polyline'].flatMap((kind) => (this.drawings[kind] ?? []).flatMap(pricesOf));
    const known = prices.filter((price): price is number => typeof price === 'number');
    return known.length === 0 ? null : { priceRange: { minValue: Math.min(...known), maxValue: Math.max(...known) } };
  }

  /** Draw plots and drawings. */
  draw(target: Target): void {
    inPane(target, this.attachment, this.file, (pane) => {
      drawOutputs(pane, this.outputs, this.run.outputs, this.run.asCalled);
      drawDrawings(pane, this.drawings);
      this.tips = pane.tips;
    });
  }

  /** Draw the tables, which are above everything else. */
  drawTables(target: Target): void {
    const tables = this.drawings['table'] ?? [];
    if (tables.length === 0) return;
    inPane(target, this.attachment, this.file, (pane) => {
      for (const table of tables) drawTable(pane, table);
      this.tips = [...this.tips, ...pane.tips];
    });
  }

  /** The tooltip at a place of the pane; null if there is none. */
  tipAt(x: number, y: number): string | null {
    return this.tips.findLast(({ area }) => x >= area.left && x <= area.right && y >= area.top && y <= area.bottom)?.text ?? null;
  }
}

function inPane(target: Target, attachment: SeriesAttachedParameter | null, file: ChartFile, draw: (pane: Pane) => void): void {
  if (attachment === null) return;
  target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
    context.save();
    context.translate(0.5, 0.5); // a coordinate of the library is the middle of a pixel
    draw(new Pane(context, width, height, file.bars, attachment.chart, attachment.series));
    context.restore();
  });
}

function pricesOf(drawing: Drawing): unknown[] {
  const points = Array.isArray(drawing['points']) ? (drawing['points'] as Drawing[]) : [];
  return [...['y1', 'y2', 'y', 'top', 'bottom'].map((name) => drawing[name]), ...points.map((point) => point['price'])];
}
