"""The documents that the studio stores besides scripts, and their shapes. A document is validated when it is written
and when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from zlib import crc32

from pinebench import decoding
from pinebench.studio.compile import LONGEST_SOURCE
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import BadRequest

LARGEST_BODY = 4_000_000
"""The largest size in bytes of a document from the page."""

_LONGEST_TEXT = 10_000
_LONGEST_LIST = 1000
_LARGEST_NUMBER = 10**12
"""The largest number in a document: larger than any time in seconds, and small enough for every program."""
_LARGEST_MOMENT = 10**15

_LAYOUT = {
    "id": int,
    "url": str,
    "name": str,
    "symbol": str,
    "resolution": str,
    "modified": float,
    "content?": {"arrangement": str, "active": int, "charts": [decoding.Anything]},
}
"""The shape of a layout; `url` is its name in the address, `content` holds its charts in the page's own format."""
_ALERT = {
    "alert_id": int,
    "symbol": str,
    "message": str,
    "resolution": str,
    "create_time": str,
    "condition": {"type": str, "series": [decoding.Anything]},
}
_FIRE = {"fire_id": int, "alert_id": int, "symbol": str, "message": str, "fire_time": str}
_LISTS = {"active": int, "lists": [{"id": int, "name": str, "symbols": [str]}]}
_DRAFT = {"name": str, "script": str, "version?": str, "text": str, "modified": float}
"""The shape of an unsaved text: its script and the version that it comes from, if it has one."""

_DESK = {"run": str, "layout": str, "arrangement": str, "active": int, "charts": [decoding.Anything]}
"""The shape of the open charts of a page: the studio that the page belongs to, its layout, and its charts in the page's
own format."""

SHAPES: dict[str, Any] = {
    "layouts": [_LAYOUT],
    "watchlist": [str],
    "watchlists": _LISTS,
    "alerts": [_ALERT],
    "fires": [_FIRE],
}
"""The shape of every document, by its name."""


class DamagedDocument(Exception):
    """A stored document does not match its shape; the message says where."""


def read(store: ScriptStore, name: str) -> Any:
    """Return the document stored under `name`, or None if there is none. Raises DamagedDocument if it does not match
    its shape: an older studio or another program may have written the store."""
    return _parsed(store.document(name), name)


def _parsed(text: str | None, name: str) -> Any:
    if text is None:
        return None
    try:
        value = decoding.loads(text)
        if name == "layouts":
            value = _with_numbers(value)
        _check_document(value, name)
    except decoding.MalformedDocument as error:
        raise DamagedDocument(f"the stored {name} cannot be used: {error}") from None
    return value


def write(store: ScriptStore, name: str, value: object) -> None:
    """Store `value` under `name`. Raises BadRequest if it does not match the document's shape. A damaged document is
    first saved under another name, because somebody may want to repair it."""
    with _refusing():
        _check_document(value, name)
    try:
        read(store, name)
    except DamagedDocument:
        _keep_damaged(store, name, store.document(name) or "")
    store.put_document(name, json.dumps(value, allow_nan=False))


def _keep_damaged(store: ScriptStore, name: str, text: str) -> None:
    """Keep a damaged document beside the ones that were kept before it."""
    number = 1
    while True:
        place = f"damaged {name}" if number == 1 else f"damaged {name} {number}"
        if store.replace_document(place, None, text) or store.document(place) == text:
            return
        number += 1


def replace(store: ScriptStore, name: str, expected: object, value: object) -> bool:
    """Store `value` under `name` only if it replaces the document `expected`; return whether it did. Raises BadRequest
    if `value` does not match the document's shape, and DamagedDocument if the stored document does not."""
    with _refusing():
        _check_document(value, name)
    text = store.document(name)
    return _parsed(text, name) == expected and store.replace_document(name, text, json.dumps(value, allow_nan=False))


def change(store: ScriptStore, name: str, by: Callable[[Any], object]) -> Any:
    """Call `by` with the document `name` (None if there is none), store the result, and return it.

    `by` is called again if the document changes in the meantime, so that no change is lost. Raises BadRequest if the
    result does not match the document's shape, and DamagedDocument if the stored document does not.
    """
    while True:
        text = store.document(name)
        value = by(_parsed(text, name))
        with _refusing():
            _check_document(value, name)
        if store.replace_document(name, text, json.dumps(value, allow_nan=False)):
            return value


