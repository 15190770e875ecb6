"""Random scripts with all statements of the language and the built-ins of the reference, for comparisons of the two
tiers.

The functions `noted` write a line of the log when they are called, so that a call that is left out, made twice or made
too early is a difference.
"""

from __future__ import annotations

import random
import re
from functools import cache

from pinebench import reference
from pinebench.reference import Overload, Parameter

KINDS = ("int", "float", "bool", "color", "string")
_HEAD = """type Cell
    float price = 0.5
    int count = 2
    bool up = false
    string name = "cell"
    varip int runs = 0
    array<float> prices
type Pair
    Cell left
    Cell right
int_input = input.int({whole}, "Whole")
float_input = input.float({number}, "Number")
bool_input = input.bool({truth}, "Truth")
source_input = input.source({source}, "Source")
noted(float x, int k) =>
    log.info("number {{0}}", k)
    x
noted_test(bool x, int k) =>
    log.info("test {{0}}", k)
    x
noted_whole(int x, int k) =>
    log.info("whole {{0}}", k)
    x
method grown(Cell this, float step) =>
    this.price += step
    this.count += 1
    this.runs += 1
    this.price
method doubled(float this, int times = 2) =>
    this * times
method placed(array<float> this, float x) =>
    if this.size() > 9
        this.shift()
    this.push(x)
    this.size()
array_of(float x) =>
    array.from(x, x + 1, na, x[1])
var Cell cell = Cell.new(1, prices = array.new<float>(2, 3))
var Cell other = Cell.new(name = "other", prices = array.from(1.0))
var Pair pair = Pair.new(cell, other)
var floats = array.from(2.5, na, -1)
var ints = array.new<int>(3, 4)
var cells = array.new<Cell>()
cells.push(Cell.copy(cell))
if cells.size() > 4
    cells.shift()
"""
_LITERALS = {
    "int": ("0", "1", "2", "3", "7", "-4", "-1", "100", "2147483647", "-2147483648", "1000000007"),
    "float": ("0.0", "-0.0", "0.5", "-1.25", "1e-9", "3e11", "-7e300", "100.1", "0.1", "1.0", "2"),
    "bool": ("true", "false"),
    "color": ("color.red", "#11223344", "color.rgb(1, 2, 3)", "color.new(color.blue, 40)"),
    "string": ('"a"', '""', '"ab,c"', '"12.5"', '"{0} and {1}"', '"#.##"', '"Ab "'),
}
_SIMPLE = {
    "int": ("int_input", "syminfo.pricescale", "last_bar_index", "timeframe.multiplier", "int_input * 3"),
    "float": ("float_input", "syminfo.mintick", "float_input / 3", "syminfo.pointvalue"),
    "bool": ("bool_input", "timeframe.isdaily", "not bool_input"),
    "color": ("bool_input ? color.red : color.green",),
    "string": ("syminfo.ticker", "timeframe.period", 'bool_input ? "x" : "yy"'),
}
_SERIES = {
    "int": ("bar_index", "time", "hour", "dayofweek", "ints.size()", "cell.count", "pair.right.count", "ints.first()"),
    "float": (
        *("close", "open", "high", "low", "volume", "hl2", "ohlc4", "source_input", "ta.tr", "ta.obv", "ta.vwap"),
        *("cell.price", "other.price", "pair.left.price", "floats.last()", "floats.sum()", "cells.last().price"),
        "ta.accdist",
    ),
    "bool": ("close > open", "barstate.isfirst", "barstate.islast", "cell.up", "bar_index % 3 == 0", "na(cell)"),
    "color": ("close > open ? color.red : color.blue", "color.from_gradient(close, low, high, color.red, color.lime)"),
    "string": ("str.tostring(bar_index)", "cell.name", 'close > open ? "up" : na', "str.tostring(close > open)"),
}
_LENGTHS = ("1", "2", "3", "5", "14", "bar_index % 4 + 1", "int_input", "1 + int(math.abs(nz(close - open))) % 5")
_BACK = ("1", "2", "5", "bar_index % 4", "int_input", "cell.count % 7", "bar_index")
_LEFT_OUT = re.compile(
    r"str\.(repeat|format_time|substring|match)|ta\.pivot_point|array\.(new|from|slice|join)|math\.(random|todegrees)"
    r"|time|timestamp|max_bars_back|runtime|input|alert|log|plot|strategy|request|ticker|library|indicator|hline|fill|"
    r"bgcolor|barcolor|color\.(rgb|new|from_gradient)|nz|timeframe"
)
"""The functions with arguments that mostly stop a script, and those that have generators of their own."""
_SIMPLE_LENGTH = re.compile("len|period|num|length|occurrence|ccopy|leftbars|rightbars|left|right|smooth|max", re.I)
_GIVEN = {
    "timezone": ('"UTC"', "syminfo.timezone", '"Asia/Tokyo"'),
    "percentage": ("40", "0", "100", "bar_index % 90 + 0.5"),
    "id1": ("floats",),
    "id2": ("floats",),
}
"""The values of parameters for which another value stops the script."""


