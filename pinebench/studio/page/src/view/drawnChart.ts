// One chart drawn by lightweight-charts: follows its model, and tells what is visible and where the pointer is.
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  createChartEx,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type DeepPartial,
  type IChartApiBase,
  type IPriceLine,
  type ISeriesApi,
  type Logical,
  type MouseEventParams,
  type SeriesType,
  type Time,
  type TimeChartOptions,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Chart, ChartView, ScaleMode, TimeRange } from '../model/chart';
import type { DrawingTools } from '../model/drawingTools';
import { fixedText, percentText, signedText } from '../model/formats';
import { colorAt, css, DISPLAY, isDisplayed, valueText } from '../model/plots';
import { timeAt } from '../model/places';
import { theme } from '../model/preferences';
import { isIntraday } from '../model/resolution';
import type { Shape, ShapePoint } from '../model/shapes';
import type { Study } from '../model/study';
import type { Bar } from '../server';
import { Watched } from '../watched';
import { DrawnShapes } from './drawnShapes';
import { nextSpan } from './following';
import { AlertLevels, type Level } from './alertLevels';
import { chartFont, followFont } from './fonts';
import { LastPrice } from './lastPrice';
import { markMadeUp } from './madeUp';
import { Pencil } from './pencil';
import { PALETTES, type Palette } from './palette';
import { PriceToBarRatio } from './priceToBarRatio';
import { SessionBreaks } from './sessionBreaks';
import { LabelStack } from './study/labels';
import { Parts, StudyLayer } from './study/layer';
import { ZonedTime } from './zonedTime';

const BARS_SHOWN_FIRST = 140;
/** A narrow chart shows fewer bars, because candles of fewer pixels have no bodies. */
const LEAST_SPACING = 3;
const FEWEST = 20;
/** Older bars are requested when fewer bars than this are left of the visible ones. */
const BARS_AHEAD = 20;
/** The height of the prices' pane, as a multiple of the height of a study's pane. */
const PRICES_TO_STUDY = 2.5;

/** The opacity of the columns of volume. */
const FAINT = '40';

/** The share of a pane that has all the room, and of a pane that is as low as possible. */
const WHOLE = 1000;
const LEAST = 0.001;

type Pane = ReturnType<ISeriesApi<SeriesType>['getPane']>;
type AnySeries = ISeriesApi<SeriesType>;

const SCALE_MODES: Record<ScaleMode, PriceScaleMode> = {
  regular: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
  indexed: PriceScaleMode.IndexedTo100,
};

/** The parts that draw a study: a layer over the prices, and a layer in a pane of its own, over an invisible series. */
interface DrawnStudy {
  ownPane: boolean;
  ownScale: Study['ownScale'];
  /** Whether the study counts percent from its own first value, on the scale of the prices. */
  inPercent: boolean;
  onPrices: StudyLayer;
  /** The study with its own scale in the pane of the prices; null if it uses the scale of the prices. */
  scale: AnySeries | null;
  own: { layer: StudyLayer; anchor: AnySeries; shapes: DrawnShapes; pencil: Pencil } | null;
  forget: () => void;
}

export interface PlotArea {
  left: number;
  width: number;
}

/** A tooltip, and its place in pixels from the chart's corner. */
export interface ShownTip {
  x: number;
  y: number;
  text: string;
}

export class DrawnChart implements ChartView {
  /** The index of the bar under the pointer; null if there is none. */
  readonly pointed: Watched<number | null>;
  /**
   * The top of each study's pane, in pixels from the chart's top. Only studies with a pane of their own are included.
   */
  readonly paneTops = new Watched<ReadonlyMap<Study, number>>(new Map());
  /** The index of the first visible bar, from which percentages count. */
  readonly firstShown = new Watched(0);
  /** The height of the prices' pane in pixels. */
  readonly pricesHeight = new Watched(0);
  /** The area of the plots between the axes, in pixels from the chart's left edge. */
  readonly plotArea = new Watched<PlotArea>({ left: 0, width: 0 });
  /** The tooltip of the output under the pointer. */
  readonly tip = new Watched<ShownTip | null>(null);
  private readonly resized = new ResizeObserver(() => this.measurePanes());
  private readonly lwc: IChartApiBase;
  private readonly time = new ZonedTime();
  /** An invisible series, the first of its pane, so that its layer is drawn behind the prices and over the grid. */
  private readonly ground: AnySeries;
  private main: AnySeries;
  private readonly shapes: DrawnShapes;
  private readonly onPrices: Pencil;
  /** The drawing tools of all panes, as one. */
  readonly pencil: ChartView['pencil'] = {
    key: (event) => this.pencilWithKeys().key(event),
    moved: (shape, bars, pixels) => this.pencilOf(shape.pane).moved(shape, bars, pixels),
  };
  private readonly lastPrice: LastPrice;
  /** The labels on the two scales of the prices' pane. */
  private readonly labels: { right: LabelStack; left: LabelStack };
  private readonly before: Parts;
  private readonly ratio: PriceToBarRatio;
  private readonly volume: ISeriesApi<'Histogram'>;
  private readonly drawn = new Map<Study, DrawnStudy>();
  private readonly forget: (() => void)[];
  /** Whether a script colours bars. */
  private painted = false;
  /** The colour that a script gives to the last bar; its price has it, too. */
  private barColor: string | null = null;
  private levels: readonly Level[] = [];
  private readonly handles: AlertLevels;
  private lines: IPriceLine[] = [];
  private drawnBars: readonly Bar[] = [];
  private indexOfTime = new Map<number, number>();
  /** The time in seconds at which something else than the pointer put the crosshair. */
  private held: number | null = null;

