// The tab "Portfolio" of the strategy tester: strategies on several symbols in one account, with the report of the whole.
import { useState, type CSSProperties } from 'react';
import type { Chart } from '../model/chart';
import { portfolioOf, strategiesOn, symbolOf, type Placed, type Portfolio } from '../model/portfolio';
import { theme, timeZone } from '../model/preferences';
import type { Study } from '../model/study';
import { figureOf, headOf, titleOf, valueText } from '../model/figureTable';
import { countText, fixedText, inCurrency, moneyText } from '../model/formats';
import { isSection } from '../model/watchlist';
import type { PartFigure, PortfolioReport, WholeFigure } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { colorOf, PortfolioChart } from './PortfolioChart';

/** The number of trades that are listed before the user asks for all. */
const MOST_ROWS = 100;
const WHOLE: readonly WholeFigure[] = [
  ...(['final_equity', 'net_profit', 'open_profit', 'trades', 'percent_profitable'] as const),
  ...(['profit_factor', 'max_drawdown', 'buy_and_hold', 'sharpe_ratio'] as const),
];
const PARTS: readonly PartFigure[] = ['net_profit', 'open_profit', 'max_drawdown', 'profit_factor', 'percent_profitable', 'trades', 'refused_for_money'];
const REFUSALS = 'refused_for_money';
const REFUSED = 'Entries that were refused because the other strategies used the money';

export function PortfolioTab({ chart, study }: { chart: Chart; study: Study }) {
  const portfolio = portfolioOf(chart, study);
  const placed = strategiesOn(useWatched(useWorkspace().charts));
  const running = useWatched(portfolio.running);
  const problem = useWatched(portfolio.problem);
  const report = useWatched(portfolio.report);
  return (
    <div className="optimizer portfolio" data-name="portfolio">
      <Choices chart={chart} portfolio={portfolio} placed={placed} />
      <div className="optimizer__results">
        {running > 0 && (
          <p className="optimizer__progress" role="status">
            <progress aria-label="Progress" /> {running === 1 ? '1 strategy runs …' : `${running} strategies run …`}
          </p>
        )}
        {problem !== null && <p role="alert" className="optimizer__problem">{problem}</p>}
        {report !== null && <Report chart={chart} report={report} />}
        {report === null && problem === null && running === 0 && (
          <p className="optimizer__words">
            Test the strategy on several symbols as one account: orders are sized by the equity of the whole, and no money is used twice.
          </p>
        )}
      </div>
    </div>
  );
}