@cache
def _overloads() -> dict[str, list[tuple[str, Overload]]]:
    """The overloads of the built-ins by the kind of their results, each with the name of its function."""
    found: dict[str, list[tuple[str, Overload]]] = {kind: [] for kind in (*KINDS, "tuple")}
    for name in reference.functions():
        if _LEFT_OUT.match(name):
            continue
        function = reference.function(name)
        assert function is not None
        if function.effects.changes:
            continue
        for overload in function.overloads:
            kind = "tuple" if overload.returns.startswith("[") else overload.returns.split(" ")[-1].split("|")[0]
            if kind in found and all(map(_kind_of, overload.parameters)):
                found[kind].append((name, overload))
    return found


def _kind_of(parameter: Parameter) -> str:
    """The kind of an argument for a parameter: a kind or `array<kind>`; empty if the generator has none."""
    base = parameter.type.split(" ")[-1]
    if base.startswith("array<"):
        inner = base[6:-1].strip("()").split("|")
        return "array<float>" if "float" in inner else "array<int>" if "int" in inner else ""
    kinds = base.split("|")
    return next((kind for kind in ("float", *KINDS) if kind in kinds), "")


class _Scope:
    """The names that a block can read, by their kinds."""

    def __init__(self, parent: _Scope | None = None, *, is_function: bool = False) -> None:
        self.names: dict[str, list[str]] = {kind: [] for kind in KINDS}
        self.mutable: dict[str, list[str]] = {kind: [] for kind in KINDS}
        if parent is not None:
            for kind in KINDS:
                self.names[kind] = list(parent.names[kind])
                self.mutable[kind] = [] if is_function else list(parent.mutable[kind])

    def add(self, name: str, kind: str, *, is_mutable: bool = True) -> None:
        self.names[kind].append(name)
        if is_mutable:
            self.mutable[kind].append(name)


