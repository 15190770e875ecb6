"""For every rule of Pine v6 that the parser decides: scripts it accepts and scripts it refuses.

The rules are numbered as in the language facts the project is built on. A refused script names the code and the line of
the first report. Bodies stand behind a version line and an `indicator` call, so they begin in line 3; those in WHOLE_*
stand alone.
"""

from __future__ import annotations

from typing import NamedTuple

HEAD = '//@version=6\nindicator("Rule")\n'


class Refused(NamedTuple):
    body: str
    code: str
    line: int


ACCEPTED: dict[str, list[str]] = {
    "LEX-1": ["a = 1\r\nb = 2\r\n", "a = 1\rb = 2\r", "a = 1\n\r\nb = a\r"],
    "LEX-2": ["// @version = 6\na = 1\n"],
    "LEX-3": ["//@variable The best one.\na = 1 // why not\n// the end"],
    "LEX-4": ["_a1 = 1\nA1 = _a1\n", "a__b = 1\n"],
    "LEX-5": ["a = 1. + 1.0 + 3.14 + .5 + 6.02E-23 + 3e8\n", "a = -1\n"],
    "LEX-6": ["a = #FF8800\nb = #ff880080\n"],
    "LEX-7": ['a = "tab\\t, quote \\" and \\\\"\n', "b = 'it\\'s'\n", 'c = "\\q"\n', 'd = ""\n', "e = ''\n"],
    "LEX-8": ['a = "one\n  two"\n', 'a = "one\n    two"\n', 'a = "one\n\ttwo"\n', 'a = "one\n\n  two"\n'],
    "LEX-9": [
        'a = """one\ntwo\n\n    three"""\nb = 1\n',
        "a = '''say \"it\"\n// no comment'''\n",
        'a = """a "quoted" word"""\n',
        'a = """"""\n',
        'f(string s) =>\n    s\nb = f("""x\ny""")\n',
    ],
    "LEX-10": ["a = math.max(1,\u00a02)\n"],
    "LEX-11": ["values = array.from(1, 2)\nfor do in values\n    log.info(str.tostring(do))\n", "a = f.to\n"],
    "LEX-12": [
        "const = 1\n",
        "na = 1\n",
        "type = 1\nplot(type)\n",
        "f(type, a) => type and a\nplot(f(true, true) ? 1 : 0)\n",
        "f(enum, a) =>\n    enum or a\nplot(f(true, true) ? 1 : 0)\n",
        "enum = 1\n",
        "method = 1\n",
        "once = 1\n",
        "case = 1\n",
        "default = 1\n",
        "from = 1\n",
        "series = 1\n",
        "simple = 1\n",
        "int = 1\n",
        "color = 1\n",
        "this = 1\nnew = 2\ndelete = 3\n",
        "method(int id) =>\n    id + 1\nplot(method(1))\n",
        "a = series and simple\n",
    ],
    "LAY-1": [
        "if close > open\n    a = 1\n    if a > 0\n        b = 2\n",
        "if close > open\n\ta = 1\n\tif a > 0\n\t\tb = 2\n",
    ],
    "LAY-2": [
        "a = close > open ?\n  1 :\n  2\n",
        "a = close > open\n   and high > low\n",
        "a = close +\n     open\n",
        "a = math.abs(close)\n  .round()\n",
    ],
    "LAY-3": [
        "a = math.max(\n    close,\n    open)\n",
        "a = (close +\nopen)\n",
        "plot(\n        close,\n\n// why\n  title = 'x')\n",
        "f() => [\n    close,\n    open]\n",
        "a = array.new<int>(\n    1,\n    2)\n",
        "a = close[\n    1\n    ]\n",
    ],
    "LAY-4": [
        "a = close +\n// a comment in column one\n\n    // and one at four\n  open\n",
        "a = 1\n        // deep\nb = 2\n",
    ],
    "LAY-5": [
        "a =\n     close\n",
        "a = if close > open\n    1\nelse\n    2\n",
        "float a = switch\n    close > open => 1\n    => 2\n",
    ],
    "LAY-6": [
        "a = 1, b = 2, c = a + b\n",
        "var a = 1, a := 2, plot(a)\n",
        "int a = 1, b = 2.5\n",
        "a = 1,\nb = 2\n",
        "a = 1,\n    b = 2\n",
    ],
    "LAY-7": [
        "f(x) => x + 1\n",
        "f(x) => y = x, y + 1\n",
        "f(x) =>\n    y = x\n    y + 1\n",
        "f() =>\n\n    // first\n    1\n",
    ],
    "LAY-8": [
        "a = switch close\n    1 => 2\n    => 3\n",
        "a = switch\n    close > open =>\n        b = 1\n        b + 1\n    => 2\n",
        "a = switch close\n    1\n     => 2\n    => 3\n",
        "a = switch close\n    1 => 'x',\n    => 'y'\n",
    ],
    "LAY-9": ["if close > open\n  and high > low\n    a = 1\n", "while close > open or\n  high > low\n    break\n"],
    "LAY-10": ["type T\n    int a\n\n    // why\n    float b = 1.0\n"],
    "LAY-11": ["a = math.max(\nclose, open)\n", "a = (1 + (2 * (3)))\n"],
    "LAY-12": ["for i = 1 to\n     7\n    a = i\n"],
    "GR-2": [
        "import User/Library/1\n",
        "a = 1\na := 2\na += 1\na -= 1\na *= 2\na /= 2\na %= 2\n",
        "[a, b, _] = f()\n",
        "f(close)\n",
        "once close > open\n    a = 1\n",
    ],
    "GR-3": ["type T\n    int a\nenum E\n    a\nf() => 1\nmethod m(T t) => t.a\n"],
    "GR-4": [
        "a = 1\n",
        "var a = 1\n",
        "varip int a = 1\n",
        "const int a = 1\n",
        "var simple string a = 'x'\n",
        "export const int LENGTH = 7\n",
        "float[] a = array.new_float()\n",
        "a = if close > open\n    1\n",
    ],
    "GR-5": [
        "array<float> a = na\n",
        "matrix<int> a = na\n",
        "map<string, lib.Type> a = na\n",
        "chart.point a = na\n",
        "array<chart.point>[] a = na\n",
        "f(array<map<string, float>> a) => 1\n",
        "volume_row a = na\nfootprint b = na\n",
    ],
    "GR-6": ["[a, b] = if close > open\n    [1, 2]\nelse\n    [3, 4]\n", "[_, _, c] = ta.macd(close, 1, 2, 3)\n"],
    "GR-7": [
        "f() =>\n    [close, open]\n",
        "[a, b] = request.security('x', '', [close, open])\n",
        "if close > open\n    [1, 2]\n",
    ],
    "GR-8": ["a = not b and c or d == e ? -f + g * h : i[1] % 2\n"],
    "GR-9": ["a = close[1]\nb = ta.sma(close, 3)[2]\nc = (obj[1]).field\n"],
    "GR-10": [
        "for i = 0 to 3\n    a = i\n",
        "for i = 10 to 0 by 2\n    a = i\n",
        "for int i = 0 to 3\n    a = i\n",
        "for float i = 0 to 1 by 0.1\n    a = i\n",
        "for a in b\n    c = a\n",
        "for [k, v] in b\n    c = k\n",
    ],
    "GR-11": [
        "a = for i = 0 to 3\n    i\n",
        "b = while close > open\n    break\n",
        "if a\n    1\nelse if b\n    2\nelse\n    3\n",
        "for i = 0 to 3\n    if i > 1\n        continue\n",
    ],
    "GR-12": ["switch\n    a => b := 1\n    c > d => f(1), g(2)\n", "switch a\n    'x' => 1\n    => na\n"],
    "GR-13": [
        "once\n    a = 1\n",
        "once barstate.islast\n    a = 1\n",
        "if a\n    once b\n        c = 1\n",
        "once = 2\nplot(once)\n",
    ],
    "GR-14": ["import TradingView/ta/9 as ta\n", "import a-b/c_d/12\n", "import User / Library / 1 as x\n"],
    "GR-15": [
        "type T\n    varip int a = 0\n    float b = na\n    array<T> c\n    c2 = 1\n",
        "export type T\n    int a\n",
    ],
    "GR-16": ['enum E\n    a = "Alpha"\n    b\n', "export enum E\n    a\n"],
    "GR-17": ["method add(int a, int b = 1) => a + b\n", "export method add(int a) =>\n    a\n", "method = 3\n"],
    "GR-18": ["f(const int a, simple float b, series string c, d, int e = 1,) => a\n", "f(int a = 1, b) => a\n"],
    "GR-19": ["f(int a = -1, b = close, c = (3), string d = na) => a\n"],
    "GR-20": ["f(1, 2, a = 3, b = 4)\n", "f(1, 2,)\n", "f(var = 3)\n"],
    "GR-21": [
        "a = array.new<float>()\nb = matrix.new<int>(2, 2)\nc = map.new<string, int>()\nd = array.new_float(3)\n"
    ],
}

