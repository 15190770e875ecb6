"""The rules of lexing, layout and grammar that the parser lets pass and the check room decides.

A refused body names the code and the line of the first error; it stands behind a version line and an `indicator` call,
so it begins in line 3. WHOLE_REFUSED scripts stand alone. Warnings are listed under WARNED. The accepted twin of a rule
is in `rules.py` or in ACCEPTED here.
"""

from __future__ import annotations

from tests.syntax.rules import HEAD, Refused

__all__ = ["ACCEPTED", "HEAD", "REFUSED", "WARNED", "WHOLE_REFUSED"]

ACCEPTED: dict[str, list[str]] = {
    "LEX-12": ["const = 1\nplot(const)\n", "int = 2\nplot(int)\n", "nz = 3\nplot(nz)\n"],
    "GR-3": ["if close > open\n    length = input.int(5)\nplot(close)\n"],
    "GR-4": ["const int a = 1\nsimple float b = 2\nvar series float c = close\nplot(a + b + c)\n"],
    "GR-9": ["a = ta.sma(close, 3)[2]\nplot(a)\n"],
    "GR-20": ["plot(close, 'x', linewidth = 2)\n"],
}

REFUSED: dict[str, list[Refused]] = {
    "LEX-12": [Refused("a = close\nclose = 1\nplot(a + close)\n", "CE10190", 4)],
    "GR-3": [Refused("if close > open\n    plot(close)\n", "CE10188", 4)],
    "GR-4": [
        Refused("simple a = 1\nplot(a)\n", "CE10147", 3),
        Refused("const simple int a = 1\nplot(a)\n", "CE10147", 3),
        Refused("var series a = close\nplot(a)\n", "CE10147", 3),
        Refused("export int a = 1\nplot(a)\n", "exported-variable-not-const", 3),
    ],
    "GR-5": [Refused("source a = close\nplot(a)\n", "CE10149", 3), Refused("Missing a = na\n", "CE10149", 3)],
    "GR-6": [
        Refused("[a, b, c] = ta.dmi(14, 14), [d, e] = ta.macd(close, 12, 26, 9)\nplot(a)\n", "tuple-count", 3),
        Refused("[a, b] = close\nplot(a)\n", "tuple-shape", 3),
    ],
    "GR-7": [Refused("f() =>\n    close > open ? [1, 2] : [3, 4]\n[a, b] = f()\nplot(a)\n", "CE10163", 4)],
    "GR-9": [
        Refused("a = close[1][2]\nplot(a)\n", "history-of-history", 3),
        Refused("a = 5[1]\nplot(a)\n", "history-of-constant", 3),
    ],
    "GR-11": [Refused("break\nplot(close)\n", "CE10135", 3), Refused("continue\nplot(close)\n", "CE10136", 3)],
    "GR-13": [Refused("a = once close > open\n    1\nplot(close)\n", "once-has-no-value", 3)],
    "GR-15": [
        Refused("type T\n    var int a = 1\nplot(close)\n", "CE10288", 4),
        Refused("type T\n    int a\n    float a\nplot(close)\n", "CE10186", 5),
        Refused("type int\n    float a\nplot(close)\n", "type-name-taken", 3),
    ],
    "GR-16": [
        Refused("enum E\n    a = 1\nplot(close)\n", "CE10125", 4),
        Refused("enum color\n    a\nplot(close)\n", "enum-name-taken", 3),
    ],
    "GR-17": [Refused("method m(a) => a\nplot(close)\n", "method-receiver", 3)],
    "GR-19": [
        Refused("f(int a = math.max(1, 2)) => a\nplot(f())\n", "CE10133", 3),
        Refused("f(int a = 1 + 2) => a\nplot(f())\n", "CE10134", 3),
        Refused("b = 1\nf(int a = b) => a\nplot(f())\n", "CE10132", 4),
        Refused("f(a = na) => a\nplot(f())\n", "CE10169", 3),
    ],
    "GR-20": [
        Refused("plot(close, title = 'x', 2)\n", "CE10157", 3),
        Refused("plot(close, tittle = 'x')\n", "CE10120", 3),
        Refused("plot(close, title = 'x', title = 'y')\n", "CE10072", 3),
        Refused("plot(ta.sma(close))\n", "CE10165", 3),
        Refused("f(a) => a\nplot(f(1, 2))\n", "CE10115", 4),
    ],
    "GR-21": [Refused("a = array.new<array<int>>()\nplot(close)\n", "CE10025", 3)],
}

WHOLE_REFUSED: dict[str, list[Refused]] = {
    "LEX-2": [Refused("indicator('a')\nplot(close)\n", "version-missing", 1)],
    "GR-1": [
        Refused("//@version=6\nplot(close)\n", "CE10243", 2),
        Refused("//@version=6\nindicator('a')\nindicator('b')\nplot(close)\n", "CE10243", 3),
        Refused("//@version=6\nindicator('a')\nb = 1\n", "CE10246", 2),
    ],
    "GR-14": [
        Refused(
            "//@version=6\nindicator('a')\nimport A/B/1 as x\nimport A/C/1 as x\nplot(close)\n",
            "import-alias-repeated",
            4,
        )
    ],
}

WARNED: dict[str, list[Refused]] = {"LEX-12": [Refused("close = 1\nplot(close)\n", "CW10011", 3)]}
