"""Several strategies in one account: no money is made, lost or used twice, and nothing is known before its time."""

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pinebench.calendars.aggregation import aggregate
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, timeframe
from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market import Rates
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.portfolios import portfolio_report
from pinebench.portfolios.portfolio import PortfolioMember, PortfolioRun, fitting, performed, portfolio
from pinebench.runtime import NotComputed
from pinebench.workers.jobs import request_of, trade
from pinebench.workers.request import WorkerStop
from tests.tables import each

HOUR, DAY = 3_600_000, 86_400_000
START = 1_767_571_200_000  # a Monday
CROSS = """\
//@version=6
strategy("Cross", initial_capital = 10000, default_qty_type = strategy.percent_of_equity, default_qty_value = 60)
every = input.int(5, "Every")
if bar_index % every == 1
    strategy.entry("L", strategy.long)
if bar_index % every == every - 1
    strategy.close("L")
plot(strategy.equity, "Equity")
"""
WILD = """\
//@version=6
strategy("Wild", initial_capital = 10000, default_qty_type = strategy.percent_of_equity, default_qty_value = 40)
seed = input.int(1, "Seed")
roll = (bar_index * 7919 + seed * 104729) % 97
if roll < 12
    strategy.entry("L", strategy.long)
else if roll < 20
    strategy.entry("S", strategy.short, stop = low * 0.998)
else if roll < 28
    strategy.entry("L2", strategy.long, limit = low * 0.999)
else if roll < 34
    strategy.order("R", strategy.long, qty = 3)
else if roll < 44
    strategy.close_all(immediately = roll < 38)
if roll % 3 == 0
    strategy.exit("X", "L", profit = 300, trail_points = 100, trail_offset = 50)
strategy.risk.max_intraday_loss(6, strategy.percent_of_equity)
plot(strategy.equity, "Equity")
plot(strategy.max_drawdown, "Fall")
"""
WILDER: dict[str, dict[str, Any]] = {
    "plain": {},
    "on close": {"process_orders_on_close": True, "commission_value": 0.1},
    "on fills": {"calc_on_order_fills": True},
    "pyramid": {"pyramiding": 3, "close_entries_rule": "ANY", "slippage": 3},
    "margin": {"margin_long": 25.0, "margin_short": 25.0, "default_qty_value": 300.0},
}


def bars_of(seed: int, count: int = 150, step: int = HOUR, start: int = START) -> Bars:
    """Bars of a market that wanders, with gaps."""
    chance, bars, price = random.Random(seed), Bars(), 100.0
    for number in range(count):
        first = price * (1 + chance.choice((0, 0, chance.gauss(0, 0.01))))
        last = first * (1 + chance.gauss(0, 0.02))
        high, low = (
            max(first, last) * (1 + abs(chance.gauss(0, 0.01))),
            min(first, last) * (1 - abs(chance.gauss(0, 0.01))),
        )
        open_, high, low, close = (round(each, 2) for each in (first, high, low, last))
        bars.append(start + number * step, open_, high, low, close, 1.0)
        price = last
    return bars


def member(name: str, source: str = CROSS, bars: Bars | None = None, **more: Any) -> PortfolioMember:
    given = {"timeframe": "60", "currency": "USD", "mincontract": 0.01, **more.pop("symbol", {})}
    weight = more.pop("weight", None)
    made = bars if bars is not None else bars_of(1)
    return PortfolioMember(
        name, request_of(open_program(source, ()), made, SymbolInfo(symbol=name, **given), **more), weight
    )


def run(*members: PortfolioMember) -> PortfolioRun:
    """Run a portfolio in this process."""
    found = performed(*fitting(members))
    assert found.error is None
    return found


@each("properties", WILDER.values())
@each("seed", [3, 4])
def test_one_strategy_alone_is_its_back_test_bit_by_bit(seed: int, properties: dict[str, Any]) -> None:
    one = member("A", WILD, bars_of(seed), inputs={"Seed": seed}, properties=properties)
    found, alone = run(one), trade(one.request)
    assert len(alone.trades) > 5
    assert found.tests[0].trades == alone.trades
    assert found.told == alone.told
    assert (found.times, found.equity, found.realized) == (alone.bars.time, alone.curve.equity, alone.curve.realized)
    assert [each.values for each in found.tests[0].result.plots] == [each.values for each in alone.result.plots]


