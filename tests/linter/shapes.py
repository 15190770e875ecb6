"""Shapes of bad scripts of any size: what one small file may cost is told by how the cost grows with it."""

from collections.abc import Callable

HEAD = '//@version=6\nindicator("x")\n'

# `#` is a number, another one on each line.
_LINES = {
    "undeclared name": "plot(undeclared#)",
    "misspelled own name": "total# = close\nplot(totla#)",
    "misspelled built-in": "plot(ta.smaa(close, #))",
    "misspelled field": "s.alhpa# := #",
    "misspelled method": "a.psuh(#)",
    "misspelled parameter": 'plot(close, titel = "#")',
    "misspelled type": "flaot v# = close",
    "misspelled constant": "plot(close, color = color.rde)",
    "unknown namespace": "plot(tta.sma#(close, 3))",
    "wrong argument": 'plot(ta.sma(close, "#"))',
    "swapped arguments": "plot(ta.sma(#, close))",
    "too many arguments": "plot(ta.sma(close, 3, #))",
    "missing argument": "plot(ta.sma(close))",
    "overloads": 'label.new("a", "b", #, true, na, color.red)',
    "more overloads": "request.security(#, #, #)",
    "position after name": 'plot(series = close, "x#")',
    "declared twice": "again = #",
    "assigned undeclared": "fresh# := close",
    "field changed": "s.alpha = #",
    "condition": "x# = bar_index ? 1 : 0",
    "na comparison": "n# = close == na",
    "text and number": 't# = "a" + close',
    "whole number": "int w# = close / #",
    "unclosed bracket": "plot(ta.sma(close, #)",
    "unclosed list": "p# = close[#",
    "bracket too many": "plot(close))",
    "unclosed string": 'u# = "text',
    "stray character": "plot(close) ; plot(open)",
    "ands": "b# = close > open && high > low",
    "nots": "b# = !(close > #)",
    "pasted quotes": "plot(close, \u201cx#\u201d)",
    "keyword as name": "to = #",
    "one equals": 'if close = open\n    alert("#")',
    "block comment": "/* words # */",
    "if alone": "if",
    "for alone": "for",
    "while alone": "while",
    "switch alone": "switch",
    "arrow alone": "=>",
    "assign alone": ":=",
    "braces": "{",
    "closing brackets": "))))))))",
    "opening brackets": "((((((((",
    "wrapped badly": "w# = close +\n    open",
    "wrong indentation": "  z# = close",
    "else if": "else if close > #\n    x = 1",
    "plot in a block": "if close > #\n    plot(close)",
    "call in a condition": "c# = close > # and ta.crossover(close, open)",
    "changed parameter": "f#(float x) =>\n    x := x / 2\n    x",
    "switch without value": "y# = switch close\n    1 => na",
    "library": "import a/b/# as lib#",
    "type": "type T#\n    flota a\n    int a",
    "enum": "enum E#\n    a = close\n    a",
    "tuple": "[a#, b#] = [#, 2]",
    "emoji": "plot(close, \U0001f600)",
    "emoji in a text": 'e# = "\U0001f600" + undeclared',
}
_PIECES = {
    "sum of undeclared names": "undeclared# + ",
    "sum of misspelled names": "clsoe + ",
    "conditions": "a# and ",
    "ternaries": "close > # ? # : ",
    "opening brackets": "(",
    "unary": "not ",
    "minus": "-",
    "calls": "ta.sma(",
    "wrong calls": "math.max(undeclared#, ",
    "members": "a.b.",
    "histories": "close[",
    "quotes": "\"'\\",
    "quoted commas": '"a, b) ',
    "emoji": "\U0001f600 ",
    "slashes and at": "// @ ",
    "tabs": "\t",
    "semicolons": "plot(close);",
    "commas": "a = 1, ",
    "stars": "* ",
    "at": "@",
    "commas alone": ",",
    "templates": "array<",
    "equals": "= ",
    "arrows": "=> ",
    "colours": "#FF00 ",
    "numbers": "1. ",
    "words": "word ",
}
_CALLS = {
    "named arguments": "colour# = #, ",
    "misspelled names": "undeclared#, ",
    "wrong arguments": '"#", ',
    "swapped": "#, close, ",
    "repeated": 'title = "#", ',
}


_ORDERS = '//@version=6\nstrategy("x")\n'
_FIELDS = ("type S\n", "    int a#\n", "s = S.new()\n", "b# = s.a#[1] + s.b#\n")
_HALVES = {
    "orders that nothing places": (_ORDERS, 'strategy.entry("L#", strategy.long)\n', "", 'strategy.exit("X#", "M#")\n'),
    "orders with a condition of old": (_ORDERS, 'strategy.entry("L#", strategy.long, when = close > #)\n', "", ""),
    "fields that are missing": (f"{HEAD}{_FIELDS[0]}", *_FIELDS[1:]),
    "types that are missing": (HEAD, "type T#\n    U# a\n    array<V#> b\n", "", ""),
    "functions of each type": (HEAD, "type T#\n    int a\n", "f(x) =>\n    a = x\n    b = a\n    1\n", "f(T#.new())\n"),
    "overloads that take less": (HEAD, "method m(int a, S# b) => a\n", "", "1.m(1, 2, 3)\n"),
    "text for one number": (f"{HEAD}var a = 0\n", "", "", 'a := "#"\n'),
    "untyped values": (HEAD, "var a# = na\n", "", "a# := close\n"),
    "members of an enum": (f"{HEAD}enum E\n", '    a# = "#"\n', "", "b# = E.c#\n"),
}
"""What stands before the first half, each of it, what stands between the halves, each of the second."""


def shapes() -> dict[str, Callable[[int], str]]:
    """What makes a script of about so many characters, by name."""
    found: dict[str, Callable[[int], str]] = {}
    for name, line in _LINES.items():
        found[f"{name}, a line each"] = lambda size, line=line: HEAD + _TYPES + _repeated(line + "\n", size)
        found[f"{name}, in a function"] = lambda size, line=line: _in_function(line, size)
    for name, piece in _PIECES.items():
        found[f"{name}, in one expression"] = lambda size, piece=piece: f"{HEAD}x = {_repeated(piece, size)}1\n"
    for name, piece in _CALLS.items():
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
