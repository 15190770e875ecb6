// The watchlist: symbols with their last price and change, in a grid that keys move in.
import { useRef, useState, type KeyboardEvent } from 'react';
import { faults } from '../faults';
import { isSection, sectionName } from '../model/watchlist';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Details } from './Details';
import { Icon } from './icons';
import { pageNumber, signed, useQuote } from './quote';
import { useFaults } from './useFaults';

const COLUMNS = ['Symbol', 'Last', 'Chg', 'Chg %'];

export function Watchlist() {
  const workspace = useWorkspace();
  const list = workspace.watchlist;
  const entries = useWatched(list.entries);
  useFaults();
  const symbols = entries.filter((entry) => !isSection(entry));
  const [focused, setFocused] = useState('');
  const rows = useRef<HTMLDivElement>(null);
  const focus = (at: number) => rows.current?.querySelectorAll<HTMLElement>('.row')[at]?.focus();
  const entered = symbols.includes(focused) ? focused : symbols[0];
  return (
    <div className="watchlist widgetbar-widget" data-name="watchlist">
      <div className="watchlist__head">
        <b>Watchlist</b>
        <button
          className="button button--square button--small watchlist__more"
          data-name="add-section-button"
          aria-label="Add section"
          title="Add section"
          onClick={() =>
            workspace.dialog.setValue({
              kind: 'name',
              title: 'Add section',
              label: 'Section name',
              value: '',
              // eslint-disable-next-line @typescript-eslint/require-await
              done: async (name) => list.addSection(name),
            })
          }
        >
          <Icon name="list" size={15} />
        </button>
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
      <div className="watchlist__grid" role="grid" aria-label="Watchlist">
        <div role="rowgroup">
          <div className="watchlist__names" role="row">
            {COLUMNS.map((name) => (
              <span key={name} role="columnheader">
                {name}
              </span>
            ))}
            <span role="columnheader" className="unseen">
              Remove
            </span>
          </div>
        </div>
        <div className="watchlist__rows" role="rowgroup" ref={rows}>
          {entries.slice(0, faults.shortWatchlist || entries.length).map((entry) => {
            if (isSection(entry)) return <Section key={entry} name={sectionName(entry)} remove={() => list.remove(entry)} />;
            const at = symbols.indexOf(entry);
            return (
              <Row
                key={entry}
                symbol={entry}
                entry={entry === entered}
                entered={() => setFocused(entry)}
                move={(by) => focus(Math.max(0, Math.min(symbols.length - 1, by === 'first' ? 0 : by === 'last' ? symbols.length - 1 : at + by)))}
                shift={(by) => list.move(entry, by)}
                remove={() => {
                  list.remove(entry);
                  requestAnimationFrame(() => {
                    // Whoever opened a dialog meanwhile types there.
                    if (document.activeElement === document.body) focus(Math.min(at, symbols.length - 2));
                  });
                }}
              />
            );
          })}
        </div>
      </div>
      <Details />
    </div>
  );
}

/** The heading of a section. Removing it does not move its symbols. */
function Section({ name, remove }: { name: string; remove: () => void }) {
  return (
    <div className="watchlist__separator" data-name="watchlist-section" data-section={name} role="row">
      <b role="gridcell" aria-colspan={4}>
        {name}
      </b>
      <span role="gridcell">
        <button className="watchlist__unsection" aria-label={`Remove section ${name}`} title="Remove the section, not its symbols" onClick={remove}>
          <Icon name="close" size={12} />
        </button>
      </span>
    </div>
  );
}

interface RowProps {
  symbol: string;
  /** Whether Tab goes to this row; arrow keys go to the others. */
  entry: boolean;
  entered: () => void;
  move: (by: -1 | 1 | 'first' | 'last') => void;
  /** Move the row itself, with Alt and an arrow key. */
  shift: (by: -1 | 1) => void;
  remove: () => void;
}

function Row({ symbol, entry, entered, move, shift, remove }: RowProps) {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  const current = useWatched(chart.symbol) === symbol;
  const quote = useQuote(symbol, 2);
  const tone = quote === null || quote.change >= 0 ? 'cell up' : 'cell down';
  const show = () => void chart.setSymbol(symbol);
  const keys = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
      if (by !== 0) {
        event.preventDefault();
        shift(by);
      }
      return;
    }
    const action = {
      Enter: show,
      ' ': show,
      Delete: remove,
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Home: () => move('first'),
      End: () => move('last'),
    }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  return (
    <div
      className={current ? 'row row--current' : 'row'}
      data-symbol-full={symbol}
      data-symbol-short={symbol.split(':').pop()}
      title={quote?.info.description}
      role="row"
      aria-selected={current}
      tabIndex={entry ? 0 : -1}
      onFocus={entered}
      onKeyDown={keys}
      onClick={show}
    >
      <span className="symbolName" role="gridcell">
        {symbol.split(':').pop()}
        <small>{symbol.split(':')[0]}</small>
      </span>
      <span className="cell" role="gridcell">
        {quote === null ? null : pageNumber(quote.last[4], quote.info.decimals)}
      </span>
      <span className={tone} role="gridcell">
        {quote === null ? '' : signed(quote.change, quote.info.decimals)}
      </span>
      <span className={tone} role="gridcell">
        {quote === null ? '' : `${signed(quote.percent, 2)}%`}
      </span>
      <span className="row__last" role="gridcell">
        <button
          className="row__remove"
          aria-label={`Remove ${symbol}`}
          title="Remove"
          tabIndex={entry ? 0 : -1}
          onClick={(event) => {
            event.stopPropagation();
            remove();
          }}
        >
          <Icon name="close" size={12} />
        </button>
      </span>
    </div>
  );
}
