"""Tasks in which faults must be named by line and code."""

from __future__ import annotations

from collections.abc import Mapping

from pinebench.evals.draws import Draw
from pinebench.evals.tasks import ExpectedFault, Instance, family, pine

_ANSWER = """\
Lines are counted from 1, and the line of the version comment is line 1. Answer with one JSON object and nothing else, with \
the line as a whole number and the code as a text, for example {{"line": 3, "code": "{example}"}}. The code is one of these:

{codes}"""


def _asked(draw: Draw, question: str, script: str, line: str, code: str, codes: Mapping[str, str]) -> Instance:
    """The task to name `code` on the line of `script` that contains `line`. It offers `codes` in a random order."""
    assert script.count(line) == 1, line
    number = script[: script.index(line)].count("\n") + 1
    order = draw.several(len(codes), *codes)
    listed = "\n".join(f"- {each}: {codes[each]}" for each in order)
    request = f"{question} {_ANSWER.format(example=order[0], codes=listed)}"
    return Instance(request=request, reference="", given=script, fault=ExpectedFault(number, code))


_COMPILING = {
    "CE10271": "a function or its name does not exist",
    "CE10272": "an undeclared identifier",
    "CE10123": "an argument or operand has the wrong type or qualifier",
    "CE10097": "a variable without a type keyword gets na",
    "CE10101": 'the condition of an "if" is not a bool',
    "CE10188": "a function is called in a local scope, but only the global scope allows it",
    "CE10165": "a parameter without a default has no value",
    "CE10120": "the function has no parameter with this name",
    "CE10173": "a variable with a declared type gets a value of another type",
    "CE10157": "an argument without a name follows arguments with names",
    "CE10115": "too many arguments",
}


@family("explain-compile-error", "explain", "indicator", "easy")
def _compile_error(draw: Draw) -> Instance:
    length, factor, window = draw.whole(8, 20), draw.pick(1.5, 2.0, 2.5), draw.whole(20, 40)
    basis, spread, rank = draw.pick(
        ("basis", "spread", "rank"), ("middle", "reach", "place"), ("centre", "width", "share")
    )
    average = draw.pick("ema", "rma", "wma")
    script = pine(f"""
        //@version=6
        indicator("Study of moves", overlay = true)
        int length = input.int({length}, "Length", minval = 1)
        float factor = input.float({factor}, "Factor")
        float {basis} = ta.{average}(close, length)
        float {spread} = factor * ta.atr(length)
        float upper = {basis} + {spread}
        float lower = {basis} - {spread}
        bool isOver = ta.crossover(close, upper)
        bool isUnder = ta.crossunder(close, lower)
        var int count = 0
        if isOver
            count += 1
        var float last = na
        if isUnder
            last := low
        float {rank} = ta.percentrank(close, {window})
        string mood = {rank} > 50 ? "high" : "low"
        plot(upper, "Upper", color = color.red)
        plot(lower, "Lower", color = color.green)
        plot(count, "Count", display = display.data_window)
        plot(last, "Last", style = plot.style_linebr)
        if barstate.islast
            label.new(bar_index, high, mood + " " + str.tostring({rank}, "0"))
    """)
    faults = [
        (f"float upper = {basis} + {spread}", f"float upper = {basis}s + {spread}", "CE10272"),
        ("ta.percentrank(close", "ta.percentrnk(close", "CE10271"),
        ("ta.atr(length)", 'ta.atr("length")', "CE10123"),
        ("var float last = na", "var last = na", "CE10097"),
        ("if isOver", "if count", "CE10101"),
        ("    count += 1", "    plot(count)", "CE10188"),
        ("ta.crossover(close, upper)", "ta.crossover(close)", "CE10165"),
        ('"Upper", color = color.red', '"Upper", colour = color.red', "CE10120"),
        ("var int count = 0", "var int count = 0.5", "CE10173"),
        ('"Length", minval = 1)', '"Length", minval = 1, "Group")', "CE10157"),
        (f"ta.percentrank(close, {window})", f"ta.percentrank(close, {window}, 2)", "CE10115"),
        ('? "high" : "low"', '? "high" : 0', "CE10123"),
        ("    last := low", "    lst := low", "CE10272"),
        ("isUnder = ta.crossunder(close, lower)", "isUnder = ta.crossunder(close)", "CE10165"),
        ("style = plot.style_linebr", "styl = plot.style_linebr", "CE10120"),
    ]
    right, wrong, code = faults[draw.number * 3 + draw.whole(0, 2)]
    question = "This Pine Script v6 script does not compile. It has one error. Find its line and its code."
    return _asked(draw, question, script.replace(right, wrong, 1), wrong, code, _COMPILING)


