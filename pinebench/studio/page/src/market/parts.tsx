// Small parts of several panels.
import { useAge, type Answered, type Followed } from './live';
import { age, clock } from './words';

/** A price that is older than this number of seconds is not called live. */
export const STALE = 60;
const LATE = 10;

/** Say how old an answer is. An old one is never shown as if it were new. */
export function Freshness({ answered: { at, problem } }: { answered: Answered<unknown> }) {
  const seconds = useAge(at);
  if (at === null || seconds === null) return <span className="tag">{problem === null ? 'asking…' : 'no answer yet'}</span>;
  if (problem === null && seconds < LATE) return <span className="tag" title={`as of ${clock(at)}`}>as of {clock(at)}</span>;
  return <span className="tag tag--stale" role="status">not live: {age(seconds)} old{problem === null ? '' : ` (${problem})`}</span>;
}

export function PriceAge({ seconds }: { seconds: number | undefined }) {
  if (seconds === undefined) return <span className="tag tag--stale">no price yet</span>;
  return seconds > STALE ? <span className="tag tag--stale">price is {age(seconds)} old</span> : <span className="tag">{age(seconds)} ago</span>;
}

export function Symbols({ followed, value, change }: { followed: readonly Followed[]; value: string; change: (symbol: string) => void }) {
  return (
    <label>
      Symbol
      <select className="market__input" name="symbol" value={value} onChange={(event) => change(event.target.value)} required>
        {followed.map(({ symbol }) => <option key={symbol}>{symbol}</option>)}
      </select>
    </label>
  );
}

export function Closed({ why, place, problem }: { why: 'off' | 'refused'; place: 'studio' | 'server'; problem: string | null }) {
  if (why === 'refused') return <p className="market__warning">{problem ?? 'This is not allowed.'}</p>;
  return (
    <div className="market__card">
      <h2>No trading engine runs</h2>
      <p>
        Alerts and paper orders need it. Start it with its symbols: <code>pinebench {place === 'studio' ? 'studio' : 'mcp'} --trade BTCUSDT</code>
      </p>
    </div>
  );
}
