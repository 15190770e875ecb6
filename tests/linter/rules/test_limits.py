"""Rules on limits and speed: what each reports, and the honest code that looks like it."""

from __future__ import annotations

from tests.linter.rules.support import INDICATOR, marked
from tests.tables import each


def plots(count: int, color: str = "color.red") -> str:
    return "\n".join(f"plot(close, color = {color})" for _ in range(count))


def requests(count: int, symbol: str = "S{}") -> str:
    return "s = 0.0\n" + "\n".join(f"s += request.security('{symbol.format(n)}', 'D', close)" for n in range(count))


def tuples(count: int, size: int) -> str:
    items = ", ".join(["close"] * size)
    made = (", ".join(f"v{number}x{item}" for item in range(size)) for number in range(count))
    return (
        "\n".join(f"[{names}] = request.security('S{n}', 'D', [{items}])" for n, names in enumerate(made)) + "\nplot(1)"
    )


OBJECT = "{}.new(bar_index, high, bar_index + 1, low)"
LABEL = "label.new(bar_index, high, 'x')"
TABLE = "table.new(position.top_left, 1, 1)"
DAILY = "request.security(syminfo.tickerid, 'D', close)"

GROWS = "var a = array.new<float>()\na.push(close)\n"
REPORTED = [
    ("PB4001", plots(61), ["indicator"]),
    ("PB4001", plots(31, "close > open ? color.red : color.blue"), ["indicator"]),
    ("PB4001", plots(64), ["indicator"]),
    (
        "PB4012",
        "a = request.footprint(10)\nb = request.footprint(10)\nplot(na(a) or na(b) ? 0 : 1)\n"
        "if close > open\n    c = request.footprint(5)\n    log.info(str.tostring(na(c)))",
        ["request.footprint(10)", "request.footprint(5)"],
    ),
    ("PB4002", requests(41) + "\nplot(s)", ["request.security('S40', 'D', close)"]),
    ("PB4002", requests(45) + "\nplot(s)", ["request.security('S40', 'D', close)"]),
    ("PB4002", requests(40) + "\nplot(s + request.dividends('S'))", ["request.dividends('S')"]),
    ("PB4003", tuples(13, 10), ["request.security('S12', 'D', [" + ", ".join(["close"] * 10) + "])"]),
    ("PB4003", tuples(2, 64), ["request.security('S1', 'D', [" + ", ".join(["close"] * 64) + "])"]),
    (
        "PB4003",
        tuples(1, 126) + "\n[a, b] = request.security('X', 'W', [open, low])",
        ["request.security('X', 'W', [open, low])"],
    ),
    ("PB4004", LABEL + "\nplot(1)", [LABEL]),
    ("PB4004", "l = " + OBJECT.format("line") + "\nplot(1)", [OBJECT.format("line")]),
    ("PB4004", "f() => " + OBJECT.format("box") + "\nb = f()\nplot(1)", [OBJECT.format("box")]),
    ("PB4005", "if close > open\n    " + LABEL + "\nplot(1)", [LABEL]),
    ("PB4005", "if close > open\n    " + OBJECT.format("line") + "\nplot(1)", [OBJECT.format("line")]),
    ("PB4005", "f() => " + OBJECT.format("box") + "\nif close > open\n    f()\nplot(1)", [OBJECT.format("box")]),
    (
        "PB4005",
        "var int last = na\nif na(last) and close > 9\n    last := bar_index\n    "
        + LABEL
        + "\nif close < 5\n    last := na\nplot(1)",
        [LABEL],
    ),
    ("PB4006", "s = 0.0\nfor i = 0 to bar_index\n    s += close[i]\nplot(s)", ["bar_index"]),
    ("PB4006", "s = 0.0\nfor i = 0 to bar_index - 1\n    s += close[i]\nplot(s)", ["bar_index - 1"]),
    ("PB4006", "n = bar_index\ns = 0.0\nfor i = n to 0\n    s += close[i]\nplot(s)", ["n"]),
    ("PB4007", "t = ''\nfor i = 0 to 9\n    t += 'x'\nplot(str.length(t))", ["t += 'x'"]),
    ("PB4007", "t = ''\nfor x in array.from('a')\n    if x == 'a'\n        t += x\nplot(str.length(t))", ["t += x"]),
    (
        "PB4007",
        "t = '', i = 0\nwhile i < 9\n    i += 1\n    t += str.tostring(i)\nplot(str.length(t))",
        ["t += str.tostring(i)"],
    ),
    ("PB4011", "plot(ta.sma(close, 9))\nplot(ta.sma(close, 9) + 1)", ["ta.sma(close, 9)"]),
    (
        "PB4011",
        "up = ta.crossover(close, open)\nplotshape(ta.crossover(close, open))\nplotshape(up)",
        ["ta.crossover(close, open)"],
    ),
    ("PB4011", "plot(ta.rsi(close, 14))\nif ta.rsi( close,14 ) > 70\n    log.info('x')", ["ta.rsi( close,14 )"]),
    ("PB4008", f"plot({DAILY})\nplot({DAILY} + 1)", [DAILY]),
    ("PB4008", f"a = {DAILY}\nb = close > {DAILY} ? 1 : 0\nplot(a + b)", [DAILY]),
    ("PB4008", f"a = {DAILY}\nif close > open\n    log.info(str.tostring({DAILY}))\nplot(a)", [DAILY]),
    (
        "PB4009",
        "s = 0.0\nfor x in array.from('A', 'B')\n    s += request.security(x, 'D', close)\nplot(s)",
        ["request.security"],
    ),
    (
        "PB4009",
        "s = 0.0\nfor i = 1 to 3\n    s += request.security('X', str.tostring(i), close)\nplot(s)",
        ["request.security"],
    ),
    (
        "PB4009",
        "i = 0, s = 0.0\nwhile i < 3\n    i += 1\n    s += nz(request.security('X', 'D', close))\nplot(s)",
        ["request.security"],
    ),
    ("PB4010", "t = table.new(position.top_left, 1, 1)\nplot(1)", ["table.new(position.top_left, 1, 1)"]),
    (
        "PB4010",
        "table t = table.new(position.top_left, 2, 2)\nt.cell(0, 0, 'x')\nplot(1)",
        ["table.new(position.top_left, 2, 2)"],
    ),
    (
        "PB4010",
        "table.cell(table.new(position.top_left, 1, 1), 0, 0, 'x')\nplot(1)",
        ["table.new(position.top_left, 1, 1)"],
    ),
    ("PB4006", "i = 0\ns = 0.0\nwhile i < bar_index\n    s += close[i]\n    i += 1\nplot(s)", ["i < bar_index"]),
    ("PB4006", "var n = 0\nn += 1\ns = 0.0\nfor i = 0 to n\n    s += i\nplot(s)", ["n"]),
    ("PB4006", GROWS + "s = 0.0\nfor x in a\n    s += x\nplot(s)", ["a"]),
    ("PB4006", GROWS + "s = 0.0\nfor i = 0 to a.size() - 1\n    s += a.get(i)\nplot(s)", ["a.size() - 1"]),
    (
        "PB4007",
        "t = ''\nfor i = 0 to 9\n    t := t + str.tostring(i) + ','\nplot(str.length(t))",
        ["t := t + str.tostring(i) + ','"],
    ),
    (
        "PB4004",
        "if barstate.isconfirmed\n    label.new(bar_index, low, 'x')\nplot(close)",
        ["label.new(bar_index, low, 'x')"],
    ),
    ("PB4006", "var bars = 0\nbars := bars + 1\nsum = 0.0\nfor i = 0 to bars\n    sum += i\nplot(sum)", ["bars"]),
    (
        "PB4007",
        "said() =>\n    words = ''\n    for i = 0 to 20\n        words += str.tostring(close[i])\n"
        "    words\nplot(str.length(said()))",
        ["words += str.tostring(close[i])"],
    ),
    (
        "PB4002",
        "f(s) => request.security(s, 'D', close)\ns = 0.0\n"
        + "\n".join(f"s += f('S{n}')" for n in range(41))
        + "\nplot(s)",
        ["f('S40')"],
    ),
    (
        "PB4002",
        "f(s) => request.security(s, 'D', close)\ng(s, n) => f(s) + n\ns = 0.0\n"
        + "\n".join(f"s += g('S{n}', {n})" for n in range(41))
        + "\nplot(s)",
        ["g('S40', 40)"],
    ),
    ("PB4004", "for i = 0 to 3\n    " + LABEL + "\nplot(1)", [LABEL]),
    ("PB4004", "n = input.int(3)\nfor i = 1 to n\n    " + LABEL + "\nplot(1)", [LABEL]),
    ("PB4004", "show = input.bool(true)\nif show\n    " + LABEL + "\nplot(1)", [LABEL]),
    ("PB4004", "f() =>\n    for i = 0 to 3\n        " + LABEL + "\nf()\nplot(1)", [LABEL]),
    ("PB4004", "l = close > open ? " + LABEL + " : " + LABEL + "\nplot(1)", [LABEL, LABEL]),
    (
        "PB4004",
        "if close > open\n    "
        + LABEL
        + "\nelse if close < open\n    log.info('x')\n    "
        + LABEL
        + "\nelse\n    "
        + LABEL
        + "\nplot(1)",
        [LABEL, LABEL, LABEL],
    ),
    ("PB4004", "switch\n    close > open => " + LABEL + "\n    => " + LABEL + "\nplot(1)", [LABEL, LABEL]),
    ("PB4006", "n = bar_index + 1\ns = 0.0\nfor i = 0 to n - 1\n    s += close[i]\nplot(s)", ["n - 1"]),
    ("PB4006", "f(n) =>\n    s = 0.0\n    for i = 0 to n\n        s += close[i]\n    s\nplot(f(bar_index))", ["n"]),
    (
        "PB4007",
        "t = ''\nfor i = 0 to 9\n    t := str.format('{0} {1}', t, i)\nplot(str.length(t))",
        ["t := str.format('{0} {1}', t, i)"],
    ),
    (
        "PB4007",
        "t = ''\nfor i = 0 to 9\n    t := t == '' ? 'a' : t + ', a'\nplot(str.length(t))",
        ["t := t == '' ? 'a' : t + ', a'"],
    ),
    (
        "PB4008",
        f"a = {DAILY}\n"
        "b = request.security(timeframe = 'D', symbol = syminfo.tickerid, expression = close)\nplot(a + b)",
        ["request.security(timeframe = 'D', symbol = syminfo.tickerid, expression = close)"],
    ),
    ("PB4008", f"f() =>\n    a = {DAILY}\n    a + {DAILY}\nplot(f())", [DAILY]),
    ("PB4011", "f(n) => ta.highest(high, n) - ta.highest(high, n)[1]\nplot(f(9))", ["ta.highest(high, n)"]),
    ("PB4011", "plot(ta.sma(source = close, length = 9))\nplot(ta.sma(close, 9))", ["ta.sma(close, 9)"]),
    (
        "PB4009",
        "s = 0.0\nfor x in array.from('A', 'B')\n    s += nz(request.earnings(x))\nplot(s)",
        ["request.earnings"],
    ),
    (
        "PB4009",
        "f(s) => request.security(s, 'D', close)\ns = 0.0\nfor x in array.from('A', 'B')\n    s += f(x)\nplot(s)",
        ["f"],
    ),
    (
        "PB4009",
        "f(s) => request.security(s, 'D', close)\ng(s) => f(s) * 2\ns = 0.0\nfor x in array.from('A', 'B')\n"
        "    s += g(x)\nplot(s)",
        ["g"],
    ),
    ("PB4010", "f() =>\n    " + TABLE + "\nf()\nplot(1)", [TABLE]),
    ("PB4010", "show = input.bool(true)\nif show\n    t = " + TABLE + "\n    t.cell(0, 0, 'x')\nplot(1)", [TABLE]),
    (
        "PB4006",
        "on = input.bool(true)\ns = 0.0\nif on\n    for i = 0 to bar_index\n        s += close[i]\nplot(s)",
        ["bar_index"],
    ),
    (
        "PB4007",
        "on = input.bool(true)\nt = ''\nif on\n    for i = 0 to 9\n        t += 'x'\nplot(str.length(t))",
        ["t += 'x'"],
    ),
    (
        "PB4010",
        "side = input.string('a')\nt = switch side\n    'a' => " + TABLE + "\n    => " + TABLE + "\nplot(1)",
        [TABLE, TABLE],
    ),
    ("PB4010", "show = input.bool(true)\nt = show ? " + TABLE + " : na\nplot(1)", [TABLE]),
]

