"""The laws of execution that were recorded on TradingView, each as a script and what it gives.

Their numbers are those of the collection of recorded probes: a letter and a number; `RE` and a number is the code of a
run-time error.
"""

from __future__ import annotations

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


LAWS: list[Law] = [
    *laws("laws.txt"),
    # How long TradingView makes the buffer of a series is not known: none is made up, and its history is kept whole.
    Law(
        "RE10143-kept-whole",
        "x = close * 2\nplot(x[bar_index < 400 ? 1 : 350])\nplot(x[bar_index])",
        [float(k) for k in range(420)],
        [[None, *[2.0 * k for k in range(399)], *[2.0 * (k - 350) for k in range(400, 420)]], [0.0] * 420],
    ),
]
