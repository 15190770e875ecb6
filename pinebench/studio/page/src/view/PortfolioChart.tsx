// The equity of a portfolio, and below it the profit of each strategy.
import { AreaSeries, LineSeries } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { theme, type Theme } from '../model/preferences';
import type { PortfolioReport } from '../server';
import { useWatched } from '../watched';
import { accountChart, pointsOf } from './EquityChart';

const EQUITY: Record<Theme, { line: string; top: string; bottom: string }> = {
  dark: { line: '#35b58a', top: '#35b58a44', bottom: '#35b58a00' },
  light: { line: '#0c7455', top: '#0c745533', bottom: '#0c745500' },
};
const COLORS: Record<Theme, readonly string[]> = {
  dark: ['#5b9cf6', '#e0a94b', '#c58af9', '#e3767d', '#4fc3d9', '#b5c96a', '#f28ac0', '#a9b2c3'],
  light: ['#2260c4', '#9a6400', '#7a3fc0', '#c0303c', '#0b7285', '#5c7a12', '#b3267a', '#5a6475'],
};

export const colorOf = (look: Theme, number: number): string => COLORS[look][number % COLORS[look].length] ?? '';

/** `zone` is the time zone of its axis. */
export function PortfolioChart({ report, zone }: { report: PortfolioReport; zone: string }) {
  const place = useRef<HTMLDivElement>(null);
  const look = useWatched(theme);
  const { curve, strategies } = report;
  useEffect(() => {
    if (place.current === null) return;
    const { chart, remove } = accountChart(place.current, look, zone);
    const { line, top, bottom } = EQUITY[look];
    const quiet = { priceLineVisible: false };
    chart.addSeries(AreaSeries, { lineColor: line, lineWidth: 2, topColor: top, bottomColor: bottom, ...quiet }).setData(pointsOf(curve.times, curve.equity));
    curve.strategies.forEach((profit, i) => {
      chart.addSeries(LineSeries, { color: colorOf(look, i), lineWidth: 1, ...quiet }, 1).setData(pointsOf(curve.times, profit));
    });
    chart.timeScale().fitContent();
    return remove;
  }, [curve, zone, look]);
  return (
    <figure className="strategyReport__chart portfolio__chart">
      <figcaption>
        <span style={{ color: EQUITY[look].line }}>Equity</span>
        {strategies.map(({ name }, i) => (
          <span key={name}>
            <i className="portfolio__swatch" style={{ background: colorOf(look, i) }} /> {name}
          </span>
        ))}
      </figcaption>
      <div ref={place} />
    </figure>
  );
}
