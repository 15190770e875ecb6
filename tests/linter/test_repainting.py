"""The verdict about repainting: forty situations in which True, False and None must not be mistaken for each other."""

from functools import cache
from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.linter.repainting import RULES, with_rules
from pinebench.market import load
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.repaint.repaint import RepaintVerdict
from pinebench.workers.jobs import repainting
from pinebench.workers.request import Request
from tests.sample import chart as sample_chart

SAMPLES = Path(__file__).parents[2] / "pine" / "samples"


@cache
def chart(name: str = "BTCUSDT", frame: str = "15", count: int = 120) -> tuple[Bars, SymbolInfo]:
    return sample_chart(name, frame, count)


def verdict(body: str, frame: str = "15", kind: str = 'indicator("x")') -> RepaintVerdict:
    source = f"//@version=6\n{kind}\n{body}\n"
    assert not [each for each in open_program(source).diagnostics if each.severity.name == "ERROR"], source
    bars, symbol = chart("BTCUSDT", frame)
    return with_rules(repainting(Request(source, bars, symbol)), source)


HOUR = 'request.security(syminfo.tickerid, "60", ta.ema(close, 5))'
CLOSED = 'request.security(syminfo.tickerid, "60", close[1], lookahead = barmerge.lookahead_on)'
BOARD = "var t = table.new(position.top_right, 1, 2)\n"
LAST = "if barstate.islast\n    "
WAITING = "alert.freq_once_per_bar_close"
STRATEGY = 'strategy("x")'

# Body, verdict, and words of a reason, a finding, or an output that varied.
SITUATIONS: list[tuple[str, bool | None, str]] = [
    # what an unclosed bar decides
    (f"plot({HOUR})", True, "plot"),
    (f"plot({HOUR}[1])", True, "plot"),
    (f"plotshape(math.round({HOUR} * 1000) % 2 == 0)", True, "plotshape"),
    (f"{BOARD}t.cell(0, 0, str.tostring({HOUR}))", True, "table.cell"),
    (f"{BOARD}{LAST}t.cell(0, 0, str.tostring({HOUR}))", True, "table.cell"),
    (f"{BOARD}d = {HOUR}\nt.cell(0, 0)\n{LAST}t.cell_set_text(0, 0, str.tostring(d[1]))", True, "table.cell_set_text"),
    (f"{BOARD}d = {HOUR}\n{LAST}table.cell(t, 0, 1, close > d ? 'up' : str.tostring(d))", True, "table.cell"),
    (f"log.info(str.tostring({HOUR}))", True, "log.info"),
    (f"d = {HOUR}\n{LAST}log.warning(str.tostring(d))", True, "log.warning"),
    (f"d = {HOUR}\n{LAST}label.new(bar_index, high, str.tostring(d))", True, "label"),
    (f"d = {HOUR}\n{LAST}line.new(bar_index - 5, d, bar_index, d)", True, "line"),
    (f"d = {HOUR}\nvar l = label.new(bar_index, high)\n{LAST}l.set_text(str.tostring(d))", True, "label.set_text"),
    (f"d = {HOUR}\n{LAST}alert(str.tostring(d), {WAITING})", True, "alert"),
    (f"d = {HOUR}\nalertcondition(close > d and barstate.islast, 'x')", None, "line 3: request.security"),
    (f"d = {HOUR}\nbgcolor(math.round(d * 1000) % 2 == 0 ? color.red : na)", True, "bgcolor"),
    # nothing changed on these bars, but it could
    (f"d = {HOUR}\nplotshape(close > d * 3)\nplot(close)", None, "plotshape on line 4 never varied"),
    (f"d = {HOUR}\nplot(d > 0 ? bar_index % 7 : close)", None, "returned another value live"),
    (f"d = {HOUR}\nplotshape(close > ta.highest(50)[1] and d > 0)", None, "line 3: plotshape() depends on a"),
    (f"d = {HOUR}\nif close > d * 3\n    alert('x', {WAITING})\nplot(close)", None, "alert on line 5 never varied"),
    (f"{BOARD}d = {HOUR}\nif close > d * 3\n    t.cell(0, 0, 'up')\nplot(close)", None, "table.cell on line 6"),
    ("varip n = 0\nn += 1\nplotshape(n < 0)\nplot(close)", None, "varip n on line 3"),
    ("plotshape(timenow < 0)\nplot(close)", None, "timenow on line 3"),
    ("x = math.random(0, 1)\nplot(x)", None, "has no seed"),
    ("plot(request.financial(syminfo.tickerid, 'NET_INCOME', 'FQ'))\nplot(close)", None, "has no data in pinebench"),
    ("plot(request.security(syminfo.tickerid, '5', close))\nplot(close)", None, "line 3 requests 5"),
    ("a = request.security_lower_tf(syminfo.tickerid, '1', close)\nplot(a.size())\nplot(close)", None, "requests 1"),
    # what a bar's state is within a request is not known
    (
        "e = barstate.isrealtime ? high : high[1]\nplot(request.security(syminfo.tickerid, '240', e,"
        " lookahead = barmerge.lookahead_on))",
        None,
        "depends on barstate.isrealtime",
    ),
    ("f() => barstate.isconfirmed ? close : close[1]\nplot(request.security('', '60', f())[0])", True, "plot"),
    # what is known to stay
    (f"plot({CLOSED})", False, "plot on line 3"),
    (f"{BOARD}t.cell(0, 0, str.tostring({CLOSED}))", False, "table.cell on line 4"),
    (f"{BOARD}c = {CLOSED}\n{LAST}t.cell(0, 0, str.tostring(c))", False, "table.cell on line 6"),
    (f"c = {CLOSED}\nif close > c\n    alert('x', {WAITING})", False, "alert on line 5"),
    (f"c = {CLOSED}\n{LAST}label.new(bar_index, c, str.tostring(close))", False, "label.new on line 5"),
    ("log.info(str.tostring(close))", False, "log.info on line 3"),
    ("plot(1)\nalertcondition(close < 0, 'never')", False, ""),
    ("plot(request.security(syminfo.tickerid, timeframe.period, close))", False, "plot on line 3"),
    ("if close > open\n    label.new(bar_index, high, 'up')", False, "label.new on line 4"),
    # what is found without a request
    ("plot(last_bar_index - bar_index)", True, "plot"),
    ("if close > open\n    alert('up')", True, "alert"),
    ("plot(barstate.isrealtime ? close : open)", True, "plot"),
]
OF_STRATEGIES: list[tuple[str, bool | None, str]] = [
    (
        f"t = {HOUR}\nif ta.crossover(close, ta.sma(close, 60)) and t > 0\n    strategy.entry('L', strategy.long)",
        None,
        "PB2006",
    ),
    ("if close > 3 * close[1]\n    strategy.entry('L', strategy.long)", False, ""),
    (f"t = {CLOSED}\nif ta.crossover(close, t)\n    strategy.entry('L', strategy.long)", False, "strategy.entry"),
]


