"""A script in a process of its own: the same report, the same refusals, and an end for what never ends."""

from __future__ import annotations

import pytest

from pinebench.errors import UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.guard import Budget
from pinebench.runtime.isolated import run_isolated
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.report import report
from tests.runtime.running import HEAD, bars_of, run, runtime_of

SYMBOL = SymbolInfo(timeframe="15")


def test_the_report_of_a_run_is_the_same_on_both_sides() -> None:
    source = """
n = input.int(2, "Length")
plot(ta.sma(close, n), "Average")
plotshape(close > 2, "Up")
if barstate.islast
    label.new(bar_index, high, "end", color = color.new(color.red, 50))
    log.info("done")
    alert("over")
t = table.new(position.top_left, 1, 1)
t.cell(0, 0, "x", bgcolor = color.blue)
"""
    shown = run_isolated(HEAD + source, bars_of([1.0, 2.0, 3.0]), SYMBOL, inputs={"Length": 3})
    assert shown == report(runtime_of(source, [1.0, 2.0, 3.0], inputs={"Length": 3}).run())
    assert shown["plots"] == [
        {"title": "Average", "values": [None, None, 2.0]},
        {"title": "Up", "values": [False, False, True]},
    ]
    assert shown["drawings"]["label"][0]["color"] == "#F2364580"
    assert shown["drawings"]["table"][0]["cells"][0]["bgcolor"] == "#2962FFFF"
    assert (shown["bars"], shown["logs"][0]["message"], shown["alerts"][0]["message"]) == (3, "done", "over")


def test_a_fault_is_reported_with_its_line() -> None:
    shown = run_isolated(f'{HEAD}if bar_index == 1\n    runtime.error("no")\n', bars_of([1.0, 2.0]), SYMBOL)
    assert shown["error"] == {
        "code": "RE10142",
        "message": "Error on bar 1: no",
        "bar": 1,
        "line": 4,
        "stack": [{"function": "#main", "line": 4}],
    }


def test_refusals_come_back_as_what_they_are() -> None:
    with pytest.raises(NotComputed, match="a request for NYSE:NONE"):
        run_isolated(f'{HEAD}plot(request.security("NYSE:NONE", "", close))', bars_of([1.0]), SYMBOL)
    with pytest.raises(UsageError, match="does not compile"):
        run_isolated(f"{HEAD}plot(nothing)", bars_of([1.0]), SYMBOL)


def test_what_never_ends_is_ended() -> None:
    source = f"{HEAD}while true\n    x = 1\nplot(close)"
    shown = run_isolated(source, bars_of([1.0]), SYMBOL, budget=Budget(seconds=0.3))
    assert shown["error"]["code"] == "RE10110"


def test_na_and_infinity_are_null() -> None:
    shown = report(run("plot(close / (close - close))\nplot(na)", [1.0]))
    assert [plot["values"] for plot in shown["plots"]] == [[None], [None]]
