"""The colours in a script, for an editor's colour swatches and colour picker."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import path_of
from pinebench.diagnostics import Edit, Span
from pinebench.records import NamedTuple
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


class Color(NamedTuple):
    """A colour and its span in the text. Red, green, blue and alpha are from 0 to 255."""

    span: Span
    red: int
    green: int
    blue: int
    alpha: int


def colors(view: ScriptView) -> list[Color]:
    """Return the colours that are written as `#RRGGBB`, as a constant of `color`, or as `color.rgb` with literal
    numbers, in text order."""
    found: list[Color] = []
    for chunk in view.snapshot.chunks:
        for node in walk(chunk.body):
            value = _value(node)
            if value is not None:
                span = Span(chunk.start + node.start, chunk.start + node.end)
                found.append(Color(span, *value))
    return sorted(found)


def _value(node: nodes.Node) -> tuple[int, int, int, int] | None:
    if isinstance(node, nodes.Literal) and node.kind == "color":
        digits = node.text[1:] + ("ff" if len(node.text) == 7 else "")
        red, green, blue, alpha = bytes.fromhex(digits)
        return red, green, blue, alpha
    if isinstance(node, nodes.Member):
        return _constant(path_of(node) or "")
    if isinstance(node, nodes.Call) and path_of(node.callee) == "color.rgb":
        return _rgb(node)
    return None


def _constant(path: str) -> tuple[int, int, int, int] | None:
    known = reference.constant(path) if path.startswith("color.") else None
    if known is None:
        return None
    from pinebench.runtime import constant_value  # rarely needed

    value = constant_value(path)
    if not isinstance(value, int):
        return None
    return value >> 24 & 255, value >> 16 & 255, value >> 8 & 255, value & 255


def _rgb(node: nodes.Call) -> tuple[int, int, int, int] | None:
    """The colour of a call of `color.rgb`, if all its arguments are positional number literals."""
    numbers = [float(each.text) for each in node.arguments if isinstance(each, nodes.Literal) and each.kind in _NUMBERS]
    if len(numbers) != len(node.arguments) or not 3 <= len(numbers) <= 4:
        return None
    transparency = numbers[3] if len(numbers) == 4 else 0.0
    if any(not 0 <= number <= 255 for number in numbers[:3]) or not 0 <= transparency <= 100:
        return None
    red, green, blue = map(round, numbers[:3])
    return red, green, blue, round(255 * (100 - transparency) / 100)


_NUMBERS = ("int", "float")


def written(color: Color) -> Edit:
    """Return the edit that writes `color` at its span."""
    digits = bytes((color.red, color.green, color.blue, color.alpha)).hex().upper()
    return Edit(color.span, "#" + (digits[:6] if color.alpha == 255 else digits))