class _Writer:
    """Writes one script."""

    def __init__(self, chance: random.Random, *, is_strategy: bool) -> None:
        self._chance = chance
        self._is_strategy = is_strategy
        self._count = 0
        self._functions: list[tuple[str, str, list[str]]] = []
        """The user's functions: their names, the kinds of their results and of their parameters."""

    def script(self) -> str:
        pick = self._chance.choice
        title = (
            f'strategy("Language", pyramiding = {pick((0, 3))}, calc_on_order_fills = {pick(("true", "false"))}, '
            f"process_orders_on_close = {pick(('true', 'false'))}, margin_long = 20, margin_short = 20)"
            if self._is_strategy
            else f'indicator("Language", max_bars_back = {pick((60, 500, 500))})'
        )
        head = _HEAD.format(
            whole=pick((1, 3, 9)),
            number=pick((0.5, 2.0, -3.25)),
            truth=pick(("true", "false")),
            source=pick(("close", "hl2")),
        )
        lines = [title, *head.splitlines()]
        scope = _Scope()
        for _ in range(self._chance.randint(1, 4)):
            lines += self._function()
        for _ in range(self._chance.randint(5, 12)):
            lines += self._statement(scope, 0, is_loop=False)
        if self._is_strategy:
            lines += [f"if bar_index % {n} == {k}\n    {self._order(scope)}" for n, k in ((3, 1), (5, 2), (4, 0))]
            lines += ["if bar_index % 7 == 3", f'    strategy.entry("A", strategy.{pick(("long", "short"))})']
        for kind in KINDS:
            lines += [f"plot({self._plotted(kind, name)})" for name in scope.names[kind][:12]]
        return "\n".join([*lines, "plot(cell.price + cell.count + cell.runs)", "plot(floats.sum() + ints.sum())", ""])

    def _plotted(self, kind: str, name: str) -> str:
        if kind == "bool":
            return f"{name} ? 1 : 0"
        if kind == "color":
            return f"color.r({name}) + color.t({name})"
        return f"str.length({name})" if kind == "string" else name

    def _new(self) -> str:
        self._count += 1
        return f"x{self._count}"

    # functions

    def _function(self) -> list[str]:
        pick = self._chance.choice
        name = f"f{len(self._functions)}"
        kinds = [pick(("int", "float", "float", "bool")) for _ in range(self._chance.randint(0, 3))]
        scope = _Scope()
        given: list[str] = []
        for k, kind in enumerate(kinds):
            scope.add(f"p{k}", kind, is_mutable=False)
            given.append(f"{kind} p{k}")
        result = pick(("int", "float", "float", "bool", "string", "tuple"))
        lines = [f"{name}({', '.join(given)}) =>"]
        for _ in range(self._chance.randint(1, 4)):
            lines += self._statement(scope, 1, is_loop=False, is_function=True)
        if result == "tuple":
            lines.append(f"    [{self.value('float', scope, 2)}, {self.value('bool', scope, 2)}]")
        else:
            lines.append(f"    {self.value(result, scope, 2)}")
        self._functions.append((name, result, kinds))
        return lines

    # statements

    def _statement(self, scope: _Scope, depth: int, *, is_loop: bool, is_function: bool = False) -> list[str]:
        chance, pick = self._chance, self._chance.choice
        kind = pick(("int", "float", "float", "bool", "string", "color"))
        choice = chance.random()
        if choice < 0.3 or depth > 3:
            return self._declared(scope, kind, depth)
        if choice < 0.42 and scope.mutable[kind]:
            name = pick(scope.mutable[kind])
            operator = pick((":=", ":=", "+=", "-=", "*=")) if kind in ("int", "float") else ":="
            return self._at(depth, f"{name} {operator} {self.value(kind, scope, 2)}")
        if choice < 0.5:
            return self._at(depth, self._effect(scope))
        if choice < 0.56 and is_loop:
            return self._at(depth, f"if {self.value('bool', scope, 1)}\n    {pick(('break', 'continue'))}")
        if choice < 0.62:
            return self._tuple(scope, depth)
        if choice < 0.7 and self._is_strategy and not is_function:
            return self._at(depth, f"if {self.value('bool', scope, 2)}\n    {self._order(scope)}")
        if choice < 0.78:
            return self._loop(scope, depth, is_function=is_function)
        if choice < 0.88:
            return self._chosen(scope, kind, depth, is_loop=is_loop)
        lines = self._at(depth, f"if {self.value('bool', scope, 2)}")
        lines += self._block(scope, depth + 1, is_loop=is_loop, is_function=is_function)
        if chance.random() < 0.5:
            lines += self._at(depth, f"else if {self.value('bool', scope, 1)}" if chance.random() < 0.5 else "else")
            lines += self._block(scope, depth + 1, is_loop=is_loop, is_function=is_function)
        return lines

    def _at(self, depth: int, text: str) -> list[str]:
        return ["    " * depth + line for line in text.split("\n")]

    def _block(self, scope: _Scope, depth: int, *, is_loop: bool, is_function: bool) -> list[str]:
        inner = _Scope(scope)
        lines: list[str] = []
        for _ in range(self._chance.randint(1, 3)):
            lines += self._statement(inner, depth, is_loop=is_loop, is_function=is_function)
        return lines

    def _declared(self, scope: _Scope, kind: str, depth: int) -> list[str]:
        name = self._new()
        word = self._chance.choice(("", "", "var ", "varip " if depth == 0 else ""))
        lines = self._at(depth, f"{word}{kind} {name} = {self.value(kind, scope, 3)}")
        scope.add(name, kind)
        return lines

    def _tuple(self, scope: _Scope, depth: int) -> list[str]:
        made = [name for name, kind, _ in self._functions if kind == "tuple"]
        one, two = self._new(), self._new()
        test = self.value("bool", scope, 1)
        pair = [f"[{self.value('float', scope, 1)}, {self.value('bool', scope, 1)}]" for _ in range(3)]
        kind = self._chance.random()
        if kind < 0.4 and made:
            lines = self._at(depth, f"[{one}, {two}] = {self._own_call(self._chance.choice(made), scope, 1)}")
        elif kind < 0.7:
            cases = f"    {test} => {pair[0]}\n    {self.value('bool', scope, 1)} => {pair[1]}\n    => {pair[2]}"
            lines = self._at(depth, f"[{one}, {two}] = switch\n{cases}")
        else:
            lines = self._at(depth, f"[{one}, {two}] = if {test}\n    {pair[0]}\nelse\n    {pair[1]}")
        scope.add(one, "float")
        scope.add(two, "bool")
        return lines

    def _chosen(self, scope: _Scope, kind: str, depth: int, *, is_loop: bool) -> list[str]:
        """A declaration whose value is an `if`, a `switch` or a loop."""
        name, form = self._new(), self._chance.randrange(4)
        values = [self.value(kind, scope, 2) for _ in range(3)]
        declared = f"{self._chance.choice(('', 'var '))}{kind} {name} ="
        if form == 0:
            text = f"{declared} if {self.value('bool', scope, 1)}\n    {values[0]}\nelse\n    {values[1]}"
        elif form == 1:
            asked = self.value("int", scope, 1)
            cases = f"    0 => {values[0]}\n    1 =>\n        {values[1]}\n    => {values[2]}"
            text = f"{declared} switch ({asked}) % 3\n{cases}"
        elif form == 2:
            text = f"{declared} switch\n    {self.value('bool', scope, 1)} => {values[0]}\n    => {values[1]}"
        else:
            text = f"{declared} for k{name} = 0 to {self._chance.randint(0, 4)}\n    {values[0]}"
        lines = self._at(depth, text)
        scope.add(name, kind)
        return lines

    def _loop(self, scope: _Scope, depth: int, *, is_function: bool) -> list[str]:
        pick, name = self._chance.choice, self._new()
        inner = _Scope(scope)
        form = self._chance.randrange(5)
        end: list[str] = []
        if form == 0:
            by = pick(("", "", " by 2", " by 3"))
            first, last = pick(("0", "3", "-2", "bar_index % 3")), pick(("4", "0", "bar_index % 6", "ints.size() % 5"))
            lines = self._at(depth, f"for {name} = {first} to {last}{by}")
            inner.add(name, "int", is_mutable=False)
        elif form == 1:
            lines = self._at(
                depth, f"for [k{name}, {name}] in {pick(('floats', 'floats', 'array_of(close)', 'cell.prices'))}"
            )
            inner.add(name, "float", is_mutable=False)
            inner.add(f"k{name}", "int", is_mutable=False)
            if self._chance.random() < 0.5:
                changed = pick(("floats.push(close)", "floats.pop()", "floats.shift()", "floats.set(0, na)"))
                end = self._at(depth + 1, f"if floats.size() > 1 and floats.size() < 9\n    {changed}")
        elif form == 2:
            lines = self._at(depth, f"for {name} in {pick(('ints', 'array.from(1, 5, 2)'))}")
            inner.add(name, "int", is_mutable=False)
        elif form == 3:
            lines = self._at(depth, f"for {name}c in cells")
            end = self._at(
                depth + 1, pick((f"{name}c.grown(1)", f"{name}c.price := close", f"if {name}c.count > 9\n    break"))
            )
        else:
            lines = self._at(depth, f"int {name} = 0\nwhile {name} < {pick(('3', 'bar_index % 5'))}\n    {name} += 1")
            inner.add(name, "int", is_mutable=False)
        for _ in range(self._chance.randint(1, 3)):
            lines += self._statement(inner, depth + 1, is_loop=True, is_function=is_function)
        return lines + end

    def _effect(self, scope: _Scope) -> str:
        number, whole = self.value("float", scope, 2), self.value("int", scope, 1)
        text = self.value("string", scope, 1)
        return self._chance.choice(
            (
                f"cell.price := {number}",
                f"cell.count := {whole}",
                f"cell.up := {self.value('bool', scope, 2)}",
                f"cell.name := {self.value('string', scope, 1)}",
                f"cell.grown({number})",
                f"floats.placed({number})",
                f"floats.set(0, {number})",
                f"ints.set({self._chance.choice(('0', '-1', '1'))}, {whole})",
                f"if cells.size() > 0\n    newest = cells.last()\n    newest.price := {number}",
                f"cells.push(Cell.new({number}, {whole}, name = {self.value('string', scope, 1)}))",
                f"pair.left := Cell.copy(cell)\npair.left.price := {number}",
                "pair.right := close > open ? cell : other",
                "if cells.size() > 8\n    cells.clear()",
                f"log.info({self.value('string', scope, 2)})",
                f'log.info("{{0}} {{1,number,#.###}} {{2}}", {whole}, {number}, {self.value("bool", scope, 1)})',
                f"alert({text})",
                f"label.new(bar_index, {number}, {text}, color = {self.value('color', scope, 1)})",
            )
        )

    def _order(self, scope: _Scope) -> str:
        pick, number, price = self._chance.choice, self.value("float", scope, 1), self.value("float", scope, 1)
        test, text = self.value("bool", scope, 1), self.value("string", scope, 1)
        id = pick(('"A"', '"B"', "cell.name", '"A" + str.tostring(bar_index % 3)'))
        return pick(
            (
                f"strategy.entry({id}, strategy.{pick(('long', 'short'))})",
                f"strategy.entry({id}, {test} ? strategy.long : strategy.short, qty = 1 + math.abs({number}) % 3)",
                f"strategy.order({id}, strategy.{pick(('long', 'short'))}, 2, {pick(('limit', 'stop'))} = {number})",
                f"strategy.exit('X', {id}, profit = {price}, loss = {number}, comment = {text})",
                f"strategy.exit('Y', {id}, trail_points = 30, trail_offset = {self.value('int', scope, 0)})",
                f"strategy.close({id}, qty_percent = {pick((10, 50, 100))}, immediately = {pick(('true', 'false'))})",
                "strategy.close_all()",
                f"strategy.cancel({id})",
                "for k = 0 to bar_index % 3\n    strategy.entry('L' + str.tostring(k), strategy.long, k + 1)",
            )
        ).replace("\n", "\n    ")

    # expressions

    def value(self, kind: str, scope: _Scope, depth: int) -> str:
        """An expression of a kind."""
        chance, pick = self._chance, self._chance.choice
        if depth <= 0 or chance.random() < 0.15:
            return self._leaf(kind, scope)
        choice = chance.random()
        if choice < 0.12:
            then, otherwise = self.value(kind, scope, depth - 1), self.value(kind, scope, depth - 1)
            return f"({self.value('bool', scope, depth - 1)} ? {then} : {otherwise})"
        if choice < 0.2 and kind in ("int", "float"):
            return f"nz({self.value(kind, scope, depth - 1)}, {self.value(kind, scope, depth - 1)})"
        if choice < 0.26 and kind in ("int", "float", "bool"):
            function = {"int": "noted_whole", "float": "noted", "bool": "noted_test"}[kind]
            self._count += 1
            return f"{function}({self.value(kind, scope, depth - 1)}, {self._count})"
        if choice < 0.36:
            made = [name for name, result, _ in self._functions if result == kind]
            if made:
                return self._own_call(pick(made), scope, depth - 1)
        if choice < 0.6:
            return self._built_in(kind, scope, depth)
        return self._operated(kind, scope, depth - 1)

    def _operated(self, kind: str, scope: _Scope, depth: int) -> str:
        pick = self._chance.choice
        one, two = (self.value(kind, scope, depth) for _ in range(2))
        if kind == "float":
            return pick(
                (
                    *(f"({one} {sign} {two})" for sign in "+-*/%"),
                    f"(-{one})",
                    f"({one} + open)[{pick(_BACK)}]",
                    f"({one} / {self.value('int', scope, depth)})",
                    f"({self.value('int', scope, depth)} / {self.value('int', scope, depth)})",
                    f"({one}).doubled({self.value('int', scope, 0)})",
                    f"cell.grown({one})",
                    f"(floats.size() > 0 ? floats.get({pick(('0', '-1', 'floats.size() - 1'))}) : {two})",
                    f"request.security(syminfo.tickerid, {pick(_TIMEFRAMES)}, {self._asked()})",
                )
            )
        if kind == "int":
            return pick(
                (
                    *(f"({one} {sign} {two})" for sign in "+-*%"),
                    f"(-{one})",
                    f"({one} + bar_index)[{pick(_BACK)}]",
                    f"int({self.value('float', scope, depth)})",
                    f"math.round({self.value('float', scope, depth)})",
                    f"floats.placed({self.value('float', scope, depth)})",
                    f"(ints.size() > 0 ? ints.last() : {two})",
                )
            )
        if kind == "bool":
            numbers = [self.value(pick(("int", "float")), scope, depth) for _ in range(2)]
            texts = [self.value("string", scope, depth) for _ in range(2)]
            return pick(
                (
                    *(f"({one} {sign} {two})" for sign in ("and", "or", "and", "or", "==", "!=")),
                    f"(not {one})",
                    f"({one} or bar_index < 0)[{pick(_BACK)}]",
                    f"(not bool_input)[{pick(_BACK)}]",
                    *(f"({numbers[0]} {sign} {numbers[1]})" for sign in ("<", "<=", ">", ">=", "==", "!=")),
                    f"({texts[0]} {pick(('==', '!='))} {texts[1]})",
                    f"na({numbers[0]})",
                    f"na({texts[0]})",
                    f"({self.value('color', scope, depth)} == {self.value('color', scope, depth)})",
                )
            )
        if kind == "color":
            return pick(
                (
                    f"color.new({one}, {pick(('0', '40', 'bar_index % 100'))})",
                    f"(close > open ? {one} : {two})[{pick(_BACK)}]",
                )
            )
        return pick(
            (
                f"({one} + {two})",
                f"({one} + str.tostring(bar_index % 3))[{pick(_BACK)}]",
                f"str.tostring({self.value(pick(('int', 'float', 'bool')), scope, depth)})",
                f'str.tostring({self.value("float", scope, depth)}, "#.###")',
                f'str.format("{{0}} {{1}} {{0,number,percent}}", {self.value("float", scope, depth)}, {one})',
            )
        )

    def _asked(self) -> str:
        """An expression for other bars."""
        return self._chance.choice(
            (
                "close",
                "ta.ema(close, 3)[1]",
                "bar_index + high",
                "doubled(close)",
                'request.security("", "D", ta.sma(high, 2))',
                "close > open ? low : na",
            )
        )

    def _own_call(self, name: str, scope: _Scope, depth: int) -> str:
        kinds = next(kinds for each, _, kinds in self._functions if each == name)
        return f"{name}({', '.join(self.value(kind, scope, depth) for kind in kinds)})"

    def _leaf(self, kind: str, scope: _Scope) -> str:
        pick, choice = self._chance.choice, self._chance.random()
        if choice < 0.4 and scope.names[kind]:
            name = pick(scope.names[kind])
            return f"{name}[{pick(_BACK)}]" if self._chance.random() < 0.3 else name
        if choice < 0.75:
            text = pick(_SERIES[kind])
            return f"({text})" if " " in text else text
        if choice < 0.85:
            return f"({pick(_SIMPLE[kind])})"
        if choice < 0.92 and kind != "bool":
            return f"{kind}(na)"
        text = pick(_LITERALS[kind])
        return f"({text})" if text.startswith("-") else text

    def _built_in(self, kind: str, scope: _Scope, depth: int) -> str:
        name, overload = self._chance.choice(_overloads()[kind])
        return self._called(name, overload, scope, depth - 1)

    def _called(self, name: str, overload: Overload, scope: _Scope, depth: int) -> str:
        given: list[str] = []
        for parameter in overload.parameters:
            if "..." in parameter.name:
                given += [self._argument(name, parameter, scope, depth) for _ in range(self._chance.randint(2, 3))]
            elif parameter.required or self._chance.random() < 0.3:
                given.append(self._argument(name, parameter, scope, depth))
            else:
                break
        return f"{name}({', '.join(given)})"

    def _argument(self, name: str, parameter: Parameter, scope: _Scope, depth: int) -> str:
        """An argument for a parameter."""
        pick, kind = self._chance.choice, _kind_of(parameter)
        if parameter.name in _GIVEN:
            return pick(_GIVEN[parameter.name])
        qualifier = parameter.type.split(" ")[0]
        if kind.startswith("array"):
            return pick(("ints",) if kind == "array<int>" else ("floats", "cell.prices", "array_of(close)"))
        if parameter.allowed:
            return pick(parameter.allowed)
        if name.startswith(("ta.", "math.sum")) and _SIMPLE_LENGTH.search(parameter.name) and "int" in parameter.type:
            return pick(_LENGTHS if qualifier == "series" else ("1", "2", "5", "14", "int_input"))
        if name.startswith("array.") and kind == "int":
            return pick(("0", "1", "ints.size() - 1"))
        if qualifier in ("const", "input"):
            return pick(_LITERALS[kind])
        if qualifier == "simple":
            return pick((*_LITERALS[kind], *_SIMPLE[kind]))
        return self.value(kind, scope, depth)


_TIMEFRAMES = ('""', '"240"', '"D"', "timeframe.period")


def language_script(seed: int) -> str:
    """The script of a seed; each third one is a strategy. The checker may refuse it."""
    return _Writer(random.Random(f"language {seed}"), is_strategy=seed % 3 == 2).script()
