// A portfolio of the tester: its symbols and strategies, its account, and the report of the newest run. It outlives its tab.
import { server, type PortfolioReport } from '../server';
import { Watched } from '../watched';
import type { Chart } from './chart';
import type { Study } from './study';

/** The largest number of strategies of a portfolio. */
export const MOST = 50;

/** A strategy with the chart that it is on. */
export interface Placed {
  chart: Chart;
  study: Study;
}

/** The strategies on some charts. */
export const strategiesOn = (charts: readonly Chart[]): Placed[] =>
  charts.flatMap((chart) => chart.studies.value().filter((study) => study.isStrategy).map((study) => ({ chart, study })));

/** The full name of the symbol of a chart. */
export const symbolOf = (chart: Chart): string => chart.info.value()?.full_name ?? chart.symbol.value();

const known = new WeakMap<Study, Portfolio>();

/** The portfolio of the tester of a study; it is kept as long as the study. */
export function portfolioOf(chart: Chart, study: Study): Portfolio {
  const made = known.get(study) ?? new Portfolio(chart, study);
  known.set(study, made);
  return made;
}

export class Portfolio {
  /** The chosen symbols. */
  readonly symbols: Watched<readonly string[]>;
  /** The ids of the chosen strategies. */
  readonly studies: Watched<readonly string[]>;
  /** Whether the strategies share one account; otherwise each has an equal part of the capital. */
  readonly shared = new Watched(true);
  /** The capital, and the size of orders in percent of the equity, as they are typed; empty: as the scripts say. */
  readonly capital = new Watched('');
  readonly size = new Watched('');
  /** The number of strategies that run now; 0 if none do. */
  readonly running = new Watched(0);
  readonly problem = new Watched<string | null>(null);
  readonly report = new Watched<PortfolioReport | null>(null);
  private readonly name: string;

  constructor(chart: Chart, study: Study) {
    this.symbols = new Watched<readonly string[]>([symbolOf(chart)]);
    this.studies = new Watched<readonly string[]>([study.id]);
    this.name = `portfolio:${study.id}`;
  }

  /** The problem of the choices, for people; null if they can run. */
  problemOf(placed: readonly Placed[]): string | null {
    const count = this.chosen(placed).length * this.symbols.value().length;
    if (this.symbols.value().length === 0) return 'Choose the symbols.';
    if (count === 0) return 'Choose the strategies.';
    if (count > MOST) return `${count} strategies: a portfolio has at most ${MOST}.`;
    const wrong = [['The capital', this.capital.value()], ['The size of orders', this.size.value()]].find(([, text = '']) => text.trim() !== '' && !(Number(text) > 0));
    return wrong === undefined ? null : `${wrong[0]} must be a number above 0.`;
  }

  chosen(placed: readonly Placed[]): Placed[] {
    return placed.filter(({ study }) => this.studies.value().includes(study.id));
  }

  async run(placed: readonly Placed[]): Promise<void> {
    const symbols = this.symbols.value();
    const members = this.chosen(placed).flatMap(({ chart, study }) => {
      const { source, resolution, inputs, properties = {} } = chart.requestOf(study);
      return symbols.map((symbol) => ({ name: `${study.shortName} on ${symbol.replace(/^.*:/, '')}`, source, symbol, resolution, inputs, properties }));
    });
    const first = this.chosen(placed)[0];
    if (first === undefined) return;
    const { count, until, look } = first.chart.requestOf(first.study);
    const [capital, size] = [this.capital.value().trim(), this.size.value().trim()];
    const trading = {
      ...(capital === '' ? {} : { initial_capital: Number(capital) }),
      ...(size === '' ? {} : { default_qty_type: 'percent_of_equity', default_qty_value: Number(size) }),
    };
    this.problem.setValue(null);
    this.running.setValue(members.length);
    try {
      this.report.setValue(await server.portfolio({ members, count, until, look, trading, shared: this.shared.value(), study: this.name }));
    } catch (error) {
      this.report.setValue(null); // an older report would look like the answer
      this.problem.setValue(error instanceof Error ? error.message : String(error));
    } finally {
      this.running.setValue(0);
    }
  }

  stop(): void {
    void server.stop(this.name).catch(() => undefined);
  }
}
