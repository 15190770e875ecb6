"""Rules on repainting and look-ahead: what each reports, and the honest code that looks like it."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from pinebench.linter.rules import opinions_on
from tests.linter.rules.support import INDICATOR, STRATEGY, marked
from tests.tables import each

AHEAD = "lookahead = barmerge.lookahead_on"
DAILY = 'd = request.security(syminfo.tickerid, "D", {}, lookahead = barmerge.lookahead_on)\nplot(d)'
TRADE = "if {}\n    strategy.entry('L', strategy.long)\nelse\n    strategy.close('L')"

REPORTED = [
    ("PB2001", DAILY.format("close"), ["barmerge.lookahead_on"]),
    ("PB2001", DAILY.format("ta.sma(hl2, 9)"), ["barmerge.lookahead_on"]),
    ("PB2001", DAILY.format("close[0]"), ["barmerge.lookahead_on"]),
    ("PB2001", "f() => ta.rsi(close, 9)\n" + DAILY.format("f()"), ["barmerge.lookahead_on"]),
    (
        "PB2001",
        f"[a, b] = request.security('X', 'W', [close[1], high], {AHEAD})\nplot(a + b)",
        ["barmerge.lookahead_on"],
    ),
    ("PB2002", STRATEGY + TRADE.format("timenow > timestamp('2025-01-01')"), ["timenow"]),
    (
        "PB2002",
        STRATEGY + "live = barstate.isrealtime\n" + TRADE.format("live and close > open"),
        ["barstate.isrealtime"],
    ),
    ("PB2002", "plotshape(barstate.isnew and close > open)", ["barstate.isnew"]),
    ("PB2002", "if timenow > time_close\n    alert('x')\nplot(1)", ["timenow"]),
    ("PB2003", "plot(request.security(syminfo.tickerid, '1', close))", ["'1'"]),
    ("PB2003", "TF = '5'\nplot(request.security(syminfo.tickerid, TF, close))", ["TF"]),
    ("PB2003", "plot(request.security('NASDAQ:AAPL', '30S', volume))", ["'30S'"]),
    ("PB2004", '//@version=6\nstrategy("x", calc_on_every_tick = true)\nplot(1)\n', ["true"]),
    ("PB2004", '//@version=6\nEACH = true\nstrategy("x", calc_on_every_tick = EACH)\nplot(1)\n', ["EACH"]),
    ("PB2004", '//@version=6\nstrategy("x", overlay = true, calc_on_every_tick = not false)\nplot(1)\n', ["not false"]),
    ("PB2005", "plotshape(close > open, offset = -3)", ["-3"]),
    ("PB2005", "n = input.int(5)\nplotchar(ta.crossover(close, open), offset = -n)", ["-n"]),
    ("PB2005", "BACK = -2\nplot(ta.sma(close, 9), offset = BACK)", ["BACK"]),
    ("PB2005", "plot(ta.sma(close, 9), trackprice = true, offset = -5)", ["-5"]),
    (
        "PB2006",
        STRATEGY + "d = request.security(syminfo.tickerid, 'D', close)\n" + TRADE.format("close > d"),
        ["request.security(syminfo.tickerid, 'D', close)"],
    ),
    (
        "PB2006",
        "d = request.security(syminfo.tickerid, '240', ta.rsi(close, 9))\nif d > 70\n    alert('x')\nplot(1)",
        ["request.security(syminfo.tickerid, '240', ta.rsi(close, 9))"],
    ),
    (
        "PB2006",
        "f() => request.security(syminfo.tickerid, 'W', high)\nalertcondition(close > f(), 'x', 'y')\nplot(1)",
        ["request.security(syminfo.tickerid, 'W', high)"],
    ),
    ("PB2007", "varip n = 0\nn += 1\nplotshape(n > 3)", ["n"]),
    ("PB2007", "varip n = 0\nn += 1\nif n > 3\n    alert('x')\nplot(1)", ["n"]),
    ("PB2007", "varip x = 0.0\nx := close\nplotshape(x > open)", ["x"]),
    ("PB2007", "varip x = 0.0\nif close > open\n    x := open\nplotshape(x > 9)", ["x"]),
    ("PB2007", "varip x = 0.0\nif barstate.isnew\n    x := close\nplotshape(x > 9)", ["x"]),
    ("PB2007", "varip n = 0\nn := n + 1\nplotshape(n > 9)", ["n"]),
    ("PB2007", "varip n = 0\nn := bar_index + n[1]\nplotshape(n > 9)", ["n"]),
    ("PB2007", "varip n = 0.0\nn := math.random()\nplotshape(n > 9)", ["n"]),
    ("PB2002", "varip x = 0.0\nif barstate.isnew\n    x := close\nplotshape(x > 9)", ["barstate.isnew"]),
    ("PB2002", "varip n = 0\nif barstate.isnew and close > open\n    n += 1\nplotshape(n > 9)", ["barstate.isnew"]),
    ("PB2007", STRATEGY + "varip n = 0\nn += 1\nmany = n > 9\n" + TRADE.format("many"), ["n"]),
    ("PB2008", STRATEGY + TRADE.format("last_bar_index - bar_index < 9"), ["last_bar_index"]),
    ("PB2008", STRATEGY + "late = time > last_bar_time - 1000\n" + TRADE.format("late"), ["last_bar_time"]),
    ("PB2008", STRATEGY + TRADE.format("time > chart.left_visible_bar_time"), ["chart.left_visible_bar_time"]),
    ("PB2008", STRATEGY + TRADE.format("barstate.islast and close > open"), ["barstate.islast"]),
    ("PB2009", f"plot(request.security('X', timeframe.period, close[1], {AHEAD}))", ["barmerge.lookahead_on"]),
    ("PB2009", f"plot(request.security('X', '', ta.sma(close, 9)[1], {AHEAD}))", ["barmerge.lookahead_on"]),
    ("PB2009", f"tf = timeframe.period\nplot(request.security('X', tf, high[1], {AHEAD}))", ["barmerge.lookahead_on"]),
    (
        "PB2002",
        "live() => barstate.isrealtime and close > open\nplotshape(live())",
        ["barstate.isrealtime"],
    ),
    (
        "PB2001",
        f"htf(tf, src) => request.security(syminfo.tickerid, tf, src, {AHEAD})\nplot(htf('D', close))",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2001",
        f"day = request.security(syminfo.tickerid, 'D', close - close[1], {AHEAD})\nplot(day)",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2001",
        f"type Bar\n    float c\nb = request.security(syminfo.tickerid, 'D', Bar.new(close), {AHEAD})\nplot(b.c)",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2001",
        "f() =>\n"
        "    top = high[1]\n"
        "    [top, low]\n"
        f"[a, b] = request.security(syminfo.tickerid, 'D', f(), {AHEAD})\n"
        "plot(a + b)",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', close, {AHEAD})\n"
        "if barstate.islast\n"
        "    label.new(bar_index, d, 'now')\n"
        "plot(d)",
        ["barmerge.lookahead_on"],
    ),
    ("PB2003", "fast(tf) => request.security(syminfo.tickerid, tf, close)\nplot(fast('60') - fast('1'))", ["'1'"]),
    (
        "PB2003",
        "chart = request.security('X', timeframe.period, close)\nplot(chart - request.security('X', '1', close))",
        ["'1'"],
    ),
    (
        "PB2006",
        "up(tf) => request.security(syminfo.tickerid, tf, close > ta.sma(close, 9))\nplotshape(up('D'))",
        ["request.security(syminfo.tickerid, tf, close > ta.sma(close, 9))"],
    ),
    (
        "PB2006",
        "grew = request.security('X', 'D', close - close[1])\nplotshape(grew > 0)",
        ["request.security('X', 'D', close - close[1])"],
    ),
    (
        "PB2009",
        f"f() => ta.sma(close, 9)[1]\nplot(request.security('X', timeframe.period, f(), {AHEAD}))",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2009",
        f"of(symbol, tf) => request.security(symbol, tf, close[1], {AHEAD})\nplot(of('X', timeframe.period))",
        ["barmerge.lookahead_on"],
    ),
    ("PB2009", f"plot(request.security('X', timeframe.main_period, close[1], {AHEAD}))", ["barmerge.lookahead_on"]),
    (
        "PB2002",
        "//@version=6\n"
        'strategy("x")\n'
        "type State\n"
        "    bool go = false\n"
        "var s = State.new()\n"
        "s.go := barstate.isrealtime and close > open\n"
        "if s.go\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
        ["barstate.isrealtime"],
    ),
    (
        "PB2002",
        "//@version=6\n"
        'strategy("x")\n'
        "if barstate.isrealtime and barstate.isconfirmed and close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
        ["barstate.isrealtime"],
    ),
    (
        "PB2002",
        "//@version=6\n"
        'strategy("x")\n'
        "if barstate.isrealtime and not barstate.isconfirmed\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
        ["barstate.isrealtime"],
    ),
    (
        "PB2002",
        "live = barstate.isrealtime and close > open\nalertcondition(live, 'x')\nplotshape(live)",
        ["barstate.isrealtime"],
    ),
    ("PB2002", "if timenow > time_close and barstate.ishistory\n    alert('x')\nplot(1)", ["timenow"]),
    (
        "PB2004",
        "//@version=6\n"
        'strategy("x", calc_on_every_tick = true)\n'
        "if close > open and barstate.isconfirmed\n"
        '    strategy.entry("L", strategy.long)\n'
        "if close < open\n"
        "    strategy.close('L')\n",
        ["true"],
    ),
    (
        "PB2006",
        "tf = input.timeframe('D')\nd = request.security('X', tf, close)\nplotshape(close > d)",
        ["request.security('X', tf, close)"],
    ),
    ("PB2007", "varip kept = array.new_float()\nkept.push(close)\nplotshape(kept.size() > 50)", ["kept"]),
    ("PB2007", "type State\n    varip int n = 0\nvar s = State.new()\ns.n += 1\nplotshape(s.n > 9)", ["n"]),
    (
        "PB2007",
        "varip touched = false\nif high > high[1]\n    touched := true\nif touched\n    alert('x')\nplot(1)",
        ["touched"],
    ),
    (
        "PB2008",
        "//@version=6\n"
        'strategy("x")\n'
        "type Window\n"
        "    bool on = false\n"
        "w = Window.new(last_bar_index - bar_index < 9)\n"
        "if w.on\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
        ["last_bar_index"],
    ),
    ("PB2005", "plotshape(close > high[1], offset = -2)", ["-2"]),
    ("PB2005", "n = input.int(20)\nplot(ta.ema(close, n), offset = -n / 2)", ["-n / 2"]),
    ("PB2005", "weak = ta.rsi(close, 14) > 70\nplot(weak ? high : na, offset = -3)", ["-3"]),
    (
        "PB2001",
        "on = input.bool(true)\n"
        "ahead = on ? barmerge.lookahead_on : barmerge.lookahead_off\n"
        "plot(request.security('X', 'D', close, lookahead = ahead))",
        ["ahead"],
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', high, {AHEAD})\nplot(ta.valuewhen(close > open, d[1], 0))",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', close, {AHEAD})\n"
        "show() =>\n"
        "    label.new(bar_index, high, str.tostring(d))\n"
        "    0\n"
        "show()\n"
        "if barstate.islast\n"
        "    show()",
        ["barmerge.lookahead_on"],
    ),
    ("PB2001", f"[p, c] = request.security('X', 'D', [close[1], close], {AHEAD})\nplot(c)", ["barmerge.lookahead_on"]),
    (
        "PB2006",
        "[p, c] = request.security('X', 'D', [close[1], close])\nplotshape(c > p)",
        ["request.security('X', 'D', [close[1], close])"],
    ),
    (
        "PB2001",
        "safe = input.bool(false)\n"
        f"now = request.security('X', 'D', close, {AHEAD})\n"
        f"old = request.security('X', 'D', close[1], {AHEAD})\n"
        "plot(safe ? old : now)",
        ["barmerge.lookahead_on"],
    ),
    (
        "PB2006",
        "safe = input.bool(false)\n"
        "now = request.security('X', 'D', close)\n"
        f"old = request.security('X', 'D', close[1], {AHEAD})\n"
        "day = safe ? old : now\n"
        "plotshape(close > day)",
        ["request.security('X', 'D', close)"],
    ),
]

LEFT_ALONE = [
    ("PB2001", DAILY.format("close[1]")),
    ("PB2001", DAILY.format("ta.sma(close, 9)[1]")),
    ("PB2001", DAILY.format("open")),
    ("PB2001", "x = close[1]\n" + DAILY.format("x")),
    ("PB2001", "f() => ta.rsi(close, 9)[1]\n" + DAILY.format("f()")),
    ("PB2001", "plot(request.security(syminfo.tickerid, 'D', close, lookahead = barmerge.lookahead_off))"),
    ("PB2002", STRATEGY + TRADE.format("barstate.isconfirmed and close > open")),
    ("PB2002", "if barstate.isrealtime and close > open\n    alert('x')\nplot(1)"),
    ("PB2002", "t = timenow\nif barstate.islast\n    label.new(bar_index, high, str.tostring(t))\nplot(1)"),
    ("PB2003", "plot(array.sum(request.security_lower_tf(syminfo.tickerid, '1', close)))"),
    ("PB2003", "plot(request.security(syminfo.tickerid, 'D', close))"),
    (
        "PB2003",
        "if timeframe.in_seconds() > 60\n    runtime.error('x')\nplot(request.security(syminfo.tickerid, '1', close))",
    ),
    ("PB2004", '//@version=6\nstrategy("x", calc_on_every_tick = false)\nplot(1)\n'),
    ("PB2004", '//@version=6\nstrategy("x")\nplot(1)\n'),
    ("PB2004", '//@version=6\nstrategy("x", calc_on_order_fills = true)\nplot(1)\n'),
    ("PB2005", "plotshape(not na(ta.pivothigh(5, 5)), offset = -5)"),
    ("PB2005", "n = input.int(5)\nplot(high[n], offset = -n)"),
    ("PB2005", "plot(close, offset = 26)"),
    ("PB2005", "plot(close, trackprice = true, show_last = 1, offset = -9999)"),
    ("PB2005", "plot(ta.sma(close, 9), trackprice = true, offset = -9999)"),
    ("PB2009", f"plot(close - request.security('X', timeframe.period, close[9], {AHEAD}))"),
    ("PB2005", "bgcolor(close > open ? color.red : na, offset = -1)"),
    (
        "PB2006",
        STRATEGY
        + "d = request.security('X', 'D', close[1], lookahead = barmerge.lookahead_on)\n"
        + TRADE.format("close > d"),
    ),
    ("PB2006", STRATEGY + "d = request.security(syminfo.tickerid, 'D', close)\n" + TRADE.format("close > d[1]")),
    ("PB2006", "d = request.security(syminfo.tickerid, 'D', close)\nplot(d)"),
    (
        "PB2006",
        "d = request.security('X', 'D', close)\nif close > d and barstate.isconfirmed\n    alert('x')\nplot(1)",
    ),
    ("PB2007", "varip n = 0\nn += 1\nplot(n)"),
    ("PB2007", "varip x = 0.0\nx := open\nplotshape(close > x)"),
    ("PB2007", "varip x = 0.0\nx := close[1] + math.abs(open)\nplotshape(close > x)"),
    ("PB2007", "varip float x = na\nif barstate.isfirst\n    x := close\nplotshape(close > x)"),
    ("PB2007", "varip int x = na\nif na(x)\n    x := 5\nplotshape(close > x)"),
    ("PB2007", "varip s = ''\ns := syminfo.ticker\nplotshape(s == 'A')"),
    ("PB2007", "n = input.int(3)\nvarip x = 0\nif hour == 9\n    x := n\nplotshape(close > x)"),
    ("PB2007", "varip n = 0\nif barstate.isnew\n    n += 1\nplotshape(n % 9 == 0)"),
    ("PB2002", "varip n = 0\nif barstate.isnew\n    n += 1\nplotshape(n % 9 == 0)"),
    ("PB2002", STRATEGY + TRADE.format("(barstate.ishistory or barstate.isrealtime) and close > open")),
    ("PB2007", "var n = 0\nn += 1\nplotshape(n > 3)"),
    ("PB2007", "varip NAME = 'x'\nif close > open and NAME == 'x'\n    alert('x')\nplot(1)"),
    ("PB2008", "if last_bar_index - bar_index < 9\n    label.new(bar_index, high, 'x')\nplot(1)"),
    ("PB2008", STRATEGY + TRADE.format("close > open") + "\nplot(last_bar_index)"),
    ("PB2008", STRATEGY + TRADE.format("time > timestamp('2025-01-01')")),
    ("PB2008", STRATEGY + TRADE.format("close > open") + "\nif barstate.islast\n    strategy.close_all()"),
    ("PB2009", f"plot(request.security('X', 'D', close[1], {AHEAD}))"),
    ("PB2009", "plot(request.security('X', timeframe.period, close[1]))"),
    ("PB2009", "plot(request.security('X', timeframe.period, close))"),
    (
        "PB2001",
        "import TradingView/ta/7 as tv\n"
        "moved = tv.changePercent(close, open)\n"
        f"plot(request.security(syminfo.tickerid, 'D', moved, {AHEAD}))",
    ),
    (
        "PB2002",
        "var label left = na\ncrossed() =>\n    if barstate.islast\n"
        "        left.set_text(str.tostring(time_close - timenow))\n    close > open\nif crossed()\n"
        "    alert('x')\nplot(close)",
    ),
    ("PB2005", "plot(close, offset = -26)"),
    ("PB2005", "shown = input.bool(true)\nlagging = close\nplot(shown ? lagging : na, offset = -26)"),
    ("PB2005", "far = ta.sma(close, 9)\nplot(far, display = display.data_window, offset = -5)"),
    (
        "PB2007",
        "//@version=6\nstrategy('x', calc_on_order_fills = true)\nvarip stop = 0.0\nif close > open\n"
        "    stop := low\n    strategy.entry('L', strategy.long)\nif close < stop\n"
        "    strategy.close('L')",
    ),
    (
        "PB2001",
        "weekEnd = request.security(syminfo.tickerid, 'W', time_close, lookahead = barmerge.lookahead_on)\n"
        "plot(weekEnd)",
    ),
    (
        "PB2001",
        "var t = table.new(position.top_right, 1, 1)\nif barstate.islast\n"
        "    float day = request.security(syminfo.tickerid, 'D', close, lookahead = barmerge.lookahead_on)\n"
        "    t.cell(0, 0, str.tostring(day))",
    ),
    ("PB2005", "show = input.bool(true)\nfloat chikou = show ? close : na\nplot(show ? chikou : na, offset = -26)"),
    ("PB2001", f"htf(tf, src) => request.security(syminfo.tickerid, tf, src, {AHEAD})\nplot(htf('D', close[1]))"),
    (
        "PB2001",
        "mean(src) => ta.sma(src, 9)\n"
        f"d = request.security(syminfo.tickerid, 'D', mean(close[1]), {AHEAD})\n"
        "plot(mean(close) - d)",
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', ta.sma(close[1], 9) - nz(close[2], close), {AHEAD})\nplot(d)",
    ),
    (
        "PB2001",
        f"type Bar\n    float c\nb = request.security(syminfo.tickerid, 'D', Bar.new(close[1]), {AHEAD})\nplot(b.c)",
    ),
    (
        "PB2001",
        "live = input.bool(false)\n"
        f"d = request.security(syminfo.tickerid, 'D', live ? close : close[1], {AHEAD})\n"
        "plot(d)",
    ),
    (
        "PB2001",
        f"[c, v] = request.security(syminfo.tickerid, 'D', [close, volume], {AHEAD})\n"
        "shown = str.tostring(c * v)\n"
        "if barstate.islast\n"
        "    label.new(bar_index, high, shown)",
    ),
    (
        "PB2001",
        f"day() => request.security(syminfo.tickerid, 'D', close, {AHEAD})\n"
        "if bar_index == last_bar_index\n"
        "    label.new(bar_index, high, str.tostring(day()))",
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', high, {AHEAD})\n"
        "var float before = na\n"
        "if timeframe.change('D')\n"
        "    before := d[1]\n"
        "plot(before)",
    ),
    ("PB2003", "plot(request.security('X', '1', syminfo.mintick))"),
    (
        "PB2003",
        "last = request.security('X', '1', close)\n"
        "if barstate.islast\n"
        "    label.new(bar_index, high, str.tostring(last))",
    ),
    ("PB2003", "last = request.security('X', '1', close, calc_bars_count = 1)\nplot(last)"),
    ("PB2006", "d = request.security('X', 'D', barstate.isrealtime ? close[1] : close)\nplotshape(close > d)"),
    (
        "PB2009",
        f"of(symbol, tf) => request.security(symbol, tf, close[1], {AHEAD})\n"
        "plot(of('X', timeframe.period) - of('X', 'D'))",
    ),
    (
        "PB2002",
        "if barstate.isrealtime\n    if timenow - time_close < 60000 and close > open\n        alert('x')\nplot(1)",
    ),
    (
        "PB2002",
        "live = barstate.isrealtime\n"
        "fresh = live and timenow < time_close and close > open\n"
        "if fresh\n"
        "    alert('x')\n"
        "plot(1)",
    ),
    (
        "PB2002",
        "live = barstate.isrealtime and timenow < time_close\nalertcondition(live and close > open, 'x')\nplot(1)",
    ),
    (
        "PB2002",
        "var sent = 0\nif close > open and timenow - sent > 60000\n    alert('x')\n    sent := timenow\nplot(1)",
    ),
    (
        "PB2002",
        "//@version=6\n"
        'strategy("x")\n'
        "if (barstate.ishistory or barstate.isconfirmed) and close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
    ),
    (
        "PB2002",
        "//@version=6\n"
        'strategy("x")\n'
        "wait = barstate.isrealtime and not barstate.isconfirmed\n"
        "if not wait and close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
    ),
    (
        "PB2002",
        "d = request.security('X', 'D', close[barstate.isrealtime ? 1 : 0])[barstate.isrealtime ? 0 : 1]\n"
        "plotshape(close > d)",
    ),
    ("PB2002", "back = barstate.isrealtime ? 1 : 0\nplotshape(close[back] > open[back])"),
    (
        "PB2004",
        "//@version=6\n"
        'strategy("x", calc_on_every_tick = true)\n'
        "done = barstate.isconfirmed\n"
        "if done and close > open\n"
        '    strategy.entry("L", strategy.long)\n'
        "if done and close < open\n"
        '    strategy.close("L")\n',
    ),
    (
        "PB2004",
        "//@version=6\n"
        'strategy("x", calc_on_every_tick = true)\n'
        "go(bool up) =>\n"
        "    if up\n"
        '        strategy.entry("L", strategy.long)\n'
        "    else\n"
        '        strategy.close("L")\n'
        "if barstate.isconfirmed\n"
        "    go(close > open)\n",
    ),
    ("PB2006", "tf = input.timeframe('')\nd = request.security('X', tf, close)\nplotshape(close > d)"),
    (
        "PB2007",
        "type State\n"
        "    varip int n = 0\n"
        "    float top = na\n"
        "var s = State.new()\n"
        "s.n += 1\n"
        "if close > open\n"
        "    s.top := high\n"
        "plotshape(close > s.top)\n"
        "plot(s.n)",
    ),
    (
        "PB2007",
        "varip sent = false\n"
        "if barstate.isnew\n"
        "    sent := false\n"
        "if close > open and not sent\n"
        "    alert('x')\n"
        "    sent := true\n"
        "plot(1)",
    ),
    ("PB2007", "varip ups = 0\nif barstate.isconfirmed\n    ups := close > open ? ups + 1 : 0\nplotshape(ups == 3)"),
    (
        "PB2008",
        "//@version=6\n"
        'strategy("x")\n'
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')\n"
        "if bar_index == last_bar_index - 1\n"
        "    strategy.close_all()",
    ),
    ("PB2005", "plotshape(high[2] > high and high[2] > high[4], offset = -2)"),
    ("PB2005", "mark = false\nif volume[1] > ta.highest(volume, 9)[2]\n    mark := true\nplotshape(mark, offset = -1)"),
    ("PB2005", "older = high[1]\nplotshape(older[1] > high, offset = -2)"),
    (
        "PB2001",
        "on = input.bool(false)\n"
        "ahead = on ? barmerge.lookahead_on : barmerge.lookahead_off\n"
        "plot(request.security('X', 'D', close, lookahead = ahead))",
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', high, {AHEAD})\n"
        "plot(ta.valuewhen(timeframe.change('D'), d[1], 0))",
    ),
    (
        "PB2002",
        "//@version=6\n"
        'strategy("x")\n'
        "ready = barstate.isrealtime ? barstate.isconfirmed : true\n"
        "if ready and close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "else\n"
        "    strategy.close('L')",
    ),
    (
        "PB2001",
        f"d = request.security(syminfo.tickerid, 'D', close, {AHEAD})\n"
        "show() =>\n"
        "    label.new(bar_index, high, str.tostring(d))\n"
        "    0\n"
        "if barstate.islast\n"
        "    show()",
    ),
    (
        "PB2001",
        f"[p, c] = request.security('X', 'D', [close[1], close], {AHEAD})\n"
        "plot(p)\n"
        "if barstate.islast\n"
        "    label.new(bar_index, c, 'now')",
    ),
    ("PB2001", f"[_, _, p] = request.security('X', 'D', [close, high, close[1]], {AHEAD})\nplot(p)"),
    ("PB2006", "[p, c] = request.security('X', 'D', [close[1], close])\nplot(c)\nplotshape(ta.crossover(close, p))"),
    ("PB2006", "f() => [high, low]\n[h, l] = request.security('X', 'D', f())\nplotshape(close > h[1] or close < l[1])"),
    (
        "PB2001",
        "safe = input.bool(true)\n"
        f"now = request.security('X', 'D', close, {AHEAD})\n"
        f"old = request.security('X', 'D', close[1], {AHEAD})\n"
        "plot(safe ? old : now)",
    ),
    (
        "PB2001",
        "safe = input.bool(true)\n"
        f"now = request.security('X', 'D', close, {AHEAD})\n"
        f"old = request.security('X', 'D', close[1], {AHEAD})\n"
        "day = not safe ? now : old\n"
        "plot(day)",
    ),
    (
        "PB2006",
        "safe = input.bool(true)\n"
        "now = request.security('X', 'D', close)\n"
        f"old = request.security('X', 'D', close[1], {AHEAD})\n"
        "day = safe ? old : now\n"
        "plotshape(close > day)",
    ),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body) == []


def test_how_short_a_timeframe_must_be_can_be_set() -> None:
    body = "plot(request.security(syminfo.tickerid, '15', close))"
    assert marked("PB2003", body) == []
    assert marked("PB2003", body, options={"PB2003": {"minutes": 30}}) == ["'15'"]


@pytest.mark.parametrize(
    ("timeframe", "said"), [("5S", "5 seconds"), ("S", "1 second"), ("1", "1 minute"), ("3", "3 minutes")]
)
def test_a_short_timeframe_is_told_in_its_own_unit(timeframe: str, said: str) -> None:
    program = open_program(f"{INDICATOR}plot(request.security(syminfo.tickerid, '{timeframe}', close))")
    [found] = opinions_on(program, ["PB2003"])
    assert found.message.startswith(f"A chart of more than {said} gets only")


def test_one_finding_tells_of_all_requests_of_one_signal_and_timeframe() -> None:
    asked = "".join(f'r{n} = request.security("S{n}", "{t}", close)\n' for n, t in enumerate("DDDW"))
    body = f"{asked}alertcondition(r0 > 1 and r1 > 2 and r2 > 3 and r3 > 4)\nplot(close)"
    assert marked("PB2006", body) == ['request.security("S0", "D", close)', 'request.security("S3", "W", close)']
