"""Computes, before the first bar, the values that are the same on all bars, and each bar's value of functions such as
`hour(time)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pinebench.compiled.script_code import ScriptCode
from pinebench.runtime import (
    BarInvariants,
    Chart,
    ChartBar,
    builtins,
    fixed,
    ir,
    is_unknown,
    operated,
    tick_ratio,
    values,
)

NA = float("nan")
_OF_SYMBOL = ("math.", "str.tostring", "timeframe.in_seconds")
"""Functions that depend on the symbol and the timeframe, but not on the bar."""
_LONGEST = 4096
"""The largest length of a text that is joined before the first bar, in characters."""


class UnsettledValue(Exception):
    """Raised when a value cannot be computed before the first bar."""


def input_number(node: ir.Expression, program: ScriptCode) -> int | None:
    """Return the number of the input whose value equals `node`; None for other expressions, and for strings."""
    assert program.known is not None
    while isinstance(node, ir.Get) and node.variable in program.known.variables:
        node = program.known.variables[node.variable]
    if isinstance(node, ir.FixedValue) and node.source == "input" and node.kind in ("int", "float", "bool"):
        return int(node.key)
    return None


def _short(value: Any) -> Any:
    """Return the same value. Raises UnsettledValue for a long text, because joining texts has no limit here."""
    if isinstance(value, str) and len(value) > _LONGEST:
        raise UnsettledValue
    return value


_OF_TEXTS = frozenset(
    "str.contains str.endswith str.format str.length str.lower str.match str.pos str.replace str.replace_all "
    "str.startswith str.substring str.tonumber str.tostring str.trim str.upper".split()
)
"""The functions of texts whose results are the same on all bars if their arguments are."""


class RunInvariants(BarInvariants):
    """The values that machine code reads from its memory because they are computed before the first bar.

    They include joined strings, which the Python tier does not compute before the first bar. If a value cannot be
    computed, the Python tier runs the script.
    """

    def _is_settled(self, value: ir.Expression) -> bool:
        if isinstance(value, ir.CallBuiltin) and value.name.partition("#")[0] in _OF_TEXTS:
            return all(each.kind != "object" and self.is_settled(each) for each in value.arguments)
        if isinstance(value, ir.Binary) and "string" in (value.left.kind, value.right.kind):
            return self.is_settled(value.left) and self.is_settled(value.right)
        return super()._is_settled(value)


class EnumKey(str):
    """A member of an enum as a string that can be compared with other members."""

    __slots__ = ()


class SettledValues:
    """The settled values of one run, which are the same on all bars. They are computed on demand. `inputs` has the
    values of inputs by number. `clock` is the value of `timenow` in milliseconds UTC, or None."""

    def __init__(self, program: ScriptCode, chart: Chart, inputs: Sequence[Any], clock: int | None) -> None:
        assert program.known is not None
        self._known = program.known
        self._chart = chart
        self._clock = clock
        self._inputs = inputs
        self.moment = ChartBar(chart.symbol, chart.timeframe.text, chart.bars.time)

    def value(self, node: ir.Expression) -> Any:
        """Return the value of an expression. Raises UnsettledValue if it may differ between bars."""
        if isinstance(node, ir.Constant):
            return node.value
        if isinstance(node, ir.Get):
            held = self._known.variables.get(node.variable)
            if held is None:
                raise UnsettledValue
            return self.value(held)
        if isinstance(node, ir.FixedValue):
            return self._fixed(node)
        if isinstance(node, ir.Unary):
            return values.inverted(node.operator, self.value(node.operand))
        if isinstance(node, ir.Choose):
            return self.value(node.then if self.value(node.condition) else node.otherwise)
        if isinstance(node, ir.Binary):
            return self._binary(node)
        if isinstance(node, ir.CallBuiltin):
            return self._called(node, [self.value(each) for each in node.arguments])
        raise UnsettledValue

    def _fixed(self, node: ir.FixedValue) -> Any:
        if node.source == "input":
            return self._inputs[int(node.key)]
        if node.source == "tick":
            return float(tick_ratio(self._chart.symbol.mintick)[node.key == "scale"])
        if node.source == "fixed":
            return fixed(self._chart, str(node.key))
        if node.source == "missing":
            return NA
        if node.source == "enum":
            return EnumKey(node.key)
        if node.source == "clock":
            return self._chart.close_time(len(self._chart) - 1) if self._clock is None else self._clock
        raise UnsettledValue

    def notes(self, node: ir.Expression) -> bool:
        """Return whether the run should note for the user that the value of `node` is unknown."""
        return isinstance(node, ir.FixedValue) and (node.source == "missing" or is_unknown(str(node.key)))

    def _binary(self, node: ir.Binary) -> Any:
        operator = node.operator
        left = self.value(node.left)
        if operator in ("and", "or"):
            return left if bool(left) == (operator == "or") else self.value(node.right)
        right = self.value(node.right)
        kinds = (node.left.kind, node.right.kind)
        if "string" in kinds and operator == "+":
            return _short((left or "") + (right or ""))
        if "color" in kinds:
            return values.same(left, right) if operator == "==" else values.different(left, right)
        if node.kind == "int" and operator == "*":
            return values.product(left, right)
        found = operated(node, left, right)
        if found is not None:
            return found
        if operator in values.OPERATIONS:
            if node.kind == "int":
                raise UnsettledValue
            return values.OPERATIONS[operator](left, right)
        return ((left or "") == (right or "")) == (operator == "==")

    def _called(self, node: ir.CallBuiltin, given: list[Any]) -> Any:
        if any(isinstance(each, EnumKey) for each in given):
            raise UnsettledValue  # only the Python tier has the titles of the members
        if node.name == "nz":
            source, replacement = given
            is_known = -values.INFINITE < source < values.INFINITE if node.kind in ir.NUMBERS else source is not None
            return source if is_known else replacement
        if node.name in ("int", "bool"):
            return (values.whole if node.name == "int" else values.truth)(given[0])
        if node.name in builtins.CONTEXT_FUNCTIONS:
            if not node.name.startswith(_OF_SYMBOL):
                raise UnsettledValue  # it depends on the bar
            return builtins.CONTEXT_FUNCTIONS[node.name](self.moment, *given)
        return _short(builtins.FUNCTIONS[node.name](*given))

    def column(self, node: ir.Expression) -> list[Any]:
        """Return the values of a column of the chart, a settled value or a time function on all bars. Raises
        UnsettledValue for any other expression."""
        count = len(self._chart)
        if isinstance(node, ir.Column):
            back = 0 if node.offset is None else self.value(node.offset)
            return [NA] * min(back, count) + list(self._chart.column(node.name)[: max(count - back, 0)])
        try:
            return [self.value(node)] * count
        except UnsettledValue:
            pass
        if not isinstance(node, ir.CallBuiltin):
            raise UnsettledValue
        columns = [self.column(each) for each in node.arguments]
        moment, found = self.moment, []
        function = builtins.CONTEXT_FUNCTIONS.get(node.name)
        for i in range(count):
            moment.bar_index = i
            given = [column[i] for column in columns]
            found.append(builtins.FUNCTIONS[node.name](*given) if function is None else function(moment, *given))
        return found
