// One chart drawn by lightweight-charts: follows its model, and tells what is visible and where the pointer is.
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  createChart,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Chart, ChartView, TimeRange } from '../model/chart';
import { isIntraday } from '../model/resolution';
import type { Study } from '../model/study';
import type { Bar } from '../server';
import { colorAt, css } from '../model/plots';
import { Watched } from '../watched';
import { DrawnShapes } from './drawnShapes';
import { nextSpan } from './following';
import { StudyLayer } from './study/layer';

const COLORS = {
  background: '#0f1318',
  text: '#8a94a6',
  grid: '#171d25',
  border: '#222934',
  crosshair: '#56627a',
  label: '#2a3442',
  up: '#2fae86',
  down: '#e05a62',
  volumeUp: '#2fae8640',
  volumeDown: '#e05a6240',
  line: '#4cc49a',
};
const BARS_SHOWN_FIRST = 140;
/** How near the oldest bar may come before older ones are asked for. */
const BARS_AHEAD = 20;
/** How many times the height of a study's pane the prices get. */
const PRICES_TO_STUDY = 2.5;

type AnySeries = ISeriesApi<SeriesType>;

/** What a study is drawn with: a layer over the prices, and one in a pane of its own, over a series that nobody sees. */
interface DrawnStudy {
  ownPane: boolean;
  onPrices: StudyLayer;
  own: { layer: StudyLayer; anchor: AnySeries } | null;
  forget: () => void;
}

export class DrawnChart implements ChartView {
  /** The index of the bar under the pointer; null where there is none. */
  readonly pointed: Watched<number | null>;
  /** Where the pane of a study begins, in pixels from the chart's top; only studies with a pane of their own are in it. */
  readonly paneTops = new Watched<ReadonlyMap<Study, number>>(new Map());
  private readonly resized = new ResizeObserver(() => this.measurePanes());
  private readonly lwc: IChartApi;
  private main: AnySeries;
  private readonly shapes: DrawnShapes;
  private readonly volume: ISeriesApi<'Histogram'>;
  private readonly drawn = new Map<Study, DrawnStudy>();
  private readonly forget: (() => void)[];
  /** Whether a script gives bars their colours. */
  private painted = false;
  private drawnBars: readonly Bar[] = [];
  private indexOfTime = new Map<number, number>();

  constructor(
    readonly element: HTMLElement,
    private readonly model: Chart,
  ) {
    this.pointed = model.pointed;
    this.lwc = createChart(element, {
      autoSize: true,
      layout: {
        background: { color: COLORS.background },
        textColor: COLORS.text,
        fontFamily: 'Inter Variable, system-ui, sans-serif',
        fontSize: 11,
        panes: { separatorColor: COLORS.border, separatorHoverColor: '#2a3442' },
      },
      grid: { vertLines: { color: COLORS.grid }, horzLines: { color: COLORS.grid } },
      crosshair: {
        mode: CrosshairMode.Normal,
        vertLine: { color: COLORS.crosshair, style: LineStyle.Dashed, labelBackgroundColor: COLORS.label },
        horzLine: { color: COLORS.crosshair, style: LineStyle.Dashed, labelBackgroundColor: COLORS.label },
      },
      rightPriceScale: { borderColor: COLORS.border },
      timeScale: { borderColor: COLORS.border, rightOffset: 6, minBarSpacing: 0.05 },
      localization: { locale: 'en-GB' },
    });
    this.volume = this.lwc.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.lwc.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    this.shapes = new DrawnShapes(model);
    this.main = this.addMain();
    this.main.attachPrimitive(this.shapes);
    this.lwc.panes()[0]?.setStretchFactor(PRICES_TO_STUDY);
    this.lwc.subscribeCrosshairMove(({ time }) => this.pointed.setValue(this.indexOfTime.get(Number(time)) ?? null));
    this.forget = [
      model.bars.subscribe(() => this.follow()),
      model.type.subscribe(() => this.replaceMain()),
      model.studies.subscribe(() => this.drawStudies()),
      model.shapes.subscribe(() => this.shapes.redraw()),
      model.changed.subscribe(() => this.shapes.redraw()),
    ];
    this.lwc.timeScale().subscribeVisibleLogicalRangeChange(() => this.lookBack());
    this.resized.observe(element);
    this.drawBars(true);
    this.drawStudies();
    model.view = this;
    requestAnimationFrame(() => this.nameCanvases());
  }

