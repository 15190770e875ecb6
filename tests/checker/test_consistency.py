"""Calls that depend on history but do not run on every bar, by the model recorded from TradingView's answers."""

from __future__ import annotations

import pytest

from pinebench import reference
from tests.checker.support import spans
from tests.tables import each

SMA = "ta.sma(close, 3)"


@each(
    ("script", "expected"),
    [
        (f"x = close > open ? {SMA} : 0", [f"CW10004 {SMA}"]),
        (f"x = close > open ? (true ? {SMA} : 1) : 0", [f"CW10004 {SMA}"]),
        (f"x = input.bool(true) ? {SMA} : 0", []),
        (f"x = timeframe.isdaily ? {SMA} : 0", []),
        (f"x = true and {SMA} > 1", [f"CW10002 {SMA}"]),
        (f"x = {SMA} > 1 and true", []),
        (f"if close > open\n    x = {SMA}", [f"CW10003 {SMA}"]),
        (f"if close > open\n    x = 1\nelse\n    y = {SMA}", [f"CW10003 {SMA}"]),
        (f"if timeframe.isdaily\n    x = {SMA}", []),
        (f"for i = 0 to 1\n    x = {SMA}", [f"CW10003 {SMA}"]),
        (f"for i = 0 to int({SMA})\n    x = i", []),
        (f"for i = 0 to (close > open ? int({SMA}) : 1)\n    x = i", [f"CW10004 {SMA}"]),
        (f"while true and {SMA} > 1\n    break", [f"CW10002 {SMA}"]),
        (f"once\n    x = {SMA}", [f"CW10003 {SMA}"]),
        (f"x = switch\n    close > open => {SMA}\n    => 1", [f"CW10004 {SMA}"]),
        (f"switch\n    close > open => {SMA}\n    => 1", [f"CW10003 {SMA}"]),
        (f'switch syminfo.type\n    "a" => {SMA}\n    => 1', []),
        ("x = close > open ? nz(close) : 0", []),
    ],
)
def test_where_a_call_is_inconsistent(script: str, expected: list[str]) -> None:
    assert spans(script) == expected


@each(
    ("body", "warned"),
    [
        ("f() => ta.sma(close, 3)", True),
        ("g() => ta.sma(close, 3)\nf() => g()", True),
        ("f() => close[1]", False),
        ("f() => bar_index[1]", True),
        ("f() =>\n    v = close\n    v[1]", True),
        ("v = close\nf() => v[1]", True),
        ("v = close\ng() => v[1]\nf() => g()", False),
        ("f() => close", False),
    ],
)
def test_which_functions_depend_on_history(body: str, warned: bool) -> None:
    assert spans(f"{body}\nif close > open\n    x = f()") == (["CW10003 f()"] if warned else [])


@each(
    ("script", "warned"),
    [
        ("if close > open\n    v = close\n    w = v[1]", True),
        ("if close > open\n    var v = close\n    w = v[1]", True),
        ("if timeframe.isdaily\n    v = close\n    w = v[1]", False),
        ("for i = 0 to 1\n    v = close\n    w = v[1]", True),
        ("v = close\nif close > open\n    w = v[1]", False),
        ("f() =>\n    v = close\n    v[1]\nx = f()", False),
        ("f() =>\n    if close > open\n        v = close\n        w = v[1]\n    1\nx = f()", True),
    ],
)
def test_history_of_a_local(script: str, warned: bool) -> None:
    assert spans(script) == (["CW10018 v[1]"] if warned else [])


@pytest.mark.parametrize("argument", ["5", "bar_index", "input.int(5)"])
def test_a_condition_that_depends_on_an_untyped_parameter_is_undetermined(argument: str) -> None:
    assert spans(f"f(n) =>\n    n > 3 ? {SMA} : 0\nx = f({argument})") == []
    assert spans(f"f(int n) =>\n    n > 3 ? {SMA} : 0\nx = f({argument})") == [f"CW10004 {SMA}"]


def test_functions_that_nobody_calls_are_not_warned_about() -> None:
    assert spans(f"f() => close > open ? {SMA} : 0") == []


def test_warnings_stay_beside_errors_but_not_beside_errors_of_syntax() -> None:
    """Recorded probes and a screen of TradingView show CE10272 with CW10003, and CE10123 with CW10002."""
    gated = f"x = close > open ? {SMA} : 0"
    assert spans(f"{gated}\ny = undeclared") == [f"CW10004 {SMA}", "CE10272 undeclared"]
    assert spans(f"{gated}\ny = 1 +") == ["CE10156 "]


def test_what_an_error_leaves_unknown_warns_of_nothing() -> None:
    assert spans(f"x = undeclared ? {SMA} : 0") == ["CE10272 undeclared"]
    assert spans("x = undeclared ? ta.nothing(close) : 0") == ["CE10272 undeclared", "CE10271 ta.nothing"]


def test_no_method_depends_on_history() -> None:
    """A call is passed over where its path names no built-in that does, whatever value it is a method of."""
    functions = [found for name in reference.functions() if (found := reference.function(name)) is not None]
    assert [found.name for found in functions if found.history_dependent and found.receiver] == []
    assert any(found.history_dependent for found in functions)
