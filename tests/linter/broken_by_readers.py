"""Broken scripts by somebody who did not write what mends them: what was meant, and the slip that was made in it."""

from __future__ import annotations

from tests.linter.broken_scripts import Broken


def _broken(name: str, meant: str, right: str, wrong: str) -> Broken:
    assert meant.count(right) >= 1, name
    return Broken(name, meant.replace(right, wrong, 1), meant)


SCRIPTS = [
    _broken(
        "limit entry whose stop is misspelt",
        "//@version=6\n"
        'strategy("Pullback", overlay = true)\n'
        "float level = ta.lowest(low, 20)\n"
        "if close > ta.sma(close, 50)\n"
        '    strategy.entry("L", strategy.long, limit = level)\n'
        'strategy.exit("X", "L", stop = level * 0.98, limit = level * 1.04)\n',
        "stop = level",
        "stopp = level",
    ),
    _broken(
        "profit given to an argument that is not there",
        "//@version=6\n"
        'strategy("Ticks", overlay = true)\n'
        "if ta.crossover(close, ta.ema(close, 21))\n"
        '    strategy.entry("L", strategy.long)\n'
        'strategy.exit("X", "L", profit = 200, loss = 100)\n',
        "profit = 200",
        "take_profit = 200",
    ),
    _broken(
        "quantity in percent under another name",
        "//@version=6\n"
        'strategy("Scale out", overlay = true)\n'
        "if ta.crossover(close, ta.sma(close, 20))\n"
        '    strategy.entry("L", strategy.long, qty = 4)\n'
        'strategy.exit("T1", "L", qty_percent = 50, limit = close * 1.02)\n',
        "qty_percent = 50",
        "percent = 50",
    ),
    _broken(
        "both sides, one misspelt",
        "//@version=6\n"
        'strategy("Two sides", overlay = true)\n'
        "fast = ta.ema(close, 12)\n"
        "slow = ta.ema(close, 26)\n"
        "goLong = ta.crossover(fast, slow)\n"
        "goShort = ta.crossunder(fast, slow)\n"
        "if goLong\n"
        '    strategy.entry("Long", strategy.long)\n'
        "if goShort\n"
        '    strategy.entry("Short", strategy.short)\n',
        "if goShort",
        "if goShrt",
    ),
    _broken(
        "direction as a bool",
        "//@version=6\n"
        'strategy("Old direction")\n'
        "bull = close > open\n"
        "if bull\n"
        '    strategy.entry("L", strategy.long)\n',
        'strategy.entry("L", strategy.long)',
        'strategy.entry("L", true)',
    ),
    _broken(
        "when behind an entry",
        "//@version=6\n"
        'strategy("Old habit")\n'
        "buy = ta.crossover(close, ta.sma(close, 10))\n"
        "if buy\n"
        '    strategy.entry("L", strategy.long)\n',
        'if buy\n    strategy.entry("L", strategy.long)',
        'strategy.entry("L", strategy.long, when = buy)',
    ),
    _broken(
        "when in a close",
        "//@version=6\n"
        'strategy("Old close")\n'
        "if ta.crossover(close, ta.sma(close, 10))\n"
        '    strategy.entry("L", strategy.long)\n'
        "if close < low[1]\n"
        '    strategy.close("L")\n',
        'if close < low[1]\n    strategy.close("L")',
        'strategy.close("L", when = close < low[1])',
    ),
    _broken(
        "oversold and overbought near each other",
        "//@version=6\n"
        'indicator("RSI zones")\n'
        "overSold = input.int(30)\n"
        "overBought = input.int(70)\n"
        "r = ta.rsi(close, 14)\n"
        "plot(r < overSold ? 1 : r > overBought ? -1 : 0)\n",
        "r < overSold",
        "r < overSoldd",
    ),
    _broken(
        "a name between two of the script's",
        "//@version=6\n"
        'indicator("Levels")\n'
        "level1 = ta.highest(high, 10)\n"
        "level2 = ta.highest(high, 20)\n"
        "level3 = ta.highest(high, 50)\n"
        "plot(level1)\n"
        "plot(level2)\n"
        "plot(level3)\n",
        "plot(level3)",
        "plot(level)",
    ),
    _broken(
        "length given first",
        '//@version=6\nindicator("Order of arguments")\nplot(ta.ema(close, 34))\n',
        "ta.ema(close, 34)",
        "ta.ema(34, close)",
    ),
    _broken(
        "bands in the wrong order",
        "//@version=6\n"
        'indicator("Bands", overlay = true)\n'
        "[mid, top, bottom] = ta.bb(close, 20, 2.0)\n"
        "plot(mid)\n"
        "plot(top)\n"
        "plot(bottom)\n",
        "ta.bb(close, 20, 2.0)",
        "ta.bb(20, close, 2.0)",
    ),
    _broken(
        "one variable too few for a tuple",
        "//@version=6\n"
        'indicator("MACD")\n'
        "[macdLine, signalLine, histogram] = ta.macd(close, 12, 26, 9)\n"
        "plot(macdLine - signalLine)\n",
        "[macdLine, signalLine, histogram]",
        "[macdLine, signalLine]",
    ),
    _broken(
        "equal sign in a condition",
        "//@version=6\n"
        'indicator("Days")\n'
        "isMonday = dayofweek == dayofweek.monday\n"
        "bgcolor(isMonday ? color.new(color.gray, 90) : na)\n",
        "dayofweek == dayofweek",
        "dayofweek = dayofweek",
    ),
    _broken(
        "and written as in C",
        '//@version=6\nindicator("Both")\nboth = close > open and volume > volume[1]\nplotshape(both)\n',
        "close > open and volume",
        "close > open && volume",
    ),
    _broken(
        "not written as in C",
        '//@version=6\nindicator("Not")\nup = close > open\nplotshape(not up)\n',
        "not up",
        "!up",
    ),
    _broken(
        "a number as a condition",
        "//@version=6\n"
        'indicator("Condition")\n'
        "var int trades = 0\n"
        "if trades > 0\n"
        '    label.new(bar_index, high, "t")\n'
        "plot(close)\n",
        "if trades > 0",
        "if trades",
    ),
    _broken(
        "na as a bool",
        "//@version=6\n"
        'indicator("State")\n'
        "var bool armed = false\n"
        "if close > high[1]\n"
        "    armed := true\n"
        "plotshape(armed)\n",
        "var bool armed = false",
        "var bool armed = na",
    ),
    _broken(
        "history of a literal condition",
        '//@version=6\nindicator("History")\ncond = close > open\nwas = cond[1]\nplotshape(was)\n',
        "was = cond[1]",
        "was = (close > open)1]",
    ),
    _broken(
        "a comment in C style",
        '//@version=6\nindicator("Comment")\n// trend filter\nplot(ta.sma(close, 200))\n',
        "// trend filter",
        "/* trend filter */",
    ),
    _broken(
        "a function without an arrow",
        '//@version=6\nindicator("Function")\nspread(float a, float b) =>\n    a - b\nplot(spread(high, low))\n',
        "spread(float a, float b) =>",
        "spread(float a, float b):",
    ),
    _broken(
        "return in a function",
        '//@version=6\nindicator("Return")\nhalf(float x) =>\n    x / 2\nplot(half(close))\n',
        "    x / 2",
        "    return x / 2",
    ),
    _broken(
        "a colour that is not there",
        '//@version=6\nindicator("Colour")\nplot(close, color = color.orange)\n',
        "color.orange",
        "color.amber",
    ),
    _broken(
        "a hex colour cut short",
        '//@version=6\nindicator("Hex")\nplot(close, color = #FF8800)\n',
        "#FF8800",
        "#F80",
    ),
    _broken(
        "transparency as in older versions",
        '//@version=6\nindicator("Transparent")\nplot(close, color = color.new(color.red, 60))\n',
        "color = color.new(color.red, 60)",
        "color = color.red, transp = 60",
    ),
    _broken(
        "a security call of older versions",
        '//@version=6\nindicator("Daily")\nplot(request.security(syminfo.tickerid, "D", close))\n',
        "request.security",
        "security",
    ),
    _broken(
        "a resolution for a timeframe",
        "//@version=6\n"
        'indicator("Higher")\n'
        'plot(request.security(syminfo.tickerid, timeframe = "240", expression = close))\n',
        'timeframe = "240"',
        'resolution = "240"',
    ),
    _broken(
        "an input of an older kind",
        '//@version=6\nindicator("Input")\nlength = input.int(14, "Length", minval = 1)\nplot(ta.rsi(close, length))\n',
        'input.int(14, "Length", minval = 1)',
        'input(14, "Length", type = input.integer, minval = 1)',
    ),
    _broken(
        "a study of older versions",
        '//@version=6\n//@version=6\nindicator("Old", overlay = true)\nplot(close)\n',
        "indicator(",
        "study(",
    ),
    _broken(
        "a multiplier that is cut to a whole number",
        "//@version=6\n"
        'indicator("Supertrend", overlay = true)\n'
        "[line, direction] = ta.supertrend(3.5, 10)\n"
        "plot(line)\n",
        "ta.supertrend(3.5, 10)",
        "ta.supertrend(10, 3.5)",
    ),
    _broken(
        "a float where a whole number is due",
        '//@version=6\nindicator("Length")\nfactor = input.float(1.5)\nplot(ta.sma(close, int(14 * factor)))\n',
        "int(14 * factor)",
        "14 * factor",
    ),
    _broken(
        "a text where a number is due",
        '//@version=6\nindicator("Width")\nplot(close, linewidth = 2)\n',
        "linewidth = 2",
        'linewidth = "2"',
    ),
    _broken(
        "an order with a misspelt function",
        "//@version=6\n"
        'strategy("Flat")\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long)\n'
        "if hour == 16\n"
        "    strategy.close_all()\n",
        "strategy.close_all()",
        "strategy.closeall()",
    ),
    _broken(
        "cancel for cancel all",
        "//@version=6\n"
        'strategy("Cancel")\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long, stop = high + 1)\n'
        "if hour == 16\n"
        "    strategy.cancel_all()\n",
        "strategy.cancel_all()",
        "strategy.cancelall()",
    ),
    _broken(
        "a field that is near two",
        "//@version=6\n"
        'indicator("Object")\n'
        "type Zone\n"
        "    float top\n"
        "    float bottom\n"
        "    int born\n"
        "var Zone zone = Zone.new(high, low, bar_index)\n"
        "plot(zone.top)\n",
        "plot(zone.top)",
        "plot(zone.to)",
    ),
    _broken(
        "a method of an array misspelt",
        "//@version=6\n"
        'indicator("Array")\n'
        "var values = array.new<float>()\n"
        "values.push(close)\n"
        "if values.size() > 20\n"
        "    values.shift()\n"
        "plot(values.avg())\n",
        "values.avg()",
        "values.average()",
    ),
    _broken(
        "highest instead of lowest by a slip",
        '//@version=6\nindicator("Range")\nplot(ta.lowest(low, 20))\n',
        "ta.lowest(low, 20)",
        "ta.lowes(low, 20)",
    ),
    _broken(
        "crossover by half",
        '//@version=6\nindicator("Cross")\nplotshape(ta.crossover(close, ta.sma(close, 50)))\n',
        "ta.crossover",
        "ta.crossove",
    ),
    _broken(
        "a period written with a comma",
        "//@version=6\n"
        'strategy("Percent", default_qty_type = strategy.percent_of_equity, default_qty_value = 2.5)\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long)\n',
        "default_qty_value = 2.5",
        "default_qty_value = 2,5",
    ),
    _broken(
        "a bracket left open at an order",
        "//@version=6\n"
        'strategy("Bracket")\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long, qty = 2)\n'
        "plot(close)\n",
        "qty = 2)",
        "qty = 2",
    ),
    _broken(
        "a quote left open in an alert",
        "//@version=6\n"
        'indicator("Alert")\n'
        "if close > open\n"
        '    alert("up", alert.freq_once_per_bar_close)\n'
        "plot(close)\n",
        'alert("up",',
        'alert("up,',
    ),
    _broken(
        "a trailing stop in words of another platform",
        "//@version=6\n"
        'strategy("Trail")\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long)\n'
        'strategy.exit("X", "L", trail_points = 50, trail_offset = 20)\n',
        "trail_points = 50, trail_offset = 20",
        "trail = 50, trail_offset = 20",
    ),
    _broken(
        "a stop for shorts above and below",
        "//@version=6\n"
        'strategy("Stops")\n'
        "atr = ta.atr(14)\n"
        "if close < open\n"
        '    strategy.entry("S", strategy.short)\n'
        'strategy.exit("XS", "S", stop = close + 2 * atr, limit = close - 3 * atr)\n',
        "stop = close + 2 * atr",
        "stop = close + 2 atr",
    ),
    _broken(
        "plots in a block",
        '//@version=6\nindicator("Block")\nshow = input.bool(true)\nplot(show ? close : na)\n',
        "plot(show ? close : na)",
        "if show\n    plot(close)",
    ),
    _broken(
        "a global changed in a function",
        '//@version=6\nindicator("Global")\nvar float total = 0.0\ntotal += close\nplot(total)\n',
        "total += close\n",
        "add() =>\n    total += close\nadd()\n",
    ),
    _broken(
        "strategy words in an indicator",
        "//@version=6\n"
        'strategy("Words")\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long)\n'
        "plot(strategy.position_size)\n",
        'strategy("Words")',
        'indicator("Words")',
    ),
    _broken(
        "tanh of other languages",
        "//@version=6\n"
        'indicator("Activation")\n'
        "x = (close - open) / (high - low)\n"
        "plot((math.exp(2 * x) - 1) / (math.exp(2 * x) + 1))\n",
        "(math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)",
        "math.tanh(x)",
    ),
    _broken(
        "a loop in C style",
        '//@version=6\nindicator("Loop")\nfloat total = 0.0\nfor i = 0 to 9\n    total += close[i]\nplot(total)\n',
        "for i = 0 to 9",
        "for (i = 0; i < 10; i++)",
    ),
    _broken(
        "plus plus",
        '//@version=6\nindicator("Plus")\nvar int n = 0\nn += 1\nplot(n)\n',
        "n += 1",
        "n++",
    ),
    _broken(
        "a dash of a word processor",
        '//@version=6\nindicator("Dash")\nplot(high - low)\n',
        "high - low",
        "high – low",
    ),
    _broken(
        "two arguments swapped in a line",
        "//@version=6\n"
        'indicator("Line", overlay = true)\n'
        "if barstate.islast\n"
        "    line.new(bar_index - 10, low, bar_index, high)\n"
        "plot(close)\n",
        "line.new(bar_index - 10, low, bar_index, high)",
        "line.new(low, bar_index - 10, high, bar_index)",
    ),
    _broken(
        "minutes as a name",
        '//@version=6\nindicator("Clock")\nmins = minute(time)\nplot(mins)\n',
        "minute(time)",
        "minutes(time)",
    ),
    _broken(
        "valuewhen without its last argument",
        '//@version=6\nindicator("When")\nplot(ta.valuewhen(close > open, close, 0))\n',
        "ta.valuewhen(close > open, close, 0)",
        "ta.valuewhen(close > open, close)",
    ),
    _broken(
        "rsi of a length",
        '//@version=6\nindicator("RSI")\nplot(ta.rsi(close, 14))\n',
        "ta.rsi(close, 14)",
        "ta.rsi(14)",
    ),
    _broken(
        "session without a type",
        "//@version=6\n"
        'indicator("Session")\n'
        'inSession = not na(time(timeframe.period, "0930-1600"))\n'
        "bgcolor(inSession ? color.new(color.blue, 90) : na)\n",
        'not na(time(timeframe.period, "0930-1600"))',
        'time(timeframe.period, "0930-1600")',
    ),
    _broken(
        "a long position by another word",
        "//@version=6\n"
        'strategy("Position")\n'
        "if strategy.position_size == 0 and close > open\n"
        '    strategy.entry("L", strategy.long)\n',
        "strategy.position_size",
        "strategy.positionsize",
    ),
    _broken(
        "equity by half",
        "//@version=6\n"
        'strategy("Equity")\n'
        "if close > open\n"
        '    strategy.entry("L", strategy.long, qty = strategy.equity / close)\n',
        "strategy.equity",
        "strategy.equty",
    ),
    _broken(
        "net profit near gross profit",
        "//@version=6\n"
        'strategy("Net")\n'
        "if strategy.netprofit > 0 and close > open\n"
        '    strategy.entry("L", strategy.long)\n',
        "strategy.netprofit",
        "strategy.profit",
    ),
]