_STOPPING = {
    "RE10045": "an index is outside of the bounds of an array",
    "RE10041": "a field of an object that is na is accessed",
    "RE10052": "a function of an array is called with an id that is na",
    "RE10021": "the step of a loop is not greater than zero",
    "RE10039": "a column is outside of the bounds of a table",
    "RE10040": "a row is outside of the bounds of a table",
    "RE10044": "the first index of a slice is not smaller than its end",
}


@family("explain-runtime-error", "explain", "indicator", "medium")
def _runtime_error(draw: Draw) -> Instance:
    keep, length, step = draw.whole(4, 9), draw.whole(5, 12), draw.whole(2, 4)
    values, level = draw.pick(("values", "level"), ("window", "mark"), ("held", "zone"))
    script = pine(f"""
        //@version=6
        indicator("Kept values", overlay = true)
        int keep = input.int({keep}, "Keep", minval = 2)
        type Level
            float price
            int bar
        var array<float> {values} = array.new<float>()
        {values}.push(close)
        if {values}.size() > keep
            {values}.shift()
        var Level {level} = Level.new(na, 0)
        if ta.crossover(close, ta.sma(close, {length}))
            {level} := Level.new(high, bar_index)
        float total = 0.0
        for i = 0 to {values}.size() - 1
            total += {values}.get(i)
        float newest = {values}.last()
        array<float> part = {values}.slice(0, {values}.size())
        float best = part.max()
        float price = {level}.price
        var table figures = table.new(position.top_right, 2, {step})
        if barstate.islast
            for row = 0 to {step} - 1
                figures.cell(0, row, str.tostring(row))
                figures.cell(1, row, str.tostring(newest - row))
        plot(total / {values}.size(), "Mean")
        plot(best, "Best")
        plot(price, "Level")
    """)
    faults = [
        (f"total += {values}.get(i)", f"total += {values}.get(i + 1)", "RE10045"),
        (f"var Level {level} = Level.new(na, 0)", f"var Level {level} = na", "RE10041"),
        (f"var array<float> {values} = array.new<float>()", f"var array<float> {values} = na", "RE10052"),
        ("figures.cell(1, row,", "figures.cell(2, row,", "RE10039"),
        (f"for row = 0 to {step} - 1", f"for row = 0 to {step}", "RE10040"),
        (f"float newest = {values}.last()", f"float newest = {values}.get({values}.size())", "RE10045"),
        (f"{values}.slice(0, {values}.size())", f"{values}.slice({values}.size() - 1, 0)", "RE10044"),
    ]
    right, wrong, code = faults[draw.turn(0, 1, 2, 3, 6) if draw.whole(0, 1) else draw.turn(5, 1, 4, 3, 6)]
    script = script.replace(right, wrong, 1)
    line = {"RE10041": f"{level}.price", "RE10052": f"{values}.push(close)", "RE10040": "figures.cell(0, row"}.get(
        code, wrong
    )
    question = (
        "This Pine Script v6 script compiles, but on a chart with some hundred bars it stops with a runtime error. Find the "
        "line whose evaluation raises the error (not the line of its cause, if that is another one), and the code of the "
        "error."
    )
    return _asked(draw, question, script, line, code, _STOPPING)


_REPAINTING = {
    "lookahead-without-offset": "a request with lookahead_on has no offset, so history shows future values",
    "unconfirmed-request": "an order or alert depends on a bar of a longer timeframe that is not closed yet",
    "negative-plot-offset": "a plot with a negative offset is drawn before the bar on which it was known",
    "realtime-value-in-signal": "a signal depends on a value that is not the same on history and in real time",
    "varip-in-signal": "a signal depends on single ticks, which history does not have",
    "last-bar-in-signal": "a signal depends on which bar is the last",
}


