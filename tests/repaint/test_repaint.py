"""Whether what a script showed stays: what must be found, with its reason, and what must never be."""

import math
from functools import cache
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.repaint import live_updates
from pinebench.repaint.live_updates import MOST_PREFIXES, first
from pinebench.repaint.repaint import RepaintVerdict, check_repainting
from pinebench.repaint.repaint_report import in_words
from pinebench.runtime.requests import RequestSource
from tests.repaint.scripts import HONEST, REPAINTING, indicator, strategy
from tests.sample import chart as sample_chart
from tests.tables import each


@cache
def sample(name: str = "BTCUSDT", frame: str = "60", count: int = 400) -> tuple[Bars, SymbolInfo]:
    return sample_chart(name, frame, count)


def checked(text: str, *chart: Any, **options: Any) -> RepaintVerdict:
    bars, symbol = sample(*chart)
    found = check_repainting(open_program(text), bars, symbol, **options)
    assert found.error is None
    return found


@each("name", REPAINTING)
def test_repainting_is_found_with_its_cause(name: str) -> None:
    script = REPAINTING[name]
    found = [each for each in checked(script.text).repaints if (each.kind, each.output) == (script.kind, script.output)]
    assert found, checked(script.text).findings
    causes = [(cause.line, cause.name) for cause in found[0].causes]
    assert causes == [(script.line, script.cause)]


@pytest.mark.parametrize("chart", [("BTCUSDT", "60"), ("SPY", "30")], ids=" ".join)
@pytest.mark.parametrize("name", HONEST)
def test_honest_scripts_are_never_called_repainting(name: str, chart: tuple[str, str]) -> None:
    assert checked(HONEST[name], *chart).repaints == []


def test_what_is_shown_earlier_than_known_is_said_and_is_no_repainting() -> None:
    found = checked(HONEST["pivots drawn late"])
    assert [(each.kind, each.output, each.line, each.afterwards) for each in found.findings] == [
        ("backdated", "plotshape", 4, "5 bars back"),
        ("backdated", "label", 6, "5 bars back"),
    ]


def test_a_finding_says_when_and_what() -> None:
    script = indicator('plot(barstate.islast ? 7 : 1, "Where")')
    bars, symbol = sample()
    [found] = check_repainting(open_program(script), bars, symbol).findings
    assert (found.name, found.then, found.afterwards) == ('plot "Where"', 7, 1)
    assert found.time == bars.time[found.bar]
    assert found.seen == found.bar
    assert found.bars == len(checked(script).prefixes)


def test_colours_are_told_as_a_script_writes_them() -> None:
    body = (
        "bgcolor(last_bar_index > bar_index + 5 ? #112233 : na)\nplot(close, color = barstate.islast ? #44556677 : na)"
    )
    told = [(each.output, each.then, each.afterwards) for each in checked(indicator(body)).repaints]
    assert told == [("bgcolor", None, "#112233"), ("plot", "#44556677", None)]


def test_orders_are_told_as_they_were_placed() -> None:
    found = checked(REPAINTING["order by the future"].text).repaints[0]
    placed = found.then or found.afterwards
    assert (placed["id"], placed["direction"]) == ("Long", "long")
    assert "id Long, direction long" in in_words(checked(REPAINTING["order by the future"].text))[0]


def test_the_cost_grows_with_the_bars_and_no_faster() -> None:
    counts = [len(checked(indicator("plot(close)"), "BTCUSDT", "15", count).prefixes) for count in (100, 400, 1600)]
    assert max(counts) <= MOST_PREFIXES + 1


def test_a_source_that_is_not_reached_is_no_cause() -> None:
    script = indicator(
        "other = last_bar_index\n"
        "f(x) =>\n"
        "    varip seen = 0\n"
        "    seen += 1\n"
        "    x + seen * 0\n"
        "unused = f(close)\n"
        'plot(barstate.isrealtime ? high : low, "Here")\n'
        "plot(close)"
    )
    [found] = checked(script).findings
    assert [(cause.name, cause.line) for cause in found.causes] == [("barstate.isrealtime", 9)]


def test_a_script_that_stops_is_not_compared() -> None:
    bars, symbol = sample()
    script = indicator('if bar_index == 50\n    runtime.error("no")\nplot(timenow)')
    found = check_repainting(open_program(script), bars, symbol)
    assert found.error is not None and found.findings == [] and not found.ok
    assert in_words(found) == ["nothing was compared, because the script stopped: Error on bar 50: no"]