def mixed(properties: dict[str, Any] | None = None) -> list[PortfolioMember]:
    """Hours all day, hours of a session in New York, and days."""
    given = properties or {}
    hours = bars_of(2, 400)
    market = hours.at(i for i, time in enumerate(hours.time) if 14 <= time // HOUR % 24 < 21)
    days = aggregate(bars_of(3, 400), BarGrid(timeframe("1D"), session("24x7", "UTC"), long_chart=True), Bars())
    return [
        member("A", WILD, bars_of(1, 400), inputs={"Seed": 1}, properties=given),
        member("B", WILD, market, inputs={"Seed": 2}, properties=given),
        member("C", CROSS, days, inputs={"Every": 3}, properties=given, symbol={"timeframe": "1D"}),
    ]


def test_capital_and_the_profits_of_all_trades_are_the_equity_at_every_close() -> None:
    found = run(*mixed({"commission_type": "cash_per_contract", "commission_value": 0.05}))
    assert len({row["strategy"] for row in portfolio_report.rows(found)}) == 3
    assert found.told["final_equity"] == pytest.approx(10_000 + found.told["net_profit"] + found.told["open_profit"])
    rows = portfolio_report.rows(found)
    assert found.told["net_profit"] == math.fsum(row["profit"] for row in rows if row["exit_time"] is not None)
    moments = sorted({end for each in found.tests for end in closes(each.bars, each.symbol)})
    assert len(moments) == len(found.equity)
    for moment, equity in list(zip(moments, found.equity, strict=True))[::7]:
        assert equity == pytest.approx(10_000 + math.fsum(profit_at(each, moment) for each in found.tests), abs=1e-6)


def closes(bars: Bars, symbol: SymbolInfo) -> list[int]:
    step = DAY if symbol.timeframe == "1D" else HOUR
    return [time - time % step + step for time in bars.time]


def profit_at(tested: Any, moment: int) -> float:
    """The profit of a strategy at a moment, from its list of trades alone."""
    ends = closes(tested.bars, tested.symbol)
    last = max((i for i, end in enumerate(ends) if end <= moment), default=-1)
    total = 0.0
    for one in tested.trades:
        if one.exit_bar <= last:
            total += one.profit
        elif one.entry_bar <= last:
            move = (tested.bars.close[last] - one.entry_price) * one.side
            total += (move - 0.05) * one.quantity
    for one in tested.open_trades:
        if one.bar <= last:
            total += ((tested.bars.close[last] - one.price) * one.side - 0.05) * one.quantity
    return total


@each("more", [{}, {"process_orders_on_close": True}, {"calc_on_order_fills": True}])
@each("size", [60.0, 100.0])
def test_no_money_is_used_twice(size: float, more: dict[str, Any]) -> None:
    """All buy in the same hours; what is bought is always paid with money that is there."""
    given = {"default_qty_value": size, **more}
    members = [member(name, CROSS, bars_of(seed), properties=given) for seed, name in enumerate("ABC")]
    found = run(*members)
    flows: dict[int, float] = {}
    for row in portfolio_report.rows(found):
        flows[row["entry_time"]] = flows.get(row["entry_time"], 0.0) - row["entry_price"] * row["qty"]
        if row["exit_time"] is not None:
            flows[row["exit_time"]] = flows.get(row["exit_time"], 0.0) + row["exit_price"] * row["qty"]
    cash = list(itertools.accumulate((flows[time] for time in sorted(flows)), initial=10_000.0))
    assert min(cash) >= -1e-6
    assert min(cash) < 5_000  # the money is used
    assert sum(found.crowded_out) > 10  # and it is short: alone, each strategy would use all of it
    assert any("refused because other strategies" in note for note in found.notes)


def test_entries_that_others_crowded_out_have_one_reason() -> None:
    """The second strategy never gets the money, which alone would be enough."""
    whole = {"default_qty_value": 100.0}
    source = CROSS.replace("strategy.close(", "strategy.cancel(")  # the position stays
    found = run(*[member(name, source, bars_of(1), properties=whole) for name in "AB"])
    assert found.crowded_out[1] > 0 and not found.tests[1].trades and not found.tests[1].open_trades
    assert [note for note in found.notes if "refused" in note] == [
        f"B: {found.crowded_out[1]} entries were refused because other strategies used the money"
    ]


def test_sizes_are_shares_of_the_equity_of_the_whole() -> None:
    given = {"default_qty_value": 20.0}
    found = run(*(member(name, CROSS, bars_of(seed), properties=given) for seed, name in enumerate("AB")))
    equities = [each.result.plot("Equity") for each in found.tests]
    assert equities[0] == pytest.approx(equities[1])
    assert equities[0] == pytest.approx(found.equity)
    one = found.tests[1].trades[3]
    at = one.entry_bar - 1
    assert one.quantity == pytest.approx(0.2 * found.equity[at] / found.tests[1].bars.close[at], abs=0.01)


def test_the_order_of_the_strategies_does_not_matter_while_there_is_money() -> None:
    members = [
        member(name, WILD, bars_of(seed), inputs={"Seed": seed}, properties={"default_qty_value": 5.0, "slippage": 1})
        for seed, name in enumerate("ABC")
    ]
    told = [run(*order).told for order in itertools.permutations(members)]
    assert all(each == told[0] for each in told)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_nothing_is_known_before_its_time(which: int) -> None:
    """Other prices of one strategy after a moment change nothing that happened before it."""
    members = mixed({"default_qty_value": 70.0})
    moment = START + 9 * DAY + 7 * HOUR
    bars = members[which].request.bars
    step = DAY if members[which].request.symbol.timeframe == "1D" else HOUR
    later = Bars()
    for row in zip(bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume, strict=True):
        time, first, *rest = row
        is_over = time + step <= moment
        rest = rest if is_over else [first * 3, first * 0.4, first * 2.5, 1.0]
        later.append(time, first if time < moment else first * 2, *rest)
    changed = list(members)
    changed[which] = replace(members[which], request=replace(members[which].request, bars=later))
    before, after = run(*members), run(*changed)
    moments = sorted({end for each in before.tests for end in closes(each.bars, each.symbol)})
    count = sum(end <= moment for end in moments)
    assert count > 100
    assert before.equity[:count] == after.equity[:count]
    assert before.equity[-1] != after.equity[-1]
    for one, other in zip(before.tests, after.tests, strict=True):
        ends = closes(one.bars, one.symbol)
        known = [[t for t in each.trades if ends[t.exit_bar] <= moment] for each in (one, other)]
        assert known[0] == known[1]


def test_with_weights_each_strategy_is_its_own_back_test() -> None:
    members = [replace(one, weight=weight) for one, weight in zip(mixed(), (0.5, 0.2, 0.2), strict=True)]
    found = run(*members)
    alone = [trade(replace(one.request, properties={"initial_capital": 10_000 * (one.weight or 0)})) for one in members]
    assert [each.told for each in found.tests] == [each.told for each in alone]
    ends = [each.curve.equity[-1] for each in alone]
    assert found.equity[-1] == pytest.approx(sum(ends) + 1_000)  # a tenth stays cash
    assert found.told["buy_and_hold"] == pytest.approx(sum(each.told["buy_and_hold"] for each in alone))


def test_a_margin_call_counts_the_losses_of_the_others() -> None:
    """A short position that doubles takes the money that covers the long position of another symbol."""
    flat, rising = Bars(), Bars()
    for number in range(40):
        flat.append(START + number * HOUR, 100, 100, 100, 100, 1)
        price = 100.0 + 5 * number
        rising.append(START + number * HOUR, price, price + 5, price, price + 5, 1)
    head = '//@version=6\nstrategy("S", initial_capital = 10000, margin_short = 50, margin_long = 100)\n'
    first = member("Long", head + 'if bar_index == 1\n    strategy.entry("L", strategy.long, 60)\n', flat)
    second = member("Short", head + 'if bar_index == 2\n    strategy.entry("S", strategy.short, 40)\n', rising)
    together, alone = run(first, second), trade(second.request)
    calls = [each.told["margin_calls"] for each in together.tests]
    assert calls[1] > 0
    assert together.told["margin_calls"] == sum(calls)
    assert together.tests[1].trades[0].exit_time < alone.trades[0].exit_time
    assert min(together.equity) > 0


def test_the_correlation_of_daily_returns() -> None:
    days = [bars_of(seed, 60, DAY) for seed in (1, 1, 2)]
    head = '//@version=6\nstrategy("H", initial_capital = 10000)\n'
    hold = head + 'if bar_index == 0\n    strategy.entry("L", strategy.SIDE, 10)\n'
    day = {"timeframe": "1D"}
    members = [
        member("up", hold.replace("SIDE", "long"), days[0], symbol=day),
        member("down", hold.replace("SIDE", "short"), days[1], symbol=day),
        member("other", hold.replace("SIDE", "long"), days[2], symbol=day),
        member("hours", hold.replace("SIDE", "long"), bars_of(5, 24 * 30), symbol={}),
        member("idle", head + "plot(close)\n", days[2], symbol=day),
    ]
    found = run(*members)
    table = found.correlation
    assert table[0][0] == pytest.approx(1)
    assert table[0][1] is not None
    assert table[0][1] < -0.9
    assert abs(table[0][2] or 1) < 0.5
    assert table[0][3] is not None  # hours and days have common days
    assert table[0][4] is None
    assert all(table[i][k] == table[k][i] for i in range(5) for k in range(5))
    text = portfolio_report.as_text(found, str)
    assert "Correlation of daily returns" in text
    assert "5 strategies share one account" in text


def test_days_before_the_first_order_do_not_count_for_the_correlation() -> None:
    """Nothing moves on them, which says nothing about the strategies."""
    days, day = [bars_of(seed, 60, DAY) for seed in (1, 2)], {"timeframe": "1D"}
    hold = '//@version=6\nstrategy("H", initial_capital = 10000)\nstrategy.entry("L", strategy.long, 10)\n'

    def correlation(first: int) -> float | None:
        since = days[0].time[first]
        members = [member(str(k), hold, each, symbol=day, first=since) for k, each in enumerate(days)]
        return run(*members).correlation[0][1]

    assert correlation(40) is not None
    assert correlation(41) is None


def test_an_error_in_one_stops_the_whole_and_names_it() -> None:
    head = '//@version=6\nstrategy("B", initial_capital = 10000)\nplot(close)\n'
    bad = head + 'if bar_index == 30\n    runtime.error("no more")\n'
    found = portfolio([member("good"), member("bad", bad)])
    assert found.failed == "bad"
    assert found.error is not None
    assert "no more" in found.error.message
    assert not found.told
    assert portfolio_report.report(found)["error"]["strategy"] == "bad"


def test_a_worker_that_had_to_be_ended_is_told_with_the_time_that_it_used() -> None:
    one = member("slow")
    ended = replace(one.request, stop=WorkerStop("run-time-limit", spent=2.5))
    found = performed(10_000.0, [replace(one, request=ended)])
    assert found.error is not None
    assert "2.5 s of processor time" in found.error.message


def euros(name: str) -> PortfolioMember:
    return member(name, symbol={"currency": "EUR"})


@each(
    ("members", "words"),
    [
        ([], "1 to 50 strategies, not 0"),
        ([member("A"), euros("B")], "different currencies: A: USD, B: EUR"),
        ([member("A"), member("B", CROSS.replace("10000", "5000"))], "different capitals: A: 10,000, B: 5,000"),
        ([member("A", weight=0.5), member("B")], "others have none"),
        ([member("A", weight=0.7), member("B", weight=0.7)], "0.7, 0.7 cannot share"),
        ([member("A", weight=0.0)], "0 cannot share"),
        ([member("A", '//@version=6\nindicator("I")\nplot(close)\n')], "A: the script is not a strategy"),
    ],
)
def test_what_does_not_fit_together_is_refused(members: Sequence[PortfolioMember], words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("(", "\\(")):
        portfolio(members)


# what must never happen


NEW_YORK = {"timezone": "America/New_York", "session": "0930-1600"}
MONDAY = 1_767_571_200_000  # 2026-01-05, midnight UTC: Sunday evening in New York


@pytest.mark.parametrize(("length", "step"), [("1D", DAY), ("1W", 7 * DAY)])
def test_a_bar_with_a_date_for_its_time_is_not_known_before_its_session(length: str, step: int) -> None:
    """Files and feeds mark a day, a week or a month with a date. Its prices are known from its session on."""
    count = 15 if length == "1D" else 3
    hours = bars_of(1, 24 * 21, start=MONDAY)
    calm, wild = Bars(), Bars()
    for number in range(count):
        time = MONDAY + number * step
        if length == "1D" and number % 7 > 4:
            continue
        calm.append(time, 100, 101, 99, 100, 1)
        is_last = number == count - 1
        wild.append(time, *((500, 900, 400, 800) if is_last else (100, 101, 99, 100)), 1)
    head = '//@version=6\nstrategy("H", initial_capital = 10000)\n'
    hold = head + 'if bar_index == 0\n    strategy.entry("L", strategy.long, 10)\n'
    known = {"timeframe": length, **NEW_YORK}
    runs = [
        run(member("hours", head + 'plot(strategy.equity, "E")\n', hours), member("long", hold, each, symbol=known))
        for each in (calm, wild)
    ]
    equities = [found.tests[0].result.plot("E") for found in runs]
    opening = wild.time[-1] + 14 * HOUR + HOUR // 2  # 9:30 in New York
    before = sum(time + HOUR <= opening for time in hours.time)
    assert before > 24 * 7
    assert equities[0][:before] == equities[1][:before]
    assert equities[0][before] != equities[1][before], "at its opening the price is known"
    friday = wild.time[-1] + (21 * HOUR if length == "1D" else 4 * DAY + 21 * HOUR)
    between = [value for time, value in zip(hours.time, equities[1], strict=True) if opening < time + HOUR < friday]
    assert between and max(between) == pytest.approx(10_000 + 10 * (500 - 100)), "its close is not known yet"


def test_equal_names_are_told_apart_and_hide_no_capital() -> None:
    found = run(member("A", bars=bars_of(1)), member("A (2)", bars=bars_of(2)), member("A", bars=bars_of(3)))
    assert found.names == ["A", "A (2)", "A (3)"]
    with pytest.raises(UsageError, match="different capitals: A: 5,000, A \\(2\\): 10,000"):
        fitting([member("A", CROSS.replace("10000", "5000")), member("A")])


def test_a_symbol_without_bars_is_refused_by_its_name() -> None:
    """It must not drop out, with the others trading its part of the money."""
    with pytest.raises(UsageError, match="B: there are no bars"):
        portfolio([member("A"), member("B", bars=Bars())])
    late = member("B", bars=bars_of(1, start=START + 90 * DAY))
    with pytest.raises(UsageError, match="B: there are no bars"):
        portfolio([replace(one, request=replace(one.request, last=START + 9 * DAY)) for one in (member("A"), late)])


def test_bars_of_another_time_are_told() -> None:
    whole, part = bars_of(1, 24 * 60), bars_of(2, 24 * 20, start=START + 20 * DAY)
    notes = run(member("A", bars=whole), member("B", bars=part)).notes
    assert [note for note in notes if "its bars" in note] == [
        "B: its bars are from 2026-01-25 to 2026-02-14, and the portfolio's from 2026-01-05 to 2026-03-06: "
        "it does not trade outside its own bars, and an open position keeps its last price"
    ]


def test_rates_are_needed_for_a_symbol_in_another_currency_and_it_is_named() -> None:
    one = member("A")
    other = member("B", symbol={"currency": "EUR"}, properties={"currency": "USD"})
    with pytest.raises(NotComputed, match="B: an account in USD on a symbol in EUR without rates"):
        portfolio([one, other])


def test_money_of_another_currency_is_converted_at_every_close() -> None:
    """Half the dollars of a rising euro are seen by the other strategy at once, and bind as much money."""
    days = [START // DAY * DAY + k * DAY for k in range(-2, 9)]
    rates = Rates(days, [1.0 + 0.1 * k for k in range(len(days))])
    head = '//@version=6\nstrategy("H", initial_capital = 10000)\nplot(strategy.equity, "E")\n'
    hold = head + 'if bar_index == 30\n    strategy.entry("L", strategy.long, 20)\n'
    other = member("B", hold, bars_of(7), symbol={"currency": "EUR"}, properties={"currency": "USD"}, rates=rates)
    found = run(member("A", head, bars_of(1)), other)
    assert found.told["currency"] == "USD"
    assert found.tests[0].result.plot("E") == pytest.approx(found.equity)
    trade_, bars = found.tests[1].open_trades[0], found.tests[1].bars
    worth = [rates.at([time])[0] for time in bars.time]
    last = len(bars) - 1
    move = (bars.close[last] - trade_.price) * 20
    assert found.told["open_profit"] == pytest.approx(move * worth[last])
    assert found.told["final_equity"] == found.equity[-1] == pytest.approx(10_000 + found.told["open_profit"])


def test_a_currency_that_is_not_known_is_told() -> None:
    notes = run(*(member(name, symbol={"currency": ""}) for name in "AB")).notes
    assert "the currency of A, B is not known: their money is added as if all were in one currency" in notes
    assert not any("currency" in note for note in run(member("A"), member("B")).notes)
    notes = run(member("A"), member("B", symbol={"assumed": ("currency",)})).notes
    assert "the currency of B is not known: its money is added as if all were in one currency" in notes


def test_a_portfolio_names_a_currency_only_if_the_one_of_every_part_is_known() -> None:
    unknown = {"assumed": ("currency",)}
    assert run(member("A"), member("B")).told["currency"] == "USD"
    found = run(member("A"), member("B", symbol=unknown))
    assert found.told["currency"] == "" and "USD" not in portfolio_report.as_csv(found)
    assert "USD" not in portfolio_report.as_text(found, str)
    tether = run(member("A", symbol=unknown), member("B", symbol={"currency": "USDT"}))
    assert tether.told["currency"] == "USDT"


@pytest.mark.parametrize("seed", range(4))
def test_margins_of_different_leverage_are_covered_together_at_every_close(seed: int) -> None:
    """Positions with 5, 25 and 100 % margin, opened at any time: what they bind together is there, or is called."""
    source = WILD.replace("strategy.risk.max_intraday_loss(6, strategy.percent_of_equity)\n", "")
    given = [
        {"margin_long": margin, "margin_short": margin, "default_qty_value": size}
        for margin, size in ((100.0, 70.0), (25.0, 250.0), (5.0, 600.0))
    ]
    members = [
        member(name, source, bars_of(10 * seed + k), inputs={"Seed": seed + k}, properties=given[k])
        for k, name in enumerate("ABC")
    ]
    found = run(*members)
    assert sum(found.crowded_out) > 0
    used = 0.0
    for moment, equity in enumerate(found.equity):
        bound = 0.0
        for tested, properties in zip(found.tests, given, strict=True):
            size = sum(one.side * one.quantity for one in tested.trades if one.entry_bar <= moment < one.exit_bar)
            size += sum(one.side * one.quantity for one in tested.open_trades if one.bar <= moment)
            bound += abs(size) * tested.bars.close[moment] * properties["margin_long"] / 100
        used = max(used, bound / equity)
        called = any(
            one.exit_id == "Margin call" and moment <= one.exit_bar <= moment + 1
            for tested in found.tests
            for one in tested.trades
        )
        assert bound <= equity * (1 + 1e-9) or called, (moment, bound, equity)
    assert used > 0.6


def test_the_parts_are_the_profits_of_the_strategies_at_every_close() -> None:
    found = run(*mixed())
    assert [len(part) for part in found.parts] == [len(found.equity)] * 3
    for moment, equity in enumerate(found.equity):
        assert equity == pytest.approx(10_000 + math.fsum(part[moment] for part in found.parts), abs=1e-6)
    told = portfolio_report.report(found)
    assert told["equity"]["strategies"] == found.parts
    for part, one in zip(found.parts, told["strategies"], strict=True):
        assert part[-1] == pytest.approx(one["net_profit"] + one["open_profit"])
