// A strategy's account over all bars that it ran on: equity beside buying and holding, and the drawdown below.
import { AreaSeries, createChart, HistogramSeries, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { Tested } from '../server';

const COLORS = { equity: '#35b58a', held: '#e0a94b', fall: '#e05a6299', text: '#8a94a6', grid: '#171d25', border: '#222934' };

export function EquityChart({ curve }: { curve: Tested['curve'] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const chart = createChart(place.current, {
      autoSize: true,
      layout: { background: { color: 'transparent' }, textColor: COLORS.text, fontFamily: 'Inter Variable, system-ui, sans-serif', fontSize: 11, attributionLogo: false },
      grid: { vertLines: { color: COLORS.grid }, horzLines: { color: COLORS.grid } },
      rightPriceScale: { borderColor: COLORS.border },
      timeScale: { borderColor: COLORS.border, timeVisible: true, minBarSpacing: 0.01 },
      localization: { locale: 'en-GB' },
    });
    const rows = (values: readonly number[]) => values.map((value, i) => ({ time: (curve.times[i] ?? 0) as UTCTimestamp, value }));
    const quiet = { priceLineVisible: false };
    const fall = chart.addSeries(HistogramSeries, { color: COLORS.fall, priceScaleId: 'fall', ...quiet, lastValueVisible: false });
    chart.priceScale('fall').applyOptions({ scaleMargins: { top: 0.78, bottom: 0 } });
    fall.setData(rows(curve.drawDown));
    const areas = { topColor: '#35b58a44', bottomColor: '#35b58a00' };
    chart.addSeries(AreaSeries, { lineColor: COLORS.equity, lineWidth: 2, ...areas, ...quiet }).setData(rows(curve.equity));
    if (curve.buyHold.length > 0) chart.addSeries(LineSeries, { color: COLORS.held, lineWidth: 1, ...quiet }).setData(rows(curve.buyHold));
    chart.timeScale().fitContent();
    return () => chart.remove();
  }, [curve]);
  return (
    <figure className="strategyReport__chart">
      <figcaption>
        <span style={{ color: COLORS.equity }}>Equity</span>
        <span style={{ color: COLORS.held }}>Buy &amp; hold</span>
        <span className="down">Drawdown</span>
      </figcaption>
      <div ref={place} />
    </figure>
  );
}
