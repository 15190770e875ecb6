"""Advice about built-ins: the probably intended built-in, its signatures, and placeholders for its arguments."""

from __future__ import annotations

from functools import cache

from pinebench import reference
from pinebench.amounts import counted
from pinebench.checker import spelling
from pinebench.reference import Function, Parameter

SHOWN_OVERLOADS = 3


@cache
def names() -> frozenset[str]:
    """Return every built-in function, variable and constant."""
    return frozenset((*reference.functions(), *reference.variables(), *reference.constants()))


def is_builtin(name: str) -> bool:
    """Return whether `name` is a built-in function, variable or constant."""
    return name in names()


def nearest(name: str, count: int = 3) -> list[str]:
    """Return the built-ins that `name` may be a misspelling of, likeliest first.

    Members of the same namespace come first, then the same name in other namespaces (`math.sma`).
    """
    space, dot, short = name.rpartition(".")
    if not dot:
        return spelling.nearest(name, names(), count)
    inside = spelling.nearest(short, reference.members(space), count, spelling.LIKENESS_WITHIN)
    moved = sorted(known for known in names() if known.rpartition(".")[2] == short)
    return [*(f"{space}.{member}" for member in inside), *moved][:count] or spelling.nearest(name, names(), count)


def signatures(name: str) -> list[str]:
    """Return the signatures of the built-in `name`: a line for each overload of a function (at most SHOWN_OVERLOADS),
    or one line with the type of a variable or constant. The list is empty if there is no such built-in."""
    found = reference.function(name)
    if found is not None:
        lines = [_signature(found, number) for number in range(min(len(found.overloads), SHOWN_OVERLOADS))]
        more = len(found.overloads) - len(lines)
        return [*lines, *([f"(and {counted(more, 'more overload')})"] if more else [])]
    value = reference.variable(name) or reference.constant(name)
    return [f"{name}: {value.type}"] if value is not None else []


def example(name: str) -> str | None:
    """Return a call of the built-in function `name` with a suitable value for each required argument, or None if `name`
    is not a built-in function."""
    found = reference.function(name)
    if found is None:
        return None
    given = [placeholder(parameter) for parameter in _least(found).parameters if parameter.required]
    given += ["open", "high"][: max(0, found.variadic - len(given))]
    return f"{name}({', '.join(given)})"


def placeholder(parameter: Parameter) -> str:
    """Return Pine source for a harmless argument of the type of `parameter`."""
    if parameter.default is not None:
        return parameter.default
    if parameter.allowed:
        first = parameter.allowed[0]
        return f'"{first}"' if parameter.type.endswith("string") and "." not in first else first
    qualifier, _, bases = parameter.type.rpartition(" ")
    base = bases.split("|")[0]
    if parameter.name in _BY_NAME and base in ("int", "float", "string"):
        return _BY_NAME[parameter.name]
    if qualifier == "series" and base in ("int", "float") and "float" in bases and "int" in bases:
        return "close"
    if base == "bool":
        return "false" if qualifier != "series" else "close > open"
    return _BY_TYPE.get(base, "na")


_BY_TYPE = {
    "int": "1",
    "float": "1.0",
    "string": '""',
    "color": "color.blue",
    "source": "close",
    "chart.point": "chart.point.now(close)",
    "T": "close",
    "V": "close",
    "K": '""',
    "array<(int": "array.from(close, open)",
    "array<T>": "array.from(close, open)",
    "array<int>": "array.from(1, 2)",
    "array<bool>": "array.from(true, false)",
    "any": "close",
    "strategy_direction": "strategy.long",
}
_BY_NAME = {
    "length": "14",
    "symbol": "syminfo.tickerid",
    "timeframe": '"D"',
    "title": '"Title"',
    "shorttitle": '"Title"',
    "id": '"Entry"',
    "message": '"Alert"',
    "text": '"Text"',
    "leftbars": "5",
    "rightbars": "5",
    "fastlen": "12",
    "slowlen": "26",
    "siglen": "9",
    "percentage": "50",
    "mult": "2.0",
    "factor": "3.0",
    "atrPeriod": "10",
    "bottom_color": "color.blue",
}


def _least(found: Function) -> reference.Overload:
    return min(found.overloads, key=lambda overload: sum(parameter.required for parameter in overload.parameters))


def _signature(found: Function, number: int) -> str:
    overload = found.overloads[number]
    inside = ", ".join(map(_parameter, overload.parameters))
    dots = ", ..." if found.variadic else ""
    return f"{found.name}({inside}{dots}) -> {overload.returns}"


def _parameter(parameter: Parameter) -> str:
    text = f"{parameter.name}: {parameter.type}"
    if parameter.required:
        return text
    return f"{text} = {parameter.default}" if parameter.default is not None else f"[{text}]"
