"""Right solutions that are written in another way than ours: by hand, with other built-ins, with other structures.

An alternative is a list of replacements in our solution: a regular expression, which must match, and the new text.
"""

# ruff: noqa: E501
import re

from pinebench.evals.tasks import Task

_SUM = """
sum(float values, int length) =>
    float total = 0.0
    for i = 0 to length - 1
        total += values[i]
    total
"""
_EMA = """
smooth(float values, int length) =>
    float start = ta.sma(values, length)
    float result = na
    result := na(result[1]) ? start : result[1] + 2.0 / (length + 1) * (values - result[1])
    result
"""
_DECLARED = r"^((?:indicator|strategy)\(.*\)\n)"

ALTERNATIVES: dict[str, list[tuple[str, str]]] = {
    "two-averages": [
        (_DECLARED, r"\1" + _SUM + _EMA),
        (r"ta\.sma\((\w+), (\w+)\)", r"sum(\1, \2) / \2"),
        (r"ta\.ema\((\w+), (\w+)\)", r"smooth(\1, \2)"),
        (r"100 \* \((\w+) - (\w+)\) / \w+", r"(\1 / \2 - 1) * 100"),
    ],
    "less-lag": [(_DECLARED, r"\1" + _EMA), (r"ta\.ema\(", "smooth("), (r"result - result\[1\]", "ta.change(result)")],
    "adaptive-average": [
        (r"math\.sum\(math\.abs\(close - close\[1\]\), length\)", "ta.sma(math.abs(ta.change(close)), length) * length"),
        (r"speed \* speed \*", "math.pow(speed, 2) *"),
        (r"var float average = na\nif not na\(speed\)\n    ", "float average = na\naverage := average[1]\nif not na(speed)\n    "),
    ],
    "bands": [
        (
            r"factor \* ta\.stdev\(close, length\)",
            "factor * math.sqrt(math.max(0, ta.sma(close * close, length) - math.pow(ta.sma(close, length), 2)))",
        ),
        (r"float lower = middle - spread", "float lower = 2 * middle - upper"),
    ],
    "squeeze": [
        (r"ta\.atr\(length\)", "ta.rma(ta.tr(true), length)"),
        (r"not isQuiet and quietBars\[1\] > 0", "not isQuiet and isQuiet[1]"),
        (r"var int quietBars = 0\nquietBars := .*", "int sinceLoud = ta.barssince(not isQuiet)\nint quietBars = nz(sinceLoud)"),
    ],
    "rsi-levels": [
        (
            r"ta\.rsi\(close, length\)",
            "100 * ta.rma(math.max(close - close[1], 0), length) / ta.rma(math.abs(close - close[1]), length)",
        ),
        (r"ta\.crossunder\(index, highLevel\)", "index < highLevel and index[1] >= highLevel"),
        (r"ta\.crossover\(index, lowLevel\)", "index > lowLevel and index[1] <= lowLevel"),
    ],
    "stochastic": [
        (_DECLARED, r"\1" + _SUM),
        (
            r"float raw = top == bottom \? 50\.0 : 100 \* \(close - bottom\) / \(top - bottom\)",
            "place = ta.stoch(close, high, low, length)\nfloat raw = top == bottom ? 50.0 : place",
        ),
        (r"ta\.sma\(raw, (\d+)\)", r"sum(raw, \1) / \1"),
    ],
    "z-score": [
        (r"ta\.stdev\(value, length\)", "math.sqrt(ta.variance(value, length))"),
        (r"math\.max\(-([\d.]+), math\.min\(([\d.]+), raw\)\)", r"raw > \2 ? \2 : raw < -\1 ? -\1 : raw"),
    ],
    "streak-rank": [
        (r"var int streak = 0\n(?s:.*?)    streak := 0\n", "int streak = 0\nstreak := move > 0 ? math.max(nz(streak[1]), 0) + 1 : "
         "move < 0 ? math.min(nz(streak[1]), 0) - 1 : 0\n"),
        (r"for i = 1 to moves\n", "for i = moves to 1\n"),
    ],
    "volume-flow": [
        (r"float total = ta\.cum\(part\)", "var float total = 0.0\ntotal += part"),
        (r"ta\.crossover\(total, average\)", "total > average and not (total[1] > average[1]) and not na(average[1])"),
    ],
    "relative-volume": [
        (r"ta\.sma\(volume, length\)\[1\]", "ta.sma(volume[1], length)"),
        (r"close > open", "not (close <= open)"),
    ],
    "rolling-vwap": [
        (r"math\.sum\(price \* volume, length\) / volumes", "ta.vwma(price, length)"),
        (r"float squares = 0\.0\nfor .*\n.*\n", ""),
        (
            r"math\.sqrt\(squares / volumes\)",
            "math.sqrt(math.max(0, math.sum(volume * price * price, length) / volumes - average * average))",
        ),
    ],
    "cross-alerts": [
        (r"string price = str\.tostring\(close, \"0\.00\"\)", 'string price = str.format("{0,number,0.00}", close)'),
        (r"if isOver\n    alert\((.*)\)\nif isUnder\n", r"if isOver\n    alert(\1)\nelse if isUnder\n"),
    ],
    "alert-pause": [
        (r"var int lastBar = na\n", ""),
        (r"bool isFree = na\(lastBar\) or bar_index - lastBar > (\d+)", r"var int wait = 0\nwait -= 1\nbool isFree = wait < 0"),
        (r"    lastBar := bar_index\n", "    wait := 11\n"),
    ],
    "day-vwap": [
        (r"timeframe\.change\(\"1D\"\)", "dayofmonth != dayofmonth[1]"),
        (r"if close > average\n    count \+= 1", "count := count + (close > average ? 1 : 0)"),
    ],
    "since-condition": [
        (r"var int age = na\nage := .*", "int age = ta.barssince(isHit)"),
        (r"var int total = 0\n.*\nint count = .*", "int count = 0\nfor i = 0 to math.min(window - 1, bar_index)\n    count += isHit[i] ? 1 : 0"),
    ],
    "trimmed-mean": [
        (
            r"sorted\.median\(\)",
            "(sorted.get(int((length - 1) / 2)) + sorted.get(int(length / 2))) / 2",
        ),
        (r"core\.avg\(\)", "core.sum() / core.size()"),
        (r"if window\.size\(\) > length\n    window\.shift\(\)", "while window.size() > length\n    window.remove(0)"),
    ],
    "line-fit": [
        (r"float slope = xy / xx", "float slope = ta.linreg(close, length, 0) - ta.linreg(close, length, 1)"),
        (
            r"plot\(yy == 0 \? 0\.0 : xy \* xy / \(xx \* yy\)",
            r"float fit = math.pow(ta.correlation(close, bar_index, length), 2)\nplot(na(middle) ? na : nz(fit)",
        ),
        (r"middle \+ slope \* \(centre \+ (\d)\)", r"ta.linreg(close, length, -\1)"),
    ],
    "price-buckets": [
        (r"for \[key, weight\] in weights\n    if", "for key in weights.keys()\n    float weight = weights.get(key)\n    if"),
        (r"int\(math\.floor\(close / width\)\)", "math.floor(close / width)"),
    ],
    "touched-levels": [
        (r"for i = 0 to 2 \* side\n.*\n.*\n", "isPivot := not na(high[2 * side])\nfor i = 0 to side - 1\n"
         "    isPivot := isPivot and high[side] > high[i] and high[side] > high[2 * side - i]\n"),
        (r"array<Level> kept = .*\nfor level in levels\n.*\n.*\nlevels := kept\n",
         "if levels.size() > 0\n    for i = levels.size() - 1 to 0\n        if levels.get(i).test()\n            levels.remove(i)\n"),
    ],
    "best-moves": [
        (r"method insert\(array<Move> this, Move added\) =>\n(?s:.*?)this\.pop\(\)\n",
         "method insert(array<Move> this, Move added) =>\n    int place = this.size()\n    while place > 0\n"
         "        if not (added.size > this.get(place - 1).size)\n            break\n        place -= 1\n"
         "    this.insert(place, added)\n    while this.size() > KEEP\n        this.remove(this.size() - 1)\n"),
    ],
    "figures-table": [
        (r"var table figures = table\.new\((.*)\)\nif barstate\.islast\n", r"table figures = table.new(\1)\nif bar_index == last_bar_index\n"),
    ],
    "last-line": [
        (r"-ta\.highestbars\(high, length\)", "math.abs(ta.highestbars(high, length))"),
        (r"if barstate\.islast\n.*\n.*\n    drawn := line\.new\(bar_index - highAgo, top, bar_index - lowAgo, bottom\)",
         "if barstate.islast\n    line.new(chart.point.from_index(bar_index - lowAgo, bottom), "
         "chart.point.from_index(bar_index - highAgo, top))"),
    ],
    "average-cross": [
        (r"ta\.crossover\(fast, slow\)", "fast > slow and fast[1] <= slow[1]"),
        (r"ta\.crossunder\(fast, slow\)", "fast < slow and fast[1] >= slow[1]"),
        (r"strategy\.close\(\"\w+\"\)", "strategy.close_all()"),
    ],
    "channel-bracket": [
        (r"ta\.highest\(high, length\)\[1\]", "ta.highest(high[1], length)"),
        (r"and strategy\.position_size == 0", "and strategy.opentrades == 0"),
        (r"if close (.*)\n    (strategy\.entry.*)\n(strategy\.exit.*)\n", r"if close \1\n    \2\n    \3\n"),
    ],
    "pyramid": [
        (r"if close > average and strategy\.position_size > 0\n    strategy\.close_all\(\)",
         "if close > average\n    strategy.close_all(immediately = false)"),
        (r"bool isWeak = .*", "bool isWeak = ta.falling(close, 1) and close[1] < close[2]"),
    ],
    "hours-only": [
        (r"not na\(time\(timeframe\.period, \"(\d\d)00-(\d\d)00:1234567\"\)\)", r"hour >= \1 and hour < \2"),
        (r"if not isWithin and not isFlat\n    strategy\.close_all\(\)",
         'if not isWithin and strategy.position_size > 0\n    strategy.close("LONG")\n'
         'if not isWithin and strategy.position_size < 0\n    strategy.close("SHORT")'),
    ],
    "library-type": [
        (r"    float before = value - this\.mean\n(?s:.*?)    this\.top",
         "    float before = this.mean\n    this.mean := ((this.count - 1) * before + value) / this.count\n"
         "    this.squares := this.squares + (value - before) * (value - this.mean)\n    this.top"),
        (r"na\(this\.top\) \? value : math\.max\(this\.top, value\)", "value > nz(this.top, value - 1) ? value : this.top"),
    ],
    "library-arrays": [
        (r"    array<float> distances = .*\n    for value in values\n.*\n    distances\.median\(\)",
         "    array<float> distances = values.copy()\n    if values.size() > 0\n        for i = 0 to values.size() - 1\n"
         "            distances.set(i, math.abs(values.get(i) - middle))\n    distances.median()"),
    ],
    "change-inputs": [(r"int length = input\.int\((\d+), \"(\w+)\", minval = 1\)", r'length = input.int(\1, "\2")')],
    "change-short-side": [
        (r"if isWeak\n    strategy\.entry\((.*)\)\nif isStrong\n    strategy\.close\((.*)\)\n", r"if isStrong\n    strategy.close(\2)\n"
         r"if isWeak\n    strategy.entry(\1)\n"),
    ],
    "repair-memory": [
        (r"record := na\(record\) \? high : math\.max\(record, high\)", "record := math.max(nz(record), high)"),
        (r"if bar_index % (\d+) == 0\n    count := 0", r"count := bar_index % \1 == 0 ? 0 : count"),
    ],
    "migrate-conditions": [
        (r"state := close > top \? 1 : close < bottom \? 0 : state", "if close > top\n    state := 1\nelse if close < bottom\n    state := 0"),
    ],
}  # fmt: skip


def alternative(task: Task) -> str:
    """The alternative solution of a task."""
    source = task.instance.reference
    for pattern, template in ALTERNATIVES[task.family.name]:
        source, count = re.subn(pattern, template, source, flags=re.MULTILINE)
        assert count, f"{task.id}: {pattern} is not in our solution"
    ids = re.findall(r'strategy\.entry\("([^"]+)"', source)
    source = source.replace('"LONG"', f'"{ids[0]}"').replace('"SHORT"', f'"{ids[-1]}"') if ids else source
    kept = re.search(r"this\.size\(\) > (\d+)", task.instance.reference)
    return source.replace("> KEEP", f"> {kept[1]}") if kept else source