LEFT_ALONE = [
    ("PB4001", plots(60)),
    ("PB4001", plots(30, "close > open ? color.red : color.blue")),
    ("PB4001", plots(9)),
    ("PB4002", requests(40) + "\nplot(s)"),
    ("PB4002", requests(60, "SAME") + "\nplot(s)"),
    ("PB4002", tuples(20, 3)),
    ("PB4003", tuples(12, 10)),
    ("PB4003", tuples(1, 127)),
    ("PB4003", requests(10) + "\nplot(s)"),
    ("PB4004", "var l = " + LABEL + "\nl.set_x(bar_index)\nplot(1)"),
    ("PB4004", "l = " + LABEL + "\nlabel.delete(l[1])\nplot(1)"),
    ("PB4004", "if close > open\n    " + LABEL + "\nplot(1)"),
    ("PB4004", "if barstate.islast\n    " + LABEL + "\nplot(1)"),
    ("PB4005", '//@version=6\nindicator("x", max_labels_count = 100)\nif close > open\n    ' + LABEL + "\nplot(1)\n"),
    ("PB4005", "if barstate.islast\n    " + LABEL + "\nplot(1)"),
    ("PB4005", "var l = " + LABEL + "\nplot(1)"),
    ("PB4005", "var label l = na\nif na(l)\n    l := " + LABEL + "\nl.set_x(bar_index)\nplot(1)"),
    ("PB4005", "var label l = na\nl := na(l) ? " + LABEL + " : l\nplot(1)"),
    (
        "PB4005",
        "f(label a) =>\n    b = a\n    if na(b)\n        b := " + LABEL + "\n    b\nvar l = f(na)\nl := f(l)\nplot(1)",
    ),
    ("PB4006", "s = 0.0\nfor i = 0 to 9\n    s += close[i]\nplot(s)"),
    ("PB4006", "s = 0.0\nfor i = 0 to math.min(bar_index, 99)\n    s += close[i]\nplot(s)"),
    ("PB4006", "s = 0.0\nif barstate.islast\n    for i = 0 to bar_index\n        s += close[i]\nplot(s)"),
    ("PB4006", "s = 0.0\nfor i = bar_index - 5 to bar_index\n    s += i\nplot(s)"),
    ("PB4007", "t = ''\nif barstate.islast\n    for i = 0 to 9\n        t += 'x'\nplot(str.length(t))"),
    ("PB4007", "t = 0\nfor i = 0 to 9\n    t += i\nplot(t)"),
    ("PB4007", "t = 'a'\nt += 'b'\nplot(str.length(t))"),
    ("PB4012", "a = request.footprint(10)\nplot(na(a) ? 0 : a.delta())"),
    ("PB4012", "f() => request.footprint(10)\na = f()\nb = f()\nplot(na(a) or na(b) ? 0 : 1)"),
    ("PB4011", "m = ta.sma(close, 9)\nplot(m)\nplot(m + 1)"),
    ("PB4011", "plot(ta.sma(close, 9))\nplot(ta.sma(close, 10))"),
    ("PB4011", "n = 9\nif close > open\n    n := 10\nplot(ta.sma(close, n))\nn += 1\nplot(ta.sma(close, n))"),
    ("PB4008", f"a = {DAILY}\nplot(a)\nplot(a + 1)"),
    ("PB4008", "plot(request.security('A', 'D', close))\nplot(request.security('B', 'D', close))"),
    ("PB4008", "plot(ta.sma(close, 9))\nplot(ta.sma(close, 9))"),
    ("PB4009", "plot(request.security('X', 'D', close))"),
    ("PB4009", "a = request.security('X', 'D', close)\ns = 0.0\nfor i = 0 to 3\n    s += a\nplot(s)"),
    (
        "PB4009",
        "f() =>\n    s = 0.0\n    for i = 0 to 3\n        s += close[i]\n    s\nplot(request.security('X', 'D', f()))",
    ),
    ("PB4010", "var t = table.new(position.top_left, 1, 1)\nt.cell(0, 0, 'x')\nplot(1)"),
    ("PB4010", "if barstate.islast\n    t = table.new(position.top_left, 1, 1)\n    t.cell(0, 0, 'x')\nplot(1)"),
    ("PB4010", "f() => table.new(position.top_left, 1, 1)\nvar t = f()\nt.cell(0, 0, 'x')\nplot(1)"),
    ("PB4006", "var i = 0\nvar s = 0.0\nwhile i < bar_index\n    s += close\n    i += 1\nplot(s)"),
    ("PB4006", "var n = 0\nn += 1\nif n > 50\n    n := 0\ns = 0.0\nfor i = 0 to n\n    s += i\nplot(s)"),
    ("PB4006", GROWS + "if a.size() > 50\n    a.shift()\ns = 0.0\nfor x in a\n    s += x\nplot(s)"),
    ("PB4006", GROWS + "s = 0.0\nif barstate.islast\n    for x in a\n        s += x\nplot(s)"),
    (
        "PB4006",
        GROWS + "trim(float[] b) =>\n    if b.size() > 9\n        b.shift()\n"
        "trim(a)\ns = 0.0\nfor x in a\n    s += x\nplot(s)",
    ),
    ("PB4006", "a = array.new<float>()\na.push(close)\ns = 0.0\nfor x in a\n    s += x\nplot(s)"),
    ("PB4007", "t = ''\nfor i = 0 to 9\n    t := str.tostring(i) + ','\nplot(str.length(t))"),
    (
        "PB4004",
        "if barstate.isconfirmed and ta.crossover(close, open)\n    label.new(bar_index, low, 'x')\nplot(close)",
    ),
    (
        "PB4006",
        "var bars = 0\nbars := bars + 1\nif close > open\n    bars := 0\nsum = 0.0\nfor i = 0 to bars\n"
        "    sum += i\nplot(sum)",
    ),
    (
        "PB4007",
        "said() =>\n    words = ''\n    for i = 0 to 20\n        words += str.tostring(close[i])\n"
        "    words\nif barstate.islast\n    label.new(bar_index, close, said())\nplot(close)",
    ),
    ("PB4005", "if bar_index == 100\n    line.new(bar_index, low, bar_index, high)"),
    (
        "PB4011",
        "plot(request.security(syminfo.tickerid, 'D', ta.ema(close, 20)))\n"
        "plot(request.security(syminfo.tickerid, 'W', ta.ema(close, 20)))\nplot(ta.ema(close, 20))",
    ),
    (
        "PB4002",
        "f(s, n) => request.security(s, 'D', close) * n\ns = 0.0\n"
        + "\n".join(f"s += f('S', {n})" for n in range(60))
        + "\nplot(s)",
    ),
    (
        "PB4002",
        "f(s) => request.security(s, 'D', close)\ns = 0.0\n"
        + "\n".join(f"s += f('S{n % 9}')" for n in range(60))
        + "\nplot(s)",
    ),
    (
        "PB4003",
        "\n".join(f"[a{n}, b{n}, c{n}] = request.security('S', 'D', [open, high, low])" for n in range(50))
        + "\nplot(1)",
    ),
    (
        "PB4003",
        "f(s) =>\n    [a, b, c] = request.security(s, 'D', [open, high, low])\n    a + b + c\ns = 0.0\n"
        + "\n".join(f"s += f('S{n}')" for n in range(45))
        + "\nplot(s)",
    ),
    ("PB4009", "f() => request.security('A', 'D', close)\ns = 0.0\nfor i = 0 to 3\n    s += f() * i\nplot(s)"),
    ("PB4004", "for x in array.new<float>()\n    " + LABEL + "\nplot(1)"),
    ("PB4004", "for i = 0 to bar_index % 3 == 0 ? 3 : 0\n    if close[i] > open\n        " + LABEL + "\nplot(1)"),
    ("PB4004", "show = input.bool(true)\nif show and close > open\n    " + LABEL + "\nplot(1)"),
    ("PB4004", "if close > open\n    " + LABEL + "\nelse\n    log.info('x')\nplot(1)"),
    ("PB4004", "if close > open\n    " + LABEL + "\nelse if close < open\n    " + LABEL + "\nplot(1)"),
    ("PB4004", "switch\n    close > open => " + LABEL + "\n    close < open => " + LABEL + "\nplot(1)"),
    ("PB4004", "import A/B/1 as b\nvar a = array.new<label>()\na.push(" + LABEL + ")\nb.keep(a, 9)\nplot(1)"),
    ("PB4004", "import A/B/1 as b\nvar a = array.new<label>()\na.push(" + LABEL + ")\na.keep(9)\nplot(1)"),
    (
        "PB4005",
        "import A/B/1 as b\nvar a = array.new<label>()\nif close > open\n    a.push("
        + LABEL
        + ")\nb.keep(a, 9)\nplot(1)",
    ),
    ("PB4005", "var done = false\nif not done and close > open\n    " + LABEL + "\n    done := true\nplot(1)"),
    ("PB4005", "var int first = na\nif na(first) and close > 9\n    first := bar_index\n    " + LABEL + "\nplot(1)"),
    ("PB4005", "start = timestamp(2024, 1, 1)\nif time >= start and time[1] < start\n    " + LABEL + "\nplot(1)"),
    ("PB4005", "if last_bar_index - bar_index == 9\n    " + LABEL + "\nplot(1)"),
    ("PB4006", "n = bar_index % 9\ns = 0.0\nfor i = 0 to n + 1\n    s += close[i]\nplot(s)"),
    ("PB4006", "f(n) =>\n    s = 0.0\n    for i = 0 to n\n        s += close[i]\n    s\nplot(f(9))"),
    ("PB4007", "t = ''\nfor i = 0 to 9\n    t := str.format('{0}', i)\nplot(str.length(t))"),
    (
        "PB4007",
        "import A/B/1 as u\nn = u.count(close)\nt = ''\nif n > 0\n    for i = 0 to 9\n"
        "        t += 'x'\nplot(str.length(t))",
    ),
    ("PB4007", "t = 'a'\nfor i = 0 to 9\n    t := t == 'a' ? 'b' : 'a'\nplot(str.length(t))"),
    (
        "PB4008",
        "a = request.security(syminfo.tickerid, timeframe = 'D', expression = close)\n"
        "b = request.security(syminfo.tickerid, timeframe = 'D', expression = open)\nplot(a + b)",
    ),
    (
        "PB4008",
        "f(s) => request.security(s, 'D', close)\ng(s) => request.security(s, 'D', close) * 2\nplot(f('A') + g('B'))",
    ),
    ("PB4011", "f(n) => ta.highest(high, n)\ng(n) => ta.highest(high, n)\nplot(f(9) + g(10))"),
    (
        "PB4011",
        "f(n) =>\n    if n > 3\n        x = close * n\n        ta.sma(x, 9)\n"
        "    else\n        x = open * n\n        ta.sma(x, 9)\nplot(f(9))",
    ),
    ("PB4011", "x = close\ny = ta.sma(x, 9)\nif close > open\n    x = open\n    y += ta.sma(x, 9)\nplot(y)"),
    ("PB4009", "f(s) => request.security(s, 'D', close)\nplot(f('A') + f('B'))\nfor i = 0 to 3\n    log.info('x')"),
    ("PB4010", "f() =>\n    " + TABLE + "\nif barstate.islast\n    f()\nplot(1)"),
    ("PB4010", "f() =>\n    " + TABLE + "\nvar t = f()\nplot(1)"),
    ("PB4010", "f() => " + TABLE + "\ng() => f()\nvar t = g()\nplot(1)"),
    ("PB4004", "f() => " + LABEL + "\ng() =>\n    var l = f()\n    l\nl = g()\nplot(1)"),
    ("PB4010", "show = input.bool(true)\nif show and barstate.islast\n    t = " + TABLE + "\nplot(1)"),
    ("PB4010", "show = input.bool(true)\nvar t = show ? " + TABLE + " : na\nplot(1)"),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body, INDICATOR) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body, INDICATOR) == []


def test_how_many_plots_are_many_can_be_set() -> None:
    assert marked("PB4001", plots(9), options={"PB4001": {"most": 8}}) == ["indicator"]
