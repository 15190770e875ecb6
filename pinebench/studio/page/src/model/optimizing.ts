// The optimization of a strategy's inputs: what is varied, how far it is, and its results. It outlives its tab.
import { server, type InputData, type InputDefinition, type Optimization, type Optimized, type Range } from '../server';
import { Watched } from '../watched';
import type { Chart } from './chart';
import { titleOf } from './figureTable';
import { inputText, isNumeric } from './inputs';
import type { Study } from './study';

/** The steps of a range for which the script has no step. */
const STEPS = 10;
const EACH_MS = 250;
/** The largest number of combinations; more are drawn at random. */
export const MOST = 500;

export const METRICS: readonly { value: string; title: string }[] = [
  ...['net_profit', 'sharpe_ratio', 'profit_factor'].map((value) => ({ value, title: titleOf(value) })),
  { value: 'net_profit / max_drawdown', title: 'Net profit / drawdown' },
];

/** The values of one input: the fields of a range, or all its options. */
export interface Choice {
  definition: InputDefinition;
  chosen: boolean;
  /** null for an input without an order, which tries all its options. */
  range: { from: string; to: string; step: string } | null;
  options: InputData[];
}

/** The inputs that can be varied. Those whose range the script knows are chosen. */
export function choicesOf(definitions: readonly InputDefinition[]): Choice[] {
  return definitions.flatMap((definition): Choice[] => {
    const { type, form, field, options, min, max } = definition;
    if (form === 'bool') return [{ definition, chosen: false, range: null, options: [false, true] }];
    if (options !== undefined && options.length > 1 && form !== 'color') return [{ definition, chosen: type !== 'source', range: null, options }];
    if (options !== undefined || !isNumeric(definition) || field === 'time') return [];
    return [{ definition, chosen: min !== undefined && max !== undefined && min < max, range: rangeOf(definition), options: [] }];
  });
}

/** A range to begin with: the script's own, else around the default. */
function rangeOf({ form, min, max, step, defval }: InputDefinition): Choice['range'] {
  const whole = form === 'whole';
  const middle = typeof defval === 'number' ? defval : 1;
  const [low, high] = [Math.min(middle / 2, middle * 2), Math.max(middle / 2, middle * 2, middle + 1)];
  const rounded = (value: number) => (whole ? Math.round(value) : Number(value.toPrecision(6)));
  const [from, to] = [min ?? rounded(Math.min(low, max ?? low)), max ?? rounded(Math.max(high, min ?? high))];
  const width = step ?? (whole ? Math.max(1, Math.round((to - from) / STEPS)) : Number(((to - from) / STEPS).toPrecision(3)));
  return { from: String(from), to: String(to), step: String(width) };
}

/** The number of values of a choice; NaN for a range that cannot be used. */
export function countOf({ range, options }: Choice): number {
  if (range === null) return options.length;
  const [from, to, step] = [range.from, range.to, range.step].map((text) => (text.trim() === '' ? Number.NaN : Number(text))) as [number, number, number];
  if (!(step > 0) || !(to > from) || !Number.isFinite(to - from)) return Number.NaN;
  return Math.floor((to - from) / step + 1e-9) + 1;
}

/** The problem of the choices, for people; null if they can be optimized. */
export function problemOfChoices(choices: readonly Choice[]): string | null {
  const chosen = choices.filter((one) => one.chosen);
  if (chosen.length === 0) return 'Choose the inputs to vary.';
  const wrong = chosen.find((one) => !(countOf(one) > 1));
  return wrong === undefined ? null : `${wrong.definition.name}: give two or more values, from a number to a larger one, with a step above 0`;
}

const rangeText = ({ range, options }: Choice): Range => (range === null ? options : [range.from, range.to, range.step].map((text) => text.trim()).join(':'));

/** The inputs of one run: the value of each varied input, by its id. */
export type Place = { id: string; name: string; value: InputData }[];

