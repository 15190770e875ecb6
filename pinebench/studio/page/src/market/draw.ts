// The chart of a payload: candles, volume, and the seven channels of its indicators, drawn as they are given.
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
  type IChartApi,
  type IPrimitivePaneView,
  type ISeriesApi,
  type ISeriesPrimitive,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Bar } from '../server';
import { markMadeUp } from '../view/madeUp';
import { Pane, type Place } from '../view/study/pane';
import type { Indicator, Payload, Values } from './payload';
import { figure } from './words';

/** Colours that can be told apart on both grounds; an indicator's lines take them in turn. */
const COLORS = ['#2f7de1', '#d9822b', '#9b5de5', '#0f9d8a', '#d6336c', '#7a8a1e', '#c2571a', '#5c6bc0', '#00838f', '#ad1457'];
const QUIET = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };
const DAY = 86_400;
const UP = /buy|up|bull|oversold|_os$/;
const DOWN = /sell|down|bear|overbought|_ob$/;
const PANEL = 0.28;
/** Pixels of the prices, and of each pane below them. */
const TALL = 320;
const PANEL_TALL = 120;

type AnySeries = ISeriesApi<SeriesType>;

interface Legend {
  pane: number;
  element: HTMLElement;
  rows: { label: string; lines: { name: string; color: string; values: Values }[] }[];
}

export class MarketChart {
  private chart: IChartApi | null = null;
  private legends: Legend[] = [];
  private bars: Bar[] = [];
  private payload: Payload | null = null;
  private decimals = 2;

  constructor(private readonly element: HTMLElement) {}

