"""Strategies as machine code: the same trades, fills, equity and figures as on the Python tier."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from pinebench.compiled import layouts, lists, pools
from pinebench.compiled.layouts import CLOSED_TRADE, POSITION
from pinebench.compiled.run_memory import RunMemory
from pinebench.errors import PinebenchError, UsageError
from pinebench.workers.jobs import perform
from tests.compiled.random_strategies import crowded_script, refilled_script, ruled_script, strategy_script
from tests.compiled.same import both, compare, compiled, refusal, request, shorter_bars

SIGNALS = """fast = input.int(5, "Fast")
slow = input.int(21, "Slow")
points = input.float(60, "Points")
a = ta.ema(close, fast)
b = ta.ema(close, slow)
up = ta.crossover(a, b)
down = ta.crossunder(a, b)
"""
MARKET = """if up
    strategy.entry("Long", strategy.long, comment = close > open ? "strong" : "weak")
if down
    strategy.entry("Short", strategy.short)
"""
BRACKETS = (
    MARKET
    + """strategy.exit("Out", "Long", profit = points, loss = points / 2, qty_percent = 60, comment_profit = "won")
strategy.exit("Rest", "Long", stop = strategy.position_avg_price * 0.98, trail_points = points / 4, trail_offset = 20)
strategy.exit("Out", "Short", limit = low - 0.5, trail_price = low - 0.1, trail_offset = 0)
"""
)
PRICED = """if up
    strategy.entry("Stop", strategy.long, stop = high + 0.2)
    strategy.entry("Limit", strategy.long, limit = low - 0.2, oca_name = "g", oca_type = strategy.oca.cancel)
    kind = strategy.oca.reduce
    strategy.order("Both", strategy.short, 3, limit = low - 1, stop = low - 0.2, oca_name = "g", oca_type = kind)
if down
    strategy.cancel("Stop")
    strategy.close("Stop", qty_percent = 50)
if bar_index % 50 == 0
    strategy.close_all(immediately = bar_index % 100 == 0)
if bar_index % 70 == 0
    strategy.cancel_all()
"""
READS = (
    MARKET
    + """plot(strategy.equity, "E")
plot(strategy.openprofit + strategy.netprofit + strategy.grossprofit - strategy.grossloss)
plot(strategy.wintrades * 10000 + strategy.losstrades * 100 + strategy.eventrades + strategy.opentrades)
plot(strategy.position_size[1] + nz(strategy.position_avg_price))
plot(strategy.closedtrades > 0 ? strategy.closedtrades.profit(strategy.closedtrades - 1) : na)
plot(strategy.opentrades > 0 ? strategy.opentrades.entry_price(0) + strategy.opentrades.profit(0) : na)
plot(strategy.margin_liquidation_price)
"""
)
DECLARED = (
    "",
    ", default_qty_type = strategy.percent_of_equity, default_qty_value = 100",
    ", default_qty_type = strategy.cash, default_qty_value = 5000, commission_value = 0.1",
    ", pyramiding = 3, slippage = 2, commission_type = strategy.commission.cash_per_order, commission_value = 1.5",
    ", process_orders_on_close = true, default_qty_value = 10",
    ", margin_long = 20, margin_short = 20, default_qty_type = strategy.percent_of_equity, default_qty_value = 400",
    ', close_entries_rule = "ANY", pyramiding = 2, backtest_fill_limits_assumption = 1, commission_value = 0.02'
    ", commission_type = strategy.commission.cash_per_contract",
)


EXTREMES = (
    MARKET
    + """fell = strategy.opentrades > 0 ? strategy.opentrades.max_drawdown(0) : 0
last = strategy.closedtrades - 1
rose = last >= 0 ? strategy.closedtrades.max_runup(last) + strategy.closedtrades.max_drawdown_percent(last) : 0
if fell > rose
    strategy.close_all()
"""
)
DIRECTIONS = """direction(bool x) => x ? strategy.long : strategy.short
if up or down
    way = down ? strategy.short : direction(up)
    strategy.entry("One", way)
