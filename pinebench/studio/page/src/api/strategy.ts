// What the data source of a strategy has beside that of an indicator: its report, trades, orders and equity.
import { faults } from '../faults';
import type { Study } from '../model/study';
import type { Tested, TestedTrade, TradeEnd } from '../server';

/** The report that a strategy had last, and when another one was seen first. */
const held = new WeakMap<Study, { report: Tested; since: number | null }>();

/** The report of a strategy as the page holds it: after another symbol was chosen, it may still be the one before. */
function currentReport(study: Study): Tested | null {
  const now = study.visible.value() && !faults.noReport ? study.tested() : null;
  const last = held.get(study);
  if (faults.oldReport !== 0 && last !== undefined && last.report !== now) {
    if (now !== null) last.since ??= performance.now();
    const isOver = faults.oldReport > 0 && last.since !== null && performance.now() - last.since >= faults.oldReport;
    if (!isOver) return last.report;
  }
  if (now !== null && now !== last?.report) held.set(study, { report: now, since: null });
  return now;
}

/** The report with its trades in the form that the page uses; the same object as long as the report is the same. */
export function reportOf(study: Study): object | null {
  const report = currentReport(study);
  if (report === null || !faults.verboseTrades) return report;
  const known = verbose.get(report) ?? { ...report, trades: report.trades.map(verboseTrade) };
  verbose.set(report, known);
  return known;
}

const verbose = new WeakMap<Tested, object>();

const verboseEnd = (end: TradeEnd | null) => (end === null ? null : { id: end.c, price: end.p, time: end.tm, type: end.tp, barIndex: end.b });

const verboseAmount = ({ v, p }: { v: number; p: number }) => ({ value: v, percentValue: p });

const verboseTrade = ({ e, x, q, tp, cp, rn, dd }: TestedTrade, i: number) => ({
  entry: verboseEnd(e),
  exit: verboseEnd(x),
  profit: verboseAmount(tp),
  cumulativeProfit: verboseAmount(cp),
  runup: verboseAmount(rn),
  drawdown: verboseAmount(dd),
  quantity: q,
  tradeNumber: i + 1,
});

export function strategyApi(study: Study) {
  const report = () => (faults.reportPlace === 'api' ? null : currentReport(study));
  return {
    reportData: () => (faults.reportPlace === 'api' ? null : reportOf(study)),
    performance: () => ({ value: () => report()?.performance ?? null }),
    ordersData: () => report()?.filledOrders.map((order) => ({ ...order })) ?? [],
    tradesData: () => (faults.verboseTrades ? report()?.trades.map(verboseTrade) : report()?.trades.map(tradeRow)) ?? [],
    // Over all bars that were tested, which may be more than the chart shows.
    equityData: () => {
      const { times = [], equity = [], drawDown = [] } = report()?.curve ?? {};
      return times.map((time, i) => ({ time, equity: equity[i] ?? 0, drawdown: drawDown[i] ?? 0 }));
    },
  };
}

/** A trade as one flat row. */
const tradeRow = ({ e, x, q, tp, cp, rn, dd }: TestedTrade, i: number) => ({
  number: i + 1,
  side: e.tp.startsWith('l') ? 'long' : 'short',
  qty: q,
  entry_time: e.tm,
  entry_price: e.p,
  entry_signal: e.c,
  exit_time: x?.tm ?? null,
  exit_price: x?.p ?? null,
  exit_signal: x?.c ?? null,
  profit: tp.v,
  profit_percent: tp.p,
  cumulative_profit: cp.v,
  run_up: rn.v,
  drawdown: dd.v,
});