  /** Draw a payload in place of the one before, in the order of `keys`. */
  show(payload: Payload, keys: readonly string[]): void {
    this.clear();
    this.payload = payload;
    this.bars = payload.bars.map(({ t, o, h, l, c, v }, i) => [t ?? i * DAY, o, h, l, c, v]);
    this.decimals = decimalsOf(this.bars);
    const dated = payload.bars[0]?.t !== null;
    const panels = keys.filter((key) => payload.indicators[key]?.is_overlay === false).length;
    this.element.style.minHeight = `${TALL + panels * PANEL_TALL}px`;
    const chart = createChart(this.element, {
      autoSize: true,
      layout: { fontFamily: 'system-ui, sans-serif', fontSize: 11, attributionLogo: false },
      timeScale: {
        timeVisible: dated && !/[dw]|mo/i.test(payload.interval),
        ...(dated ? {} : { tickMarkFormatter: (time: Time) => `D${Number(time) / DAY}` }),
      },
      localization: { locale: 'en-GB', ...(dated ? {} : { timeFormatter: (time: Time) => `D${Number(time) / DAY}` }) },
    });
    this.chart = chart;
    const candles = chart.addSeries(CandlestickSeries, { priceFormat: { type: 'price', precision: this.decimals, minMove: 10 ** -this.decimals } });
    candles.setData(this.bars.map(([time, open, high, low, close]) => ({ time: utc(time), open, high, low, close })));
    const volume = chart.addSeries(HistogramSeries, { ...QUIET, priceScaleId: 'volume', color: '#8893a855', priceFormat: { type: 'volume' } });
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } });
    volume.setData(this.bars.map((bar) => ({ time: utc(bar[0]), value: bar[5] })));
    const prices = this.legend(0);
    const shown = keys.flatMap((key) => payload.indicators[key] ?? []).filter((one) => one.error === undefined);
    shown.forEach((one, i) => {
      if (one.is_overlay) this.add(one, i, 0, candles, prices);
      else this.add(one, i, chart.panes().length, null, this.legend(chart.panes().length));
    });
    chart.panes().forEach((pane, i) => pane.setStretchFactor(i === 0 ? 1 : PANEL));
    chart.timeScale().fitContent();
    chart.subscribeCrosshairMove(({ logical, point }) => this.tell(point === undefined || logical === undefined ? null : Math.round(logical)));
    this.paint();
    this.tell(null);
    this.place();
    new ResizeObserver(() => this.place()).observe(this.element);
    requestAnimationFrame(() => this.place());
  }

  /** Take the colours of the page's theme. */
  paint(): void {
    const style = getComputedStyle(this.element);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const [up, down, line] = [color('--up'), color('--down'), color('--line')];
    this.chart?.applyOptions({
      layout: { background: { color: color('--panel') }, textColor: color('--muted'), panes: { separatorColor: color('--line-strong') } },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    });
    const candles = this.chart?.panes()[0]?.getSeries().find((one) => one.seriesType() === 'Candlestick');
    candles?.applyOptions({ upColor: up, downColor: down, borderUpColor: up, borderDownColor: down, wickUpColor: up, wickDownColor: down });
  }

  /** The series and levels of the chart, and its picture, for programs that drive the page. */
  held(): { panes: { type: string; points: number; levels: number }[][]; picture: () => HTMLCanvasElement } {
    const chart = this.chart;
    if (chart === null) throw new Error('no chart is drawn');
    const panes = chart.panes().map((pane) =>
      pane.getSeries().map((one) => ({ type: one.seriesType(), points: one.data().filter((point) => 'value' in point || 'close' in point).length, levels: one.priceLines().length })),
    );
    const isMadeUp = this.payload?.source !== 'fetched';
    return { panes, picture: () => (isMadeUp ? markMadeUp(chart.takeScreenshot(), '') : chart.takeScreenshot()) };
  }

  clear(): void {
    for (const { element } of this.legends) element.remove();
    this.legends = [];
    this.chart?.remove();
    this.chart = null;
  }

  private add(one: Indicator, number: number, pane: number, ground: AnySeries | null, legend: Legend): void {
    const chart = this.chart;
    if (chart === null) return;
    const color = (i: number) => COLORS[(number * 3 + i) % COLORS.length] ?? '#2f7de1';
    const row: Legend['rows'][number] = { label: one.label, lines: [] };
    legend.rows.push(row);
    const anchor = ground ?? this.anchor(one, pane);
    (one.histogram ?? []).forEach(({ values }, i) => {
      const made = chart.addSeries(HistogramSeries, { ...QUIET, base: 0 }, pane);
      made.setData(this.points(values).map((point) => ('value' in point ? { ...point, color: point.value < 0 ? '#d6336caa' : '#0f9d8aaa' } : point)));
      row.lines.push({ name: `Histogram${i === 0 ? '' : ` ${i + 1}`}`, color: '#0f9d8a', values });
    });
    (one.lines ?? []).forEach(({ label, values, ahead = [] }, i) => {
      // The library would join the ends of a gap, as if there were values in it: `Marks` draws the line. The series has its scale.
      const made = chart.addSeries(LineSeries, { ...QUIET, color: color(i), lineVisible: false }, pane);
      made.setData([...this.points(values), ...this.ahead(ahead)]);
      row.lines.push({ name: label ?? '', color: color(i), values });
    });
    for (const { y } of one.hlines ?? []) {
      anchor.createPriceLine({ price: y, color: color(0), lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: false, title: '' });
    }
    anchor.attachPrimitive(new Marks(one, color, chart, anchor, this.bars));
  }

  /** An invisible series that gives a pane its scale and holds its levels. */
  private anchor(one: Indicator, pane: number): AnySeries {
    const [low, high] = one.y_range ?? limits(one);
    const range = (): AutoscaleInfo | null => (Number.isFinite(low) && Number.isFinite(high) ? { priceRange: { minValue: low, maxValue: high } } : null);
    const made = this.chart?.addSeries(LineSeries, { ...QUIET, color: '#00000000', autoscaleInfoProvider: range }, pane);
    const last = this.bars.at(-1);
    if (made === undefined) throw new Error('no chart is drawn');
    made.setData(last === undefined ? [] : [{ time: utc(last[0]), value: Number.isFinite(low) ? low : 0 }]);
    return made;
  }

  private points(values: Values): ({ time: Time; value: number } | { time: Time })[] {
    return this.bars.map((bar, i) => {
      const value = values[i];
      return value === null || value === undefined ? { time: utc(bar[0]) } : { time: utc(bar[0]), value };
    });
  }

  /** Values after the last bar, at the distance of the last two bars. */
  private ahead(values: Values): ({ time: Time; value: number } | { time: Time })[] {
    const [before, last] = [this.bars.at(-2)?.[0] ?? 0, this.bars.at(-1)?.[0] ?? DAY];
    return values.map((value, i) => {
      const time = utc(last + (i + 1) * (last - before));
      return value === null ? { time } : { time, value };
    });
  }

  // legends: the name of each indicator, and its values on the bar under the crosshair, else the last ones

  private legend(pane: number): Legend {
    const element = document.createElement('div');
    element.className = 'market__legend';
    this.element.append(element);
    const made = { pane, element, rows: [] };
    this.legends.push(made);
    return made;
  }

  private tell(pointed: number | null): void {
    const at = Math.min(Math.max(pointed ?? this.bars.length - 1, 0), this.bars.length - 1);
    const bar = this.bars[at];
    for (const { pane, element, rows } of this.legends) {
      const made = rows.map(({ label, lines }) => legendRow(label, lines.map(({ name, color, values }) => ({ text: `${name} ${figure(known(values, at, pointed === null))}`, color }))));
      if (pane === 0 && bar !== undefined) {
        const [open, high, low, close] = bar.slice(1, 5).map((value) => value.toFixed(this.decimals));
        made.unshift(legendRow(this.payload?.symbol ?? 'Sample', [{ text: `O ${open} H ${high} L ${low} C ${close}`, color: '' }]));
      }
      element.replaceChildren(...made);
    }
  }

  private place(): void {
    const top = this.element.getBoundingClientRect().top;
    for (const { pane, element } of this.legends) {
      const node = this.chart?.panes()[pane]?.getHTMLElement();
      if (!node) continue;
      const box = node.getBoundingClientRect();
      element.style.top = `${box.top - top + 4}px`;
      element.style.maxHeight = `${Math.max(box.height - 6, 0)}px`;
    }
  }
}