"""


def strategy(body: str, declared: str) -> str:
    """A strategy with these rules and properties."""
    return f'strategy("S", initial_capital = 20000{declared})\n{SIGNALS}{body}'


@pytest.mark.parametrize("declared", DECLARED, ids=range(len(DECLARED)))
def test_brackets_have_the_trades_of_the_python_tier(declared: str) -> None:
    ran = both(strategy(BRACKETS, declared))
    assert ran.tested is not None
    assert len(ran.tested.trades) > 10


@pytest.mark.parametrize("declared", (DECLARED[1], DECLARED[4], DECLARED[6]), ids=("percent", "on close", "any"))
def test_priced_orders_have_the_trades_of_the_python_tier(declared: str) -> None:
    both(strategy(PRICED, declared))


def test_random_strategies_have_the_trades_of_the_python_tier() -> None:
    """Orders, prices and properties in combinations that nobody thought of; the soak tests have more of them."""
    for seed in (204, *range(1000, 1006)):
        both(strategy_script(seed))


@pytest.mark.parametrize("seed", range(2))
def test_a_crowded_strategy_is_finished_by_machine_code(seed: int) -> None:
    """Once, a fifth of random strategies ended on the Python tier, because there was room for few orders and trades."""
    both(crowded_script(seed))


@pytest.mark.soak
def test_every_random_strategy_that_is_accepted_is_finished_by_machine_code() -> None:
    unfinished = [
        f"{make.__name__}({seed}): {made.stopped}"
        for make in (crowded_script, strategy_script)
        for seed in range(50)
        if (made := compiled(given := request(make(seed)))).run_whole(given.bars, {}) is None
    ]
    assert unfinished == []


def test_a_direction_in_a_variable_has_the_trades_of_the_python_tier() -> None:
    ran = both(strategy(DIRECTIONS, ""))
    assert ran.tested is not None
    assert {trade.side for trade in ran.tested.trades} == {1, -1}


def test_variables_of_the_strategy_have_the_values_of_the_python_tier() -> None:
    both(strategy(READS, DECLARED[2]))


@pytest.mark.parametrize(
    ("body", "declared"),
    [(BRACKETS, 3), (PRICED, 4), (MARKET, 5), (EXTREMES, 2)],
    ids=["3", "close", "margin", "extremes"],
)
def test_a_sweep_has_the_figures_of_back_tests(body: str, declared: int) -> None:
    chance = random.Random(34)
    given = request(strategy(body, DECLARED[declared]))
    made = compiled(given)
    combinations = [
        {"Fast": chance.randint(2, 12), "Slow": chance.randint(13, 40), "Points": chance.uniform(10, 200)}
        for _ in range(2)
    ]
    for inputs, outcome in zip(combinations, made.sweep(given.bars, combinations), strict=True):
        expected = perform(replace(given, inputs=inputs))
        assert expected.tested is not None
        assert outcome.tier == "compiled"
        assert repr(outcome.figures) == repr(expected.figures)
        assert repr(outcome.trades) == repr(expected.tested.trades)
        assert outcome.net_profit == expected.figures["net_profit"]
        assert outcome.closed_trades == expected.figures["trades"]
        compare(outcome.ran, expected)


def test_a_sweep_tells_no_percentage_of_a_run_up_from_a_loss() -> None:
    ruined = ", default_qty_value = 100000, margin_long = 0, margin_short = 0"
    given = request(strategy(MARKET, ruined))
    [outcome], expected = compiled(given).sweep(given.bars, [{}]), perform(given)
    assert expected.figures["max_run_up_close_percent"] is None
    assert repr(outcome.figures) == repr(expected.figures)


def test_a_value_that_no_input_accepts_is_refused_with_a_sentence() -> None:
    given = request(strategy(MARKET, DECLARED[0]))
    with pytest.raises(UsageError, match="takes a whole number"):
        compiled(given).form({"Fast": [5]})


def test_an_outcome_that_is_read_after_later_runs_is_its_own() -> None:
    given = request(strategy(BRACKETS, DECLARED[2]))
    combinations = [{"Fast": fast} for fast in (3, 8, 12)]
    outcomes = list(compiled(given).sweep(given.bars, combinations))
    assert len({outcome.net_profit for outcome in outcomes}) == 3
    for inputs, outcome in reversed(list(zip(combinations, outcomes, strict=True))):
        expected = perform(replace(given, inputs=inputs))
        assert expected.tested is not None
        assert repr(outcome.trades) == repr(expected.tested.trades)
        assert repr(outcome.figures) == repr(expected.figures)
        assert list(outcome.equity) == expected.tested.curve.equity


@pytest.mark.parametrize(
    ("declared", "more"), [(", currency = currency.EUR", {}), ("", {"first": 1 << 52})], ids=["no rates", "no bars"]
)
def test_a_sweep_refuses_what_a_back_test_refuses(declared: str, more: dict[str, int]) -> None:
    given = request(strategy(MARKET, declared), **more)
    with pytest.raises(PinebenchError) as expected:
        perform(given)
    with pytest.raises(PinebenchError, match=re.escape(expected.value.message)):
        list(compiled(given).sweep(given.bars, [{}]))


@pytest.mark.parametrize("seed", range(20))
def test_the_profit_of_closed_trades_is_their_exact_sum(seed: int) -> None:
    chance = random.Random(seed)
    profits = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-20, 20) for _ in range(chance.randint(0, 60))]
    profits += [-each for each in profits if chance.random() < 0.5]
    chance.shuffle(profits)
    first = layouts.AREAS.end
    memory = [0.0] * (first + CLOSED_TRADE.places * len(profits))
    memory[POSITION.closed + lists.AT] = first
    memory[POSITION.closed + lists.COUNT] = CLOSED_TRADE.places * len(profits)
    for k, profit in enumerate(profits):
        memory[first + k * CLOSED_TRADE.places + CLOSED_TRADE.profit] = profit
    assert pools.closed_profit(memory) == math.fsum(profits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "leaving", ['strategy.close("Long", qty = SMALL)', 'strategy.exit("Out", "Long", qty = SMALL, limit = high * 2)']
)
def test_an_exit_below_one_lot_is_told(leaving: str) -> None:
    """It never closes anything, and nothing said so."""
    body = 'if bar_index == 20\n    strategy.entry("Long", strategy.long, qty = 1)\nif bar_index == 30\n    LEAVE\n'
    body = body.replace("LEAVE", leaving.replace("SMALL", "0.4 * syminfo.mincontract"))
    ran = both(strategy(body, "")).tested
    assert ran is not None and len(ran.open_trades) == 1
    (note,) = [each for each in ran.notes if "below the symbol's smallest quantity" in each]
    assert note.startswith("1 order was not placed")


@pytest.mark.parametrize("place", ["entry", "order"])
def test_smaller_orders_are_counted_when_they_fill(place: str) -> None:
    """A limit order that is called on each bar is one order."""
    size = "qty = 1.9 * syminfo.mincontract"
    rest = f'if bar_index > 20\n    strategy.{place}("Long", strategy.long, {size}, limit = PRICE)\n'
    never = both(strategy(rest.replace("PRICE", "0.01"), "")).tested
    assert never is not None and not [each for each in never.notes if "smaller than requested" in each]
    filled = both(strategy(rest.replace("PRICE", "10 * close"), "")).tested
    assert filled is not None and filled.fills
    (note,) = [each for each in filled.notes if "smaller than requested" in each]
    count = sum(fill.id == "Long" for fill in filled.fills)
    assert note.startswith(f"{count} order{'s were' if count > 1 else ' was'} filled")


def test_a_report_says_how_many_orders_the_equity_does_not_cover() -> None:
    for order in ("qty = 1000000", "qty = 1000000, limit = high"):
        ran = both(strategy(f'if up or down\n    strategy.entry("Long", strategy.long, {order})\n', ""))
        assert ran.tested is not None and not ran.tested.fills
        (note,) = [each for each in ran.tested.notes if "no order was filled" in each]
        assert "orders were refused, and no order was filled: the equity does not cover the margin" in note
    traded = both(
        strategy(MARKET + 'strategy.entry("More", strategy.long, qty = 1000000)\n', ", pyramiding = 2")
    ).tested
    assert traded is not None and traded.fills
    (note,) = [each for each in traded.notes if "the equity does not cover the margin" in each]
    assert re.match(r"[\d,]+ orders? w(as|ere) refused: ", note)


RULES = (
    "max_drawdown(points * 2, strategy.cash)",
    'max_drawdown(points / 20, strategy.percent_of_equity, alert_message = "fallen")',
    "max_drawdown(points / 30, points > 100 ? strategy.percent_of_equity : strategy.cash)",
    "max_drawdown(na, strategy.cash)\nstrategy.risk.max_intraday_loss(2, strategy.percent_of_equity)",
    'max_intraday_loss(points, strategy.cash, "lost")\nstrategy.risk.max_drawdown(points * 2, strategy.cash, "fallen")',
    "max_intraday_filled_orders(3)",
    "max_intraday_filled_orders(int(points / 30), syminfo.ticker)\nstrategy.risk.max_position_size(25)",
    "max_cons_loss_days(1)",
    "max_position_size(2)\nstrategy.risk.allow_entry_in(strategy.direction.long)",
)


@pytest.mark.parametrize("rule", range(len(RULES)))
@pytest.mark.parametrize("declared", (0, 3, 4, 5))
def test_a_risk_rule_stops_the_orders_of_both_tiers(rule: int, declared: int) -> None:
    given = DECLARED[declared] or ", default_qty_value = 40"
    both(strategy(f"strategy.risk.{RULES[rule]}\n{BRACKETS}{PRICED}", given), {"Points": 60.0}, {"Points": 190.0})


@pytest.mark.parametrize("entered", ('"A"', '""', "string(na)", "none"))
def test_orders_without_an_id_are_the_same_on_both_tiers(entered: str) -> None:
    body = f"""string none = close > 0 ? na : "x"