  constructor(
    readonly element: HTMLElement,
    private readonly model: Chart,
    private readonly tools: DrawingTools,
    shown: TimeRange | null = null,
  ) {
    this.pointed = model.pointed;
    this.time.zone = this.zone;
    const options: DeepPartial<TimeChartOptions> = {
      autoSize: true,
      layout: { fontFamily: chartFont(), fontSize: 11, attributionLogo: false },
      crosshair: { mode: CrosshairMode.Normal, vertLine: { style: LineStyle.Dashed }, horzLine: { style: LineStyle.Dashed } },
      timeScale: { rightOffset: model.look.value().margin, minBarSpacing: 0.05, enableConflation: true, tickMarkFormatter: this.time.mark },
      localization: { locale: 'en-GB', timeFormatter: this.time.text },
    };
    this.lwc = createChartEx<Time, ZonedTime>(element, this.time, options);
    // Volumes are behind everything that scripts draw, as in pictures.
    this.volume = this.lwc.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.lwc.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    this.ground = this.addAnchor('right', 0, () => null);
    this.ground.attachPrimitive(new SessionBreaks(model, () => this.colors.crosshair));
    this.ratio = new PriceToBarRatio(this.lwc, element, (node) => this.isOnScales(node));
    this.shapes = new DrawnShapes(model, tools);
    this.onPrices = this.makePencil(this.shapes, null, () => this.main, () => this.pricesBox());
    this.handles = new AlertLevels(element, {
      y: (price) => this.main.priceToCoordinate(price),
      price: (y) => this.main.coordinateToPrice(y),
      tick: () => 10 ** -this.shapes.decimals,
      text: (price) => fixedText(price, this.shapes.decimals),
      box: () => this.pricesPlace(),
      isTaken: (x, y) => this.tools.tool.value() !== null || this.shapeAt(x, y) !== null,
    });
    this.lastPrice = new LastPrice(() => this.priceLabel());
    const height = () => this.lwc.panes()[0]?.getHeight() ?? 0;
    this.labels = { right: new LabelStack(height, this.lastPrice), left: new LabelStack(height) };
    const layers = () => this.model.studies.value().flatMap((study) => this.drawn.get(study)?.onPrices ?? []);
    this.ground.attachPrimitive(new Parts(layers, ['behind']));
    this.before = new Parts(layers, ['before', 'tables']);
    this.main = this.addMain();
    this.lwc.panes()[0]?.setStretchFactor(PRICES_TO_STUDY);
    this.lwc.subscribeCrosshairMove((event) => this.crosshairMoved(event));
    element.addEventListener('pointermove', this.showTip);
    element.addEventListener('pointerleave', this.unpoint);
    this.forget = [
      followFont(this.lwc),
      model.bars.subscribe(() => this.follow()),
      model.type.subscribe(() => this.replaceMain()),
      model.studies.subscribe(() => this.drawStudies()),
      model.shapes.subscribe(() => this.redrawShapes()),
      model.marked.subscribe(() => this.shapes.redraw()),
      model.changed.subscribe(() => this.redrawShapes()),
      model.scale.subscribe(() => this.setScale()),
      model.look.subscribe(() => this.followLook()),
      theme.subscribe(() => {
        this.paint();
        void model.runAll();
      }),
    ];
    this.lwc.timeScale().subscribeVisibleLogicalRangeChange(() => {
      this.lookBack();
      this.ratio.follow();
      this.firstShown.setValue(this.firstSeen());
    });
    this.resized.observe(element);
    this.paint();
    this.drawBars(true);
    if (shown !== null) this.showBars(shown.from, shown.to);
    this.drawStudies();
    model.view = this;
    requestAnimationFrame(() => this.nameCanvases());
  }

  dispose(): void {
    for (const forget of this.forget) forget();
    for (const { forget } of this.drawn.values()) forget();
    this.onPrices.dispose();
    for (const { own } of this.drawn.values()) own?.pencil.dispose();
    this.resized.disconnect();
    this.ratio.dispose();
    this.element.removeEventListener('pointermove', this.showTip);
    this.element.removeEventListener('pointerleave', this.unpoint);
    if (this.model.view === this) this.model.view = null;
    this.lwc.remove();
  }

