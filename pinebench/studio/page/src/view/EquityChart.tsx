// A strategy's account over all bars that it ran on: equity beside buying and holding, and the drawdown below.
import {
  AreaSeries,
  BaselineSeries,
  createChartEx,
  LineSeries,
  type DeepPartial,
  type IChartApiBase,
  type Time,
  type TimeChartOptions,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { inCurrency, moneyText } from '../model/formats';
import { theme, type Theme } from '../model/preferences';
import type { Tested } from '../server';
import { useWatched } from '../watched';
import { chartFont, followFont } from './fonts';
import { PALETTES } from './palette';
import { ZonedTime } from './zonedTime';

const COLORS: Record<Theme, { equity: string; held: string; fall: string; top: string; bottom: string }> = {
  dark: { equity: '#35b58a', held: '#e0a94b', fall: '#e05a6299', top: '#35b58a44', bottom: '#35b58a00' },
  light: { equity: '#0c7455', held: '#9a6400', fall: '#d23f4b99', top: '#0c745533', bottom: '#0c745500' },
};

/** A chart of an account in a place of the page. Returns it, and a function that removes it. */
export function accountChart(place: HTMLElement, look: Theme, zone: string): { chart: IChartApiBase; remove: () => void } {
  const { text, grid, border } = PALETTES[look];
  const time = new ZonedTime();
  time.zone = zone;
  const options: DeepPartial<TimeChartOptions> = {
    autoSize: true,
    layout: { background: { color: 'transparent' }, textColor: text, fontFamily: chartFont(), fontSize: 11, attributionLogo: false, panes: { separatorColor: border } },
    grid: { vertLines: { color: grid }, horzLines: { color: grid } },
    rightPriceScale: { borderColor: border, entireTextOnly: true },
    timeScale: { borderColor: border, timeVisible: true, minBarSpacing: 0.01, tickMarkFormatter: time.mark },
    localization: { locale: 'en-GB', timeFormatter: time.text, priceFormatter: moneyText },
  };
  const chart = createChartEx<Time, ZonedTime>(place, time, options);
  const forget = followFont(chart);
  const remove = () => {
    forget();
    chart.remove();
  };
  return { chart, remove };
}

/** The points of a series in the chart. */
export const pointsOf = (times: readonly number[], values: readonly number[]) => values.map((value, i) => ({ time: (times[i] ?? 0) as UTCTimestamp, value }));

/** `zone` is the time zone of its axis. */
export function EquityChart({ curve, zone, currency }: { curve: Tested['curve']; zone: string; currency: string }) {
  const place = useRef<HTMLDivElement>(null);
  const look = useWatched(theme);
  useEffect(() => {
    if (place.current === null) return;
    const colors = COLORS[look];
    const { chart, remove } = accountChart(place.current, look, zone);
    const rows = (values: readonly number[]) => pointsOf(curve.times, values);
    const quiet = { priceLineVisible: false };
    const falling = { bottomLineColor: colors.fall, bottomFillColor1: colors.fall, bottomFillColor2: colors.fall, lineWidth: 1 as const };
    const fall = chart.addSeries(BaselineSeries, { ...falling, priceScaleId: 'fall', ...quiet, lastValueVisible: false });
    chart.priceScale('fall').applyOptions({ scaleMargins: { top: 0.78, bottom: 0 } });
    fall.setData(rows(curve.drawDown.map((value) => -value)));
    const areas = { topColor: colors.top, bottomColor: colors.bottom };
    chart.addSeries(AreaSeries, { lineColor: colors.equity, lineWidth: 2, ...areas, ...quiet }).setData(rows(curve.equity));
    if (curve.buyHold.length > 0) chart.addSeries(LineSeries, { color: colors.held, lineWidth: 1, ...quiet }).setData(rows(curve.buyHold));
    chart.timeScale().fitContent();
    return remove;
  }, [curve, zone, look]);
  return (
    <figure className="strategyReport__chart">
      <figcaption>
        <span style={{ color: COLORS[look].equity }}>Equity</span>
        <span style={{ color: COLORS[look].held }}>Buy &amp; hold</span>
        <span className="down" title="From the highest equity at an earlier close to the equity at a close">
          Drawdown at closes, largest {inCurrency(moneyText(curve.largestDrawDown), currency)}
        </span>
      </figcaption>
      <div ref={place} />
    </figure>
  );
}