if up
    strategy.entry({entered}, strategy.long)
    strategy.entry({entered}, strategy.long, limit = low - 0.2)
    strategy.order({entered}, strategy.long, 1, stop = high + 5)
if down
    strategy.close(none)
    strategy.cancel(none)
"""
    ran = both(strategy(body, DECLARED[0]))
    assert ran.tested is not None
    assert bool(ran.tested.trades) == (entered != '"A"'), "an id that is na is the empty id"


def test_a_risk_rule_ends_trading_for_a_day() -> None:
    rule = "strategy.risk.max_intraday_filled_orders(2)\n"
    without, ruled = (both(strategy(text + BRACKETS, DECLARED[3])).tested for text in ("", rule))
    assert without is not None and ruled is not None
    assert 0 < len(ruled.trades) < len(without.trades)
    assert "Close Position (Max number of filled orders in one day)" in {trade.exit_id for trade in ruled.trades}


REFILLS = """plain = 0
plain += 1
var runs = 0
runs += 1
varip lasting = 0
lasting += 1
var window = array.new_float()
window.push(close)
if window.size() > 20
    window.shift()
if strategy.position_size != strategy.position_size[1]
    log.info("size {0} in run {1}", strategy.position_size, lasting)
var mark = label.new(bar_index, high, "begin")
if up or runs % 7 == 0
    label.set_text(mark, str.tostring(lasting))