@family("explain-repainting", "explain", "indicator", "hard")
def _repainting(draw: Draw) -> Instance:
    timeframe, length, bars = draw.pick("240", "D", "W"), draw.whole(4, 10), draw.whole(20, 60)
    longer, signal = draw.pick(("longer", "isSignal"), ("slow", "isGo"), ("htf", "isUp"))
    script = pine(f"""
        //@version=6
        indicator("Signals", overlay = true)
        int length = input.int({length}, "Length", minval = 1)
        float average = ta.ema(close, length)
        float {longer} = request.security(syminfo.tickerid, "{timeframe}", average[1], lookahead = barmerge.lookahead_on)
        var int ticks = 0
        ticks += 1
        float usual = ta.sma(volume, length)
        bool isBusy = ticks > {bars} and volume > usual
        bool isOver = ta.crossover(close, {longer})
        bool {signal} = isOver and isBusy
        plot({longer}, "Longer", color = color.orange)
        plot(average, "Average", color = color.teal)
        plotshape({signal}, "Signal", location = location.belowbar)
        plot(ticks, "Ticks", display = display.data_window)
        if {signal}
            alert("signal", alert.freq_once_per_bar_close)
    """)
    faults = [
        (
            "average[1], lookahead = barmerge.lookahead_on",
            "average, lookahead = barmerge.lookahead_on",
            "lookahead-without-offset",
        ),
        (
            'plot(average, "Average", color = color.teal)',
            f'plot(average, "Average", color = color.teal, offset = -{draw.whole(1, 5)})',
            "negative-plot-offset",
        ),
        ("var int ticks = 0", "varip int ticks = 0", "varip-in-signal"),
        (
            f'"{timeframe}", average[1], lookahead = barmerge.lookahead_on',
            f'"{timeframe}", average',
            "unconfirmed-request",
        ),
        ("= isOver and isBusy", "= isOver and isBusy and barstate.isrealtime", "realtime-value-in-signal"),
    ]
    right, wrong, code = faults[draw.number]
    question = (
        "This Pine Script v6 script has one fault: its history is not the same as its values in real time."
        " Find the line of the fault (the line with the faulty expression) and its code."
    )
    return _asked(draw, question, script.replace(right, wrong, 1), wrong, code, _REPAINTING)


_TRAPS = {
    "unknown-order-id": "an exit or a close names an order that does not exist",
    "same-operand": "an operator has the same operand twice",
    "loop-never-runs": "the body of a loop never runs",
    "contradictory-comparison": "two comparisons contradict each other, so that the condition is never true",
    "same-branches": "both branches of a condition are the same",
    "overwritten-value": "a value is replaced before anything reads it",
    "self-assignment": "a variable is assigned to itself",
}


@family("explain-trap", "explain", "strategy", "medium")
def _trap(draw: Draw) -> Instance:
    length, loss, profit, quantity = draw.whole(5, 12), draw.whole(10, 20), draw.whole(25, 40), draw.whole(1, 9)
    entry, high, low = draw.pick("Long", "Buy", "Up"), draw.whole(60, 75), draw.whole(25, 40)
    average = draw.pick("ema", "sma", "wma")
    script = pine(f"""
        //@version=6
        strategy("Trend", overlay = true, default_qty_type = strategy.fixed, default_qty_value = {quantity}, slippage = 1, commission_type = strategy.commission.percent, commission_value = 0.05)
        int length = input.int({length}, "Length", minval = 1)
        float average = ta.{average}(close, length)
        float index = ta.rsi(close, length)
        float moved = 0.0
        int i = 1
        while i <= {length}
            moved += math.abs(close[i] - close)
            i += 1
        float edge = close > average ? high : low
        bool isCalm = index < {high} and index > {low}
        var float entryPrice = na
        float distance = close - average
        if ta.crossover(close, average) and isCalm
            entryPrice := close
            strategy.entry("{entry}", strategy.long)
        if distance < 0
            strategy.close("{entry}")
        strategy.exit("Exit", "{entry}", loss = {loss}, profit = {profit})
        plot(average, "Average")
        plot(moved, "Moved", display = display.data_window)
        plot(edge, "Edge", display = display.data_window)
        plot(entryPrice, "Entry", display = display.data_window)
    """)
    faults = [
        (f'strategy.exit("Exit", "{entry}",', f'strategy.exit("Exit", "{entry}s",', "unknown-order-id"),
        ("float distance = close - average", "float distance = close - close", "same-operand"),
        (f"while i <= {length}", "while i < 1", "loop-never-runs"),
        (f"index < {high} and index > {low}", f"index > {high} and index < {low}", "contradictory-comparison"),
        ("close > average ? high : low", "close > average ? high : high", "same-branches"),
    ]
    right, wrong, code = faults[draw.number]
    question = (
        "This Pine Script v6 strategy compiles and runs, but one line of it can hardly be meant as it is. Find the line and "
        "the code of the fault."
    )
    return _asked(draw, question, script.replace(right, wrong, 1), wrong, code, _TRAPS)