  dispose(): void {
    for (const forget of this.forget) forget();
    for (const { forget } of this.drawn.values()) forget();
    this.resized.disconnect();
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

  picture(): HTMLCanvasElement {
    return this.lwc.takeScreenshot();
  }

  /** Put the crosshair at the bar that is open at a moment in seconds; null takes it away. */
  point(time: number | null): void {
    const bars = this.model.bars.value();
    const after = time === null ? 0 : bars.findIndex((bar) => bar[0] > time);
    const index = (after < 0 ? bars.length : after) - 1;
    const bar = bars[index];
    if (bar === undefined) this.lwc.clearCrosshairPosition();
    else this.lwc.setCrosshairPosition(bar[4], utc(bar[0]), this.main);
    this.pointed.setValue(bar === undefined ? null : index); // the library tells of pointers only
  }

  private addMain(): AnySeries {
    const type = this.model.type.value();
    const decimals = this.model.info.value()?.decimals ?? 2;
    const priceFormat = { type: 'price' as const, precision: decimals, minMove: 10 ** -decimals };
    if (type === 2) return this.lwc.addSeries(LineSeries, { color: COLORS.line, lineWidth: 2, priceFormat });
    if (type === 3) {
      const areas = { topColor: '#35b58a44', bottomColor: '#35b58a00' };
      return this.lwc.addSeries(AreaSeries, { lineColor: COLORS.line, lineWidth: 2, priceFormat, ...areas });
    }
    const colors = { upColor: COLORS.up, downColor: COLORS.down };
    if (type === 0) return this.lwc.addSeries(BarSeries, { ...colors, priceFormat });
    const edges = {
      borderUpColor: COLORS.up,
      borderDownColor: COLORS.down,
      wickUpColor: COLORS.up,
      wickDownColor: COLORS.down,
    };
    const body = type === 9 ? { ...colors, upColor: COLORS.background } : colors;
    return this.lwc.addSeries(CandlestickSeries, { ...body, ...edges, priceFormat });
  }

  private replaceMain(): void {
    this.lwc.removeSeries(this.main);
    this.main = this.addMain();
    this.main.attachPrimitive(this.shapes);
    for (const { onPrices } of this.drawn.values()) this.main.attachPrimitive(onPrices);
    this.drawBars(false);
  }

  /** Other bars show the newest of them; bars that come before or after those that are there move nothing. */
  private follow(): void {
    const next = nextSpan(this.drawnBars, this.model.bars.value(), this.lwc.timeScale().getVisibleLogicalRange());
    this.drawBars(next === null);
    if (next !== null) this.showBars(next.from, next.to);
  }

  /** Ask for older bars where the oldest one is about to be seen. */
  private lookBack(): void {
    const range = this.lwc.timeScale().getVisibleLogicalRange();
    if (range !== null && range.from < BARS_AHEAD && this.drawnBars.length > 0) void this.model.loadOlder();
  }

  private drawBars(fresh: boolean): void {
    const bars = this.model.bars.value();
    this.drawnBars = bars;
    const decimals = this.model.info.value()?.decimals ?? 2;
    this.main.applyOptions({ priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals } });
    this.lwc.timeScale().applyOptions({ timeVisible: isIntraday(this.model.resolution.value()) });
    this.indexOfTime = new Map(bars.map((bar, i) => [bar[0], i]));
    const shown = this.model.type.value() === 8 ? heikinAshi(bars) : bars;
    const single = this.model.type.value() === 2 || this.model.type.value() === 3;
    const colors = single ? null : this.barColors();
    this.main.setData(
      shown.map(([time, open, high, low, close], i) => {
        if (single) return { time: utc(time), value: close };
        const color = colors?.[i] ?? null;
        const painted = color === null ? {} : { color, wickColor: color, borderColor: color };
        return { time: utc(time), open, high, low, close, ...painted };
      }),
    );
    this.volume.setData(
      bars.map((bar) => ({ time: utc(bar[0]), value: bar[5], color: bar[4] >= bar[1] ? COLORS.volumeUp : COLORS.volumeDown })),
    );
    for (const { own } of this.drawn.values()) if (own !== null) this.anchor(own.anchor);
    if (fresh && bars.length > 0) this.showBars(bars.length - BARS_SHOWN_FIRST, bars.length + 4);
  }

  private drawStudies(): void {
    const studies = this.model.studies.value();
    for (const [study, drawn] of [...this.drawn]) if (!studies.includes(study)) this.removeStudy(study, drawn);
    for (const study of studies) if (!this.drawn.has(study)) this.addStudy(study);
    this.nameCanvases();
    // The panes are laid out with the next picture.
    requestAnimationFrame(() => this.measurePanes());
  }

