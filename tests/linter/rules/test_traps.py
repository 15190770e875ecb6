"""Rules on traps at run time: what each reports, and the honest code that looks like it."""

from __future__ import annotations

from tests.linter.rules.support import INDICATOR, marked
from tests.tables import each

TYPE = "type P\n    float a\n"
GROW = "var a = array.new<float>()\nif high > high[1]\n    a.push(high)\n"
SUMMED = "f(array<float> v) =>\n{}    s = 0.0\n    for i = 0 to v.size() - 1\n        s += v.get(i)\n    s\n"
"""A function that adds up an array, with more code at its start."""
OBJECTS = TYPE + "make() => P.new(close)\n"


def asked(count: int) -> str:
    return "".join(f"p{number} = request.security('X', 'D', make())\n" for number in range(count)) + "plot(1)"


HIGHER = "tf = input.timeframe('D')\n"

NOTED_GROWTH = (
    "var a = array.new<float>()\nvar seen = false\nvar count = 0\nif high > high[1]\n    a.push(high)\n"
    "    seen := true\n    count += 1\n"
)
CALLED = "".join(f"p{number} = one('{number}')\n" for number in range(5)) + "plot(1)"
SINCE = "n = ta.barssince(ta.crossover(close, open))\n"
SOMETIMES = TYPE + "var P p = na\nif close > 5\n    p := P.new(1)\n"

