"""The type of the findings that all packages report: a diagnostic with its code, position and severity, and its fix."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, cast

from pinebench.records import NamedTuple


class Severity(IntEnum):
    """The severity of a finding. A smaller value is worse, so sorting puts errors first."""

    ERROR = 0
    WARNING = 1
    INFO = 2
    HINT = 3

    @property
    def label(self) -> str:
        """The lower-case word used in every report: `error`, `warning`, `info` or `hint`."""
        return self.name.lower()


class Span(NamedTuple):
    """A half-open range of code-point offsets in the source text."""

    start: int
    end: int


class TextPosition(NamedTuple):
    """A 1-based line and a 1-based column in UTF-16 units."""

    line: int
    column: int


class Edit(NamedTuple):
    """An edit that replaces the text in `span` with `text`."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A fix: edits that do not overlap. `safe` means that it cannot change the behaviour of a correct script."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


Value = str | int | float | bool
"""A value in a message: a name, the text of a type, a number."""


class Diagnostic(NamedTuple):
    """One finding about a script.

    `tv_position` is only set if TradingView reports a position other than `span.start`, because it counts a wrapped
    statement on its joined logical line. `hint` is our own advice, shown next to TradingView's message and never mixed
    into it. `values` maps the template's placeholders to their values, so that no code needs to parse a message.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    tv_position: TextPosition | None = None
    hint: str | None = None
    fix: Fix | None = None
    values: tuple[tuple[str, Value], ...] = ()

    def value(self, name: str) -> str:
        """Return the value of the placeholder `name` as a string, or an empty string if there is none."""
        return next((str(value) for known, value in self.values if known == name), "")


def encode(diagnostic: Diagnostic) -> dict[str, Any]:
    """Convert `diagnostic` to plain data for JSON. Spans are `[start, end]` in code points, positions `[line,
    column]`."""
    position, fix = diagnostic.tv_position, diagnostic.fix
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.label,
        "message": diagnostic.message,
        "span": [*diagnostic.span],
        "tv_position": None if position is None else [*position],
        "hint": diagnostic.hint,
        "fix": None if fix is None else _encode_fix(fix),
        "values": dict(diagnostic.values),
    }


def decode(plain: dict[str, Any]) -> Diagnostic:
    """Convert plain data from `encode` to a diagnostic. `fix` and `values` may be missing.

    Raises KeyError, TypeError or ValueError for other data.
    """
    position, fix = plain["tv_position"], plain.get("fix")
    return Diagnostic(
        _text(plain["code"]),
        Severity[_text(plain["severity"]).upper()],
        _text(plain["message"]),
        _span(plain["span"]),
        None if position is None else TextPosition(*map(_whole, _pair(position))),
        None if plain["hint"] is None else _text(plain["hint"]),
        None if fix is None else _decode_fix(fix),
        tuple((_text(name), _value(value)) for name, value in _object(plain.get("values", {})).items()),
    )


def _encode_fix(fix: Fix) -> dict[str, Any]:
    edits = [[*edit.span, edit.text] for edit in fix.edits]
    return {"title": fix.title, "edits": edits, "safe": fix.safe}


def _decode_fix(plain: dict[str, Any]) -> Fix:
    if not isinstance(plain["safe"], bool):
        raise TypeError(f"{plain['safe']!r} is not true or false")
    edits = tuple(Edit(_span((start, end)), _text(text)) for start, end, text in plain["edits"])
    return Fix(_text(plain["title"]), edits, plain["safe"])


def _object(plain: object) -> dict[Any, Any]:
    if not isinstance(plain, dict):
        raise TypeError(f"{plain!r} is not an object")
    return cast("dict[Any, Any]", plain)


def _span(plain: object) -> Span:
    start, end = map(_whole, _pair(plain))
    return Span(start, end)


def _pair(plain: Any) -> tuple[object, object]:
    first, second = plain
    return first, second


def _whole(plain: object) -> int:
    if isinstance(plain, bool) or not isinstance(plain, int) or plain < 0:
        raise TypeError(f"{plain!r} is not a whole number from 0")
    return plain


def _text(plain: object) -> str:
    if not isinstance(plain, str):
        raise TypeError(f"{plain!r} is not a string")
    return plain


def _value(plain: object) -> Value:
    if not isinstance(plain, str | int | float | bool):
        raise TypeError(f"{plain!r} is not a string or a number")
    return plain
