"""Advice for arguments that stand at the wrong place of a built-in's call, or are too many for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pinebench import reference
from pinebench.checker.arguments import Argument, Bound
from pinebench.checker.builtins import OverloadSpec, ParameterSpec
from pinebench.checker.matching import accepts
from pinebench.syntax import nodes

_PLACEHOLDER = re.compile(r"\{\d")


def out_of_order(overload: OverloadSpec, bound: Bound, parameter: ParameterSpec, argument: Argument) -> str | None:
    """A hint for an argument without a name that does not fit its place: what it was meant for."""
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
            return f"Give it by its name, `{other.name} = ...`: where it stands it is taken for `{parameter.name}`."
    return None


def to_leave_out(overloads: Sequence[OverloadSpec], function: str, arguments: list[Argument]) -> str | None:
    """A hint for one argument too many, where the rest fits without exactly one of them that is not the last; and for
    an object that is made without `new`."""
    if reference.function(f"{function}.new") is not None:
        return f"An object is made by `{function}.new(...)`; `{function}()` only says what type `na` is of."
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
