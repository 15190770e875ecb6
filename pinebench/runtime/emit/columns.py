"""Writes the code for values that are computed before the first bar runs: for all bars together, and for one bar."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import OF_TIME, ON_HISTORY, Ahead, Series, TupleItem, leaves

_BEHIND = (ir.Column, ir.Past, ir.RecordedValue)
"""Expressions that can read an earlier bar."""


@dataclass(frozen=True)
class ColumnCode:
    """One column: its name, the code for all bars, the code for one bar, and the script's line."""

    code: str
    whole: str
    single: str
    line: int


class ExpressionWriter(Protocol):
    """Writes the expressions of a column as Python code, and names the values that they read."""

    def text(self, value: ir.Expression) -> str:
        """Return an expression as Python code."""
        ...

    def with_names(self, value: ir.Expression, names: dict[int, str]) -> str:
        """Return an expression as Python code. `names` maps the `id` of a part to the name to write in its place."""
        ...

    def list(self, values: list[ir.Expression]) -> str:
        """Return a list of arguments as Python code."""
        ...

    def host_call(self, value: ir.CallHost) -> tuple[str, str]:
        """Return the method of the run that a call uses (for a drawing, an order, ...), and its arguments, as Python
        code."""
        ...

    def function(self, name: str) -> str:
        """Return the name of a library function in the generated code."""
        ...

    def column(self, name: str) -> str:
        """Return the name of a column of the chart in the generated code."""
        ...

    def empty(self, kind: ir.Kind) -> str:
        """Return the code of the empty value of a kind."""
        ...


@dataclass
class ColumnWriter:
    """Return the code of na for a kind of value; `False` for a bool."""

    writer: ExpressionWriter
    ahead: Ahead
    made: list[ColumnCode] = field(default_factory=list)
    variables: dict[ir.Variable, str] = field(default_factory=dict)
    """The variables that have a column, with its name."""
    line: int = 0
    _codes: dict[object, str] = field(default_factory=dict)

    def of(self, value: Series) -> str:
        """Return the name of the column that holds a series; add the column if it is new. The series must not be the
        same on all bars."""
        if isinstance(value, ir.Column) and value.offset is None:
            return self.writer.column(value.name)
        if isinstance(value, ir.Get):
            return self.of_variable(value.variable)
        if isinstance(value, ir.CallFunction):
            return self.of(self.ahead.written_out[value])
        key: object = (id(value.whole), value.number) if isinstance(value, TupleItem) else id(value)
        if isinstance(value, ir.CallBuiltin) and value.name in OF_TIME:
            key = (value.name, self.writer.list(value.arguments))
        if key not in self._codes:
            self._codes[key] = self._add(*self._texts(value))
        return self._codes[key]

    def of_variable(self, variable: ir.Variable) -> str:
        if variable not in self.variables:
            self.variables[variable] = self.of(self.ahead.series[variable])
        return self.variables[variable]

    def _add(self, whole: str, single: str) -> str:
        code = f"a{len(self.made) + 1}"
        self.made.append(ColumnCode(code, whole, single, self.line))
        return code

    def _texts(self, value: Series) -> tuple[str, str]:
        writer = self.writer
        if isinstance(value, TupleItem):
            column = self.of(value.whole)
            return f"[each[{value.number}] for each in {column}]", f"{column}[i][{value.number}]"
        if isinstance(value, ir.CallKernel):
            return self._kernel(value)
        if isinstance(value, ir.CallHost):
            call, given = writer.host_call(value)
            return f"Q.ahead({given})", f"{call}({given})"
        if isinstance(value, ir.CallBuiltin) and value.name in OF_TIME:
            given = writer.list(value.arguments)
            return f"R.ahead_of_time({value.name!r}, {given})", f"{writer.function(value.name)}(X, {given})"
        if isinstance(value, _BEHIND):
            return self._leaf(value)
        return self._expression(value)

    def _kernel(self, value: ir.CallKernel) -> tuple[str, str]:
        writer, code = self.writer, f"k{value.state.number}"
        whole, single = [code], ["i"]
        for argument in value.arguments:
            if self.ahead.known.is_settled(argument):
                whole.append(writer.text(argument))
                single.append(whole[-1])
            else:
                whole.append(self.of(argument))
                single.append(f"{whole[-1]}[i]")
        for name in value.reads:
            series, _, steps = name.partition("[")
            column = writer.column(series)
            whole.append(f"[nan, *{column}[:-1]]" if steps else column)
            single.append(f"{column}[i - 1] if i else nan" if steps else f"{column}[i]")
        return f"R.ahead({', '.join(whole)})", f"{code}({', '.join(single)})"

    def _expression(self, value: ir.Expression) -> tuple[str, str]:
        """An operation on other columns, as one pass over them."""
        sources: dict[str, tuple[str, str]] = {}
        short: dict[int, str] = {}
        exact: dict[int, str] = {}
        for leaf in leaves(value, self.ahead.known):
            whole, single = self._leaf(leaf)
            name, _ = sources.setdefault(single, (f"s{len(sources) + 1}", whole))
            short[id(leaf)], exact[id(leaf)] = name, single
        given = ", ".join(name for name, _ in sources.values())
        columns = [whole for _, whole in sources.values()]
        over = columns[0] if len(columns) == 1 else f"zip({', '.join(columns)})"
        return f"[{self.writer.with_names(value, short)} for {given} in {over}]", self.writer.with_names(value, exact)

    def _leaf(self, leaf: ir.Expression) -> tuple[str, str]:
        """The code of a part of an expression for all bars, and for one bar."""
        if isinstance(leaf, ir.Now):
            return ON_HISTORY[leaf.name], self.writer.text(leaf)
        if isinstance(leaf, _BEHIND) and leaf.offset is not None:
            column = self._earlier(leaf)
            steps, empty = ir.constant_steps(leaf.offset), self.writer.empty(leaf.kind)
            return f"[{empty}] * {steps} + {column}", f"({column}[i - {steps}] if i >= {steps} else {empty})"
        column = self.of(leaf)
        return column, f"{column}[i]"

    def _earlier(self, leaf: ir.Column | ir.Past | ir.RecordedValue) -> str:
        if isinstance(leaf, ir.Column):
            return self.writer.column(leaf.name)
        if isinstance(leaf, ir.Past):
            return self.of_variable(leaf.variable)
        return self.of(leaf.value)
