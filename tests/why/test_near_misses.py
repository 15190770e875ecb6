"""Why something never happened: the nearest bar of its condition, and the part that was false there."""

from functools import partial
from pathlib import Path

import pytest

from pinebench.linter.repainting import look_for_repainting
from pinebench.market import SymbolInfo
from pinebench.testing.script_tests import run_case
from pinebench.testing.testfile import read_cases
from pinebench.why.near_misses import nearest, why_plotted
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request
from tests.runtime.running import HEAD, bars_of

BARS = bars_of([10.0, 11.0, 12.0, 11.0, 10.0, 9.0, 12.0, 13.0], minutes=60)
SYMBOL = SymbolInfo(timeframe="60")
STRATEGY = '//@version=6\nstrategy("x", default_qty_type = strategy.fixed, default_qty_value = 1)\n'


def said(body: str, name: str, of: str | None = None, head: str = STRATEGY) -> list[str]:
    return execute(Request(head + body, BARS, SYMBOL), partial(nearest, name=name, of=of))


def test_the_part_that_was_false_on_the_nearest_bar() -> None:
    body = (
        "mean = ta.sma(close, 3)\nrising = close > mean\nlong = rising and close > 13.5 and open > 0\n"
        'if long\n    strategy.entry("L", strategy.long)\n'
    )
    assert said(body, "trades") == [
        "strategy.entry on line 7 was nearest on bar 7 (2024-01-01 07:00 UTC), 1 of 3 parts are true "
        "(1 not evaluated): close > 13.5 is false: close is 13"
    ]


def test_an_else_part_needs_its_condition_to_be_false() -> None:
    body = 'if close > 5\n    x = 1\nelse\n    strategy.entry("L", strategy.long)\n'
    assert said(body, "trades") == [
        "strategy.entry on line 6 was nearest on bar 5 (2024-01-01 05:00 UTC): close > 5 is true: close is 9"
    ]


def test_a_condition_that_was_true_leads_to_the_life_of_its_order() -> None:
    body = 'if close > 11.5\n    strategy.entry("L", strategy.long, limit = 1)\n'
    assert said(body, "trades") == [
        "strategy.entry on line 4 ran on bar 2: bar 6: replaced by strategy.entry on line 4 with the same id; "
        "the nearest price was on bar 5: low 8 > limit 1"
    ]


ENTRY = 'strategy.entry("L", strategy.long)\n'
AT_0, AT_7 = "was nearest on bar 0 (2024-01-01 00:00 UTC)", "was nearest on bar 7 (2024-01-01 07:00 UTC)"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            f"dir = bar_index > 100 ? 1 : 2\nswitch dir\n    1 =>\n        if close > 5\n            {ENTRY}",
            f"on line 7 {AT_0}, 0 of 2 parts are true (1 not evaluated): dir is 2, and this case needs 1",
        ),
        (
            f"var xs = array.new<int>()\nfor x in xs\n    if close > 5\n        {ENTRY}",
            f"on line 6 {AT_0}, 0 of 2 parts are true (1 not evaluated): the loop did not run, because xs is empty",
        ),
        (
            f"n = int(na)\nfor i = 0 to n\n    if close > 5\n        {ENTRY}",
            f"on line 6 {AT_0}, 0 of 2 parts are true (1 not evaluated): the loop did not run, because n is na",
        ),
        (
            f"for i = 0 to 5\n    if i == 2 and close > 100\n        {ENTRY}",
            f"on line 5 {AT_7}, 1 of 2 parts are true: close > 100 is false: close is 13",
        ),
        (
            f"even = false\nfor i = 0 to 3\n    even := i % 2 == 0\n    if even\n        if i > 2\n            {ENTRY}",
            f"on line 8 {AT_0}, 1 of 2 parts are true: i > 2 is false: i is 2",
        ),
    ],
)
def test_a_part_that_was_not_evaluated_is_not_told_as_false(body: str, words: str) -> None:
    assert said(body, "trades") == [f"strategy.entry {words}"]


def test_a_plot_that_is_na_on_each_bar_is_not_called_false() -> None:
    assert said('x = ta.sma(close, 50)\nplot(x, "P")\n', "count", "P", head=HEAD) == [
        "'P' on line 4 has no value on any bar: ta.sma(close, 50) is na: it has no value on any bar"
    ]
    assert said('x = close > 12 ? 0.0 : na\nplot(x, "P")\n', "count", "P", head=HEAD) == []


def test_alerts_and_plots() -> None:
    assert said('alertcondition(close > 20, "A")\nplot(close)\n', "alerts", head=HEAD) == [
        "alertcondition on line 3 was nearest on bar 7 (2024-01-01 07:00 UTC): close > 20 is false: close is 13"
    ]
    assert said('plot(close > 20 ? close : na, "P")\n', "count", "P", head=HEAD) == [
        "'P' on line 3 was nearest on bar 7 (2024-01-01 07:00 UTC): close > 20 is false: close is 13"
    ]
    was_true = 'plotshape(ta.crossover(close, 10.5), "S")\n'
    assert said(was_true, "count", "S", head=HEAD) == []
    assert said('plot(close, "P")\n', "count", "Q", head=HEAD) == []


def test_why_a_plot_has_its_value() -> None:
    request = Request(HEAD + 'plot(ta.sma(close, 3) > 12 ? 1 : na, "P")\n', BARS, SYMBOL)
    told = execute(request, partial(why_plotted, plot="P", bar=3))
    assert told == ["ta.sma(close, 3) > 12 is false: ta.sma(close, 3) is 11.33333333"]


TEST = """script = "s.pine"
bars = "AAPL"
count = 60
expect = ["trades > 0"]
[[value]]
plot = "Signal"
bar = 40
is = 1
"""


def test_a_failed_test_says_which_part_was_false(tmp_path: Path) -> None:
    (tmp_path / "s.pine").write_text(
        STRATEGY + 'long = close > 0 and close > 100000\nif long\n    strategy.entry("L", strategy.long)\n'
        'plot(long ? 1 : 0, "Signal")\n'
    )
    (tmp_path / "s.test.toml").write_text(TEST)
    (case,) = read_cases(tmp_path / "s.test.toml")
    failures = run_case(case, look_for_repainting).failures
    assert "1 of 2 parts are true: close > 100000 is false: close is " in failures[0]
    assert failures[1].startswith("on bar 40 Signal is 0.0, expected 1")


@pytest.mark.parametrize("expect", ["trades < 5", "trades == 0"])
def test_a_figure_that_is_not_too_low_costs_nothing_more(expect: str, tmp_path: Path) -> None:
    (tmp_path / "s.pine").write_text(STRATEGY + "plot(close)\n")
    (tmp_path / "s.test.toml").write_text(f'script = "s.pine"\nbars = "AAPL"\ncount = 20\nexpect = ["{expect}"]\n')
    assert run_case(read_cases(tmp_path / "s.test.toml")[0], look_for_repainting).failures == []
