"""Every stop of breakpoints in one run, without stopping: bars and lines known by construction."""

from __future__ import annotations

from functools import partial

import pytest

from pinebench.debugger.listing import Listed, Place, listed
from pinebench.errors import UsageError
from pinebench.execution.executing import execute
from pinebench.execution.request import Request, Stop
from pinebench.market import Bars, SymbolInfo

SCRIPT = """//@version=6
indicator("Stops")
length = input.int(3)
var total = 0
twice(float x) =>
    doubled = x * 2
    doubled
if bar_index % 10 == 4
    total := total + 1
    for i = 0 to 2
        total += i
out = twice(total) + twice(close)
plot(out)
"""


def _listed(*asked: tuple[int, str], text: str = SCRIPT, bars: str = "sample:AAPL@60x50", **more: object) -> Listed:
    request = Request(text, Bars(), SymbolInfo(), **more)  # type: ignore[arg-type]
    return execute(request, partial(listed, breakpoints=asked, bars=bars))


def test_stops_are_listed_in_the_order_of_the_run() -> None:
    found = _listed((9, ""), (12, "bar_index == 14 or bar_index == 15"), (6, "x < 3"))
    assert found.moved == {9: 9, 12: 12, 6: 6} and not found.troubles and not found.is_cut and found.error is None
    nines = [place.bar for place in found.places if place.line == 9]
    assert nines == [4, 14, 24, 34, 44]
    assert [place.bar for place in found.places if place.line == 12] == [14, 15]
    # In the function, the condition sees the parameter: total is 0 until bar 4, and 4 after the loop.
    assert [place.bar for place in found.places if place.line == 6] == [0, 1, 2, 3]
    assert found.places == sorted(found.places, key=lambda place: place.bar)
    assert found.places.index(Place(14, 9)) < found.places.index(Place(14, 12))


def test_a_line_without_code_moves_its_breakpoint_and_a_wrong_condition_is_said() -> None:
    found = _listed((2, ""), (9, "nothing > 1"), (100, ""))
    assert found.moved[2] > 2 and found.moved[100] == 0
    assert "nothing" in found.troubles[9] and not any(place.line == 9 for place in found.places)


def test_what_cannot_run_is_said() -> None:
    with pytest.raises(UsageError):
        _listed((9, ""), bars="sample:NOTHING")
    with pytest.raises(UsageError, match="too long"):
        listed(Request(SCRIPT, Bars(), SymbolInfo(), stop=Stop("RE10110")), [(9, "")], "sample:AAPL")