REPORTED = [
    ("PB5001", "label.new(bar_index + 501, high, 'x')\nplot(1)", ["bar_index + 501"]),
    (
        "PB5001",
        "n = input.int(10, maxval = 600)\nbox.new(bar_index, high, bar_index + n, low)\nplot(1)",
        ["bar_index + n"],
    ),
    ("PB5001", "n = input.int(300)\nx = bar_index + 2 * n\nvar l = line.new(0, 0, 1, 1)\nl.set_x2(x)\nplot(1)", ["x"]),
    ("PB5002", TYPE + "p = P.new(close)\nplot((p[1]).a)", ["(p[1]).a"]),
    ("PB5002", TYPE + "p = P.new(close)\nq = p[2]\nplot(q.a)", ["q.a"]),
    ("PB5002", TYPE + "n = 3\nvar p = P.new(close)\nplot(close > 5 ? (p[n]).a : 0)", ["(p[n]).a"]),
    ("PB5003", GROW + "s = 0.0\nfor i = 0 to a.size() - 1\n    s += a.get(i)\nplot(s)", ["a.size() - 1"]),
    ("PB5003", GROW + "n = array.size(a)\nfor i = 0 to n - 1\n    array.set(a, i, 0)\nplot(1)", ["n - 1"]),
    (
        "PB5003",
        GROW + "f() =>\n    s = 0.0\n    for i = 0 to a.size() - 1\n        s += a.get(i)\n    s\nplot(f())",
        ["a.size() - 1"],
    ),
    ("PB5003", SUMMED.format("") + GROW + "plot(f(a))", ["v.size() - 1"]),
    ("PB5003", SUMMED.format("") + GROW + "b = array.from(1.0)\nplot(f(b) + f(a))", ["v.size() - 1"]),
    ("PB5004", HIGHER + "plot(request.security(syminfo.tickerid, tf, close))", ["tf"]),
    ("PB5004", "plot(request.security(syminfo.tickerid, input.timeframe('60'), close))", ["input.timeframe('60')"]),
    ("PB5004", HIGHER + "[a, b] = request.security('X', tf, [open, close])\nplot(a + b)", ["tf"]),
    ("PB5005", OBJECTS + asked(5), ["request.security('X', 'D', make())"]),
    ("PB5005", OBJECTS + "m = make()\n" + asked(6).replace("make()", "m"), ["request.security('X', 'D', m)"]),
    ("PB5005", OBJECTS + asked(9), ["request.security('X', 'D', make())"]),
    ("PB5006", TYPE + "var P p = na\nif close > 5\n    p := P.new(1)\nplot(p.a)", ["p.a"]),
    ("PB5006", TYPE + "P p = na\nif close > open\n    p := P.new(1)\nplot(close > 2 ? p.a : 0)", ["p.a"]),
    ("PB5006", TYPE + "f() =>\n    P p = na\n    if close > open\n        p := P.new(1)\n    p.a\nplot(f())", ["p.a"]),
    ("PB5006", TYPE + "var P p = na\nif bar_index % 5 == 1\n    p := P.new(1)\nplot(p.a)", ["p.a"]),
    ("PB5007", "var s = 0\nif close > open\n    s := bar_index\nplot(close[bar_index - s])", ["bar_index - s"]),
    ("PB5007", "var s = 0\nif close > open\n    s := bar_index\nback = bar_index - s\nplot(high[back])", ["back"]),
    ("PB5007", "plot(close[bar_index])", ["bar_index"]),
    ("PB5008", "n = input.int(9)\nplot(ta.sma(close, n))", ["n"]),
    ("PB5008", "n = input.int(9, maxval = 50)\nplot(ta.rsi(close, n) + ta.ema(close, n))", ["n"]),
    ("PB5008", "n = input(9)\nplot(ta.highest(n))", ["n"]),
    ("PB5001", "if barstate.islast\n    for i = 0 to 900\n        label.new(bar_index + i, high)", ["bar_index + i"]),
    ("PB5001", "line.new(bar_index, high, last_bar_index + 700, high)", ["last_bar_index + 700"]),
    ("PB5002", "p = chart.point.now(close)\nplot((p[2]).price)", ["(p[2]).price"]),
    ("PB5003", GROW + "for i = a.size() - 1 to 0\n    a.set(i, 0)\nplot(1)", ["a.size() - 1"]),
    (
        "PB5003",
        GROW + "var b = array.new<float>()\nif low < low[1]\n    b.push(low)\nif b.size() > 0\n"
        "    for i = 0 to a.size() - 1\n        a.set(i, 0)\nplot(1)",
        ["a.size() - 1"],
    ),
    ("PB5004", "tf = input.string('60', options = ['5', '60'])\nplot(request.security('X', tf, close))", ["tf"]),
    (
        "PB5004",
        HIGHER + "other = input.timeframe('W')\nif timeframe.in_seconds(other) < timeframe.in_seconds()\n"
        "    runtime.error('x')\nplot(request.security('X', other, close) - request.security('X', tf, close))",
        ["tf"],
    ),
    ("PB5006", SOMETIMES + "plot(na(p) ? p.a : 0)", ["p.a"]),
    ("PB5006", "var chart.point p = na\nif close > open\n    p := chart.point.now(high)\nplot(p.price)", ["p.price"]),
    ("PB5006", SOMETIMES + "var P q = na\nif close < 5\n    q := P.new(2)\nplot(na(q) ? na : p.a)", ["p.a"]),
    ("PB5008", "n = input.int(9, minval = 0)\nplot(ta.rsi(close, n))", ["n"]),
    ("PB5008", "n = input.int(9)\n[m, s, h] = ta.macd(close, n, 26, 9)\nplot(m)", ["n"]),
    ("PB5008", "n = input.int(9)\n[p, m, x] = ta.dmi(14, n)\nplot(x)", ["n"]),
    ("PB5006", SOMETIMES + "show() =>\n    p.a * 2\nif not na(p)\n    log.info('{0}', show())\nplot(show())", ["p.a"]),
    (
        "PB5003",
        "var a = array.new<float>()\nadd() =>\n    a.push(close)\nif close > open\n    add()\n"
        "for i = 0 to a.size() - 1\n    a.set(i, 0)\nplot(1)",
        ["a.size() - 1"],
    ),
    (
        "PB5005",
        TYPE + "one(simple string s) => request.security(s, 'D', P.new(1))\n" + CALLED,
        ["request.security(s, 'D', P.new(1))"],
    ),
    (
        "PB5005",
        OBJECTS + asked(5).replace("make()", "array.from(make())"),
        ["request.security('X', 'D', array.from(make()))"],
    ),
    ("PB5006", TYPE + "var P p = na\nph = ta.pivothigh(5, 5)\nif not na(ph)\n    p := P.new(ph)\nplot(p.a)", ["p.a"]),
    ("PB5006", SOMETIMES + "if barstate.islast\n    log.info('{0}', p.a)\nplot(1)", ["p.a"]),
    ("PB5006", SOMETIMES + "if high > high[1]\n    p.a := high\nplot(1)", ["p.a"]),
    ("PB5006", TYPE + "var P p = na\nif close > 5\n    p := P.new(1)\nelse\n    log.info('none')\nplot(p.a)", ["p.a"]),
    ("PB5007", SINCE + "plot(high[n])", ["n"]),
    ("PB5007", SINCE + "x = ta.ema(close, 9)\nplot(x[nz(n) + 1])", ["nz(n) + 1"]),
    (
        "PB5007",
        "var s = 0\nif close > open\n    s := bar_index\nplot(high[volume > 5 ? bar_index - s : 0])",
        ["volume > 5 ? bar_index - s : 0"],
    ),
]

