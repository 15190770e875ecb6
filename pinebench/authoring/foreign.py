"""Cleans text from a service or its model: masks keys, and removes characters that control a terminal. All events, logs
and exceptions pass through it, so no raw text reaches the terminal or a journal."""

from __future__ import annotations

import logging
import unicodedata

MASK = "***"
SECRET_LENGTH = 8
"""A shorter secret is not masked: no service issues such short keys, and masking would spoil ordinary words."""
PIECE_LENGTH = 16
"""The number of consecutive characters of a key that reveal it. So a part of a key is masked too."""

_LINE_BREAKS = "\n\r\t\v\f\x85\u2028\u2029"
_IN_SCRIPTS = frozenset("\n\t")
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of text: a script with them can look different from the script that runs."""


class Foreign:
    """Masks `secrets`, such as keys, in text from outside. Secrets shorter than SECRET_LENGTH are not masked. Loggers
    can use it as a filter."""

    def __init__(self, *secrets: str) -> None:
        self._pieces = tuple(
            dict.fromkeys(_pieces(secret) for secret in secrets if len(_folded(secret)[0]) >= SECRET_LENGTH)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Foreign) and other._pieces == self._pieces

    def __hash__(self) -> int:
        return hash(self._pieces)

    def line(self, text: str) -> str:
        """Return `text` as one line for messages, with secrets masked and without invisible or control characters."""
        spaced = "".join(" " if character in _LINE_BREAKS else character for character in text)
        return self._masked("".join(character for character in spaced if unicodedata.category(character)[0] != "C"))

    def script(self, text: str, known: str = "") -> str:
        """Return `text` as source code, with secrets masked and control characters removed. Characters that occur in
        `known`, the user's script, stay."""
        allowed = _IN_SCRIPTS | set(known)
        kept = (character for character in text if character in allowed or not _steers(character))
        return self._masked("".join(kept))

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the text of a log record, and of the error that it reports, with one line without secrets (see
        `line`). Always returns True."""
        error = record.exc_info[1] if record.exc_info else None
        told = f"{record.getMessage()}{f': {type(error).__name__}: {error}' if error else ''}"
        record.msg, record.args = self.line(told), ()
        record.exc_info = record.exc_text = None
        return True

    def watch(self, *families: str) -> None:
        """Add this filter to every existing logger whose name begins with one of `families`."""
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in families:
                logging.getLogger(name).addFilter(self)

    def _masked(self, text: str) -> str:
        for pieces in self._pieces:
            text = _without(text, pieces)
        return text


def _pieces(secret: str) -> frozenset[str]:
    """Return every part of `secret` that is long enough to reveal it."""
    folded = _folded(secret)[0]
    length = min(len(folded), PIECE_LENGTH)
    return frozenset(folded[start : start + length] for start in range(len(folded) - length + 1))


def _without(text: str, pieces: frozenset[str]) -> str:
    """Return `text` with a mask for each stretch that consists of `pieces`, which all have the same length."""
    length = len(next(iter(pieces)))
    folded, places = _folded(text)
    parts: list[str] = []
    done, at = 0, 0
    while at + length <= len(folded):
        if folded[at : at + length] not in pieces:
            at += 1
            continue
        end = at + length
        while end < len(folded) and folded[end - length + 1 : end + 1] in pieces:
            end += 1
        parts += [text[done : places[at]], MASK]
        done = places[end - 1] + 1
        at = end
    return "".join(parts) + text[done:]


def _folded(text: str) -> tuple[str, list[int]]:
    """Return `text` in lower case without blanks, and the index of each character in `text`. So a key is found across
    line breaks."""
    kept = [(character.lower(), place) for place, character in enumerate(text) if not character.isspace()]
    return "".join(character[:1] for character, _ in kept), [place for _, place in kept]


def _steers(character: str) -> bool:
    return character in _DIRECTIONS or unicodedata.category(character) == "Cc"
