"""The life of an order: what the broker made of a call, why bars did not fill it; observing changes nothing."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pinebench.backtesting.backtest import backtest
from pinebench.broker.book import Book
from pinebench.broker.emulator import Broker
from pinebench.broker.order_fills import Filler
from pinebench.broker.properties import Properties
from pinebench.broker.rules import Rules
from pinebench.checker import open_program
from pinebench.errors import UnavailableError, UsageError
from pinebench.market import Bars, SymbolInfo
from pinebench.runtime import report
from pinebench.why.order_life import OrderLife, order_life
from pinebench.why.order_recorder import OrdersSeen
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request
from tests.runtime.running import bars_of
from tests.script_files import ScriptCase, script_cases
from tests.tables import each

ROWS = [
    (100.0, 101.0, 99.0, 100.0),
    (100.0, 102.0, 99.5, 101.0),
    (101.0, 103.0, 100.0, 102.0),
    (102.0, 104.0, 101.0, 103.0),
    (103.0, 103.5, 98.0, 99.0),
    (99.0, 100.0, 97.0, 98.0),
    (98.0, 99.0, 96.0, 97.0),
    (97.0, 106.0, 96.5, 105.0),
]
HOUR = 3_600_000
OPENS, HIGHS, LOWS, CLOSES = ([row[k] for row in ROWS] for k in range(4))
BARS = Bars([k * HOUR for k in range(8)], OPENS, HIGHS, LOWS, CLOSES, [1.0] * 8)
SYMBOL = SymbolInfo(timeframe="60", mintick=0.01)


def life(body: str, order: str, bar: int, given: str = "") -> OrderLife:
    fixed = ", default_qty_type = strategy.fixed, default_qty_value = 1"
    source = f'//@version=6\nstrategy("x"{given or fixed})\n{body}'
    return execute(Request(source, BARS, SYMBOL), partial(order_life, order=order, bar=bar))


def texts(told: OrderLife) -> list[tuple[int, str, str]]:
    return [(step.bar, step.what, step.text) for step in told.steps]


STOP = 'if bar_index == 0\n    strategy.entry("L", strategy.long, stop = 103.5)\n'


def test_a_cancel_that_found_no_order_is_told() -> None:
    script = """if bar_index == 1
    strategy.entry("B", strategy.long)
if bar_index == 5
    strategy.cancel("B")
if bar_index == 6
    strategy.cancel_all()
