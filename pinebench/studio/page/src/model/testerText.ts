// The figures of a strategy's report as people read them, and its list of trades for spreadsheets.
import type { Figures, RunResult, SymbolInfo, Tested, TestedTrade } from '../server';
import { FIGURE_TABLE, UNKNOWN, valueText, type FigureRecord } from './figureTable';
import { countText, percentText } from './formats';
import { csvText, type Cell } from './spreadsheet';

export interface NumberedTrade {
  trade: TestedTrade;
  /** Its number in the order in which trades were closed, from 1. */
  number: number;
}

const inReport = (group: FigureRecord['group']): FigureRecord[] => FIGURE_TABLE.filter((one) => one.group === group && one.words !== '');

/** The figures of all trades and of each side, in TradingView's order. */
export const FIGURES: readonly FigureRecord[] = inReport('side');

/** The figures of the account as a whole. */
export const OF_ACCOUNT: readonly FigureRecord[] = inReport('account');

/** A figure with its percentage; a dash if it is unknown. */
export function figureText(figure: FigureRecord, figures: Figures, currency: string): string {
  const value = figures[figure.key];
  if (value === undefined) return UNKNOWN;
  if (figure.unit === 'percent') return percentText(value);
  const share = figures[`${figure.key}Percent`];
  const text = valueText(figure, value);
  return figure.unit === 'money' ? `${text} ${currency}${share === undefined ? '' : ` (${percentText(share)})`}` : text;
}

export const momentText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const dayText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** All bars that a script ran on, in words: "20,000 bars, 2022-01-03 – 2024-04-15". */
export function ranText({ ran }: RunResult): string {
  return ran === null ? 'no bars' : `${countText(ran.bars)} ${ran.bars === 1 ? 'bar' : 'bars'}, ${dayText(ran.from)} – ${dayText(ran.to)}`;
}

export const sideOf = ({ e }: TestedTrade): 'long' | 'short' => (e.tp.startsWith('l') ? 'long' : 'short');

/** The figures of the account that are numbers. */
export const accountFigures = ({ performance }: Tested): Figures =>
  Object.fromEntries(Object.entries(performance).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));

/**
 * The list of trades in the form of TradingView's export, like the one of `pinebench backtest --trades`: two rows for
 * each trade, times in UTC, money and percentages rounded. The trades are all or the chosen ones, `symbol` is the
 * chart's, and `last` is the time of its last bar, at which open trades are valued. A last column says that prices are
 * made up.
 */
export function tradesCsv(
  { trades, currency }: Tested,
  symbol: Pick<SymbolInfo, 'currency' | 'pointvalue' | 'made_up'>,
  last: number,
  chosen: readonly NumberedTrade[] = numbered(trades),
): string {
  const amount = (title: string): string[] => [`${title} ${currency}`, `${title} %`];
  const head = [
    ...['Trade #', 'Type', 'Date and time', 'Signal', `Price ${symbol.currency}`, 'Size (qty)', 'Size (value)'],
    ...['Net P&L', 'Favorable excursion', 'Adverse excursion', 'Cumulative P&L'].flatMap(amount),
  ];
  const rows = chosen.flatMap(({ trade, number }) => {
    const { e, x, q, tp, cp, rn, dd } = trade;
    const value = Math.round(e.p * q * symbol.pointvalue * 1e8) / 1e8;
    const figures = [tp, rn, { v: -dd.v, p: -dd.p }, cp].flatMap(({ v, p }) => [exportedMoney(v), rounded(p * 100).toFixed(2)]);
    const end = x === null ? [momentText(last), 'Open', ''] : [momentText(x.tm), x.c, x.p];
    return [
      [number, `Exit ${sideOf(trade)}`, ...end, q, value, ...figures],
      [number, `Entry ${sideOf(trade)}`, momentText(e.tm), e.c, e.p, q, value, ...figures],
    ];
  });
  return csvText(marked([head, ...rows], symbol.made_up));
}

/** The rows with a last column that says that their prices are made up, if they are. */
export const marked = (rows: readonly (readonly Cell[])[], madeUp: boolean): (readonly Cell[])[] =>
  madeUp ? rows.map((row, i) => [...row, i === 0 ? 'Prices' : 'made up']) : [...rows];

/** A number with two decimals; of two that are equally near, the even one, as the command line rounds. */
function rounded(value: number): number {
  const hundredths = value * 100;
  const isBetween = Number.isInteger(value * 8) && Math.abs(hundredths % 1) === 0.5;
  return isBetween ? (2 * Math.round(hundredths / 2)) / 100 + 0 : Number(value.toFixed(2)) + 0;
}

/** An amount as in TradingView's export: at most two decimals, and one digit if it would be 0 otherwise. */
function exportedMoney(value: number): string {
  const shown = rounded(value);
  if (shown !== 0 || Math.abs(value) < LEAST_MONEY) return String(shown);
  return Number(value.toPrecision(1)).toFixed(8).replace(/0+$/, '');
}

/** The smallest amount of money that is not a rounding error. */
const LEAST_MONEY = 1e-8;

const numbered = (trades: readonly TestedTrade[]): NumberedTrade[] => trades.map((trade, i) => ({ trade, number: i + 1 }));
