"""Writes expressions as Python text. Parentheses are only written where they are needed, because chains can be long."""

from __future__ import annotations

import re
from collections.abc import Callable

from pinebench import reference
from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import OF_TIME, ahead_of, may_be_skipped
from pinebench.runtime.emit.columns import ColumnWriter
from pinebench.runtime.emit.deferred import ALERT_TEXTS, deferred
from pinebench.runtime.emit.inlined import Inliner
from pinebench.runtime.emit.known import BarInvariants
from pinebench.runtime.emit.lazy import lazy_variables

# How tightly an expression binds, from loosest to tightest.
CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, ATOM = range(9)

_LONGEST_CHAIN = 200
"""The largest number of operators in one chain. After that the chain continues from a name, because Python limits
nesting."""
_DRAWN = ("line", "label", "box", "linefill")
_SIMPLE = re.compile(r"-?[A-Za-z_0-9.]+")
_COMPARED = {"<": "{} - {} < -1e-10", ">": "{} - {} > 1e-10", "<=": "{} - {} <= 1e-10", ">=": "{} - {} >= -1e-10"}
_COMPARED_WITH_ZERO = {operator: text.replace(" - {}", "", 1) for operator, text in _COMPARED.items()}
_NOW = {
    "bar_index": "i",
    "last_bar_index": "R.last_index",
    "last_bar_time": "R.last_time",
    "timenow": "R.timenow",
    "barstate.isfirst": "(i == 0)",
    "barstate.islast": "(i == R.last_index)",
    "barstate.isconfirmed": "R.is_confirmed",
    "barstate.ishistory": "R.is_history",
    "barstate.isrealtime": "(not R.is_history)",
    "barstate.isnew": "R.is_new",
    "barstate.islastconfirmedhistory": "(i == R.last_history_index)",
    "bid": "R.bid",
    "ask": "R.ask",
}


_MOVING = frozenset(("timenow", "bid", "ask"))
"""Values that can change from bar to bar even while the bars of one loop run."""


_MAY_BE_KNOWN = frozenset((ir.Get, ir.Unary, ir.Binary, ir.Choose, ir.CallBuiltin))
"""The expressions that may be known before the first bar."""


