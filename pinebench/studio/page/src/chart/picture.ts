// The chart of a file: prices, volume and panes in one lightweight-charts chart, with one crosshair for all panes.
import {
  CandlestickSeries,
  createChartEx,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type AutoscaleInfo,
  type DeepPartial,
  type IChartApiBase,
  type ISeriesApi,
  type SeriesType,
  type TickMarkType,
  type Time,
  type TimeChartOptions,
  type UTCTimestamp,
} from 'lightweight-charts';
import { colorAt, css, DISPLAY, isDisplayed, valueText, type Format } from '../model/plots';
import { LastPrice } from '../view/lastPrice';
import { LabelStack } from '../view/study/labels';
import { ZonedTime } from '../view/zonedTime';
import type { ChartFile, Palette, Run, ThemeName } from './data';
import { Drawn, FillLayer, RunLayer } from './layer';
import { axisText, pricesRow, runRow } from './legend';

type AnySeries = ISeriesApi<SeriesType>;

/** The width of the axis of the prices, and the height of the time axis, in pixels. */
const AXIS = 84;
const FOOT = 26;
/** On a narrower screen fewer bars are seen first, so that candles are as wide as this number of pixels. */
const NARROW = 760;
const LEAST_SPACING = 3;
const FEWEST = 20;
/** The free share of the height above and below the values of a pane. */
const ROOM = 0.07 / 1.14;
/** Volumes take the lowest part of the pane of the prices. */
const ABOVE_VOLUME = 0.84;
const QUIET = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };

/** A pane with its legend, and the layers that are drawn in it. */
interface PaneParts {
  index: number;
  layers: RunLayer[];
  legend: HTMLElement;
}

export class Picture {
  private readonly chart: IChartApiBase;
  private readonly time = new ZonedTime();
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly volume: ISeriesApi<'Histogram'> | null;
  private readonly anchors: AnySeries[] = [];
  private readonly panes: PaneParts[] = [];
  private readonly painted: (string | null)[] | null;
  /** The labels on the two scales of the prices. */
  private readonly labels: { right: LabelStack; left: LabelStack };
  private palette: Palette;

  constructor(
    private readonly element: HTMLElement,
    private readonly tip: HTMLElement,
    private readonly file: ChartFile,
  ) {
    this.palette = file.themes[file.theme];
    this.time.zone = file.zone;
    // The axis on the left takes the place of the margin. A chart that grew later would show a part of one more bar.
    element.parentElement?.classList.toggle('wide', file.runs.some(({ scale }) => scale === 'left'));
    const options: DeepPartial<TimeChartOptions> = {
      autoSize: true,
      layout: { fontFamily: 'system-ui, sans-serif', fontSize: 11, attributionLogo: false },
      crosshair: { mode: CrosshairMode.Normal, vertLine: { style: LineStyle.Dashed }, horzLine: { style: LineStyle.Dashed } },
      rightPriceScale: { entireTextOnly: true, minimumWidth: AXIS, scaleMargins: { top: ROOM, bottom: ROOM } },
      leftPriceScale: { entireTextOnly: true, minimumWidth: AXIS, scaleMargins: { top: ROOM, bottom: ROOM }, visible: file.runs.some(({ scale }) => scale === 'left') },
      timeScale: { minBarSpacing: 0.05, minimumHeight: FOOT, timeVisible: file.intraday, tickMarkFormatter: this.mark },
      localization: { locale: 'en-GB', timeFormatter: this.moment },
    };
    this.chart = createChartEx<Time, ZonedTime>(element, this.time, options);
    this.painted = paintedBars(file);
    this.volume = file.hasVolume ? this.addVolume() : null;
    const ground = this.addAnchor('right', 0, () => null);
    this.candles = this.chart.addSeries(CandlestickSeries, { ...QUIET, priceLineVisible: true, priceLineStyle: LineStyle.SparseDotted, priceFormat: format(file.decimals) });
    const lastPrice = new LastPrice(() => this.lastLabel());
    this.candles.attachPrimitive(lastPrice);
    const height = () => this.chart.panes()[0]?.getHeight() ?? 0;
    this.labels = { right: new LabelStack(height, lastPrice), left: new LabelStack(height) };
    const onPrices = file.runs.map((run) => this.addToPrices(run));
    const parts = (behind: boolean) => onPrices.filter(({ run }) => run.behind === behind);
    ground.attachPrimitive(new Drawn((target) => parts(true).forEach((layer) => layer.draw(target))));
    this.candles.attachPrimitive(new Drawn((target) => parts(false).forEach((layer) => layer.draw(target))));
    this.candles.attachPrimitive(new FillLayer(file));
    this.candles.attachPrimitive(new Drawn((target) => onPrices.forEach((layer) => layer.drawTables(target))));
    this.panes.push({ index: 0, layers: onPrices, legend: this.addLegend() });
    file.runs.filter(({ pane }) => pane).forEach((run) => this.addPane(run));
    this.shareHeights();
    this.setLogarithmic(file.logarithmic);
    this.paint(file.theme);
    this.reset();
    this.chart.subscribeCrosshairMove(({ logical, point }) => this.tell(point === undefined || logical === undefined ? null : Math.round(logical)));
    element.addEventListener('pointermove', (event) => this.showTip(event));
    element.addEventListener('pointerleave', () => (this.tip.style.display = 'none'));
    this.tell(null);
    new ResizeObserver(() => this.placeLegends()).observe(element);
    this.panes.forEach(({ index }) => this.watchPane(index));
  }

