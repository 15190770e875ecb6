"""Hints for calls of built-ins with an argument in the wrong position or with one argument too many."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench import reference
from pinebench.checker.arguments import Argument, Bound
from pinebench.checker.builtins import OverloadSpec, ParameterSpec
from pinebench.checker.type_matching import accepts
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes

_PLACEHOLDER = lazy_pattern(r"\{\d")


def out_of_order(overload: OverloadSpec, bound: Bound, parameter: ParameterSpec, argument: Argument) -> str | None:
    """Return a hint for a positional argument that does not fit its parameter but fits a later one."""
    if argument.name is not None:
        return None
    texts = [each.value for each in bound.values() if isinstance(each.value, nodes.Literal)]
    if any(_PLACEHOLDER.search(each.text) for each in texts if each.text[0] in "\"'"):
        return '`str.format()` fills a text with values: `str.format("Close: {0}", close)`.'
    if argument.type.base.name != "color" and argument.type.base.kind != "special":
        return None
    later = overload.parameters[overload.index[parameter.name] + 1 :]
    for other in later:
        if other.name not in bound and accepts(other, argument.type, {}, strict=True):
            return f"Pass it by name, `{other.name} = ...`: at this position it is the argument for `{parameter.name}`."
    return None


def to_leave_out(overloads: Sequence[OverloadSpec], function: str, arguments: list[Argument]) -> str | None:
    """Return a hint for a call with one argument too many, or for an object that is created without `new`. If leaving
    out one argument, other than the last, makes the call fit, the hint names that argument."""
    if reference.function(f"{function}.new") is not None:
        return f"Make an object with `{function}.new(...)`; `{function}()` only gives `na` a type."
    overload = overloads[0]
    if len(overloads) > 1 or len(arguments) != len(overload.parameters) + 1 or any(each.name for each in arguments):
        return None
    fitting = [
        place
        for place in range(len(arguments))
        if all(
            accepts(parameter, each.type, {}, strict=True)
            for parameter, each in zip(overload.parameters, arguments[:place] + arguments[place + 1 :], strict=True)
        )
    ]
    if len(fitting) != 1 or fitting[0] == len(arguments) - 1:
        return None
    names = ", ".join(parameter.name for parameter in overload.parameters)
    return f"It takes `{function}({names})`: leave {_ORDINALS[min(fitting[0], 3)]} argument out."


_ORDINALS = ("the first", "the second", "the third", "that")
