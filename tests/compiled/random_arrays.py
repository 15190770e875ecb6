"""Random scripts with arrays, for comparisons of the two tiers."""

from __future__ import annotations

import random

_NUMBERS = ("close", "open - close", "na", "0", "-0.0", "bar_index", "close * 3", "bar_index % 4 == 1 ? na : high")
_INTS = ("bar_index", "3", "-2", "bar_index % 5", "int(close)", "bar_index % 4 == 1 ? na : 6")
_BOOLS = ("close > open", "true", "false", "bar_index % 3 == 0")
_INDICES = ("0", "-1", "size / 2", "size - 1", "bar_index % math.max(size, 1)", "na")
_HEAD = """indicator("Arrays")
n = input.int(6, "N")
join(float[] x, float[] y) =>
    x.concat(y)
    while x.size() > 20
        x.shift()
    x.sum()
swap(float[] x, int i) =>
    held = x.get(i)
    x.set(i, x.last())
    x.set(-1, held)
    [held, x.size()]
newest(float[] x) =>
    copied = x.copy()
    copied.reverse()
    copied
var float[] a = array.new_float(3, 1)
var float[] b = array.from(2.5, -1)
var int[] c = array.new<int>(2, 5)
var bool[] d = array.new_bool(2, true)
var float total = 0
var int size = na
"""


def array_script(seed: int) -> str:
    """A script with random calls on arrays of floats, ints and bools. Its input `N` is the most elements."""
    chance = random.Random(seed)
    lines = [_HEAD]
    for _ in range(chance.randint(8, 22)):
        lines += _step(chance, chance.choice("aabbcd"))
    for name in "abc":
        lines += [f"for [k, x] in {name}", "    if k > 9", "        break", "    total += k * nz(x)"]
        lines += [f"while {name}.size() > n", f"    {name}.{chance.choice(('shift', 'pop'))}()"]
        lines += [f"plot({name}.size())", f"plot({name}.sum())"]
    return "\n".join([*lines, "plot(total)", ""])


def _step(chance: random.Random, name: str) -> list[str]:
    """The lines of a random call on the array `name`. Its condition keeps most indices inside the array."""
    values = {"c": _INTS, "d": _BOOLS}.get(name, _NUMBERS)
    value, index = chance.choice(values), chance.choice(_INDICES)
    calls = {
        "push": value,
        "unshift": value,
        "insert": f"{index}, {value}",
        "set": f"{index}, {value}",
        "fill": f"{value}, 0, size",
        "reverse": "",
        "clear": "",
    }
    reads = {
        "get": index,
        "remove": index,
        "first": "",
        "last": "",
        "pop": "",
        "shift": "",
        "indexof": value,
        "lastindexof": value,
        "includes": value,
    }
    statistics = ("sum", "avg", "max", "min", "range", "median", "variance", "stdev", "percentrank")
    kind = chance.random()
    condition = chance.choice(("size > 0", "size > 0 and close > open", "size > 2 or bar_index < 0"))
    lines = [f"size := {name}.size()"]
    if kind < 0.35:
        call = chance.choice([*calls, "push", "push", "unshift"])
        return [*lines, f"if {condition if call != 'push' else 'size < 40'}", f"    {name}.{call}({calls[call]})"]
    if kind < 0.6 or name == "d":
        call = chance.choice([*reads])
        made = f"{name}.{call}({reads[call]})"
        if call == "includes" or (name == "d" and "indexof" not in call):
            made = f"({made} ? 1 : 0)"
        return [*lines, f"plot({condition} ? {made} : -7)", f"plot({condition} ? {name}.size() : 0)"]
    if kind < 0.85 and name in "ab":
        call = chance.choice(statistics)
        most = chance.choice(("", "1", "3"))
        more = {"max": most, "min": most, "stdev": chance.choice(("", "false")), "percentrank": "0"}.get(call, "")
        return [f"plot({name}.{call}({more}))"]
    if name == "c":
        return ["c.sort(order.descending)", "plot(c.max() - nz(c.min(1)))"]
    other = "b" if name == "a" else "a"
    return chance.choice(
        (
            [f"plot(join({name}, {other}) + {name}.size() - join({other}, {name}))"],
            [
                *lines,
                "if size > 1",
                f"    [held, many] = swap({name}, {chance.choice(('0', '1', '-1'))})",
                "    total += nz(held) * many",
            ],
            [f"plot({name}.size() > 0 ? newest({name}).get(0) : na)"],
            [f"{name}.sort({chance.choice(('', 'order.descending'))})", f"plot({name}.size() > 1 ? {name}.get(1) : 0)"],
        )
    )
