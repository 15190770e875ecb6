"""The verdicts on recordings: equal, different with the bar, or not compared with the reason."""

from dataclasses import replace

import pytest

from pinebench.verification.recordings import Plot, Recording
from pinebench.verification.verdicts import Verification, pair, verify
from tests.verification.support import STRATEGY, recorded


@pytest.fixture(scope="module")
def whole() -> Recording:
    return recorded(length=12)


@pytest.fixture(scope="module")
def part() -> Recording:
    return recorded(bars=700, shown=300)


def _by_name(result: Verification) -> dict[str, str]:
    return {each["plot"]: each["verdict"] for each in result["plots"]}


def test_a_recording_of_the_same_run_is_equal_to_the_last_bit(whole: Recording) -> None:
    result = verify(whole)
    assert result["verdict"] == "equal"
    assert len(result["plots"]) == 8
    assert all(each["exact"] == each["equal"] == len(whole.bars) for each in result["plots"])
    assert result["trades"] is not None
    assert whole.trades is not None
    assert result["trades"]["exact"] == result["trades"]["listed"] == len(whole.trades) > 20


@pytest.mark.parametrize(
    ("field", "by"), [("entry_price", 0.01), ("exit_price", -0.01), ("qty", 1.0), ("profit", 0.5), ("entry_time", 1)]
)
def test_a_changed_trade_is_found_with_its_bar(whole: Recording, field: str, by: float) -> None:
    assert whole.trades is not None
    trades = list(whole.trades)
    wrong = trades[9]
    trades[9] = wrong._replace(**{field: getattr(wrong, field) + by})
    result = verify(replace(whole, trades=trades))
    assert result["verdict"] == "different"
    told = result["trades"]
    assert told is not None
    assert (told["different"], told["equal"]) == (1, len(trades) - 1)
    assert told["trades"][0]["number"] == 10
    moment = wrong.exit_time if field == "exit_price" else wrong.entry_time
    assert moment is not None
    assert told["trades"][0]["fields"][field]["bar"] == whole.bars.time.index(moment)
    assert set(_by_name(result).values()) == {"equal"}


def test_the_largest_difference_is_of_all_trades_and_equal_trades_have_their_own_numbers(whole: Recording) -> None:
    """It was the largest of the first 20 differences, which are listed."""
    assert whole.trades is not None
    first = whole.trades[0]
    twins = [first, first, *whole.trades[1:]]
    told = verify(replace(whole, trades=twins))["trades"]
    assert told is not None and [each["number"] for each in told["trades"]] == [2]
    wrong = [each._replace(entry_price=(each.entry_price or 0) * 1.01) for each in whole.trades[:-1]]
    wrong.append(whole.trades[-1]._replace(entry_price=(whole.trades[-1].entry_price or 0) * 3))
    told = verify(replace(whole, trades=wrong))["trades"]
    assert told is not None and told["different"] > len(told["trades"]) == 20
    assert told.get("largest_percent", 0) == pytest.approx(200 / 3)


def test_a_figure_that_the_chart_shows_of_no_trade_is_not_compared_and_told(whole: Recording) -> None:
    assert whole.trades is not None
    result = verify(replace(whole, trades=[each._replace(run_up=None) for each in whole.trades]))
    assert result["verdict"] == "not compared"
    assert result["trades"] is not None
    assert (result["trades"]["verdict"], result["trades"]["different"]) == ("equal", 0)
    assert [each["what"] for each in result["not_compared"]] == ["run up of trades"]
    one = [whole.trades[0]._replace(run_up=None), *whole.trades[1:]]
    assert verify(replace(whole, trades=one))["verdict"] == "different"


def test_a_trade_that_only_one_side_has_is_different(whole: Recording) -> None:
    assert whole.trades is not None
    missing = verify(replace(whole, trades=[*whole.trades[:4], *whole.trades[5:]]))["trades"]
    assert missing is not None
    assert missing["verdict"] == "different"
    assert [each.get("only") for each in missing["trades"] if "only" in each] == ["pinebench"]
    extra = whole.trades[4]._replace(entry_time=whole.bars.time[0])
    more = verify(replace(whole, trades=[extra, *whole.trades]))["trades"]
    assert more is not None
    assert "tradingview" in [each.get("only") for each in more["trades"]]


def test_a_changed_value_is_found_with_its_bar_and_its_size(whole: Recording) -> None:
    fast = whole.plots[0]
    values = list(fast.values)
    value = values[250]
    assert value is not None
    values[250], values[300] = value * 1.001, None
    result = verify(replace(whole, plots=[fast._replace(values=values), *whole.plots[1:]]))
    told = result["plots"][0]
    assert (result["verdict"], told["verdict"], told["different"]) == ("different", "different", 2)
    assert told.get("first", {}).get("bar") == 250
    assert told.get("first", {}).get("percent") == pytest.approx(0.1, rel=0.01)
    assert told.get("largest", {}).get("bar") == 300
    assert list(_by_name(result).values()).count("equal") == 7


def test_bars_that_are_only_a_part_of_the_history_are_told_as_warm_up(part: Recording) -> None:
    result = verify(part)
    told = {each["plot"]: each for each in result["plots"]}
    assert result["verdict"] == "not compared"
    assert told["Sum"]["verdict"] == "not compared"
    assert (told["Sum"]["equal"], told["Sum"]["not_compared"]) == (0, 300)
    assert told["Fast"]["verdict"] == "equal"
    assert 8 <= told["Fast"]["not_compared"] < 120
    assert "warm-up" in told["Fast"].get("reason", "")
    assert told["Bars open"]["not_compared"] == 0
    trades = result["trades"]
    assert trades is not None
    assert trades["different"] == 0
    assert trades["not_compared"] > 0
    assert {each["what"] for each in result["not_compared"]} == {
        "cumulative profit of trades",
        "sizes and profits of trades",
    }


