// The side area: a strip of buttons, and the watchlist beside it when it is open.
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Details } from './Details';
import { Icon } from './icons';
import { signed, useQuote } from './quote';

export function SideArea() {
  const workspace = useWorkspace();
  const side = useWatched(workspace.side);
  return (
    <aside className="layout__area--right" data-name="widgetbar-wrap">
      {side === 'watchlist' && <Watchlist />}
      <nav className="strip" aria-label="Side panels">
        <button
          className="button button--square"
          data-name="base-watchlist-widget-button"
          aria-label="Watchlist"
          title="Watchlist"
          aria-pressed={side === 'watchlist'}
          onClick={() => workspace.side.setValue(side === 'watchlist' ? null : 'watchlist')}
        >
          <Icon name="list" />
        </button>
      </nav>
    </aside>
  );
}

function Watchlist() {
  const workspace = useWorkspace();
  const symbols = useWatched(workspace.watchlist);
  return (
    <div className="watchlist widgetbar-widget" data-name="watchlist">
      <div className="watchlist__head">
        <b>Watchlist</b>
        <button
          className="button button--square button--small"
          data-name="add-symbol-button"
          aria-label="Add symbol"
          title="Add symbol"
          onClick={() => workspace.dialog.setValue({ kind: 'addSymbol' })}
        >
          <Icon name="plus" size={15} />
        </button>
      </div>
      <div className="watchlist__names">
        <span>Symbol</span>
        <span>Last</span>
        <span>Chg</span>
        <span>Chg %</span>
      </div>
      <div className="watchlist__rows">
        {symbols.map((symbol) => (
          <Row key={symbol} symbol={symbol} />
        ))}
      </div>
      <Details />
    </div>
  );
}

function Row({ symbol }: { symbol: string }) {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  const current = useWatched(chart.symbol) === symbol;
  const quote = useQuote(symbol, 2);
  const tone = quote === null || quote.change >= 0 ? 'cell up' : 'cell down';
  return (
    <div
      className={current ? 'row row--current' : 'row'}
      data-symbol-full={symbol}
      data-symbol-short={symbol.split(':').pop()}
      title={quote?.info.description}
      onClick={() => void chart.setSymbol(symbol)}
    >
      <span className="symbolName">
        {symbol.split(':').pop()}
        <small>{symbol.split(':')[0]}</small>
      </span>
      <span className="cell">{quote?.last[4].toFixed(quote.info.decimals)}</span>
      <span className={tone}>{quote === null ? '' : signed(quote.change, quote.info.decimals)}</span>
      <span className={tone}>{quote === null ? '' : `${signed(quote.percent, 2)}%`}</span>
      <button
        className="row__remove"
        aria-label={`Remove ${symbol}`}
        onClick={(event) => {
          event.stopPropagation();
          workspace.removeFromWatchlist(symbol);
        }}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  );
}
