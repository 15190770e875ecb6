// The list of trades: a click on the head of a column puts it in order, one on a trade shows its bars on the chart.
import { useState, type KeyboardEvent } from 'react';
import type { Chart } from '../model/chart';
import { countText, inCurrency, moneyText, percentText, priceText, shortText } from '../model/formats';
import { sideOf, type NumberedTrade } from '../model/testerText';
import { COLUMNS, listed, type Order } from '../model/tradeList';
import { timeZone } from '../model/preferences';
import type { Study } from '../model/study';
import type { Tested } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { openMenu, tradeMenu } from './menus';

/** The number of trades that are listed before the user asks for all. */
const MOST_ROWS = 200;

interface Props {
  chart: Chart;
  study: Study;
  tested: Tested;
  filter: string;
  order: Order;
  setOrder: (order: Order) => void;
}

export function TradeList({ chart, study, tested, filter, order, setOrder }: Props) {
  const { trades, currency } = tested;
  const [all, setAll] = useState(false);
  useWatched(timeZone);
  const found = listed(trades, filter, order);
  const shown = all ? found : found.slice(0, MOST_ROWS);
  const decimals = chart.info.value()?.decimals ?? 2;
  const turn = (column: string) => setOrder({ column, down: order.column === column ? !order.down : false });
  return (
    <>
      <table className="strategyReport__table">
        <thead>
          <tr>
            {COLUMNS.map(({ title }) => (
              <th key={title} scope="col" aria-sort={order.column === title ? (order.down ? 'descending' : 'ascending') : 'none'}>
                <button className="strategyReport__sort" title={`Order by ${title}`} onClick={() => turn(title)}>
                  {title}
                  {order.column === title && <i aria-hidden="true">{order.down ? ' ▾' : ' ▴'}</i>}
                </button>
              </th>
            ))}
            <th scope="col">Orders</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <Row key={one.number} chart={chart} of={{ study, tested }} one={one} currency={currency} decimals={decimals} />
          ))}
        </tbody>
      </table>
      {found.length === 0 && <p className="strategyReport__nothing">There are no such trades.</p>}
      {shown.length < found.length && (
        <button className="button" onClick={() => setAll(true)}>
          Show all {countText(found.length)} trades
        </button>
      )}
    </>
  );
}

interface RowProps {
  chart: Chart;
  of: { study: Study; tested: Tested };
  one: NumberedTrade;
  currency: string;
  decimals: number;
}

function Row({ chart, of, one: { trade, number }, currency, decimals }: RowProps) {
  const { e, x, q, tp, cp, rn, dd } = trade;
  const workspace = useWorkspace();
  const marked = useWatched(chart.marked);
  const isMarked = marked?.e.tm === e.tm && marked.e.c === e.c && marked.q === q && marked.x?.tm === x?.tm;
  const show = () => void chart.showTrade(trade);
  const keys = (event: KeyboardEvent) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || event.target !== event.currentTarget) return;
    event.preventDefault();
    show();
  };
  return (
    <tr
      data-name="trade-row"
      className={isMarked ? 'strategyReport__marked' : undefined}
      aria-current={isMarked ? true : undefined}
      tabIndex={0}
      title="Show this trade on the chart"
      onClick={show}
      onKeyDown={keys}
      onContextMenu={(event) => openMenu(workspace, event, `Trade ${number}`, tradeMenu(workspace, chart, of, trade))}
    >
      <td>{number}</td>
      <td>{sideOf(trade)}</td>
      <td>
        {e.c} · {chart.barText(e.tm)} · {priceText(e.p, decimals)}
      </td>
      <td>{x === null ? 'open' : `${x.c} · ${chart.barText(x.tm)} · ${priceText(x.p, decimals)}`}</td>
      <td>{shortText(q, 8)}</td>
      <td className={tp.v < 0 ? 'down' : 'up'}>
        {inCurrency(moneyText(tp.v), currency)} ({percentText(tp.p)})
      </td>
      <td>
        {moneyText(rn.v)} ({percentText(rn.p)})
      </td>
      <td>
        {moneyText(dd.v)} ({percentText(dd.p)})
      </td>
      <td className={cp.v < 0 ? 'down' : 'up'}>
        {moneyText(cp.v)} ({percentText(cp.p)})
      </td>
      <td>
        <button
          className="button button--small"
          data-name="why-trade"
          title="The order of the entry, from its call to its fill; the menu of the row has the exit"
          onClick={(event) => {
            event.stopPropagation();
            void workspace.inspector.whyTrade(of.study, of.tested, trade, e);
          }}
        >
          Why?
        </button>
      </td>
    </tr>
  );
}
