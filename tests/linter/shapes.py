"""Shapes of bad scripts of any size: what one small file may cost is told by how the cost grows with it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

HEAD = '//@version=6\nindicator("x")\n'

_REPEATED: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What is repeated in a script, by where it stands and its name."""


_ORDERS = '//@version=6\nstrategy("x")\n'
_FIELDS = ("type S\n", "    int a#\n", "s = S.new()\n", "b# = s.a#[1] + s.b#\n")
_HALVES = {
    "orders that nothing places": (_ORDERS, 'strategy.entry("L#", strategy.long)\n', "", 'strategy.exit("X#", "M#")\n'),
    "orders with a condition of old": (_ORDERS, 'strategy.entry("L#", strategy.long, when = close > #)\n', "", ""),
    "fields that are missing": (f"{HEAD}{_FIELDS[0]}", *_FIELDS[1:]),
    "types that are missing": (HEAD, "type T#\n    U# a\n    array<V#> b\n", "", ""),
    "functions of each type": (
        HEAD,
        "type T#\n    int a\n",
        "f(x) =>\n    a = x\n    b = a\n    1\n",
        "f(T#.new())\n",
    ),
    "overloads that take less": (HEAD, "method m(int a, S# b) => a\n", "", "1.m(1, 2, 3)\n"),
    "text for one number": (f"{HEAD}var a = 0\n", "", "", 'a := "#"\n'),
    "untyped values": (HEAD, "var a# = na\n", "", "a# := close\n"),
    "members of an enum": (f"{HEAD}enum E\n", '    a# = "#"\n', "", "b# = E.c#\n"),
}
"""What stands before the first half, each of it, what stands between the halves, each of the second."""


def shapes() -> dict[str, Callable[[int], str]]:
    """What makes a script of about so many characters, by name."""
    found: dict[str, Callable[[int], str]] = {}
    for name, line in _REPEATED["lines"].items():
        found[f"{name}, a line each"] = lambda size, line=line: HEAD + _TYPES + _repeated(line + "\n", size)
        found[f"{name}, in a function"] = lambda size, line=line: _in_function(line, size)
    for name, piece in _REPEATED["pieces"].items():
        found[f"{name}, in one expression"] = lambda size, piece=piece: f"{HEAD}x = {_repeated(piece, size)}1\n"
    for name, piece in _REPEATED["calls"].items():
        found[f"{name}, in one call"] = lambda size, piece=piece: f"{HEAD}plot({_repeated(piece, size)}close)\n"
        found[f"{name}, in one list"] = lambda size, piece=piece: f"{HEAD}x = array.from({_repeated(piece, size)}1)\n"
        found[f"{name}, without version"] = lambda size, piece=piece: f"// {_repeated(piece, size)}\nplot(close)\n"
    for name, (head, first, between, second) in _HALVES.items():
        found[name] = lambda size, parts=(head, first, between, second): _in_halves(size, *parts)
    return found


def _in_halves(size: int, head: str, first: str, between: str, second: str) -> str:
    size //= 2 if first and second else 1
    one = _repeated(first, size) if first else ""
    return head + one + between + (_repeated(second, size) if second else "") + "plot(close)\n"


_TYPES = "type S\n    float alpha\ns = S.new()\na = array.new<float>()\n"


def _repeated(piece: str, size: int) -> str:
    parts: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        parts.append(piece.replace("#", str(number)) if "#FF" not in piece else piece)
        length += len(parts[-1])
    return "".join(parts)


def _in_function(line: str, size: int) -> str:
    body = "\n".join("    " + part for part in _repeated(line + "\n", size).split("\n"))
    return f"{HEAD}{_TYPES}g() =>\n{body}\n    1\nplot(g())\n"