  visibleRange(): TimeRange | null {
    const range = this.lwc.timeScale().getVisibleRange();
    return range === null ? null : { from: Number(range.from), to: Number(range.to) };
  }

  visibleBars(): TimeRange | null {
    const range = this.lwc.timeScale().getVisibleLogicalRange();
    return range === null ? null : { from: Math.ceil(range.from), to: Math.floor(range.to) };
  }

  showBars(first: number, last: number): void {
    this.lwc.timeScale().setVisibleLogicalRange({ from: first, to: last });
  }

  /** The chart as a picture, without the handles of a selected drawing. It says so if its prices are made up. */
  picture(): HTMLCanvasElement {
    for (const shapes of this.allShapes()) shapes.plain = true;
    const made = this.lwc.takeScreenshot(true);
    for (const shapes of this.allShapes()) shapes.plain = false;
    return (this.model.info.value()?.made_up ?? true) ? markMadeUp(made, this.model.symbol.value()) : made;
  }

  /** The rectangle of the prices on the page, without their axis. */
  private pricesBox(): DOMRect | undefined {
    return boxOf(this.lwc.panes()[0]);
  }

  /** Convert a place on the page to a place in the pane of the prices; null outside of it. */
  placeAt(clientX: number, clientY: number): { x: number; y: number } | null {
    return placeIn(this.pricesBox(), clientX, clientY);
  }

  /** The drawings of each pane: of the prices, and of the studies with a pane. */
  private allShapes(): DrawnShapes[] {
    return [this.shapes, ...[...this.drawn.values()].flatMap(({ own }) => own?.shapes ?? [])];
  }

  private redrawShapes(): void {
    for (const shapes of this.allShapes()) shapes.redraw();
  }

  /** The drawing tools of a pane: of a study by its id, or of the prices. */
  private pencilOf(pane: string | null): Pencil {
    const drawn = [...this.drawn].find(([study]) => study.id === pane);
    return drawn?.[1].own?.pencil ?? this.onPrices;
  }

  /** The drawing tools that get the keys: the tools with an unfinished drawing, otherwise the tools of the selected drawing. */
  private pencilWithKeys(): Pencil {
    if (this.tools.busy instanceof Pencil) return this.tools.busy;
    return this.tools.tool.value() === null ? this.pencilOf(this.tools.current()?.shape.pane ?? null) : this.onPrices;
  }

  /** The drawing tools for a pane, by mouse, finger and keys. */
  private makePencil(shapes: DrawnShapes, pane: string | null, series: () => AnySeries, box: () => DOMRect | undefined): Pencil {
    return new Pencil(this.model, this.tools, shapes, {
      pane,
      element: this.element,
      box,
      placeAt: (x, y) => placeIn(box(), x, y),
      read: ({ x, y }) => this.readPlace(x, y, series()),
      size: () => ({ width: box()?.width ?? 0, height: box()?.height ?? 0 }),
      y: (price) => series().priceToCoordinate(price),
    });
  }

  private readPlace(x: number, y: number, series = this.main): { index: number; price: number } | null {
    const time = this.lwc.timeScale();
    const [zero, one] = [time.logicalToCoordinate(0 as Logical), time.logicalToCoordinate(1 as Logical)];
    const price = series.coordinateToPrice(y);
    return price === null || zero === null || one === null ? null : { index: (x - zero) / (one - zero), price };
  }

  /** The time zone of the axis. */
  get zone(): string {
    return this.model.zone;
  }

  /** Whether the scale of the prices fits the visible bars; dragging the axis ends that. */
  get scalesItself(): boolean {
    return this.lwc.priceScale('right').options().autoScale;
  }

  /** Whether a node is a price axis or the time axis. */
  isOnScales(node: EventTarget | null): boolean {
    const cell = node instanceof Element ? node.closest('td') : null;
    return cell !== null && (cell.parentElement?.children[1] !== cell || cell.parentElement.nextElementSibling === null);
  }

  /** The place of the prices, without their axis, from the corner of the chart. */
  private pricesPlace(): { left: number; top: number; width: number; height: number } | null {
    const [box, corner] = [this.pricesBox(), this.element.getBoundingClientRect()];
    return box === undefined ? null : { left: box.left - corner.left, top: box.top - corner.top, width: box.width, height: box.height };
  }

  /** Select the drawing at a place of the page and return it; null if there is none. */
  hitAt(clientX: number, clientY: number): Shape | null {
    const shape = this.shapeAt(clientX, clientY);
    if (shape !== null) this.tools.select(this.model, shape);
    return shape;
  }

  private shapeAt(clientX: number, clientY: number): Shape | null {
    const boxes = [[this.shapes, this.pricesBox()] as const, ...[...this.drawn.values()].flatMap(({ own }) => (own === null ? [] : [[own.shapes, boxOf(own.anchor.getPane())] as const]))];
    const found = boxes.map(([shapes, box]) => [shapes, placeIn(box, clientX, clientY)] as const).find(([, place]) => place !== null);
    return found === undefined || found[1] === null ? null : (found[0].hitAt(found[1], 8)?.shape ?? null);
  }