  /** Show the bars that are seen first, on scales that fit them. */
  reset(): void {
    const { first, last, ahead } = this.file;
    const axes = this.file.runs.some(({ scale }) => scale === 'left') ? 2 : 1;
    const room = Math.floor((this.element.clientWidth - axes * AXIS) / LEAST_SPACING) - ahead;
    const from = this.element.clientWidth < NARROW ? Math.max(first, last - Math.max(room, FEWEST)) : first;
    this.chart.timeScale().setVisibleLogicalRange({ from, to: last - 1 + ahead });
    for (const series of [this.candles, ...this.anchors]) series.priceScale().applyOptions({ autoScale: true });
  }

  /** Remove the chart and its legends. */
  close(): void {
    this.chart.remove();
    this.panes.forEach(({ legend }) => legend.remove());
    this.tip.style.display = 'none';
  }

  /** Draw equal ratios of prices as equal distances, or equal differences. */
  setLogarithmic(wanted: boolean): void {
    this.candles.priceScale().applyOptions({ mode: wanted ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal });
  }

  /** Draw everything in the colours of a theme. */
  paint(theme: ThemeName): void {
    this.palette = this.file.themes[theme];
    const { background, ink, grid, rule, crosshair, label, up, down } = this.palette;
    this.chart.applyOptions({
      layout: { background: { color: background }, textColor: ink, panes: { separatorColor: rule, separatorHoverColor: grid } },
      grid: { vertLines: { color: grid }, horzLines: { color: grid } },
      crosshair: { vertLine: { color: crosshair, labelBackgroundColor: label }, horzLine: { color: crosshair, labelBackgroundColor: label } },
      rightPriceScale: { borderColor: rule },
      leftPriceScale: { borderColor: rule },
      timeScale: { borderColor: rule },
    });
    this.candles.applyOptions({ upColor: up, downColor: down, borderUpColor: up, borderDownColor: down, wickUpColor: up, wickDownColor: down });
    this.setBars();
  }

  private setBars(): void {
    const { bars } = this.file;
    const { volumeUp, volumeDown } = this.palette;
    this.candles.setData(
      bars.map(([time, open, high, low, close], i) => {
        const color = this.painted?.[i] ?? null;
        return { time: utc(time), open, high, low, close, ...(color === null ? {} : { color, wickColor: color, borderColor: color }) };
      }),
    );
    this.volume?.setData(bars.map((bar) => ({ time: utc(bar[0]), value: bar[5], color: bar[4] >= bar[1] ? volumeUp : volumeDown })));
  }

