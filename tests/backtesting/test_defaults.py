"""TradingView's defaults of `strategy()` by date: sizes as exported, and what reports say of the defaults they used."""

from datetime import date
from typing import Any

import pytest

from pinebench import LANGUAGE_DATE
from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.backtesting.broker_factory import properties_of
from pinebench.backtesting.defaults import Defaults, day_of, defaults_of
from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.reference import function
from pinebench.reference.strategy_defaults import StrategyDefaults, all_strategy_defaults, strategy_defaults
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.tables import each

START = 1_704_067_200_000
BEFORE, SINCE = date(2026, 8, 31), date(2026, 11, 1)
SYMBOL = SymbolInfo(timeframe="60", mintick=0.01, mincontract=0.0001)
PRICES = [1910.0] * 4
BARS = Bars([START + 3_600_000 * k for k in range(4)], PRICES, PRICES, PRICES, PRICES, [1.0] * 4)


def trade(given: str, as_of: date | None = None, **options: Any) -> BacktestRun:
    script = f'//@version=6\nstrategy("S"{given})\nif bar_index == 1\n    strategy.entry("L", strategy.long)\n'
    return backtest(open_program(script), BARS, SYMBOL, as_of=as_of, **options)


@each(
    ("given", "before", "since"),
    [
        ("", 1, 52.356),
        (", default_qty_value = 10", 10, 5.2356),
        (", default_qty_type = strategy.fixed", 1, 100),
        (", default_qty_type = strategy.cash", 0.0005, 0.0523),
        (", default_qty_type = strategy.percent_of_equity", 5.2356, 52.356),
        (", initial_capital = 1910", 1, 1),
        (", initial_capital = 19100, default_qty_type = strategy.percent_of_equity, default_qty_value = 50", 5, 5),
    ],
)
def test_what_an_order_buys_depends_on_the_day_where_the_script_leaves_it_out(
    given: str, before: float, since: float
) -> None:
    """The sizes at a price of 1910 that TradingView exported after the change; ours before it are by its old defaults.

    100 contracts at 1910 are more than the 100,000 can cover, so that the entry is not filled: a margin of 1 % is.
    """
    margin = ", margin_long = 1"
    for day, expected in ((BEFORE, before), (SINCE, since)):
        sizes = [trade.quantity for trade in trade(given + margin, day).open_trades]
        assert sizes == [expected], (given, day)


@each(("opening", "bought"), [(1909.99, 1), (1910.0, 1), (1910.01, 0), (1920.0, 0)])
@each("side", ["long", "short"])
def test_what_takes_all_of_the_equity_is_not_bought_where_the_open_is_higher(
    side: str, opening: float, bought: int
) -> None:
    """Of 58 entries of a moving average's cross that a month of bars gave, TradingView filled the 42 that opened no
    higher than the close they were sized at, and none of the other 16."""
    prices = [1910.0, 1910.0, opening, opening]
    bars = Bars(BARS.time, prices, prices, prices, prices, BARS.volume)
    script = f'//@version=6\nstrategy("S")\nif bar_index == 1\n    strategy.entry("L", strategy.{side})\n'
    tested = backtest(open_program(script), bars, SYMBOL, as_of=SINCE)
    assert len(tested.open_trades) + len(tested.trades) == bought


def test_without_a_day_the_newest_defaults_hold() -> None:
    assert date.fromisoformat(LANGUAGE_DATE) >= date(2026, 9, 24)
    assert [trade.quantity for trade in trade("").open_trades] == [52.356]
    assert trade("").initial_capital == 100_000


def test_every_way_to_leave_out_and_to_set_is_told_apart() -> None:
    program = open_program('//@version=6\nstrategy("S", initial_capital = 100000)\n')
    assert defaults_of(program, {}, None).names == ("default_qty_type", "default_qty_value")
    assert defaults_of(program, {"default_qty_type": "fixed"}, None).names == ("default_qty_value",)
    known = properties_of(program, {"default_qty_type": "fixed"}, BEFORE)
    assert (known.initial_capital, known.default_qty_type, known.default_qty_value) == (100_000, "fixed", 1)
    known = properties_of(program, {"default_qty_type": "fixed"}, SINCE)
    assert (known.initial_capital, known.default_qty_type, known.default_qty_value) == (100_000, "fixed", 100)


