"""The advice about repainting: what it says compiles, and keeps the script from repainting on the same bars."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.sample import sample_bars
from pinebench.market.samples import find
from pinebench.repaint.advice import _IN_PLACE, _NEW_DRAWINGS
from pinebench.repaint.repaint import RepaintVerdict, check_repainting
from tests.repaint.scripts import REPAINTING, indicator, strategy


class Case(NamedTuple):
    """A script, what must be said about its first finding, and the script as somebody writes it who follows that."""

    text: str
    said: str
    changes: tuple[tuple[str, str], ...]


AHEAD = "lookahead = barmerge.lookahead_on"
VALUES = "values() =>\n    [ta.highest(high, 3), ta.lowest(low, 3)]\n"
CASES: dict[str, Case] = {
    "a function that returns a tuple": Case(
        indicator(VALUES + '[top, low1] = request.security(syminfo.tickerid, "D", values())\nplot(top - low1)'),
        "declare before() => with the lines '[value1, value2] = values()' and '[value1[1], value2[1]]', and "
        f"ask for before() with {AHEAD}",
        (
            ("[top", "before() =>\n    [value1, value2] = values()\n    [value1[1], value2[1]]\n[top"),
            ('"D", values())', f'"D", before(), {AHEAD})'),
        ),
    ),
    "a tuple of a built-in function": Case(
        indicator('[a, b, c] = request.security("", "D", ta.macd(close, 3, 6, 4))\nplot(a - b + c)'),
        "'[value1, value2, value3] = ta.macd(close, 3, 6, 4)'",
        (
            (
                "[a, b, c]",
                "before() =>\n    [value1, value2, value3] = ta.macd(close, 3, 6, 4)\n"
                "    [value1[1], value2[1], value3[1]]\n[a, b, c]",
            ),
            ("ta.macd(close, 3, 6, 4))\nplot", f"before(), {AHEAD})\nplot"),
        ),
    ),
    "a tuple that depends on a parameter": Case(
        indicator(
            "bands(n) =>\n    [ta.sma(high, n), ta.sma(low, n)]\n"
            'day(n) =>\n    [a, b] = request.security("", "D", bands(n))\n    a - b\nplot(day(3))'
        ),
        "declare before(n) =>",
        (
            ("day(n) =>", "before(n) =>\n    [value1, value2] = bands(n)\n    [value1[1], value2[1]]\nday(n) =>"),
            ('"D", bands(n))', f'"D", before(n), {AHEAD})'),
        ),
    ),
    "names that are taken": Case(
        indicator(
            "before = 1\nvalue1 = 2\n"
            + VALUES
            + '[top, low1] = request.security("", "D", values())\nplot(top - low1 + before + value1)'
        ),
        "declare before_2() => with the lines '[value1_2, value2] = values()'",
        (
            ("[top", "before_2() =>\n    [value1_2, value2] = values()\n    [value1_2[1], value2[1]]\n[top"),
            ('"D", values())', f'"D", before_2(), {AHEAD})'),
        ),
    ),
    "a tuple that is written": Case(
        indicator('[h, l] = request.security("", "D", [high, ta.sma(low, 2)])\nplot(h - l)'),
        f"ask for [high[1], ta.sma(low, 2)[1]] with {AHEAD}",
        (("[high, ta.sma(low, 2)])", f"[high[1], ta.sma(low, 2)[1]], {AHEAD})"),),
    ),
    "a tuple with a constant": Case(
        indicator('[h, n] = request.security("", "D", [high, 5])\nplot(h - n)'),
        f"ask for [high[1], 5] with {AHEAD}",
        (("[high, 5])", f"[high[1], 5], {AHEAD})"),),
    ),
    "look-ahead without an offset": Case(
        indicator(f'plot(request.security("", "D", high - low, {AHEAD}))'),
        f"ask for (high - low)[1] with {AHEAD}",
        (("high - low,", "(high - low)[1],"),),
    ),
    "look-ahead by position": Case(
        indicator('plot(request.security("", "D", close, barmerge.gaps_off, barmerge.lookahead_on))'),
        f"ask for close[1] with {AHEAD}",
        (("close,", "close[1],"),),
    ),
    "look-ahead off by position": Case(
        indicator('plot(request.security("", "D", close, barmerge.gaps_off, barmerge.lookahead_off))'),
        f"ask for close[1] with {AHEAD}",
        (("close,", "close[1],"), ("lookahead_off", "lookahead_on")),
    ),
    "look-ahead of a function's tuple": Case(
        indicator(VALUES + f'[a, b] = request.security("", "D", values(), {AHEAD})\nplot(a + b)'),
        "declare before() =>",
        (
            ("[a, b]", "before() =>\n    [value1, value2] = values()\n    [value1[1], value2[1]]\n[a, b]"),
            ('"D", values(),', '"D", before(),'),
        ),
    ),
    "a request in a function": Case(
        indicator('day(float x) =>\n    request.security("", "D", x)\nplot(day(hl2) - day(close))'),
        f"ask for x[1] with {AHEAD}",
        (('"D", x)', f'"D", x[1], {AHEAD})'),),
    ),
    "a request in a method": Case(
        indicator(
            "type Frame\n    string name\nmethod day(Frame this, float x) =>\n"
            '    request.security("", this.name, x)\nframe = Frame.new("D")\nplot(frame.day(close))'
        ),
        f"ask for x[1] with {AHEAD}",
        (("this.name, x)", f"this.name, x[1], {AHEAD})"),),
    ),
    "a request in a block": Case(
        indicator('float x = na\nif close > open\n    x := request.security("", "D", close)\nplot(x)'),
        f"ask for close[1] with {AHEAD}",
        (('"D", close)', f'"D", close[1], {AHEAD})'),),
    ),
    "an object is asked for": Case(
        indicator(
            "type Level\n    float top\n    float low\n"
            'day = request.security("", "D", Level.new(high, low))\nplot(na(day) ? na : day.top)'
        ),
        f"ask for Level.new(high, low)[1] with {AHEAD}",
        (("Level.new(high, low))", f"Level.new(high, low)[1], {AHEAD})"),),
    ),
    "a function in the request": Case(
        indicator('slope() =>\n    ta.ema(close, 3) - ta.ema(close, 5)\nplot(request.security("", "D", slope()))'),
        f"ask for slope()[1] with {AHEAD}",
        (('"D", slope())', f'"D", slope()[1], {AHEAD})'),),
    ),
    "a request over several lines": Case(
        indicator(
            'x = request.security(\n     syminfo.tickerid,\n     "D", // a day\n'
            "     close // its close\n     )\nplot(x)"
        ),
        f"ask for close[1] with {AHEAD}",
        (("close // its close\n     )", f"close[1] // its close\n     , {AHEAD})"),),
    ),
    "a request beside one of the chart's own timeframe": Case(
        indicator(
            'own = input.timeframe("", "Own")\nslow = request.security("", own, ta.sma(close, 5))\n'
            'day = request.security("", "D", close)\nplot(day - slow)'
        ),
        f"ask for close[1] with {AHEAD}",
        (('"D", close)', f'"D", close[1], {AHEAD})'),),
    ),
    "two requests on a line": Case(
        indicator('plot(request.security("", "D", high) - request.security("", "W", low))'),
        f"ask for high[1] with {AHEAD}; ask for low[1] with {AHEAD}",
        (('"D", high)', f'"D", high[1], {AHEAD})'), ('"W", low)', f'"W", low[1], {AHEAD})')),
    ),
    "varip in a function": Case(
        indicator("count() =>\n    varip n = 0\n    n += 1\n    n\nplot(count())"),
        "declare it with var",
        (("varip", "var"),),
    ),
    "varip of an array": Case(
        indicator("varip array<float> seen = array.new<float>()\nseen.push(close)\nplot(seen.size())"),
        "declare it with var",
        (("varip", "var"),),
    ),
    "the clock": Case(indicator("plot((timenow - time) / 1000)"), "use time_close", (("timenow", "time_close"),)),
    "a live bar": Case(
        indicator("float x = close\nif barstate.isrealtime\n    x := open\nplot(x)"),
        "use barstate.isconfirmed",
        (("barstate.isrealtime", "barstate.isconfirmed"),),
    ),
    "history": Case(
        indicator("plot(barstate.ishistory ? close : open)"),
        "use barstate.isconfirmed",
        (("barstate.ishistory", "barstate.isconfirmed"),),
    ),
    "a new bar": Case(
        indicator("plot(barstate.isnew ? close : open)"),
        "use barstate.isconfirmed",
        (("barstate.isnew", "barstate.isconfirmed"),),
    ),
    "the last bar": Case(
        indicator("plot(barstate.islast ? close : na)"),
        "leave this condition out, or show it in a table",
        (("barstate.islast", "true"),),
    ),
    "the last bar that is over": Case(
        indicator("bgcolor(barstate.islastconfirmedhistory ? color.red : na)"),
        "leave this condition out, or show it in a table",
        (("barstate.islastconfirmedhistory", "true"),),
    ),
    "the time of the last bar": Case(
        indicator("plot(last_bar_time - time < 864000000 ? close : na)"),
        'write a date in its place, such as timestamp("2024-01-01")',
        (("last_bar_time", 'timestamp("2024-01-01")'),),
    ),
    "what can be seen": Case(
        indicator("plot(time == chart.right_visible_bar_time ? close : na)"),
        "use time",
        (("chart.right_visible_bar_time", "time"),),
    ),
    "the first and the last bar": Case(
        indicator("plot((last_bar_index - bar_index) * (time - chart.left_visible_bar_time))"),
        "count from the first bar: use bar_index",
        (("last_bar_index", "bar_index"), ("chart.left_visible_bar_time", "time")),
    ),
    "an alert with a frequency": Case(
        indicator('if close > open\n    alert("up", alert.freq_all)'),
        "give it freq = alert.freq_once_per_bar_close",
        (("alert.freq_all", "alert.freq_once_per_bar_close"),),
    ),
    "an alert by an unconfirmed request": Case(
        indicator('day = request.security("", "D", close)\nif close > day\n    alert("up")'),
        "give it freq = alert.freq_once_per_bar_close",
        (
            ('alert("up")', 'alert("up", freq = alert.freq_once_per_bar_close)'),
            ('"D", close)', f'"D", close[1], {AHEAD})'),
        ),
    ),
    "orders within the bar": Case(
        strategy('if close > high[1]\n    strategy.entry("L", strategy.long)', ", calc_on_every_tick = true"),
        "leave it out",
        ((", calc_on_every_tick = true", ""),),
    ),
    "a label that is moved": Case(
        REPAINTING["zigzag whose last label moves"].text,
        "draw a new label here with label.new() and leave the old one",
        (("last.set_xy(bar_index, high)", "last := label.new(bar_index, high)"),),
    ),
}
UNKNOWN: dict[str, str] = {
    "lines are taken from a list until it is short": indicator(
        "var list = array.new<line>()\n"
        "if bar_index % 20 == 0\n"
        "    list.push(line.new(bar_index, high, bar_index + 1, high))\n"
        "while list.size() > 2\n"
        "    line.delete(list.remove(1))"
    ),
}
"""Scripts for which no rewrite that is tried helps."""


@cache
def sample() -> tuple[Bars, SymbolInfo]:
    symbol = find("BTCUSDT")
    assert symbol is not None
    return sample_bars(symbol, timeframe("60"), 300), symbol.info("60")


@cache
def checked(text: str) -> RepaintVerdict:
    program = open_program(text)
    assert [each.message for each in program.diagnostics if each.severity == 0] == []
    found = check_repainting(program, *sample())
    assert found.error is None
    return found


@pytest.mark.parametrize("name", CASES)
def test_who_follows_the_advice_has_a_script_that_does_not_repaint(name: str) -> None:
    case = CASES[name]
    first = checked(case.text).repaints[0]
    assert any(case.said in cause.instead for cause in first.causes), first.causes
    mended = case.text
    for old, new in case.changes:
        assert mended.count(old) == 1, old
        mended = mended.replace(old, new)
    assert [each for each in checked(mended).repaints if each.output == first.output] == []


@pytest.mark.soak
def test_every_cause_that_there_is_has_a_case() -> None:
    named = {
        cause.name.split()[0]
        for case in CASES.values()
        for each in checked(case.text).findings
        for cause in each.causes
    }
    assert {*_IN_PLACE, "varip", "request.security", "alert", "calc_on_every_tick", "label"} <= named
    assert "label" in _NEW_DRAWINGS


@pytest.mark.parametrize("name", REPAINTING)
def test_the_advice_about_each_kind_of_repainting_was_tried(name: str) -> None:
    for each in checked(REPAINTING[name].text).repaints:
        assert [cause.instead for cause in each.causes if cause.instead.startswith(("no rewrite", "not tried"))] == []


def test_a_request_for_the_charts_own_timeframe_is_never_blamed() -> None:
    case = CASES["a request beside one of the chart's own timeframe"]
    assert [(cause.name, cause.line) for cause in checked(case.text).repaints[0].causes] == [("request.security", 5)]


def test_a_timeframe_that_is_computed_is_the_one_that_was_asked_for() -> None:
    text = indicator(
        'chosen(int n) =>\n    n > 1 ? timeframe.from_seconds(timeframe.in_seconds()) : "D"\n'
        'own = request.security("", chosen(2), close)\nday = request.security("", chosen(1), close)\nplot(day - own)'
    )
    assert [cause.line for cause in checked(text).repaints[0].causes] == [6]


@pytest.mark.parametrize("name", UNKNOWN)
def test_where_no_rewrite_helps_none_is_told(name: str) -> None:
    told = [cause.instead for each in checked(UNKNOWN[name]).findings for cause in each.causes]
    assert told
    assert {words for words in told if not words.startswith("there is no known rewrite that compiles")} == set()


def test_without_time_nothing_is_advised_as_if_it_had_been_tried() -> None:
    found = check_repainting(open_program(REPAINTING["the clock"].text), *sample(), seconds=0)
    assert found.findings == []