if bar_index == 7
    strategy.cancel("Other")"""
    told = {bar: life(script, "B", bar).reasons for bar in (5, 6, 7)}
    assert told[5][0] == "strategy.cancel on line 6 ran, and no order with this id was waiting"
    assert told[6][0] == "strategy.cancel_all on line 8 ran, and no order with this id was waiting"
    assert "strategy.cancel" not in " ".join(told[7]), "it was for another order"


def test_a_stop_waits_until_the_price_reaches_it() -> None:
    told = life(STOP, "L", 0)
    assert texts(told) == [
        (0, "called", 'strategy.entry("L", strategy.long, stop = 103.5)'),
        (0, "placed", "buys 1 (the strategy's default size of 1 contracts, at 103.5, in lots of 1), "
         "at stop 103.5, from the next bar on"),
        (1, "waited", "high 102 < stop 103.5"),
        (2, "waited", "high 103 < stop 103.5"),
        (3, "filled", "bought 1 at 103.5: the price reached its stop 103.5 on the way 102 → 101 → 104 → 103"),
    ]  # fmt: skip
    assert (told.cause, told.steps[0].line, told.steps[-1].values["path"]) == ("filled", 4, [102, 101, 104, 103])


def test_a_bar_in_the_middle_of_the_life_tells_the_same() -> None:
    assert texts(life(STOP, "L", 2)) == texts(life(STOP, "L", 0))


def test_slippage_and_commission_of_a_fill() -> None:
    given = ", slippage = 10, commission_value = 1, default_qty_type = strategy.fixed, default_qty_value = 2"
    told = life('if bar_index == 0\n    strategy.entry("L", strategy.long)\n', "L", 0, given)
    assert told.steps[-1].text == "bought 2 at 100.1: at the market, at the open 100, slippage of 0.1, commission 2.002"


def test_the_price_that_decides_about_a_stop_entry_is_named() -> None:
    """The open of its bar, 102 on bar 3: 985 contracts at the stop would be covered."""
    body = 'if bar_index == 2\n    strategy.entry("S", strategy.short, 985, stop = 101.5)'
    told = life(body, "S", 2)
    assert told.cause == "margin"
    assert told.reasons == [
        "bar 3: refused by the margin at its fill: 985 contracts at the open 102 need 100470, and the equity is 100000"
    ]


@each("case", script_cases(Path(__file__).parent / "refused.txt"))
def test_the_rule_that_refused_is_named(case: ScriptCase) -> None:
    """A script is given by its cause, order and bar, and by the arguments of its strategy where they matter."""
    cause, order, bar, *given = case.fields
    told = life(case.script, order, int(bar), "".join(given))
    assert (told.cause, told.reasons) == (cause, [case.below["told"]])


ENDED: list[tuple[str, str, int, str, str]] = [
    (STOP + "if bar_index == 2\n    strategy.cancel(\"L\")\n", "L", 0, "canceled",
     "bar 2: canceled by strategy.cancel on line 6; the nearest price was on bar 2: high 103 < stop 103.5"),
    (STOP + "if bar_index == 2\n    strategy.cancel_all()\n", "L", 1, "cleared",
     "bar 2: canceled by strategy.cancel_all on line 6, with all other orders; "
     "the nearest price was on bar 2: high 103 < stop 103.5"),
    (STOP + 'if bar_index == 1\n    strategy.entry("L", strategy.long, limit = 90)\n', "L", 0, "replaced",
     "bar 1: replaced by strategy.entry on line 6 with the same id; "
     "the nearest price was on bar 1: high 102 < stop 103.5"),
    ('if bar_index == 0\n    strategy.order("A", strategy.long, 1, stop = 101.5, oca_name = "g", '
     'oca_type = strategy.oca.cancel)\n    strategy.order("B", strategy.short, 1, stop = 90, oca_name = "g", '
     "oca_type = strategy.oca.cancel)\n", "B", 0, "group",
     "bar 1: canceled, because another order of its OCA group was filled; "
     "the nearest price was on bar 1: low 99.5 > stop 90"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "order", "bar", "cause", "words"), ENDED)
def test_the_end_of_a_waiting_order(body: str, order: str, bar: int, cause: str, words: str) -> None:
    told = life(body, order, bar)
    assert (told.cause, told.reasons[0]) == (cause, words)


def test_an_order_that_is_never_reached_tells_the_nearest_price() -> None:
    told = life('if bar_index == 0\n    strategy.entry("L", strategy.long, limit = 95.5)\n', "L", 0)
    assert (told.cause, told.reasons) == (
        "waiting",
        ["not filled until the last bar (7); the nearest price was on bar 6: low 96 > limit 95.5"],
    )


def test_a_limit_that_prices_only_touch() -> None:
    given = ", backtest_fill_limits_assumption = 5, default_qty_type = strategy.fixed, default_qty_value = 1"
    told = life('if bar_index == 0\n    strategy.entry("L", strategy.long, limit = 96)\n', "L", 0, given)
    assert (6, "waited", "the price did not go 5 ticks beyond its limit 96") in texts(told)


def test_an_exit_waits_for_its_entry_and_then_for_its_prices() -> None:
    body = STOP + 'if bar_index == 0\n    strategy.exit("X", "L", stop = 98.5, limit = 110)\n'
    assert texts(life(body, "X", 0)) == [
        (0, "called", 'strategy.exit("X", from_entry = "L", limit = 110, stop = 98.5)'),
        (0, "placed", "closes 100 % of the entry 'L' at limit 110, stop 98.5, when that entry is filled"),
        (1, "waited", "waited for a fill of the entry 'L'"),
        (4, "filled", "sold 1 at 98.5: the price reached its stop 98.5 on the way 103 → 103.5 → 98 → 99"),
    ]


OPEN = 'if bar_index == 0\n    strategy.entry("L", strategy.long)\n'


def test_an_exit_of_an_open_trade_waits_for_its_prices() -> None:
    told = life(OPEN + 'if bar_index == 1\n    strategy.exit("X", "L", stop = 90, limit = 110)\n', "X", 1)
    assert texts(told)[2:5] == [
        (2, "waited", "low 100 > stop 90 and high 103 < limit 110"),
        (3, "waited", "low 101 > stop 90 and high 104 < limit 110"),
        (4, "waited", "low 98 > stop 90 and high 103.5 < limit 110"),
    ]
    assert told.reasons == [
        "not filled until the last bar (7); the nearest price was on bar 7: low 96.5 > stop 90 and high 106 < limit 110"
    ]
    trailing = 'if bar_index == 1\n    strategy.exit("X", "L", trail_points = 100, trail_offset = 500)\n'
    assert (3, "waited", "low 101 > trailing stop 98") in texts(life(OPEN + trailing, "X", 1))
    armed = 'if bar_index == 1\n    strategy.exit("X", "L", trail_price = 120, trail_offset = 5)\n'
    assert (2, "waited", "high 103 < activation price 120") in texts(life(OPEN + armed, "X", 1))


def test_an_exit_that_was_filled_counts_as_filled_even_if_the_rest_is_closed_by_another() -> None:
    exits = (
        'if bar_index == 0\n    strategy.exit("X", "L", qty = 1, limit = 102)\n'
        '    strategy.exit("Y", "L", limit = 103.5)\n'
    )
    given = ", default_qty_type = strategy.fixed, default_qty_value = 2"
    told = life(OPEN + exits, "X", 0, given)
    assert (told.cause, told.steps[-1].what) == ("filled", "ended")
    assert told.reasons == ["bar 1: sold 1 at 102: the price reached its limit 102 on the way 100 → 99.5 → 102 → 101"]


def test_the_order_that_closes_everything() -> None:
    body = OPEN + "if bar_index % 3 == 2\n    strategy.close_all()\n"
    told = life(body, "Close position order", 2)
    assert [(step.bar, step.what) for step in told.steps] == [(2, "called"), (2, "placed"), (3, "filled")]
    assert told.steps[0].text == "strategy.close_all()"
    absent = life(body, "Close position order", 1)
    assert absent.cause == "not-called" and absent.reasons[-1] == "bar_index % 3 == 2 is false: bar_index % 3 is 1"
    assert life(body, "Close position order", 5).cause == "no-position"


def test_a_close_that_is_filled_at_once() -> None:
    body = OPEN + 'if bar_index == 2\n    strategy.close("L", immediately = true)\n'
    for id in ("L", "Close entry(s) order L"):
        told = life(body, id, 2)
        assert texts(told)[-1] == (2, "filled", "sold 1 at 102: at the market, at 102")
        assert (told.cause, told.reasons[0]) == ("filled", "bar 2: sold 1 at 102: at the market, at 102")
    assert [(step.what, step.bar) for step in life(body, "L", 2).steps] == [("called", 2), ("filled", 2)]
    everything = OPEN + "if bar_index == 2\n    strategy.close_all(immediately = true)\n"
    assert [step.what for step in life(everything, "Close position order", 2).steps] == ["called", "filled"]


def test_the_order_of_a_risk_rule() -> None:
    body = f"strategy.risk.max_intraday_filled_orders(1)\n{OPEN}"
    told = life(body, "Close Position (Max number of filled orders in one day)", 1)
    assert told.cause == "filled" and [step.what for step in told.steps] == ["filled"]


def test_an_order_of_another_bar_whose_id_is_not_in_the_script() -> None:
    body = OPEN.replace("== 0", "% 4 == 0") + 'if bar_index % 4 == 2\n    strategy.close("L")\n'
    id = "Close entry(s) order L"
    assert life(body, id, 2).cause == "filled"
    told = life(body, id, 5)
    assert (told.cause, told.reasons) == (
        "not-called",
        [
            "no order with this id was placed, waited or was filled on this bar: "
            "the previous one on bar 3, the next one on bar 6"
        ],
    )


def test_an_order_with_an_empty_id() -> None:
    told = life('if bar_index == 1\n    strategy.order("", strategy.long)\n', "", 1)
    assert [step.what for step in told.steps] == ["called", "placed", "filled"] and told.cause == "filled"


def test_a_trailing_stop_tells_where_it_was() -> None:
    body = (
        'if bar_index == 0\n    strategy.entry("L", strategy.long)\n'
        '    strategy.exit("X", "L", trail_points = 100, trail_offset = 200)\n'
    )
    told = life(body, "X", 0)
    assert told.cause == "filled" and "its trailing stop was at 100" in told.steps[-1].text


def test_a_call_that_did_not_run_names_the_condition() -> None:
    body = (
        "enter(on) =>\n    if on\n        strategy.entry(\"L\", strategy.long)\n"
        "rising = close > 200\nif bar_index > 2\n    enter(rising)\n"
    )  # fmt: skip
    first = life(body, "L", 1)
    assert (first.cause, first.reasons) == (
        "not-called",
        [
            "strategy.entry on line 5 was not called: line 7: the if block did not run, because bar_index > 2 is false",
            "bar_index > 2 is false: bar_index is 1",
        ],
    )
    later = life(body, "L", 5)
    assert later.reasons[-1] == "close > 200 is false: close is 98" and later.parts


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('if close > 1000\n    x = 1\nelse if close > 50\n    x = 2\nelse\n    strategy.entry("L", strategy.long)\n',
         "its else part did not run, because close > 50 is true"),
        ('switch\n    close > 50 => label.new(bar_index, 1)\n    => strategy.entry("L", strategy.long)\n',
         "a later case did not run, because close > 50 is true"),
        ('switch bar_index\n    99 => strategy.entry("L", strategy.long)\n',
         "bar_index is 3, and this case needs 99"),
        ('while close > 500\n    strategy.entry("L", strategy.long)\n', "the loop did not run"),
    ],
)  # fmt: skip
def test_conditions_of_all_structures(body: str, words: str) -> None:
    told = life(body, "L", 3)
    assert told.cause == "not-called" and words in told.reasons[0]


def test_questions_that_have_no_answer() -> None:
    with pytest.raises(UsageError, match="no order with the id 'l'"):
        life(STOP, "l", 0)
    with pytest.raises(UsageError, match="not a strategy"):
        execute(Request('//@version=6\nindicator("x")\nplot(1)\n', BARS, SYMBOL), partial(order_life, order="L", bar=0))
    told = life(STOP + 'if bar_index == 5\n    runtime.error("enough")\n', "L", 0)
    assert told.cause == "error" and told.error == "Error on bar 5: enough"


def test_a_broker_without_an_observer_has_the_plain_parts() -> None:
    broker = Broker(Properties(), BARS, tick=0.01)
    assert (type(broker.book), type(broker.filler), type(broker.rules)) == (Book, Filler, Rules)


SAMPLES = Path(__file__).parents[2] / "pine" / "samples"
LONG = bars_of([100 + 10 * ((k * 7) % 13) / 13 + k / 50 for k in range(300)], minutes=60)


def results(source: str, bars: Bars, orders: OrdersSeen | None) -> Any:
    """Everything that a run shows: plots, alerts, drawings, fills, trades, figures, the account on every bar."""
    tested = backtest(open_program(source), bars, SYMBOL, orders=orders)
    told = report.report(tested.result)
    return told, tested.fills, tested.trades, tested.open_trades, tested.figures(), tested.curve


def same_when_observed(source: str) -> bool:
    """Whether an observed run is the same bit for bit. False if the script does not run here."""
    try:
        plain = results(source, LONG, None)
    except (UsageError, UnavailableError):
        return False
    ids = {fill.id for fill in plain[1]} or {"Long"}
    for id in sorted(ids)[:2]:
        assert repr(results(source, LONG, OrdersSeen(id, 150))) == repr(plain)
    return True


def test_observing_changes_nothing() -> None:
    assert same_when_observed((SAMPLES / "breakout_strategy.pine").read_text(encoding="utf-8"))
    assert same_when_observed('//@version=6\nstrategy("x", calc_on_order_fills = true)\n' + STOP)
    assert same_when_observed('//@version=6\nstrategy("x", process_orders_on_close = true)\n' + STOP)


@pytest.mark.soak
def test_observing_changes_nothing_on_real_strategies() -> None:
    folders = [os.environ.get("PINEBENCH_CORPUS"), os.environ.get("PINEBENCH_PARITY"), str(SAMPLES)]
    files = [file for folder in folders if folder for file in sorted(Path(folder).rglob("*.pine"))]
    sources = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    strategies = [source for source in sources if "strategy(" in source]
    compared = sum(same_when_observed(source) for source in strategies)
    assert compared >= len(strategies) / 2 > 0, (compared, len(strategies))
