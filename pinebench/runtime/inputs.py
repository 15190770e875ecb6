"""The inputs of a script, and the values that are set for them by title, by variable or by number."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pinebench import reference
from pinebench.checker import BoundArgument, EnumSymbol, NamedCall, Program
from pinebench.errors import UsageError
from pinebench.near import near_names
from pinebench.runtime.lower import ChosenSeries
from pinebench.runtime.lower.names import constant_value
from pinebench.syntax import nodes

SOURCES = ("open", "high", "low", "close", "hl2", "hlc3", "hlcc4", "ohlc4", "volume")
"""The series that an input of the kind "source" accepts."""
_NUMBERED = re.compile(r"in_(\d{1,4})", re.ASCII)


@dataclass(frozen=True)
class Input:
    """One input of a script.

    `kind` is a name in `KINDS`. `default` is None if it is not a plain constant; for a source it is the name of the
    series. `options` are the accepted values, and `least` and `most` are the bounds. `step`, `tooltip`, `group` and
    `inline` are for the inputs dialog. `display` is a sum of bits for where the value is shown: 1 is the data window, 8
    the status line.
    """

    node: nodes.Call
    title: str
    variable: str
    kind: str
    default: Any
    least: float | None
    most: float | None
    options: tuple[Any, ...]
    step: float | None = None
    tooltip: str = ""
    group: str = ""
    inline: str = ""
    display: int = 0


def inputs_of(program: Program) -> list[Input]:
    """Return the inputs that a script uses, in the order of its text."""
    return [_input(program, call) for call in program.inputs]


def _input(program: Program, call: NamedCall) -> Input:
    given = {argument.parameter: argument for argument in call.call.arguments}

    def constant(name: str) -> Any:
        argument = given.get(name)
        return argument.value if argument is not None and argument.is_constant else None

    default = given["defval"]
    kind = call.name.removeprefix("input").lstrip(".")
    if not kind and default.type is not None:
        kind = "source" if default.type.qualifier > 0 else default.type.base.name
    options = given.get("options")
    return Input(
        call.node,
        str(constant("title") or ""),
        call.variable.name if call.variable is not None else "",
        kind,
        default.value if default.is_constant else _series(default.node),
        constant("minval"),
        constant("maxval"),
        _options(program, options.node if options is not None else None),
        constant("step"),
        str(constant("tooltip") or ""),
        str(constant("group") or ""),
        str(constant("inline") or ""),
        _display(given.get("display"), kind),
    )


_EVERYWHERE = int(constant_value("display.all"))
_HIDDEN_KINDS = ("bool", "color")
"""The kinds of `input()` whose values are not shown by default. The reference has the defaults of other functions."""


def _display(argument: BoundArgument | None, kind: str) -> int:
    """The places where the value of an input is shown, as bits."""
    if argument is not None and argument.is_constant and argument.value is not None:
        return int(constant_value(str(argument.value)))
    if argument is not None and argument.node is not None:
        return _display_bits(argument.node)
    return 0 if kind in _HIDDEN_KINDS else _EVERYWHERE


def _display_bits(node: nodes.Node) -> int:
    """The bits of an expression of constants `display.*`; all bits if it is another expression."""
    if isinstance(node, nodes.Binary):
        left, right = _display_bits(node.left), _display_bits(node.right)
        return left & ~right if node.operator == "-" else left | right
    if isinstance(node, nodes.Parenthesized):
        return _display_bits(node.expression)
    if isinstance(node, nodes.Member) and isinstance(node.object, nodes.Name) and node.object.id == "display":
        return int(constant_value(f"display.{node.name}"))
    return _EVERYWHERE


def _series(node: nodes.Node | None) -> str | None:
    """The name of a built-in series that is the default, or None."""
    return node.id if isinstance(node, nodes.Name) and node.id in SOURCES else None


def _options(program: Program, node: nodes.Node | None) -> tuple[Any, ...]:
    if not isinstance(node, nodes.TupleExpression):
        return ()
    return tuple(value for item in node.items for known, value in [program.value_of(item)] if known)


def settings_of(
    program: Program, given: Mapping[str, Any], inputs: list[Input] | None = None, named: dict[str, Input] | None = None
) -> dict[nodes.Node, Any]:
    """Return the values that are set for inputs, by the node of the input's call.

    A name in `given` is the title of an input, or its variable, or TradingView's own name of an input: `in_0` is the
    first. A value may be a string as a person would type it. `inputs` are the script's inputs, if they are known
    already, and `named` caches the names that were looked up.

    Raises UsageError for a name that no input or more than one input has, for a value that the input does not accept,
    and for two values of one input that differ.
    """
    inputs = inputs_of(program) if inputs is None else inputs
    found: dict[nodes.Node, Any] = {}
    for name, value in given.items():
        chosen = named.get(name) if named is not None else None
        if chosen is None:
            chosen = input_named(inputs, name)
            if named is not None:
                named[name] = chosen
        read = _read(program, chosen, value)
        if found.get(chosen.node, read) != read:
            raise UsageError(
                f'the input "{chosen.title or chosen.variable}" is given twice, with different values',
                f'"{name}" is another name of it: give it one value.',
            )
        found[chosen.node] = read
    return found


def input_named(inputs: list[Input], name: str) -> Input:
    """Return the input with the title, the variable or the number `name`. Raises UsageError if none or more than one
    has it."""
    for known in ([i for i in inputs if i.title == name], [i for i in inputs if i.variable == name]):
        if len(known) == 1:
            return known[0]
        if known:
            lines = ", ".join(i.variable or "?" for i in known)
            raise UsageError(f'several inputs are called "{name}"', f"Use the variable of the input instead: {lines}.")
    numbered = _NUMBERED.fullmatch(name)
    if numbered is not None and int(numbered[1]) < len(inputs):
        return inputs[int(numbered[1])]
    if not inputs:
        raise UsageError(f'there is no input called "{name}"', "The script has no inputs.")
    names = [str(i.title or i.variable) for i in inputs]
    near = [f'did you mean "{each}"?' for each in near_names(name, names)]
    listed = ", ".join(f'"{each}"' for each in names)
    raise UsageError(f'there is no input called "{name}"', " ".join([*near, f"The script's inputs: {listed}."]))


def _read(program: Program, asked: Input, value: Any) -> Any:
    kind = kind_of(asked)
    try:
        read = _enum_field(program, asked, value) if asked.kind == "enum" else kind.read(value)
    except (ValueError, TypeError, OverflowError):
        raise UsageError(f'the input "{asked.title or asked.variable}" takes {kind.takes}, not {value!r}') from None
    if asked.options and asked.kind != "enum" and read not in asked.options:
        options = ", ".join(map(str, asked.options))
        raise UsageError(f'the input "{asked.title or asked.variable}" takes one of {options}, not {value!r}')
    for bound, words, outside in ((asked.least, "at least", -1), (asked.most, "at most", 1)):
        if bound is not None and isinstance(read, int | float) and (read - bound) * outside > 0:
            raise UsageError(f'the input "{asked.title or asked.variable}" takes {words} {bound}, not {read}')
    return read


def _whole(value: Any) -> int:
    number = float(value)
    if isinstance(value, bool) or number != int(number):
        raise ValueError
    return int(number)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    number = float(value)
    if number - number != 0:
        raise ValueError
    return number


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False, "on": True, "off": False}
    if str(value).lower() not in words:
        raise ValueError
    return words[str(value).lower()]


def _color(value: Any) -> int:
    digits = str(value).removeprefix("#")
    if len(digits) not in (6, 8):
        raise ValueError
    return int(digits + "FF" if len(digits) == 6 else digits, 16)


def _source(value: Any) -> ChosenSeries:
    if value not in SOURCES or reference.variable(value) is None:
        raise ValueError
    return ChosenSeries(value)


def _moment(value: Any) -> int:
    """Read milliseconds UTC, or a date and time in ISO 8601, and return milliseconds UTC."""
    if isinstance(value, int) or (isinstance(value, str) and value.lstrip("-").isdigit()):
        return int(value)
    moment = datetime.datetime.fromisoformat(str(value))
    return int((moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp() * 1000)


def _enum_field(program: Program, asked: Input, value: Any) -> nodes.EnumField:
    given = asked.node.arguments
    named = [each.value for each in given if isinstance(each, nodes.NamedArgument) and each.name == "defval"]
    type_ = program.type_of([*named, *given][0])
    symbol = type_.base.symbol if type_ is not None else None
    if isinstance(symbol, EnumSymbol):
        for name, field in symbol.fields.items():
            title = program.value_of(field.value)[1] if field.value is not None else name
            is_offered = not asked.options or any(str(each).rpartition(".")[2] == name for each in asked.options)
            if is_offered and value in (name, title, f"{symbol.name}.{name}"):
                return field
    raise ValueError


@dataclass(frozen=True)
class InputKind:
    """A kind of input, such as `input.int`, and its differences from other kinds.

    `read` converts a plain value or a typed text to a value; it raises ValueError, TypeError or OverflowError for
    others. `takes` says in words what is accepted. `form` is the form of a value as JSON: whole, number, bool, color or
    text. `field` names the control of a dialog, and `tradingview` is TradingView's name of the type on its page.
    """

    read: Callable[[Any], Any]
    takes: str
    form: str = "text"
    field: str = "text"
    tradingview: str = ""

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers in a range, so that they can be varied in trials. Times are not."""
        return self.form in ("whole", "number") and self.field != "time"


KINDS = {
    "int": InputKind(_whole, "a whole number", "whole", "number", "integer"),
    "float": InputKind(_number, "a number", "number", "number"),
    "price": InputKind(_number, "a number", "number", "price"),
    "bool": InputKind(_truth, "true or false", "bool", "box"),
    "color": InputKind(_color, "a colour such as #2962FF", "color", "color"),
    "string": InputKind(str, "a text", tradingview="text"),
    "text_area": InputKind(str, "a text", field="area"),
    "source": InputKind(_source, f"one of {', '.join(SOURCES)}"),
    "enum": InputKind(str, "a member of its enum"),
    "time": InputKind(_moment, "a date and a time", "whole", "time"),
    "timeframe": InputKind(str, "a timeframe such as 60 or 1D", field="timeframe", tradingview="resolution"),
    "session": InputKind(str, "a session such as 0930-1600", field="session"),
    "symbol": InputKind(str, "a symbol such as NASDAQ:AAPL", field="symbol"),
}
"""The kinds of inputs by the name after `input.`; the fields of members of an enum are read by their declaration."""


def kind_of(script_input: Input) -> InputKind:
    """Return the kind of an input, or the kind for strings if the type of its default is not known."""
    return KINDS.get(script_input.kind, KINDS["string"])
