// The chart's symbol at a glance: price, change, and where the price stands within the day and the year.
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { pageNumber, signed, useQuote } from './quote';

const YEAR = 252;

export function Details() {
  const symbol = useWatched(useWatched(useWorkspace().active).symbol);
  const quote = useQuote(symbol, YEAR);
  if (quote === null || quote.info.full_name !== symbol) return null;
  const { info, bars, last } = quote;
  const low = Math.min(...bars.map((bar) => bar[3]));
  const high = Math.max(...bars.map((bar) => bar[2]));
  return (
    <section className="details" data-name="details">
      <b className="details__name">{info.description}</b>
      <span className="details__kind">
        {[info.exchange, info.type].filter(Boolean).join(' · ')}
      </span>
      <p className="details__price">
        <b>{pageNumber(last[4], info.decimals)}</b>
        <small>{info.currency}</small>
        <span className={quote.change < 0 ? 'down' : 'up'}>
          {signed(quote.change, info.decimals)} ({signed(quote.percent, 2)}%)
        </span>
      </p>
      <Range name="Day" low={last[3]} high={last[2]} value={last[4]} decimals={info.decimals} />
      <Range name="52 weeks" low={low} high={high} value={last[4]} decimals={info.decimals} />
      {info.has_volume && (
        <dl>
          <dt>Volume</dt>
          <dd>{compact(last[5])}</dd>
          <dt>Average, 20 days</dt>
          <dd>{compact(bars.slice(-20).reduce((sum, bar) => sum + bar[5], 0) / Math.min(20, bars.length))}</dd>
        </dl>
      )}
      {info.read.map((sentence) => (
        <p key={sentence} className="details__read">
          {sentence}
        </p>
      ))}
    </section>
  );
}

interface RangeProps {
  name: string;
  low: number;
  high: number;
  value: number;
  decimals: number;
}

function Range({ name, low, high, value, decimals }: RangeProps) {
  const at = high > low ? ((value - low) / (high - low)) * 100 : 50;
  return (
    <div className="range">
      <span>{pageNumber(low, decimals)}</span>
      <i>{name}</i>
      <span>{pageNumber(high, decimals)}</span>
      <div className="range__track">
        <div style={{ left: `${at}%` }} />
      </div>
    </div>
  );
}

function compact(value: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 }).format(value);
}
