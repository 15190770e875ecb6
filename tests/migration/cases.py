"""Old code and what it becomes, by subject: (version, old, new). A script's first lines are added to both."""

from __future__ import annotations

NAMES = [
    (4, "plot(sma(close, 14))", "plot(ta.sma(close, 14))"),
    (4, "plot(max(abs(close), 2))", "plot(math.max(math.abs(close), 2))"),
    (4, 'plot(security(syminfo.tickerid, "D", close))', 'plot(request.security(syminfo.tickerid, "D", close))'),
    (4, "sma = sma(close, 3)\nplot(sma)", "sma = ta.sma(close, 3)\nplot(sma)"),
    (4, "sma(x) => x * 2\nplot(sma(close))", "sma(x) => x * 2\nplot(sma(close))"),
    (4, "plot(vwap)\nplot(vwap(hlc3))", "plot(ta.vwap)\nplot(ta.vwap(hlc3))"),
    (4, "f(tr) => tr + 1\nplot(f(tr))", "f(tr) => tr + 1\nplot(f(ta.tr))"),
    (4, "x = tostring(close)\nplot(tonumber(x))", "x = str.tostring(close)\nplot(str.tonumber(x))"),
    (4, "math = 2\nplot(max(math, 1))", "math1 = 2\nplot(math.max(math1, 1))"),
    (
        3,
        "color = close > open ? red : green\nplot(close, color = color)",
        "color1 = close > open ? color.red : color.green\nplot(close, color = color1)",
    ),
    (4, "f(str) => str + 1\nplot(f(2))", "f(str1) => str1 + 1\nplot(f(2))"),
    (
        5,
        'enum E\n    absolute = "A"\n    red\nx = E.red\nplot(1)',
        'enum E\n    absolute = "A"\n    red\nx = E.red\nplot(1)',
    ),
    (
        5,
        "type red\n    int lime = 1\nx = red.new(2)\nplot(x.lime)",
        "type red\n    int lime = 1\nx = red.new(2)\nplot(x.lime)",
    ),
    (4, "range = high - low\nplot(range)", "range_ = high - low\nplot(range_)"),
    (4, "text = 1\nplot(text)\nx = text.align_left", "text_ = 1\nplot(text_)\nx = text.align_left"),
    (
        4,
        "label.new(n, 1, style = label.style_labelup, textcolor = color.white)",
        "label.new(bar_index, 1, style = label.style_label_up, textcolor = color.white)",
    ),
    (3, "plot(close, color = red)", "plot(close, color = color.red)"),
    (
        3,
        "plot(close, color = close > open ? lime : maroon)",
        "plot(close, color = close > open ? color.lime : color.maroon)",
    ),
    (3, "plot(close, color = color(red, 50))", "plot(close, color = color.new(color.red, 50))"),
    (
        3,
        "plot(close, style = histogram)\nplot(open, style = line)",
        "plot(close, style = plot.style_histogram)\nplot(open, style = plot.style_line)",
    ),
    (
        3,
        "plot(open, style = cross)\nplot(cross(open, close) ? 1 : 0)",
        "plot(open, style = plot.style_cross)\nplot(ta.cross(open, close) ? 1 : 0)",
    ),
    (3, "hline(1, linestyle = dashed)\nplot(1)", "hline(1, linestyle = hline.style_dashed)\nplot(1)"),
    (3, "plot(dayofweek == monday ? 1 : 0)", "plot(dayofweek == dayofweek.monday ? 1 : 0)"),
    (3, "plot(security(tickerid, period, close))", "plot(request.security(syminfo.tickerid, timeframe.period, close))"),
    (3, "plot(isintraday ? interval : n)", "plot(timeframe.isintraday ? timeframe.multiplier : bar_index)"),
    (4, 'plot(time(resolution = "D"))', 'plot(time(timeframe = "D"))'),
    (4, "plot(nz(x = close, y = 1))", "plot(nz(source = close, replacement = 1))"),
    (4, "plot(crossover(x = close, y = open) ? 1 : 0)", "plot(ta.crossover(source1 = close, source2 = open) ? 1 : 0)"),
    (4, "plot(sqrt(x = close))", "plot(math.sqrt(number = close))"),
    (
        4,
        'x = tickerid("NASDAQ", "AAPL")\nplot(security(x, "D", close))',
        'x = ticker.new("NASDAQ", "AAPL")\nplot(request.security(x, "D", close))',
    ),
]
INPUTS = [
    (4, "plot(input(14, type = input.integer))", "plot(input.int(14))"),
    (4, 'plot(input(14, "Length", input.integer, 1, 50))', 'plot(input.int(14, "Length", minval = 1, maxval = 50))'),
    (
        4,
        'plot(input(title = "L", type = input.float, defval = 2, step = 0.1))',
        'plot(input.float(title = "L", defval = 2, step = 0.1))',
    ),
    (4, "plot(input(14, minval = 1))", "plot(input.int(14, minval = 1))"),
    (4, "plot(input(5, minval = 1, options = [5, 9], step = 2))", "plot(input.int(5, options = [5, 9]))"),
    (4, 'x = input("A", "X", input.string, 1, 9)\nplot(close)', 'x = input.string("A", "X")\nplot(close)'),
    (
        4,
        'x = input(timestamp("2020-01-01"), "From", input.time, minval = 0, confirm = true)\nplot(x)',
        'x = input.time(timestamp("2020-01-01"), "From", confirm = true)\nplot(x)',
    ),
    (4, "plot(input(14, step = 0.5))", "plot(input.float(14, step = 0.5))"),
    (4, "plot(input(14, type = input.integer, minval = 1.0))", "plot(input.int(14, minval = 1))"),
    (4, 'x = input("D", type = input.resolution)\nplot(time(x))', 'x = input.timeframe("D")\nplot(time(x))'),
    (
        4,
        'plot(input("a", options = ["a", "b"]) == "a" ? 1 : 0)',
        'plot(input.string("a", options = ["a", "b"]) == "a" ? 1 : 0)',
    ),
    (4, "plot(input(14))", "plot(input(14))"),
    (4, "integer = input.integer\nplot(input(3, type = integer))", "plot(input.int(3))"),
    (3, 'plot(input(14, title = "L", type = integer, minval = 1))', 'plot(input.int(14, title = "L", minval = 1))'),
    (3, "x = input(close, type = source)\nplot(x)", "x = input.source(close)\nplot(x)"),
    (
        3,
        'x = input("0930-1600", type = session)\nplot(time("D", x))',
        'x = input.session("0930-1600")\nplot(time("D", x))',
    ),
    (
        3,
        'x = input("0930-1600", "S", session)\nplot(time("D", x))',
        'x = input.session("0930-1600", "S")\nplot(time("D", x))',
    ),
    (
        4,
        'f(str) => str.length(str)\nplot(f("abc"))',
        'f(str1) => str.length(str1)\nplot(f("abc"))',
    ),
    (
        5,
        "fresh(period) => ta.change(time(period))\na = switch bar_index\n    1 => fresh('D')\n    2 => close > open\n"
        "    3 => 0\n    => false\nplot(a ? 1 : 0)",
        "fresh(period) => ta.change(time(period))\na = switch bar_index\n    1 => bool(fresh('D'))\n"
        "    2 => close > open\n    3 => false\n    => false\nplot(a ? 1 : 0)",
    ),
    (
        5,
        "a = if close > open\n    close > 1\nelse if close < 2\n    volume\nelse\n    true\nplot(a ? 1 : 0)",
        "a = if close > open\n    close > 1\nelse if close < 2\n    bool(volume)\nelse\n    true\nplot(a ? 1 : 0)",
    ),
    (3, "hline(1, linestyle = line)\nplot(1)", "hline(1, linestyle = hline.style_solid)\nplot(1)"),
    (3, "plot(close, style = solid)", "plot(close, style = plot.style_line)"),
    (3, "plot(input(true, type = bool) ? 1 : 0)", "plot(input.bool(true) ? 1 : 0)"),
]
REMOVED = [
    (4, "plot(iff(close > open, 1, 2))", "plot(close > open ? 1 : 2)"),
    (4, "plot(iff(close > open, 1, iff(close < open, 2, 3)))", "plot(close > open ? 1 : close < open ? 2 : 3)"),
    (4, "plot(iff(close > open, 1, 2) * 2)", "plot((close > open ? 1 : 2) * 2)"),
    (
        4,
        "x = iff(close > open, highest(10), lowest(10))\nplot(x)",
        "highest1 = ta.highest(10)\nlowest1 = ta.lowest(10)\nx = close > open ? highest1 : lowest1\nplot(x)",
    ),
    (4, "plot(offset(close, 1))", "plot(close[1])"),
    (4, "plot(offset(close - open, 1))", "plot((close - open)[1])"),
    (4, "plot(rsi(close, 14))", "plot(ta.rsi(close, 14))"),
    (4, "plot(rsi(high - open, open - low))", "plot(100.0 - 100.0 / (1.0 + (high - open) / (open - low)))"),
    (4, "plot(close, style = 5)", "plot(close, style = plot.style_columns)"),
    (4, "hline(0, linestyle = 2)", "hline(0, linestyle = hline.style_dashed)"),
    (4, "s = input('A', title=input.symbol)\nplot(close)", "s = input('A', title=\"symbol\")\nplot(close)"),
    (
        4,
        'plot(security("A", "D", close, lookahead = true))',
        'plot(request.security("A", "D", close, lookahead = barmerge.lookahead_on))',
    ),
    (
        4,
        'plot(security("A", "D", close, false, true))',
        'plot(request.security("A", "D", close, barmerge.gaps_off, barmerge.lookahead_on))',
    ),
    (4, 'plot(time("D", "1000-1200"))', 'plot(time("D", "1000-1200:23456"))'),
    (4, 'plot(time("D", "1000-1200:1234567"))', 'plot(time("D", "1000-1200:1234567"))'),
]
COLORS = [
    (5, "plot(close, color = color.red, transp = 40)", "plot(close, color = color.new(color.red, 40))"),
    (4, "plot(close, transp = 40)", "plot(close, color = color.new(color.blue, 40))"),
    (
        4,
        'plot(close, "x", color.red, 1, plot.style_line, false, 40)',
        'plot(close, "x", color.new(color.red, 40), 1, plot.style_line, false)',
    ),
    (4, "bgcolor(color.red)", "bgcolor(color.new(color.red, 90))"),
    (4, "bgcolor(color.red, transp = 0)", "bgcolor(color.new(color.red, 0))"),
    (4, "bgcolor(color.red, 70)", "bgcolor(color.new(color.red, 70))"),
    (4, "bgcolor(close > open ? color.green : na)", "bgcolor(color.new(close > open ? color.green : na, 90))"),
    (5, "bgcolor(color.red)", "bgcolor(color.red)"),
    (4, "c = color.new(color.red, 10)\nbgcolor(c)", "c = color.new(color.red, 10)\nbgcolor(c)"),
]
BOOLEANS = [
    (5, 'if volume\n    alert("x")\nplot(1)', 'if bool(volume)\n    alert("x")\nplot(1)'),
    (5, "plot(bar_index ? 1 : 2)", "plot(bool(bar_index) ? 1 : 2)"),
    (5, "plot(not volume ? 1 : 2)", "plot(not bool(volume) ? 1 : 2)"),
    (5, "plot(volume and close - open ? 1 : 2)", "plot(bool(volume) and bool(close - open) ? 1 : 2)"),
    (5, "bool x = na\nplot(x ? 1 : 2)", "bool x = false\nplot(x ? 1 : 2)"),
    (5, "bool x = volume\nplot(x ? 1 : 2)", "bool x = bool(volume)\nplot(x ? 1 : 2)"),
    (5, "x = close > open\nx := na\nplot(x ? 1 : 2)", "x = close > open\nx := false\nplot(x ? 1 : 2)"),
    (5, "x = close > open ? na : true\nplot(x ? 1 : 2)", "x = close > open ? false : true\nplot(x ? 1 : 2)"),
    (5, "x = close > open ? true : na\nplot(x ? 1 : 2)", "x = close > open ? true : false\nplot(x ? 1 : 2)"),
    (5, "a = array.new<bool>(3, na)\nplot(1)", "a = array.new<bool>(3, false)\nplot(1)"),
    (5, "type T\n    bool b = na\nplot(1)", "type T\n    bool b = false\nplot(1)"),
    (5, "f(bool b = na) => b\nplot(f() ? 1 : 2)", "f(bool b = false) => b\nplot(f() ? 1 : 2)"),
    (5, "x = close > open\nplot(nz(x[1]) ? 1 : 2)", "x = close > open\nplot(x[1] ? 1 : 2)"),
    (5, "x = close > open\nplot(nz(x[1], false) ? 1 : 2)", "x = close > open\nplot(x[1] ? 1 : 2)"),
    (5, 'if 1\n    alert("x")\nplot(1)', 'if true\n    alert("x")\nplot(1)'),
]
CALLS = [
    (5, "plot(5 / 2)", "plot(int(5 / 2))"),
    (5, "plot(4 / 2)", "plot(4 / 2)"),
    (5, "plot(5.0 / 2)", "plot(5.0 / 2)"),
    (5, "plot(bar_index / 2)", "plot(bar_index / 2)"),
    (5, "plot(int(5 / 2))", "plot(int(5 / 2))"),
    (5, "n = 5\nplot(n / 2 * close)", "n = 5\nplot(int(n / 2) * close)"),
    (5, "plot(input.int(5) / 2)", "plot(input.int(5) / 2)"),
    # the quotient of two constants was one, also if it had no remainder
    (5, "b = 1440 / 15\nplot(b / 7)", "b = 1440 / 15\nplot(int(b / 7))"),
    (4, "plot(1440 / 15 / 7)", "plot(int(1440 / 15 / 7))"),
    (5, "a = 100 / 8\nb = a / 5\nplot(b / 7)", "a = int(100 / 8)\nb = int(a / 5)\nplot(int(b / 7))"),
    (5, "int m = 390\nplot(ta.sma(close, m / 7))", "int m = 390\nplot(ta.sma(close, int(m / 7)))"),
    (5, "m = -(7) % 4 * 3 + 2\nplot(m / 2)", "m = -(7) % 4 * 3 + 2\nplot(int(m / 2))"),
    (5, "k = true ? 5 : 3\nplot(k / 2)", "k = true ? 5 : 3\nplot(int(k / 2))"),
    (5, "x = int(5 / 2)\nplot(x / 3)", "x = int(5 / 2)\nplot(int(x / 3))"),
    (5, "float f = 5\nplot(f / 2)", "float f = 5\nplot(f / 2)"),
    (5, "n = 5\nn := 6\nplot(n / 2)", "n = 5\nn := 6\nplot(n / 2)"),
    (5, "n = input.int(5)\nplot(n / 2)", "n = input.int(5)\nplot(n / 2)"),
    (5, "plot(bar_index / 2)", "plot(bar_index / 2)"),
    (5, "plot(5.0 / 2)", "plot(5.0 / 2)"),
    (5, "plot(5 / 0)", "plot(5 / 0)"),
    (5, "plot(6[1])", "plot(6)"),
    (
        5,
        "type T\n    float v\nvar t = T.new(1.0)\nplot(t.v[2])",
        "type T\n    float v\nvar t = T.new(1.0)\nplot((na(t[2]) ? na : (t[2]).v))",
    ),
    (5, "plot(close, color = color.blue, color = color.red)", "plot(close, color = color.blue)"),
    (5, "plot(close, linewidth = 0)", "plot(close, linewidth = 1)"),
    (5, "plot(close, style = na)", "plot(close)"),
    (
        5,
        'x = switch input.string("a")\n    "a" => plot.style_area\nplot(close, style = x)',
        'x = switch input.string("a")\n    "a" => plot.style_area\n    => plot.style_line\nplot(close, style = x)',
    ),
    (3, "x = na\nx := close\nplot(x)", "float x = na\nx := close\nplot(x)"),
    (
        3,
        "x = na\nx := close > open ? 1 : nz(x[1])\nplot(x)",
        "float x = na\nx := close > open ? 1 : nz(x[1])\nplot(x)",
    ),
    (
        3,
        "x = na\nx := close > open ? red : lime\nbarcolor(x)",
        "color x = na\nx := close > open ? color.red : color.lime\nbarcolor(x)",
    ),
    (3, "x = 0\nx := x + close\nplot(x)", "float x = 0\nx := x + close\nplot(x)"),
    (5, 'plot(timeframe.period == "D" ? 1 : 0)', 'plot(timeframe.period == "1D" ? 1 : 0)'),
    (5, 'plot(timeframe.period != "60" ? 1 : 0)', 'plot(timeframe.period != "60" ? 1 : 0)'),
    (
        5,
        "a = array.new<int>(2)\nfor i = 0 to array.size(a) - 1\n    array.push(a, i)\nplot(1)",
        "a = array.new<int>(2)\nlast1 = array.size(a) - 1\nfor i = 0 to last1\n    array.push(a, i)\nplot(1)",
    ),
    (5, 'for i = 0 to bar_index\n    log.info("x")\nplot(1)', 'for i = 0 to bar_index\n    log.info("x")\nplot(1)'),
]
LAZINESS = [
    (
        5,
        "plot(close > open and ta.rsi(close, 14) > 50 ? 1 : 0)",
        "rsi1 = ta.rsi(close, 14)\nplot(close > open and rsi1 > 50 ? 1 : 0)",
    ),
    (
        5,
        'if close > open or ta.crossover(close, open)\n    alert("x")\nplot(1)',
        'crossover1 = ta.crossover(close, open)\nif close > open or crossover1\n    alert("x")\nplot(1)',
    ),
    (
        5,
        "plot(ta.rsi(close, 14) > 50 and close > open ? 1 : 0)",
        "plot(ta.rsi(close, 14) > 50 and close > open ? 1 : 0)",
    ),
    (5, "plot(close > open and math.abs(close) > 5 ? 1 : 0)", "plot(close > open and math.abs(close) > 5 ? 1 : 0)"),
    (
        5,
        "f() => ta.ema(close, 3)\nx = true\nx := close > open and f() > 1\nplot(x ? 1 : 0)",
        "f() => ta.ema(close, 3)\nx = true\nf1 = f()\nx := close > open and f1 > 1\nplot(x ? 1 : 0)",
    ),
    (
        5,
        "f(n) => close > open and ta.sma(close, n) > 1 or ta.change(close) > 2\nplot(f(3) ? 1 : 0)",
        "f(n) => \n    change1 = ta.change(close)\n    sma1 = ta.sma(close, n)\n"
        "    close > open and sma1 > 1 or change1 > 2\nplot(f(3) ? 1 : 0)",
    ),
    (
        5,
        "f(n) =>\n  n > 1 and ta.sma(close, n) > 1 and\n  n < 9\nplot(f(3) ? 1 : 0)",
        "f(n) =>\n  \n    sma1 = ta.sma(close, n)\n    n > 1 and sma1 > 1 and\n  n < 9\nplot(f(3) ? 1 : 0)",
    ),
    (
        5,
        "f(n) => n > 1 and ta.sma(close, n) > 1 and\n     n < 9\nplot(f(3) ? 1 : 0)",
        "f(n) => \n    sma1 = ta.sma(close, n)\n    n > 1 and sma1 > 1 and\n     n < 9\nplot(f(3) ? 1 : 0)",
    ),
    (
        5,
        "x = switch\n    close > 1 and ta.change(close) > 0 => 1\n    close > 2 and ta.cum(1) > 3 => 2\nplot(x)",
        "change1 = ta.change(close)\n"
        "x = switch\n    close > 1 and change1 > 0 => 1\n    close > 2 and ta.cum(1) > 3 => 2\nplot(x)",
    ),
    # where not every bar got there before either, nothing is moved out
    (
        5,
        "x = close > open ? volume > 1 and ta.rsi(close, 14) > 50 : false\nplot(x ? 1 : 0)",
        "x = close > open ? volume > 1 and ta.rsi(close, 14) > 50 : false\nplot(x ? 1 : 0)",
    ),
]
ORDERS = [
    (
        'strategy.entry("L", strategy.long, when = close > open)',
        'if close > open\n    strategy.entry("L", strategy.long)',
    ),
    ('strategy.entry("L", true, when = close > open)', 'if close > open\n    strategy.entry("L", strategy.long)'),
    ('strategy.entry("L", 1)', 'strategy.entry("L", strategy.long)'),
    ('strategy.order("S", 0, 2)', 'strategy.order("S", strategy.short, 2)'),
    ('strategy.entry("L", long = false)', 'strategy.entry("L", direction = strategy.short)'),
    ('strategy.entry("L", close > open)', 'strategy.entry("L", close > open ? strategy.long : strategy.short)'),
    ('strategy.close("L", close > open)', 'if close > open\n    strategy.close("L")'),
    ('strategy.close("L", strategy.long)', 'strategy.close("L")'),
    ("strategy.close_all(crossover(close, open))", "if ta.crossover(close, open)\n    strategy.close_all()"),
    ('strategy.close("L", when = volume)', 'if bool(volume)\n    strategy.close("L")'),
    ('strategy.close("L", when = na)', 'if false\n    strategy.close("L")'),
    (
        'strategy.entry("L", strategy.long, 1, na, na, "", strategy.oca.none, "c", close > open)',
        'if close > open\n    strategy.entry("L", strategy.long, 1, na, na, "", strategy.oca.none, "c")',
    ),
    (
        'x = 1, strategy.entry("L", strategy.long, when = close > x), strategy.close("S", when = close < x)',
        'x = 1\nif close > x\n    strategy.entry("L", strategy.long)\nif close < x\n    strategy.close("S")',
    ),
    (
        'f() => strategy.close("L", when = close > open)\nf()',
        'f() =>\n    if close > open\n        strategy.close("L")\nf()',
    ),
    (
        'switch\n    close > 1 => strategy.close("L", when = close > open)',
        'switch\n    close > 1 =>\n        if close > open\n            strategy.close("L")',
    ),
    (
        'strategy.exit("X", "L", profit = 10, limit = high)',
        'strategy.exit("X", "L", limit = high)',
    ),
    ('strategy.exit("X", "L")\nstrategy.close_all()', "strategy.close_all()"),
]
"""Orders of version 4."""
