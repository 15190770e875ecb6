"""Expressions as Python text, with parentheses only where they are needed: chains grow long."""

from __future__ import annotations

import re
from collections.abc import Callable

from pinebench.runtime import ir
from pinebench.runtime.emit.ahead import OF_TIME, Ahead, leaves

# How tightly what was written binds.
CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, ATOM = range(9)

_LONGEST_CHAIN = 200
"""Operators in a row; what follows goes on from a name, as compilers of Python refuse to nest as deep as that."""
_DRAWN = ("line", "label", "box", "linefill")
_SIMPLE = re.compile(r"-?[A-Za-z_0-9.]+")
_COMPARED = {"<": "{} - {} < -1e-10", ">": "{} - {} > 1e-10", "<=": "{} - {} <= 1e-10", ">=": "{} - {} >= -1e-10"}
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


class Writer:
    """Writes the expressions of one module; collects what they need from outside."""

    def __init__(self) -> None:
        self.library: dict[str, str] = {}
        """Names of the library by what they are called in the text."""
        self.fixed: dict[tuple[str, str], str] = {}
        self.columns: dict[str, str] = {}
        self.settled: dict[str, str] = {}
        self.hosts: dict[str, str] = {}
        self.current: set[str] | None = None
        """The columns that this bar's values are at hand of; None within functions."""
        self.temporaries = 0
        self.loops: list[str | None] = []
        """For each loop around what is written, what is done before its next round."""
        self.ahead = Ahead()
        self.is_ahead = False
        self.columns_ahead: dict[str, str] = {}
        """What is computed ahead, by the name of its column."""

    def text(self, value: ir.Expression, tightness: int = CHOICE) -> str:
        """`value` as Python, in parentheses if it binds less tightly than asked for."""
        if isinstance(value, ir.CallBuiltin) and ir.is_settled(value):
            return self._settled(value)
        written, binds = _WRITERS[type(value)](self, value)
        return f"({written})" if binds < tightness else written

    def _settled(self, value: ir.Expression) -> str:
        """The name of what is computed once, before the first bar."""
        text, _ = _WRITERS[type(value)](self, value)
        return self.settled.setdefault(text, f"y{len(self.settled) + 1}")

    def host(self, owner: str, method: str) -> str:
        """The name of a method of the run, which is looked up once."""
        code = f"{owner}_{method}"
        self.hosts[code] = f"{owner}.{method}"
        return code

    def list(self, values: list[ir.Expression]) -> str:
        return ", ".join(self.text(value) for value in values)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def function(self, name: str) -> str:
        """The text by which a function of the library is called."""
        code = "L_" + re.sub(r"\W", "_", name)
        self.library[code] = name
        return code

    def column(self, name: str) -> str:
        code = "C_" + re.sub(r"\W", "_", name)
        self.columns[name] = code
        return code

    def read_all(self, name: str) -> str:
        """The whole column of what a kernel reads."""
        series, _, steps = name.partition("[")
        code = self.column(series)
        return f"[nan, *{code}[:-1]]" if steps else code

    def value_now(self, name: str) -> str:
        """This bar's value of a column."""
        code = self.column(name)
        if self.current is None:
            return f"{code}[i]"
        self.current.add(name)
        return "b" + code[1:]

    def ahead_of(self, making: str, slow: str) -> str:
        """This bar's value of what `making` computes ahead, `slow` on a bar for which it does not."""
        known = {text: code for code, text in self.columns_ahead.items()}
        code = known.get(making) or f"a{len(self.columns_ahead) + 1}"
        self.columns_ahead[code] = making
        return f"{code}[i] if i < ahead else {slow}"

    def series(self, value: ir.Expression) -> str:
        """A series as a whole column, or the one value of what is the same on all bars."""
        if ir.is_settled(value):
            return self.text(value)
        if isinstance(value, ir.Column):
            return self.column(value.name)
        if isinstance(value, ir.Get):
            return self.series(self.ahead.series[value.variable])
        if isinstance(value, ir.CallKernel):
            return self.text(value).partition("[")[0]
        parts = {id(part): part for part in leaves(value, self.ahead)}
        names = {key: f"s{number}" for number, key in enumerate(parts, 1)}
        pairs = [(names[key], self.series(part)) for key, part in parts.items()]
        text = self.arithmetic(value, names)
        if not pairs:
            return text
        given = ", ".join(name for name, _ in pairs)
        whole = pairs[0][1] if len(pairs) == 1 else f"zip({', '.join(code for _, code in pairs)})"
        return f"[{text} for {given} in {whole}]"

    def arithmetic(self, value: ir.Expression, names: dict[int, str]) -> str:
        """An expression of a series in which columns, variables and calls have short names."""
        if id(value) in names:
            return names[id(value)]
        if isinstance(value, ir.Unary):
            return f"(-{self.arithmetic(value.operand, names)})"
        if not isinstance(value, ir.Binary):
            return self.text(value, ATOM)
        left, right = self.arithmetic(value.left, names), self.arithmetic(value.right, names)
        if value.operator == "/":
            return f"quotient({left}, {right})"
        is_whole = value.operator == "*" and value.kind == "int"
        return f"product({left}, {right})" if is_whole else f"({left} {value.operator} {right})"

    def read(self, name: str) -> str:
        """What a kernel reads of the bar: `close`, or `close[1]` of the bar before."""
        series, _, steps = name.partition("[")
        if not steps:
            return self.value_now(series)
        code, steps = self.column(series), steps.rstrip("]")
        return f"{code}[i - {steps}] if i >= {steps} else nan"


