// Conditions of alerts on prices, plots, drawings and scripts, and the bars on which they are true.
import type { Alert, AlertSeries, Bar } from '../server';
import type { Chart } from './chart';
import { indexAt } from './places';
import type { Shape } from './shapes';
import type { Study } from './study';

/** The operands of a condition: one level, two levels, an amount over bars, a percentage over bars, or none. */
type Takes = 'level' | 'channel' | 'amount' | 'percent' | 'none';

export interface Condition {
  /** TradingView's name. */
  type: string;
  name: string;
  takes: Takes;
}

export const CONDITIONS: readonly Condition[] = [
  { type: 'cross', name: 'Crossing', takes: 'level' },
  { type: 'cross_up', name: 'Crossing up', takes: 'level' },
  { type: 'cross_down', name: 'Crossing down', takes: 'level' },
  { type: 'greater', name: 'Greater than', takes: 'level' },
  { type: 'less', name: 'Less than', takes: 'level' },
  { type: 'entering_channel', name: 'Entering channel', takes: 'channel' },
  { type: 'exiting_channel', name: 'Exiting channel', takes: 'channel' },
  { type: 'inside_channel', name: 'Inside channel', takes: 'channel' },
  { type: 'outside_channel', name: 'Outside channel', takes: 'channel' },
  { type: 'moving_up', name: 'Moving up', takes: 'amount' },
  { type: 'moving_down', name: 'Moving down', takes: 'amount' },
  { type: 'moving_up_percent', name: 'Moving up %', takes: 'percent' },
  { type: 'moving_down_percent', name: 'Moving down %', takes: 'percent' },
];

/** The calls of alert() and alertcondition() in a script. */
export const ALERT_CALL: Condition = { type: 'alert_cond', name: 'Any alert() call', takes: 'none' };

export const conditionOf = (type: string): Condition | undefined => [...CONDITIONS, ALERT_CALL].find((one) => one.type === type);

/** How often an alert fires: once and never again, once per bar, or once per complete bar. */
export const FREQUENCIES = [
  { name: 'Only once', frequency: 'on_first_fire', once: true },
  { name: 'Once per bar', frequency: 'on_first_fire', once: false },
  { name: 'Once per bar close', frequency: 'on_bar_close', once: false },
] as const;

export const isOnce = (alert: Alert): boolean => alert.auto_deactivate !== false;

/** The part of an alert that is missing on a chart, as a sentence; null if all parts are there. */
export function missing({ condition }: Alert, chart: Chart): string | null {
  for (const series of condition.series) {
    if (series.type === 'study' && studyOf(chart, series) === undefined) return `${series.title ?? 'its script'} is not on the chart`;
    if (series.type === 'drawing' && shapeOf(chart, series) === undefined) return `${series.title ?? 'its drawing'} is not on the chart`;
  }
  return null;
}

/** The studies in the condition of an alert. */
export const studiesOf = ({ condition }: Alert, chart: Chart): Study[] => condition.series.flatMap((series) => studyOf(chart, series) ?? []);

/** The indices of the bars from `first` on which an alert's condition is true; empty if a part of it is missing. */
export function firesOn(alert: Alert, chart: Chart, first = 1): number[] {
  const { condition } = alert;
  if (missing(alert, chart) !== null) return [];
  const bars = chart.bars.value();
  if (condition.type === ALERT_CALL.type || condition.type === 'pine_alert') return calls(alert, chart).filter((index) => index >= first);
  const columns = condition.series.map((series) => columnOf(series, chart));
  const [watched, ...others] = columns;
  if (watched === undefined) return [];
  const byTick = condition.series[0]?.type === 'barset' && condition.frequency !== 'on_bar_close';
  const found: number[] = [];
  for (let i = Math.max(1, first); i < bars.length; i++) {
    if (isMet(condition, i, watched, others, byTick ? bars[i] : undefined)) found.push(i);
  }
  return found;
}

type Column = (index: number) => number | null;

function columnOf(series: AlertSeries, chart: Chart): Column {
  const bars = chart.bars.value();
  if (series.type === 'barset') return (index) => bars[index]?.[4] ?? null;
  if (series.type === 'study') {
    const values = studyOf(chart, series)?.plots()[Number(series.plot_id?.replace('plot_', ''))]?.values ?? [];
    return (index) => values[index] ?? null;
  }
  if (series.type === 'drawing') {
    const shape = shapeOf(chart, series);
    return shape === undefined ? () => null : (index) => heightOf(shape, bars, index);
  }
  const value = typeof series.value === 'number' ? series.value : null;
  return () => value;
}

/** The study of a series: named by its id, or by the id of its saved script, as TradingView's alerts name it. */
const studyOf = (chart: Chart, { type, study, pine_id }: AlertSeries): Study | undefined =>
  type !== 'study' ? undefined : chart.studies.value().find(({ id, scriptKey }) => id === study || (pine_id !== undefined && scriptKey === pine_id));
const shapeOf = (chart: Chart, { type, drawing }: AlertSeries): Shape | undefined =>
  type === 'drawing' ? chart.shapes.value().find(({ id }) => id === drawing) : undefined;