  /** The point of a drawing at a place of the page; null outside of the prices. */
  pointAt(clientX: number, clientY: number): ShapePoint | null {
    const place = this.placeAt(clientX, clientY);
    const found = place === null ? null : this.readPlace(place.x, place.y);
    const decimals = this.model.info.value()?.decimals ?? 2;
    return found === null ? null : { time: timeAt(this.model.bars.value(), Math.round(found.index)), price: Number(found.price.toFixed(decimals)) };
  }

  /** The colours of the theme, with the ones that were chosen for the chart's bars. */
  private get colors(): Palette {
    const plain = PALETTES[theme.value()];
    const { up, down } = this.model.look.value();
    return {
      ...plain,
      ...(up === null ? {} : { up, volumeUp: `${up}${FAINT}` }),
      ...(down === null ? {} : { down, volumeDown: `${down}${FAINT}` }),
    };
  }

  /** Draw everything in the colours of the theme. */
  private paint(): void {
    const { background, text, grid, border, borderHover, crosshair, label } = this.colors;
    const look = this.model.look.value();
    this.lwc.applyOptions({
      layout: { background: { color: background }, textColor: text, panes: { separatorColor: border, separatorHoverColor: borderHover } },
      grid: { vertLines: { color: grid, visible: look.grid }, horzLines: { color: grid, visible: look.grid } },
      crosshair: { vertLine: { color: crosshair, labelBackgroundColor: label }, horzLine: { color: crosshair, labelBackgroundColor: label } },
      leftPriceScale: { borderColor: border, entireTextOnly: true },
      rightPriceScale: { borderColor: border, entireTextOnly: true },
      timeScale: { borderColor: border, rightOffset: look.margin },
    });
    this.volume.applyOptions({ visible: look.volume === 'shown' });
    this.replaceMain();
    this.setScale();
  }

  /** Draw in another look. A changed room at the right is shown at once if the newest bar is visible. */
  private followLook(): void {
    const before = this.lwc.timeScale().options().rightOffset;
    this.paint();
    const [shown, last] = [this.visibleBars(), this.model.bars.value().length - 1];
    if (before !== this.model.look.value().margin && shown !== null && shown.to >= last) this.model.goToEnd();
  }

  private setScale(): void {
    const { mode, inverted, auto, locked } = this.model.scale.value();
    // A scale without bars has no prices to keep.
    const isLocked = locked && this.drawnBars.length > 0;
    this.lwc.priceScale('right').applyOptions({ mode: SCALE_MODES[mode], invertScale: inverted, autoScale: auto && !isLocked });
    this.ratio.setLocked(isLocked);
  }

  /** Fit a locked scale to other bars, and lock it again. */
  private fitLocked(): void {
    this.lwc.priceScale('right').applyOptions({ autoScale: true });
    this.ratio.setLocked(false);
    requestAnimationFrame(() => this.setScale());
  }

  /** Put the crosshair at the bar that is open at a time in seconds; null removes it. */
  point(time: number | null): void {
    this.held = time;
    const index = this.openAt(time);
    const bar = this.model.bars.value()[index];
    if (bar === undefined) this.lwc.clearCrosshairPosition();
    else this.lwc.setCrosshairPosition(bar[4], utc(bar[0]), this.main);
    this.pointed.setValue(bar === undefined ? null : index); // the library tells of pointers only
  }

  /** The index of the bar that is open at a time in seconds; -1 if there is none. */
  private openAt(time: number | null): number {
    const bars = this.model.bars.value();
    const after = time === null ? 0 : bars.findIndex((bar) => bar[0] > time);
    return (after < 0 ? bars.length : after) - 1;
  }

  /** Note the bar under the pointer. If the chart moves under a crosshair that was put on a bar, put it there again: the
   * library would leave it at its place on the screen, which is another bar then. */
  private crosshairMoved({ time, sourceEvent }: MouseEventParams): void {
    if (sourceEvent !== undefined) this.held = null;
    const { held } = this;
    const index = this.indexOfTime.get(Number(time)) ?? null;
    if (held === null || index === null || index === this.openAt(held)) {
      this.pointed.setValue(index);
      return;
    }
    requestAnimationFrame(() => {
      if (this.held === held) this.point(held);
    });
  }

