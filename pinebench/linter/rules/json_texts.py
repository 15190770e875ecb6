"""Checks whether a text can be valid JSON after unknown pieces are filled in."""

from __future__ import annotations

from pinebench.linter.rules.messages import UNKNOWN
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

_PIECES = (
    "",
    "0",
    "0,",
    '""',
    "{}",
    ",",
    '"a":',
    '"a": 0',
    '"a": 0,',
    ', "a": 0',
    "}",
    "]",
    "}}",
    "0}",
    '""}',
    ', "a": 0}',
)
"""The texts that are tried for an unknown piece."""
_MANY = lazy_pattern(f"{UNKNOWN}{{3,}}")
_VALUE = lazy_pattern(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|true|false|null|NaN|-?Infinity")
_CLOSED_BY = {"}": "{", "]": "["}
_VALUES, _FIRST_ITEM, _FIRST_KEY, _KEY, _COLON, _DONE, _TEXT, _NAME, _WORD = range(9)
_ESCAPED = (_TEXT, _NAME)


class _State(NamedTuple):
    """The state after a part of a text: the open brackets, what may come next, and the current number or word."""

    open: str = ""
    wanted: int = _VALUES
    word: str = ""
    escaped: bool = False


def may_be_json(text: str) -> bool:
    """Return whether a text can be one or several JSON documents, for some text in place of each UNKNOWN."""
    states = {_State()}
    for character in _MANY.sub(UNKNOWN * 2, text):
        pieces = _PIECES if character == UNKNOWN else (character,)
        states = {after for state in states for piece in pieces if (after := _read(state, piece)) is not None}
        if not states:
            return False
    return any(not end.open and end.wanted == _DONE for state in states if (end := _step(state, " ")) is not None)


def _read(state: _State | None, piece: str) -> _State | None:
    for character in piece:
        state = _step(state, character) if state is not None else None
    return state


def _step(state: _State, character: str) -> _State | None:
    """The state after one more character; None if the character is not allowed there."""
    if state.wanted in _ESCAPED:
        return _in_text(state, character)
    if state.wanted == _WORD:
        if character.isalnum() or character in "+-.":
            return state._replace(word=state.word + character)
        if not _VALUE.fullmatch(state.word):
            return None
        state = _State(state.open, _DONE)
    if character.isspace():
        return state
    if state.wanted == _COLON:
        return state._replace(wanted=_VALUES) if character == ":" else None
    if state.wanted == _DONE:
        return _after_value(state, character)
    if character in _CLOSED_BY:
        is_empty = state.wanted == (_FIRST_KEY if character == "}" else _FIRST_ITEM)
        return _State(state.open[:-1], _DONE) if is_empty else None
    if state.wanted in (_FIRST_KEY, _KEY):
        return state._replace(wanted=_NAME) if character == '"' else None
    return _begun(state, character)


def _in_text(state: _State, character: str) -> _State:
    if state.escaped:
        return state._replace(escaped=False)
    if character == "\\":
        return state._replace(escaped=True)
    if character == '"':
        return _State(state.open, _COLON if state.wanted == _NAME else _DONE)
    return state


def _after_value(state: _State, character: str) -> _State | None:
    if character in _CLOSED_BY and state.open.endswith(_CLOSED_BY[character]):
        return _State(state.open[:-1], _DONE)
    if character == "," and state.open:
        return _State(state.open, _KEY if state.open[-1] == "{" else _VALUES)
    # If no bracket is open, another document may follow, as in JSON lines.
    return _begun(state, character) if not state.open and character in "{[" else None


def _begun(state: _State, character: str) -> _State | None:
    if character == '"':
        return _State(state.open, _TEXT)
    if character in "{[":
        return _State(state.open + character, _FIRST_KEY if character == "{" else _FIRST_ITEM)
    return _State(state.open, _WORD, character) if character.isalnum() or character == "-" else None