class Writer:
    """Writes the expressions of one module, and collects the names that they need from outside."""

    def __init__(self, module: ir.Module, ahead: bool) -> None:
        self.library: dict[str, str] = {}
        """The functions of the library, by their names in the generated code."""
        self.fixed: dict[tuple[str, str], str] = {}
        self.columns: dict[str, str] = {}
        self.settled: dict[str, str] = {}
        self.hosts: dict[str, str] = {}
        self.current: bool = False
        """Whether the code is part of the bar's own code, outside all functions, so that it can use the bar's
        values."""
        self.targets: dict[str, str] = {}
        """The columns whose values the loop over bars reads, by the names of these values."""
        self.names: dict[int, str] = {}
        self.settings: dict[str, str] = {}
        """Values that stay the same while the bars of one loop run, by their names."""
        self.temporaries = 0
        self.loops: list[str | None] = []
        """For each loop around the code, the statement that must run before the next iteration, or None."""
        self.known = BarInvariants(module)
        self.ahead = ahead_of(module, self.known) if ahead else None
        self.columns_ahead = ColumnWriter(self, self.ahead) if self.ahead is not None else None
        self.lazy = lazy_variables(module, self.known, self.ahead) if self.ahead and not module.records else {}
        """The variables that are computed when they are first read on a bar."""
        self.awaited: list[ir.Variable] = []
        """The variables in `lazy` that earlier code has assigned."""
        self.kept = {id(each.value): k for k, each in enumerate(module.kept) if each.is_call}
        """The numbers of the calls whose values are kept, by the `id` of their expressions."""
        self.silent = module.silent if module.steps else None
        self.records = module.records
        """The statements that are not reported to a debugger; None without a debugger."""
        self.stepped = 0
        """The last line that the code reported to a debugger."""
        self.joined = Inliner(self.known, lambda part: part)
        """The inliner that holds the expressions of strings that are joined later."""
        self.deferred: dict[str, str] = {}
        """The functions that join strings later, by their code."""
        self.rules: set[str] = set()
        """The functions that set a rule about risk, if global code calls them with the same numbers on all bars."""
        self.noted: set[int] = set()
        """The numbers of the calls whose values the code keeps in variables `w1`, `w2`, ..."""

    def text(self, value: ir.Expression, tightness: int = CHOICE) -> str:
        """Return `value` as Python code, in parentheses if it binds less tightly than `tightness`."""
        written, binds = self.write(value)
        return f"({written})" if binds < tightness else written

    def write(self, value: ir.Expression) -> tuple[str, int]:
        """Return `value` as Python code, and its binding strength."""
        if id(value) in self.names:
            return self.names[id(value)], ATOM
        if value.__class__ in _MAY_BE_KNOWN:
            constant = self.known.constant(value)
            if constant is not None:
                return _constant(self, constant)
            if self.known.is_settled(value):
                return self._settled(value)
        if self.kept and not self.names and id(value) in self.kept:
            number = self.kept[id(value)]
            self.noted.add(number)
            return f"(w{number} := {_WRITERS[type(value)](self, value)[0]})", ATOM
        return _WRITERS[type(value)](self, value)

    def _settled(self, value: ir.Expression) -> tuple[str, int]:
        """The name of a value that is computed once, before the first bar."""
        if isinstance(value, ir.Get):
            return self.write(self.known.variables[value.variable])
        text, _ = _WRITERS[type(value)](self, value)
        return self.settled.setdefault(text, f"y{len(self.settled) + 1}"), ATOM

    def host(self, owner: str, method: str) -> str:
        """Return the name by which generated code calls `method` of one part of the run. `owner` is the letter of the
        part, such as `D` for the drawings. The code looks the method up only once."""
        code = f"{owner}_{method}"
        self.hosts[code] = f"{owner}.{method}"
        return code

    def host_call(self, value: ir.CallHost) -> tuple[str, str]:
        return _call_of_host(self, value)

    def list(self, values: list[ir.Expression]) -> str:
        return ", ".join(self.text(value) for value in values)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def function(self, name: str) -> str:
        """Return the name of a library function in the generated code."""
        code = "L_" + re.sub(r"\W", "_", name)
        self.library[code] = name
        return code

    def column(self, name: str) -> str:
        code = "C_" + re.sub(r"\W", "_", name)
        self.columns[name] = code
        return code

    def value_now(self, name: str) -> str:
        """Return the code for this bar's value of the column `name`."""
        code = self.column(name)
        if not self.current:
            return f"{code}[i]"
        self.targets["b" + code[1:]] = code
        return "b" + code[1:]

    def now(self, value: ir.Expression) -> str:
        """Return the code for this bar's value of an expression that is computed before the first bar runs."""
        assert self.columns_ahead is not None
        code = self.columns_ahead.of(value)
        if not self.current:
            return f"{code}[i]"
        self.targets[f"u{code[1:]}"] = code
        return f"u{code[1:]}"

    def holds(self, variable: ir.Variable) -> bool:
        """Return whether a variable's value is known before the first bar runs, so that it needs no assignment."""
        if variable in self.known.variables:
            return True
        return self.columns_ahead is not None and variable in self.columns_ahead.variables

    def with_names(self, value: ir.Expression, names: dict[int, str]) -> str:
        """Return an expression as Python code. `names` maps the `id` of a part to the name to write in its place."""
        self.names = names
        text = self.text(value)
        self.names = {}
        return text

    def empty(self, kind: ir.Kind) -> str:
        return empty(kind)

    def read(self, name: str) -> str:
        """Return the code of a price that a stateful built-in reads: `close`, or `close[1]` for the bar before."""
        series, _, steps = name.partition("[")
        if not steps:
            return self.value_now(series)
        code, steps = self.column(series), steps.rstrip("]")
        return f"{code}[i - {steps}] if i >= {steps} else nan"