  private addMain(): AnySeries {
    const type = this.model.type.value();
    const { background, up, down, line, areaTop, areaBottom } = this.colors;
    const decimals = this.model.info.value()?.decimals ?? 2;
    // The label of the last price is our own: the library's has the last bar that is seen.
    const shared = { priceFormat: pricesFormat(decimals), lastValueVisible: false };
    const add = (): AnySeries => {
      if (type === 2) return this.lwc.addSeries(LineSeries, { color: line, lineWidth: 2, ...shared });
      if (type === 3) return this.lwc.addSeries(AreaSeries, { lineColor: line, lineWidth: 2, topColor: areaTop, bottomColor: areaBottom, ...shared });
      if (type === 0) return this.lwc.addSeries(BarSeries, { upColor: up, downColor: down, ...shared });
      const edges = { borderUpColor: up, borderDownColor: down, wickUpColor: up, wickDownColor: down };
      return this.lwc.addSeries(CandlestickSeries, { upColor: type === 9 ? background : up, downColor: down, ...edges, ...shared });
    };
    const made = add();
    for (const primitive of [this.before, this.shapes, this.lastPrice, this.handles]) made.attachPrimitive(primitive);
    return made;
  }

  /** Mark the price levels of alerts by dashed lines with a label on the axis. */
  setLevels(levels: readonly Level[]): void {
    for (const line of this.lines) this.main.removePriceLine(line);
    this.levels = levels;
    this.handles.set(levels, (at, price) => this.lines[at]?.applyOptions({ price }));
    const color = this.colors.crosshair;
    this.lines = levels.map(({ price }) => this.main.createPriceLine({ price, color, lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: true, title: 'alert' }));
  }

  private replaceMain(): void {
    this.lwc.removeSeries(this.main);
    this.main = this.addMain();
    this.lines = [];
    this.setLevels(this.levels);
    for (const { onPrices, scale } of this.drawn.values()) if (scale === null) this.main.attachPrimitive(onPrices);
    this.drawBars(false);
  }

  /** The last price of all bars, whether it is visible or not. */
  private priceLabel(): ReturnType<ConstructorParameters<typeof LastPrice>[0]> {
    const last = this.drawnBars.at(-1);
    if (last === undefined) return null;
    const y = this.main.priceToCoordinate(last[4]);
    if (y === null) return null;
    const color = this.barColor ?? (last[4] >= last[1] ? this.colors.up : this.colors.down);
    const decimals = this.model.info.value()?.decimals ?? 2;
    return { y, text: this.relative(last[4], this.firstPrice()) ?? fixedText(last[4], decimals), color };
  }

  /** For other bars, show the newest ones. If bars are added before or after the present ones, do not scroll. */
  private follow(): void {
    const next = nextSpan(this.drawnBars, this.model.bars.value(), this.lwc.timeScale().getVisibleLogicalRange());
    this.drawBars(next === null);
    if (next !== null) this.showBars(next.from, next.to);
  }

  /** Request older bars if the oldest one is nearly visible. */
  private lookBack(): void {
    const range = this.lwc.timeScale().getVisibleLogicalRange();
    if (range !== null && range.from < BARS_AHEAD && this.drawnBars.length > 0) void this.model.loadOlder();
  }

  private drawBars(fresh: boolean): void {
    const bars = this.model.bars.value();
    this.drawnBars = bars;
    const decimals = this.model.info.value()?.decimals ?? 2;
    // The scale takes the format of its lowest series, which is the ground.
    for (const series of [this.ground, this.main]) series.applyOptions({ priceFormat: pricesFormat(decimals) });
    this.time.zone = this.zone;
    this.lwc.timeScale().applyOptions({ timeVisible: isIntraday(this.model.resolution.value()) });
    this.indexOfTime = new Map(bars.map((bar, i) => [bar[0], i]));
    const single = this.model.type.value() === 2 || this.model.type.value() === 3;
    const colors = single ? null : this.barColors();
    this.barColor = colors?.at(-1) ?? null;
    this.main.setData(
      bars.map(([time, open, high, low, close], i) => {
        if (single) return { time: utc(time), value: close };
        const color = colors?.[i] ?? null;
        const painted = color === null ? {} : { color, wickColor: color, borderColor: color };
        return { time: utc(time), open, high, low, close, ...painted };
      }),
    );
    this.volume.setData(
      bars.map((bar) => ({ time: utc(bar[0]), value: bar[5], color: bar[4] >= bar[1] ? this.colors.volumeUp : this.colors.volumeDown })),
    );
    for (const anchor of [this.ground, ...[...this.drawn.values()].flatMap(({ own, scale, inPercent }) => [own?.anchor, inPercent ? null : scale])]) {
      if (anchor !== undefined && anchor !== null) this.anchor(anchor);
    }
    for (const [study, { scale, inPercent }] of this.drawn) if (inPercent && scale !== null) this.anchorValues(scale, study);
    if (fresh && bars.length > 0) {
      this.showNewest();
      if (this.model.scale.value().locked) this.fitLocked();
    }
  }

  private drawStudies(): void {
    const studies = this.model.studies.value();
    for (const [study, drawn] of [...this.drawn]) if (!studies.includes(study)) this.removeStudy(study, drawn);
    for (const study of studies) if (!this.drawn.has(study)) this.addStudy(study);
    this.arrangePanes();
    this.nameCanvases();
    // The panes are laid out with the next picture.
    requestAnimationFrame(() => this.measurePanes());
  }

