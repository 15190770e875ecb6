// The strategy tester: the results of the strategy on the active chart, as an overview, in figures, and trade by trade.
import { useState } from 'react';
import { HEIKIN_ASHI, type Chart } from '../model/chart';
import type { FigureRecord } from '../model/figureTable';
import { countText, inCurrency, moneyText, percentText, shortText } from '../model/formats';
import { timeZone } from '../model/preferences';
import { isIntraday } from '../model/resolution';
import type { Study } from '../model/study';
import {
  accountFigures,
  FIGURES,
  figureText,
  OF_ACCOUNT,
  ranText,
  type NumberedTrade,
  tierText,
} from '../model/testerText';
import { tradeGroups } from '../model/tradeGroups';
import { FILTERS, listed, type Order } from '../model/tradeList';
import { server, type Tested } from '../server';
import { byTabKeys } from '../tabKeys';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { saveText } from './download';
import { EquityChart } from './EquityChart';
import { Icon } from './icons';
import { MADE_UP } from './madeUp';
import { Optimizer } from './Optimizer';
import { PortfolioTab } from './PortfolioTab';
import { TradeList } from './TradeList';

const TABS = ['Overview', 'Performance', 'List of trades', 'Properties', 'Optimize', 'Portfolio'] as const;
/** The tabs that run the strategy themselves, without the results of the chart. */
const RUNNING: readonly string[] = ['Optimize', 'Portfolio'];
type Tab = (typeof TABS)[number];

export function Tester() {
  const chart = useWatched(useWorkspace().active);
  const studies = useWatched(chart.studies);
  const study = studies.filter((one) => one.isStrategy).at(-1);
  return (
    <div className="strategyReport" data-name="backtesting">
      {study === undefined ? (
        <p className="strategyReport__nothing">Add a strategy to the chart to see its trades and figures here.</p>
      ) : (
        <Report key={study.id} chart={chart} study={study} />
      )}
    </div>
  );
}