def empty(kind: ir.Kind) -> str:
    """Return the code of na for a kind of value; `False` for a bool."""
    return "nan" if kind in ir.NUMBERS else "False" if kind == "bool" else "None"


def is_simple(text: str) -> bool:
    return _SIMPLE.fullmatch(text) is not None


def constant_text(value: int | float | bool | str | None) -> str:
    if isinstance(value, float) and not isinstance(value, bool):
        if value != value:
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "INF" if value > 0 else "(-INF)"
    return repr(value)


def _constant(writer: Writer, node: ir.Constant) -> tuple[str, int]:
    text = constant_text(node.value)
    return text, SIGN if text.startswith("-") else ATOM


def _get(writer: Writer, node: ir.Get) -> tuple[str, int]:
    variable = node.variable
    if variable in writer.lazy:
        code = variable.code
        return f"({code} if {code} is not UNSET else ({code} := {writer.text(writer.lazy[variable])}))", ATOM
    if writer.columns_ahead is not None and writer.current and variable in writer.columns_ahead.variables:
        writer.targets[variable.code] = writer.columns_ahead.variables[variable]
    return variable.code, ATOM


def _column(writer: Writer, node: ir.Column) -> tuple[str, int]:
    if node.offset is None:
        return writer.value_now(node.name), ATOM
    code = writer.column(node.name)
    steps = ir.constant_steps(node.offset)
    if steps is not None:
        return f"{code}[i - {steps}] if i >= {steps} else {empty(node.kind)}", CHOICE
    return f"back({code}, i, {writer.text(node.offset)}, {empty(node.kind)})", ATOM


def _fixed(writer: Writer, node: ir.FixedValue) -> tuple[str, int]:
    if node.source == "enum":
        return str(node.key), ATOM
    key = (node.source, str(node.key))
    return writer.fixed.setdefault(key, f"x{len(writer.fixed) + 1}"), ATOM


def _now(writer: Writer, node: ir.Now) -> tuple[str, int]:
    if node.name in _NOW:
        code = _NOW[node.name]
        if writer.current and code.startswith("R.") and node.name not in _MOVING:
            writer.settings["n" + code[1:].replace(".", "_")] = code
            return "n" + code[1:].replace(".", "_"), ATOM
        return code, ATOM
    namespace, _, rest = node.name.partition(".")
    if namespace == "strategy":
        return "V." + rest.replace(".", "_"), ATOM
    return f"D.all({namespace!r})", ATOM


def _past(writer: Writer, node: ir.Past) -> tuple[str, int]:
    history = node.variable.history
    assert history is not None
    steps = ir.constant_steps(node.offset)
    column = writer.columns_ahead.variables.get(node.variable) if writer.columns_ahead is not None else None
    if column is not None and steps is not None:
        return f"{column}[i - {steps}] if i >= {steps} else {empty(node.kind)}", CHOICE
    if column is not None:
        return f"back({column}, i, {writer.text(node.offset)}, {empty(node.kind)})", ATOM
    if steps is not None:
        return f"h{history.number}[-{steps}]", ATOM
    current = node.variable.code
    return f"past(h{history.number}, {writer.text(node.offset)}, {current}, {empty(node.kind)})", ATOM


def _recorded(writer: Writer, node: ir.RecordedValue) -> tuple[str, int]:
    return f"r{node.state.number}(i, {writer.text(node.value)}, {writer.text(node.offset)})", ATOM