  /** Arrange the panes below the prices in the order of the studies. */
  private arrangePanes(): void {
    const panes = this.model.studies.value().flatMap((study) => this.drawn.get(study)?.own?.anchor.getPane() ?? []);
    panes.forEach((pane, i) => {
      if (pane.paneIndex() !== i + 1 && i + 1 < this.lwc.panes().length) pane.moveTo(i + 1);
    });
  }

  /** Show the newest bars at the first zoom, with an automatic scale. */
  reset(): void {
    this.showNewest();
    this.model.scale.setValue({ ...this.model.scale.value(), auto: true });
    this.lwc.priceScale('right').applyOptions({ autoScale: true });
  }

  private showNewest(): void {
    const { length } = this.model.bars.value();
    const { margin } = this.model.look.value();
    // Without the axes, which have no width before the first picture.
    const width = this.lwc.timeScale().width() || this.element.clientWidth;
    const room = Math.floor(width / LEAST_SPACING) - margin;
    this.showBars(length - Math.min(BARS_SHOWN_FIRST, Math.max(room, FEWEST)), length - 1 + margin);
  }

  private measurePanes(): void {
    const { top, left } = this.element.getBoundingClientRect();
    const tops = new Map<Study, number>();
    // All of them: a pane also moves when only one above it changes its height.
    for (const pane of this.lwc.panes()) {
      const node = pane.getHTMLElement();
      if (node !== null) this.resized.observe(node);
    }
    this.measureArea(left);
    for (const [study, { own }] of this.drawn) {
      const pane = own?.anchor.getPane().getHTMLElement();
      if (pane === null || pane === undefined) continue;
      tops.set(study, pane.getBoundingClientRect().top - top);
    }
    const before = this.paneTops.value();
    this.pricesHeight.setValue(this.lwc.panes()[0]?.getHTMLElement()?.getBoundingClientRect().height ?? 0);
    if (tops.size === before.size && [...tops].every(([study, at]) => before.get(study) === at)) return;
    this.paneTops.setValue(tops);
  }

  /** Axes become wider with their numbers, and one on the left comes and goes. */
  private measureArea(left: number): void {
    const cell = this.lwc.panes()[0]?.getHTMLElement()?.children[1];
    if (cell === undefined) return;
    this.resized.observe(cell);
    const place = cell.getBoundingClientRect();
    const [before, now] = [this.plotArea.value(), { left: place.left - left, width: place.width }];
    if (before.left !== now.left || before.width !== now.width) this.plotArea.setValue(now);
  }

  private addStudy(study: Study): void {
    const { ownPane } = study;
    const ownScale = ownPane ? null : study.ownScale;
    const inPercent = study.place.value() === 'percent';
    const first = () => (inPercent ? this.firstValue(study) : ownScale === null ? this.firstPrice() : null);
    const stack = this.labels[ownScale === 'left' ? 'left' : 'right'];
    const onPrices = new StudyLayer(this.model, study, true, stack, (value) => this.relative(value, first()));
    const scale = ownScale === null && !inPercent ? null : this.addScale(study, inPercent ? 'percent' : (ownScale ?? 'none'), onPrices);
    if (scale === null) this.main.attachPrimitive(onPrices);
    const refresh = () => this.refreshStudy(study);
    const forgets = [study.result.subscribe(refresh), study.visible.subscribe(refresh), study.place.subscribe(refresh)];
    const forget = () => forgets.forEach((one) => one());
    this.drawn.set(study, { ownPane, ownScale, inPercent, onPrices, scale, own: ownPane ? this.addPane(study) : null, forget });
    this.showLeftScale();
    if (this.paintsBars(study)) this.drawBars(false);
  }

  private removeStudy(study: Study, { onPrices, own, scale, forget }: DrawnStudy): void {
    forget();
    if (scale === null) this.main.detachPrimitive(onPrices);
    else this.lwc.removeSeries(scale);
    own?.pencil.dispose();
    if (own !== null) this.lwc.removeSeries(own.anchor);
    this.drawn.delete(study);
    this.showLeftScale();
    if (this.paintsBars(study)) this.drawBars(false);
  }

  private refreshStudy(study: Study): void {
    const drawn = this.drawn.get(study);
    if (drawn === undefined) return;
    // What is not known for now stays where it is.
    const moved =
      drawn.ownPane !== study.ownPane ||
      (!drawn.ownPane && (drawn.ownScale !== study.ownScale || drawn.inPercent !== (study.place.value() === 'percent')));
    if (study.result.value() !== null && moved) {
      this.removeStudy(study, drawn);
      this.addStudy(study);
      this.arrangePanes();
      requestAnimationFrame(() => this.measurePanes());
      return;
    }
    drawn.onPrices.refresh();
    drawn.own?.layer.refresh();
    if (drawn.inPercent && drawn.scale !== null) this.anchorValues(drawn.scale, study);
    for (const anchor of [drawn.own?.anchor, drawn.scale]) if (anchor !== undefined && anchor !== null) this.formatScale(anchor, study);
    if (this.paintsBars(study) || this.painted) this.drawBars(false);
  }