plot(plain + runs)
plot(lasting)
plot(window.sum() + ta.sma(close, 9))
"""


@pytest.mark.parametrize("body", (BRACKETS, PRICED), ids=("brackets", "priced"))
@pytest.mark.parametrize("declared", range(len(DECLARED)))
def test_a_strategy_that_runs_on_fills_has_the_trades_of_the_python_tier(body: str, declared: int) -> None:
    ran = both(strategy(REFILLS + body, f"{DECLARED[declared]}, calc_on_order_fills = true"))
    assert ran.tested is not None and len(ran.tested.trades) > 10
    runs, lasting = (each.values[-1] for each in ran.result.plots[:2])
    assert runs == 401 and lasting > 410, "the script runs on each fill, and only varip variables stay"


@pytest.mark.parametrize("seed", range(5))
def test_random_strategies_that_run_on_fills_have_the_trades_of_the_python_tier(seed: int) -> None:
    both(refilled_script(seed))
    both(ruled_script(seed))


@pytest.mark.parametrize(
    ("make", "minutes"),
    [(strategy_script, 30), (refilled_script, 10), (ruled_script, 30)],
    ids=("plain", "fills", "rules"),
)
def test_random_strategies_with_shorter_bars_have_the_trades_of_the_python_tier(
    make: Callable[[int], str], minutes: int
) -> None:
    both(make(3), lower=shorter_bars(minutes))


@pytest.mark.parametrize("more", ("", ", calc_on_order_fills = true"), ids=("closes", "fills"))
def test_shorter_bars_decide_the_fills_of_both_tiers(more: str) -> None:
    plain, magnified = (
        both(strategy(BRACKETS + EXTREMES, DECLARED[2] + more), lower=lower).tested
        for lower in (None, shorter_bars(10))
    )
    assert plain is not None and magnified is not None
    assert [trade.exit_price for trade in magnified.trades] != [trade.exit_price for trade in plain.trades]


def test_a_sweep_with_shorter_bars_has_the_figures_of_back_tests() -> None:
    given = request(strategy(BRACKETS, DECLARED[5]), lower=shorter_bars(10))
    combinations = [{"Fast": 3, "Points": 15.0}, {"Fast": 8, "Points": 150.0}]
    for inputs, outcome in zip(combinations, compiled(given).sweep(given.bars, combinations), strict=True):
        expected = perform(replace(given, inputs=inputs))
        assert expected.tested is not None and outcome.tier == "compiled"
        assert repr(outcome.figures) == repr(expected.figures)
        assert repr(outcome.trades) == repr(expected.tested.trades)
        assert list(outcome.equity) == expected.tested.curve.equity


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("plot(ta.median(close, 5))", "ta.median() with calc_on_order_fills is not compiled"),
        (
            "var known = map.new<int, float>()\nknown.put(1, close)",
            "map.new() with calc_on_order_fills is not compiled",
        ),
        ("varip known = array.new_int()\nknown.push(1)", "varip known with calc_on_order_fills is not compiled"),
        (
            "type Cell\n    varip int runs = 0\nvar cell = Cell.new()\ncell.runs += 1\nplot(cell.runs)",
            "varip Cell.runs with calc_on_order_fills is not compiled",
        ),
    ],
)
def test_a_state_that_cannot_be_put_back_is_refused(body: str, reason: str) -> None:
    assert refusal(strategy(MARKET + body, ", calc_on_order_fills = true")).reason == reason


PILE = """strategy("Pile", pyramiding = 500, close_entries_rule = "ANY", initial_capital = 100000000)
ids = array.from({ids})
last = array.size(ids) - 1
if bar_index % 5 == 0 and bar_index < 15
    for k = 0 to last
        strategy.entry(array.get(ids, k), strategy.long, 1, limit = k < 60 ? na : close - 0.02 * k)
