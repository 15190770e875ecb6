"""JSON that no program of ours wrote: what a cache, a baseline, a journal or a page may hold after an accident or an
attack."""

import json
from collections.abc import Iterator
from typing import Any

DOCUMENTS = {
    "nothing": b"",
    "half": b'[{"path": "a.pine", "co',
    "zeros": bytes(1000),
    "no text": b'["\xff\xfe"]',
    "other encoding": '["a"]'.encode("utf-16"),
    "no number": b"[NaN]",
    "infinity": b'{"count": -Infinity}',
    "beyond all numbers": b'{"count": 1e400}',
    "many digits": b"[" + b"9" * 5000 + b"]",
    "deep lists": b"[" * 5000 + b"]" * 5000,
    "deep objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "deep and open": b"[" * 200_000,
    "two documents": b"[] []",
    "a program": b"#!/bin/sh\necho []\n",
}
"""What is no document at all, by what it is called."""

SHAPES = {
    "null": None,
    "true": True,
    "number": 1,
    "text": "findings",
    "empty list": [],
    "empty object": {},
    "list of numbers": [1, 2],
    "list of lists": [[]],
    "list of objects": [{}],
    "object of lists": {"findings": [[]]},
    "object of texts": {"findings": "x", "version": 1},
}
"""Documents of every other shape, by what they are called."""


def mutants(document: Any) -> Iterator[bytes]:
    """`document` with one value after the other replaced by one of another type, or left out."""
    for path in list(_paths(document)):
        for value in (None, True, -1, 2.5, "x", [], {}, [[]], {"a": []}):
            yield json.dumps(_replaced(document, path, value)).encode()


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _paths(inner, (*path, key))


def _replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = document.copy()
    copy[path[0]] = _replaced(document[path[0]], path[1:], value)
    return copy