  private showLeftScale(): void {
    const asked = [...this.drawn].some(([study, { ownScale, ownPane }]) => ownScale === 'left' || (ownPane && study.ownScale === 'left'));
    this.lwc.applyOptions({ leftPriceScale: { visible: asked } });
  }

  /** Make a pane for a study. Its layer belongs to an invisible series, because a pane needs a series. */
  private addPane(study: Study): DrawnStudy['own'] {
    const pane = this.lwc.panes().length;
    const layer = new StudyLayer(this.model, study, false, new LabelStack(() => anchor.getPane().getHeight()));
    const anchor: AnySeries = this.addAnchor(study.ownScale === 'left' ? 'left' : 'right', pane, () => this.range(layer));
    anchor.attachPrimitive(layer);
    const shapes = new DrawnShapes(this.model, this.tools, study);
    anchor.attachPrimitive(shapes);
    const pencil = this.makePencil(shapes, study.id, () => anchor, () => boxOf(anchor.getPane()));
    this.formatScale(anchor, study);
    // A share and not a height: a height is reckoned from panes that may not be laid out yet.
    this.lwc.panes()[pane]?.setStretchFactor(1);
    return { layer, anchor, shapes, pencil };
  }

  /** Make a separate scale for a study in the prices' pane: on the left, without an axis, or in percent on the prices' scale. */
  private addScale(study: Study, where: 'left' | 'none' | 'percent', layer: StudyLayer): AnySeries {
    const id = { left: 'left', none: `study ${study.id}`, percent: 'right' }[where];
    const anchor = this.addAnchor(id, 0, () => this.range(layer));
    anchor.attachPrimitive(layer);
    this.formatScale(anchor, study);
    if (where === 'percent') this.anchorValues(anchor, study);
    return anchor;
  }

  /** Give a series the values of a study, so that its percentages count from the first visible value. */
  private anchorValues(series: AnySeries, study: Study): void {
    const values = study.plots()[0]?.values ?? [];
    series.setData(
      this.model.bars.value().flatMap(([time], i) => {
        const value = values[i];
        return typeof value === 'number' ? [{ time: utc(time), value }] : [];
      }),
    );
  }

  private range(layer: StudyLayer): ReturnType<StudyLayer['autoscaleInfo']> {
    const range = this.lwc.timeScale().getVisibleLogicalRange();
    return range === null ? null : layer.autoscaleInfo(range.from, range.to);
  }