def drafts(store: ScriptStore) -> list[dict[str, Any]]:
    """Return the drafts (unsaved editor contents) of all pages, open or closed, newest first. Damaged drafts are left
    out, but stay in the store."""
    found: list[dict[str, Any]] = []
    for page, text in store.drafts().items():
        try:
            value = decoding.loads(text)
            _check(value, _DRAFT, "draft", LONGEST_SOURCE)
        except decoding.MalformedDocument:
            continue
        found.append({**value, "page": page})
    return found


def write_draft(store: ScriptStore, page: str, value: object) -> None:
    """Store `value` as the draft (unsaved editor content) of `page`; None removes it. Raises BadRequest if `value` is
    not a draft."""
    if value is not None:
        with _refusing():
            _check(value, _DRAFT, "draft", LONGEST_SOURCE)
    store.put_draft(page, None if value is None else json.dumps(value, allow_nan=False))


def write_desk(store: ScriptStore, page: str, run: str, value: Any) -> None:
    """Store the open charts (the desk) of `page`; None removes them. `run` identifies the running studio.

    Raises BadRequest if `value` is not a desk.
    """
    if value is None:
        store.put_desk(page, None)
        return
    given: dict[str, Any] = value if isinstance(value, dict) else {}
    desk = {**given, "run": run}
    with _refusing():
        decoding.check(desk, _DESK, "desk")  # its charts may hold whole scripts
    store.put_desk(page, json.dumps(desk, allow_nan=False))


def take_desk(store: ScriptStore, run: str, layout: str | None) -> dict[str, Any] | None:
    """Remove and return the newest desk (open charts) that a page of an ended studio left behind; None if there is
    none.

    With `layout`, only desks of this layout are considered. Desks of `run`, the running studio, are skipped: their
    pages are still open, or were closed on purpose.
    """
    found: list[dict[str, Any]] = []

    def is_wanted(text: str) -> bool:
        try:
            value = decoding.loads(text)
            decoding.check(value, _DESK, "desk")
        except decoding.MalformedDocument:
            return False
        found.append(value)
        return value["run"] != run and layout in (None, value["layout"])

    return found[-1] if store.take_desk(is_wanted) is not None else None


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn Malformed into BadRequest."""
    try:
        yield
    except decoding.MalformedDocument as error:
        raise BadRequest(str(error)) from None


def _check(value: object, shape: object, name: str, longest_text: int = _LONGEST_TEXT) -> None:
    decoding.check(value, shape, name)
    _check_sizes(value, longest_text)


def _check_document(value: Any, name: str) -> None:
    """Raise MalformedDocument if `value` does not have the shape of the document `name`, or is too large. The charts of
    layouts may hold whole scripts, and times in milliseconds."""
    decoding.check(value, SHAPES[name], name)
    if name != "layouts":
        _check_sizes(value, _LONGEST_TEXT)
        return
    _check_sizes([{key: part for key, part in layout.items() if key != "content"} for layout in value], _LONGEST_TEXT)
    _check_sizes([layout.get("content") for layout in value], LONGEST_SOURCE, _LARGEST_MOMENT)


def _with_numbers(layouts: object) -> object:
    """Convert layouts of an older format, whose id was the name in the address, to layouts with a number as id."""
    if not isinstance(layouts, list):
        return layouts
    return [
        {**one, "id": 10_000_000 + crc32(one["id"].encode("utf-8", "replace")) % 90_000_000, "url": one["id"]}
        if isinstance(one, dict) and isinstance(one.get("id"), str) and "url" not in one
        else one
        for one in layouts
    ]


def _check_sizes(value: Any, longest_text: int, largest: int = _LARGEST_NUMBER) -> None:
    """Raise MalformedDocument if a text, a list or a number in `value` is too large."""
    if isinstance(value, str) and len(value) > longest_text:
        raise decoding.MalformedDocument(f"a text has more than {longest_text} characters")
    if isinstance(value, int | float) and abs(value) > largest:
        raise decoding.MalformedDocument(f"a number is larger than {largest}")
    if isinstance(value, list | dict):
        if len(value) > _LONGEST_LIST:
            raise decoding.MalformedDocument(f"a list has more than {_LONGEST_LIST} entries")
        for one in value.values() if isinstance(value, dict) else value:
            _check_sizes(one, longest_text, largest)
