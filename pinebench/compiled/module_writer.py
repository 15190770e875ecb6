"""Writes the typed form of a script as functions in the subset of Python that `compiled.native` translates.

Numbers and colours are floats, and na is nan. A string is a number in the string table. Names in the code consist only
of numbers, so that no text from a script can become code. The state of the script is in the memory `m`. `b` has the
columns of the chart, one after the other, with `n` values each; `o` has the columns of the outputs in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.drawing_calls import GivenValues, ask
from pinebench.compiled.expressions import EXPRESSIONS
from pinebench.compiled.kernels import FREE, STATUS
from pinebench.compiled.layouts import RERUN
from pinebench.compiled.request_arguments import LOWER, REQUESTS, SECURITY, RequestArguments, inputs_of_code
from pinebench.compiled.request_columns import ARGUMENTS
from pinebench.compiled.script_code import (
    ARRAY_OF,
    BARS,
    TOLD,
    NotCovered,
    OutputColumn,
    Part,
    RequestCall,
    ScriptCode,
    empty,
    first_value,
    of_kind,
)
from pinebench.compiled.statements import STATEMENTS
from pinebench.runtime import MOST_REQUESTS, inner_statements, ir, is_cell, is_plain, lower, may_be_skipped


def generate(
    module: ir.Module,
    strategy: Any = None,
    requests: Sequence[lower.LoweredRequest] = (),
    limits: Mapping[str, int] | None = None,
) -> ScriptCode:
    """Write the code of a module.

    `strategy` (`strategy_calls.Orders`) writes the code of orders; None for an indicator. `requests` are the
    requests of the module. `limits` has the largest number of drawings of each kind on the chart.

    Raises NotCovered.
    """
    made = ModuleWriter(module, strategy, requests, limits).program()
    if sum(len(each.requests) for each in made.every) > MOST_REQUESTS:
        raise NotCovered(f"a script with more than {MOST_REQUESTS} requests is not compiled")
    return made


class ModuleWriter(CodeWriter):
    """Writes the code of one module, which is the typed form of a script."""

    def __init__(
        self,
        module: ir.Module,
        strategy: Any = None,
        requests: Sequence[lower.LoweredRequest] = (),
        limits: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(module, strategy, limits)
        self._requests = requests
        self._arguments = RequestArguments(module, self.known)
        self._calls: dict[int, RequestCall] = {}

    def program(self) -> ScriptCode:
        out, main = self.out, self.main
        if self.strategy is not None:
            self.strategy.begin(self)
        self.begin = main.places
        self._find_tuples(self.known.statements)
        for function in self.module.functions:
            self._find_tuples(function.unit.body.statements)
        self._state(main)
        parts = [self._function(function) for function in self.module.functions]
        self.part = main
        self.write(self.known.statements)
        if self.module.result is not None:
            self._result(self.module.result)
        self._note_histories(main)
        out.places = main.places
        out.first = dict(main.first)
        begins = ["def begin(m: P) -> None:"]
        for history, place in main.histories.items():
            if history.is_far and history.block is main.unit.body:
                begins.append(f" m[{place}] = float(take(m, int(m[{BARS}])))")
        begins.append(" pass")
        lines, again = main.lines, list[str]()
        if self.strategy is not None and self.strategy.recalculates:
            again = self.strategy.again(self, self._lasting())
            lines = self.strategy.bar()
            begins.append(f" m[{RERUN.heap}] = m[{FREE}]")
        texts = ["\n".join(part.lines) for part in parts if part is not None]
        out.text = "\n".join([*texts, *begins, *again, *self._run(lines)]) + "\n"
        return out

    def _note_histories(self, main: Part) -> None:
        """Write what keeps the values of a bar for the bars after it."""
        for history in main.unit.body.histories:
            if history in main.histories:
                place = main.histories[history]
                target = f"m[int(m[{place}]) + i]" if history.is_far else f"m[{place}]"
                main.write(f"{target} = {self.variable(history.variable)}")

    def _run(self, bar: list[str]) -> list[str]:
        """The function that runs all bars, each with the lines `bar`."""
        strategy = self.strategy
        return [
            "def run(m: P, b: P, o: P, n: int) -> None:",
            " begin(m)",
            f" if m[{STATUS}] != 0.0:",
            "  return",
            " for i in range(n):",
            *(strategy.before_bar() if strategy is not None else []),
            *bar,
            *(strategy.after_bar() if strategy is not None else []),
            f"  if read_int(m, {STATUS}) != 0:",
            "   return",
            " pass",
        ]

    def _lasting(self) -> list[int]:
        """Return the addresses that keep their values when the state of a script that runs again on fills is restored.
        Raises NotCovered if other parts would have to keep theirs, or if Python holds a state."""
        out, main = self.out, self.main
        self.line = None
        for call in out.calls:
            if call.kernel is not None or call.name.partition(".")[0] in ("map", "matrix"):
                raise NotCovered(f"{call.name.partition('#')[0]}() with calc_on_order_fills is not compiled", call.line)
        found = [*out.missing.values(), *(call.made for call in out.requests), out.requests_made]
        for unit in (self.module.unit, *(function.unit for function in self.module.functions)):
            for variable in unit.variables:
                if not variable.varip:
                    continue
                if unit is not main.unit or variable.kind == "object":
                    raise NotCovered(f"varip {variable.name} with calc_on_order_fills is not compiled")
                found += [places[variable] for places in (main.cells, main.unset) if variable in places]
        return sorted({place for place in found if place})

    def _state(self, part: Part) -> None:
        unit = part.unit
        for variable in unit.variables:
            if self.is_settled_variable(variable):
                continue
            if is_cell(variable):
                if variable.kind == "void" or variable in self.tuples:
                    continue  # refused where it is used
                place = part.cells[variable] = part.take(1)
                constant = part.constants.get(variable)
                if constant is not None:
                    part.first[place] = self._number_of(constant)
                elif variable.kept:
                    part.unset[variable] = part.take(1)
                else:
                    part.first[place] = first_value(variable.kind)
            history = variable.history
            if history is None:
                continue
            part.histories[history] = part.take(1, {} if history.is_far else {0: first_value(variable.kind)})
        for block in unit.blocks:
            assert block.number is not None
            part.blocks[block.number] = part.take(2, {0: -1.0, 1: -1.0})
        for state in unit.state:
            if isinstance(state, ir.RecorderState):
                # the bar, the first bar, the values, the value of the bar
                part.states[state] = part.take(4, {0: -1.0, 1: -1.0, 3: first_value(state.kind)})
            elif isinstance(state, ir.OnceState):
                part.states[state] = part.take(1)

    def _find_tuples(self, statements: Iterable[ir.Statement]) -> None:
        for statement in statements:
            if isinstance(statement, ir.Assign | ir.Initialize) and statement.variable.kind == "object":
                kinds = self.kinds_of(statement.value)
                if kinds:
                    self.tuples.setdefault(statement.variable, kinds)
            self._find_tuples(inner_statements(statement))

    def _function(self, function: ir.Function) -> Part | None:
        part = Part(function.unit, "s + ")
        self.part = part
        self.functions[function] = part
        part.indent = 0
        kinds = self.kinds_of(function.result) if function.result is not None else []
        kind = function.result.kind if function.result is not None else "void"
        if kinds:
            part.result = "".join(f"{empty(each)}, " for each in kinds)
            returned = f"tuple[{', '.join('bool' if each == 'bool' else 'float' for each in kinds)}]"
        elif kind == "void":
            returned = "None"
            part.is_void = True
        else:
            part.result, returned = empty(kind), "bool" if kind == "bool" else "float"
        given = [f"p{p.number}: {'bool' if p.kind == 'bool' else 'float'}" for p in function.parameters]
        parameters = ", ".join(["m: P", "b: P", "n: int", "i: int", "s: int", *given])
        part.write(f"def f{function.number}({parameters}) -> {returned}:")
        part.indent = 1
        self._state(part)
        self._block_begins(function.unit.body)
        for parameter in function.parameters:
            part.write(f"{self._target(parameter)} = p{parameter.number}")
        self.write(function.unit.body.statements)
        self.line = function.line
        if returned != "None":
            assert function.result is not None
            items = self.tuple(function.result) if kinds else [self.text(function.result)]
            part.write(f"return {', '.join(items)}{',' if kinds else ''}")
        else:
            if function.result is not None:
                self.write([ir.Evaluate(function.line, function.result)])
            part.write("pass")
        return part

    # requests

    def _result(self, result: ir.Expression) -> None:
        """Write the result of the code of a request as outputs."""
        self.line = self.module.line or None
        parts = self.kinds_of(result)
        kinds = parts or [result.kind]
        if "object" in kinds or "void" in kinds:
            raise self.refuse(f"{SECURITY}() of an object or a collection is not compiled")
        texts = self.tuple(result) if parts else [self.text(result)]
        for k, (kind, text) in enumerate(zip(kinds, texts, strict=True)):
            if kind == "string":
                self.out.has_letters = True
                text = f"spelled(m, {text})"
            self.part.write(f"o[{k} * n + i] = {text}")
            self.out.shown.append(OutputColumn(-1, str(k), kind, self.module.line))

    def requested(self, value: ir.CallHost) -> list[str]:
        number = value.arguments[0]
        assert isinstance(number, ir.Constant) and isinstance(number.value, int)
        if number.value not in self._calls:
            self._calls[number.value] = self._request(value, number.value)
            self.out.requests.append(self._calls[number.value])
        call = self._calls[number.value]
        if not call.columns:
            return self._answered(call, value)
        self._note_made(call.made)
        pairs = zip(call.columns, call.kinds, strict=True)
        return [of_kind(f"b[{column} * n + i]", kind) for column, kind in pairs]

    def _answered(self, call: RequestCall, value: ir.CallHost) -> list[str]:
        """Return the code of the values of a request that is answered while the script runs."""
        given = GivenValues(self, value.name, self.line)
        for argument in value.keywords.values():
            given.take_letters(argument)
        self._number_made()
        found: list[str] = []
        for item, kind in enumerate(call.kinds):
            numbers = [ir.Constant("int", number) for number in (self.out.requests.index(call), item)]
            kind = f"{ARRAY_OF}{kind}" if value.name == LOWER else kind
            asked = replace(given.call, arguments=[*numbers, *given.call.arguments], names=[*value.keywords], kind=kind)
            found.append(ask(self, asked, given.slots))
        return found

    def missing(self, name: str) -> None:
        if name not in self.out.missing:
            self.out.missing[name] = self.main.take(1)
        self._note_made(self.out.missing[name])

    def _note_made(self, made: int) -> None:
        """Count a request when the script makes it for the first time. The address `made` stores the count."""
        part, count = self.part, self._number_made()
        part.write(f"if m[{made}] == 0.0:")
        part.write(f" m[{count}] = m[{count}] + 1.0")
        part.write(f" m[{made}] = m[{count}]")

    def _number_made(self) -> int:
        """Return the address with the number of different requests that the script made."""
        self.out.requests_made = self.out.requests_made or self.main.take(1)
        return self.out.requests_made

    def _request(self, value: ir.CallHost, number: int) -> RequestCall:
        found = self._arguments.of(value, number)
        for name in found:
            if name not in ARGUMENTS:
                raise self.refuse(f"{name} of {value.name}() is not compiled")
        arguments = {name: each for name, each in found.items() if each is not None}
        is_answered = value.name == LOWER or len(arguments) < len(found)
        lowered = self._requests[number]
        code = generate(lowered.lowering.module, None, lowered.lowering.requests, self.limits)
        if any(call.name.partition(".")[0] in TOLD for call in code.calls):
            raise self.refuse(f"an alert or a log in {SECURITY}() is not compiled")
        kinds = self.kinds_of(value.arguments[1]) or [value.arguments[1].kind]
        shown = [column.kind for column in code.shown]
        if ["float" if kind == "int" else kind for kind in kinds] != ["float" if k == "int" else k for k in shown]:
            raise self.refuse("this tuple is not compiled")
        assert code.known is not None
        settled = [*code.settled.values(), *code.host_columns.values()]
        inputs = inputs_of_code(settled, code.known).union(*(call.inputs for call in code.requests))
        inputs |= inputs_of_code(arguments.values(), self.known)
        items = () if is_answered else range(len(kinds))
        columns = [self.column(f"#request {number} {k}") for k in items]
        return RequestCall(value.name, number, code, arguments, columns, kinds, self.main.take(1), frozenset(inputs))

    def write(self, statements: Iterable[ir.Statement]) -> None:
        for statement in statements:
            self.line = statement.line or self.line
            write = STATEMENTS.get(type(statement))
            if write is None:
                raise self.refuse(f"a statement ({type(statement).__name__}) is not compiled")
            write(self, statement)

    def text(self, value: ir.Expression) -> str:
        """Return the code of an expression."""
        constant = self.known.constant(value)
        if constant is not None:
            return self.constant(constant)
        if not isinstance(value, ir.Constant) and self.is_settled(value):
            return self.settled_text(value)
        if value.kind == "string" and (same := self._arguments.text(value)) is not None:
            return self.constant(same) if isinstance(same, ir.Constant) else self.settled_text(same)
        write = EXPRESSIONS.get(type(value))
        if write is None:
            raise self.refuse(f"an expression ({type(value).__name__}) is not compiled")
        return write(self, value)

    def evaluate(self, value: ir.Expression) -> None:
        """Write the code of an expression whose value is unused, if evaluating it has an effect or can stop the
        script."""
        if value.kind in ("string", "color"):
            if not self.is_settled(value):
                self.held(self.text(value))
            return
        for part in parts_that_act(value):
            if isinstance(part, ir.CallHost) and part.name in REQUESTS:
                self.requested(part)
                continue
            if text := self.text(part):
                self.part.write(text)


def parts_that_act(value: ir.Expression) -> list[ir.Expression]:
    """Return the parts of an expression that keep state or may stop the script, in order of evaluation."""
    if may_be_skipped(value):
        return []
    if isinstance(value, ir.Unary):
        parts = [value.operand]
    elif isinstance(value, ir.Binary) and value.operator not in ("and", "or"):
        parts = [value.left, value.right]
    elif isinstance(value, ir.CallBuiltin) and is_plain(value):
        parts = value.arguments
    elif isinstance(value, ir.TupleOf):
        parts = value.items
    else:
        return [value]
    return [each for part in parts for each in parts_that_act(part)]