  /** The label of the last price of the file, in the colour of its bar. */
  private lastLabel(): { y: number; text: string; color: string } | null {
    const last = this.file.bars.at(-1);
    const y = last === undefined ? null : this.candles.priceToCoordinate(last[4]);
    if (last === undefined || y === null) return null;
    const color = this.painted?.at(-1) ?? (last[4] >= last[1] ? this.palette.up : this.palette.down);
    return { y, text: axisText(last[4], this.file.decimals), color: color.slice(0, 7) };
  }

  private addVolume(): ISeriesApi<'Histogram'> {
    const made = this.chart.addSeries(HistogramSeries, { ...QUIET, priceScaleId: 'volume', priceFormat: { type: 'volume' } });
    made.priceScale().applyOptions({ scaleMargins: { top: ABOVE_VOLUME, bottom: 0 } });
    return made;
  }

  /** Make the layer of a run on the prices: on their scale, or on a scale of its own. */
  private addToPrices(run: ChartFile['runs'][number]): RunLayer {
    const layer = new RunLayer(this.file, run, true, this.labels[run.overlay && run.scale === 'left' ? 'left' : 'right']);
    const isOwn = run.overlay && (run.scale === 'left' || run.scale === 'none');
    if (!isOwn) this.candles.attachPrimitive(layer);
    else this.addOwn(layer, run, run.scale === 'left' ? 'left' : `run ${this.file.runs.indexOf(run)}`, 0);
    return layer;
  }

  /** Make the pane of a run, below the prices. */
  private addPane(run: ChartFile['runs'][number]): void {
    const index = this.panes.length;
    const layer = new RunLayer(this.file, run, false, new LabelStack(() => this.chart.panes()[index]?.getHeight() ?? 0));
    const anchor = this.addOwn(layer, run, run.scale === 'left' ? 'left' : 'right', index);
    anchor.attachPrimitive(new Drawn((target) => layer.draw(target)));
    anchor.attachPrimitive(new Drawn((target) => layer.drawTables(target)));
    this.panes.push({ index, layers: [layer], legend: this.addLegend() });
  }

  /** Make an invisible series with the scale of a layer. */
  private addOwn(layer: RunLayer, run: Run, scale: string, pane: number): AnySeries {
    const range = () => this.chart.timeScale().getVisibleLogicalRange();
    const anchor = this.addAnchor(scale, pane, () => {
      const seen = range();
      return seen === null ? null : layer.ownRange(seen.from, seen.to);
    });
    anchor.attachPrimitive(layer);
    anchor.applyOptions({ priceFormat: valuesFormat(run.declared, this.file.decimals) });
    anchor.priceScale().applyOptions({ scaleMargins: { top: ROOM, bottom: ROOM } });
    return anchor;
  }

  /** A series needs a value to have a scale: one at the last bar, which is never to the left of the visible range. */
  private addAnchor(priceScaleId: string, pane: number, autoscaleInfoProvider: () => AutoscaleInfo | null): AnySeries {
    const { bars, decimals } = this.file;
    const made = this.chart.addSeries(LineSeries, { color: '#00000000', priceScaleId, ...QUIET, autoscaleInfoProvider, priceFormat: format(decimals) }, pane);
    const last = bars.at(-1);
    made.setData(last === undefined ? [] : [{ time: utc(last[0]), value: 0 }]);
    this.anchors.push(made);
    return made;
  }

  private shareHeights(): void {
    const below = this.panes.length - 1;
    const each = below === 0 ? 0 : this.file.share / below;
    this.chart.panes().forEach((pane, i) => pane.setStretchFactor(i === 0 ? 1 - this.file.share : each));
  }

  // legends and tooltips

  private addLegend(): HTMLElement {
    const made = document.createElement('div');
    made.className = 'legend';
    this.tip.before(made);
    return made;
  }

