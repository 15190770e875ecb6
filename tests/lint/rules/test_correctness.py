"""Rules on correctness: what each reports, and the honest code that looks like it."""

from __future__ import annotations

import pytest

from tests.lint.rules.support import marked

REPORTED = [
    ("PB1001", "x = close\nplot(open)", ["x"]),
    ("PB1001", "var x = 0\nx := 1\nx += 2\nplot(open)", ["x"]),
    ("PB1001", "f() =>\n    x = close\n    open\nplot(f())", ["x"]),
    ("PB1001", "if close > open\n    x = 1\n    x := 2\nplot(open)", ["x"]),
    ("PB1002", "var x = 1\nx := x\nplot(x)", ["x := x"]),
    ("PB1002", "type P\n    float a\nvar p = P.new(1)\np.a := p.a\nplot(p.a)", ["p.a := p.a"]),
    ("PB1003", "plot(true ? 1 : 2)", ["true"]),
    ("PB1003", "if not (1 < 2)\n    log.info('x')\nplot(1)", ["not (1 < 2)"]),
    ("PB1003", "while false\n    break\nplot(1)", ["false"]),
]

LEFT_ALONE = [
    ("PB1001", "x = close\nplot(x)"),
    ("PB1001", "x = close\nplot(x[1])"),
    ("PB1001", "_x = close\nplot(open)"),
    ("PB1001", "x = ta.sma(close, 3)\nplot(open)"),
    ("PB1001", "f() =>\n    x = close\nplot(f())"),
    ("PB1001", "type P\n    float a\nvar p = P.new(1)\np.a := 2\nplot(p.a)"),
    ("PB1001", "x = 1\nf() => x\nplot(f())"),
    ("PB1002", "var x = 1\nx += x\nplot(x)"),
    ("PB1002", "var x = 1.0\nx := x[1]\nplot(x)"),
    ("PB1003", "DEBUG = false\nif DEBUG\n    log.info('x')\nplot(1)"),
    ("PB1003", "while true\n    break\nplot(1)"),
]


@pytest.mark.parametrize(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body) == expected


@pytest.mark.parametrize(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body) == []
