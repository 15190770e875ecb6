// What the data source of a strategy has beside that of an indicator: its report, trades, orders and equity.
import type { Study } from '../model/study';
import type { TestedTrade } from '../server';

export function strategyApi(study: Study) {
  const report = () => (study.visible.value() ? study.tested() : null);
  return {
    reportData: report,
    performance: () => ({ value: () => report()?.performance ?? null }),
    ordersData: () => report()?.filledOrders.map((order) => ({ ...order })) ?? [],
    tradesData: () => report()?.trades.map(tradeRow) ?? [],
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
