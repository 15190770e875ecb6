"""The clauses of the requests, each with answers that disregard it.

A clause is a regular expression that finds it in the request, and replacements in our solution which disregard it. A
clause of a family is for those of its tasks whose request has it. `GENERAL` are clauses that many families have.
"""

# ruff: noqa: E501
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pinebench.evals.tasks import Task

Swap = tuple[str, str]


class Clause(NamedTuple):
    """`said` finds the clause in a request; each of `wrong` replaces a match in our solution by something else."""

    said: str
    wrong: tuple[Swap, ...]


def clause(said: str, *wrong: Swap) -> Clause:
    return Clause(said, wrong)


_PLOT = r'^(plot)\((.+?), (?:title = )?"([^"]+)"(.*)\)$'
_SIGN = r'^(plotshape|bgcolor)\((.+?), (?:title = )?"([^"]+)"(.*)\)$'


def general(task: Task) -> Iterator[tuple[str, str]]:
    """A name and an answer for each general clause of a task: titles, defaults, ids, places, costs, frequencies."""
    source = task.instance.reference
    for name, pattern, change in _GENERAL:
        for match in re.finditer(pattern, source, re.MULTILINE):
            for number, text in enumerate(change(match)):
                yield f"{name} {number}: {match[0][:40]}", source[: match.start()] + text + source[match.end() :]
    for name in task.instance.settings:
        changed = re.sub(rf", {name} = [\w.]+", "", source, count=1)
        if changed != source:
            yield f"setting {name}", changed


def _of_plot(match: re.Match[str]) -> list[str]:
    function, value, title, rest = match.groups()
    named = f'"{title}"' if function == "plotshape" or function == "plot" else f'title = "{title}"'
    kept = re.sub(r", display = [\w.]+", "", rest)
    found = [
        f'{function}({value}, {named[:-1]}s"{rest})',
        f"{function}({value}, {named}{rest}, offset = 1)",
        f"{function}({value}, {named}{rest}, offset = -1)",
        f"{function}({value}, {named}{rest}, show_last = 5)",
    ]
    if "display.none" not in rest:
        found.append(f"{function}({value}, {named}{kept}, display = display.none)")
    return found


def _of_shape(match: re.Match[str]) -> list[str]:
    function, value, title, rest = match.groups()
    hidden = (
        f'plotshape({value}, "{title}"{rest}, color = color.new(color.red, 100))'
        if function == "plotshape"
        else f'bgcolor(na, title = "{title}"{rest})'
    )
    return [*_of_plot(match), hidden]


def _of_input(match: re.Match[str]) -> list[str]:
    kind, default, title, rest = match.groups()
    other = str(int(default) + 1) if kind == "int" else f"{float(default) * 1.5 + 0.37:g}"
    return [
        f"input.{kind}({other}, {title}{rest})",
        f"= {default}" if match[0].startswith("=") else default,
        f'input.{kind}({default}, {title[:-1]}s"{rest})',
    ]


_GENERAL: tuple[tuple[str, str, Callable[[re.Match[str]], list[str]]], ...] = (
    ("plot", _PLOT, _of_plot),
    ("sign", _SIGN, _of_shape),
    ("input", r'input\.(int|float)\((-?[\d.]+), ((?:title = )?"[^"]+")(, min[^()]*|)\)', _of_input),
    ("entry", r'strategy\.entry\("(\w[\w ]*)"', lambda match: [match[0][:-1] + 's"']),
    ("capital", r"initial_capital = 100000", lambda _: ["initial_capital = 50000"]),
    ("quantity", r"default_qty_value = (\d+)", lambda match: [f"default_qty_value = {int(match[1]) + 1}"]),
    ("slippage", r"slippage = (\d+)", lambda match: [f"slippage = {int(match[1]) + 1}"]),
    ("commission", r"commission_value = ([\d.]+)", lambda match: [f"commission_value = {match[1]}1"]),
    (
        "defaults of the declaration",
        r"^strategy\((\"[^\"]+\")",
        lambda match: [
            f"strategy({match[1]}, {name} = true"
            for name in ("calc_on_every_tick", "calc_on_order_fills", "process_orders_on_close", "use_bar_magnifier")
        ],
    ),
    ("frequency", r"alert\.freq_once_per_bar_close", lambda _: ["alert.freq_all", "alert.freq_once_per_bar"]),
)

_SMOOTH = ((r"ta\.(?:ema|wma|rma)\(", "ta.sma("), (r"ta\.sma\(", "ta.ema("))
"""Another kind of average; only those that a solution has are replaced."""
_OVER_UNDER = ((r"ta\.crossover\(", "ta.crossunder("), (r"ta\.crossunder\(", "ta.crossover("))
_ENTERS_WITHOUT = (r"( and strategy\.position_size == 0| and isFlat|isFlat and )", "")
_LATE_EXIT = (r"^(strategy\.exit.*)$", r"if strategy.position_size != 0\n    \1")

GENERAL: tuple[str, ...] = (
    r"^Write (?:an indicator|a strategy|a library)[^.:;]*[.:;]",
    r"^Inputs:$",
    r'^"Length" \(int, default',
    r'^(?:Also )?[Pp]lot(?:s)? (?:the |it |its )?[^.]*"[^.]*\.$',
    r"^The declaration sets an initial capital",
    r"; everything else is left at its default",
    r"^everything else is left at its default\.$",
    r'input "[^"]+" \((?:int|float), default',
)
"""Sentences that say only what `general` disregards: names, titles, defaults, and the sort of script."""

FREE: dict[str, tuple[str, ...]] = {
    "*": (
        r"^(?:On every bar do this, )?in this order:$",
        r"^On every bar do this, in this order:$",
        r"^- \d\.$",
        r"^- \w[\w ]*:$",
        r'^- plot(?:shape)? "[^"]+":$',
        r"^- (?:method )?\w+\(.*\):$",
    ),
    "rsi-levels": (r"in its own pane",),
    "adaptive-average": (r"^number of moves",),
    "touched-levels": (r"^So a pivot is known n bars after its bar\.$",),
    "percent-swings": (
        r"^There is always a direction and an extreme\.$",
        r"^While the direction is down:$",
        r"^On every bar \(the first one included\), while the direction is up:$",
    ),
    "longer-average": (r"^So all chart bars within one longer bar",),
    "gap-boxes": (r"^Boxes use bar indices\.$",),
    "repair-errors": (r"^This script does not compile\.$", r"^Repair it\.$"),
    "repair-stop": (r"^This script stops with a runtime error\.$", r"^Repair it, so that it runs on all bars\.$"),
    "repair-repainting": (r"^This script repaints:$", r"^its line and its signals are not the same", r"^Repair it\.$"),
    "repair-memory": (r"^This script compiles, but shows wrong values\.$", r"^Repair it\.$"),
    "repair-orders": (r"^This strategy does not trade as it should\.$", r"^Repair it\.$"),
    "change-inputs": (r"^Make two numbers of this script adjustable\.$",),
    "change-alert": (r"^Add alerts to this script:$",),
    "change-smoothing": (r"^Let the user smooth the oscillator\.$",),
    "change-short-side": (r"^This strategy only buys\.$",),
    "change-bracket": (r"^Limit the risk of this strategy\.$",),
    "change-requests": (r"^This script makes four requests",),
}
"""Sentences that ask for nothing of their own: they introduce, or they say in other words what another one asks."""

