"""Rules on style: what each reports, and the honest code that looks like it."""

from __future__ import annotations

from pinebench.linter.fixes import fix_text
from tests.linter.rules.support import INDICATOR, LIBRARY, marked
from tests.tables import each

INPUTS = "a = input.int(1)\nb = input.int(2)\nc = input.int(3)\nd = input.int(4)\n"

REPORTED = [
    ("PB7001", "fastLine = 1, slowLine = 2, my_value = close\nplot(my_value + fastLine + slowLine)", ["my_value"]),
    ("PB7001", "my_func(x) => x\nother_one(x) => x\nthirdOne = my_func(other_one(1))\nplot(thirdOne)", ["thirdOne"]),
    ("PB7001", "My_Value = close\nplot(My_Value)", ["My_Value"]),
    ("PB7001", "MyValue = close\nplot(MyValue)", ["MyValue"]),
    ("PB7001", "type level\n    float a\np = level.new(1)\nplot(p.a)", ["level"]),
    ("PB7002", "f(a, b) => a\nplot(f(1, 2))", ["b"]),
    ("PB7002", "f(a, b) =>\n    c = a + 1\n    c\nplot(f(1, 2))", ["b"]),
    ("PB7002", "method f(float this, int n) => this * 2\nplot(close.f(3))", ["n"]),
    ("PB7003", "f(x) => x\nplot(close)", ["f"]),
    ("PB7003", "method half(float this) => this / 2\nplot(close)", ["half"]),
    ("PB7003", LIBRARY + "f(x) => x + 1\nexport g(float x) => x + 2\n", ["f"]),
    ("PB7004", "type P\n    float a\nplot(close)", ["P"]),
    ("PB7004", "enum E\n    a\n    b\nplot(close)", ["E"]),
    ("PB7004", "type P\n    float a\n    P next\nplot(close)", ["P"]),
    ("PB7005", "import A/B/1\nplot(close)", ["import A/B/1"]),
    ("PB7005", "import A/B/1 as b\nplot(close)", ["import A/B/1 as b"]),
    ("PB7005", "import A/B/1 as x\nimport A/C/2 as y\nplot(y.f(close))", ["import A/B/1 as x"]),
    ("PB7006", "n = input.int(9)\nplot(close)", ["n"]),
    ("PB7006", "n = input(9, 'N'), m = input(3, 'M')\nplot(close + m)", ["n"]),
    ("PB7006", "var s = input.string('a', options = ['a', 'b'])\nplot(close)", ["s"]),
    ("PB7007", "plotshape(ta.rsi(close, 9) > 72)", ["72"]),
    ("PB7007", "up = close > 1.5\nif up\n    alert('x')\nplot(1)", ["1.5"]),
    ("PB7007", "x = 33 < volume\nalertcondition(x)\nplot(1)", ["33"]),
    ("PB7008", "n = input.int(9)\nplot(n)", ["input.int(9)"]),
    ("PB7008", "plot(input.source(close))", ["input.source(close)"]),
    ("PB7008", "b = input(true, group = 'x')\nplot(b ? 1 : 0)", ["input(true, group = 'x')"]),
    (
        "PB7009",
        INPUTS + "e = input.int(5, group = 'G')\nplot(a + b + c + d + e)",
        [f"input.int({n})" for n in (1, 2, 3, 4)],
    ),
    ("PB7009", INPUTS + "e = input.int(5)\nplot(a + b + c + d + e)", [f"input.int({n})" for n in (1, 2, 3, 4, 5)]),
    ("PB7009", INPUTS.replace(")", ", group = 'G')") + "e = input(5)\nplot(a + b + c + d + e)", ["input(5)"]),
    ("PB7010", "n = input.int(9, 'N')\nplot(n)", ["input.int(9, 'N')"]),
    ("PB7010", "plot(input.source(close, 'S', group = 'G'))", ["input.source(close, 'S', group = 'G')"]),
    ("PB7010", "b = input(true)\nplot(b ? 1 : 0)", ["input(true)"]),
    ("PB7011", "f(close) => close + 1\nplot(f(open))", ["close"]),
    ("PB7011", "length = 3\nf(length) => length + 1\nplot(f(length))", ["length"]),
    ("PB7011", "f(a, volume) => a * volume\nplot(f(1, 2))", ["volume"]),
    ("PB7012", "var n = 9\nplot(n)", ["n"]),
    ("PB7012", "enum E\n    a\n    b\nvar e = input.enum(E.a)\nplot(e == E.a ? 1 : 0)", ["e"]),
    ("PB7012", "var string s = 'a'\nplot(str.length(s))", ["s"]),
    ("PB7012", "SIZE = 3\nvar n = SIZE * 2\nplot(n)", ["n"]),
    ("PB7013", "varip n = 0\nplot(n)", ["n"]),
    ("PB7013", "varip n = 0\nif barstate.isconfirmed\n    n += 1\nplot(n)", ["n"]),
    ("PB7013", "f() =>\n    varip n = 0.5\n    n\nplot(f())", ["n"]),
    ("PB7014", "plotshape(close > open and close[1] <= open[1])", ["close > open and close[1] <= open[1]"]),
    ("PB7014", "r = ta.rsi(close, 9)\nplotshape(r[1] >= 70 and r < 70)", ["r[1] >= 70 and r < 70"]),
    ("PB7014", "plot((high + low) / 2)", ["(high + low) / 2"]),
    ("PB7014", "plot(high > open ? high : open)", ["high > open ? high : open"]),
    ("PB7014", "x = ta.sma(close, 9)\nplot(na(x) ? 0 : x)", ["na(x) ? 0 : x"]),
    ("PB7014", "plot((open + high + low + close) / 4.0)", ["(open + high + low + close) / 4.0"]),
    ("PB7015", "up = close > open\nplotshape(up == true)", ["up == true"]),
    ("PB7015", "plotshape(close > open ? true : false)", ["close > open ? true : false"]),
    ("PB7015", "up = close > open\nplotshape(up != true)", ["up != true"]),
    ("PB7007", "rsi = ta.rsi(close, 14)\nalertcondition(ta.crossunder(rsi, 33), 'a', 'b')\nplot(rsi)", ["33"]),
    ("PB7012", "var shade = color.new(color.green, 20)\nplot(close, color = shade)", ["shade"]),
    ("PB7012", "var length = input.int(20)\nplot(ta.sma(close, length))", ["length"]),
    ("PB7014", "d = close - open\nplot(d >= 0 ? d : -d)", ["d >= 0 ? d : -d"]),
    ("PB7014", "d = close - open\nplot(d < 0 ? -d : d)", ["d < 0 ? -d : d"]),
    ("PB7014", "plot(close > open ? close - open : open - close)", ["close > open ? close - open : open - close"]),
    ("PB7014", "h = ta.pivothigh(5, 5)\nplot(not na(h) ? h : low)", ["not na(h) ? h : low"]),
    (
        "PB7014",
        "plot(math.max(high - low, math.max(math.abs(high - close[1]), math.abs(low - close[1]))))",
        ["math.max(high - low, math.max(math.abs(high - close[1]), math.abs(low - close[1])))"],
    ),
    (
        "PB7014",
        "sum = 0.0\nfor i = 0 to 19\n    sum += volume[i]\nplot(sum)",
        ["for i = 0 to 19\n    sum += volume[i]"],
    ),
    (
        "PB7014",
        "a = array.from(1.0, 2.0)\nsum = 0.0\nfor x in a\n    sum := sum + x\nplot(sum)",
        ["for x in a\n    sum := sum + x"],
    ),
    (
        "PB7001",
        "type Zone\n    float topPrice\n    float lowPrice\n    int bar_start\nz = Zone.new()\nplot(z.topPrice)",
        ["bar_start"],
    ),
    ("PB7005", "import A/ta/1\nplot(ta.sma(close, 9))", ["import A/ta/1"]),
    ("PB7007", "z = close - open\nplotshape(ta.crossunder(z, -2.3))", ["-2.3"]),
    (
        "PB7007",
        "r = ta.rsi(close, 9)\nside = r > 72 ? 1 : r < 28 ? -1 : 0\nif side == 1\n    alert('x')\nplot(1)",
        ["72", "28"],
    ),
    ("PB7007", "r = ta.rsi(close, 9)\nplotshape(r > 72 ? high : na)", ["72"]),
    ("PB7007", "r = ta.rsi(close, 9)\nplotshape((r > 72 ? 10 : 0) + (close > open ? 10 : 0) > 0)", ["72"]),
    (
        "PB7007",
        "r = ta.rsi(close, 9)\nscore = 0\nscore += r > 72 ? 1 : 0\nif score > 0\n    alert('x')\nplot(1)",
        ["72"],
    ),
    ("PB7013", "varip n = 0\nn := barstate.isconfirmed ? n + 1 : n\nplot(n)", ["n"]),
    ("PB7014", "plot((high + low) * 0.5)", ["(high + low) * 0.5"]),
    ("PB7014", "plot(0.5 * (low + high))", ["0.5 * (low + high)"]),
    (
        "PB7014",
        "var a = array.new<float>()\na.push(close)\nif a.size() > 9\n    a.shift()\ns = 0.0\nfor x in a\n"
        "    s += x\nplot(s)",
        ["for x in a\n    s += x"],
    ),
    (
        "PB7014",
        "total(array<float> a) =>\n    s = 0.0\n    for x in a\n        s += x\n    s\n"
        "plot(total(array.from(1.0, 2.0)))",
        ["for x in a\n        s += x"],
    ),
    (
        "PB7014",
        "a = array.from(1.0, 2.0)\ns = 0.0\nfor i = 0 to a.size() - 1\n    s += a.get(i)\nplot(s)",
        ["for i = 0 to a.size() - 1\n    s += a.get(i)"],
    ),
    (
        "PB7014",
        "hi = high\nfor i = 1 to 19\n    if high[i] > hi\n        hi := high[i]\nplot(hi)",
        ["for i = 1 to 19\n    if high[i] > hi\n        hi := high[i]"],
    ),
    (
        "PB7014",
        "lo = low\nfor i = 0 to 19\n    lo := math.min(lo, low[i])\nplot(lo)",
        ["for i = 0 to 19\n    lo := math.min(lo, low[i])"],
    ),
    ("PB7015", "up = close > open\nplotshape(true == up)", ["true == up"]),
    ("PB7015", "up = close > open\nplotshape(false != up)", ["false != up"]),
]