LEFT_ALONE = [
    ("PB5006", TYPE + "var P p = na\nif bar_index % 5 == 0\n    p := P.new(1)\nplot(p.a)"),
    (
        "PB5006",
        TYPE + "var P p = na\nfresh = bar_index == 0\nif fresh\n    p := P.new(1)\nelse\n    p.a += 1\nplot(p.a)",
    ),
    (
        "PB5006",
        TYPE + "var P p = na\nif bar_index % 5 == 0\n    p := P.new(1)\nelse if p.a < 5\n    p.a += 1\nplot(p.a)",
    ),
    ("PB1005", "var a = array.new<float>()\nif bar_index % 5 == 0\n    a.push(high)\nplot(a.last())"),
    ("PB5001", "label.new(bar_index + 500, high, 'x')\nplot(1)"),
    ("PB5001", "n = input.int(10, maxval = 500)\nbox.new(bar_index, high, bar_index + n, low)\nplot(1)"),
    ("PB5001", "line.new(time, low, time + 86400000, low, xloc = xloc.bar_time)\nplot(1)"),
    ("PB5001", "n = input.int(10, maxval = 900)\nlabel.new(bar_index + math.min(n, 500), high, 'x')\nplot(1)"),
    ("PB5002", TYPE + "p = P.new(close)\nplot(na(p[1]) ? na : (p[1]).a)"),
    ("PB5002", TYPE + "p = P.new(close)\nplot(bar_index > 1 ? (p[1]).a : na)"),
    ("PB5002", TYPE + "p = P.new(close)\nq = p[1]\nif not na(q)\n    log.info(str.tostring(q.a))\nplot(1)"),
    ("PB5002", TYPE + "p = P.new(close)\nx = p.a\nplot(x[1])"),
    ("PB5003", GROW + "s = 0.0\nif a.size() > 0\n    for i = 0 to a.size() - 1\n        s += a.get(i)\nplot(s)"),
    ("PB5003", GROW + "s = 0.0\nfor x in a\n    s += x\nplot(s)"),
    # an array that a parameter gets: guarded inside, guarded at the call, filled before, or not known
    ("PB5003", SUMMED.format("    if v.size() == 0\n        runtime.error('x')\n") + GROW + "plot(f(a))"),
    ("PB5003", SUMMED.format("    v.push(close)\n") + GROW + "plot(f(a))"),
    ("PB5003", SUMMED.format("") + GROW + "plot(a.size() > 0 ? f(a) : 0)"),
    ("PB5003", SUMMED.format("") + "a = array.new<float>()\na.push(close)\nplot(f(a))"),
    ("PB5003", SUMMED.format("") + "plot(f(array.from(1.0, 2.0)))"),
    ("PB5003", SUMMED.format("") + "plot(close)"),
    ("PB5003", "a = array.from(1, 2)\ns = 0\nfor i = 0 to a.size() - 1\n    s += a.get(i)\nplot(s)"),
    (
        "PB5003",
        GROW + "s = 0.0\nfor i = 0 to a.size() - 1\n    if i >= 0 and i < a.size()\n        s += a.get(i)\nplot(s)",
    ),
    (
        "PB5004",
        HIGHER + "if timeframe.in_seconds(tf) < timeframe.in_seconds()\n    runtime.error('x')\n"
        "plot(request.security('X', tf, close))",
    ),
    ("PB5004", "plot(request.security(syminfo.tickerid, 'D', close))"),
    ("PB5004", HIGHER + "plot(array.sum(request.security_lower_tf('X', tf, close)))"),
    ("PB5005", OBJECTS + asked(4)),
    ("PB5005", asked(9).replace("make()", "close")),
    ("PB5005", "".join(f"[a{i}, b{i}] = request.security('X', 'D', [open, close])\n" for i in range(9)) + "plot(1)"),
    ("PB5006", TYPE + "var P p = na\nif close > 5\n    p := P.new(1)\nplot(na(p) ? na : p.a)"),
    ("PB5006", TYPE + "var P p = na\nif barstate.isfirst\n    p := P.new(1)\nplot(p.a)"),
    ("PB5006", TYPE + "var P p = na\nif close > 5\n    p := P.new(1)\n    p.a := 2\nplot(1)"),
    ("PB5006", TYPE + "var P p = na\nif na(p)\n    p := P.new(1)\nplot(p.a)"),
    ("PB5007", "var s = 0\nif close > open\n    s := bar_index\nmax_bars_back(close, 500)\nplot(close[bar_index - s])"),
    ("PB5007", "var s = 0\nif close > open\n    s := bar_index\nplot(close[math.min(500, bar_index - s)])"),
    ("PB5007", "var s = 0\nif close > open\n    s := bar_index\nplot(low[s])"),
    ("PB5007", "plot(bar_index < 50 ? close[bar_index] : close[50])"),
    ("PB5008", "n = input.int(9, minval = 1)\nplot(ta.sma(close, n))"),
    ("PB5008", "n = input.int(9, options = [5, 9])\nplot(ta.sma(close, n))"),
    ("PB5008", "n = input.int(0)\nplot(close + n)"),
    (
        "PB5007",
        "start = ta.valuewhen(close > open, bar_index, 3)\nback = bar_index - start\ntop = 0.0\n"
        "if back >= 0 and back < 500\n    top := high[back]\nplot(top)",
    ),
    (
        "PB5007",
        "start = ta.valuewhen(close > open, bar_index, 3)\nback = bar_index - start\n"
        "plot(500 > back ? high[back] : na)",
    ),
    ("PB5001", "if barstate.islast\n    for i = 0 to 400\n        label.new(bar_index + i, high)"),
    (
        "PB5001",
        "if barstate.islast\n    for i = 0 to 900\n        if i < 500\n            label.new(bar_index + i, high)",
    ),
    ("PB5001", "n = input.int(9, maxval = 900)\nif n > 500\n    runtime.error('x')\nlabel.new(bar_index + n, high)"),
    ("PB5003", NOTED_GROWTH + "if seen\n    for i = 0 to a.size() - 1\n        a.set(i, 0)\nplot(1)"),
    (
        "PB5003",
        NOTED_GROWTH + "if count > 0 and close > open\n    for i = 0 to a.size() - 1\n        a.set(i, 0)\nplot(1)",
    ),
    ("PB5003", NOTED_GROWTH + "ready = seen\nif ready\n    for i = a.size() - 1 to 0\n        a.remove(i)\nplot(1)"),
    ("PB5003", GROW + "if a.size() == 0\n    runtime.error('x')\nfor i = 0 to a.size() - 1\n    a.set(i, 0)\nplot(1)"),
    ("PB5003", GROW + "if a.size() > 0\n    for i = a.size() - 1 to 0\n        a.remove(i)\nplot(1)"),
    (
        "PB5003",
        "var a = array.new<float>()\nadd() =>\n    a.push(close)\n    a.size()\nadd()\nfor i = 0 to a.size() - 1\n"
        "    a.set(i, 0)\nplot(1)",
    ),
    (
        "PB5004",
        HIGHER + "safe(string x) => timeframe.in_seconds(x) < timeframe.in_seconds() ? '' : x\n"
        "plot(request.security('X', safe(tf), close))",
    ),
    (
        "PB5006",
        TYPE + "var P p = na\nvar on = false\nif close > 5\n    p := P.new(1)\n    on := true\nplot(on ? p.a : na)",
    ),
    ("PB5006", TYPE + "var P p = na\nvar n = 0\nif close > 5\n    p := P.new(1)\n    n := 1\nplot(n == 1 ? p.a : na)"),
    ("PB5006", SOMETIMES + "if na(p)\n    runtime.error('x')\nplot(p.a)"),
    (
        "PB5006",
        "//@version=6\nstrategy('x')\n" + TYPE + "var P p = na\nif close > 5\n    p := P.new(low)\n"
        "    strategy.entry('L', strategy.long)\nif strategy.position_size > 0\n"
        "    strategy.exit('X', 'L', stop = p.a)\n",
    ),
    ("PB5006", "var chart.point p = na\nif close > open\n    p := chart.point.now(high)\nplot(na(p) ? na : p.price)"),
    ("PB5007", "plot(close[bar_index % 10])"),
    ("PB5008", "n = input.int(9)\nplot(n > 0 ? ta.sma(close, n) : close)"),
    ("PB5008", "n = input.int(9)\nif n < 1\n    runtime.error('x')\nplot(ta.sma(close, n))"),
    ("PB5008", "n = input.int(9)\nplot(ta.sma(close, math.max(n, 1)))"),
    ("PB5004", "tf = input.string('W', options = ['W', 'M'])\nplot(request.security('X', tf, close))"),
    ("PB5006", SOMETIMES + "show() =>\n    p.a * 2\nready = not na(p)\nif ready\n    log.info('{0}', show())\nplot(1)"),
    ("PB5002", TYPE + "p = P.new(close)\nold() => (p[1]).a\nif bar_index > 5\n    log.info('{0}', old())\nplot(1)"),
    (
        "PB5003",
        NOTED_GROWTH + "switch count\n    1 =>\n        for i = 0 to a.size() - 1\n            a.set(i, 0)\nplot(1)",
    ),
    (
        "PB5005",
        TYPE
        + "".join(f"p{i} = request.security('X', 'D', close > 5 ? P.new(1).a : 0)\n" for i in range(5))
        + "plot(1)",
    ),
    (
        "PB5006",
        TYPE + "var P p = na\nvar all = array.new<P>()\nif close > 5\n    p := P.new(1)\n    all.push(p)\n"
        "plot(all.size() > 0 ? p.a : na)",
    ),
    ("PB5006", TYPE + "var P p = na\nup = ta.crossover(close, open)\nif up\n    p := P.new(1)\nplot(up ? p.a : na)"),
    ("PB5006", TYPE + "var P p = na\nswitch\n    close > 5 => p := P.new(1)\n    => p := P.new(2)\nplot(p.a)"),
    ("PB5006", TYPE + "var P p = na\nif not na(p)\n    p.a += 1\nelse if close > 5\n    p := P.new(1)\nplot(1)"),
    ("PB5007", SINCE + "plot(high[math.min(nz(n), 100)])"),
    ("PB5007", SINCE + "plot(high[n > 100 ? 100 : n])"),
    ("PB5007", SINCE + "plot(n < 100 ? high[n + 1] : na)"),
    ("PB5007", SINCE + "max_bars_back(high, 900)\nplot(high[n])"),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body, INDICATOR) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body, INDICATOR) == []


def test_how_many_requests_may_return_objects_can_be_set() -> None:
    body = OBJECTS + asked(2)
    assert marked("PB5005", body) == []
    assert marked("PB5005", body, options={"PB5005": {"most": 1}}) == ["request.security('X', 'D', make())"]