export function placeOf(results: Optimized, at: readonly number[]): Place {
  return results.axes.map(({ name, values }, i) => ({ id: results.ids[i] ?? '', name, value: values[at[i] ?? 0] ?? '' }));
}

export const placeText = (place: Place): string => place.map(({ name, value }) => `${name} = ${inputText(value)}`).join(', ');

/** A cell of the heat map: the best run with two values, and its metric. */
export interface Cell {
  at: number[];
  value: number;
}

/** The best run for each two values of two axes, by `row:column`. The same axis twice is one row. */
export function cellsOf({ runs }: Optimized, across: number, down: number): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [at, value] of runs) {
    if (value === null) continue;
    const key = `${across === down ? 0 : at[down]}:${at[across]}`;
    const known = cells.get(key);
    if (known === undefined || value > known.value) cells.set(key, { at, value });
  }
  return cells;
}

const known = new WeakMap<Study, Optimizing>();

/** The optimization of a study; it is kept as long as the study. */
export function optimizingOf(study: Study): Optimizing {
  const made = known.get(study) ?? new Optimizing(study);
  known.set(study, made);
  return made;
}

export class Optimizing {
  readonly choices: Watched<readonly Choice[]>;
  readonly metric = new Watched(METRICS[0]?.value ?? 'net_profit');
  readonly holdout = new Watched(0.3);
  /** The newest optimization; null before the first. */
  readonly state = new Watched<Optimization | null>(null);
  readonly problem = new Watched<string | null>(null);
  /** The inputs that the last click put onto the chart, in words. */
  readonly said = new Watched('');
  /** The source and the bars of the newest optimization. */
  asked: { source: string; words: string } | null = null;
  private definitions: readonly InputDefinition[];

  constructor(private readonly study: Study) {
    this.definitions = study.definitions;
    this.choices = new Watched<readonly Choice[]>(choicesOf(study.definitions));
  }

  /** Take the inputs of the present script, if it was changed. */
  follow(): void {
    if (this.definitions === this.study.definitions) return;
    this.definitions = this.study.definitions;
    this.choices.setValue(choicesOf(this.definitions));
  }

  change(id: string, by: Partial<Choice>): void {
    this.choices.setValue(this.choices.value().map((one) => (one.definition.id === id ? { ...one, ...by } : one)));
  }

  get isGoing(): boolean {
    return this.state.value()?.going === true;
  }

  async begin(chart: Chart): Promise<void> {
    const ranges = Object.fromEntries(this.choices.value().filter((one) => one.chosen).map((one) => [one.definition.id, rangeText(one)]));
    const request = chart.requestOf(this.study);
    this.problem.setValue(null);
    this.said.setValue('');
    this.asked = { source: request.source, words: `${request.symbol}, ${request.resolution}` };
    try {
      let state = await server.optimize({ ...request, ranges, metric: this.metric.value(), most: MOST, holdout: this.holdout.value() });
      this.state.setValue(state);
      while (state.going) {
        await new Promise((done) => setTimeout(done, EACH_MS));
        state = await server.optimization(state.number);
        this.state.setValue(state);
      }
      this.problem.setValue(state.problem);
    } catch (error) {
      this.state.setValue(null);
      this.problem.setValue(error instanceof Error ? error.message : String(error));
    }
  }

  stop(): void {
    const number = this.state.value()?.number;
    if (number !== undefined) void server.stopOptimization(number).catch(() => undefined);
  }

  /** Put the inputs of a run onto the chart, and say what the chart has then. */
  use(place: Place): void {
    if (this.asked?.source !== this.study.source) {
      this.said.setValue('The script has changed since these runs: optimize again.');
      return;
    }
    this.study.setInputs(place.map(({ id, value }) => ({ id, value })));
    const now = new Map(this.study.inputs.value().map(({ id, value }) => [id, value]));
    const refused = place.filter(({ id, value }) => now.get(id) !== value);
    this.said.setValue(refused.length === 0 ? `On the chart: ${placeText(place)}` : `The chart did not take ${placeText(refused)}`);
  }
}
