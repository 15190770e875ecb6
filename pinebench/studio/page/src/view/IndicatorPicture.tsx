// A small picture of an indicator, which is run on the bars of the chart.
import { PriceScaleMode, type IChartApiBase, type ISeriesApi, type SeriesType } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import type { Chart } from '../model/chart';
import { theme } from '../model/preferences';
import type { Study } from '../model/study';
import type { Bar, RunResult } from '../server';
import { PALETTES } from './palette';
import { drawDrawings } from './study/drawings';
import { drawOutputs, valuesBetween } from './study/outputs';
import { Pane } from './study/pane';

/** The number of bars in a picture. */
const SHOWN = 90;
const MARGIN = 8;
/** A choice is run after this time. */
const REST_MS = 120;
const STARTS = '…';
const LASTS = 'It takes a long time to run.';

interface Props {
  chart: Chart;
  /** The name of the choice. */
  name: string;
  study: () => Promise<Study>;
}

export function IndicatorPicture({ chart, name, study }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [told, setTold] = useState(STARTS);
  const load = useRef(study);
  load.current = study;
  useEffect(() => {
    let awaited = true;
    setTold(STARTS);
    clear(canvas.current);
    const show = async () => {
      const made = await load.current();
      if (!awaited) return;
      if (made.fresh() === null) await chart.preview(made);
      if (awaited && made.state.value().kind === 'running') setTold(LASTS);
      await endOf(made);
      const result = made.fresh();
      if (!awaited || canvas.current === null) return;
      const state = made.state.value();
      if (result === null) setTold(state.kind === 'failed' ? state.problem : LASTS);
      else setTold(drawPicture(canvas.current, chart.bars.value(), result, !made.ownPane) ? '' : 'It draws nothing on these bars.');
    };
    const timer = setTimeout(() => void show().catch((error: unknown) => awaited && setTold(error instanceof Error ? error.message : String(error))), REST_MS);
    return () => {
      awaited = false;
      clearTimeout(timer);
    };
  }, [chart, name]);
  return (
    <figure className="indicator-picture" data-name="indicator-picture" aria-busy={told === STARTS || told === LASTS}>
      <canvas ref={canvas} role="img" aria-label={`What ${name} draws on the chart's last bars`} />
      <figcaption>{told}</figcaption>
    </figure>
  );
}

/** Resolve when a study does not run. */
function endOf(study: Study): Promise<void> {
  if (study.state.value().kind !== 'running') return Promise.resolve();
  return new Promise((done) => {
    const forget = study.state.subscribe(({ kind }) => {
      if (kind === 'running') return;
      forget();
      done();
    });
  });
}

function clear(canvas: HTMLCanvasElement | null): void {
  canvas?.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
}

/** Draw the result of a run on the last bars; return false if nothing is visible. */
function drawPicture(canvas: HTMLCanvasElement, bars: readonly Bar[], result: RunResult, onPrices: boolean): boolean {
  const context = canvas.getContext('2d');
  const { clientWidth: width, clientHeight: height } = canvas;
  const last = bars.length - 1;
  const first = Math.max(0, last - SHOWN + 1);
  const prices = onPrices ? bars.slice(first).flatMap((bar) => [bar[2], bar[3]]) : [];
  const all = [...(valuesBetween(result.outputs, bars, first, last) ?? []), ...prices].filter(Number.isFinite);
  if (context === null || width === 0 || all.length === 0) return false;
  const ratio = window.devicePixelRatio;
  Object.assign(canvas, { width: width * ratio, height: height * ratio });
  context.scale(ratio, ratio);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const step = width / (last - first + 1);
  const x = (index: number) => (index - first + 0.5) * step;
  const y = (price: number) => height - MARGIN - ((price - low) / (high - low || 1)) * (height - 2 * MARGIN);
  const scale = { getVisibleLogicalRange: () => ({ from: first, to: last }), logicalToCoordinate: x };
  const chart = { timeScale: () => scale } as unknown as IChartApiBase;
  const price = (at: number) => low + ((height - MARGIN - at) / (height - 2 * MARGIN)) * (high - low || 1);
  const linear = { options: () => ({ mode: PriceScaleMode.Normal }) };
  const series = { priceToCoordinate: y, coordinateToPrice: price, priceScale: () => linear } as unknown as ISeriesApi<SeriesType>;
  const pane = new Pane(context, width, height, bars, chart, series);
  const shown = result.outputs.filter(({ settings }) => onPrices || settings['force_overlay'] !== true);
  drawOutputs(pane, shown, result.outputs, result.declared.explicit_plot_zorder === true);
  drawDrawings(pane, result.drawings);
  if (onPrices) drawBars(context, bars.slice(first), (i) => x(first + i), y, step);
  return true;
}

function drawBars(context: CanvasRenderingContext2D, bars: readonly Bar[], x: (i: number) => number, y: (price: number) => number, step: number): void {
  const { up, down } = PALETTES[theme.value()];
  const wide = Math.max(1, step * 0.6);
  bars.forEach(([, open, high, low, close], i) => {
    context.fillStyle = close >= open ? up : down;
    context.fillRect(x(i) - 0.5, y(high), 1, y(low) - y(high));
    context.fillRect(x(i) - wide / 2, Math.min(y(open), y(close)), wide, Math.max(1, Math.abs(y(open) - y(close))));
  });
}