function Choices({ chart, portfolio, placed }: { chart: Chart; portfolio: Portfolio; placed: readonly Placed[] }) {
  const listed = useWatched(useWorkspace().watchlist.entries).filter((entry) => !isSection(entry));
  const own = symbolOf(chart);
  const symbols = useWatched(portfolio.symbols);
  const studies = useWatched(portfolio.studies);
  const shared = useWatched(portfolio.shared);
  const capital = useWatched(portfolio.capital);
  const size = useWatched(portfolio.size);
  const running = useWatched(portfolio.running) > 0;
  const problem = portfolio.problemOf(placed);
  const count = portfolio.chosen(placed).length * symbols.length;
  const offered = [...new Set([own, ...listed, ...symbols])];
  const declared = portfolio.chosen(placed)[0]?.study.result.value()?.tested?.properties['initial_capital'];
  return (
    <form
      className="optimizer__choices"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!running && problem === null) void portfolio.run(placed);
      }}
    >
      <fieldset className="portfolio__list">
        <legend>Symbols: the chart and the watchlist</legend>
        {offered.map((symbol) => (
          <label key={symbol}>
            <input
              type="checkbox"
              name="portfolio-symbol"
              value={symbol}
              checked={symbols.includes(symbol)}
              onChange={(event) => portfolio.symbols.setValue(event.target.checked ? [...symbols, symbol] : symbols.filter((one) => one !== symbol))}
            />{' '}
            {symbol}
          </label>
        ))}
      </fieldset>
      {placed.length > 1 && (
        <fieldset className="portfolio__list">
          <legend>Strategies on the charts</legend>
          {placed.map(({ chart: on, study }) => (
            <label key={study.id}>
              <input
                type="checkbox"
                name="portfolio-strategy"
                value={study.id}
                checked={studies.includes(study.id)}
                onChange={(event) => portfolio.studies.setValue(event.target.checked ? [...studies, study.id] : studies.filter((one) => one !== study.id))}
              />{' '}
              {study.title}, {on.resolution.value()}
            </label>
          ))}
        </fieldset>
      )}
      <label className="optimizer__field">
        <span>Account</span>
        <select name="portfolio-account" value={shared ? 'one' : 'parts'} onChange={(event) => portfolio.shared.setValue(event.target.value === 'one')}>
          <option value="one">one for all</option>
          <option value="parts">equal parts of the capital</option>
        </select>
      </label>
      <label className="optimizer__field">
        <span>Capital</span>
        <input
          name="portfolio-capital"
          inputMode="decimal"
          placeholder={typeof declared === 'number' ? String(declared) : 'of the script'}
          value={capital}
          onChange={(event) => portfolio.capital.setValue(event.target.value)}
        />
      </label>
      <label className="optimizer__field">
        <span>Order size, % of the equity</span>
        <input name="portfolio-size" inputMode="decimal" placeholder="of the script" value={size} onChange={(event) => portfolio.size.setValue(event.target.value)} />
      </label>
      <p className="optimizer__words" data-name="portfolio-count">
        {problem ?? (count === 1 ? '1 strategy: choose more symbols' : `${count} strategies`)}
      </p>
      {running ? (
        <button type="button" className="button" data-name="portfolio-stop" onClick={() => portfolio.stop()}>Stop</button>
      ) : (
        <button type="submit" className="button button--accent" data-name="portfolio-run" disabled={problem !== null}>Test the portfolio</button>
      )}
    </form>
  );
}