if bar_index < 25
    for k = 0 to last
        strategy.exit("Out", ids.get(k), profit = 300 + 9 * k, loss = 2000, trail_points = 500, trail_offset = 9)
strategy.exit("All", qty_percent = 40, limit = close * 1.05)
if bar_index == 30
    strategy.close_all()
plot(strategy.opentrades)
""".replace("{ids}", ", ".join(f'"E{k}"' for k in range(70)))


def test_many_orders_exits_and_open_trades_at_a_time_have_the_trades_of_the_python_tier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The room for them is large. A run clears none of it: whatever is in the memory before, the bits are the same."""
    take = RunMemory._take

    def dirty(self: RunMemory, size: int) -> None:
        take(self, size)
        self.memory.fill(7.7e77)

    monkeypatch.setattr(RunMemory, "_take", dirty)
    ran = both(PILE)
    assert max(ran.result.plots[0].values) > 100
    assert ran.tested is not None and len(ran.tested.trades) > 200
    for seed in range(4):
        both(strategy_script(seed))


def test_functions_place_their_orders_in_the_order_of_their_calls() -> None:
    ran = both("""strategy("S", pyramiding = 9)
long(x) =>
    strategy.entry("L", strategy.long)
    x
short(x) =>
    strategy.entry("S", strategy.short)
    x
if bar_index % 9 == 3
    log.info(str.tostring(long(close) + nz(short(open))))
""")
    assert ran.tested is not None and ran.tested.trades


def test_a_variable_of_the_strategy_is_read_before_a_later_function_closes_the_position() -> None:
    both("""strategy("S", process_orders_on_close = true)
closed(x) =>
    strategy.close_all(immediately = true)
    x
if bar_index % 5 == 1
    strategy.entry("A", strategy.long)
plot(strategy.position_size + closed(close) * 0 + strategy.position_size * 100 + strategy.closedtrades)
plot(strategy.default_entry_qty(close) + closed(close) * 0 + strategy.opentrades)
""")