def _unary(writer: Writer, node: ir.Unary) -> tuple[str, int]:
    if node.operator == "not":
        return f"not {writer.text(node.operand, NOT)}", NOT
    if node.operator == "-":
        if node.kind == "int" and not isinstance(node.operand, ir.Constant):
            return f"0 - {writer.text(node.operand, PRODUCT)}", SUM  # a whole number has no zero with a sign
        return f"-{writer.text(node.operand, SIGN)}", SIGN
    if node.operator == "alive":
        return f"alive({writer.text(node.operand)})", ATOM
    if node.operator == "gone":
        return _gone(writer, node), OR
    if node.operator == "float":
        return f"{writer.text(node.operand, SUM)} + 0.0", SUM
    # `na`
    if node.operand.kind in ir.NUMBERS:
        return f"not -INF < {writer.text(node.operand, SUM)} < INF", NOT
    if node.operand.kind == "string":
        return f"not {writer.text(node.operand, NOT)}", NOT
    if node.operand.kind == "bool":
        return f"is_empty({writer.text(node.operand)})", ATOM
    return f"{writer.text(node.operand, SUM)} is None", COMPARISON


def _gone(writer: Writer, node: ir.Unary) -> str:
    """The test whether a drawing is na: it does not exist, or it was deleted."""
    drawing = writer.text(node.operand)
    if is_simple(drawing):
        return f"{drawing} is None or {drawing}.deleted"
    name = writer.temporary()
    return f"({name} := {drawing}) is None or {name}.deleted"


def _binary(writer: Writer, node: ir.Binary) -> tuple[str, int]:
    """Write a chain of operators. A loop walks it, because its tree is as deep as the chain is long."""
    chain: list[ir.Binary] = []
    left: ir.Expression = node
    while isinstance(left, ir.Binary):
        chain.append(left)
        left = left.left
    written, binds = writer.write(left)
    links: list[str] = []
    for number, part in enumerate(reversed(chain), 1):
        written, binds = _operation(writer, part, written, binds)
        if number % _LONGEST_CHAIN == 0:
            name = writer.temporary()
            links.append(f"{name} := {written}")
            written, binds = name, ATOM
    if not links:
        return written, binds
    return f"({', '.join(links)}, {written})[-1]", ATOM


def _wrapped(written: str, binds: int, tightness: int) -> str:
    return f"({written})" if binds < tightness else written


def _operation(writer: Writer, node: ir.Binary, left: str, binds: int) -> tuple[str, int]:
    operator = node.operator
    if operator in ("and", "or"):
        level = AND if operator == "and" else OR
        shortest = _shortened(writer, node, left, binds, operator == "and")
        if shortest is not None:
            return shortest
        return f"{_wrapped(left, binds, level)} {operator} {writer.text(node.right, level + 1)}", level
    if operator in ("+", "-"):
        if node.kind == "string":
            both = (_text_of(node.left, left, binds), _text_of(node.right, *_parts(writer, node.right)))
            return f"{both[0]} + {both[1]}", SUM
        return f"{_wrapped(left, binds, SUM)} {operator} {writer.text(node.right, PRODUCT)}", SUM
    if operator == "*":
        if node.kind == "int" and not isinstance(node.left, ir.Constant) and not isinstance(node.right, ir.Constant):
            return f"product({left}, {writer.text(node.right)})", ATOM
        return f"{_wrapped(left, binds, PRODUCT)} * {writer.text(node.right, SIGN)}", PRODUCT
    if operator == "%":
        return f"remainder({left}, {writer.text(node.right)})", ATOM
    if operator == "/":
        return _quotient(writer, node, left, binds)
    return _comparison(writer, node, left, binds)


def _shortened(writer: Writer, node: ir.Binary, left: str, binds: int, both: bool) -> tuple[str, int] | None:
    """Write `and` or `or` without an operand that is the same on all bars; None if there is no such operand."""
    if left in ("True", "False"):
        return writer.write(node.right) if (left == "True") == both else (left, binds)
    # The left operand must be evaluated, whatever the right one is.
    return (left, binds) if writer.known.truth(node.right) is both else None