def empty(kind: ir.Kind) -> str:
    """The empty value of a kind."""
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
    return node.variable.code, ATOM


def _column(writer: Writer, node: ir.Column) -> tuple[str, int]:
    if node.offset is None:
        return writer.value_now(node.name), ATOM
    code = writer.column(node.name)
    steps = constant_steps(node.offset)
    if steps is not None:
        return f"{code}[i - {steps}] if i >= {steps} else {empty(node.kind)}", CHOICE
    return f"back({code}, i, {writer.text(node.offset)}, {empty(node.kind)})", ATOM


def constant_steps(offset: ir.Expression) -> int | None:
    """A constant number of bars back that needs no check, or None."""
    if isinstance(offset, ir.Constant) and isinstance(offset.value, int | float) and 1 <= offset.value <= 10_000:
        return int(offset.value)
    return None


def _fixed(writer: Writer, node: ir.Fixed) -> tuple[str, int]:
    if node.source == "enum":
        return str(node.key), ATOM
    key = (node.source, str(node.key))
    return writer.fixed.setdefault(key, f"x{len(writer.fixed) + 1}"), ATOM


def _now(writer: Writer, node: ir.Now) -> tuple[str, int]:
    if node.name in _NOW:
        return _NOW[node.name], ATOM
    namespace, _, rest = node.name.partition(".")
    if namespace == "strategy":
        return "S." + rest.replace(".", "_"), ATOM
    return f"D.all({namespace!r})", ATOM


def _past(writer: Writer, node: ir.Past) -> tuple[str, int]:
    history = node.variable.history
    assert history is not None
    steps = constant_steps(node.offset)
    if steps is not None:
        return f"h{history.number}[-{steps}]", ATOM
    current = node.variable.code
    return f"past(h{history.number}, {writer.text(node.offset)}, {current}, {empty(node.kind)})", ATOM


def _recorded(writer: Writer, node: ir.Recorded) -> tuple[str, int]:
    return f"r{node.state.number}(i, {writer.text(node.value)}, {writer.text(node.offset)})", ATOM


def _unary(writer: Writer, node: ir.Unary) -> tuple[str, int]:
    if node.operator == "not":
        return f"not {writer.text(node.operand, NOT)}", NOT
    if node.operator == "-":
        return f"-{writer.text(node.operand, SIGN)}", SIGN
    if node.operator == "alive":
        return f"alive({writer.text(node.operand)})", ATOM
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


def _binary(writer: Writer, node: ir.Binary) -> tuple[str, int]:
    """Chains of one operator are walked: `a + b + c` is as deep as it is long."""
    chain: list[ir.Binary] = []
    left: ir.Expression = node
    while isinstance(left, ir.Binary):
        chain.append(left)
        left = left.left
    written, binds = _WRITERS[type(left)](writer, left)
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


def _parts(writer: Writer, node: ir.Expression) -> tuple[str, int]:
    return _WRITERS[type(node)](writer, node)


