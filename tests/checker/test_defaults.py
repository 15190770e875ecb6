"""Defaults of parameters and fields are literals or built-in values of the declared type."""

from __future__ import annotations

from tests.checker.support import codes, spans
from tests.tables import each


@each(
    ("type_", "default", "expected"),
    [
        ("int ", "1", ""),
        ("float ", "1", ""),
        ("int ", "-1", ""),
        ("int ", "(1)", ""),
        ("float ", "close", ""),
        ("color ", "color.red", ""),
        ("int ", "na", ""),
        ("", "1", ""),
        ("", "na", "CE10169"),
        ("int ", '"a"', "CE10170"),
        ("int ", "1.5", "CE10170"),
        ("bool ", "na", "CE10170"),
        ("float ", "close + 1", "CE10134"),
        ("float ", "true ? 1 : 2", "CE10134"),
        ("float ", "ta.sma(close, 2)", "CE10133"),
        ("float ", "-ta.sma(close, 2)", "CE10133"),
        ("float ", "user", "CE10132"),
        ("float ", "-user", ""),
    ],
)
def test_default_of_a_parameter(type_: str, default: str, expected: str) -> None:
    assert codes(f"user = 1.0\nf({type_}p = {default}) => 1") == expected


@each(
    ("field", "expected"),
    [
        ("float p = 1", []),
        ('string p = "a"', []),
        ("line p = na", []),
        ("string p = 1", ["CE10170 string p = 1"]),
        ("float p = user", ["CE10132 float p = user"]),
        ("float p = math.abs(1)", ["CE10133 float p = math.abs(1)"]),
    ],
)
def test_default_of_a_field(field: str, expected: list[str]) -> None:
    assert spans(f"user = 1.0\ntype T\n    {field}") == expected


def test_a_call_as_default_is_marked_at_the_parameters_name() -> None:
    assert spans("f(float p = math.abs(1)) => p") == ["CE10133 p"]
