"""The one report type every room speaks: what is wrong, where, how bad, and how to mend it."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple, cast


class Severity(IntEnum):
    """How bad a finding is; a smaller value is worse, so that sorting puts errors first."""

    ERROR = 0
    WARNING = 1
    INFO = 2
    HINT = 3

    @property
    def label(self) -> str:
        """The lower-case word used in every report: `error`, `warning`, `info` or `hint`."""
        return self.name.lower()


class Span(NamedTuple):
    """A half-open range of code-point offsets in the source text, as an editor underlines it."""

    start: int
    end: int


class Position(NamedTuple):
    """A 1-based line and a 1-based column in UTF-16 units."""

    line: int
    column: int


class Edit(NamedTuple):
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A mend: non-overlapping edits; `safe` means that it cannot change what a correct script does."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


Value = str | int | float | bool
"""What a message is made from: a name, a type as it is written, a number."""


class Diagnostic(NamedTuple):
    """One finding about a script.

    `tv_position` is set only where TradingView names another place than `span.start`: it reports a wrapped statement on
    its joined logical line. `hint` is our own advice, shown beside TradingView's words and never mixed into them.
    `values` are what the placeholders of the code's template were filled with, by their names; `value` finds one, so
    that nobody reads a message back.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    tv_position: Position | None = None
    hint: str | None = None
    fix: Fix | None = None
    values: tuple[tuple[str, Value], ...] = ()

    def value(self, name: str) -> str:
        """What the message says for the placeholder `name`, as text; empty where it has none."""
        return next((str(value) for known, value in self.values if known == name), "")


def encode(diagnostic: Diagnostic) -> dict[str, Any]:
    """`diagnostic` as plain data for JSON, all of it: spans as `[start, end]` of code points, positions as `[line,
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
    """The diagnostic that `encode` made `plain` of; `fix` and `values` may be missing.

    Raises KeyError, TypeError or ValueError when it is none.
    """
    position, fix = plain["tv_position"], plain.get("fix")
    return Diagnostic(
        _text(plain["code"]),
        Severity[_text(plain["severity"]).upper()],
        _text(plain["message"]),
        _span(plain["span"]),
        None if position is None else Position(*map(_whole, _pair(position))),
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
        raise TypeError(f"{plain!r} is not a text")
    return plain


def _value(plain: object) -> Value:
    if not isinstance(plain, str | int | float | bool):
        raise TypeError(f"{plain!r} is not a text or a number")
    return plain