/** The drawings of an indicator for which lightweight-charts has no series, or a wrong one. */
class Marks implements ISeriesPrimitive {
  private readonly views: readonly IPrimitivePaneView[] = [
    {
      zOrder: () => 'normal',
      renderer: () => ({
        draw: (target) =>
          target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
            context.save();
            context.translate(0.5, 0.5); // a coordinate of the library is the middle of a pixel
            this.draw(new Pane(context, width, height, this.bars, this.chart, this.series));
            context.restore();
          }),
      }),
    },
  ];

  constructor(
    private readonly one: Indicator,
    private readonly colorOf: (line: number) => string,
    private readonly chart: IChartApi,
    private readonly series: AnySeries,
    private readonly bars: readonly Bar[],
  ) {}

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views;
  }

  private draw(pane: Pane): void {
    const { fills = [], lines = [], hbars = [], divlines = [], signals = [] } = this.one;
    const own = this.colorOf(0);
    for (const { y1, y2 } of fills) drawFill(pane, y1, y2, `${own}26`);
    lines.forEach(({ values, ahead = [] }, i) => drawLine(pane, [...values, ...ahead], this.colorOf(i)));
    for (const { y, height, width, offset, left } of hbars) {
      const [near, far] = [offset * pane.width, (offset + width) * pane.width];
      const [from, to] = left ? [near, far] : [pane.width - far, pane.width - near];
      pane.rectangle(from, pane.y(y + height / 2), to, pane.y(y - height / 2), `${own}66`);
    }
    for (const { x1, y1, x2, y2, dashed } of divlines) {
      const ends = [{ x: pane.x(x1), y: pane.y(y1) }, { x: pane.x(x2), y: pane.y(y2) }];
      pane.stroke(ends, own, 2, dashed ? 'dashed' : 'solid');
    }
    for (const { x, y, label } of signals) this.drawSignal(pane, pane.x(x), pane.y(y), label);
  }

  /** A triangle for what goes up or down, else a dot; the name if there is room for it. */
  private drawSignal(pane: Pane, x: number, y: number, label: string): void {
    const way = UP.test(label) ? 1 : DOWN.test(label) ? -1 : 0;
    const color = way === 0 ? this.colorOf(0) : way > 0 ? '#0f9d8a' : '#d6336c';
    if (way === 0) pane.rectangle(x - 2.5, y - 2.5, x + 2.5, y + 2.5, color);
    else pane.surface([{ x: x - 4, y: y + 4 * way }, { x: x + 4, y: y + 4 * way }, { x, y: y - 4 * way }], color);
    if (pane.step >= 14) pane.words(x, y + 12 * (way || 1), label, color, { size: 9 });
  }
}