@pytest.mark.parametrize(
    ("stops", "told"),
    [
        ("barstate.islast and bar_index < 399", "not proved: the script stopped on all shorter histories"),
        ("barstate.isrealtime", "not proved: the script stopped on live bars"),
    ],
)
def test_a_script_that_stops_on_less_than_all_bars_proves_nothing(stops: str, told: str) -> None:
    found = checked(indicator(f'if {stops}\n    runtime.error("no")\nplot(close)'))
    assert found.verdict is None and found.live == 0
    assert found.prefixes == [] or stops == "barstate.isrealtime"
    assert in_words(found)[0].startswith(told)


def test_a_shorter_history_on_which_a_script_stops_is_not_counted() -> None:
    """The others prove enough."""
    found = checked(indicator('if barstate.islast and bar_index < 200\n    runtime.error("few bars")\nplot(close)'))
    assert found.ok and found.live and min(found.prefixes) > 200


def test_what_the_time_did_not_suffice_for_is_said() -> None:
    bars, symbol = sample()
    found = check_repainting(open_program(indicator("plot(close)")), bars, symbol, seconds=0)
    assert found.cut and found.prefixes == []
    assert found.verdict is None and not found.ok
    assert in_words(found)[0] == "not proved: the time limit was reached after 0 shorter histories"


def test_trades_are_made_by_the_broker() -> None:
    script = strategy(
        "if bar_index % 9 == 0\n"
        '    strategy.entry("Long", strategy.long)\n'
        "else\n"
        "    strategy.close_all()\n"
        "plot(barstate.islast ? strategy.closedtrades : na)"
    )
    [found] = checked(script).repaints
    assert (found.output, found.then, found.afterwards) == ("plot", found.seen // 9 + 1, None)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_bars_are_said(count: int) -> None:
    bars, symbol = sample()
    with pytest.raises(UsageError, match=f"on only {count} bars"):
        check_repainting(open_program(indicator("plot(close)")), first(bars, count), symbol)


@pytest.mark.parametrize("count", [3, 4, 7, 30])
def test_few_bars_are_enough(count: int) -> None:
    bars, symbol = sample()
    found = check_repainting(open_program(indicator("plot(last_bar_index)")), first(bars, count), symbol)
    assert [each.kind for each in found.findings] == ["changed"]


OTHER = """
daily = request.security("OTHER", "D", {asked}, lookahead = {ahead})
plot(daily, "Other")
"""


@each(
    ("asked", "ahead", "kinds"),
    [
        ("close", "barmerge.lookahead_on", ["changed"]),
        ("close", "barmerge.lookahead_off", ["reloaded"]),
        ("close[1]", "barmerge.lookahead_on", []),
    ],
)
@each("frame", ["60", "D"])
def test_the_bars_of_others_are_known_no_earlier_than_they_come(
    asked: str, ahead: str, kinds: list[str], frame: str
) -> None:
    other = sample("ETHUSDT", frame, 400)
    others = {"OTHER": RequestSource(*other)}
    found = checked(indicator(OTHER.format(asked=asked, ahead=ahead)), others=others)
    assert [each.kind for each in found.repaints] == kinds


def test_a_volume_of_an_open_bar_that_is_not_known_stays_na() -> None:
    bars, symbol = sample_chart("ETHUSDT", "D", 10)
    bars.volume[-1] = math.nan
    found = live_updates.known({"OTHER": RequestSource(bars, symbol)}, bars.time[-1] + 1)
    assert math.isnan(found["OTHER"].bars.volume[-1])


def test_another_symbol_in_the_same_timeframe_is_honest() -> None:
    others = {"OTHER": RequestSource(*sample("ETHUSDT", "60", 400))}
    assert checked(indicator('plot(request.security("OTHER", "", hl2 + ta.obv))'), others=others).repaints == []


def test_shorter_bars_lead_the_way_to_a_close() -> None:
    bars, symbol = sample("BTCUSDT", "60", 100)
    lower = sample("BTCUSDT", "5", 1200)
    others = {"BTCUSDT": RequestSource(*lower)}
    script = indicator(
        'plot(array.sum(request.security_lower_tf("", "5", volume)))\nplot(request.security("", "5", close))'
    )
    found = check_repainting(open_program(script), bars, symbol, others=others)
    assert found.repaints == []