  /** Write the legends for a bar; null is the last one of those that are seen first. */
  private tell(pointed: number | null): void {
    const index = Math.min(Math.max(pointed ?? this.file.last - 1, 0), this.file.bars.length - 1);
    for (const { index: number, layers, legend } of this.panes) {
      const shown = layers.filter(({ run, outputs }) => number > 0 || run.overlay || outputs.length > 0);
      const rows = shown.length + (number === 0 ? 1 : 0);
      while (legend.childElementCount < rows) legend.append(document.createElement('div'));
      const [head, ...rest] = [...legend.children] as HTMLElement[];
      if (number === 0 && head !== undefined) pricesRow(head, this.file, index);
      const own = number === 0 || head === undefined ? rest : [head, ...rest];
      shown.forEach((layer, i) => {
        const row = own[i];
        if (row !== undefined) runRow(row, layer, index);
      });
    }
  }

  private watchPane(index: number, tries = 10): void {
    const node = this.chart.panes()[index]?.getHTMLElement();
    if (node) new ResizeObserver(() => this.placeLegends()).observe(node);
    else if (tries > 0) requestAnimationFrame(() => this.watchPane(index, tries - 1)); // made with the next picture
  }

  private placeLegends(): void {
    const top = this.element.getBoundingClientRect().top;
    for (const { index, legend } of this.panes) {
      const cell = this.cellOf(index);
      if (cell === undefined) continue;
      legend.style.top = `${cell.top - top + 4}px`;
      legend.style.left = `${cell.left - (this.element.parentElement?.getBoundingClientRect().left ?? 0) + 6}px`;
      legend.style.maxHeight = `${Math.max(cell.height - 6, 0)}px`;
    }
  }

  private cellOf(index: number): DOMRect | undefined {
    return this.chart.panes()[index]?.getHTMLElement()?.children[1]?.getBoundingClientRect();
  }

  private showTip({ clientX, clientY }: PointerEvent): void {
    const found = this.panes.flatMap(({ index, layers }) => {
      const cell = this.cellOf(index);
      if (cell === undefined || clientY < cell.top || clientY > cell.bottom) return [];
      return layers.map((layer) => layer.tipAt(clientX - cell.left, clientY - cell.top));
    });
    const text = found.findLast((one) => one !== null) ?? null;
    this.tip.style.display = text === null ? 'none' : 'block';
    if (text === null) return;
    const box = this.element.getBoundingClientRect();
    this.tip.textContent = text;
    this.tip.style.left = `${Math.min(clientX - box.left + 14, box.width - 330)}px`;
    this.tip.style.top = `${clientY - box.top + 14}px`;
  }

  // time

  private readonly mark = (time: Time, kind: TickMarkType, locale: string): string =>
    this.file.dated ? this.time.mark(time, kind, locale) : this.number(time);

  private readonly moment = (time: Time): string => (this.file.dated ? this.time.text(time) : this.number(time));

  private number(time: Time): string {
    return `D${this.file.bars.findIndex((bar) => bar[0] === Number(time)) - this.file.first}`;
  }
}

/** The colours that scripts give to bars; null if no script does. */
function paintedBars(file: ChartFile): (string | null)[] | null {
  let colors: (string | null)[] | null = null;
  for (const output of file.runs.flatMap(({ outputs }) => outputs)) {
    if (output.function !== 'barcolor' || !isDisplayed(output, DISPLAY.pane)) continue;
    colors ??= file.bars.map(() => null);
    const offset = Number(output.settings['offset'] ?? 0);
    const last = Number(output.settings['show_last'] ?? Infinity);
    colors = colors.map((before, i, { length }) => {
      const color = i < length - last + offset ? null : colorAt(output, i - offset, 'color', null);
      return color === null ? before : css(color);
    });
  }
  return colors;
}

const format = (decimals: number) => ({ type: 'custom' as const, minMove: 10 ** -decimals, formatter: (price: number) => axisText(price, decimals) });

/** The format of the values of a run on a scale of its own. */
const valuesFormat = (declared: Format, decimals: number) => ({
  type: 'custom' as const,
  minMove: 10 ** -(declared.precision ?? decimals),
  formatter: (value: number) => (declared.format === null ? axisText(value, declared.precision ?? decimals) : valueText(value, declared, decimals)),
});

const utc = (seconds: number): Time => seconds as UTCTimestamp;