def told(found: RepaintVerdict) -> str:
    return " ".join((*found.missing, *(each.output for each in found.repaints), *found.varied))


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_forty_situations_get_the_verdict_that_was_proved(step: int) -> None:
    wrong: list[str] = []
    cases = [(*case, 'indicator("x", overlay = true)') for case in SITUATIONS]
    cases += [(*case, STRATEGY) for case in OF_STRATEGIES]
    assert len(cases) >= 40
    for body, expected, words, kind in cases[::step]:
        found = verdict(body, kind=kind)
        if found.verdict is not expected or words not in told(found):
            wrong.append(f"{body!r}: {found.verdict} instead of {expected}: {told(found)} ({words})")
    assert wrong == []


def test_a_verdict_says_on_how_many_bars_and_which_outputs_varied() -> None:
    found = verdict("plot(close)\nplot(1)")
    assert (found.verdict, found.bars) == (False, 120)
    assert (found.varied, found.constant) == (("plot on line 3",), ("plot on line 4",))
    assert 0 < found.live < found.bars


def test_a_request_is_named_although_no_order_changed() -> None:
    """A strategy on an unclosed hour of the sample bars: no order changed, but the requested value does."""
    data = load(SAMPLES / "bars" / "share_15m.csv")
    source = (
        '//@version=6\nstrategy("x")\n'
        f"float t = {HOUR}\n"
        'if ta.crossover(close, t)\n    strategy.entry("L", strategy.long)\n'
        'if ta.crossunder(close, t)\n    strategy.close("L")\n'
    )
    found = with_rules(repainting(Request(source, data.bars, data.symbol)), source)
    assert found.verdict is None
    assert any(reason.startswith("line 3: request.security returned another value live") for reason in found.missing)
    assert any("(PB2006)" in reason for reason in found.missing)


def test_rules_about_longer_bars_say_nothing_on_a_chart_of_these_bars() -> None:
    body = "d = request.security(syminfo.tickerid, '60', close)\nplotshape(close > d[1])\nplotshape(close >= d)"
    assert verdict(body, "60").verdict is False
    assert verdict(body, "15").verdict is True


def test_every_rule_that_speaks_is_a_rule() -> None:
    from pinebench.codes import opinion_codes

    assert set(RULES) <= opinion_codes().keys()