REFUSED: dict[str, list[Refused]] = {
    "LEX-3": [Refused("/* no */\na = 1\n", "CE10156", 3), Refused("a = 2 /* no */\n", "CE10156", 3)],
    "LEX-4": [Refused("é = 1\n", "CE10005", 3), Refused("a$ = 1\n", "CE10005", 3)],
    "LEX-5": [Refused("a = 1_000\n", "CE10013", 3), Refused("a = 0x1F\n", "CE10013", 3)],
    "LEX-6": [Refused("a = #FF88\n", "CE10005", 3), Refused("a = #GG8800\n", "CE10005", 3)],
    "LEX-7": [Refused("a = \u201ctext\u201d\n", "CE10005", 3), Refused('a = "open\n', "CE10004", 3)],
    "LEX-8": [
        Refused('a = "one\ntwo"\n', "CE10017", 3),
        Refused('a = "one\n  two\nthree"\n', "CE10017", 3),
        Refused('a = "one\nb = 2\n', "CE10004", 3),
    ],
    "LEX-9": [Refused('a = """one\ntwo\n', "CE10004", 3)],
    "LEX-10": [Refused("a =\u00a01\n", "CE10005", 3)],
    "LEX-11": [
        *(
            Refused(f"{word} = 1\n", "CE10150", 3)
            for word in "and as by do export false for if import in not or return switch to true var while".split()
        ),
        *(
            Refused(f"{word} = 1\n", "CE10150", 3)
            for word in "catch class is polygon range struct text throw try".split()
        ),
        Refused("else = 1\n", "CE10156", 3),
        Refused("break = 1\n", "CE10156", 3),
        Refused("continue = 1\n", "CE10156", 3),
        Refused("f(to) => 1\n", "CE10150", 3),
        Refused("f(int if = 1) => 1\n", "CE10150", 3),
        Refused("range(a) => a\n", "CE10150", 3),
        Refused("[to, b] = f()\n", "CE10150", 3),
        Refused("var text = 1\n", "CE10150", 3),
        Refused("int in = 1\n", "CE10150", 3),
        Refused("type range\n    int a\n", "CE10150", 3),
        Refused("import User/Library/1 as in\n", "CE10150", 3),
    ],
    "LAY-1": [Refused("if close > open\na = 1\n", "CE10144", 4), Refused("a = 1\n    b = 2\n", "CE10013", 4)],
    "LAY-2": [
        Refused("a = close > open ?\n    1 : 2\n", "CE10156", 3),
        Refused("a = close > open ?\n1 : 2\n", "CE10156", 3),
        Refused("a = not\n    b\n", "CE10156", 3),
        Refused("a =\n    b\n", "CE10156", 3),
        Refused("a = close > open\n    ? 1 : 2\n", "CE10013", 4),
        Refused("a = math.abs(close)\n    .round()\n", "CE10013", 4),
        Refused("a = close\n? high : low\n", "CE10156", 4),
        Refused("if close > open\n    a = b and\n            c\n", "CE10156", 4),
    ],
    "LAY-5": [Refused("a =\n    close\n", "CE10156", 3)],
    "LAY-6": [Refused("a = 1 b = 2\n", "CE10013", 3), Refused("a = 1; b = 2\n", "CE10005", 3)],
    "LAY-7": [Refused("f() =>\na = 1\n", "CE10144", 4), Refused("f() =>\n    and high\n", "CE10156", 4)],
    "LAY-8": [Refused("a = switch close\n    1 =>\n    => 3\n", "CE10144", 5)],
    "LAY-9": [
        Refused("if close > open\n    and high > low\n    a = 1\n", "CE10156", 4),
        Refused("a = 0\nfor i = 1 to 7\n     a += i\n", "CE10161", 4),
    ],
    "LAY-10": [Refused("type T\na = 1\n", "CE10013", 4)],
    "LAY-11": [
        Refused("a = ta.sma(close, 14\nplot(a)\n", "CE10015", 3),
        Refused("if close > open\n    a = (close + 1\n    plot(a)\n", "CE10015", 4),
        Refused("a = close[1\nplot(a)\n", "CE10156", 3),
        Refused("a = f(close[1\nplot(a)\n", "CE10015", 3),
    ],
    "GR-2": [Refused("f(1) = 2\n", "CE10013", 3), Refused("a + b := 2\n", "CE10013", 3)],
    "GR-3": [
        Refused("f() =>\n    g() =>\n        1\n    g()\n", "CE10156", 4),
        Refused("if a\n    type T\n        int b\n", "CE10156", 4),
        Refused("if a\n    import User/Library/1\n", "CE10156", 4),
    ],
    "GR-4": [Refused("int a\n", "CE10156", 3), Refused("var a\n", "CE10156", 3)],
    "GR-5": [Refused("array<> a = na\n", "CE10156", 3)],
    "GR-6": [
        Refused("[a, b] = [close, open]\n", "CE10156", 3),
        Refused("a = [1, 2]\n", "CE10156", 3),
        Refused("a = 1\na := [1, 2]\n", "CE10156", 4),
        Refused("[a, b] := f()\n", "CE10013", 3),
        Refused("if c\n    [a, b] := f()\n", "CE10156", 4),
        Refused("var [a, b] = f()\n", "CE10150", 3),
        Refused("[int a, b] = f()\n", "CE10156", 3),
    ],
    "GR-7": [Refused("[close, open]\n", "CE10013", 3)],
    "GR-8": [Refused("a = * 2\n", "CE10156", 3), Refused("a = b ? c\n", "CE10156", 3)],
    "GR-9": [
        Refused("a = close[]\n", "CE10156", 3),
        Refused("b[1] := 2\n", "CE10013", 3),
        Refused("b[1] = 2\n", "CE10013", 3),
    ],
    "GR-10": [
        Refused("for i = 0\n    a = 1\n", "CE10161", 3),
        Refused("for i\n    a = 1\n", "CE10161", 3),
        Refused("for i = 0 to 3 a = 1\n", "CE10161", 3),
    ],
    "GR-11": [Refused("else\n    a = 1\n", "CE10156", 3), Refused("if a\n    1\nelif b\n    2\n", "CE10156", 5)],
    "GR-12": [Refused("switch a\n    1 : 2\n", "CE10156", 4)],
    "GR-13": [Refused("once a\n    b = 1\nelse\n    b = 2\n", "CE10156", 5)],
    "GR-14": [Refused("import User/Library\n", "CE10156", 3), Refused("import User/Library/1 as\n", "CE10156", 3)],
    "GR-15": [Refused("type T\n    int a = \n", "CE10156", 4), Refused("type\n    int a = 1\n", "CE10013", 4)],
    "GR-16": [Refused("enum E\n    a b\n", "CE10156", 4)],
    "GR-17": [Refused("method add(int a) = a\n", "CE10156", 3)],
    "GR-18": [Refused("f(a b c) => a\n", "CE10156", 3), Refused("f(1) => 2\n", "CE10156", 3)],
    "GR-20": [Refused("f(1 2)\n", "CE10156", 3), Refused("f(a =)\n", "CE10156", 3)],
    "GR-21": [Refused("a = array.new<float(>)\n", "CE10156", 3)],
}

WHOLE_ACCEPTED: dict[str, list[str]] = {
    "LEX-2": [
        "//@version=6\nindicator('a')\n",
        "// @version = 6\nindicator('a')\n",
        "indicator('a')\n//@version=6\n//@version=5\n",
        "\ufeff//@version=6\nindicator('a')\n",
    ],
    "GR-1": [
        "//@version=6\na = 1\nindicator('a')\nplot(a)\n",
        "//@version=6\nstrategy('a')\n",
        "//@version=6\nlibrary('a')\n",
    ],
}

WHOLE_REFUSED: dict[str, list[Refused]] = {
    "GR-1": [Refused("//@version=6\n", "CE10250", 1), Refused("//@version=6\n// nothing\n\n", "CE10250", 1)],
    "LAY-3": [Refused("//@version=5\nindicator('a')\nplot(\n    close)\n", "CE10156", 3)],
    "GR-13": [Refused("//@version=5\nindicator('a')\nonce close > open\n    a = 1\n", "CE10156", 3)],
}