/** The price of a line on a bar; null if the line does not reach the bar. */
function heightOf(shape: Shape, bars: readonly Bar[], index: number): number | null {
  const [one, two] = shape.points.value();
  if (one === undefined) return null;
  if (shape.name === 'horizontal_line') return one.price;
  const from = indexAt(bars, one.time);
  if (shape.name === 'horizontal_ray') return index >= from ? one.price : null;
  if (two === undefined) return null;
  const to = indexAt(bars, two.time);
  if (to === from) return null;
  const share = (index - from) / (to - from);
  const reaches = shape.name === 'extended' || (share >= 0 && (share <= 1 || shape.name === 'ray'));
  return reaches ? one.price + share * (two.price - one.price) : null;
}

/** The lines of the calls of alertcondition() in a script, from 1. */
export const conditionLines = (source: string): number[] =>
  source.split('\n').flatMap((line, i) => (/^\s*alertcondition\s*\(/.test(line) ? [i + 1] : []));

/**
 * The indices of the bars on which a script called alert(), or an alertcondition() was true: the one that the condition
 * names, or any.
 */
function calls({ condition }: Alert, chart: Chart): number[] {
  const study = condition.series.map((series) => studyOf(chart, series)).find((one) => one !== undefined);
  const at = new Map(chart.bars.value().map((bar, i) => [bar[0] * 1000, i]));
  const lines = conditionLines(study?.source ?? '');
  const line = condition.alert_cond_id === undefined ? undefined : lines[Number(condition.alert_cond_id.replace('plot_', '')) - (study?.plots().length ?? 0)];
  const wanted = (alert: { line: number }) =>
    condition.type === 'pine_alert' ? !lines.includes(alert.line) : condition.alert_cond_id === undefined || alert.line === line;
  const said = (study?.fresh()?.alerts ?? []).filter(wanted);
  return [...new Set(said.flatMap(({ time }) => at.get(time) ?? []))].sort((a, b) => a - b);
}

function isMet({ type, period = 1 }: Alert['condition'], index: number, watched: Column, others: readonly Column[], bar: Bar | undefined): boolean {
  const now = watched(index);
  if (now === null) return false;
  const amount = others[0]?.(index) ?? null;
  const past = type.startsWith('moving') ? watched(index - period) : watched(index - 1);
  if (type.startsWith('moving')) {
    if (past === null || amount === null) return false;
    const by = (now - past) * (type.includes('down') ? -1 : 1);
    return by >= (type.endsWith('percent') ? (Math.abs(past) * amount) / 100 : amount);
  }
  const [here, before] = [index, index - 1].map((at) => others.map((other) => other(at)));
  if (here === undefined || here.some((level) => level === null)) return false;
  // If a line begins on this bar, it has the same price on the bar before.
  const levels = here as number[];
  const earlier = (before ?? []).map((level, i) => level ?? levels[i] ?? 0);
  let last = past === null ? null : { value: past, levels: earlier };
  for (const value of bar === undefined ? [now] : ticksOf(bar)) {
    const next = { value, levels };
    if (meets(type, last, next)) return true;
    last = next;
  }
  return false;
}

/** The prices of a bar in the order that the strategy tester assumes: open, the nearer of high and low, the other, close. */
function ticksOf([, open, high, low, close]: Bar): number[] {
  return high - open < open - low ? [open, high, low, close] : [open, low, high, close];
}

interface Tick {
  value: number;
  levels: readonly number[];
}

function meets(type: string, before: Tick | null, now: Tick): boolean {
  const level = ({ levels }: Tick) => levels[0] ?? Number.NaN;
  const up = before !== null && before.value < level(before) && now.value >= level(now);
  const down = before !== null && before.value > level(before) && now.value <= level(now);
  const inside = ({ value, levels }: Tick) => value >= Math.min(...levels) && value <= Math.max(...levels);
  switch (type) {
    case 'cross':
      return up || down;
    case 'cross_up':
      return up;
    case 'cross_down':
      return down;
    case 'greater':
      return now.value > level(now);
    case 'less':
      return now.value < level(now);
    case 'inside_channel':
      return inside(now);
    case 'outside_channel':
      return !inside(now);
    case 'entering_channel':
      return before !== null && !inside(before) && inside(now);
    case 'exiting_channel':
      return before !== null && inside(before) && !inside(now);
    default:
      return false;
  }
}

const seriesText = ({ type, value, title }: AlertSeries): string => (type === 'barset' ? 'Price' : (title ?? (value === undefined ? '' : String(value))));

/** The condition of an alert in words: "RSI 14: RSI crossing up 70". */
export function conditionText({ condition }: Alert): string {
  const [watched, ...others] = condition.series;
  const known = conditionOf(condition.type);
  const name = known?.name ?? condition.type;
  const subject = watched === undefined ? '' : seriesText(watched);
  const levels = others.map(seriesText).filter((text) => text !== '');
  if (known?.takes === 'none') return `${subject}: ${name}`;
  const amount = `${levels.join(' – ')}${known?.takes === 'percent' ? '%' : ''}`;
  const span = condition.period !== undefined && condition.period > 1 ? ` in ${condition.period} bars` : '';
  return `${subject === 'Price' ? '' : `${subject} `}${subject === 'Price' ? name : name.toLowerCase()} ${amount}${span}`;
}
