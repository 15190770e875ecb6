// The figures of back-tests with their words and forms: the table of `pinebench/broker/figure_table.py`.
import table from './figures.json';
import { countText, fixedText, moneyText, shortText } from './formats';

/** One figure: its name in Python, its title, TradingView's words and name for it, and its form. */
export interface FigureRecord {
  name: string;
  title: string;
  unit: 'money' | 'percent' | 'count' | 'number';
  group: 'side' | 'account' | 'unlisted';
  words: string;
  key: string;
  digits: number;
  short: string;
}

/** The text for a figure that cannot be computed. */
export const UNKNOWN = '–';

export const FIGURE_TABLE = table as readonly FigureRecord[];

const byName = new Map(FIGURE_TABLE.map((one) => [one.name, one]));

/** The record of the figure with a name of Python. */
export function figureOf(name: string): FigureRecord {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`no figure ${name}`);
  return found;
}

/** The title of a figure: TradingView's words if it has the figure. */
export const titleOf = (name: string): string => figureOf(name).words || figureOf(name).title;

/** The title of a figure in a narrow table. */
export const headOf = (name: string): string => figureOf(name).short || titleOf(name);

/** A value of Python's report as people read it: 1 is one percent. A dash for null. */
export function valueText({ unit, digits }: FigureRecord, value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (unit === 'money') return moneyText(value);
  if (unit === 'percent') return `${fixedText(value, 2)}%`;
  return unit === 'count' ? countText(value) : shortText(value, digits);
}