def test_a_late_difference_is_no_warm_up(part: Recording) -> None:
    assert part.trades is not None
    fast = part.plots[0]
    values = list(fast.values)
    values[280] = (values[280] or 0) + 0.01
    trades = list(part.trades)
    trades[-2] = trades[-2]._replace(exit_price=(trades[-2].exit_price or 0) + 0.01)
    result = verify(replace(part, plots=[fast._replace(values=values), *part.plots[1:]], trades=trades))
    assert result["plots"][0]["verdict"] == "different"
    assert result["plots"][0].get("first", {}).get("bar") == 280
    assert result["trades"] is not None
    assert [each["number"] for each in result["trades"]["trades"]] == [len(trades) - 1]
    assert list(result["trades"]["trades"][0]["fields"]) == ["exit_price"]


def test_what_was_not_compared_is_never_called_equal(whole: Recording) -> None:
    unreadable = verify(whole, unreadable="it is protected")
    assert unreadable["verdict"] == "not compared"
    assert unreadable["plot_counts"] == {"equal": 0, "different": 0, "not_compared": 8}
    assert {each.get("reason") for each in unreadable["plots"]} == {"it is protected"}
    empty = verify(replace(whole, plots=[], trades=None, inputs={}, script='//@version=6\nindicator("x")\nplot(close)'))
    assert empty["verdict"] == "not compared"
    assert empty["not_compared"][0]["count"] == 1
    silent = verify(replace(whole, plots=[plot._replace(values=[]) for plot in whole.plots]))
    assert silent["plot_counts"]["equal"] == 0
    listless = verify(replace(whole, trades=None))
    assert listless["trades"] is not None
    assert (listless["verdict"], listless["trades"]["verdict"]) == ("not compared", "not compared")
    failing = verify(replace(whole, script=STRATEGY.replace("ta.cum(close)", "request.security('X:Y', 'D', close)")))
    assert (failing["verdict"], failing["plot_counts"]["equal"]) == ("not compared", 0)


def test_the_open_bar_and_an_uncertain_version_do_not_make_a_difference(whole: Recording) -> None:
    fast = whole.plots[0]
    changed = [fast._replace(values=[*fast.values[:-1], 1.0]), *whole.plots[1:]]
    still = verify(replace(whole, plots=changed, is_open=True))
    assert (still["verdict"], still["bar_counts"]["not_compared"]) == ("equal", 8)
    assert verify(replace(whole, plots=changed))["verdict"] == "different"
    other = verify(replace(whole, plots=changed, is_certain=False))
    assert (other["verdict"], other["plots"][0]["verdict"]) == ("not compared", "not compared")
    assert "version" in other["plots"][0].get("reason", "")


_UP = "close > open ? 0 : na"


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        (f"plotshape({_UP}, location = location.absolute)", "different"),
        (f"plotchar({_UP}, location = location.absolute)", "different"),
        (f"plotshape({_UP}, location = location.belowbar)", "equal"),
        ("plotshape(close < 0, location = location.absolute)", "equal"),
        (f"plotarrow({_UP})", "equal"),
        (f"plot({_UP})", "different"),
    ],
)
def test_only_where_0_is_a_place_it_differs_from_no_value(call: str, verdict: str) -> None:
    chart = recorded(f'//@version=6\nindicator("Z")\n{call}\n')
    assert verify(chart)["verdict"] == "equal"
    without = [plot._replace(values=[None] * len(plot.values)) for plot in chart.plots]
    assert verify(replace(chart, plots=without))["verdict"] == verdict


def test_plots_are_paired_by_order_or_by_title() -> None:
    own = [Plot("", "line", []), Plot("A", "line", []), Plot("A", "line", []), Plot("S", "shapes", [])]
    theirs = [Plot("Plot", "line", []), Plot("A", "line", []), Plot("A 2", "line", []), Plot("S", "shapes", [])]
    assert [each.own for each in pair(theirs, own)] == [0, 1, 2, 3]
    assert [each.own for each in pair([theirs[3], theirs[1], Plot("B", "line", [])], own)] == [3, 1, None]


_POOR = """//@version=6
strategy("Poor", initial_capital = 10000, default_qty_type = strategy.fixed, default_qty_value = 30)
float mean = ta.sma(close, 5)
if ta.crossover(close, mean)
    strategy.entry("L", strategy.long)
if ta.crossunder(close, mean)
    strategy.entry("S", strategy.short)
plot(strategy.position_size, "Size")
"""


def test_sizes_that_the_account_limits_are_no_difference_on_a_part_of_the_history() -> None:
    # Both accounts begin with the same capital, but the chart's has lost most of it before its bars begin.
    part = recorded(_POOR, bars=2_000, shown=400)
    assert part.trades is not None
    begin = part.bars.time[0]
    assert min(each.qty or 0 for each in part.trades if (each.entry_time or 0) >= begin) < 30
    result = verify(part)
    assert result["verdict"] == "not compared"
    assert result["trades"] is not None
    assert (result["trades"]["different"], result["plot_counts"]["different"]) == (0, 0)


def test_trades_before_a_script_can_know_them_are_warm_up_on_any_bars() -> None:
    # On most of these charts no trade comes right after a quarter or a half of the bars.
    script = _POOR.replace("30", "1").replace('plot(strategy.position_size, "Size")', "plot(mean)")
    early = 0
    for shown in range(300, 340, 4):
        result = verify(recorded(script, bars=400, shown=shown))
        trades = result["trades"]
        assert trades is not None
        assert (trades["different"], result["plot_counts"]["different"]) == (0, 0), shown
        early += trades["listed"] > trades["counted"]
        assert trades["equal"] > 50
    assert early > 5
