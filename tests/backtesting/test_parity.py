"""Strategies trade as TradingView exported it: every closed trade, its side, both times, both prices, its quantity."""

import pytest

from scripts.data.parity_charts import NEED_MINUTES, OTHER_BARS, OTHER_QUANTITIES, SIZED, STARTS
from tests.parity import EXPORTS, lists, trade_list

MAGNIFIED = [name for name in NEED_MINUTES if name.startswith("magnifier")]
compared, rates_for = EXPORTS.compared, EXPORTS.rates_for


def expected(name: str) -> tuple[bool, bool]:
    is_same = name not in NEED_MINUTES and name not in OTHER_BARS
    return is_same, is_same and name not in OTHER_QUANTITIES


@pytest.mark.parametrize("name", lists()[::9])
def test_strategies_trade_as_tradingview_exported(name: str) -> None:
    assert compared(name, rates_for(name)) == expected(name)


@pytest.mark.parametrize("name", ["anomaly-equity-mirror-strategy-equity-01", SIZED])
def test_the_rate_of_the_account_s_currency_decides_what_is_bought(name: str) -> None:
    """Taken for equal, the currencies give other quantities, and orders at the edge of the equity that are refused."""
    assert compared(name, EXPORTS.rates) == (True, True)
    assert compared(name)[1] is False


@pytest.mark.parametrize("name", [name for name in lists() if name in MAGNIFIED])
def test_magnified_trades_differ_only_where_bars_of_two_minutes_begin_in_another_bar(name: str) -> None:
    """TradingView goes through bars of two minutes, whose grid is that of the hour: one of them begins a minute before
    each bar at :15 and :45, and is the first of that bar, so that the last minute of the bars at :00 and :30 is not
    theirs. What happens there is met at their close, or in the bar after. All else is as the chart's bars give it."""
    script, exported = trade_list(name)
    bars = EXPORTS.bars_from(STARTS[0])
    number = {time: i for i, time in enumerate(bars.time)}
    own = {trade.entry_time: trade for trade in EXPORTS.run(script, STARTS[0], None).trades}
    differing = 0
    for trade in exported:
        ours, time, price = own[trade["entry_time"]], trade["exit_time"], trade["exit_price"]
        if (ours.exit_time, round(ours.exit_price, 2)) == (time, price):
            continue
        differing += 1
        has_one_more = time // 60_000 % 30 == 15
        was_cut = price == bars.close[number[time]] or ours.exit_time + 15 * 60_000 <= time
        assert has_one_more or was_cut, trade
    assert differing


@pytest.mark.soak
@pytest.mark.parametrize("name", lists())
def test_every_list_is_as_it_is_known_to_be(name: str) -> None:
    assert compared(name, rates_for(name)) == expected(name)