  private measurePanes(): void {
    const top = this.element.getBoundingClientRect().top;
    const tops = new Map<Study, number>();
    // All of them: a pane also moves when only one above it changes its height.
    for (const pane of this.lwc.panes()) {
      const node = pane.getHTMLElement();
      if (node !== null) this.resized.observe(node);
    }
    for (const [study, { own }] of this.drawn) {
      const pane = own?.anchor.getPane().getHTMLElement();
      if (pane === null || pane === undefined) continue;
      tops.set(study, pane.getBoundingClientRect().top - top);
    }
    const before = this.paneTops.value();
    if (tops.size === before.size && [...tops].every(([study, at]) => before.get(study) === at)) return;
    this.paneTops.setValue(tops);
  }

  private addStudy(study: Study): void {
    const onPrices = new StudyLayer(this.model, study, true);
    this.main.attachPrimitive(onPrices);
    const forgets = [study.result.subscribe(() => this.refreshStudy(study)), study.visible.subscribe(() => this.refreshStudy(study))];
    const forget = () => forgets.forEach((one) => one());
    this.drawn.set(study, { ownPane: study.ownPane, onPrices, own: study.ownPane ? this.addPane(study) : null, forget });
    if (this.paintsBars(study)) this.drawBars(false);
  }

  private removeStudy(study: Study, { onPrices, own, forget }: DrawnStudy): void {
    forget();
    this.main.detachPrimitive(onPrices);
    if (own !== null) this.lwc.removeSeries(own.anchor);
    this.drawn.delete(study);
    if (this.paintsBars(study)) this.drawBars(false);
  }

  private refreshStudy(study: Study): void {
    const drawn = this.drawn.get(study);
    if (drawn === undefined) return;
    if (drawn.ownPane !== study.ownPane) {
      this.removeStudy(study, drawn);
      this.addStudy(study);
      requestAnimationFrame(() => this.measurePanes());
      return;
    }
    drawn.onPrices.refresh();
    drawn.own?.layer.refresh();
    if (drawn.own !== null) this.formatScale(drawn.own.anchor, study);
    if (this.paintsBars(study) || this.painted) this.drawBars(false);
  }

  /** A pane for a study: its layer lies over a series that nobody sees, for a pane needs one. */
  private addPane(study: Study): DrawnStudy['own'] {
    const pane = this.lwc.panes().length;
    const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };
    const layer = new StudyLayer(this.model, study, false);
    const autoscaleInfoProvider = () => {
      const range = this.lwc.timeScale().getVisibleLogicalRange();
      return range === null ? null : layer.autoscaleInfo(range.from, range.to);
    };
    const anchor = this.lwc.addSeries(LineSeries, { color: '#00000000', ...quiet, autoscaleInfoProvider }, pane);
    anchor.attachPrimitive(layer);
    this.anchor(anchor);
    this.formatScale(anchor, study);
    // A share and not a height: a height is reckoned from panes that may not be laid out yet.
    this.lwc.panes()[pane]?.setStretchFactor(1);
    return { layer, anchor };
  }

  private anchor(series: AnySeries): void {
    series.setData(this.model.bars.value().map((bar) => ({ time: utc(bar[0]), value: 0 })));
  }

  private formatScale(anchor: AnySeries, study: Study): void {
    const { format, precision } = study.result.value()?.declared ?? { format: null, precision: null };
    const decimals = precision ?? this.model.info.value()?.decimals ?? 2;
    anchor.applyOptions({
      priceFormat: format === 'format.volume' ? { type: 'volume' } : { type: 'price', precision: decimals, minMove: 10 ** -decimals },
    });
  }

  /** The colours that scripts give to bars; null where none does. */
  private barColors(): (string | null)[] | null {
    let colors: (string | null)[] | null = null;
    for (const study of this.model.studies.value()) {
      const result = study.visible.value() ? study.result.value() : null;
      for (const output of result?.outputs.filter((one) => one.function === 'barcolor') ?? []) {
        colors ??= this.model.bars.value().map(() => null);
        const offset = Number(output.settings['offset'] ?? 0);
        colors = colors.map((before, i) => {
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

  /** Clients look for the canvases by TradingView's name. */
  private nameCanvases(): void {
    for (const canvas of this.element.querySelectorAll('td:nth-child(2) canvas')) canvas.setAttribute('data-name', 'pane-canvas');
  }
}

const utc = (seconds: number): Time => seconds as UTCTimestamp;

function heikinAshi(bars: readonly Bar[]): Bar[] {
  let last: { open: number; close: number } | null = null;
  return bars.map(([time, open, high, low, close, volume]) => {
    const averageClose = (open + high + low + close) / 4;
    const averageOpen: number = last === null ? (open + close) / 2 : (last.open + last.close) / 2;
    last = { open: averageOpen, close: averageClose };
    return [time, averageOpen, Math.max(high, averageOpen, averageClose), Math.min(low, averageOpen, averageClose), averageClose, volume];
  });
}
