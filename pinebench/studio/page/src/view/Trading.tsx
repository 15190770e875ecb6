// The trading panel: bid and ask, practice trades while bars are replayed, and the depth of the market.
import { depthOf, type Depth, type Level } from '../model/depth';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { MADE_UP } from './madeUp';
import { pageNumber } from './quote';

export function Trading() {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  const symbol = useWatched(chart.symbol);
  const info = useWatched(chart.info);
  const depth = depthOf(info, useWatched(chart.bars).at(-1));
  return (
    <div className="watchlist widgetbar-widget trading" data-name="trading-panel">
      <div className="watchlist__head">
        <b>{symbol}</b>
        {depth !== null && (
          <span className="tag" title="Made from the last price of the sample market; nobody trades here">
            {MADE_UP}
          </span>
        )}
      </div>
      {depth === null ? (
        <p className="alerts__none">{info?.own === true ? 'Your file has prices, but no order book.' : 'No prices yet.'}</p>
      ) : (
        <>
          <Practice depth={depth} decimals={info?.decimals ?? 2} />
          <Book depth={depth} decimals={info?.decimals ?? 2} />
        </>
      )}
    </div>
  );
}

interface BookProps {
  depth: Depth;
  decimals: number;
}

function Practice({ depth, decimals }: BookProps) {
  const { replay } = useWorkspace();
  const started = useWatched(replay.started);
  const position = useWatched(replay.position);
  const [bid, ask] = [depth.bids[0], depth.asks[0]].map((level) => level === undefined ? '' : pageNumber(level.price, decimals));
  return (
    <section className="trading__practice" aria-label="Practice trades">
      <button className="button quote quote--bid" disabled={!started} onClick={() => replay.trade(-1)}>
        <span className="quote__price">{bid}</span> <small>Sell</small>
      </button>
      <button className="button quote quote--ask" disabled={!started} onClick={() => replay.trade(1)}>
        <span className="quote__price">{ask}</span> <small>Buy</small>
      </button>
      <p>{started ? `Position: ${position}` : 'Practice trades begin with bar replay.'}</p>
      {started && (
        <button className="button" disabled={position === 0} onClick={() => replay.closePosition()}>
          Close position
        </button>
      )}
    </section>
  );
}

/** The asks above the bids, with the best of both in the middle. */
function Book({ depth, decimals }: BookProps) {
  const most = Math.max(...depth.bids.map(({ size }) => size), ...depth.asks.map(({ size }) => size));
  const rows = (levels: readonly Level[], side: string) =>
    levels.map(({ price, size }) => (
      <tr key={price} className={`depth__row depth__row--${side}`}>
        <td className="depth__price">{pageNumber(price, decimals)}</td>
        <td className="depth__size" style={{ backgroundSize: `${(size / most) * 100}% 100%` }}>
          {size}
        </td>
      </tr>
    ));
  return (
    <table className="depth" data-name="dom" aria-label="Depth of market">
      <tbody>
        {rows([...depth.asks].reverse(), 'ask')}
        {rows(depth.bids, 'bid')}
      </tbody>
    </table>
  );
}
