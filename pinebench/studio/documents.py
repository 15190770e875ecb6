"""What the studio keeps besides scripts: how each document must look, checked before it is kept and when it is read."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pinebench.studio.compile import LONGEST_SOURCE
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import BadRequest, parse_json

LARGEST_BODY = 1_000_000
"""Bytes of a document that the page sends."""

_LONGEST_TEXT = 10_000
_LARGEST_NUMBER = 10**12


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at least `least` and at most `most` characters."""

    least: int = 0
    most: int = _LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a moment can be, in seconds."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """At most `most` values of one shape."""

    item: Shape
    most: int = 1000


@dataclass(frozen=True, slots=True)
class Record:
    """An object with at least these members."""

    members: dict[str, Shape]


Shape = Text | Number | ListOf | Record

_SYMBOL = Text(1, 100)
_LAYOUT = Record(
    {"id": Text(0, 100), "name": Text(), "symbol": _SYMBOL, "resolution": Text(1, 10), "modified": Number()}
)
_ALERT = Record(
    {
        "alert_id": Number(),
        "symbol": Text(1),
        "message": Text(),
        "resolution": Text(),
        "create_time": Text(),
        "condition": Record({"type": Text(), "series": ListOf(Record({}))}),
    }
)

SHAPES: dict[str, Shape] = {"layouts": ListOf(_LAYOUT), "watchlist": ListOf(_SYMBOL), "alerts": ListOf(_ALERT)}
"""Every document by name."""

_DRAFT = Record({"name": Text(), "script": Text(0, 100), "text": Text(0, LONGEST_SOURCE), "modified": Number()})


class DamagedDocument(Exception):
    """A kept document is not what it should be; the text says where."""


def mismatch(value: object, shape: Shape, place: str) -> str | None:
    """Where `value`, called `place`, has not the `shape`; None when it has."""
    match shape:
        case Text(least, most):
            fits = isinstance(value, str) and least <= len(value) <= most
            return None if fits else f"{place} is no text of {least} to {most} characters"
        case Number():
            fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST_NUMBER
            return None if fits else f"{place} is no number"
        case ListOf(item, most):
            if not isinstance(value, list) or len(value) > most:
                return f"{place} is no list of at most {most}"
            found = (mismatch(one, item, f"{place}[{at}]") for at, one in enumerate(value))
        case Record(members):
            if not isinstance(value, dict):
                return f"{place} is no object"
            found = (mismatch(value.get(name), one, f"{place}.{name}") for name, one in members.items())
    return next((problem for problem in found if problem is not None), None)


def read(store: ScriptStore, name: str) -> Any:
    """The document kept under `name`, None where there is none; raises DamagedDocument where it is not as it should be.

    A store may have been written by an older studio or by somebody else.
    """
    text = store.document(name)
    if text is None:
        return None
    try:
        value = parse_json(text)
    except ValueError as error:
        raise DamagedDocument(f"the kept {name} cannot be read: {error}") from None
    problem = mismatch(value, SHAPES[name], name)
    if problem is not None:
        raise DamagedDocument(f"the kept {name} cannot be used: {problem}")
    return value


def write(store: ScriptStore, name: str, value: object) -> None:
    """Keep `value` under `name`; raises BadRequest where it has not the document's shape.

    A damaged document that it replaces is kept beside it, because somebody may want to mend it.
    """
    problem = mismatch(value, SHAPES[name], name)
    if problem is not None:
        raise BadRequest(problem)
    try:
        read(store, name)
    except DamagedDocument:
        store.put_document(f"damaged {name}", store.document(name) or "")
    store.put_document(name, json.dumps(value, allow_nan=False))


def drafts(store: ScriptStore) -> list[dict[str, Any]]:
    """What stands unsaved in the editors of pages, those that were closed included, the newest first.

    A damaged one is left out, and stays in the store.
    """
    found: list[dict[str, Any]] = []
    for page, text in store.drafts().items():
        with suppress(ValueError):
            value = parse_json(text)
            if mismatch(value, _DRAFT, "draft") is None:
                found.append({**value, "page": page})
    return found


def write_draft(store: ScriptStore, page: str, value: object) -> None:
    """Keep what stands unsaved in the editor of `page`, nothing where `value` is None; raises BadRequest."""
    problem = None if value is None else mismatch(value, _DRAFT, "draft")
    if problem is not None:
        raise BadRequest(problem)
    store.put_draft(page, None if value is None else json.dumps(value, allow_nan=False))
