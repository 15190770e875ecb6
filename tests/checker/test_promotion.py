"""The strongest qualifier of what a variable will ever be assigned, found before the assignments are typed."""

from __future__ import annotations

from pinebench.checker import check
from pinebench.syntax import parse
from tests.checker.support import codes, type_of
from tests.tables import each


@each(
    ("assigned", "expected"),
    [
        ("2", "const int"),
        ("-(2 + 3)", "const int"),
        ("input.int(2)", "input int"),
        ("timeframe.multiplier", "simple int"),
        ("bar_index", "series int"),
        ("later", "series int"),
        ("x[1]", "series int"),
        ("x + 1", "const int"),
        ("math.max(1, input.int(2))", "input int"),
        ("math.max(1, bar_index)", "series int"),
        ("array.from(1).first()", "int"),
        ("int(ta.sma(close, 3))", "series int"),
        ("timeframe.isdaily ? 1 : 2", "simple int"),
        ("untyped(3)", "int"),
        ("untyped(bar_index)", "series int"),
        ("typed(3)", "series int"),
        ("fixed(bar_index)", "const int"),
        ("length(3)", "simple int"),
        ("nested(3)", "series int"),
        ("switch\n    timeframe.isdaily => 1\n    => 2", "simple int"),
    ],
)
def test_a_later_assignment_counts(assigned: str, expected: str) -> None:
    functions = """untyped(a) => a + 1
typed(int a) => a + 1
fixed(int a) => 7
length(int a) =>
    e = ta.ema(close, a)
    a + 1
nested(int a) =>
    v = typed(a)
    v
"""
    script = f"{functions}var x = 1\nvar later = 1\nlater := bar_index\nx := {assigned}"
    assert type_of(script, "x") == expected


@each(
    ("condition", "expected"),
    [
        ("if close > open", "series int"),
        ("if timeframe.isdaily", "simple int"),
        ("if input.bool(true)", "input int"),
        ("if true", "const int"),
        ("for i = 0 to 3", "const int"),
        ("while close > open", "series int"),
    ],
)
def test_the_conditions_of_an_assignment_count(condition: str, expected: str) -> None:
    assert type_of(f"x = 1\n{condition}\n    x := 2", "x") == expected


def test_long_chains_of_variables_and_functions_stay_cheap() -> None:
    chain = "".join(f"var v{n} = 0\nv{n} := v{max(n - 1, 0)} + v{max(n - 2, 0)}\n" for n in range(60))
    assert type_of(chain, "v59") == "const int"


@each(
    ("script", "expected"),
    [
        ("k = 5\nplot(ta.rma(close, k))\nk := bar_index", ""),
        ("k = float(na)\nn = k > 2 ? 10 : 20\nplot(ta.rma(close, n))\nk := close", ""),
        ("f(n) => ta.rma(close, n)\nk = 5\nplot(f(k))\nk := bar_index", ""),
        ("f(n) =>\n    k = n\n    a = ta.rma(close, k)\n    k := bar_index\n    a + k\nplot(f(3))", "CE10123"),
        ("k = 5\nn = input.int(k)\nk := bar_index\nplot(n)", "CE10123"),
        ("k = 5\nplot(close, linewidth = k)\nk := bar_index", "CE10123"),
        ("s = 'a'\nplot(close, s)\ns := str.tostring(close)", "CE10123"),
        ('k = 5\nplot(request.security("A", "D", ta.rma(close, k)))\nk := bar_index', "CE10123"),
        ('k = 5\nn = k + 1\nplot(request.security("A", "D", ta.rma(close, n)))\nk := bar_index', "CE10123"),
        ('f(n) => ta.rma(close, n)\nk = 5\nplot(request.security("A", "D", f(k)))\nk := bar_index', "CE10123"),
        ("k = 5\nplot(ta.rma(close, k), linewidth = bar_index)\nk := bar_index", "CE10123"),
        ("k = 5\nk := bar_index\nplot(ta.rma(close, k))", "CE10123"),
        ("k = 5\nif close > open\n    k := 6\nplot(ta.rma(close, k))", "CE10123"),
        ("var k = 5\nplot(ta.rma(close, k))\nk := bar_index", "CE10123"),
        ("k = 5\nfor i = 0 to 3\n    ta.rma(close, k)\n    k := bar_index", "CE10123"),
        ("k = 5\nf() => ta.rma(close, k)\nplot(f())\nk := bar_index", "CE10123"),
    ],
)
def test_a_length_is_as_strong_as_the_lines_above_it(script: str, expected: str) -> None:
    """Published scripts compile with such a length above the assignment that makes it a series."""
    assert codes(script) == expected


def test_a_length_does_not_change_the_verdict_of_another_line() -> None:
    declared = "k = 5\nsimple int n = k\nplot(ta.rma(close, n))\nk := bar_index"
    length = "j = 3\nplot(ta.rma(close, j))\nj := bar_index"
    assert codes(declared) == codes(f"{declared}\n{length}") != ""


def test_warnings_count_the_assignments_below_a_condition() -> None:
    script = "k = 5\nplot(ta.rma(close, k))\nplot(k > 3 ? ta.ema(close, 5) : 0.0)\nk := bar_index"
    assert codes(script) == "CW10004"


def test_a_changed_script_with_such_a_length_has_the_findings_of_a_fresh_check() -> None:
    head = '//@version=6\nindicator("x")\n'
    below, above = (
        "k = 5\nplot(ta.rma(close, k))\nk := bar_index\n",
        "k = 5\nk := bar_index\nplot(ta.rma(close, k))\n",
    )
    document, length = parse(head), 0
    for body in (below, above, below, above):
        document.edit(len(head), len(head) + length, body)
        length = len(body)
        assert check(document).diagnostics == check(parse(head + body)).diagnostics
