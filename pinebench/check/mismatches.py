"""Advice for a value of the wrong type that its place says more about than its type: dates, formats, collections."""

from __future__ import annotations

import re

from pinebench.check.types import Base
from pinebench.syntax import nodes

_DATE = re.compile(r".\d{4}-\d{1,2}-\d{1,2}|.\d{1,2} \w{3} \d{4}")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COMPARED = ("operator ==", "operator !=", "operator >", "operator <", "operator >=", "operator <=")
_OF_ARRAYS = {
    "operator +": "An array takes a value by `array.push(id, value)`, another array by `array.concat(id, other)`.",
    "operator -": "A value leaves an array by `array.remove(id, index)`.",
}
_NUMBERS = ("int", "float")


def misplaced(function: str, parameter: str, base: Base, expected: str, node: nodes.Node) -> str | None:
    """A hint for a value of type `base` at `node`, where `function` takes `expected` for `parameter`."""
    wanted = expected.rpartition(" ")[2]
    given = base.name if base.kind == "scalar" else base.kind
    if base.kind in ("array", "matrix", "map") and function.startswith("operator"):
        return _OF_ARRAYS.get(function) or (
            f"Operators take single values: read one with `{base.kind}.get()`"
            + (", or ask for `array.sum()`, `array.avg()`, `array.max()`." if base.kind == "array" else ".")
        )
    if function == "str.tostring" and parameter == "format" and given in _NUMBERS:
        return 'A format is a text: `"#.##"` shows two decimals, `format.mintick` those of the symbol.'
    if function == "operator ?:" and parameter != "expr0" and {given, wanted} & {"string", "color"}:
        return "Both values of `? :` are of one type: two texts, two numbers, or `na` for nothing."
    if given == "string" and wanted in _NUMBERS and isinstance(node, nodes.Literal):
        return _text_for_a_number(function, node.text)
    return None


def _text_for_a_number(function: str, text: str) -> str | None:
    if _DATE.match(text):
        return 'A moment is made by `timestamp("2024-01-01")`.'
    if function in _COMPARED and text.strip("\"'").lower() in _DAYS:
        return f"Days of the week are numbers: `dayofweek.{text[1:-1].lower()}`."
    if function in _COMPARED and not any(sign.isdigit() for sign in text):
        return "Numbers are compared with numbers: this is a text."
    return None
