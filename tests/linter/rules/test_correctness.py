"""Rules on correctness: what each reports, and the honest code that looks like it."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from pinebench.linter.rules import arrays, opinions_on, rules
from pinebench.syntax import nodes
from tests.linter.rules.support import marked
from tests.tables import each

PALETTE = "".join(f"const color TINT{n} = #0000{n:02}\n" for n in range(1, 10))
TEMPLATE = "".join(
    f"C_{name} = close > open[{n}]\n" for n, name in enumerate("Long Small Doji Up Down Gap In Out".split())
)
"""Names that are declared as a set."""
PUSH = "var a = array.new<float>()\nif close > open\n    a.push(close)\n"
NOTED = (
    "var a = array.new<float>()\nvar seen = false\nvar count = 0\nvar float price = na\nif close > open\n"
    "    a.push(close)\n    seen := true\n    count += 1\n    price := close\n"
)
LIST = "type N\n    float v\n    N next\nN at = N.new(1)\n"

REPORTED = [
    ("PB1001", PALETTE + "plot(open)", ["TINT1"]),
    (
        "PB1001",
        PALETTE + "plot(1, color = TINT1 == TINT2 ? TINT3 : TINT4 == TINT5 ? TINT6 : TINT7)",
        ["TINT8", "TINT9"],
    ),
    ("PB1001", TEMPLATE + "x = close\nplotshape(C_Long)", ["x"]),
    ("PB1001", "a1 = 1\na2 = 2\na3 = 3\na4 = 4\nplot(a1)", ["a2", "a3", "a4"]),
    ("PB1011", "i = 0\nwhile i < 10\n    i -= 0\nplot(i)", ["i < 10"]),
    ("PB1011", "i = 9\nSTEP = 0\nwhile i > 3\n    i := i - STEP\nplot(i)", ["i > 3"]),
    ("PB1001", "x = close\nplot(open)", ["x"]),
    ("PB1001", "x = ta.sma(close, 3)\nplot(open)", ["x"]),
    ("PB1001", "f(a) => ta.sma(a, 3)\nx = f(close)\nplot(open)", ["x"]),
    ("PB1001", "var n = 0\nn := n + 1\nplot(open)", ["n"]),
    ("PB1001", "var n = 0\nif close > open\n    n := nz(n[1]) + 1\nelse\n    n := 0\nplot(open)", ["n"]),
    ("PB1001", "f() =>\n    var n = 0\n    if close > open\n        n := n + 1\n    open\nplot(f())", ["n"]),
    ("PB1001", "var x = 0\nx := 1\nx += 2\nplot(open)", ["x"]),
    ("PB1001", "f() =>\n    x = close\n    open\nplot(f())", ["x"]),
    ("PB1001", "if close > open\n    x = 1\n    x := 2\nplot(open)", ["x"]),
    ("PB1002", "var x = 1\nx := x\nplot(x)", ["x := x"]),
    ("PB1002", "var x = 1\nx := (x)\nplot(x)", ["x := (x)"]),
    ("PB1002", "type P\n    float a\nvar p = P.new(1)\np.a := p.a\nplot(p.a)", ["p.a := p.a"]),
    ("PB1003", "plot(true ? 1 : 2)", ["true"]),
    ("PB1003", "if not (1 < 2)\n    log.info('x')\nplot(1)", ["not (1 < 2)"]),
    ("PB1004", "a = array.new<int>(5, 0)\na.push(1)\nfor i = 0 to a.size()\n    a.set(i, i)\nplot(a.sum())", ["i"]),
    (
        "PB1004",
        "var a = array.new<int>()\nfor i = array.size(a) to 0\n    log.info(str.tostring(a.get(i)))\nplot(1)",
        ["i"],
    ),
    (
        "PB1004",
        "a = array.from(1, 2)\nif barstate.islast\n    for i = 0 to 2\n        a.set(i, i)\nplot(a.sum())",
        ["i"],
    ),
    ("PB1004", "m = matrix.new<float>(2, 3, 0)\nplot(m.get(2, 0))", ["m.get(2, 0)"]),
    (
        "PB1004",
        "m = matrix.new<float>(2, 3, 0)\nfor i = 0 to 3\n    m.set(0, i, close)\nplot(m.sum(1).get(0, 0))",
        ["m.set(0, i, close)"],
    ),
    ("PB1007", "x = close\nx := open\nplot(x)", ["x = close"]),
    ("PB1003", "plotshape(true or close > open)", ["true or close > open"]),
    ("PB1003", "if close > open and (false and high > low)\n    log.info('x')\nplot(1)", ["false and high > low"]),
    ("PB1003", "while false\n    break\nplot(1)", ["false"]),
    ("PB1003", "x = 1 == 1 and 2 > 1 ? close : open\nplot(x)", ["1 == 1 and 2 > 1"]),
    ("PB1002", "f() =>\n    var n = 0\n    n := n\n    n\nplot(f())", ["n := n"]),
    ("PB1004", "a = array.from(1, 2)\nplot(a.get(2))", ["2"]),
    ("PB1004", "var a = array.new<float>(3, 0)\narray.set(a, -4, close)\nplot(a.get(0))", ["-4"]),
    ("PB1004", "a = array.from(1, 2)\nsum = 0\nfor i = 0 to 2\n    sum += a.get(i)\nplot(sum)", ["i"]),
    ("PB1004", "SIZE = 4\na = array.new_int(SIZE)\nplot(array.get(a, SIZE))", ["SIZE"]),
    ("PB1005", "a = array.new<int>()\nplot(a.last())", ["a.last()"]),
    (
        "PB1005",
        "var a = array.new_float(0)\nif close > open\n    a.push(close)\nplot(array.first(a))",
        ["array.first(a)"],
    ),
    ("PB1005", "var a = array.new<int>()\nif close > open\n    a.shift()\nplot(1)", ["a.shift()"]),
    ("PB1006", "for i = 0 to 3\n    break\n    log.info('x')\nplot(1)", ["log.info('x')"]),
    ("PB1006", "if close > 1\n    runtime.error('x')\n    log.info('y')\nplot(1)", ["log.info('y')"]),
    (
        "PB1006",
        "x = 0\nfor i = 0 to 3\n    if i > 1\n        continue\n        x += 1\n    x += 2\nplot(x)",
        ["x += 1"],
    ),
    ("PB1007", "float x = na\nx := high\nx := low\nplot(x)", ["x := high"]),
    ("PB1007", "float x = na\nx := high\ny = open\nx := y\nplot(x)", ["x := high"]),
    ("PB1007", "f() =>\n    x = 0.0\n    x := close + 1\n    x := close + 2\n    x\nplot(f())", ["x := close + 1"]),
    ("PB1008", "plot(close - close)", ["close - close"]),
    ("PB1008", "plotshape(close > open or (close > open))", ["close > open or (close > open)"]),
    ("PB1008", "a = ta.sma(close, 5)\nplotshape(a >= a)", ["a >= a"]),
    ("PB1009", "x = ta.rsi(close, 9)\nplotshape(x > 80 and x < 20)", ["x > 80 and x < 20"]),
    (
        "PB1009",
        "plotshape(close > open and volume > 5 and close < open)",
        ["close > open and volume > 5 and close < open"],
    ),
    ("PB1009", "x = close - open\nplotshape(x < 5 or 3 < x)", ["x < 5 or 3 < x"]),
    ("PB1009", "plotshape(ta.rsi(close, 9) > 100)", ["ta.rsi(close, 9) > 100"]),
    ("PB1009", "a = close > open\nplotshape(a and high > 5 and not a)", ["a and high > 5 and not a"]),
    ("PB1009", "plotshape(not (close > open) or close > open)", ["not (close > open) or close > open"]),
    ("PB1009", "plotshape(bar_index >= 0)", ["bar_index >= 0"]),
    ("PB1009", "if close > 50\n    if close < 10\n        log.info('x')\nplot(1)", ["close < 10"]),
    ("PB1009", "x = 0\nif close > 10\n    x := 1\nelse if close > 20\n    x := 2\nplot(x)", ["close > 20"]),
    ("PB1010", "i = 5\nwhile i < 5\n    i += 1\nplot(i)", ["i < 5"]),
    ("PB1010", "for x in array.new<int>()\n    log.info('x')\nplot(1)", ["array.new<int>()"]),
    ("PB1010", "var a = array.new<int>()\nfor x in a\n    log.info('x')\nplot(1)", ["a"]),
    ("PB1011", "i = 0\nwhile i < 9\n    log.info('x')\nplot(i)", ["i < 9"]),
    ("PB1011", "a = array.from(1)\nwhile array.size(a) > 0\n    log.info('x')\nplot(1)", ["array.size(a) > 0"]),
    ("PB1011", "a = array.from(1)\nfor i = 0 to a.size() - 1\n    a.push(i)\nplot(a.size())", ["a.size() - 1"]),
    ("PB1012", "plotshape(close == ta.sma(close, 9))", ["close == ta.sma(close, 9)"]),
    ("PB1012", "x = close * 1.1\nplotshape(x != open)", ["x != open"]),
    ("PB1012", "a = ta.ema(close, 9), b = ta.ema(close, 21)\nplotshape(a == b)", ["a == b"]),
    ("PB1013", "plot(close / (close - open))", ["close - open"]),
    ("PB1018", "plot(close / 0)", ["0"]),
    ("PB1018", "plot(close / 0.0)", ["0.0"]),
    ("PB1018", "z = 0\nplot(10 / z)", ["z"]),
    ("PB1018", "z = 0.0\nplot(10 % z)", ["z"]),
    ("PB1018", "x = close\nx /= 0\nplot(x)", ["0"]),
    ("PB1013", "plot(close / volume)", ["volume"]),
    ("PB1013", "d = ta.highest(9) - ta.lowest(9)\nplot(close / d)", ["d"]),
    ("PB1014", "ta.sma(close, 9)\nplot(close)", ["ta.sma(close, 9)"]),
    ("PB1014", "f() =>\n    ta.ema(close, 9)\n    ta.sma(close, 9)\nplot(f())", ["ta.ema(close, 9)"]),
    ("PB1014", "if close > open\n    str.tostring(close)\n    log.info('x')\nplot(1)", ["str.tostring(close)"]),
    ("PB1015", "plot(close > open ? high : (high))", ["close > open"]),
    ("PB1015", "c = switch\n    close > open => color.red\n    => color.red\nplot(close, color = c)", ["close > open"]),
    ("PB1015", "c = switch month\n    1 => high\n    2 => (high)\n    => high\nplot(c)", ["month"]),
    ("PB1015", "x = 0\nif close > open\n    x := 1\nelse\n    x  :=  1\nplot(x)", ["close > open"]),
    ("PB1015", "x = close > open ? array.from(1, 2) : array.from(1, 2)\nplot(x.get(0))", ["close > open"]),
    ("PB1016", "x = 0\nif close > 1\n    x := 1\nelse if close > 1\n    x := 2\nplot(x)", ["close > 1"]),
    ("PB1016", "x = switch\n    close > 1 => 1\n    (close > 1) => 2\n    => 3\nplot(x)", ["close > 1"]),
    ("PB1016", "x = switch timeframe.period\n    'D' => 1\n    'W' => 2\n    'D' => 3\nplot(x)", ["'D'"]),
    ("PB1004", "var a = array.new<float>()\na.push(close)\nplot(a.get(a.size()))", ["a.size()"]),
    ("PB1004", "a = array.from(1, 2)\ns = 0\nfor i = 0 to array.size(a)\n    s += array.get(a, i)\nplot(s)", ["i"]),
    (
        "PB1004",
        "var a = array.new<int>()\nif barstate.islast\n    for i = 0 to a.size()\n        a.set(i, i)\nplot(1)",
        ["i"],
    ),
    ("PB1007", "x = ta.sma(close, 5)\nx := ta.ema(close, 5)\nplot(x)", ["x = ta.sma(close, 5)"]),
    ("PB1008", "a = close > open\nb = high > low\nplotshape(a and b and a)", ["a and b and a"]),
    ("PB1008", "a = close > open\nb = high > low\nplotshape(a or (b or b))", ["a or (b or b)"]),
    ("PB1009", "plotshape(hour == 24)", ["hour == 24"]),
    ("PB1009", "plotshape(hour != 24)", ["hour != 24"]),
    (
        "PB1009",
        "m = input.string('a', options = ['a', 'b'])\nplotshape(m == 'a' and 'b' == m)",
        ["m == 'a' and 'b' == m"],
    ),
    (
        "PB1009",
        "plotshape(dayofweek != dayofweek.monday or dayofweek != dayofweek.friday)",
        ["dayofweek != dayofweek.monday or dayofweek != dayofweek.friday"],
    ),
    (
        "PB1009",
        "enum E\n    a\n    b\ne = input.enum(E.a)\nif e == E.a\n    if e == E.b\n        log.info('x')\nplot(1)",
        ["e == E.b"],
    ),
    ("PB1011", "i = 9\ns = 0.0\nwhile i > 0\n    s += close[i]\n    i += 1\nplot(s)", ["i > 0"]),
    ("PB1012", "x = close / open\nplotshape(x == 1.05)", ["x == 1.05"]),
    ("PB1013", "n = input.float(0, minval = 0)\nplot(close / n)", ["n"]),
    (
        "PB1013",
        '//@version=6\nstrategy("x")\nplot(strategy.wintrades / strategy.closedtrades)\n',
        ["strategy.closedtrades"],
    ),
    ("PB1013", "n = input.int(5, minval = 0)\nplot(close / n)", ["n"]),
    (
        "PB1009",
        "rsi = ta.rsi(close, 14)\nx = 0\nif rsi > 70\n    x := 1\n    if rsi < 50\n        x := 2\nplot(x)",
        ["rsi < 50"],
    ),
    ("PB1003", "x = switch\n    1 > 2 => high\n    close > open => low\n    => close\nplot(x)", ["1 > 2"]),
    ("PB1003", "plotshape((close > open) or (true))", ["(close > open) or (true)"]),
    (
        "PB1004",
        "a = array.from(1, 2)\ni = 0\nwhile i <= a.size()\n    log.info('{0}', a.get(i))\n    i += 1\nplot(1)",
        ["i"],
    ),
    ("PB1004", "var a = array.new<float>()\na.push(high)\nn = a.size()\nplot(a.get(n))", ["n"]),
    (
        "PB1004",
        "a = array.from(1, 2)\ns = 0\nfor i = 0 to a.size() - 1\n    s += a.get(i + 1) - a.get(i)\nplot(s)",
        ["i + 1"],
    ),
    ("PB1004", "type S\n    array<float> v\ns = S.new(array.new<float>(3))\nplot(s.v.get(s.v.size()))", ["s.v.size()"]),
    (
        "PB1004",
        "m = matrix.new<float>(2, 2, 0)\ns = 0.0\nfor r = 0 to m.rows()\n    s += m.get(r, 0)\nplot(s)",
        ["m.get(r, 0)"],
    ),
    (
        "PB1004",
        "n = input.int(5)\na = array.new<float>(n, 0)\nfor i = 0 to n\n    a.set(i, close[i])\nplot(a.sum())",
        ["i"],
    ),
    ("PB1005", PUSH + "plot(a.size() == 0 ? a.last() : close)", ["a.last()"]),
    ("PB1005", PUSH + "if not (a.size() > 0)\n    a.pop()\nplot(1)", ["a.pop()"]),
    (
        "PB1005",
        PUSH + "var b = array.new<float>()\nif close < open\n    b.push(low)\nplot(a.size() > 0 ? b.last() : na)",
        ["b.last()"],
    ),
    (
        "PB1005",
        "var a = array.new<float>()\na.push(close)\nif session.isfirstbar\n    a.clear()\nplot(a.last())",
        ["a.last()"],
    ),
    (
        "PB1005",
        PUSH + "var full = true\nif close > high[1]\n    a.push(1)\n    full := false\nplot(full ? a.last() : 1)",
        ["a.last()"],
    ),
    (
        "PB1006",
        "s = 0\nfor i = 0 to 9\n    if close[i] > open[i]\n        continue\n    else\n"
        "        break\n    s += 1\nplot(s)",
        ["s += 1"],
    ),
    (
        "PB1006",
        "s = 0\nfor i = 0 to 9\n    switch\n        close[i] > 1 => break\n        => continue\n    s += 1\nplot(s)",
        ["s += 1"],
    ),
    ("PB1007", "type P\n    float a\np = P.new(1)\np.a := high\np.a := low\nplot(p.a)", ["p.a := high"]),
    (
        "PB1007",
        "type P\n    float a\n    float b\nmethod set(P this) =>\n    this.a := close * 2\n    this.b := 1\n"
        "    this.a := close * 3\n    this\np = P.new(1, 1)\np.set()\nplot(p.a)",
        ["this.a := close * 2"],
    ),
    ("PB1010", "i = 0\nwhile i > 3 and close > open\n    i += 1\nplot(i)", ["i > 3 and close > open"]),
    ("PB1010", "go = false\ni = 0\nwhile go\n    i += 1\n    go := i < 9\nplot(i)", ["go"]),
    ("PB1010", "done = true\nwhile not done\n    done := close > 1\nplot(1)", ["not done"]),
    ("PB1010", "m = map.new<string, float>()\ns = 0.0\nfor [k, v] in m\n    s += v\nplot(s)", ["m"]),
    ("PB1010", "m = matrix.new<float>()\ns = 0.0\nfor row in m\n    s += row.sum()\nplot(s)", ["m"]),
    ("PB1010", "a = array.new<int>()\nwhile a.size() > 0\n    a.pop()\nplot(1)", ["a.size() > 0"]),
    ("PB1011", "i = 9\nwhile i > 0\n    i := i + 1\nplot(i)", ["i > 0"]),
    ("PB1011", "a = array.from(1)\nwhile a.size() > 0\n    a.push(2)\nplot(a.size())", ["a.size() > 0"]),
    ("PB1011", "a = array.from(1)\ns = 0\nwhile a.size() > 0\n    s += a.get(0)\nplot(s)", ["a.size() > 0"]),
    (
        "PB1011",
        "i = 0\nwhile true\n    for j = 0 to 3\n        if close[j] > 1\n            break\n    i += 1\nplot(i)",
        ["true"],
    ),
    ("PB1011", LIST + "s = 0.0\nwhile not na(at)\n    s += at.v\nplot(s)", ["not na(at)"]),
    ("PB1011", "a = array.new<float>()\ni = 0\nwhile i < 5\n    a.push(close[i])\nplot(a.size())", ["i < 5"]),
    ("PB1012", "plotshape(ta.rsi(close, 14) == 50)", ["ta.rsi(close, 14) == 50"]),
    ("PB1012", "up = ta.sma(close, 9) * 1.01\nplotshape(up == ta.sma(close, 9))", ["up == ta.sma(close, 9)"]),
    ("PB1013", "x = close\nx /= high - low\nplot(x)", ["high - low"]),
    ("PB1013", "plot(volume / ta.change(close))", ["ta.change(close)"]),
    ("PB1013", "plot(volume / math.abs(close - open))", ["math.abs(close - open)"]),
    ("PB1014", "var n = 0\nif close > open\n    n == 1\n    n += 1\nplot(n)", ["n == 1"]),
    ("PB1014", "x = close\nx + 1\nplot(x)", ["x + 1"]),
    ("PB1014", "f(float x) => x * 2\nf(close)\nplot(1)", ["f(close)"]),
    ("PB1016", "x = close > open ? 1 : close > open ? 2 : 3\nplot(x)", ["close > open"]),
    ("PB1016", "u = close > open\nd = close < open\nx = u ? 1 : (d ? 2 : u ? 3 : 4)\nplot(x)", ["u"]),
    (
        "PB1005",
        "var a = array.new<float>()\nadd() =>\n    if close > open\n        a.push(close)\nadd()\nplot(a.last())",
        ["a.last()"],
    ),
    ("PB1009", "r = ta.rsi(close, 9)\nx = r > 50 ? 1 : r > 70 ? 2 : 3\nplot(x)", ["r > 70"]),
    (
        "PB1009",
        "r = ta.rsi(close, 9)\nx = r < 30 ? 1 : (close > open and r < 20) ? 2 : 3\nplot(x)",
        ["(close > open and r < 20)"],
    ),
    ("PB1009", "r = ta.rsi(close, 9)\nx = switch\n    r > 30 => 1\n    r > 70 => 2\n    => 3\nplot(x)", ["r > 70"]),
    ("PB1009", "k = ta.stoch(close, high, low, 14)\nplotshape(k > 100)", ["k > 100"]),
]

LEFT_ALONE = [
    ("PB1001", PALETTE + "plot(close, color = TINT4)"),
    ("PB1001", TEMPLATE + "plotshape(C_Doji and C_Gap)"),
    (
        "PB1001",
        "patternLabelPosLow = low - ta.atr(30)\npatternLabelPosHigh = high + ta.atr(30)\nplot(patternLabelPosLow)",
    ),
    ("PB1011", "i = 0\nstep = math.round(close)\nwhile i < 10\n    i -= step\nplot(i)"),
    ("PB1011", "i = 0\nwhile i < 10\n    i -= 0\n    i += 1\nplot(i)"),
    ("PB1001", "x = close\nplot(x)"),
    ("PB1001", "x = close\nplot(x[1])"),
    ("PB1001", "_x = close\nplot(open)"),
    ("PB1001", "x = label.new(bar_index, close)\nplot(open)"),
    ("PB1001", "f() => label.new(bar_index, close)\nx = f()\nplot(open)"),
    ("PB1001", "var a = array.from(1)\nx = a.pop()\nplot(a.size())"),
    ("PB1001", "var n = 0\nn := n + 1\nplot(n)"),
    ("PB1001", "f() =>\n    var n = 0\n    n := n + 1\nplot(f())"),
    ("PB1001", "f() =>\n    var n = 0\n    if close > open\n        n := n + 1\nplot(f())"),
    ("PB1001", "f() =>\n    var n = 0\n    switch\n        close > open => n := n + 1\nplot(f())"),
    ("PB1001", "var a = array.from(1)\nvar n = 0\nn := n + a.pop()\nplot(a.size())"),
    ("PB1001", "f() =>\n    x = close\nplot(f())"),
    ("PB1001", "type P\n    float a\nvar p = P.new(1)\np.a := 2\nplot(p.a)"),
    ("PB1001", "x = 1\nf() => x\nplot(f())"),
    ("PB1002", "var x = 1\nx += x\nplot(x)"),
    ("PB1002", "var x = 1.0\nx := x[1]\nplot(x)"),
    ("PB1004", "a = array.new<int>(5, 0)\nfor i = 0 to a.size() - 1\n    a.set(i, i)\nplot(a.sum())"),
    (
        "PB1004",
        "a = array.new<int>(5, 0)\nfor i = 0 to a.size()\n    if i < a.size()\n        a.set(i, i)\nplot(a.sum())",
    ),
    (
        "PB1004",
        "a = array.from(1, 2)\nfor i = 0 to a.size()\n    if high > 9\n        break\n    a.set(i, i)\nplot(a.sum())",
    ),
    (
        "PB1004",
        "a = array.from(1)\nb = array.from(1, 2)\nfor i = 0 to a.size()\n    b.set(i, i)\nplot(b.sum() + a.get(0))",
    ),
    (
        "PB1004",
        "a = array.new<int>()\nfor i = 0 to a.size()\n    a.push(1)\n    log.info(str.tostring(a.get(i)))\nplot(1)",
    ),
    ("PB1004", "m = matrix.new<float>(2, 3, 0)\nplot(m.get(1, 2))"),
    ("PB1004", "m = matrix.new<float>()\nm.add_row(0, array.from(1.0))\nplot(m.get(0, 0))"),
    ("PB1004", "f(m) => m.add_row(0, array.from(1.0, 2.0))\nm = matrix.new<float>(0, 2)\nf(m)\nplot(m.get(0, 1))"),
    ("PB1007", "x = close\nif bar_index > 2\n    x := open\nplot(x)"),
    ("PB1007", "x = 0.0\nx := open\nplot(x)"),
    ("PB1007", "x = close\nx := math.max(x, open)\nplot(x)"),
    ("PB1007", "f(x) =>\n    y = x\n    y := y + 1\n    y\nplot(f(1))"),
    ("PB1003", "DEBUG = false\nplotshape(DEBUG and close > open)"),
    ("PB1003", "plotshape(false or close > open)"),
    ("PB1003", "DEBUG = false\nif DEBUG\n    log.info('x')\nplot(1)"),
    ("PB1003", "while true\n    break\nplot(1)"),
    ("PB1003", "s = input.bool(true)\nplot(s ? 1 : 2)"),
    ("PB1002", "type P\n    float a\np = P.new(1)\nq = P.new(2)\np.a := q.a\nplot(p.a)"),
    ("PB1004", "a = array.from(1, 2)\nplot(a.get(-2) + a.get(1))"),
    ("PB1004", "a = array.from(1, 2)\na.push(3)\nplot(a.get(2))"),
    ("PB1004", "f(b) => b.push(1)\na = array.from(1, 2)\nf(a)\nplot(a.get(2))"),
    ("PB1004", "a = array.from(1, 2)\nsum = 0\nfor i = 0 to 2\n    if i < 2\n        sum += a.get(i)\nplot(sum)"),
    ("PB1005", "var a = array.new<int>()\nplot(a.size() > 0 ? a.last() : na)"),
    ("PB1005", "var a = array.new<int>()\na.push(1)\nplot(a.last())"),
    ("PB1005", "var a = array.new<int>()\nfull = a.size() > 3\nif full\n    a.shift()\nplot(1)"),
    ("PB1005", "var a = array.new<int>(5)\nplot(a.first())"),
    ("PB1005", "var a = array.new<int>()\nif barstate.isfirst\n    a.push(1)\nplot(a.first())"),
    ("PB1005", "f(array<int> a) => a.last()\nplot(f(array.from(1)))"),
    ("PB1006", "for i = 0 to 3\n    if i > 1\n        break\n    log.info('x')\nplot(1)"),
    ("PB1006", "for i = 0 to 3\n    log.info('x')\n    continue\nplot(1)"),
    ("PB1006", "if close < 0\n    runtime.error('x')\nplot(1)"),
    ("PB1006", "f(x) =>\n    if x > 9\n        runtime.error('x')\n        na\n    else\n        x\nplot(f(close))"),
    ("PB1009", "plotshape(ta.barssince(close > open) >= 0)"),
    ("PB1007", "float x = na\nx := high\nx := math.max(x, low)\nplot(x)"),
    ("PB1007", "float x = na\nx := high\nif close > open\n    x := low\nplot(x)"),
    ("PB1007", "x = 0.0\nx := high\nplot(x)\nx := low\nplot(x)"),
    ("PB1007", "float x = na\nx := 0\nx := low\nplot(x)"),
    ("PB1008", "plot(close - close[1])"),
    ("PB1008", "plot(math.random() - math.random())"),
    ("PB1008", "plot(close + close)"),
    ("PB1009", "x = ta.rsi(close, 9)\nplotshape(x > 20 and x < 80)"),
    ("PB1009", "a = close > open\nplotshape(a and not a[1])"),
    ("PB1009", "f() =>\n    var n = 0\n    n += 1\n    n > 2\nplotshape(f() and not f())"),
    ("PB1009", "plotshape(math.random() > 0.5 and not (math.random() > 0.5))"),
    ("PB1009", "x = ta.rsi(close, 9)\nplotshape(x > 80 or x < 20)"),
    ("PB1009", "plotshape(close > 80 and close[1] < 20)"),
    ("PB1009", "x = 5\nif x > 3\n    x := 1\n    if x < 2\n        log.info('x')\nplot(x)"),
    ("PB1009", "if close > 10\n    if close > 20\n        log.info('x')\nplot(1)"),
    ("PB1010", "i = 0\nwhile i < 5\n    i += 1\nplot(i)"),
    ("PB1010", "var a = array.new<int>()\na.push(1)\nfor x in a\n    log.info('x')\nplot(1)"),
    ("PB1010", "i = 5\ni := 0\nwhile i < 5\n    i += 1\nplot(i)"),
    ("PB1011", "i = 0\nwhile i < 9\n    i := i + 1\nplot(i)"),
    ("PB1011", "while false\n    log.info('x')\nplot(1)"),
    ("PB1018", "z = 0\nz := 2\nplot(10 / z)"),
    ("PB1018", "var z = 0\nz += 1\nplot(10 / z)"),
    ("PB1018", "z = 0\nplot(z != 0 ? 10 / z : 0)"),
    ("PB1018", "z = input.int(0)\nplot(10 / z)"),
    ("PB1018", "int z = na\nplot(10 / z)"),
    ("PB1018", "plot(0 / close)"),
    ("PB1011", "a = array.from(1)\nwhile array.size(a) > 0\n    a.pop()\nplot(1)"),
    ("PB1011", "while true\n    if close > 1\n        break\nplot(1)"),
    ("PB1011", "a = array.from(1)\nfor i = 0 to 3\n    a.push(i)\nplot(a.size())"),
    ("PB1012", "plotshape(close == open)"),
    ("PB1012", "x = ta.rsi(close, 9)\nplotshape(x == ta.highest(x, 5))"),
    ("PB1012", "x = ta.rsi(close, 9)\nplotshape(x == x[1])"),
    ("PB1012", "d = ta.sma(close, 9)\nplotshape(d == close or math.abs(d - close) < 0.1)"),
    ("PB1013", "d = high - low\nplot(d != 0 ? close / d : 0)"),
    ("PB1013", "plot(nz(close / volume))"),
    ("PB1013", "plot(close / math.max(high - low, syminfo.mintick))"),
    ("PB1013", "plot(high > low ? close / (high - low) : 0)"),
    ("PB1014", "f() =>\n    ta.sma(close, 9)\nplot(f())"),
    ("PB1014", "a = array.from(1)\narray.push(a, 2)\na.pop()\nplot(1)"),
    ("PB1014", "x = if close > open\n    high - low\nelse\n    low - high\nplot(x)"),
    ("PB1015", "plot(close > open ? high : low)"),
    ("PB1015", "c = switch\n    close > open => color.red\n    => color.blue\nplot(close, color = c)"),
    ("PB1015", "c = switch\n    close > open => color.red\n    close < open => color.red\nplot(close, color = c)"),
    ("PB1015", "x = 0\nif close > open\n    x := 1\nelse\n    x += 1\nplot(x)"),
    ("PB1015", "if close > open\n    log.info('x')\nplot(1)"),
    ("PB1016", "x = 0\nif close > 1\n    x := 1\nif close > 1\n    x := 2\nplot(x)"),
    ("PB1016", "x = 0\nif close > 1\n    x := 1\nelse if close[1] > 1\n    x := 2\nplot(x)"),
    ("PB1016", "x = switch timeframe.period\n    'D' => 1\n    'W' => 2\n    => 3\nplot(x)"),
    ("PB1004", "var a = array.new<float>()\nn = a.size()\na.push(close)\nplot(a.get(n))"),
    (
        "PB1004",
        "a = array.from(1, 2)\ns = 0\nfor i = 0 to a.size()\n    if i < a.size()\n        s += a.get(i)\nplot(s)",
    ),
    (
        "PB1004",
        "a = array.from(1, 2)\ns = 0\nfor i = 0 to a.size()\n    a.push(i)\n    s += a.get(i)\n    break\nplot(s)",
    ),
    ("PB1004", "a = array.from(1, 2)\nb = array.from(1, 2, 3)\nplot(a.size() + b.get(a.size()))"),
    ("PB1007", "x = ta.sma(close, 5)\nx := nz(x[1]) + close\nplot(x)"),
    ("PB1007", "x = ta.sma(close, 5)\nif close > open\n    x := 1\nplot(x)"),
    ("PB1007", "var x = ta.sma(close, 5)\nx := close\nplot(x)"),
    ("PB1007", "x = 0.0\nx := close\nplot(x)"),
    ("PB1008", "plotshape(math.random() > 0.5 and math.random() > 0.5)"),
    ("PB1008", "a = close > open\nb = high > low\nplotshape(a and b or a and not b)"),
    ("PB1009", "plotshape(hour == 23 or hour != 0)"),
    ("PB1009", "plotshape(dayofweek == dayofweek.monday or dayofweek == dayofweek.friday)"),
    ("PB1009", "m = input.string('a')\nx = m == 'a' ? 1 : m == 'b' ? 2 : 3\nplotshape(m != 'a' and m != 'b')\nplot(x)"),
    ("PB1011", "i = 9\ns = 0.0\nwhile i > 0\n    s += close[i]\n    i += s > 9 ? -1 : -2\nplot(s)"),
    ("PB1011", "i = 9\ns = 0.0\nwhile i > 0\n    s += close\n    i += 1\n    if s > 99\n        i := 0\nplot(s)"),
    ("PB1012", "x = close / open\nplotshape(x == 1.0)"),
    ("PB1012", "l = input.float(1.5)\nplotshape(l == 1.5)"),
    ("PB1013", "n = input.int(5, minval = 1)\nplot(close / n)"),
    ("PB1013", "n = input.int(0)\nplot(n > 0 ? close / n : na)"),
    (
        "PB1009",
        "var a = array.from(1.0)\nif a.size() > 0\n    a.shift()\n    if a.size() == 0\n"
        "        a.push(close)\nplot(a.size())",
    ),
    (
        "PB1009",
        "type Block\n    string state = 'new'\nvar block = Block.new()\nif block.state == 'new'\n"
        "    block.state := close > open ? 'met' : 'new'\n    if block.state != 'new'\n"
        "        label.new(bar_index, close, 'met')\nplot(close)",
    ),
    (
        "PB1011",
        "var a = array.new<float>()\ndrop() =>\n    a.shift()\na.push(close)\nwhile a.size() > 9\n"
        "    drop()\nplot(a.size())",
    ),
    (
        "PB1011",
        "var a = array.new<float>()\ndrop(int at) =>\n    a.remove(at)\nlast() =>\n    drop(0)\n"
        "a.push(close)\nwhile a.size() > 9\n    last()\nplot(a.size())",
    ),
    (
        "PB1013",
        "var buffer = array.new_float(10, na)\nvar head = 0\nbuffer.set(head, close)\n"
        "head := (head + 1) % array.size(buffer)\nplot(head)",
    ),
    (
        "PB1013",
        "length = input.int(3, minval = 1)\nvar b = array.new<float>()\narray.push(b, close)\n"
        "if array.size(b) > length\n    array.shift(b)\nplot(array.sum(b) / array.size(b))",
    ),
    ("PB1009", "plotshape(time < 0)"),
    ("PB1009", "plotshape(ta.stoch(close, open, open, 14) > 100)"),
    ("PB1009", "plotshape(math.random() > 0.7 and math.random() < 0.3)"),
    ("PB1009", "var q = array.from(1, 2, 3)\nplotshape(q.size() > 2 ? q.shift() < 2 and q.shift() > 8 : false)"),
    ("PB1008", "var q = array.from(1, 2, 3)\nplot(q.size() > 1 ? q.pop() - q.pop() : 0)"),
    ("PB1016", "x = 0\nif math.random() < 0.3\n    x := 1\nelse if math.random() < 0.3\n    x := 2\nplot(x)"),
    ("PB1001", "var line l = na\nif barstate.islast\n    l := line.new(bar_index, low, bar_index + 1, low)"),
    ("PB1003", "x = switch\n    close > open => 1\n    true => 2\nplot(x)"),
    ("PB1003", "x = switch true\n    close > open => 1\n    => 2\nplot(x)"),
    ("PB1004", "a = array.from(1, 2)\ni = 0\nwhile i < a.size()\n    log.info('{0}', a.get(i))\n    i += 1\nplot(1)"),
    (
        "PB1004",
        "a = array.from(1, 2)\ni = -1\nwhile i < a.size()\n    i += 1\n    log.info('{0}', a.get(i))\n    if i > 0\n"
        "        break\nplot(1)",
    ),
    ("PB1004", "a = array.from(1, 2)\ns = 0\nfor i = 0 to a.size() - 2\n    s += a.get(i + 1) - a.get(i)\nplot(s)"),
    ("PB1004", "a = array.from(1, 2)\ns = 0\nfor i = 1 to a.size()\n    s += a.get(i - 1)\nplot(s)"),
    (
        "PB1004",
        "a = array.from(1, 2)\ns = 0\nfor i = 0 to a.size() - 1\n    s += i < a.size() - 1 ? a.get(i + 1) : 0\nplot(s)",
    ),
    ("PB1004", "type S\n    array<float> v\ns = S.new(array.new<float>(3))\nplot(s.v.get(s.v.size() - 1))"),
    ("PB1004", "n = input.int(5)\na = array.new<float>(n, 0)\na.push(1)\nplot(a.get(n))"),
    (
        "PB1004",
        "n = input.int(5)\na = array.new<float>(n, 0)\nfor i = 0 to n - 1\n    a.set(i, close[i])\nplot(a.sum())",
    ),
    ("PB1005", PUSH + "var n = 0\nif high > high[2]\n    a.push(1)\n    n += 1\nplot(n > 0 ? a.last() : na)"),
    ("PB1005", NOTED + "if seen\n    log.info('{0}', a.last())\nplot(1)"),
    ("PB1005", NOTED + "ready = seen and close > open\nplot(ready ? a.first() : na)"),
    ("PB1005", NOTED + "plot(not na(price) ? a.first() : na)"),
    ("PB1005", NOTED + "while count > 0\n    a.pop()\n    count -= 1\nplot(1)"),
    ("PB1005", NOTED + "for i = 1 to count\n    a.pop()\nplot(1)"),
    ("PB1005", NOTED + "more = seen\nwhile more\n    a.pop()\n    more := a.size() > 0\nplot(1)"),
    ("PB1005", PUSH + "if a.size() < 1\n    runtime.error('none')\nplot(a.last())"),
    ("PB1005", PUSH + "if a.size() == 0\n    a.push(low)\n    log.info('{0}', a.last())\nplot(1)"),
    ("PB1005", "var a = array.new<float>()\nadd() =>\n    a.push(close)\n    a.size()\nadd()\nplot(a.last())"),
    (
        "PB1005",
        "var a = array.new<float>()\nvar seen = false\nadd(x) =>\n    a.push(x)\n    a.size()\nif close > open\n"
        "    add(close)\n    seen := true\nplot(seen ? a.last() : na)",
    ),
    (
        "PB1005",
        "var a = array.new<float>()\nvar b = array.new<int>()\nif close > open\n    a.push(close)\n"
        "    b.push(bar_index)\n"
        "plot(b.size() > 0 ? a.last() : na)",
    ),
    ("PB1005", "var a = array.new<float>()\nif session.isfirstbar\n    a.clear()\na.push(close)\nplot(a.last())"),
    ("PB1006", "x = switch\n    close > 0 => close\n    =>\n        runtime.error('x')\n        float(na)\nplot(x)"),
    (
        "PB1006",
        "s = 0\nfor i = 0 to 9\n    switch\n        close[i] > 1 => break\n"
        "        close[i] < 1 => continue\n    s += 1\nplot(s)",
    ),
    (
        "PB1006",
        "s = 0\nfor i = 0 to 9\n    if close[i] > 1\n        continue\n    else\n        s += 2\n    s += 1\nplot(s)",
    ),
    ("PB1007", "line l = line.new(0, high, 1, high)\nl := line.new(0, low, 1, low)"),
    ("PB1007", "a = array.from(1, 2)\nx = a.pop()\nx := a.pop()\nplot(x)"),
    ("PB1007", "x = close\nshow(float y) => x + y\nlog2(float y) => show(y)\nz = log2(1)\nx := open\nplot(x + z)"),
    (
        "PB1007",
        "x = close\nmethod near(label l) =>\n    l.set_y(x)\nl = label.new(0, 0)\nl.near()\nx := open\nplot(x)",
    ),
    ("PB1007", "type P\n    float a\np = P.new(1)\nq = p\np.a := high\nx = q.a\np.a := low\nplot(x + p.a)"),
    ("PB1007", "type P\n    float a\np = P.new(1)\np.a := high\nq = p.copy()\np.a := low\nplot(q.a + p.a)"),
    (
        "PB1007",
        "type P\n    float a\nmethod b(P this) => this.a\np = P.new(1)\np.a := high\nx = p.b()\np.a := low\nplot(x)",
    ),
    ("PB1007", "type P\n    float a\np = P.new(1)\np.a := high\nif p.a > close\n    p.a := low\nplot(p.a)"),
    ("PB1010", "i = 0\nwhile i < 3 and close > open\n    i += 1\nplot(i)"),
    ("PB1010", "go = false\nif close > open\n    go := true\nwhile go\n    go := false\nplot(1)"),
    ("PB1010", "m = map.new<string, float>()\nm.put('a', 1)\ns = 0.0\nfor [k, v] in m\n    s += v\nplot(s)"),
    (
        "PB1010",
        "m = map.new<string, int>()\nfill(map<string, int> x) =>\n    x.put('a', 1)\nfill(m)\n"
        "for [k, v] in m\n    log.info(k)\nplot(1)",
    ),
    (
        "PB1010",
        "m = matrix.new<float>()\nm.add_row(0, array.from(1.0))\nfor row in m\n    log.info('{0}', row.sum())\nplot(1)",
    ),
    ("PB1010", "a = array.new<int>()\na.push(1)\nwhile a.size() > 0\n    a.pop()\nplot(1)"),
    ("PB1011", "a = array.from(1)\nb = a\nwhile a.size() > 0\n    b.pop()\nplot(1)"),
    ("PB1011", "pick(array<int> x) => x\na = array.from(1)\nwhile a.size() > 0\n    b = pick(a)\n    b.pop()\nplot(1)"),
    ("PB1011", "type P\n    int n\np = P.new(5)\nq = p\nwhile p.n > 0\n    q.n -= 1\nplot(p.n)"),
    (
        "PB1011",
        "type P\n    int n\na = array.from(P.new(3))\np = a.get(0)\nwhile p.n > 0\n    a.get(0).n -= 1\nplot(p.n)",
    ),
    ("PB1011", LIST + "while not na(at)\n    at := at.next\nplot(1)"),
    ("PB1011", "a = array.from(1)\nwhile a.size() > 0 and a.size() < 9\n    a.push(2)\nplot(a.size())"),
    ("PB1012", "var last = 0.0\nm = ta.ema(close, 9)\nif close > open\n    last := m\nplotshape(m == last)"),
    ("PB1012", "u = hl2 + ta.atr(9)\nd = hl2 - ta.atr(9)\nvar s = 0.0\ns := close > open ? d : u\nplotshape(s == u)"),
    ("PB1012", "m = close - ta.atr(9)\nvar float s = na\ns := na(s) ? m : math.max(s, m)\nplotshape(s == m)"),
    ("PB1012", "m = ta.ema(close, 9)\nn = m\nplotshape(n == m)"),
    (
        "PB1012",
        "type P\n    float a\nm = ta.ema(close, 9)\nvar p = P.new(na)\nif close > open\n"
        "    p.a := m\nplotshape(p.a == m)",
    ),
    ("PB1012", "plotshape(ta.rsi(close, 9) == 100 or ta.barssince(close > open) == 3)"),
    ("PB1013", "d = ta.change(close)\nx = close\nif d != 0\n    x /= d\nplot(x)"),
    ("PB1014", "f() =>\n    label.new(bar_index, close)\nf()\nplot(1)"),
    (
        "PB1014",
        "type P\n    int n\nmethod more(P this) =>\n    this.n += 1\n    this.n\np = P.new(1)\np.more()\nplot(p.n)",
    ),
    ("PB1014", "if close > open\n    high - low\nelse\n    low - high\nplot(1)"),
    ("PB1016", "x = close > open ? 1 : close < open ? 2 : 3\nplot(x)"),
    ("PB1016", "x = close > open ? 1 : (close > open ? 1 : 0) + 1\nplot(x)"),
    (
        "PB1016",
        "f() =>\n    var n = 0\n    n += 1\n    n > 3\nx = 0\nif f()\n    x := 1\nelse if f()\n    x := 2\nplot(x)",
    ),
    ("PB1013", "//@version=6\nstrategy('x')\nl = strategy.grossloss\nplot(l != 0 ? 1 / math.abs(l) : na)\n"),
    ("PB1014", "later(float x) =>\n    x\nlater(close)\nplot(1)"),
    (
        "PB1005",
        "var a = array.new<float>()\nvar seen = false\nif close > open\n    for i = 0 to 3\n        a.push(close[i])\n"
        "    seen := true\nplot(seen ? a.last() : na)",
    ),
    (
        "PB1005",
        "var a = array.new<float>()\nvar b = array.new<float>()\nif close > open\n    a.push(close)\n    if high > 9\n"
        "        b.push(high)\nplot(b.size() > 0 ? a.last() : na)",
    ),
    (
        "PB1012",
        "e = ta.ema(close, 9)\nvar a = array.new<float>()\na.push(e)\nfor x in a\n    if x == e\n"
        "        log.info('x')\nplot(1)",
    ),
    ("PB1009", "r = ta.rsi(close, 9)\nx = r > 70 ? 1 : r > 50 ? 2 : r < 30 ? 3 : 4\nplot(x)"),
    ("PB1009", "r = ta.rsi(close, 9)\nx = switch\n    r > 70 => 1\n    r > 50 => 2\n    => 3\nplot(x)"),
    ("PB1009", "r = ta.rsi(close, 9)\nx = (r > 50 ? 1 : 0) + (r < 40 ? 1 : 0)\nplot(x)"),
    ("PB1009", "a = array.from(1, 5)\nx = a.shift() > 2 ? 1 : a.shift() > 4 ? 2 : 3\nplot(x)"),
    ("PB1009", "plotshape(ta.stoch(close, high, low, 14) > 99)"),
    ("PB1013", "n = input.int(0)\nif n == 0\n    runtime.error('n')\nplot(close / n)"),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body) == []


def test_all_uses_of_an_array_are_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = arrays._uses
    asked: list[nodes.Node] = []

    class Counting(dict[nodes.Node, str]):
        def get(self, key: nodes.Node, default: str = "") -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
            asked.append(key)
            return super().get(key, default)

    monkeypatch.setattr(arrays, "_uses", lambda look: Counting(found(look)))
    counts: list[int] = []
    for uses in (20, 40):
        body = "".join(f"array.push(a, {i})\nx{i} = array.get(a, {i})\n" for i in range(uses))
        program = open_program(f'//@version=6\nindicator("x")\na = array.new<float>()\n{body}plot(x0)\n')
        opinions_on(program, tuple(rules()))
        counts.append(len(asked))
        asked.clear()
    assert 0 < counts[1] <= 2.5 * counts[0]