def _parts(writer: Writer, node: ir.Expression) -> tuple[str, int]:
    return writer.write(node)


def _text_of(node: ir.Expression, written: str, binds: int) -> str:
    """Convert a text that may be empty (None) to one that is not None."""
    if isinstance(node, ir.Constant) and node.value is not None:
        return written
    if isinstance(node, ir.Binary):
        return _wrapped(written, binds, SUM)
    if isinstance(node, ir.CallBuiltin) and node.name in ("str.tostring", "str.format"):
        return written
    return f"({_wrapped(written, binds, OR)} or '')"


def _quotient(writer: Writer, node: ir.Binary, left: str, binds: int) -> tuple[str, int]:
    right, right_binds = _parts(writer, node.right)
    if isinstance(node.right, ir.Constant) and isinstance(node.right.value, int | float) and node.right.value:
        return f"{_wrapped(left, binds, PRODUCT)} / {_wrapped(right, right_binds, SIGN)}", PRODUCT
    if len(left) > 60 or not _is_arithmetic(node.left):
        return f"quotient({left}, {right})", ATOM
    left = _wrapped(left, binds, PRODUCT)
    if is_simple(right):
        return f"{left} / {right} if {right} else by_zero({left})", CHOICE
    name = writer.temporary()
    return f"{left} / {name} if ({name} := {right}) else by_zero({left})", CHOICE


def _is_arithmetic(node: ir.Expression) -> bool:
    """Whether an expression may be written twice. Only one of the copies is evaluated, and that is cheap."""
    if isinstance(node, ir.Constant | ir.Get):
        return True
    if isinstance(node, ir.Column):
        return node.offset is None
    if isinstance(node, ir.Binary):
        return node.operator in "+-*" and _is_arithmetic(node.left) and _is_arithmetic(node.right)
    return isinstance(node, ir.CallBuiltin) and node.name == "math.abs" and _is_arithmetic(node.arguments[0])


def _comparison(writer: Writer, node: ir.Binary, left: str, binds: int) -> tuple[str, int]:
    right, right_binds = _parts(writer, node.right)
    operator = node.operator
    kinds = (node.left.kind, node.right.kind)
    if all(kind in ir.NUMBERS for kind in kinds):
        return numbers_compared(operator, kinds, _wrapped(left, binds, SUM), _wrapped(right, right_binds, PRODUCT))
    if kinds == ("bool", "bool"):
        return f"{_wrapped(left, binds, SUM)} {operator} {_wrapped(right, right_binds, SUM)}", COMPARISON
    if "string" in kinds:
        both = (_text_of(node.left, left, binds), _text_of(node.right, right, right_binds))
        return f"{both[0]} {operator} {both[1]}", COMPARISON
    if "color" in kinds:
        return f"{'same' if operator == '==' else 'different'}({left}, {right})", ATOM
    return f"{_wrapped(left, binds, SUM)} {operator} {_wrapped(right, right_binds, SUM)}", COMPARISON


def numbers_compared(operator: str, kinds: tuple[ir.Kind, ir.Kind], left: str, right: str) -> tuple[str, int]:
    """Write a comparison of numbers, for both tiers. `left` and `right` are the code of its sides.

    TradingView compares floats with a tolerance of 1e-10. A comparison with na is false, even for `!=`.
    """
    if operator == "!=":
        least = "0" if kinds == ("int", "int") else "1e-10"
        return f"{least} < abs({left} - {right}) < INF", COMPARISON
    if kinds == ("int", "int"):
        return f"{left} {operator} {right}", COMPARISON
    if operator == "==":
        return f"-1e-10 <= {left} - {right} <= 1e-10", COMPARISON
    if right in ("0", "0.0"):
        return _COMPARED_WITH_ZERO[operator].format(left), COMPARISON
    return _COMPARED[operator].format(left, right), COMPARISON