LEFT_ALONE = [
    ("PB7001", "myValue = close\nLENGTH = 3\nplot(myValue + LENGTH)"),
    ("PB7001", "Length = 3, RSI14 = close\nplot(Length + RSI14)"),
    ("PB7001", "my_value = close\nSQRT2_PI = 4.4\nplot(my_value * SQRT2_PI)"),
    ("PB7001", "x = close, _tmp_a = 1\nplot(x + _tmp_a)"),
    ("PB7001", "my_value = close, other_value = open\nplot(my_value + other_value)"),
    ("PB7001", "type Level\n    float a\nmakeOne() => Level.new(1)\np = makeOne()\nplot(p.a)"),
    ("PB7002", "f(a, b) => a + b\nplot(f(1, 2))"),
    ("PB7002", "f(a, _b) => a\nplot(f(1, 2))"),
    ("PB7002", LIBRARY + "export f(float a, float b) => a\n"),
    ("PB7003", "f(x) => x\nplot(f(close))"),
    ("PB7003", "method half(float this) => this / 2\nplot(close.half())"),
    ("PB7003", LIBRARY + "g(float x) => x + 1\nexport f(float x) => g(x)\n"),
    ("PB7003", "import A/B/1 as b\nmethod half(float this) => this / 2\nx = b.make(close)\nplot(x.half())"),
    ("PB7004", "type P\n    float a\np = P.new(1)\nplot(p.a)"),
    ("PB7004", "enum E\n    a\n    b\ne = input.enum(E.a)\nplot(e == E.a ? 1 : 0)"),
    ("PB7004", LIBRARY + "export type P\n    float a\n"),
    ("PB7005", "import A/B/1 as b\nplot(b.f(close))"),
    ("PB7005", "import A/B/1 as b\nb.T x = na\nplot(close)"),
    ("PB7005", "import A/B/1 as b\nx = array.new<float>()\nx.added(close)\nplot(close)"),
    ("PB7006", "n = input.int(9)\nplot(n)"),
    ("PB7006", "n = input.int(9)\nf() => close[n]\nplot(f())"),
    ("PB7006", "_n = input.int(9)\nplot(close)"),
    ("PB7007", "plotshape(close - open > 0.0 and ta.roc(close, 9) < 1. and volume > 1e2)"),
    ("PB7007", "LEVEL = 72\nplotshape(ta.rsi(close, 9) > LEVEL)"),
    ("PB7007", "plotshape(close - open > 0)"),
    ("PB7007", "plot(close > 72 ? 1 : 2)"),
    ("PB7008", "n = input.int(9, 'N')\nplot(n)"),
    ("PB7008", "n = input.int(title = 'N', defval = 9)\nplot(n)"),
    ("PB7008", "plot(close)"),
    ("PB7009", INPUTS + "plot(a + b + c + d)"),
    ("PB7009", INPUTS.replace(")", ", group = 'G')") + "plot(a + b + c + d)"),
    ("PB7009", "plot(close)"),
    ("PB7010", "n = input.int(9, 'N', tooltip = 'x')\nplot(n)"),
    ("PB7010", "n = input.int(9, 'N', inline = 'row')\nplot(n)"),
    ("PB7010", "plot(close)"),
    ("PB7011", "f(source) => source + 1\nplot(f(close))"),
    ("PB7011", "f(x) => x + 1\ng(x) => x + 2\nplot(f(1) + g(2))"),
    ("PB7011", "f() =>\n    n = 3\n    n\nplot(f())"),
    ("PB7012", "var n = 0\nn += 1\nplot(n)"),
    ("PB7012", "var start = close\nplot(start)"),
    ("PB7012", "var a = array.new<float>(3)\nplot(a.get(0))"),
    ("PB7013", "varip n = 0\nn += 1\nplot(n)"),
    ("PB7013", "varip n = 0\nif barstate.isnew\n    n := 0\nn += 1\nplot(n)"),
    ("PB7013", "varip a = array.new<float>()\na.push(close)\nplot(a.size())"),
    ("PB7014", "plotshape(close > open and close[1] < open[1])"),
    ("PB7014", "plotshape(close > open and close[2] <= open[2])"),
    ("PB7014", "plotshape(close > open and high[1] <= open[1])"),
    ("PB7014", "plot((high + low) / 3)"),
    ("PB7014", "plot(high > open ? high : low)"),
    ("PB7014", "plot(na(close) ? 0 : open)"),
    ("PB7014", "f(high, low) => (high + low) / 2\nplot(f(1, 2))"),
    ("PB7014", "x = ta.sma(close, 9)\nplot(na(x) ? na : x)"),
    ("PB7014", "x = ta.sma(close, 9)\nplot(na(x) ? float(na) : x)"),
    ("PB7015", "up = close > open\nplotshape(up)"),
    ("PB7015", "x = close > open ? 1 : 0\nplotshape(x == 1)"),
    ("PB7015", "up = close > open, down = close < open\nplotshape(up == down)"),
    ("PB7007", "rsi = ta.rsi(close, 14)\nlevel = 33\nalertcondition(ta.crossunder(rsi, level), 'a', 'b')\nplot(rsi)"),
    ("PB7012", "mode = input.string('a', options = ['a', 'b'])\nvar isA = mode == 'a'\nplot(isA ? 1 : 2)"),
    ("PB7012", "var length = input.int(20)\nif barstate.islast\n    length := 3\nplot(length)"),
    ("PB7014", "d = close - open\nplot(d >= 0 ? d : -open)"),
    ("PB7014", "plot(close > open ? close - open : low - close)"),
    ("PB7014", "h = ta.pivothigh(5, 5)\nplot(not na(h) ? low : h)"),
    ("PB7014", "plot(math.max(high - low, math.abs(high - open[1]), math.abs(low - close[1])))"),
    ("PB7014", "sum = 0.0\nfor i = 0 to 19\n    sum += volume[i] * i\nplot(sum)"),
    ("PB7014", "sum = 1.0\nfor i = 0 to 19\n    sum += volume[i]\nplot(sum)"),
    ("PB7014", "sum = 0.0\nfor i = 1 to 19\n    sum += volume[i]\nplot(sum)"),
    ("PB7014", "float a = bar_index < 2 ? na : close\nw = ta.barssince(close > open)\nplot(w > open ? w : open)"),
    ("PB7014", "r = bar_index % 3\na = r == 0 ? 0 : 3\nplotshape(r != 1 and (a > 1 and a[1] <= 1))"),
    ("PB7014", "w = ta.valuewhen(close > open, close, 0)\nplot(na(w) ? ta.sma(close, 9) : w)"),
    ("PB7011", "g(bar) => bar + 1\nbar = 3\nplot(g(bar))"),
    ("PB7012", "var s = input.source(close, 'Source')\nplot(s)"),
    ("PB7012", "var s = input(close)\nplot(s)"),
    ("PB7013", "float px = na\nif close > open\n    varip float first = close\n    px := first\nplot(px)"),
    ("PB7001", "fastLength = 9\nslow_length = 21\nplot(fastLength + slow_length)"),
    (
        "PB7001",
        "C_BodyHi = math.max(close, open)\nC_BodyLo = math.min(close, open)\nC_Range = high - low\n"
        "upColor = close\nup_line = close\nplot(C_BodyHi + C_BodyLo + C_Range + upColor + up_line)",
    ),
    (
        "PB7001",
        "i_length = 1, i_source = 2, fast_line = 3, slowLine = 4\nplot(i_length + i_source + fast_line + slowLine)",
    ),
    ("PB7001", "f_calc(x) => x + 1\nfastMean = f_calc(close)\nslowMean = f_calc(open)\nplot(fastMean + slowMean)"),
    (
        "PB7001",
        "i_len = input.int(9)\nfastMean = close, slowMean = open, midMean = hl2\n"
        "plot(fastMean + slowMean + midMean + i_len)",
    ),
    (
        "PB7002",
        "type A\n    float x\ntype B\n    float x\nmethod size(A this, float k) => this.x * k\n"
        "method size(B this, float k) => this.x\n"
        "plot(A.new(1).size(2) + B.new(2).size(3))",
    ),
    ("PB7005", "import A/ta/1\nplot(ta.ema2(close, 9))"),
    ("PB7005", "import A/ta/1\nplot(ta.sma(close, 9) + ta.ema2(close, 9))"),
    ("PB7007", "n = bar_index % 500 > 250 ? 50 : 20\nplotshape(ta.crossover(close, close[n]))"),
    ("PB7007", "s = timeframe.in_seconds()\nneeded = s >= 86400 ? 1 : 0\nplotshape(close > open and needed > 0)"),
    ("PB7007", "d = close - open\nr = math.abs(d) > 0.0000001 ? high / d : low\nplotshape(r > close)"),
    ("PB7007", "var a = array.new<float>()\na.push(close)\nplotshape(a.size() > 5 and close > a.get(4))"),
    ("PB7007", "z = ta.cci(close, 20)\nplotshape(z < -100)"),
    ("PB7013", "varip n = 0\nn := barstate.isconfirmed ? n + 1 : n - 1\nplot(n)"),
    ("PB7014", "plot((high + low) * 0.6)"),
    ("PB7014", "a = array.new<float>(5)\na.set(0, close)\ns = 0.0\nfor x in a\n    s += x\nplot(s)"),
    ("PB7014", "a = array.new<float>()\na.push(request.earnings('A'))\ns = 0.0\nfor x in a\n    s += x\nplot(s)"),
    (
        "PB7014",
        "var a = array.new<float>(9, na)\na.set(bar_index % 9, close)\ns = 0.0\nfor x in a\n    s += x\nplot(s)",
    ),
    (
        "PB7014",
        "total(array<float> a) =>\n    s = 0.0\n    for x in a\n        s += x\n    s\nvar a = array.new<float>()\n"
        "a.push(ta.sma(close, 9))\nplot(total(a))",
    ),
    ("PB7014", "a = array.from(1.0, 2.0)\ns = 0.0\nfor i = 1 to a.size() - 1\n    s += a.get(i)\nplot(s)"),
    ("PB7014", "hi = high\nfor i = 1 to 19\n    if high[i] > hi\n        hi := close[i]\nplot(hi)"),
    ("PB7014", "hi = high\nfor i = 1 to 19\n    if close[i] > open[i]\n        hi := math.max(hi, high[i])\nplot(hi)"),
    ("PB7014", "lo = 0.0\nfor i = 0 to 19\n    lo := math.min(lo, low[i])\nplot(lo)"),
    ("PB7015", "up = close > open\ndown = close < open\nplotshape(not up == down)"),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body) == []


@each(
    ("code", "before", "after"),
    [
        ("PB7014", "plot((high + low) / 2)", "plot(hl2)"),
        ("PB7014", "plot(2 * (0.5 * (high + low)))", "plot(2 * (hl2))"),
        ("PB7015", "up = close > open\nplotshape(false != up)", "up = close > open\nplotshape(up)"),
        ("PB7015", "up = close > open\nplotshape(up == false)", "up = close > open\nplotshape(not up)"),
        ("PB7015", "plotshape(close > open ? false : true)", "plotshape(not (close > open))"),
    ],
)
def test_what_surely_means_the_same_is_written_shorter(code: str, before: str, after: str) -> None:
    assert fix_text(f"{INDICATOR}{before}\n", opinions=[code]).text == f"{INDICATOR}{after}\n"


def test_options_of_style() -> None:
    assert marked("PB7009", INPUTS + "plot(a + b + c + d)", options={"PB7009": {"most": 3}})
    assert marked("PB7007", "plotshape(close > 72)", options={"PB7007": {"allowed": ("72",)}}) == []