function Report({ chart, study }: { chart: Chart; study: Study }) {
  const { pine } = useWorkspace();
  const [tab, setTab] = useState<Tab>('Overview');
  const state = useWatched(study.state);
  const result = useWatched(study.result);
  const [filter, setFilter] = useState('All trades');
  const [order, setOrder] = useState<Order>({ column: 'Trade', down: true });
  const tested = state.kind === 'failed' ? null : (result?.tested ?? null);
  const isMadeUp = useWatched(chart.info)?.made_up ?? true;
  /** Whether the results are of the run before, because the strategy runs again. */
  const isOld = state.kind === 'running' && tested !== null;
  return (
    <>
      <div className="strategyReport__head">
        <b>{study.shortName}</b>
        {result !== null && (
          <span
            className="strategyReport__ran"
            data-name="ran-on"
            title={`All bars of the run, including the ones that the chart does not show. ${tierText(result)}`}
          >
            {isMadeUp ? `${MADE_UP} · ${ranText(result)}` : ranText(result)}
          </span>
        )}
        {isOld && (
          <span className="strategyReport__old" role="status" data-name="old-results">
            runs again: results of the run before
          </span>
        )}
        <div role="tablist" aria-label="Report" onKeyDown={byTabKeys}>
          {TABS.map((name) => (
            <button key={name} role="tab" className="strategyReport__tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
            </button>
          ))}
        </div>
        <span className="grow" />
        {tested !== null && tab === 'List of trades' && (
          <select aria-label="Which trades" value={filter} onChange={(event) => setFilter(event.target.value)}>
            {Object.keys(FILTERS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {tested !== null && tab !== 'Portfolio' && (
          <button
            className="button"
            data-name="export-trades"
            title="The listed trades as a CSV file, in the same order"
            onClick={() => {
              if (isOld) {
                pine.say('warning', 'Not exported: the strategy still runs with what was changed. Export its trades when it is done.');
                return;
              }
              const chosen = tab === 'List of trades' ? listed(tested.trades, filter, order) : listed(tested.trades, ...ALL);
              void saveTrades(fileName(study), chart, tested, chosen).catch(pine.complain);
            }}
          >
            <Icon name="download" size={14} /> Export
          </button>
        )}
      </div>
      <div className="strategyReport__body" tabIndex={0} role="tabpanel" aria-label={tab}>
        {state.kind === 'failed' && <p className="strategyReport__nothing">{state.problem}</p>}
        {tested !== null && <NotStandard chart={chart} tested={tested} />}
        {tab === 'Optimize' && <Optimizer chart={chart} study={study} />}
        {tab === 'Portfolio' && <PortfolioTab chart={chart} study={study} />}
        {!RUNNING.includes(tab) && state.kind === 'running' && tested === null && <p className="strategyReport__nothing">The strategy runs …</p>}
        {tested !== null && tab === 'Overview' && <Overview chart={chart} tested={tested} />}
        {tested !== null && tab === 'Performance' && (
          <div className="strategyReport__returns">
            <Performance tested={tested} />
            {tested.trades.length > 0 && <Returns chart={chart} tested={tested} />}
          </div>
        )}
        {tested !== null && tab === 'Properties' && <Properties tested={tested} />}
        {tested !== null && tab === 'List of trades' && <TradeList chart={chart} study={study} tested={tested} filter={filter} order={order} setOrder={setOrder} />}
      </div>
    </>
  );
}

/** The word of caution that TradingView has for strategies on charts with computed bars. */
function NotStandard({ chart, tested }: { chart: Chart; tested: Tested }) {
  const averaged = useWatched(chart.type) === HEIKIN_ASHI;
  if (!averaged || tested.properties['fill_orders_on_standard_ohlc'] === true) return null;
  return (
    <p className="strategyReport__caution" role="note" data-name="not-standard">
      <Icon name="warning" size={14} /> Orders fill at the averaged prices of Heikin Ashi, which nobody traded at: results can be far from real
      ones. Test on candles, or set fill_orders_on_standard_ohlc = true.
    </p>
  );
}

/** The definitions of figures that can be measured in several ways. */
const MEANINGS: Readonly<Record<string, string>> = {
  maxStrategyDrawDown: 'From the highest realized equity to the worst price of a bar, as TradingView measures it',
  maxStrategyRunUp: 'From the lowest realized equity to the best price of a bar, as TradingView measures it',
};

const SHORT: readonly FigureRecord[] = ['netProfit', 'totalTrades', 'percentProfitable', 'profitFactor', 'avgTrade'].flatMap((name) =>
  FIGURES.filter((figure) => figure.key === name),
);

function Overview({ chart, tested }: { chart: Chart; tested: Tested }) {
  useWatched(timeZone);
  const account = accountFigures(tested);
  const items = [
    ...SHORT.map((figure) => ({ figure, figures: tested.performance.all })),
    ...OF_ACCOUNT.filter(({ key }) => ['maxStrategyDrawDown', 'buyHoldReturn', 'sharpeRatio'].includes(key)).map((figure) => ({ figure, figures: account })),
  ];
  return (
    <>
      <div className="strategyReport__items">
        {items.map(({ figure, figures }) => (
          <div className="reportItem" key={figure.name}>
            <span className="label" title={MEANINGS[figure.key]}>{figure.words}</span>
            <span className={`value ${colorOf(figure, figures[figure.key])}`}>{figureText(figure, figures, tested.currency)}</span>
          </div>
        ))}
      </div>
      {tested.trades.length === 0 && <p className="strategyReport__nothing">No order was filled on these bars.</p>}
      {tested.trades.length > 0 && <EquityChart curve={tested.curve} zone={chart.zone} currency={tested.currency} />}
    </>
  );
}

/** Profits are green and losses red; a drawdown has no colour. */
function colorOf({ unit, key }: FigureRecord, value: number | undefined): string {
  if (unit !== 'money' || value === undefined || value === 0 || key.startsWith('max')) return '';
  return value < 0 ? 'down' : 'up';
}

function Performance({ tested }: { tested: Tested }) {
  const { all, long, short } = tested.performance;
  const account = accountFigures(tested);
  return (
    <table className="strategyReport__table">
      <thead>
        <tr>
          {['Figure', 'All', 'Long', 'Short'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {FIGURES.map((figure) => (
          <tr key={figure.name}>
            <th scope="row">{figure.words}</th>
            {[all, long, short].map((figures, i) => (
              <td key={i}>{figureText(figure, figures, tested.currency)}</td>
            ))}
          </tr>
        ))}
        {OF_ACCOUNT.map((figure) => (
          <tr key={figure.name}>
            <th scope="row">{figure.words}</th>
            <td>{figureText(figure, account, tested.currency)}</td>
            <td />
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The profits of the closed trades by the signal, the weekday and the hour of their entries. */
function Returns({ chart, tested }: { chart: Chart; tested: Tested }) {
  useWatched(timeZone);
  const { trades, currency } = tested;
  return (
    <div>
      {tradeGroups(trades, chart.zone, isIntraday(chart.resolution.value())).map(({ by, groups }) => (
        <table key={by} className="strategyReport__table" data-name={`returns-by-${by.toLowerCase()}`}>
          <thead>
            <tr>
              {[`${by} of the entry`, 'Trades', 'Profitable', 'Net P&L', 'Avg trade'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, trades: count, wins, profit }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{countText(count)}</td>
                <td>{percentText(wins / count)}</td>
                <td className={profit < 0 ? 'down' : 'up'}>
                  {inCurrency(moneyText(profit), currency)}
                </td>
                <td>{moneyText(profit / count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

/** The values of the arguments of `strategy()` with which the results were made. */
function Properties({ tested }: { tested: Tested }) {
  return (
    <table className="strategyReport__table" data-name="tester-properties">
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(tested.properties).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name.replaceAll('_', ' ')}</th>
            <td>{typeof value === 'number' ? shortText(value, 8) : String(value) || '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** All trades in their order, as the list of trades takes them. */
const ALL = ['All trades', { column: 'Trade', down: false }] as const;

/** Save trades as TradingView's export has them. */
async function saveTrades(name: string, chart: Chart, { currency, properties }: Tested, chosen: readonly NumberedTrade[]): Promise<void> {
  const info = chart.info.value();
  const text = await server.tradesFile({
    trades: chosen.map(({ trade, number }) => ({ ...trade, number })),
    currency,
    capital: Number(properties['initial_capital']),
    priceCurrency: info?.currency ?? currency,
    pointValue: info?.pointvalue ?? 1,
    last: (chart.bars.value().at(-1)?.[0] ?? 0) * 1000,
    madeUp: info?.made_up ?? true,
  });
  saveText(name, text);
}

const fileName = (study: Study): string => `${study.shortName.replace(/[^\w-]+/g, '_')}_trades.csv`;