def _choose(writer: Writer, node: ir.Choose) -> tuple[str, int]:
    parts: list[str] = []
    current: ir.Expression = node
    while isinstance(current, ir.Choose) and id(current) not in writer.names:
        holds = writer.known.truth(current.condition)
        if holds is None:
            parts.append(f"{writer.text(current.then, OR)} if {writer.text(current.condition, OR)} else ")
        current = current.then if holds else current.otherwise
    if not parts:
        return writer.write(current)
    return "".join(parts) + writer.text(current, CHOICE), CHOICE


def _call_builtin(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int]:
    if node.name == "nz":
        return _replaced(writer, node)
    if node.name in OF_TIME and writer.ahead is not None and writer.ahead.is_series(node):
        return writer.now(node), ATOM
    inline = INLINED.get(node.name)
    if inline is not None:
        written = inline(writer, node)
        if written is not None:
            return written
    context = "X, " if node.context else ""
    given = writer.list(node.arguments)
    if writer.records and node.arguments and _changes_its_first(node.name):
        first = writer.text(node.arguments[0], ATOM)
        told = f"W({first}) or {first}" if is_simple(first) else f"W(z := {first}) or z"
        given = ", ".join([told, *map(writer.text, node.arguments[1:])])
    return f"{writer.function(node.name)}({context}{given})", ATOM


def _changes_its_first(name: str) -> bool:
    """Whether a function of the library changes its first argument in place."""
    known = reference.function(name.partition("#")[0])
    return known is not None and "object" in known.effects.changes


def _replaced(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int]:
    source, replacement = node.arguments
    text, other = writer.text(source, SUM), writer.text(replacement)
    if not may_be_skipped(replacement):
        # All arguments are evaluated in each call (recorded probes).
        first, second = writer.temporary(), writer.temporary()
        test = f"-INF < {first} < INF" if node.kind in ir.NUMBERS else f"{first} is not None"
        return f"({first} := {text}, {second} := {other}, {first} if {test} else {second})[-1]", ATOM
    if isinstance(source, ir.Get | ir.Column) and is_simple(text):
        test = f"-INF < {text} < INF" if node.kind in ir.NUMBERS else f"{text} is not None"
    else:
        name = writer.temporary()
        test = f"-INF < ({name} := {text}) < INF" if node.kind in ir.NUMBERS else f"({name} := {text}) is not None"
        text = name
    return f"{text} if {test} else {other}", CHOICE


def _absolute(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int] | None:
    return f"abs({writer.text(node.arguments[0])})", ATOM


def _extreme(sign: str) -> Callable[[Writer, ir.CallBuiltin], tuple[str, int] | None]:
    """Write the larger or smaller of two numbers inline, if both are simple; na if one is na."""

    def write(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int] | None:
        if len(node.arguments) != 2:
            return None
        first, second = (writer.text(argument) for argument in node.arguments)
        if not (is_simple(first) and is_simple(second)):
            return None
        return f"{first} if {first} {sign} {second} or {first} != {first} else {second}", CHOICE

    return write


def _size(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int] | None:
    """Write the size of an array inline. The size of na fails like any field of na, and gets the same error."""
    return f"len({writer.text(node.arguments[0], ATOM)}.items)", ATOM


INLINED: dict[str, Callable[[Writer, ir.CallBuiltin], tuple[str, int] | None]] = {
    "array.size": _size,
    "math.abs": _absolute,
    "math.max": _extreme(">="),
    "math.min": _extreme("<="),
}
"""The functions of the library that are also written inline, with the same results."""


def _call_kernel(writer: Writer, node: ir.CallKernel) -> tuple[str, int]:
    if writer.ahead is not None and node in writer.ahead.calls:
        return writer.now(node), ATOM
    return _called(writer, node)


def _called(writer: Writer, node: ir.CallKernel) -> tuple[str, int]:
    parts = ["i", *(writer.text(argument) for argument in node.arguments)]
    parts += [writer.read(name) for name in node.reads]
    return f"k{node.state.number}({', '.join(parts)})", ATOM


