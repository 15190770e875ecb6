"""The inputs of a script as data for the page's settings dialog, under TradingView's names."""

from __future__ import annotations

from typing import Any

from pinebench.checker import BuiltinConstant, EnumSymbol, Program
from pinebench.runtime import (
    COLORS,
    SOURCES,
    Input,
    RuntimeFault,
    inputs_of,
    kind_of,
    new_of_constants,
    timestamp_of_text,
)
from pinebench.syntax import nodes


def definitions(program: Program, *, by_variable: bool = False) -> list[dict[str, Any]]:
    """Return the data of each input for the settings dialog.

    Each input has `id`, `name`, `type` (TradingView's name), `field`, `form` and `takes` (see `InputKind`), `defval`
    (None if its value is only known at run time), and `display` (Pine's `display.*` flags for where its value is
    shown). The keys `options`, `min`, `max`, `step`, `group`, `inline` and `tooltip` are present if the script sets
    them.

    The id is TradingView's (`in_0`), or with `by_variable` the name of the variable to which the input is assigned.
    """
    return [
        _definition(program, asked, asked.variable if by_variable and asked.variable else f"in_{number}")
        for number, asked in enumerate(inputs_of(program))
    ]


def _definition(program: Program, asked: Input, name: str) -> dict[str, Any]:
    options = list(map(_plain, asked.options))
    kind = kind_of(asked)
    default = _default(program, asked)
    if asked.kind == "source":
        options = list(SOURCES)
    elif asked.kind == "enum":
        options = list(_titles(program, asked).values())
    told = {
        "id": name,
        "name": asked.title or asked.variable or name,
        "type": kind.tradingview or asked.kind,
        "field": kind.field,
        "form": kind.form,
        "takes": kind.takes,
        "defval": default,
        "display": asked.display,
    }
    more = {
        "options": options or None,
        "min": asked.least,
        "max": asked.most,
        "step": asked.step,
        "group": asked.group or None,
        "inline": asked.inline or None,
        "tooltip": asked.tooltip or None,
    }
    return told | {key: value for key, value in more.items() if value is not None}


def _default(program: Program, asked: Input) -> Any:
    if asked.kind == "color":
        return _color(program, _argument(asked.node, 0, "defval"))
    if asked.kind == "enum":
        return _titles(program, asked).get(str(asked.default).rpartition(".")[2])
    if asked.kind == "time" and asked.default is None:
        return _moment(program, _argument(asked.node, 0, "defval"))
    return _plain(asked.default)


def _moment(program: Program, node: nodes.Node | None) -> int | None:
    """The value in milliseconds UTC of a call `timestamp()` with a date as text; None for any other expression."""
    if not isinstance(node, nodes.Call) or program.text_of(node.callee) != "timestamp" or len(node.arguments) != 1:
        return None
    written = _argument(node, 0, "dateString")
    known, text = program.value_of(written) if written is not None else (False, None)
    if not known or not isinstance(text, str):
        return None
    try:
        moment = timestamp_of_text(text)
    except RuntimeFault:
        return None
    return int(moment) if moment == moment else None


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, BuiltinConstant) else value


def _titles(program: Program, asked: Input) -> dict[str, str]:
    """The titles of an enum's members, by their names."""
    node = _argument(asked.node, 0, "defval")
    type_ = program.type_of(node) if node is not None else None
    symbol = type_.base.symbol if type_ is not None else None
    if not isinstance(symbol, EnumSymbol):
        return {}
    titles = {
        name: program.value_of(field.value)[1] if field.value is not None else name
        for name, field in symbol.fields.items()
    }
    return {name: str(title) for name, title in titles.items()}


def _argument(call: nodes.Call, place: int, name: str) -> nodes.Node | None:
    for number, argument in enumerate(call.arguments):
        if isinstance(argument, nodes.NamedArgument):
            if argument.name == name:
                return argument.value
        elif number == place:
            return argument
    return None


def _color(program: Program, node: nodes.Node | None) -> str | None:
    """The colour of an expression as `#RRGGBBAA`, or None if it cannot be told.

    The expression may be a colour literal, a named colour, or `color.new()` of one of these with a constant
    transparency.
    """
    if node is None:
        return None
    known, value = program.value_of(node)
    if known and isinstance(value, str):
        name = value.removeprefix("color.")
        if name in COLORS:
            return f"#{COLORS[name]:08X}"
        return f"#{value.lstrip('#').upper():F<8}" if value.startswith("#") else None
    if isinstance(node, nodes.Call) and program.text_of(node.callee) == "color.new":
        base = _color(program, _argument(node, 0, "color"))
        clear = _argument(node, 1, "transp")
        known, transparency = program.value_of(clear) if clear is not None else (False, None)
        if base is not None and known and isinstance(transparency, int | float):
            return f"#{new_of_constants(int(base[1:], 16), transparency):08X}"
    return None