def _text_of(node: ir.Expression, written: str, binds: int) -> str:
    """A text that may be empty, as one that is not."""
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
    """Whether an expression can be written twice: one of its copies is evaluated, and it costs little."""
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
        return _numbers_compared(operator, kinds, _wrapped(left, binds, SUM), _wrapped(right, right_binds, PRODUCT))
    if kinds == ("bool", "bool"):
        return f"{_wrapped(left, binds, SUM)} {operator} {_wrapped(right, right_binds, SUM)}", COMPARISON
    if "string" in kinds:
        both = (_text_of(node.left, left, binds), _text_of(node.right, right, right_binds))
        return f"{both[0]} {operator} {both[1]}", COMPARISON
    if "color" in kinds:
        return f"{'same' if operator == '==' else 'different'}({left}, {right})", ATOM
    return f"{_wrapped(left, binds, SUM)} {operator} {_wrapped(right, right_binds, SUM)}", COMPARISON


def _numbers_compared(operator: str, kinds: tuple[ir.Kind, ir.Kind], left: str, right: str) -> tuple[str, int]:
    """TradingView compares floats with a tolerance of 1e-10; nothing compares with an empty number, `!=` included."""
    if operator == "!=":
        least = "0" if kinds == ("int", "int") else "1e-10"
        return f"{least} < abs({left} - {right}) < INF", COMPARISON
    if kinds == ("int", "int"):
        return f"{left} {operator} {right}", COMPARISON
    if operator == "==":
        return f"-1e-10 <= {left} - {right} <= 1e-10", COMPARISON
    return _COMPARED[operator].format(left, right), COMPARISON


def _choose(writer: Writer, node: ir.Choose) -> tuple[str, int]:
    parts: list[str] = []
    current: ir.Expression = node
    while isinstance(current, ir.Choose):
        parts.append(f"{writer.text(current.then, OR)} if {writer.text(current.condition, OR)} else ")
        current = current.otherwise
    return "".join(parts) + writer.text(current, CHOICE), CHOICE


def _call_builtin(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int]:
    if node.name == "nz":
        return _replaced(writer, node)
    inline = _INLINE.get(node.name)
    if inline is not None:
        written = inline(writer, node)
        if written is not None:
            return written
    context = "X, " if node.context else ""
    written = f"{writer.function(node.name)}({context}{writer.list(node.arguments)})"
    if node.name in OF_TIME and writer.is_ahead and all(map(ir.is_settled, node.arguments)):
        making = f"R.ahead_of_time({node.name!r}, {writer.list(node.arguments)})"
        return writer.ahead_of(making, written), CHOICE
    return written, ATOM


def _replaced(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int]:
    source, replacement = node.arguments
    text, other = writer.text(source, SUM), writer.text(replacement)
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
    """The greater or smaller of two numbers that are at hand; na where one is."""

    def write(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int] | None:
        if len(node.arguments) != 2:
            return None
        first, second = (writer.text(argument) for argument in node.arguments)
        if not (is_simple(first) and is_simple(second)):
            return None
        return f"{first} if {first} {sign} {second} or {first} != {first} else {second}", CHOICE

    return write


def _size(writer: Writer, node: ir.CallBuiltin) -> tuple[str, int] | None:
    """The size of na has no items, which is told as any field of na."""
    return f"len({writer.text(node.arguments[0], ATOM)}.items)", ATOM


_INLINE: dict[str, Callable[[Writer, ir.CallBuiltin], tuple[str, int] | None]] = {
    "array.size": _size,
    "math.abs": _absolute,
    "math.max": _extreme(">="),
    "math.min": _extreme("<="),
}


def _call_kernel(writer: Writer, node: ir.CallKernel) -> tuple[str, int]:
    if node in writer.ahead.kernels:
        series = [writer.series(argument) for argument in node.arguments] + list(map(writer.read_all, node.reads))
        given = "".join(f", {column}" for column in series)
        making = f"R.ahead(k{node.state.number}{given})"
        return writer.ahead_of(making, _called(writer, node)[0]), CHOICE
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
    method = rest.replace(".", "_")
    given = [writer.text(value) for value in node.arguments]
    given += [f"{name}={writer.text(value)}" for name, value in node.keywords.items()]
    owners = {"strategy": "S", "request": "Q"}
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
    written = f"{target}({', '.join(given)})"
    if node in writer.ahead.requests:
        return writer.ahead_of(f"Q.ahead({', '.join(given)})", written), CHOICE
    return written, ATOM


def _call_function(writer: Writer, node: ir.CallFunction) -> tuple[str, int]:
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


_WRITERS: dict[type, Callable[[Writer, object], tuple[str, int]]] = {  # type: ignore[assignment]
    ir.Constant: _constant,
    ir.Get: _get,
    ir.Column: _column,
    ir.Fixed: _fixed,
    ir.Now: _now,
    ir.Past: _past,
    ir.Recorded: _recorded,
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
}
