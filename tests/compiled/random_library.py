"""Random scripts with calls that the library answers while machine code runs, for comparisons of the two tiers."""

from __future__ import annotations

import random

_HEAD = """indicator("Library")
type Level
    float price
    string name
n = input.int(6, "N")
shown(float x) =>
    str.tostring(x, "#.##")
split(string x) =>
    str.split(x, ".")
var grid = matrix.new<float>(3, 3, 0)
var counts = map.new<string, int>()
var levels = map.new<int, Level>()
var names = array.new<string>()
var prices = array.from(1.5, 2, na)
var wholes = array.new<int>(3, 4)
string made = shown(close)
string kept = na
float total = 0
"""
_TEXTS = (
    "made",
    "kept",
    "shown(open)",
    'str.replace(made, "1", "one")',
    "str.substring(made, 1)",
    'str.repeat("ab", bar_index % 3)',
    "str.tostring(prices)",
    "str.tostring(grid.row(1))",
    "str.tostring(close, format.mintick)",
    'str.format("{0} {1,number,integer}", made, close)',
    "str.format_time(time[bar_index % 3], 'HH:mm')",
    "split(made).first()",
    '(names.size() > 0 ? names.last() : "none")',
    'names.join("-")',
    '(close > open ? "up" : made)',
    "str.trim(' ' + made)",
)
_NUMBERS = (
    "str.length({text})",
    'str.pos({text}, "1")',
    "str.tonumber({text})",
    '(str.contains({text}, "2") ? 1 : 0)',
    '(str.startswith({text}, "1") or str.endswith({text}, "5") ? 1 : 0)',
    "({text} == {other} ? 1 : 0)",
    "({text} != {other} and not na({text}) ? 1 : 0)",
    "math.log10(close)",
    "ta.median(close, n)",
    "ta.percentile_linear_interpolation(close, n, 40)",
    "ta.percentile_nearest_rank(high, 9, 70)",
    "ta.mode(math.round(close), 7)",
    "ta.range(low, n)",
    "math.random(0, 5, 2)",
    "year(time - bar_index * 86400000)",
    "dayofweek(time + 1000 * bar_index)",
    "timestamp('UTC', 2020, 1 + bar_index % 12, 3)",
    "timeframe.in_seconds(bar_index % 2 == 0 ? '60' : 'D')",
    "color.t(color.new(color.red, bar_index % 100))",
    "color.r(close > open ? color.green : color.blue)",
    "prices.percentrank(0)",
    "prices.percentile_linear_interpolation(30)",
    "prices.mode()",
    "prices.covariance(array.from(close, 2, 3))",
    "prices.standardize().get(0)",
    "prices.binary_search_leftmost(close)",
    "prices.sort_indices().get(1)",
    "prices.abs().sum()",
    "wholes.avg()",
    "wholes.median()",
    "wholes.stdev()",
    "grid.get(1, bar_index % 3)",
    "grid.avg()",
    "grid.det()",
    "grid.col(1).max()",
    "grid.mult(2).sum(grid).get(0, 0)",
    "grid.transpose().rows() + grid.columns()",
    "nz(counts.get({text}))",
    "counts.size() + counts.keys().size() + counts.values().sum()",
    "(counts.contains({text}) ? 1 : 0)",
    "(levels.contains(1) ? levels.get(1).price : -1)",
    "(na(levels.get(bar_index)) ? 1 : 0)",
    "names.indexof({text})",
    "(names.includes({text}) ? 1 : 0)",
)
_STEPS = (
    "kept := {text}",
    "made := {text}",
    "names.push({text})",
    "names.sort()",
    "names.sort(close > open ? order.ascending : order.descending)",
    "if names.size() > 8\n    names.shift()",
    "prices.set(bar_index % 3, {number})",
    "wholes.push(bar_index % 7)",
    "if wholes.size() > 9\n    wholes.sort(close > open ? order.ascending : order.descending)\n    wholes.pop()",
    "grid.set(bar_index % 3, 1, {number})",
    "grid.swap_rows(0, bar_index % 3)",
    "grid := grid.copy()",
    "grid.add_row(1, array.from(close, 1, 2))\ngrid.remove_row(0)",
    "counts.put({text}, bar_index)",
    "if counts.size() > 20\n    counts.clear()",
    "total += nz(counts.remove({text}))",
    "levels.put(bar_index % 4, Level.new(close, {text}))",
    "if levels.contains(2)\n    label.new(bar_index, high, levels.get(2).name)",
    "for part in split({text})\n    total += str.length(part)",
    "total += {number}",
    "label.new(bar_index, high, {text}, tooltip = {other})",
    "log.info({text})",
    "alert({text})",
)
_CONDITIONS = ("close > open", "bar_index % 5 == {k}", "{text} != {other}", "str.length({text}) > {k}")


def library_script(seed: int) -> str:
    """The script of a seed."""
    chance = random.Random(f"library {seed}")

    def written(form: str) -> str:
        number = chance.choice(_NUMBERS) if "{number}" in form else ""
        return form.replace("{number}", number).format(
            text=chance.choice(_TEXTS), other=chance.choice(_TEXTS), k=chance.randint(0, 5)
        )

    lines = [_HEAD]
    for _ in range(chance.randint(5, 14)):
        body = written(chance.choice(_STEPS)).split("\n")
        lines += [f"if {written(chance.choice(_CONDITIONS))}", *(f"    {each}" for each in body)]
    lines += [f"plot({written(each)})" for each in chance.sample(_NUMBERS, 8)]
    return "\n".join([*lines, "plot(total)", "plot(names.size())", "plot(na(kept) ? 1 : 0)", ""])