/** A line through values of bars in a row; it ends where a value is missing. A value without neighbours is a dot. */
function drawLine(pane: Pane, values: Values, color: string): void {
  let points: Place[] = [];
  const flush = () => {
    const [only] = points;
    if (points.length > 1) pane.stroke(points, color, 2);
    else if (only !== undefined) pane.rectangle(only.x - 1.5, only.y - 1.5, only.x + 1.5, only.y + 1.5, color);
    points = [];
  };
  for (let i = Math.max(pane.first, 0); i <= Math.min(pane.last, values.length - 1); i++) {
    const value = values[i];
    if (value === null || value === undefined) flush();
    else points.push({ x: pane.x(i), y: pane.y(value) });
  }
  flush();
}

/** Fill between two columns, in one piece for bars in a row that have both values. */
function drawFill(pane: Pane, first: Values, second: Values, color: string): void {
  let [over, under]: [Place[], Place[]] = [[], []];
  const flush = () => {
    if (over.length > 1) pane.surface([...over, ...under.reverse()], color);
    [over, under] = [[], []];
  };
  for (let i = Math.max(pane.first, 0); i <= Math.min(pane.last, first.length - 1); i++) {
    const [a, b] = [first[i], second[i]];
    if (a === null || a === undefined || b === null || b === undefined) {
      flush();
      continue;
    }
    over.push({ x: pane.x(i), y: pane.y(a) });
    under.push({ x: pane.x(i), y: pane.y(b) });
  }
  flush();
}

function legendRow(label: string, parts: { text: string; color: string }[]): HTMLElement {
  const row = document.createElement('div');
  const name = document.createElement('b');
  name.textContent = label;
  row.append(name);
  for (const { text, color } of parts) {
    const part = document.createElement('span');
    if (color !== '') {
      const swatch = document.createElement('i'); // the colour is beside the text, so that the text is readable on both grounds
      swatch.style.background = color;
      part.append(swatch);
    }
    part.append(text);
    row.append(part);
  }
  return row;
}

/** The value at a bar; for the last bar the last value that is known. */
function known(values: Values, at: number, last: boolean): number | null {
  return (last ? values.findLast((value) => value !== null) : values[at]) ?? null;
}

function limits({ lines = [], histogram = [], fills = [], signals = [], hlines = [], hbars = [], divlines = [] }: Indicator): [number, number] {
  const all = [
    ...lines.flatMap(({ values }) => values),
    ...histogram.flatMap(({ values }) => [...values, 0]),
    ...fills.flatMap(({ y1, y2 }) => [...y1, ...y2]),
    ...[...signals, ...hlines].map(({ y }) => y),
    ...hbars.flatMap(({ y, height }) => [y - height / 2, y + height / 2]),
    ...divlines.flatMap(({ y1, y2 }) => [y1, y2]),
  ].filter((value): value is number => value !== null);
  return [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), -Infinity)];
}

/** As many decimals as the prices have, but no more than make six digits: 64000.12, 14.6496, 0.00001234. */
function decimalsOf(bars: readonly Bar[]): number {
  const closes = bars.slice(-50).map((bar) => bar[4]);
  const own = Math.max(2, ...closes.map((close) => (String(Number(close.toPrecision(10))).split('.')[1] ?? '').length));
  const size = Math.floor(Math.log10(Math.max(...closes.map(Math.abs), 1e-8)));
  return Math.min(own, Math.max(2, 5 - size), 8);
}

const utc = (seconds: number): Time => seconds as UTCTimestamp;
