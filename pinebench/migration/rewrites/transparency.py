"""Transparency, a part of a colour in v6: the parameter `transp`, and the defaults of `fill()` and `bgcolor()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.edits import TreeEdits, removing, replacing, wrapping


class _Shape(NamedTuple):
    """The positions of the colours and of `transp` in a function of v4, and the function's default colour."""

    colors: tuple[tuple[str, int], ...]
    transp: int
    default: str = ""


_SHAPES = {
    "plot": _Shape((("color", 2),), 6, "color.blue"),
    "plotshape": _Shape((("color", 4),), 5, "color.blue"),
    "plotchar": _Shape((("color", 4),), 5, "color.blue"),
    "plotarrow": _Shape((("colorup", 2), ("colordown", 3)), 4),
    "bgcolor": _Shape((("color", 0),), 1),
    "fill": _Shape((("color", 2),), 3),
    "barcolor": _Shape((("color", 0),), 99),
    "hline": _Shape((("color", 2),), 99),
}
_IMPLIED = {"bgcolor": "90", "fill": "90"}
"""The default of `transp` in v4 and earlier."""
_OWN = re.compile(r"\bcolor\.(?:new|rgb|from_gradient)\b|#[0-9A-Fa-f]{8}\b|\bcolor\s*\(")


@rewrite()
def given(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `color = c, transp = t` to `color = color.new(c, t)`."""
    for name, shape in _SHAPES.items():
        for call in script.called(name):
            argument = script.argument(call, "transp", shape.transp if script.version < 5 else 99)
            if argument is None or not _is_transp(script, argument):
                continue
            yield _moved(script, call, argument, shape)


def _is_transp(script: OldScript, argument: nodes.Node) -> bool:
    """Whether an argument is `transp`. A positional one is a number, unlike the argument at this position in v6."""
    if isinstance(argument, nodes.NamedArgument):
        return True
    return script.base_of(argument) in ("int", "float")


def _moved(script: OldScript, call: nodes.Call, argument: nodes.Node, shape: _Shape) -> RewriteChange:
    text = script.line_of(value_of(argument))
    colors = [found for name, place in shape.colors if (found := script.argument(call, name, place)) is not None]
    if text is None or (not colors and not shape.default):
        told = "`transp` was removed, and without a colour it cannot be kept: pass `color`"
        return RewriteChange(call, told, removing(argument), RemarkKind.LOOK)
    if text == "0" and dotted(call.callee) not in _IMPLIED:
        return RewriteChange(call, "`transp = 0` is the default of a colour", removing(argument))
    if not colors:
        whole = f"color = color.new({shape.default}, {text})"
        if isinstance(argument, nodes.NamedArgument):
            return RewriteChange(call, "`transp` is part of the colour", replacing(argument, whole))
        return RewriteChange(call, "`transp` was removed: make it part of `color`", removing(argument), RemarkKind.LOOK)
    if any(_has_own(script, value_of(color)) for color in colors):
        told = "`transp` was removed; the colour has its own transparency, which is used now"
        return RewriteChange(call, told, removing(argument), RemarkKind.DIFFERS)
    return RewriteChange(call, "`transp` is part of the colour", partial(_blended, argument, colors, text))


def _has_own(script: OldScript, color: nodes.Node) -> bool:
    """Whether one of the possible values of a colour may already have a transparency."""
    return any(_OWN.search(script.source(value)) for value in script.sources_of(color))


def _blended(argument: nodes.Node, colors: list[nodes.Node], text: str, edits: TreeEdits) -> None:
    edits.remove(argument)
    for color in colors:
        edits.wrap(value_of(color), "color.new(", f", {text})")


@rewrite(newest=4)
def implied(script: OldScript) -> Iterator[RewriteChange]:
    """Add the transparency of 90 that `fill()` and `bgcolor()` had by default."""
    for name, transparency in _IMPLIED.items():
        shape = _SHAPES[name]
        for call in script.called(name):
            color = script.argument(call, *shape.colors[0])
            if color is None or script.argument(call, "transp", shape.transp) is not None:
                continue
            value = value_of(color)
            if script.base_of(value) != "color" or _has_own(script, value):
                continue
            told = f"`{name}()` had a default transparency of {transparency}"
            yield RewriteChange(call, told, wrapping(value, "color.new(", f", {transparency})"))
