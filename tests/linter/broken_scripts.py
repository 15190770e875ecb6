"""Scripts as traders break them, each with what its author meant: a repair gives that back or leaves it alone."""

from __future__ import annotations

from typing import NamedTuple

INDICATOR = '//@version=6\nindicator("x", overlay = true)\n'
STRATEGY = '//@version=6\nstrategy("x", overlay = true)\n'


class Broken(NamedTuple):
    """A broken script and what was meant."""

    name: str
    text: str
    meant: str


def _of_strategy(name: str, broken: str, meant: str) -> Broken:
    return Broken(name, f"{STRATEGY}{broken}\n", f"{STRATEGY}{meant}\n")


def _of_indicator(name: str, broken: str, meant: str) -> Broken:
    return Broken(name, f"{INDICATOR}{broken}\n", f"{INDICATOR}{meant}\n")


_UP = "goLong = ta.crossover(close, ta.sma(close, 20))\n"

SCRIPTS = [
    # orders
    _of_strategy(
        "when on an entry",
        _UP + 'strategy.entry("Long", strategy.long, when = goLong)',
        _UP + 'if goLong\n    strategy.entry("Long", strategy.long)',
    ),
    _of_strategy(
        "when on a close",
        _UP + 'if goLong\n    strategy.entry("L", strategy.long)\nstrategy.close("L", when = close < open)',
        _UP + 'if goLong\n    strategy.entry("L", strategy.long)\nif close < open\n    strategy.close("L")',
    ),
    _of_strategy(
        "when on an exit with a stop",
        'strategy.exit("X", "L", stop = low - 1, when = strategy.position_size > 0)',
        'if strategy.position_size > 0\n    strategy.exit("X", "L", stop = low - 1)',
    ),
    _of_strategy(
        "when on close_all",
        "strategy.close_all(when = dayofweek == dayofweek.friday)",
        "if dayofweek == dayofweek.friday\n    strategy.close_all()",
    ),
    _of_strategy(
        "no direction under a crossunder",
        'if ta.crossunder(close, open)\n    strategy.entry("Short")',
        'if ta.crossunder(close, open)\n    strategy.entry("Short", strategy.short)',
    ),
    _of_strategy(
        "no direction under a crossover",
        'if ta.crossover(close, open)\n    strategy.entry("Long")',
        'if ta.crossover(close, open)\n    strategy.entry("Long", strategy.long)',
    ),
    _of_strategy(
        "long = false",
        'if close < open\n    strategy.entry("S", long = false)',
        'if close < open\n    strategy.entry("S", strategy.short)',
    ),
    _of_strategy(
        "long = true of version 3",
        'if close > open\n    strategy.entry("L", true)',
        'if close > open\n    strategy.entry("L", strategy.long)',
    ),
    _of_strategy(
        "an order without direction",
        'if close > open\n    strategy.order("Buy", qty = 2)',
        'if close > open\n    strategy.order("Buy", strategy.long, qty = 2)',
    ),
    _of_strategy(
        "qty percent without its underscore",
        'strategy.exit("X", "L", limit = high, qtypercent = 50)',
        'strategy.exit("X", "L", limit = high, qty_percent = 50)',
    ),
    _of_strategy(
        "quantity on an exit",
        'strategy.exit("X", "L", limit = high, quantity = 50)',
        'strategy.exit("X", "L", limit = high, qty_percent = 50)',
    ),
    _of_strategy("percent on a close", 'strategy.close("L", percent = 50)', 'strategy.close("L", qty_percent = 50)'),
    _of_strategy(
        "tp and sl as distances",
        'strategy.exit("X", "L", tp = 100, sl = 50)',
        'strategy.exit("X", "L", profit = 100, loss = 50)',
    ),
    _of_strategy(
        "take profit in words",
        'strategy.exit("X", "L", take_profit = high, stop_loss = low)',
        'strategy.exit("X", "L", limit = high, stop = low)',
    ),
    _of_strategy(
        "trail for points",
        'strategy.exit("X", "L", trail = 20, trail_offset = 5)',
        'strategy.exit("X", "L", trail_points = 20, trail_offset = 5)',
    ),
    _of_strategy("stop price", 'strategy.exit("X", "L", stop_price = low)', 'strategy.exit("X", "L", stop = low)'),
    _of_strategy(
        "profit in another plural", 'strategy.exit("X", "L", profits = 100)', 'strategy.exit("X", "L", profit = 100)'
    ),
    _of_strategy(
        "buy as a direction",
        'if close > open\n    strategy.entry("Go", strategy.buy)',
        'if close > open\n    strategy.entry("Go", strategy.long)',
    ),
    _of_strategy(
        "direction as a text",
        'if close > open\n    strategy.entry("Go", "short")',
        'if close > open\n    strategy.entry("Go", strategy.short)',
    ),
    _of_strategy(
        "exit from an entry by position",
        'strategy.exit("X", from = "L", stop = low)',
        'strategy.exit("X", from_entry = "L", stop = low)',
    ),
    _of_strategy(
        "slipped direction",
        'if close > open\n    strategy.entry("Go", strategy.lnog)',
        'if close > open\n    strategy.entry("Go", strategy.long)',
    ),
    # names
    _of_indicator(
        "a function that Pine lacks",
        "plot(math.tanh(close))",
        "plot((math.exp(2 * close) - 1) / (math.exp(2 * close) + 1))",
    ),
    _of_indicator(
        "another function that Pine lacks", "plot(math.sinh(close))", "plot((math.exp(close) - math.exp(-close)) / 2)"
    ),
    _of_indicator(
        "an average that Pine lacks",
        "plot(ta.dema(close, 9))",
        "e = ta.ema(close, 9)\nplot(2 * e - ta.ema(e, 9))",
    ),
    _of_indicator("a smoothing that Pine lacks", "plot(ta.wwma(close, 9))", "plot(ta.rma(close, 9))"),
    _of_indicator("an undeclared name", "plot(nope)", "nope = close\nplot(nope)"),
    _of_indicator(
        "a sibling that is not there",
        "ma1 = ta.sma(close, 9)\nplot(ma1)\nplot(ma2)",
        "ma1 = ta.sma(close, 9)\nma2 = ta.sma(close, 21)\nplot(ma1)\nplot(ma2)",
    ),
    _of_indicator(
        "a sibling by a letter",
        "bandA = ta.sma(close, 9)\nplot(bandA)\nplot(bandB)",
        "bandA = ta.sma(close, 9)\nbandB = ta.sma(close, 21)\nplot(bandA)\nplot(bandB)",
    ),
    _of_indicator(
        "stop and step",
        "sellStop = low - ta.atr(14)\nplot(sellStop)\nplot(sellStep)",
        "sellStop = low - ta.atr(14)\nsellStep = 2 * syminfo.mintick\nplot(sellStop)\nplot(sellStep)",
    ),
    _of_indicator(
        "log and long",
        "longReturn = close / close[20]\nplot(longReturn)\nplot(logReturn)",
        "longReturn = close / close[20]\nlogReturn = math.log(close / close[1])\nplot(longReturn)\nplot(logReturn)",
    ),
    _of_indicator(
        "a slipped name", "slowLine = ta.sma(close, 50)\nplot(slowLien)", "slowLine = ta.sma(close, 50)\nplot(slowLine)"
    ),
    _of_indicator("a slipped built-in", "plot(ta.ema(clsoe, 50))", "plot(ta.ema(close, 50))"),
    _of_indicator("capitals", "plot(Close - Open)", "plot(close - open)"),
    _of_indicator("capitals of a member", "plot(close, color = color.Red)", "plot(close, color = color.red)"),
    _of_indicator("a slipped function", "plot(ta.highset(high, 20))", "plot(ta.highest(high, 20))"),
    _of_indicator(
        "without a namespace", "plot(sma(close, 20) + rsi(close, 14))", "plot(ta.sma(close, 20) + ta.rsi(close, 14))"
    ),
    _of_indicator(
        "a hand-written average",
        "alpha = 0.1\nsmooth := alpha * close + (1 - alpha) * nz(smooth[1])\nplot(smooth)",
        "alpha = 0.1\nfloat smooth = na\nsmooth := alpha * close + (1 - alpha) * nz(smooth[1])\nplot(smooth)",
    ),
    _of_indicator(
        "a counter under another name",
        "var upCont = 0\nupCount := close > open ? upCount + 1 : 0\nplot(upCount)",
        "var upCount = 0\nupCount := close > open ? upCount + 1 : 0\nplot(upCount)",
    ),
    _of_indicator(
        "a counter that is only set",
        "var upCont = 0\nupCount := close > open ? 1 : 0\nplot(upCount)",
        "var upCount = 0\nupCount := close > open ? 1 : 0\nplot(upCount)",
    ),
    _of_indicator("assigned at once", "spread := high - low\nplot(spread)", "spread = high - low\nplot(spread)"),
    # arguments
    _of_indicator("swapped", "plot(ta.sma(14, close))", "plot(ta.sma(close, 14))"),
    _of_indicator("swapped in a highest", "plot(ta.highest(20, high))", "plot(ta.highest(high, 20))"),
    _of_indicator("no source", "plot(ta.rsi(14))", "plot(ta.rsi(close, 14))"),
    _of_indicator(
        "factor and period", "[s, d] = ta.supertrend(10, 3.0)\nplot(s)", "[s, d] = ta.supertrend(3.0, 10)\nplot(s)"
    ),
    _of_indicator(
        "a computed length",
        "len = 14 / 4.0\nplot(ta.sma(close, len))",
        "len = math.round(14 / 4.0)\nplot(ta.sma(close, len))",
    ),
    _of_indicator(
        "na of a condition", "flag = close > open\nplot(na(flag) ? 1 : 0)", "flag = close > open\nplot(flag ? 0 : 1)"
    ),
    _of_indicator(
        "two faults in a call",
        'plot(close, colour = color.red, linewidth = "2")',
        "plot(close, color = color.red, linewidth = 2)",
    ),
    _of_indicator(
        "three faults in a call",
        'plot(clsoe, titel = "x", color = color.Red)',
        'plot(close, title = "x", color = color.red)',
    ),
    _of_indicator(
        "a number as a text",
        'n = input.int("20", "Length")\nplot(ta.sma(close, n))',
        'n = input.int(20, "Length")\nplot(ta.sma(close, n))',
    ),
    _of_indicator(
        "a text as a number",
        'n = input.string(20, "Length")\nplot(ta.sma(close, 20), n)',
        'n = input.int(20, "Length")\nplot(ta.sma(close, n))',
    ),
    _of_indicator("a length of a line", "plot(close, linewidth = 1.5)", "plot(close, linewidth = 2)"),
    # forms
    _of_indicator("too short a colour", "plot(close, color = #FF00)", "plot(close, color = #FF0000)"),
    _of_indicator("a colour in quotes", 'plot(close, color = "#FF0000")', "plot(close, color = #FF0000)"),
    _of_indicator("one equals sign", "plot(close = open ? 1 : 0)", "plot(close == open ? 1 : 0)"),
    _of_indicator(
        "one equals sign in an if",
        'if close = high\n    alert("x")\nplot(close)',
        'if close >= high\n    alert("x")\nplot(close)',
    ),
    _of_indicator("less or greater", "plot(close <> open ? 1 : 0)", "plot(close != open ? 1 : 0)"),
    _of_indicator(
        "until", "s = 0\nfor i = 0 until 5\n    s += i\nplot(s)", "s = 0\nfor i = 0 to 4\n    s += i\nplot(s)"
    ),
    _of_indicator(
        "two conditions", "plot(close > open && high > low ? 1 : 0)", "plot(close > open and high > low ? 1 : 0)"
    ),
    _of_indicator("a bracket", "plot((close + open / 2)", "plot((close + open) / 2)"),
    _of_indicator("a bracket at the end", "plot(ta.sma(close, 14)", "plot(ta.sma(close, 14))"),
    _of_indicator(
        "an average of the wrong two",
        "fastMa = ta.ema(close, 9)\nslowMa = ta.ema(close, 21)\nplot(fastma > slowma ? 1 : 0)",
        "fastMa = ta.ema(close, 9)\nslowMa = ta.ema(close, 21)\nplot(fastMa > slowMa ? 1 : 0)",
    ),
    _of_indicator(
        "a number as a condition",
        'if ta.change(close)\n    alert("x")\nplot(close)',
        'if ta.change(close) != 0\n    alert("x")\nplot(close)',
    ),
    _of_indicator(
        "a text and a number",
        'label.new(bar_index, high, "at " + close)',
        'label.new(bar_index, high, "at " + str.tostring(close))',
    ),
    _of_indicator("a type of another language", "double x = close\nplot(x)", "float x = close\nplot(x)"),
    _of_indicator("a whole number that is none", "int x = close / 2\nplot(x)", "float x = close / 2\nplot(x)"),
    _of_indicator("a plot in a block", "if close > open\n    plot(close)", "plot(close > open ? close : na)"),
    _of_indicator("no version", "plot(close)", "plot(close)")._replace(
        text='indicator("x", overlay = true)\nplot(close)\n'
    ),
]
"""One fault each, or some in one statement."""
