"""Tasks to repair scripts that do not compile, stop with an error, or do not do what they should."""

from __future__ import annotations

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.families.strategies import account
from pinebench.evals.oracle import NAN, zipped
from pinebench.evals.tasks import Instance, family, pine, words


@family("repair-errors", "repair", "indicator", "easy")
def _errors(draw: Draw) -> Instance:
    length, level = draw.whole(6, 12), draw.whole(2, 6)
    name, shape = draw.pick(("Momentum", "Fast"), ("Speed", "Jump"), ("Drift", "Surge"))
    faults = [
        ("ta.roc(close, length)", "roc(close, length)"),
        ("float best = na", "best = na"),
        ("best := math.max(nz(best, change), change)", "best = math.max(nz(best, change), change)"),
        ("bool isFast = change > level", "bool isFast = na"),
        ('plotshape(isFast, "', 'plotshape(isFast, "'),
        ("color.new(color.teal, 20)", "color.teal, transp = 20"),
        ("if isFast", "if change"),
        ("count += 1", "count++"),
    ]
    chosen = draw.turn((0, 1, 7), (2, 5, 0), (1, 6, 2), (7, 5, 6), (0, 2, 7))
    reference = pine(f"""
        //@version=6
        indicator("{name}")
        int length = input.int({length}, "Length", minval = 1)
        float level = input.float({level}, "Level")
        float change = ta.roc(close, length)
        var float best = na
        best := math.max(nz(best, change), change)
        bool isFast = change > level
        var int count = 0
        if isFast
            count += 1
        plot(change, "{name}", color = color.new(color.teal, 20))
        plot(best, "Best")
        plot(count, "Count")
        plotshape(isFast, "{shape}", location = location.top)
    """)
    given = reference
    for number in chosen:
        given = given.replace(*faults[number])

    def values(bars, n: int, least: float) -> dict[str, list]:
        moves = zipped(lambda now, before: 100 * (now - before) / before, bars.close, oracle.shifted(bars.close, n))
        tops: list[float] = []
        for move in moves:
            last = tops[-1] if tops else NAN
            tops.append(move if last != last else max(last, move))
        fast = [move > least for move in moves]
        return {name: moves, "Best": tops, "Count": oracle.totals([float(one) for one in fast]), shape: fast}

    return Instance(
        request=words(f"""
            This script does not compile. Repair it. It should plot the rate of change of the close (ta.roc) over the input
            "Length" as "{name}" and its largest value so far as "Best". A bar is fast if the rate of change is above the
            input "Level": fast bars show the plotshape "{shape}", and the plot "Count" is their number so far.
        """),
        given=given,
        reference=reference,
        inputs={"Length": length + 3, "Level": level + 1.5},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length), inputs.get("Level", level)),
    )


@family("repair-stop", "repair", "indicator", "medium")
def _stop(draw: Draw) -> Instance:
    length, keep = draw.whole(5, 9), draw.whole(4, 8)
    kind = draw.turn("first", "beyond", "empty", "first", "beyond")
    mean, span = draw.pick(("Mean", "Span"), ("Average", "Range"), ("Centre", "Width"))
    source = draw.turn("close", "high", "low", "volume", "open")

    def script(guard: str, last: str, end: str) -> str:
        return pine(f"""
            //@version=6
            indicator("Up bars")
            int keep = input.int({keep}, "Keep", minval = 1)
            var array<float> values = array.new<float>()
            if close > open
                values.push({source})
            if values.size() > keep
                values.shift()
            float total = 0.0
            float oldest = na
            {guard}
                for i = 0 to {end}
                    total += values.get(i)
                oldest := values.{last}
            int size = values.size()
            plot(size > 0 ? total / size : na, "{mean}")
            plot(size > 0 ? {source} - oldest : na, "{span}")
            plot(ta.sma(close, {length}), "Line")
        """)

    good = script("if values.size() > 0", "first()", "values.size() - 1")
    given = {
        "first": script("if bar_index >= 0", "get(0)", "values.size() - 1"),
        "beyond": script("if values.size() > 0", "get(0)", "values.size()"),
        "empty": script("if barstate.isfirst or values.size() > 0", "first()", "keep - 1"),
    }[kind]

    def values(bars, most: int) -> dict[str, list[float]]:
        held: list[float] = []
        found: dict[str, list[float]] = {mean: [], span: [], "Line": oracle.sma(bars.close, length)}
        series = getattr(bars, source)
        for i in range(len(bars)):
            if bars.close[i] > bars.open[i]:
                held.append(series[i])
            held = held[-most:]
            found[mean].append(oracle.mean(held) if held else NAN)
            found[span].append(series[i] - held[0] if held else NAN)
        return found

    return Instance(
        request=words(f"""
            This script stops with a runtime error. Repair it, so that it runs on all bars. It should keep the {source} of the
            last bars that closed above their open, this bar included, at most as many as the input "Keep". The plot "{mean}"
            is the average of the kept values, "{span}" is this bar's {source} minus the oldest kept value; both are na while
            nothing is kept. The plot "Line" stays as it is.
        """),
        given=given,
        reference=good,
        inputs={"Keep": keep + 3},
        fall=1.0,
        oracle=lambda bars, inputs: values(bars, inputs.get("Keep", keep)),
    )


