"""Parses the reference's text block of one function. Blocks become objects only when they are needed.

A block has these lines: `needs a; b` (parameters that the compiler insists on), `variadic N`, `history`, `global` (only
in the global scope). For each overload it has its parameters, `name?; type; default; noun; allowed values`, followed by
`-> result`. Empty fields at the end are left out, and `?` marks an optional parameter.
"""

from __future__ import annotations

from pinebench.reference.model import Function, Overload, Parameter

_DRAWINGS = ("line", "linefill", "box", "polyline", "label", "table")
_RECEIVERS = frozenset(("array", "matrix", "map", "chart.point", "footprint", "volume_row", *_DRAWINGS))


def read_function(name: str, block: str) -> Function:
    """Parse the `block` of the function `name`."""
    required: tuple[str, ...] = ()
    variadic = 0
    history = top_level = False
    overloads: list[Overload] = []
    parameters: list[Parameter] = []
    for line in block.strip().splitlines():
        word, _, rest = line.partition(" ")
        if word == "->":
            overloads.append(Overload(tuple(parameters), rest))
            parameters = []
        elif "; " in line and word != "needs":
            parameters.append(_parameter(line.split("; ")))
        elif word == "needs":
            required = tuple(rest.split("; "))
        elif word == "variadic":
            variadic = int(rest)
        elif word == "history":
            history = True
        else:
            top_level = True
    namespace = namespace_of(name)
    receiver = _receiver(namespace, overloads[0])
    return Function(name, tuple(overloads), required, variadic, history, top_level, receiver, namespace)


def namespace_of(name: str) -> str | None:
    """The namespace of a name: `strategy.risk` for `strategy.risk.max_drawdown`. None for a name without a dot."""
    return name.rpartition(".")[0] or None


def _parameter(columns: list[str]) -> Parameter:
    name, type_text, default, noun, allowed = columns + [""] * (5 - len(columns))
    optional = name.endswith("?")
    return Parameter(
        name.removesuffix("?"), type_text, not optional, default or None, tuple(allowed.split()), noun or None
    )


def _receiver(namespace: str | None, overload: Overload) -> str | None:
    if namespace not in _RECEIVERS or not overload.parameters:
        return None
    first = overload.parameters[0].type.removeprefix("series ")
    return namespace if first == namespace or first.startswith(f"{namespace}<") else None