_CONVERT = (
    clause(r"^Convert this script to Pine Script v6\.$", (r"@version=6", "@version=5")),
    clause(r"^It must keep what it does:$", (r'^plot\((.+?), (?:title = )?"', r'plot((\1)[1], "')),
)

CLAUSES: dict[str, tuple[Clause, ...]] = {
    "two-averages": (
        clause(r"^The plot .* is the .*moving average over", *_SMOOTH, (r"ta\.(\w+)\((\w+), nearLength", r"ta.\1(ohlc4, nearLength")),
        clause(r"is the first minus the second, in percent of the second", (r"/ farAverage", "/ nearAverage"), (r"100 \*", "1 *")),
    ),
    "less-lag": (
        clause(r'at least 2\) is its length', (r"(?s)(length = .*?)\blength\)", r"\1length + 1)")),
        clause(r"^The plot .* is (?:2|3) \* e1", (r"2 \* one", "3 * one"), (r"3 \* one - 3", "3 * one - 2")),
        clause(r"is the exponential average \(ta\.ema\) over", (r"\(length - 1\) / 2", "length / 2 + 1"), (r"close \+ \(", "close - (")),
        clause(r"is the weighted average \(ta\.wma\)", (r"math\.round\(", "math.floor(0.6 + "), (r"2 \* ta", "3 * ta")),
        clause(r"is the simple average over the length of", (r"ta\.sma\(ta\.sma\(close, length\), length\)", "ta.sma(close, length)")),
        clause(r"is its change since the bar before", (r"result\[1\]", "result[2]")),
    ),
    "adaptive-average": (
        clause(r"is the number of moves", (r"close\[length\]", "close[length - 1]")),
        clause(r"\(never negative\)", (r"float way = math\.abs\((.*)\)", r"float way = \1")),
        clause(r"divided by the sum of the last Length absolute", (r"math\.sum\(math\.abs\((close - close\[1\])\)", r"math.sum((\1)")),
        clause(r"^It is 0 if that sum is 0, and na", (r"path == 0 \? 0\.0 : ", ""), (r"plot\(efficiency", "plot(nz(efficiency)")),
        clause(r"^The speed on a bar is", (r"efficiency \* \(", "efficiency + ("), (r"\+ slowest$", "- slowest")),
        clause(r"raised to the power", (r"speed \* (?:speed \* )?(\(close)", r"\1")),
        clause(r"is na on the first Length bars\.$", (r"plot\(average", "plot(nz(average, close)")),
        clause(r"^On the first bar with an efficiency it is the close", (r"\? close :", "? open :")),
        clause(r"^On every later bar it is its last value plus", (r"\(close - average\)", "(average - close)")),
    ),
    "bands": (
        clause(r"around the simple average of", (r"ta\.sma\(", "ta.ema(")),
        clause(r'is the length of the average and of the standard deviation', (r"ta\.stdev\((\w+), length\)", r"ta.stdev(\1, length, false)")),
        clause(r"is the number of standard deviations", (r"factor \* ta", "2 * factor * ta")),
        clause(r'^Plot "Middle"', (r"middle - spread", "middle - 0.5 * spread")),
        clause(r"and 0\.5 where both bands are equal", (r"upper == lower \? 0\.5 : ", ""), (r"\? 0\.5", "? 0.0")),
        clause(r"is the distance between the bands in percent", (r"/ middle", "/ lower")),
    ),
    "squeeze": (
        clause(r"^A bar is quiet if", (r"ta\.atr\(length\)", "ta.sma(ta.tr, length)"), (r"ta\.stdev\(close, length\)", "ta.dev(close, length)"), (r"spread < reach", "spread > reach")),
        clause(r"^Bars without both values are not quiet", (r"bool isQuiet = spread < reach", "bool isQuiet = nz(spread) < nz(reach, 1)")),
        clause(r"shown on every quiet bar", (r"plotshape\(isQuiet,", "plotshape(isQuiet and not isQuiet[1],")),
        clause(r"shown on a bar that is not quiet if", (r" and quietBars\[1\] > 0", "")),
        clause(r"the number of quiet bars in a row", (r"quietBars \+ 1 : 0", "quietBars + 1 : quietBars")),
    ),
    "rsi-levels": (
        clause(r"relative strength index of the close", (r"ta\.rsi\(close", "ta.rsi(open")),
        clause(r'^Plot the index as', (r"plot\(index", "plot(index[1]")),
        clause(r"is shown on bars on which the index crosses", *_OVER_UNDER),
    ),
    "stochastic": (
        clause(r"^Its raw value is", (r"\((\w+) - bottom\)", r"(\1 - top)"), (r"ta\.highest\(high, length\)", "ta.highest(high, length)[1]"), (r"ta\.lowest\(low", "ta.lowest(close"), (r"100 \*", "50 *")),
        clause(r"^If H equals L, the raw value is 50", (r"top == bottom \? 50\.0 : ", ""), (r"\? 50\.0", "? 0.0")),
        clause(r"of the raw value over", (r"(float main = ta\.\w+\(raw, )(\d)", r"\g<1>1\2"), (r"ta\.sma\(main", "ta.wma(main")),
    ),
    "z-score": (
        clause(r"minus its simple average, divided by its standard deviation", (r"\(value - average\)", "value"), (r"ta\.stdev\(value, length\)", "ta.stdev(value, length, false)"), (r"float value = ", "float value = 1 + 2 * open - ")),
        clause(r"^Write an indicator with a z-score:", (r"ta\.sma\(", "ta.ema(")),
        clause(r"^It is 0 where the standard deviation is 0", (r"spread == 0 \? 0\.0 : ", "")),
        clause(r"limited to the range", (r"math\.max\(-[\d.]+, (.*)\)", r"\1"), (r"math\.min\([\d.]+, raw\)", "raw")),
        clause(r"colours the bars on which", (r">= ([\d.]+) \?", r">= 0.9 * \1 ?"), (r"math\.abs\(score\)", "score")),
        clause(r"other bars have no background", (r": na, title", ": color.green, title")),
    ),
    "streak-rank": (
        clause(r"whose close was above the close before", (r"move > 0", "move >= 0"), (r"- 1$", "+ 1")),
        clause(r"^It is 0 if the close is equal", (r"^else\n    streak := 0\n", "")),
        clause(r"the simple average of", (r"ta\.sma\(streak", "ta.ema(streak")),
        clause(r"how many of the n moves before this", (r"move\[i\] (<=?) move", r"move[i] > move"), (r"for i = 1 to", "for i = 2 to"), (r"100\.0 \* count", "count")),
        clause(r"less than this bar's move", (r"move\[i\] < move", "move[i] <= move")),
        clause(r"less than or equal to this bar's move", (r"move\[i\] <= move", "move[i] < move")),
        clause(r"^A move is the close minus the close before", (r"float move = close - close\[1\]", "float move = close - open")),
        clause(r"^It is na on bars that do not have n moves", (r"na\(move\[moves\]\) \? na : ", "")),
    ),
    "volume-flow": (
        clause(r"^On each bar it adds plus", (r"(\d) \* volume", r"1\1 * volume"), (r": 0\.0", ": volume")),
        clause(r"minus the volume if it is below", (r"\? -volume", "? 0.0")),
        clause(r"the volume times \(\(close", (r"high == low \? 0\.0 : ", ""), (r"\(high - close\)\)", "(high - open))")),
        clause(r"the volume times the relative change", (r"/ close\[1\]", "/ close"), (r"nz\((.*)\)$", r"\1 - 1")),
        clause(r"^The total starts with the first bar", (r"ta\.cum\(part\)", "ta.cum(bar_index == 1 ? 0 : part)")),
        clause(r"its exponential average", (r"ta\.ema\(", "ta.rma(")),
        clause(r"is shown where the total crosses over", _OVER_UNDER[0]),
    ),
    "relative-volume": (
        clause(r"\(this bar is not part of the average\)", (r"\)\[1\]", ")"), (r"ta\.sma\(", "ta.ema(")),
        clause(r"is at least", (r"ratio >= factor", "ratio >= 1.2 * factor")),
        clause(r"and the close is above the open", (r" and close > open", "")),
        clause(r"and the close is below the open", (r" and close < open", "")),
        clause(r"^n is the input", (r"volume, length\)", "volume, length + 1)")),
    ),
    "rolling-vwap": (
        clause(r"the sum of price times volume of the last n bars", (r"math\.sum\(price \* volume, length\)", "math.sum(price, length) * volume"), (r"float price = \w+", "float price = open")),
        clause(r"volume-weighted standard deviation", (r"\+ ([\d.]+) \* math", r"- \1 * math")),
        clause(r"the square root of the sum", (r"math\.sqrt\(squares / volumes\)", "squares / volumes"), (r"price\[i\] - average", "price[i] - average[i]")),
        clause(r"^Both are na until there are n bars", (r"plot\(average,", "plot(nz(average, close),")),
    ),
    "cross-alerts": (
        clause(r"^It plots the ta\.", *_SMOOTH, (r"\(close, (\d)\)", r"(close, \1 + 1)")),
        clause(r"crosses over the slow one", (r"^if isOver\n.*\n", "")),
        clause(r"when it crosses under", (r"^if isUnder\n.*\n", "")),
        clause(r"^In both, CLOSE is the close with exactly", (r'"0\.0+"', '"0.0000"')),
        clause(r"^Alerts fire once per bar, at its close", (r", alert\.freq_once_per_bar_close", ", alert.freq_all")),
    ),
    "alert-pause": (
        clause(r"^A bar is a break if its close is", (r"length\)\[1\]", "length)"), (r"isBreak = close ([<>]) ", r"isBreak = open \1 ")),
        clause(r"^n is the input", (r"(high|low), length\)", r"\1, length + 1)")),
        clause(r"unless it has already alerted on one of the last", (r"> (\d+)$", r"> \1 + 1"), (r"> (\d+)$", r"> \1 - 1"), (r" and isFree$", "")),
        clause(r"^The message is", (r"str\.tostring\(count\)", "str.tostring(count - 1)")),
        clause(r'" 1", |: "[^"]+ 1"|"[^"]+ 1", "', (r"^    count \+= 1\n", "    count += 2\n")),
        clause(r"is the number of alerts so far\.$", (r"plot\(count", "plot(count[1]")),
        clause(r"is shown on breaks without an alert", (r"plotshape\(isBreak and not isFree", "plotshape(isBreak")),
    ),
    "day-vwap": (
        clause(r"the sum of price times volume divided", (r"(\w+) \* volume", r"\1"), (r"money \+= \w+", "money += open")),
        clause(r"since the first bar of the day", (r"money := 0\.0", "money := money")),
        clause(r"^It begins again on the first bar of each day", (r'timeframe\.change\("1D"\)', 'timeframe.change("1W")'), (r'timeframe\.change\("1D"\)', "dayofmonth(time, \"Asia/Tokyo\") != nz(dayofmonth(time[1], \"Asia/Tokyo\"))")),
        clause(r"counts the bars of the day, this bar included", (r"^    count := 0\n", ""), (r"if close > average", "if close > average[1]")),
        clause(r"percent of the average away", (r"math\.abs\(close - average\)", "(close - average)"), (r"/ 100", "/ 50")),
    ),
    "opening-range": (
        clause(r"^The opening range of a day are the bars", (r"time < opened \+ (\d+) \* 60000", r"bar_index < ta.valuewhen(isNew, bar_index, 0) + \1 / 15")),
        clause(r"^After these bars, for the rest of the day", (r"math\.max\(rangeHigh, high\)", "math.max(rangeHigh, close)"), (r"math\.min\(rangeLow, low\)", "math.min(rangeLow, close)")),
        clause(r"^during the range both are na", (r"plot\(isRange \? na : rangeHigh", "plot(rangeHigh"), (r"plot\(isRange \? na : rangeLow", "plot(rangeLow")),
        clause(r"^The first bar of a day after the range that closes above", (r"close > rangeHigh", "high > rangeHigh")),
        clause(r"if a bar closes below its low first", (r"close < rangeLow", "low < rangeLow")),
        clause(r"^There is at most one of these shapes a day", (r"^    isBroken := true\n", "    isBroken := isBroken\n")),
        clause(r"^Days begin at midnight", (r'timeframe\.change\("1D"\)', 'timeframe.change("1W")')),
        clause(r"^On the first day of the chart nothing is shown", (r"isNew and bar_index > 0", "isNew or bar_index == 0")),
    ),
    "hour-profile": (
        clause(r"^The value of a bar is", (r"float value = ", "float value = 1 + ")),
        clause(r"is the average value of all earlier bars", (r"counts\.get\(hour\)", "counts.get(dayofweek)")),
        clause(r"\(this bar is not part of it\)", (r"sums\.get\(hour\) / count", "(sums.get(hour) + value) / (count + 1)")),
        clause(r"it is na if there are fewer such bars", (r"count >= least \?", "count >= 1 ?")),
        clause(r"is the value of this bar divided by", (r"value / usual", "usual / value")),
        clause(r"it is na where that is na\.$", (r"plot\(usual == 0 \? na : value / usual", "plot(nz(value / usual)")),
        clause(r"it is na where that is na or 0", (r"usual == 0 \? na : ", "usual == 0 ? 0.0 : ")),
    ),
    "longer-average": (
        clause(r"^It must not repaint:", (r"plot\(fixed,", "plot(barstate.isrealtime ? close : fixed,"), (r", lookahead = barmerge\.lookahead_on", "")),
        clause(r"of the closes of the longer timeframe", *_SMOOTH, (r"average\[1\]", "average[2]")),
        clause(r"is shown on bars whose close is above it", (r"close > fixed", "close < fixed")),
        clause(r"^Use at most one request", (r"plot\(fixed", 'plot(0 * request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on) + fixed')),
    ),
    "longer-levels": (
        clause(r"^H, L and C are", (r"\[high\[1\], low\[1\], close\[1\]\]", "[high[2], low[2], close[2]]")),
        clause(r"^Then P =", (r"float P = \(H", "float P = (C")),
        clause(r"^Plot P as", (r"\+ margin", "+ 2 * margin"), (r"- margin", "+ margin")),
        clause(r"^All three are constant within a longer bar and must not repaint", (r"\[high\[1\]", "[barstate.isrealtime ? high : high[1]"), (r"high\[1\], low\[1\], close\[1\]\], lookahead = barmerge\.lookahead_on", "high, low, close]")),
        clause(r"^Use at most one request", (r"plot\(P,", 'plot(0 * request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on) + P,')),
        clause(r"is 1 if the close is between", (r"close <= upper and close >= lower", "close <= upper"), (r"na\(P\) \? na : ", "")),
    ),
    "flipping-stop": (
        clause(r"^The distance is", (r"factor \* ta\.atr\(length\)", "factor * ta.sma(ta.tr, length)")),
        clause(r"^On bars without an average true range nothing happens", (r"if not na\(distance\)", "if true"), (r"plot\(side", "plot(nz(side)")),
        clause(r"^On the first bar with one, the side is 1", (r"na\(side\)\n        side := 1\n        stop := below", "na(side)\n        side := -1\n        stop := above")),
        clause(r"^On each later bar, in this order:$", (r"    if na\(side\)(\n.*\n.*\n)", r"    if na(side)\1        isFlip := true\n")),
        clause(r"if the side is 1 and the close is below the stop", (r"side == 1 and close < stop", "side == 1 and low < stop")),
        clause(r"if the side is -1 and the close is above the stop", (r"side == -1 and close > stop", "side == -1 and high > stop")),
        clause(r"^Otherwise, with side 1 the stop is the larger", (r"math\.max\(stop, below\)", "below")),
        clause(r"with side -1 it is the smaller", (r"math\.min\(stop, above\)", "above")),
        clause(r"^Plot the stop", (r"plot\(stop", "plot(stop[1]")),
        clause(r"is shown on bars on which the side changes", (r"plotshape\(isFlip", "plotshape(side == 1")),
    ),
    "percent-swings": (
        clause(r"p is the input", (r"1 - percent / 100", "1 - percent / 90")),
        clause(r"^It looks at the", (r"math\.max\(extreme, \w+\)", "math.max(extreme, open)")),
        clause(r"^On the first bar the direction is up and the extreme is", (r"var bool isUp = true", "var bool isUp = false"), (r"var float extreme = \w+", "var float extreme = 10 * open")),
        clause(r"first the extreme becomes the larger", (r"    extreme := math\.max\(.*\n", "")),
        clause(r"is at or below extreme", (r"(\w+) <= extreme", r"open <= extreme"), (r"swing := extreme\n    ( *)isUp := false", r"swing := close + 1\n    \1isUp := false")),
        clause(r"first the extreme becomes the smaller", (r"    extreme := math\.min\(.*\n", "")),
        clause(r"is at or above extreme", (r"(\w+) >= extreme", r"open >= extreme"), (r"isUp := true\n        extreme := \w+", "isUp := true\n        extreme := 1.02 * close")),
        clause(r"^The direction changes at most once on a bar", (r"^else\n(    extreme := math\.min\(extreme, low)", r"if not isUp\n\1")),
        clause(r"^Plot the price of the last swing", (r"plot\(swing", "plot(nz(swing)"), (r"isUp \? 1 : -1", "isUp ? 1 : 0")),
    ),
    "since-condition": (
        clause(r"^A bar is a hit if", (r"isHit = (\w+) ", r"isHit = ohlc4 "), (r"isHit = (.*)$", r"isHit = not (\1)")),
        clause(r"^the first bar is not a hit", (r"isHit = (.*)$", r"isHit = \1 or bar_index == 0")),
        clause(r"the number of bars since the last hit", (r"\? 0 : age", "? 1 : age"), (r"plot\(age", "plot(nz(age)")),
        clause(r"the number of hits among the last n bars", (r"total\[window\]", "total[window - 1]"), (r"nz\(total\[window\]\)", "total[window]")),
        clause(r"that number in percent of n", (r"bar_index < window - 1 \? na : ", ""), (r"100\.0 \*", "1.0 *")),
    ),
    "trimmed-mean": (
        clause(r"robust averages of the last n values", (r"window\.push\(\w+\)", "window.push(ohlc4)"), (r"> length\n", "> length + 1\n")),
        clause(r"^Sort the n values and leave out", (r"slice\((\d), length - (\d)\)", r"slice(\1, length)"), (r"slice\((\d), length - (\d)\)", r"slice(0, length - \2)")),
        clause(r"^Plot the simple average of the others", (r"core\.avg\(\)", "core.median()"), (r"core\.last\(\)", "sorted.last()")),
        clause(r"^Plot the median of all n values", (r"sorted\.median\(\)", "sorted.get(int(length / 2))"), (r"sorted\.median\(\)", "sorted.avg()")),
        clause(r"^All are na until there are n bars", (r"window\.size\(\) == length", "window.size() > 3")),
    ),
    "price-buckets": (
        clause(r"^The bucket of a bar is floor", (r"math\.floor\(", "math.round(")),
        clause(r"^Each bar adds", (r"\+ 1\.0\)", "+ 2.0)"), (r"\+ volume\)", "+ 1.0)")),
        clause(r"find the bucket with the largest weight", (r"weight > most", "weight < most")),
        clause(r"if several have the same weight, the lowest", (r" or weight == most and key < best", ""), (r"key < best", "key > best")),
        clause(r"^Plot its lower price", (r"best \* width", "(best + 1) * width"), (r"weights\.size\(\)", "weights.size() - 1")),
    ),
    "line-fit": (
        clause(r"fits a straight line to the last n values", (r"float y = \w+\[i\]", "float y = ohlc4[i]")),
        clause(r"^Bars are one step apart", (r"centre - i", "2 * (centre - i)")),
        clause(r"\(positive if prices rise\)", (r"plot\(slope", "plot(-slope")),
        clause(r"\(0 if all values are equal\)", (r"yy == 0 \? 0\.0 : ", ""), (r"xy \* xy /", "xy /")),
        clause(r"the value of the line", (r"centre \+ \d", "centre"), (r'"Forecast"\)', '"Forecast", offset = 1)')),
        clause(r"^All are na until there are n bars", (r"plot\(slope", "plot(nz(slope)")),
    ),
    "touched-levels": (
        clause(r"^A bar is a pivot if its", (r"\[side\] ([<>]) ", r"[side] \1= "), (r"to 2 \* side", "to side")),
        clause(r"^n is the input", (r"for i = 0 to 2 \* side", "for i = 1 to 2 * side")),
        clause(r"^For each level that is held", (r"(high|low) ([<>])= this\.price", r"\1 \2 this.price"), (r"touches \+= 1", "touches += 2")),
        clause(r"add 1 to its touches", (r"int touches = 0", "int touches = 1")),
        clause(r"Remove each level whose price", (r"close ([<>]) this\.price", r"close \1= this.price"), (r"    if not level\.test\(\)\n        kept\.push\(level\)", "    level.test()\n    kept.push(level)")),
        clause(r"If the bar n bars ago has become a pivot", (r"Level\.new\((\w+)\[side\]\)", r"Level.new(\1)")),
        clause(r"^If there are then more than", (r"> (\d)$", r"> \1 + 1"), (r"levels\.shift\(\)", "levels.pop()")),
        clause(r"^Plot the number of levels", (r"total \+= level\.touches", "total := level.touches"), (r"levels\.last\(\)", "levels.first()"), (r"\.price : na", ".price : 0.0")),
    ),
    "best-moves": (
        clause(r"keeps a list of the \d+ (?:largest|smallest)", (r"this\.size\(\) > (\d+)", r"this.size() > \1 + 1")),
        clause(r"^The move of a bar is", (r"close\[length\]", "open[length]")),
        clause(r"^n is the input", (r"close\[length\]", "close[length + 1]")),
        clause(r"^Bars without such a move are skipped", (r"if not na\(size\)\n    moves\.insert\(Move\.new\(size,", "if true\n    moves.insert(Move.new(nz(size),")),
        clause(r"^The list is sorted", (r"added\.size ([<>]) one\.size", r"not (added.size \1 one.size)")),
        clause(r"among equal moves the earlier one comes first", (r"added\.size ([<>]) one\.size", r"added.size \1= one.size")),
        clause(r"of more than \d+ the last ones are dropped", (r"this\.pop\(\)", "this.shift()")),
        clause(r"^Each bar's own move takes part", (r"Move\.new\(size, bar_index\)", "Move.new(size[1], bar_index)")),
        clause(r"^Plot the first move", (r"moves\.first\(\)\.size", "moves.last().size"), (r"total / moves\.size\(\)", "total"), (r"bar_index - moves\.first", "1 + bar_index - moves.first")),
        clause(r"^All are na while the list is empty", (r"moves\.first\(\)\.size : na", "moves.first().size : 0.0")),
    ),
    "pivot-labels": (
        clause(r"^A top is a pivot", (r"ta\.pivothigh\(\w+", "ta.pivothigh(open"), (r"ta\.pivotlow\(\w+", "ta.pivotlow(open")),
        clause(r"^n is the input", (r", side, side\)", ", side, side + 1)")),
        clause(r"make one label at the bar of the pivot itself", (r"bar_index - side, top", "bar_index, top"), (r"top, \"", "top + 1, \""), (r"(label\.new\(bar_index - side, top.*)\)$", r"\1, yloc = yloc.abovebar)")),
        clause(r"^The text of a top is", (r'"0\.0"', '"0.00"'), (r'label\.new\((.*?), "(\w+) ', r'label.new(\1, "\2x ')),
        clause(r"labels must stay", (r", max_labels_count = \d+", ", max_labels_count = 3")),
        clause(r"is the number of tops that are known", (r"tops \+= 1", "tops += 2")),
    ),
    "figures-table": (
        clause(r"^Write an indicator that shows a table", (r"if barstate\.islast", "if barstate.isfirst")),
        clause(r"^It has (?:two|three) columns|^the names in", (r"\.cell\(0, 0, (.*)\)", r".cell(0, 1, \1)")),
        clause(r"^in this order|in this order:", (r"tostring\(value0", "tostring(value1")),
        clause(r"^the highest high", (r"ta\.highest\(high", "ta.highest(close")),
        clause(r"^the lowest low", (r"ta\.lowest\(low", "ta.lowest(close")),
        clause(r"^the number of the last n bars whose close", (r"close > open \?", "close >= open ?")),
        clause(r"^the sum of the volume", (r"math\.sum\(volume", "ta.sma(volume")),
        clause(r"^the simple average of the close", (r"ta\.sma\(close", "ta.ema(close")),
        clause(r"^In all of them n is", (r"(high|low|close|volume), length\)", r"\1, length + 1)")),
        clause(r"^Values are written by str\.tostring", (r'"0\.00"', '"0.000"')),
        clause(r"^Also plot the first figure", (r"plot\(value0", "plot(value1")),
    ),
    "gap-boxes": (
        clause(r"^A bar makes a gap if", (r"(high|low)\[2\]", r"\1[1]"),),
        clause(r"^The gap lies between", (r"least / 100 \* close", "least / 50 * close"), (r"size > least / 100 \* close and ", "")),
        clause(r"^For each open gap from earlier bars", (r"^    box\.set_right.*\n", "")),
        clause(r"move the right edge of its box", (r"set_right\(each, bar_index\)", "set_right(each, bar_index + 1)")),
        clause(r"the gap is filled:$", (r"if close ([<>]) box", r"if open \1 box")),
        clause(r"its box stays as it is", (r"filled \+= 1", "filled += 1\n        box.delete(each)")),
        clause(r"draw one box for it", (r"bar_index - 2, ", "bar_index - 1, "), (r"(box\.new\(.*?\))\)$", r"\1)\n    box.new(bar_index - 2, high, bar_index, low)"), (r"box\.new\((.*)\)\)$", r"box.new(\1, extend = extend.right))")),
        clause(r"^It is open from the next bar on", (r"^waiting := left\n", "")),
        clause(r"boxes must stay", (r", max_boxes_count = \d+", ", max_boxes_count = 2")),
        clause(r"^Plot the number of gaps", (r"plot\(made", "plot(filled"), (r"plot\(filled", "plot(made")),
    ),
    "last-line": (
        clause(r"^Write an indicator on the price chart that shows exactly one line", (r"if barstate\.islast", "if bar_index == 100")),
        clause(r"^Look at the last n bars, the last bar included", (r"ta\.highest\((\w+), length\)", r"ta.highest(\1, length)[1]")),
        clause(r"^n is the input", (r"ta\.lowest(bars)?\((\w+), length\)", r"ta.lowest\1(\2, length - 1)")),
        clause(r"^The line connects the bar with the largest", (r"bar_index - highAgo, top", "bar_index - highAgo - 1, top"), (r"bar_index - lowAgo, bottom", "bar_index - lowAgo, bottom - 1")),
        clause(r"^of several equal ones take the oldest bar", (r"-ta\.highestbars\((\w+), length\)", r"-ta.highestbars(\1 + bar_index * 1e-6, length)")),
        clause(r"must not be extended", (r"lowAgo, bottom\)", "lowAgo, bottom, extend = extend.right)")),
        clause(r"^Earlier lines must be removed", (r"    line\.delete\(drawn\)\n", '    line.new(0, low, bar_index, high)\n')),
        clause(r"is the price of the later one of the two bars minus", (r"top - bottom : bottom - top", "bottom - top : top - bottom")),
        clause(r"it is 0 if both are the same bar", (r"highAgo == lowAgo \? 0\.0 : ", "highAgo != lowAgo ? 0.0 : ")),
        clause(r"^It is na on all other bars", (r"float slope = na", "float slope = 0.0")),
        clause(r"is the largest (?:high|close) minus the smallest", (r"plot\(top - bottom", "plot(bottom - top"), (r"plot\(top - bottom", "plot(nz(top - bottom)")),
    ),
    "average-cross": (
        clause(r"^the ta\.\w+ over the input", *_SMOOTH),
        clause(r"^When the fast one crosses over", (r"isOver = ta\.crossover", "isOver = ta.crossunder"), (r"strategy\.long\)", "strategy.long, limit = low)")),
        clause(r"^When it crosses under, it closes", (r"strategy\.close\(.*\)", "float nothing = na")),
        clause(r"^When it crosses under, it enters short", (r"strategy\.short", "strategy.long")),
        clause(r"^the long position is reversed", (r"^if isUnder\n.*", r"if isUnder\n    strategy.close_all()")),
    ),
    "channel-bracket": (
        clause(r"trades breaks of a channel, (?:long|short) only", (r"strategy\.long\)", "strategy.short)"), (r"strategy\.short\)", "strategy.long)")),
        clause(r"^While there is no position", (r"length\)\[1\]", "length)"), (r"close ([<>]) edge", r"open \1 edge")),
        clause(r"^n is the input", (r"(high|low), length\)", r"\1, length + 1)")),
        clause(r"^Each position has a bracket", (r"profit = (\d+), loss = (\d+)", r"profit = \2, loss = \1")),
        clause(r"a stop at a loss of", (r"loss = (\d+)", r"loss = \1 + 2"), (r"profit = (\d+)", r"profit = \1 + 2")),
        clause(r"^The bracket already works on the bar", _LATE_EXIT),
    ),
    "trailing-stop": (
        clause(r"goes long only", (r"strategy\.long\)", "strategy.short)")),
        clause(r"^While there is no position", (r"ta\.crossover\(index, 50\)", "ta.crossover(index, 55)"), (r"ta\.rsi\(close", "ta.rsi(open")),
        clause(r"which already works on the bar", _LATE_EXIT),
        clause(r"it has a trailing stop that begins", (r"trail_points = (\d+)", r"trail_points = \1 + 3"), (r"trail_offset = (\d+)", r"trail_offset = \1 + 3"), (r"loss = (\d+), ", "")),
    ),
    "pyramid": (
        clause(r"buys weakness in steps", (r"strategy\.long\)", "strategy.short)")),
        clause(r"^On each bar whose close is below", (r" and close\[\d\] < close\[\d\]$", ""), (r"^(bool isWeak = .*)$", r"\1 and close[4] < close[5]")),
        clause(r"up to \d entries", (r"pyramiding = (\d)", "pyramiding = 1")),
        clause(r"^When the close is above the simple average", (r"close > average", "open > average"), (r"ta\.sma\(", "ta.ema(")),
        clause(r"^On a bar where both hold, it does both", (r"if close > average and ", "if not isWeak and close > average and ")),
        clause(r"^Plot the size of the position", (r"plot\(strategy\.position_size", "plot(strategy.closedtrades")),
    ),
    "risk-size": (
        clause(r"risks a fixed amount", (r"qty = quantity", "qty = 1")),
        clause(r"^While there is no position", (r"ta\.sma\(close, (\d+)\)", r"ta.ema(close, \1)"), (r" and strategy\.position_size == 0", "")),
        clause(r"^On that bar the distance is", (r"ta\.atr\(length\)", "ta.sma(ta.tr, length)"), (r"math\.floor\(", "math.ceil(")),
        clause(r"if that is less than 1 or the average true range is na", (r" and size >= 1", ""),),
        clause(r"^The position is closed by strategy\.exit", (r'^strategy\.exit.*\n', "")),
        clause(r"the stop is the close of the signal's bar minus", (r"stop := close - distance", "stop := open - distance"), (r"close \+ 2 \* distance", "close + 3 * distance")),
        clause(r"both stay fixed for the whole trade", (r"stop = stop,", "stop = close - distance,")),
        clause(r"^The exit already works on the bar", _LATE_EXIT),
        clause(r"^Plot the quantity of the last entry", (r"plot\(quantity", "plot(nz(quantity)")),
    ),
    "hours-only": (
        clause(r"trades only in the hours", (r"isWithin and isFlat and close > top", "isFlat and close > top")),
        clause(r"^A bar is within the hours if", (r'"(\d\d)00-(\d\d)00:', r'"\g<1>00-\g<2>15:'), (r'"(\d\d)00-(\d\d)00:', r'"\g<1>15-\g<2>00:')),
        clause(r"^Within the hours, when there is no position", (r"if isWithin and isFlat and close > top", "if isWithin and close > top"), (r"length\)\[1\]", "length)"), (r"^if isWithin and isFlat and close < bottom\n.*\n", "")),
        clause(r"^n is the input", (r"highest\(high, length\)", "highest(high, length + 1)")),
        clause(r"^On each bar outside of the hours", (r"^if not isWithin and not isFlat\n.*\n", "")),
    ),
    "patient-limit": (
        clause(r"buys with limit orders", (r", limit = close - distance", "")),
        clause(r"^While there is no position and no waiting order", (r" and close > close\[1\]", ""), (r"isFlat and na\(placed\)", "isFlat")),
        clause(r"^Its price is the close minus", (r"ta\.atr\(length\)", "ta.sma(ta.tr, length)"), (r"limit = close - ", "limit = open - ")),
        clause(r"without an average true range it places none", (r" and not na\(distance\)", "")),
        clause(r"^If the order was not filled, it is cancelled", (r"bar_index - placed >= (\d)", r"bar_index - placed >= \1 + 1"), (r"    strategy\.cancel\(.*\n", "")),
        clause(r"a new order may be placed from the next bar", (r"else if isFlat and na\(placed\)", "if isFlat and na(placed)")),
        clause(r"^A position is closed with a market order", (r">= (\d)\n        strategy\.close", r">= \1 + 1\n        strategy.close")),
    ),
    "library-averages": (
        clause(r'with the name', (r'library\("(\w+)"', r'library("\1s"')),
        clause(r"^It exports two functions", (r"^export (\w+)\(series float source, simple int length", r"export \1s(series float source, simple int length")),
        clause(r"2 \* e - ta\.ema of e", (r"2 \* e - ta\.ema\(e, length\)", "2 * e")),
        clause(r"^both over the length", (r"ta\.ema\(e, length\)", "ta.ema(e, length + 1)")),
        clause(r"where a is the simple average", (r"ta\.sma\(source, fast\)", "ta.ema(source, fast)"), (r"ta\.sma\(source, slow\)", "ta.ema(source, slow)")),
    ),
    "library-arrays": (
        clause(r'with the name', (r'library\("(\w+)"', r'library("\1s"')),
        clause(r"^It exports three functions", (r"^export (\w+)\(array<float> values, float value\)", r"export \1s(array<float> values, float value)")),
        clause(r"^None of them changes the array", (r"    array<float> kept = array\.new<float>\(\)\n", "    values.push(1.0)\n    array<float> kept = array.new<float>()\n")),
        clause(r"must work with an empty array", (r"values\.size\(\) > 0 \? (count / values\.size\(\)) : float\(na\)", r"values.get(0) * 0 + \1")),
        clause(r"the median of the absolute differences", (r"math\.abs\(value - middle\)", "(value - middle)"), (r"distances\.median\(\)", "distances.avg()")),
        clause(r"^na for an empty array", (r": float\(na\)", ": 0.0"), (r"distances\.median\(\)", "nz(distances.median())")),
        clause(r"the number of values that are less than the given", (r"each < value", "each <= value")),
        clause(r"the number of values that are less than or equal", (r"each <= value", "each < value")),
        clause(r"a new array with all values in their order", (r"kept\.push\(each\)", "kept.unshift(each)"), (r"if each != value", "if each < value")),
    ),
    "library-type": (
        clause(r'with the name', (r'library\("(\w+)"', r'library("\1s"')),
        clause(r"^It exports a type and methods", (r"^export method (\w+)", r"method \1")),
        clause(r"with the fields int count", (r"int count = 0", "int count = 1"), (r"float top = na", "float top = 0.0"), (r"float mean = 0\.0", "float mean = 1.0"), (r"float squares = 0\.0", "float squares = 1.0")),
        clause(r"takes one more value into account and returns", (r"^    this\n", "    value\n")),
        clause(r"^After it, count is the number", (r"this\.count \+= 1", "this.count += 2"), (r"before \* \(value - this\.mean\)", "before * before"), (r"math\.max\(this\.top, value\)", "value")),
        clause(r"the average of the values so far", (r"this\.count > 0 \? this\.mean : float\(na\)", "this.mean")),
        clause(r"squares divided by count", (r"/ \(this\.count(?: - 1)?\)", "/ (this.count + 1)"), (r": float\(na\)\n?\Z", ": 0.0\n")),
        clause(r"^na if there are fewer than", (r"this\.count >= (\d)", r"this.count >= \1 + 1")),
    ),
    "change-inputs": (
        clause(r"^The length \d+ of the average", (r"ta\.(\w+)\(close, length\)", r"ta.\1(close, 10)"), (r"ta\.atr\(length\)", "ta.atr(10)")),
        clause(r"and the factor .* of both lines", (r"middle \+ factor", "middle + 1.3"), (r"middle - factor", "middle - 1.3")),
        clause(r"^The smoothing over \d+ bars stays fixed", (r"(ta\.\w+)\(middle, \d+\)", r"\1(middle, length)")),
    ),
    "change-alert": (
        clause(r"it calls alert\(\)", (r"^if ta\.cross(over|under)\(.*\n.*\n?", "", ), (r'alert\("([^"]+)"', r'alert("\1!"')),
        clause(r"^Also add a plotshape", (r"plotshape\(line > signal", "plotshape(line < signal")),
    ),
    "change-smoothing": (
        clause(r'^Add an input "', (r'input\.string\("([^"]+)", "([^"]+)"', r'input.string("\1", "\2s"')),
        clause(r'^With "', (r"float one = ta\.\w+\(value, (\d)\)", r"float one = ta.vwma(value, \1)"), (r"float other = (ta\.\w+)\(value, (\d)\)", r"float other = \1(value, \2 + 1)"), (r"=> value$", "=> one")),
        clause(r"is the change of the raw value in all cases", (r"float raw = value", "float raw = shown")),
    ),
    "change-short-side": (
        clause(r"^Add the short side as the mirror image:", (r"^if isWeak\n    strategy\.entry\(.*\n", "")),
        clause(r"where it closes the long position, it also enters short", (r"strategy\.short\)", "strategy.long)")),
        clause(r"^The short position has a stop", (r'^strategy\.exit\(("[^"]+"), ("[^"]+"), loss = (\d+)\)\nplot', r'strategy.exit(\1, \2, loss = \3 + 3)\nplot')),
        clause(r"^Sizes and costs stay as they are", (r"slippage = \d", "slippage = 0")),
    ),
    "change-bracket": (
        clause(r"^Each position gets", (r"loss = (\d+)", r"loss = \1 + 2"), (r"profit = (\d+)", r"profit = \1 + 3"), _LATE_EXIT),
        clause(r"^The exit on a crossing stays as well", (r"^if isDown\n.*\n", "")),
    ),
    "change-requests": (
        clause(r"^Change it so that it makes one", (r"plot\(value0", 'plot(0 * request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on) + value0')),
        clause(r"^All plots keep their values", (r"\[value0, value1", "[value1, value0"), (r"\[1\], (\w+)\[1\], (\w+)\[1\], ta", r", \1, \2, ta")),
    ),
    "repair-errors": (
        clause(r"^It should plot the rate of change", (r"ta\.roc\(close", "ta.roc(open"), (r"math\.max\(nz\(best, change\), change\)", "change")),
        clause(r"^A bar is fast if", (r"change > level", "change < level")),
        clause(r"^fast bars show the plotshape", (r"plotshape\(isFast", "plotshape(not isFast"), (r"count \+= 1", "count += 2")),
    ),
    "repair-stop": (
        clause(r"^It should keep the", (r"close > open", "close >= open"), (r"values\.size\(\) > keep", "values.size() > keep + 1"), (r"values\.push\(\w+\)", "values.push(ohlc4)")),
        clause(r"is the average of the kept values", (r"total / size", "total"), (r"values\.first\(\)", "values.last()")),
        clause(r"^both are na while nothing is kept", (r"size > 0 \? total / size : na", "size > 0 ? total / size : 0.0")),
        clause(r"stays as it is", (r"ta\.sma\((\w+), (\d+)\), \"Line\"", r'ta.ema(\1, \2), "Line"')),
    ),
    "repair-repainting": (
        clause(r"^The line must be, on every bar", (r"average\[1\]", "average[2]"), (r", lookahead = barmerge\.lookahead_on", "")),
        clause(r"^Plots, titles and the input stay", _OVER_UNDER[0]),
    ),
    "repair-memory": (
        clause(r"^A break is a bar whose close", (r"length\)\[1\]", "length)"), (r"close > edge", "high > edge")),
        clause(r"^n is the input", (r"high, length\)", "high, length + 1)")),
        clause(r"is the number of breaks since the last bar", (r"% (\d+)", r"% (\1 + 1)")),
        clause(r"on such a bar it is 0, even if", (r"(if bar_index % \d+ == 0)", r"\1 and not isBreak")),
        clause(r"is the largest high of all breaks so far", (r"math\.max\(record, high\)", "high"), (r"plot\(record", "plot(nz(record)")),
        clause(r"^it is never reset", (r"^    count := 0$", "    count := 0\n    record := na")),
    ),
    "repair-orders": (
        clause(r"^While there is no position, it enters long", (r"length\)\[1\]", "length)"), (r"^if isFlat and close < bottom\n.*\n", "")),
        clause(r"^n is the input", (r"highest\(high, length\)", "highest(high, length + 1)")),
        clause(r"^Both are market orders", (r"strategy\.long\)", "strategy.long, limit = close)")),
        clause(r"^Each position, long or short, is closed", (r"^strategy\.exit.*Short.*\n|^strategy\.exit.*\n(?=plot)", ""), (r"loss = (\d+)", r"loss = \1 + 2")),
        clause(r"^Sizes and costs in the declaration are right", (r"slippage = \d", "slippage = 0")),
    ),
    "migrate-study": (*_CONVERT, clause(r"^the same plots with the same titles", *_SMOOTH)),
    "migrate-when": (
        *_CONVERT,
        clause(r"^the same plots with the same titles", _SMOOTH[0], (r"margin_long = 0, margin_short = 0", "margin_long = 100, margin_short = 100"), (r"strategy\.short", "strategy.long")),
    ),
    "migrate-conditions": (
        *_CONVERT,
        clause(r"^the same plots with the same titles", (r"length\)\[1\]", "length)")),
        clause(r"^Note that a bool had three states", (r"var int state = -1", "var int state = 0"), (r"% (\d) != 0 \? streak : 0", r"% \1 > 1 ? streak : 0"), (r"ta\.sma\(close, (\d)\)", r"ta.sma(close, \1 + 1)")),
    ),
    "migrate-security": (
        *_CONVERT,
        clause(r"^the same plots with the same titles", (r"^alertcondition.*\n?", ""), (r"average\[1\]", "average"), (r", display = display\.none", "")),
    ),
}  # fmt: skip


def sentences(task: Task) -> list[str]:
    """The sentences of a request, also the parts before a colon and after a semicolon."""
    text = re.sub(r"(?<=\d)\. (?=[A-Z])|(?<=^-)\s(?=\d)", lambda match: match[0], task.instance.request)
    parts = re.split(r"(?<=[.;:])\s+|\n+", text)
    return [part.strip() for part in parts if part.strip()]


def said_by(task: Task, part: str) -> bool:
    """Whether a clause, a general clause or a free sentence accounts for a sentence."""
    own = [each.said for each in CLAUSES[task.family.name]]
    free = (*FREE["*"], *FREE.get(task.family.name, ()))
    return any(re.search(pattern, part) for pattern in (*own, *GENERAL, *free))


def disregarding(task: Task) -> Iterator[tuple[str, str]]:
    """A name and a script for each clause of the family that the request has, and for each replacement that fits."""
    source = task.instance.reference
    for each in CLAUSES[task.family.name]:
        if any(re.search(each.said, part) for part in sentences(task)):
            for pattern, template in each.wrong:
                changed, count = re.subn(pattern, template, source, count=1, flags=re.MULTILINE)
                if count:
                    yield f"{each.said} <- {pattern}", changed