@family("repair-repainting", "repair", "indicator", "hard")
def _repainting(draw: Draw) -> Instance:
    timeframe = draw.turn("240", "D", "180", "120", "240")
    length = draw.whole(3, 7)
    line, sign = draw.pick(("Trend", "Up"), ("Longer", "Above"), ("Base", "Over"))
    average = draw.turn("ema", "sma", "ema", "wma", "sma")
    fault = draw.turn("lookahead", "current", "lookahead", "current", "lookahead")

    def script(expression: str, more: str) -> str:
        return pine(f"""
            //@version=6
            indicator("Longer trend", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float average = ta.{average}(close, length)
            float longer = request.security(syminfo.tickerid, "{timeframe}", {expression}{more})
            bool isOver = ta.crossover(close, longer)
            plot(longer, "{line}")
            plotshape(isOver, "{sign}", location = location.belowbar)
        """)

    good = script("average[1]", ", lookahead = barmerge.lookahead_on")
    given = script("average", ", lookahead = barmerge.lookahead_on" if fault == "lookahead" else "")
    return Instance(
        request=words("""
            This script repaints: its line and its signals are not the same on history and in real time. Repair it. The line
            must be, on every bar of the chart, the value of the last bar of the longer timeframe that was complete before
            the longer bar began in which the chart's bar lies, so that it is constant within a longer bar. Plots, titles and
            the input stay, and the signals follow the repaired line.
        """),
        given=given,
        reference=good,
        inputs={"Length": length + 2},
        timeframe="30" if timeframe != "D" else "60",
        steady=True,
        requests=1,
        count=280,
    )


@family("repair-memory", "repair", "indicator", "medium")
def _memory(draw: Draw) -> Instance:
    length, most = draw.whole(4, 8), draw.whole(6, 12)
    count, top = draw.pick(("Breaks", "Record"), ("Hits", "Peak"), ("Events", "Best"))
    fault = draw.turn("count", "top", "both", "order", "reset")

    def script(counted: str, peak: str, early: str, late: str, reset: str) -> str:
        return pine(f"""
            //@version=6
            indicator("Breaks")
            int length = input.int({length}, "Length", minval = 1)
            {counted}int count = 0
            {peak}float record = na
            {early}float edge = ta.highest(high, length)[1]
            bool isBreak = close > edge
            if isBreak
                count += 1
                record := na(record) ? high : math.max(record, high)
            if {reset}
                count := 0{late}
            plot(count, "{count}")
            plot(record, "{top}")
        """)

    after = "\n            // The record stays."
    good = script("var ", "var ", "", after, f"bar_index % {most} == 0")
    given = {
        "count": script("", "var ", "", after, f"bar_index % {most} == 0"),
        "top": script("var ", "", "", after, f"bar_index % {most} == 0"),
        "both": script("", "", "", after, f"bar_index % {most} == 0"),
        "order": script(
            "var ",
            "var ",
            f"if bar_index % {most} == 0\n                record := na\n            ",
            after,
            f"bar_index % {most} == 0",
        ),
        "reset": script("var ", "var ", "", after, f"bar_index % {most} == 1"),
    }[fault]

    def values(bars, n: int) -> dict[str, list[float]]:
        edges = oracle.shifted(oracle.highest(bars.high, n), 1)
        found: dict[str, list[float]] = {count: [], top: []}
        number, record = 0, NAN
        for i in range(len(bars)):
            if bars.close[i] > edges[i]:
                number += 1
                record = bars.high[i] if record != record else max(record, bars.high[i])
            if i % most == 0:
                number = 0
            found[count].append(float(number))
            found[top].append(record)
        return found

    return Instance(
        request=words(f"""
            This script compiles, but shows wrong values. Repair it. A break is a bar whose close is above the highest high of
            the n bars before it; n is the input "Length". The plot "{count}" is the number of breaks since the last bar
            whose bar_index is divisible by {most}; on such a bar it is 0, even if that bar is a break itself. The plot
            "{top}" is the largest high of all breaks so far, na before the first one; it is never reset.
        """),
        given=given,
        reference=good,
        inputs={"Length": length + 3},
        count=410,
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )


@family("repair-orders", "repair", "strategy", "medium")
def _orders(draw: Draw) -> Instance:
    length, loss, profit, quantity = draw.whole(5, 9), draw.whole(5, 10), draw.whole(12, 20), draw.whole(2, 8)
    long, short = draw.pick(("Long", "Short"), ("Up", "Down"), ("Buy", "Sell"))
    fault = draw.turn("name", "swapped", "price", "side", "name")
    trade = account(draw, quantity)

    def script(first: str, stops: str, way: str) -> str:
        return pine(f"""
            //@version=6
            strategy("Channel", {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            float top = ta.highest(high, length)[1]
            float bottom = ta.lowest(low, length)[1]
            bool isFlat = strategy.position_size == 0
            if isFlat and close > top
                strategy.entry("{long}", strategy.long)
            if isFlat and close < bottom
                strategy.entry("{short}", strategy.{way})
            strategy.exit("Exit {long}", "{first}", {stops})
            strategy.exit("Exit {short}", "{short}", {stops})
            plot(top, "Top")
            plot(bottom, "Bottom")
        """)

    right = f"loss = {loss}, profit = {profit}"
    given = {
        "name": script(f"{long} entry", right, "short"),
        "swapped": script(long, f"loss = {profit}, profit = {loss}", "short"),
        "price": script(long, f"stop = {loss}, limit = {profit}", "short"),
        "side": script(long, right, "long"),
    }[fault]
    return Instance(
        request=words(f"""
            This strategy does not trade as it should. Repair it. While there is no position, it enters long with the id
            "{long}" on a close above the highest high of the n bars before the bar, and short with the id "{short}" on a close
            below the lowest low of the n bars before the bar; n is the input "Length". Both are market orders. Each position,
            long or short, is closed at a loss of {loss} ticks or at a profit of {profit} ticks from its entry price, by
            strategy.exit, from the bar on which the entry is filled. Sizes and costs in the declaration are right.
        """),
        given=given,
        reference=script(long, right, "short"),
        inputs={"Length": length + 4},
    )
