"""Parses a message from another source, such as a page, into its code and the values of its placeholders."""

from __future__ import annotations

import re
from functools import cache

from pinebench.codes import TRADINGVIEW, all_codes


def read(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the code whose recorded template matches the message `text`, with the values of its placeholders; None if
    no template matches.

    The running time is proportional to the length of the text, because a page could send texts designed to match
    slowly.
    """
    for name, (literals, placeholders) in _templates().items():
        values = _values(text, literals)
        if values is not None:
            return name, dict(zip(placeholders, values, strict=True))
    return None


@cache
def _templates() -> dict[str, tuple[list[str], list[str]]]:
    """The fixed texts and the placeholders of each of TradingView's own templates."""
    return {code.name: _parts(code.template) for code in all_codes().values() if code.text == TRADINGVIEW}


def _parts(template: str) -> tuple[list[str], list[str]]:
    # Doubled braces stand for themselves.
    pieces = re.split(r"(?<!\{)\{(\w+)\}(?!\})", template)
    return [literal.replace("{{", "{").replace("}}", "}") for literal in pieces[::2]], pieces[1::2]


def _values(text: str, literals: list[str]) -> list[str] | None:
    """The texts between `literals`, which must occur in this order from one end of `text` to the other. None if they
    do not."""
    first, *middle = literals
    if not middle:
        return [] if text == first else None
    if not text.startswith(first) or not text.endswith(middle[-1]):
        return None
    at, end = len(first), len(text) - len(middle[-1])
    found: list[str] = []
    for literal in middle[:-1]:
        place = text.find(literal, at, end)
        if place < 0:
            return None
        found.append(text[at:place])
        at = place + len(literal)
    return [*found, text[at:end]] if at <= end else None