def test_version_5_keeps_its_defaults() -> None:
    assert strategy_defaults(SINCE, 5) == strategy_defaults(BEFORE, 5) == strategy_defaults(BEFORE, 6)
    program = open_program('//@version=5\nstrategy("S")\n')
    assert defaults_of(program, None, SINCE).notes() == []


def test_defaults_of_a_period_that_change_nothing_here_are_not_told() -> None:
    old = StrategyDefaults(None, 1_000_000.0, "fixed", 1.0)
    middle = StrategyDefaults(BEFORE, 100_000.0, "fixed", 5.0)
    now = StrategyDefaults(SINCE, 100_000.0, "fixed", 1.0)
    (note,) = Defaults(SINCE, ("initial_capital",), now, (old, middle)).notes()
    assert "1000000" in note and note.count("--as-of") == 1


def test_reports_say_which_default_was_used_and_what_held_otherwise() -> None:
    (note,) = trade("", SINCE).notes
    assert "initial_capital = 100000, default_qty_type = percent_of_equity, default_qty_value = 100" in note
    assert "since about 2026-09-24" in note and "1000000, fixed, 1 (on the command line --as-of 2026-09-23)" in note
    assert "certain" not in note
    (note,) = trade(", default_qty_type = strategy.fixed, default_qty_value = 1", BEFORE).notes
    assert note == (
        "strategy() does not set initial_capital = 1000000: TradingView's default before about 2026-09-24; "
        "since then 100000 (on the command line --as-of 2026-09-24)"
    )
    assert trade("", SINCE).defaults.report() == {
        "as_of": "2026-11-01",
        "since": "2026-09-24",
        "used": {"initial_capital": 100_000, "default_qty_type": "percent_of_equity", "default_qty_value": 100},
    }


@pytest.mark.parametrize("day", [date(2026, 9, 18), date(2026, 9, 24), date(2026, 9, 30)])
def test_close_to_the_change_the_report_says_that_the_day_is_not_certain(day: date) -> None:
    (note,) = trade("", day).notes
    assert "either default may apply" in note


def test_a_script_that_sets_everything_needs_no_note() -> None:
    given = ", initial_capital = 5000, default_qty_type = strategy.fixed, default_qty_value = 1"
    assert trade(given).notes == []
    assert trade("", properties={"initial_capital": 1, "default_qty_type": "cash", "default_qty_value": 1}).notes == []
    assert trade(given, BEFORE).defaults.report() == {"as_of": "2026-08-31", "since": None, "used": {}}


def test_a_run_uses_the_same_defaults_and_says_so() -> None:
    script = '//@version=6\nstrategy("S")\nplot(strategy.initial_capital)\n'
    for day, capital in ((BEFORE, 1_000_000), (SINCE, 100_000)):
        result = perform(Request(script, BARS, SYMBOL, as_of=day)).result
        assert result.plots[0].values == [capital] * 4
        assert len(result.notes) == 1


def test_the_reference_shows_the_newest_defaults() -> None:
    known = function("strategy")
    assert known is not None
    shown = {parameter.name: parameter.default for parameter in known.overloads[0].parameters}
    newest = all_strategy_defaults()[-1]
    assert shown["default_qty_type"] == f"strategy.{newest.default_qty_type}"
    assert float(shown["default_qty_value"] or "") == newest.default_qty_value
    assert float(shown["initial_capital"] or "") == newest.initial_capital


def test_a_day_is_a_date() -> None:
    assert day_of("--as-of", "2026-09-23") == date(2026, 9, 23)
    assert day_of("--as-of", None) is None
    for text in ("2026-13-01", "yesterday", "", "2026-09-23T10:00"):
        with pytest.raises(UsageError, match="is not a date"):
            day_of("--as-of", text)