  /** Make an invisible series that carries a layer. */
  private addAnchor(priceScaleId: string, pane: number, autoscaleInfoProvider: () => ReturnType<StudyLayer['autoscaleInfo']>): AnySeries {
    const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };
    const made = this.lwc.addSeries(LineSeries, { color: '#00000000', priceScaleId, ...quiet, autoscaleInfoProvider }, pane);
    this.anchor(made);
    return made;
  }

  /**
   * A series needs only one value to have a scale: the value at the last bar, which is never to the left of the visible
   * range.
   */
  private anchor(series: AnySeries): void {
    const last = this.model.bars.value().at(-1);
    series.setData(last === undefined ? [] : [{ time: utc(last[0]), value: 0 }]);
  }

  private formatScale(anchor: AnySeries, study: Study): void {
    const declared = study.result.value()?.declared ?? { format: null, precision: null };
    const decimals = this.model.info.value()?.decimals ?? 2;
    const formatter = (value: number) => valueText(value, declared, decimals);
    const minMove = declared.format === 'format.volume' ? 1 : 10 ** -(declared.precision ?? decimals);
    anchor.applyOptions({ priceFormat: { type: 'custom', formatter, minMove } });
  }

  /**
   * A value as the scale of the prices writes it while it has no prices: in percent of a first visible value, or with
   * that value as 100; null on other scales.
   */
  private relative(value: number, first: number | null): string | null {
    const { mode } = this.model.scale.value();
    if ((mode !== 'percent' && mode !== 'indexed') || first === null || first === 0) return null;
    const share = (value - first) / Math.abs(first);
    return mode === 'percent' ? percentText(share) : fixedText(100 * (1 + share), 2);
  }

  /** How far a compared symbol is from its first visible value on a bar: "+3.41%"; null where that is not known. */
  changeOf(study: Study, index: number): string | null {
    const [value, first] = [study.plots()[0]?.values[index], this.firstValue(study)];
    if (typeof value !== 'number' || first === null || first === 0) return null;
    return `${signedText(((value - first) / Math.abs(first)) * 100, 2)}%`;
  }

  /** The close of the first visible bar, from which the scale of the prices counts; null without bars. */
  private firstPrice(): number | null {
    return this.drawnBars[this.firstSeen()]?.[4] ?? null;
  }

  /** The first visible value of a study; null if there is none. */
  private firstValue(study: Study): number | null {
    return study.plots()[0]?.values.slice(this.firstSeen()).find((value) => value !== null) ?? null;
  }

  private firstSeen(): number {
    return Math.max(Math.floor(this.lwc.timeScale().getVisibleLogicalRange()?.from ?? 0), 0);
  }

  /** The colours that scripts give to bars; null if no script does. */
  private barColors(): (string | null)[] | null {
    let colors: (string | null)[] | null = null;
    for (const study of this.model.studies.value()) {
      const result = study.visible.value() ? study.result.value() : null;
      for (const output of result?.outputs.filter((one) => one.function === 'barcolor') ?? []) {
        colors ??= this.model.bars.value().map(() => null);
        const offset = Number(output.settings['offset'] ?? 0);
        const last = Number(output.settings['show_last'] ?? Infinity);
        colors = colors.map((before, i, { length }) => {
          if (i < length - last + offset || !isDisplayed(output, DISPLAY.pane)) return before;
          const color = colorAt(output, i - offset, 'color', null);
          return color === null ? before : css(color);
        });
      }
    }
    this.painted = colors !== null;
    return colors;
  }

  private paintsBars(study: Study): boolean {
    return study.result.value()?.outputs.some((output) => output.function === 'barcolor') ?? false;
  }

  /** Give all the room to the pane of a study; the second time, give every pane its share again. */
  maximisePane(study: Study): void {
    const whole = this.paneOf(study);
    if (whole === undefined) return;
    const isWhole = whole.getStretchFactor() === WHOLE;
    for (const pane of this.lwc.panes()) pane.setStretchFactor(isWhole ? shareOf(pane) : pane.paneIndex() === whole.paneIndex() ? WHOLE : LEAST);
    this.lwc.applyOptions({}); // shares alone ask for no new picture
  }

  /** Make the pane of a study as low as its legend; the second time, give it its share again. */
  collapsePane(study: Study): void {
    const pane = this.paneOf(study);
    pane?.setStretchFactor(pane.getStretchFactor() === LEAST ? shareOf(pane) : LEAST);
    this.lwc.applyOptions({});
  }

  private paneOf(study: Study): Pane | undefined {
    return this.drawn.get(study)?.own?.anchor.getPane();
  }

  private readonly unpoint = (): void => this.tip.setValue(null);

  /** Show the tooltip of the output under the pointer. */
  private readonly showTip = ({ clientX, clientY }: PointerEvent): void => {
    const corner = this.element.getBoundingClientRect();
    for (const [number, pane] of this.lwc.panes().entries()) {
      const cell = pane.getHTMLElement()?.children[1]?.getBoundingClientRect();
      if (cell === undefined || clientY < cell.top || clientY > cell.bottom) continue;
      const text = this.tipIn(number, clientX - cell.left, clientY - cell.top);
      this.tip.setValue(text === null ? null : { x: clientX - corner.left, y: clientY - corner.top, text });
      return;
    }
    this.tip.setValue(null);
  };

  private tipIn(pane: number, x: number, y: number): string | null {
    const layers = [...this.drawn.values()].flatMap(({ onPrices, own }) => {
      if (pane === 0) return [onPrices];
      return own !== null && own.anchor.getPane().paneIndex() === pane ? [own.layer] : [];
    });
    return layers.map((layer) => layer.tipAt(x, y)).findLast((text) => text !== null) ?? null;
  }

  /** Give the canvases TradingView's name, by which clients look for them. */
  private nameCanvases(): void {
    for (const canvas of this.element.querySelectorAll('td:nth-child(2) canvas')) canvas.setAttribute('data-name', 'pane-canvas');
  }
}

/** The share of the height that a pane has by default. */
const shareOf = (pane: Pane): number => (pane.paneIndex() === 0 ? PRICES_TO_STUDY : 1);

/** The rectangle of a pane on the page, without its axis. */
const boxOf = (pane: Pane | undefined): DOMRect | undefined => pane?.getHTMLElement()?.children[1]?.getBoundingClientRect();

/** Convert a place on the page to a place in a rectangle; null outside of it. */
function placeIn(box: DOMRect | undefined, clientX: number, clientY: number): { x: number; y: number } | null {
  const isInside = box !== undefined && clientX >= box.left && clientX < box.right && clientY >= box.top && clientY < box.bottom;
  return isInside ? { x: clientX - box.left, y: clientY - box.top } : null;
}

/** The format of prices, on their axis and at the crosshair. */
const pricesFormat = (decimals: number) => ({ type: 'custom' as const, formatter: (price: number) => fixedText(price, decimals), minMove: 10 ** -decimals });

const utc = (seconds: number): Time => seconds as UTCTimestamp;