function Report({ chart, report }: { chart: Chart; report: PortfolioReport }) {
  useWatched(timeZone);
  const look = useWatched(theme);
  const [only, setOnly] = useState<string | null>(null);
  const { strategies, report: whole, notes } = report;
  const names = strategies.map(({ name }) => name);
  const shown = only !== null && names.includes(only) ? only : null;
  return (
    <>
      <p className="optimizer__words" data-name="portfolio-about">
        {strategies.length === 1 ? '1 strategy' : `${strategies.length} strategies ${report.shared ? 'share one account' : 'have equal parts of the capital'}`}
        {whole.currency === '' ? '' : `; money in ${whole.currency}`}
      </p>
      <div className="strategyReport__items">
        {WHOLE.map((name) => (
          <div className="reportItem" key={name} data-figure={name}>
            <span className="label">{titleOf(name)}</span>
            <span className={`value ${['net_profit', 'open_profit'].includes(name) ? toneOf(whole[name]) : ''}`}>{wholeText(whole, name)}</span>
          </div>
        ))}
      </div>
      <PortfolioChart report={report} zone={chart.zone} />
      <div className="portfolio__wide" role="region" aria-label="The strategies" tabIndex={0}>
        <table className="strategyReport__table">
          <thead>
            <tr>
              <th scope="col">Strategy</th>
              <th scope="col">Bars</th>
              {PARTS.map((name) => (
                <th key={name} scope="col" className="portfolio__number" title={name === REFUSALS ? REFUSED : undefined}>{name === REFUSALS ? 'Refused' : headOf(name)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {strategies.map((one, i) => (
              <tr key={one.name} data-name="portfolio-part">
                <th scope="row">
                  <i className="portfolio__swatch" style={{ background: colorOf(look, i) }} />{' '}
                  <button
                    type="button"
                    className="optimizer__use"
                    aria-pressed={shown === one.name}
                    title={shown === one.name ? 'List the trades of all strategies' : 'List only its trades'}
                    onClick={() => setOnly(shown === one.name ? null : one.name)}
                  >
                    {one.name}
                  </button>
                </th>
                <td>{one.symbol}, {one.timeframe}</td>
                {PARTS.map((name) => (
                  <td key={name} className={`portfolio__number ${['net_profit', 'open_profit'].includes(name) ? toneOf(one[name]) : ''}`}>
                    {partText(name, one[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {strategies.length > 1 && <Correlation report={report} />}
      <ul className="portfolio__notes" data-name="portfolio-notes">
        {notes.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <Trades key={shown ?? ''} chart={chart} report={report} only={shown} />
    </>
  );
}

function Correlation({ report: { strategies, correlation } }: { report: PortfolioReport }) {
  return (
    <div className="portfolio__wide" role="region" aria-label="Correlation of daily returns" tabIndex={0}>
      <table className="strategyReport__table portfolio__correlation" data-name="portfolio-correlation">
        <caption>Correlation of daily returns</caption>
        <thead>
          <tr>
            <th scope="col">Strategy</th>
            {strategies.map(({ name }) => (
              <th key={name} scope="col" className="portfolio__number">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {strategies.map(({ name }, row) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {(correlation[row] ?? []).map((value, column) => (
                <td key={column} className="portfolio__number" style={heat(value)}>{value === null ? '–' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Trades({ chart, report, only }: { chart: Chart; report: PortfolioReport; only: string | null }) {
  const [all, setAll] = useState(false);
  const found = report.trades.filter(({ strategy }) => only === null || strategy === only).reverse();
  const shown = all ? found : found.slice(0, MOST_ROWS);
  const left = report.trade_count - report.trades.length;
  if (report.trade_count === 0) return <p className="optimizer__words">No order was filled on these bars.</p>;
  return (
    <div className="portfolio__wide" role="region" aria-label="Trades" tabIndex={0}>
      <table className="strategyReport__table" data-name="portfolio-trades">
        <caption>{only === null ? 'Trades, the last ones first' : `Trades of ${only}, the last ones first`}</caption>
        <thead>
          <tr>
            {['Trade', 'Strategy', 'Side', 'Entry', 'Exit', 'Quantity', 'Profit'].map((title) => (
              <th key={title} scope="col" className={['Quantity', 'Profit'].includes(title) ? 'portfolio__number' : undefined}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.number}>
              <td>{one.number}</td>
              <td>{one.strategy}</td>
              <td>{one.side}</td>
              <td>{chart.barText(one.entry_time)} · {one.entry_price}</td>
              <td>{one.exit_time === null ? 'open' : `${chart.barText(one.exit_time)} · ${one.exit_price}`}</td>
              <td className="portfolio__number">{one.qty}</td>
              <td className={`portfolio__number ${toneOf(one.profit)}`}>{moneyText(one.profit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < found.length && (
        <button type="button" className="button" onClick={() => setAll(true)}>Show all {found.length} trades</button>
      )}
      {left > 0 && <p className="optimizer__words">{left.toLocaleString('en')} earlier trades of all strategies are not listed.</p>}
    </div>
  );
}

function wholeText(whole: PortfolioReport['report'], name: WholeFigure): string {
  const value = whole[name];
  const text = valueText(figureOf(name), value);
  if (value === null || figureOf(name).unit !== 'money') return text;
  const share = (whole as Record<string, number | string | null | undefined>)[`${name}_percent`];
  return `${inCurrency(text, whole.currency)}${typeof share === 'number' ? ` (${fixedText(share, 2)}%)` : ''}`;
}

/** The background of a correlation: green for together, red for opposite, so faint that the text stays readable. */
function heat(value: number | null): CSSProperties | undefined {
  if (value === null) return undefined;
  return { background: value >= 0 ? `rgb(38 166 110 / ${(value * 0.3).toFixed(2)})` : `rgb(210 63 75 / ${(-value * 0.3).toFixed(2)})` };
}

/** Profits are green and losses red. */
const toneOf = (value: number | null): string => (value === null || value === 0 ? '' : value < 0 ? 'down' : 'up');
const partText = (name: PartFigure, value: number | null): string =>
  name === REFUSALS ? countText(value ?? 0) : valueText(figureOf(name), value);