def _call_host(writer: Writer, node: ir.CallHost) -> tuple[str, int]:
    namespace, _, rest = node.name.partition(".")
    if namespace in _DRAWN and rest.startswith("get_") and rest != "get_price":
        drawing = writer.text(node.keywords["id"])
        if is_simple(drawing):
            return f"{empty(node.kind)} if {drawing} is None or {drawing}.deleted else {drawing}.{rest[4:]}", CHOICE
    if writer.ahead is not None and node in writer.ahead.calls:
        return writer.now(node), ATOM
    target, given = writer.host_call(node)
    return f"{target}({given})", ATOM


def _call_of_host(writer: Writer, node: ir.CallHost) -> tuple[str, str]:
    """The name of the method that handles a call of the run, and the arguments."""
    namespace, _, rest = node.name.partition(".")
    method = rest.replace(".", "_")
    given = [writer.text(value) for value in node.arguments]
    given += [f"{name}={_given(writer, namespace, name, value)}" for name, value in node.keywords.items()]
    is_read = rest.startswith(("closedtrades.", "opentrades."))
    owners = {"strategy": "V" if is_read else "S", "request": "Q"}
    if node.name == "object.copy":
        target = "copy_object"
    elif not rest:
        target = writer.host("R", namespace)
    elif namespace in ("log", "runtime"):
        target = writer.host("R", f"{namespace}_{method}")
    elif namespace in owners:
        target = writer.host(owners[namespace], method)
    else:
        target = writer.host("D", f"{namespace}_{method}")
    return target, ", ".join(given)


def _given(writer: Writer, namespace: str, name: str, value: ir.Expression) -> str:
    """An argument as Python. A text for an order's alert is put together when the order is filled."""
    if name in ALERT_TEXTS and namespace == "strategy" and writer.ahead is not None and not writer.records:
        later = deferred(writer, value)
        if later is not None:
            return later
    return writer.text(value)


def _call_function(writer: Writer, node: ir.CallFunction) -> tuple[str, int]:
    if writer.ahead is not None and writer.ahead.is_series(node):
        return writer.now(node), ATOM
    target = f"f{node.function.number}" if node.state is None else f"c{node.state.number}"
    return f"{target}({writer.list(node.arguments)})", ATOM


def _new(writer: Writer, node: ir.New) -> tuple[str, int]:
    return f"{node.type.code}({writer.list(node.arguments)})", ATOM


def _field(writer: Writer, node: ir.GetField) -> tuple[str, int]:
    if node.is_safe:
        name = writer.temporary()
        holder = writer.text(node.object)
        return f"{name}.{node.code} if ({name} := {holder}) is not None else {empty(node.kind)}", CHOICE
    return f"{writer.text(node.object, ATOM)}.{node.code}", ATOM


def _tuple(writer: Writer, node: ir.TupleOf) -> tuple[str, int]:
    return f"({writer.list(node.items)},)", ATOM


def _watched(writer: Writer, node: ir.WatchedExpression) -> tuple[str, int]:
    return f"WATCH({node.number}, {writer.text(node.value)})", ATOM


_WRITERS: dict[type, Callable[[Writer, object], tuple[str, int]]] = {  # type: ignore[assignment]
    ir.Constant: _constant,
    ir.Get: _get,
    ir.Column: _column,
    ir.FixedValue: _fixed,
    ir.Now: _now,
    ir.Past: _past,
    ir.RecordedValue: _recorded,
    ir.Unary: _unary,
    ir.Binary: _binary,
    ir.Choose: _choose,
    ir.CallBuiltin: _call_builtin,
    ir.CallKernel: _call_kernel,
    ir.CallHost: _call_host,
    ir.CallFunction: _call_function,
    ir.New: _new,
    ir.GetField: _field,
    ir.TupleOf: _tuple,
    ir.WatchedExpression: _watched,
}
