"""Breakpoints: the bars on which they are hit are those on which the script itself says that the line ran."""

from __future__ import annotations

import pytest

from pinebench.errors import PinebenchError, UsageError
from pinebench.execution.request import Request
from pinebench.inspecting.hits import hits
from pinebench.market import SymbolInfo
from tests.runtime.running import HEAD, bars_of

BARS = bars_of([10.0, 11.0, 12.0, 11.0, 10.0, 9.0, 12.0, 13.0], minutes=60)
FIRST = HEAD.count("\n") + 1
BODY = """// a remark
length = input.int(3)
twice(float x) =>
    float y = x * 2
    y
rising = close > open
if close > 11
    a = twice(close)
    log.info(str.tostring(a))

total = 0.0
for i = 0 to 3
    total += i
plot(total)
"""


def asked(line: int, condition: str = "", body: str = BODY) -> tuple[int | None, list[int]]:
    """The line from the first of the body (from 1), and the bars."""
    found = hits(Request(HEAD + body, BARS, SymbolInfo(timeframe="60")), FIRST + line - 1, condition)
    assert found.error is None
    return found.line and found.line - FIRST + 1, found.bars


def test_a_line_is_hit_where_its_code_runs() -> None:
    above = [i for i, close in enumerate(BARS.close) if close > 11]
    assert asked(8) == (8, above)
    assert asked(4) == (4, above), "a line of a function is hit where the function is called"
    assert asked(13) == (13, list(range(8))), "once for a bar, however often the loop runs"


def test_a_line_without_code_moves_to_the_next_line_with_code() -> None:
    assert asked(10)[0] == 11
    assert asked(1)[0] == 4, "neither a remark, an input, nor the head of a function runs"
    assert asked(15) == (None, [])


def test_a_condition_is_tested_at_its_line() -> None:
    assert asked(6, "close > 11 and bar_index > 3") == (6, [6, 7])
    assert asked(4, "x == 12") == (4, [2, 6]), "it sees the parameters of the function"
    assert asked(13, "i == 2 and bar_index == 5") == (13, [5])


@pytest.mark.parametrize(
    ("condition", "words"),
    [("close +", "not a condition"), ("zzz > 1", "not a condition"), ("close", "not a condition"), ("close\n", "")],
)
def test_a_text_that_is_no_condition_is_refused_in_words(condition: str, words: str) -> None:
    if not words:
        assert asked(6, "close > 11\n")[0] == 6, "the break at the end does not count"
        return
    with pytest.raises(PinebenchError, match=words):
        asked(6, condition)


def test_a_condition_that_changes_something_is_refused() -> None:
    with pytest.raises(UsageError, match="changes something"):
        asked(6, "array.shift(xs) > 1", "xs = array.from(1, 2)\na = 1\n\n\n\nb = close\nplot(b)\n")
