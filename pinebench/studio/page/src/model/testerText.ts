// The figures of a strategy's report as people read them.
import type { Figures, RunResult, Tested, TestedTrade } from '../server';
import { FIGURE_TABLE, UNKNOWN, valueText, type FigureRecord } from './figureTable';
import { countText, inCurrency, percentText } from './formats';

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
  return figure.unit === 'money' ? `${inCurrency(text, currency)}${share === undefined ? '' : ` (${percentText(share)})`}` : text;
}

export const momentText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const dayText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** All bars that a script ran on, in words: "20,000 bars, 2022-01-03 – 2024-04-15". */
export function ranText({ ran }: RunResult): string {
  return ran === null ? 'no bars' : `${countText(ran.bars)} ${ran.bars === 1 ? 'bar' : 'bars'}, ${dayText(ran.from)} – ${dayText(ran.to)}`;
}

/** How a script ran, and why: "It ran as Python: the work is small." */
export function tierText({ tier }: RunResult): string {
  return `It ran as ${tier.name === 'python' ? 'Python' : 'machine code'}: ${tier.reason}.`;
}

export const sideOf = ({ e }: TestedTrade): 'long' | 'short' => (e.tp.startsWith('l') ? 'long' : 'short');

/** The figures of the account that are numbers. */
export const accountFigures = ({ performance }: Tested): Figures =>
  Object.fromEntries(Object.entries(performance).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
