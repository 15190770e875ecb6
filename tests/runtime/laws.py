"""The laws of execution that were recorded on TradingView, each as a script and what it gives.

Their numbers are those of the collection of recorded probes: a letter and a number; `RE` and a number is the code of a
run-time error.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pinebench.runtime.faults import RuntimeFault
from tests.runtime.running import runtime_of
from tests.script_files import ScriptCase, script_cases


class Law(NamedTuple):
    """A script on bars that close at `closes`, and what it gives: the values of its plots (None for na; a plot that is
    None need only run), the texts that it logs, or the words with which it stops on its bar `bar`."""

    number: str
    source: str
    closes: list[float]
    plots: Sequence[Sequence[float | None] | None] | None = None
    logs: list[str] | None = None
    words: str = ""
    bar: int = 0


def _values(line: str) -> list[float | None] | None:
    return None if line == "any" else [None if word == "na" else float(word) for word in line.split(", ")]


def _law(case: ScriptCase) -> Law:
    """The law of `== NUMBER || CLOSES`; without CLOSES all bars close at 1."""
    number, *closes = case.fields
    bars = [float(word) for word in "".join(closes).split(", ")] if closes else [1.0]
    assert len(case.below) <= 1, f"{number} gives one of plots, logs and a stop, so that each is checked"
    for title, text in case.below.items():
        if stop := re.fullmatch(r"stops on bar (\d+)", title):
            bar = int(stop[1])
            return Law(number, case.script, bars if closes else [1.0] * (bar + 1), words=text, bar=bar)
        if title == "logs":
            return Law(number, case.script, bars, logs=text.split("\n"))
        assert title == "plots", title
        return Law(number, case.script, bars, [_values(line) for line in text.split("\n")])
    return Law(number, case.script, bars)


def laws(file: str) -> list[Law]:
    """The laws of a file of this room."""
    return [_law(case) for case in script_cases(Path(__file__).parent / file)]


def assert_holds(law: Law) -> None:
    """Run the law's script, and compare what it gives."""
    result = runtime_of(law.source, law.closes).run()
    if law.words:
        assert isinstance(result.error, RuntimeFault)
        assert result.error.message == f"Error on bar {law.bar}: {law.words}"
        assert [output.values for output in result.plots] == [[] for _ in result.plots]
        return
    assert result.error is None
    if law.logs is not None:
        assert [log.message for log in result.logs] == law.logs
    for output, expected in zip(result.plots, law.plots or [], strict=bool(law.plots)):
        given = [None if value != value else value for value in output.values]
        assert expected is None or given == list(expected)


def stops(number: str, source: str, words: str) -> Law:
    return Law(number, source, [1.0], words=words)


_OBJECTS = "l = line.new(0, 1, 1, 1)\nb = box.new(0, 1, 1, 0)\nt = label.new(0, 1)\n"
_FUTURE = "Objects positioned using xloc.bar_index cannot be drawn further than 500 bars into the future."
_TOO_FAR = """line.new(0, 1, 501, 1); l.set_x1(501); l.set_x2(501); l.set_xy1(501, 1); l.set_xy2(501, 1)
box.new(0, 1, 501, 0); b.set_left(501); b.set_right(501); label.new(501, 1); t.set_x(501); t.set_xy(501, 1)
line.new(0, 1, 501, 2); line.set_x1(l, 501); line.set_x2(l, 501); line.set_xy1(l, 501, 1); line.set_xy2(l, 501, 1)
box.new(501, 1, 0, 2); box.set_left(b, 501); box.set_right(b, 501); label.set_x(t, 501); label.set_xy(t, 501, 1)"""
"""Calls that place something too far ahead, of the laws A11 and RE10020."""
_OUTSIDE = {
    "get(2)": 2,
    "get(-3)": -3,
    "set(2, 1)": 2,
    "remove(2)": 2,
    "insert(3, 1)": 3,
    "insert(-3, 1)": -3,
    "fill(1, 2)": 2,
    "slice(2, 2)": 2,
    "slice(0, 3)": 3,
    "percentrank(2)": 2,
}
"""Calls with an index that an array of two has not."""

LAWS: list[Law] = [
    *laws("laws.txt"),
    *(
        stops(
            f"A7-{name}-{percentage}",
            f"plot(ta.{name}(close, 2, {percentage}))",
            f"Invalid value of the 'percentage' argument ({percentage}) in the '{name}' function. It must be in the "
            "range [0..100].",
        )
        for name in ("percentile_nearest_rank", "percentile_linear_interpolation")
        for percentage in (-1, 101)
    ),
    *(
        stops(f"A8-{call}", f'{call}("{{0", close)', "Unmatched braces in the pattern.")
        for call in ("log.info", "log.warning", "log.error")
    ),
    *(stops(f"A11-{call}", f"{_OBJECTS}{call}\nplot(1)", _FUTURE) for call in re.split("; |\n", _TOO_FAR)),
    *(
        Law(f"B13-{p}", f"plot(array.from(10, 21).percentile_linear_interpolation({p}))", [1.0], [[expected]])
        for p, expected in ((0, 10), (25, 10), (50, 15.5), (75, 21), (100, 21))
    ),
    *(
        stops(
            f"RE10001-{name}",
            f"plot(ta.{name}(close, bar_index * -1))",
            f"Invalid value of the 'length' argument (0) in the '{name}' function. It must be > 0.",
        )
        for name in ("sma", "wma", "lowest", "highest")
    ),
    *(
        stops(
            f"RE10003-{name}",
            f"int n = na\nplot(ta.{name}(close, n))",
            f"Invalid value of the 'length' argument in the '{name}' function. It must not be na",
        )
        for name in ("sma", "ema", "rma", "wma", "dev")
    ),
    *(
        stops(
            f"RE10045-{call}",
            f"a = array.from(1, 2)\na.{call}\nplot(1)",
            f"In 'array.{call.partition('(')[0]}()' function. Index {index} is out of bounds, array size is 2.",
        )
        for call, index in _OUTSIDE.items()
    ),
    # How long TradingView makes the buffer of a series is not known: none is made up, and its history is kept whole.
    Law(
        "RE10143-kept-whole",
        "x = close * 2\nplot(x[bar_index < 400 ? 1 : 350])\nplot(x[bar_index])",
        [float(k) for k in range(420)],
        [[None, *[2.0 * k for k in range(399)], *[2.0 * (k - 350) for k in range(400, 420)]], [0.0] * 420],
    ),
]
