"""The one door for text that a service or its model sends: no key in it, and no character that is an order to a screen.

It stands before every event, log and exception, so that neither the terminal nor a journal is ever shown what came in
raw.
"""

from __future__ import annotations

import logging
import unicodedata

MASK = "***"
SECRET_LENGTH = 8
"""A shorter key is none that anybody hands out, and masking it would spoil ordinary words."""
PIECE_LENGTH = 16
"""So many characters of a key in a row give it away, so that a shortened key is masked too."""

_LINE_BREAKS = "\n\r\t\v\f\x85\u2028\u2029"
_IN_SCRIPTS = frozenset("\n\t")
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the direction of text: in a script it shows another order than the one that is run."""


class Foreign:
    """Cleans foreign text of `secrets`, such as keys; an empty one is none. Also a filter for loggers."""

    def __init__(self, *secrets: str) -> None:
        self._pieces = tuple(
            dict.fromkeys(_pieces(secret) for secret in secrets if len(_folded(secret)[0]) >= SECRET_LENGTH)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Foreign) and other._pieces == self._pieces

    def __hash__(self) -> int:
        return hash(self._pieces)

    def line(self, text: str) -> str:
        """`text` as one line for messages: without characters that show nothing or steer the screen, key masked."""
        spaced = "".join(" " if character in _LINE_BREAKS else character for character in text)
        return self._masked("".join(character for character in spaced if unicodedata.category(character)[0] != "C"))

    def script(self, text: str, known: str = "") -> str:
        """`text` as source code: key masked, without control characters but those in `known`, the user's own script."""
        allowed = _IN_SCRIPTS | set(known)
        kept = (character for character in text if character in allowed or not _steers(character))
        return self._masked("".join(kept))

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean a log record on its way, and the error that it tells of; always lets it pass."""
        error = record.exc_info[1] if record.exc_info else None
        told = f"{record.getMessage()}{f': {type(error).__name__}: {error}' if error else ''}"
        record.msg, record.args = self.line(told), ()
        record.exc_info = record.exc_text = None
        return True

    def watch(self, *families: str) -> None:
        """Stand before every logger whose name begins with one of `families`."""
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in families:
                logging.getLogger(name).addFilter(self)

    def _masked(self, text: str) -> str:
        for pieces in self._pieces:
            text = _without(text, pieces)
        return text


def _pieces(secret: str) -> frozenset[str]:
    """Every part of `secret` that is long enough to give it away."""
    folded = _folded(secret)[0]
    length = min(len(folded), PIECE_LENGTH)
    return frozenset(folded[start : start + length] for start in range(len(folded) - length + 1))


def _without(text: str, pieces: frozenset[str]) -> str:
    """`text` with a mask for whatever is made of `pieces`, which are equally long."""
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
    """`text` without blanks and letters' case, and where each of its characters stands: a key broken over lines is
    still that key."""
    kept = [(character.lower(), place) for place, character in enumerate(text) if not character.isspace()]
    return "".join(character[:1] for character, _ in kept), [place for _, place in kept]


def _steers(character: str) -> bool:
    return character in _DIRECTIONS or unicodedata.category(character) == "Cc"
