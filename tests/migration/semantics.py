"""Old scripts with what their own version computed, spelled out by hand in v6, after TradingView's migration guides.

Where the migrated script computes something else, `told` are words of the report that says so beforehand.
"""

from __future__ import annotations

from typing import NamedTuple


class Meant(NamedTuple):
    """An old script without its first lines, the same in v6 with every rule that changed written out, and what the
    report says where the migrated script computes something else."""

    name: str
    version: int
    old: str
    spelled: str
    told: str = ""
    timeframe: str = "15"


MEANT = [
    # `and` and `or` computed both sides on every bar
    Meant(
        "average behind and",
        5,
        "up = close > open and ta.ema(close, 3) > 10\nplot(up ? 1 : 0)",
        "e = ta.ema(close, 3) > 10\nup = close > open and e\nplot(up ? 1 : 0)",
    ),
    Meant(
        "crossing behind or",
        5,
        "x = close > 11 or ta.crossover(close, ta.sma(close, 4))\nplot(x ? 1 : 0)",
        "c = ta.crossover(close, ta.sma(close, 4))\nx = close > 11 or c\nplot(x ? 1 : 0)",
    ),
    Meant(
        "counter of one's own behind and",
        5,
        "f() =>\n    var n = 0\n    n += 1\n    n\nx = close > open and f() % 3 == 0\nplot(x ? 1 : 0)",
        "f() =>\n    var n = 0\n    n += 1\n    n\ny = f() % 3 == 0\nx = close > open and y\nplot(x ? 1 : 0)",
    ),
    Meant(
        "and within or",
        5,
        "x = close > 12 or (open > 9 and ta.change(close, 2) > 0)\nplot(x ? 1 : 0)",
        "c = ta.change(close, 2) > 0\nx = close > 12 or (open > 9 and c)\nplot(x ? 1 : 0)",
    ),
    Meant(
        "chain of three",
        5,
        "x = close > open and ta.rising(close, 2) and ta.highest(5) > 12\nplot(x ? 1 : 0)",
        "r = ta.rising(close, 2)\nh = ta.highest(5) > 12\nx = close > open and r and h\nplot(x ? 1 : 0)",
    ),
    Meant(
        "bars since, in a condition",
        5,
        "x = 0\nif close > open and ta.barssince(close < open) > 1\n    x := 1\nplot(x)",
        "s = ta.barssince(close < open) > 1\nx = 0\nif close > open and s\n    x := 1\nplot(x)",
    ),
    Meant(
        "within a block",
        5,
        "x = 0.0\nif bar_index % 3 != 1\n    y = close > open and ta.cum(1) > 4\n    x := y ? 1 : 2\nplot(x)",
        "x = 0.0\nif bar_index % 3 != 1\n    c = ta.cum(1) > 4\n    x := close > open and c ? 1 : 2\nplot(x)",
    ),
    Meant(
        "within a function",
        5,
        "f(n) => close > open and ta.sma(close, n) > open\nplot(f(3) ? 1 : 0)",
        "f(n) =>\n    s = ta.sma(close, n) > open\n    close > open and s\na = f(3)\nplot(a ? 1 : 0)",
    ),
    Meant(
        "twice within a function",
        5,
        "f(n) => close > open and ta.ema(close, n) > 9 or close < open and ta.cum(1) > 4\nplot(f(3) ? 1 : 0)",
        "f(n) =>\n    e = ta.ema(close, n) > 9\n    c = ta.cum(1) > 4\n    close > open and e or close < open and c\n"
        "plot(f(3) ? 1 : 0)",
    ),
    Meant(
        "a later arm of a switch",
        5,
        "x = switch\n    close < open => 2\n    close > 9 and ta.cum(1) > 9 => 1\n    => 3\nplot(x)",
        "x = 3\nif close < open\n    x := 2\nelse\n    c = ta.cum(1) > 9\n    x := close > 9 and c ? 1 : 3\nplot(x)",
        told="skips it",
    ),
    Meant(
        "in an argument",
        5,
        "plot(nz(ta.valuewhen(close > open and ta.ema(close, 4) > 9, close, 0)))",
        "e = ta.ema(close, 4) > 9\nplot(nz(ta.valuewhen(close > open and e, close, 0)))",
    ),
    Meant(
        "in a change of a variable",
        5,
        "var n = 0\nbool up = false\nup := close > open and ta.ema(close, 2) > 9\nn += up ? 1 : 0\nplot(n)",
        "var n = 0\ne = ta.ema(close, 2) > 9\nup = close > open and e\nn += up ? 1 : 0\nplot(n)",
    ),
    Meant(
        "not before it",
        5,
        "x = close > open and not ta.falling(close, 2)\nplot(x ? 1 : 0)",
        "f = ta.falling(close, 2)\nx = close > open and not f\nplot(x ? 1 : 0)",
    ),
    Meant(
        "in the condition of a ternary",
        5,
        "plot(close > open and ta.wma(close, 3) > 9 ? close : open)",
        "w = ta.wma(close, 3) > 9\nplot(close > open and w ? close : open)",
    ),
    Meant(
        "what depends on nothing before",
        5,
        "x = close > open and math.abs(close - open) > 1\nplot(x ? 1 : 0)",
        "x = close > open and math.abs(close - open) > 1\nplot(x ? 1 : 0)",
    ),
    Meant(
        "version 4, its own names",
        4,
        "x = close > open and rsi(close, 3) > 40\nplot(x ? 1 : 0)",
        "r = ta.rsi(close, 3) > 40\nx = close > open and r\nplot(x ? 1 : 0)",
    ),
    Meant(
        "both values of iff",
        4,
        "plot(iff(close > open, sma(close, 3), ema(close, 3)))",
        "s = ta.sma(close, 3)\ne = ta.ema(close, 3)\nplot(close > open ? s : e)",
    ),
    Meant(
        "switch whose condition is a chain",
        5,
        "x = switch\n    close > open and ta.change(close) > 1 => 1\n    close < open => 2\n    => 3\nplot(x)",
        "c = ta.change(close) > 1\nx = switch\n    close > open and c => 1\n    close < open => 2\n    => 3\nplot(x)",
    ),
    # two const ints divided to an int
    Meant("division", 5, "plot(7 / 2)", "plot(3)"),
    Meant("division of names", 5, "a = 9\nb = a / 2\nplot(ta.sma(close, b))", "plot(ta.sma(close, 4))"),
    Meant("division and its product", 5, "plot(7 / 2 * 2.0)", "plot(6.0)"),
    Meant("division to zero", 5, "plot(close * (1 / 2))", "plot(close * 0)"),
    Meant("division with a fraction", 5, "plot(7 / 2.0)", "plot(3.5)"),
    Meant("division by an input", 5, "n = input.int(2)\nplot(7 / n)", "plot(3.5)"),
    Meant("division of what changes", 5, "plot(bar_index / 2)", "plot(bar_index / 2.0)"),
    Meant("division in a function", 5, "f(x) => x * (3 / 2)\nplot(f(close))", "plot(close * 1)"),
    Meant("division in a chain", 5, "plot(100 / 8 / 2)", "plot(6)"),
    Meant("division by a compound", 5, "plot((3 + 4) / (1 + 1))", "plot(3)"),
    Meant("division in version 4", 4, "plot(7 / 2)", "plot(3)"),
    # numbers as conditions
    Meant(
        "number as a condition", 5, "plot(close - open ? 1 : 0)", "x = close - open\nplot(not na(x) and x != 0 ? 1 : 0)"
    ),
    Meant(
        "na as a condition",
        5,
        "x = close[3]\ny = 0\nif x\n    y := 1\nplot(y)",
        "x = close[3]\nplot(not na(x) and x != 0 ? 1 : 0)",
    ),
    Meant("not of a number", 5, "plot(not (bar_index % 2) ? 1 : 0)", "plot(bar_index % 2 == 0 ? 1 : 0)"),
    Meant(
        "number beside and",
        5,
        "plot(close > open and bar_index % 3 ? 1 : 0)",
        "plot(close > open and bar_index % 3 != 0 ? 1 : 0)",
    ),
    Meant(
        "number given to a bool",
        5,
        "f(bool x) => x ? 1 : 0\nplot(f(bar_index % 2))",
        "f(bool x) => x ? 1 : 0\nplot(f(bar_index % 2 != 0))",
    ),
    Meant("number in while", 5, "n = 3\ns = 0\nwhile n\n    n -= 1\n    s += 1\nplot(s)", "plot(3)"),
    # truth values that were na
    Meant(
        "bool that begins as na",
        5,
        "bool up = na\nif close > open\n    up := true\nplot(up ? 1 : 0)",
        "plot(close > open ? 1 : 0)",
    ),
    Meant(
        "bool of three states",
        5,
        "var bool up = na\nif bar_index > 2\n    up := close > open\nplot(na(up) ? -1 : up ? 1 : 0)",
        "var int up = -1\nif bar_index > 2\n    up := close > open ? 1 : 0\nplot(up)",
        told="na",
    ),
    Meant(
        "nz of a bool",
        5,
        "up = close > open\nplot(nz(up[1], true) ? 1 : 0)",
        "up = close > open\nplot(bar_index == 0 ? 1 : up[1] ? 1 : 0)",
        told="nz()",
    ),
    Meant(
        "history of a bool before the first bar",
        5,
        "up = close > open\nplot(up[1] ? 1 : 0)",
        "up = close > open\nplot(bar_index > 0 and up[1] ? 1 : 0)",
    ),
    Meant(
        "a bool that turned",
        5,
        "up = close >= open\nplot(up != up[1] ? 1 : 0)",
        "up = close >= open\nplot(bar_index > 0 and up != up[1] ? 1 : 0)",
        told="before the first bar",
    ),
    Meant(
        "if that gives a bool or nothing",
        5,
        "up = if close > open\n    true\nplot(up ? 1 : 0)",
        "plot(close > open ? 1 : 0)",
    ),
    # loops, names, timeframes, calls
    Meant(
        "the end of a loop, computed once",
        5,
        "n = 4\ns = 0\nfor i = 0 to n\n    n := 1\n    s += 1\nplot(s)",
        "plot(5)",
    ),
    Meant(
        "the size of an array that shrinks in its loop",
        5,
        "a = array.from(1, 2, 3)\ns = 0\nfor i = 0 to array.size(a) - 1\n    s += array.pop(a)\nplot(s)",
        "plot(6)",
    ),
    Meant("the period of a day", 5, 'plot(timeframe.period == "D" ? 1 : 0)', "plot(1)", timeframe="D"),
    Meant("the period of an hour", 5, 'plot(timeframe.period == "60" ? 1 : 0)', "plot(1)", timeframe="60"),
    Meant("history of a literal", 5, "plot(5[1])", "plot(bar_index > 0 ? 5 : na)", told="history"),
    Meant(
        "offset()",
        4,
        "plot(offset(close, 2))",
        "plot(close[2])",
    ),
    Meant(
        "functions of version 4",
        4,
        "x = max(abs(close - open), stdev(close, 3)) + sum(close, 2) - highest(4) + nz(atr(3)) + tr(true)\nplot(x)",
        "x = math.max(math.abs(close - open), ta.stdev(close, 3)) + math.sum(close, 2) - ta.highest(4)"
        " + nz(ta.atr(3)) + ta.tr(true)\nplot(x)",
    ),
    Meant(
        "names of version 3",
        3,
        "h = highest(close, 3)\nx = n > 3 ? h : na\nplot(valuewhen(close > open, close, 1) + nz(x))",
        "h = ta.highest(close, 3)\nx = bar_index > 3 ? h : na\nplot(ta.valuewhen(close > open, close, 1) + nz(x))",
    ),
    Meant(
        "a relative strength of two series",
        4,
        "u = max(change(close), 0)\nd = -min(change(close), 0)\nplot(rsi(rma(u, 3), rma(d, 3)))",
        "u = ta.rma(math.max(ta.change(close), 0), 3)\nd = ta.rma(-math.min(ta.change(close), 0), 3)\n"
        "plot(d == 0 ? 100 : u == 0 ? 0 : 100 - 100 / (1 + u / d))",
    ),
    Meant(
        "inputs of version 4",
        4,
        'n = input(3, "n", type = input.integer, minval = 1)\nx = input(1.5, "x", type = input.float)\n'
        "plot(sma(close, n) * x)",
        "plot(ta.sma(close, 3) * 1.5)",
    ),
    Meant(
        "a longer timeframe",
        4,
        'plot(security(syminfo.tickerid, "60", close))',
        'plot(request.security(syminfo.tickerid, "60", close))',
    ),
]
