"""Stops or delays the search for cyclic garbage while a script is parsed, checked or run: most objects are in use."""

from __future__ import annotations

import gc
from types import TracebackType

_OBJECTS = 100_000
"""The number of new objects between two searches for garbage where searches are made rare. Python's own number is 700.
The more objects are in use, the longer a search takes, so the time for a script would grow faster than its length."""


class CollectionPaused:
    """A context manager that pauses the collection of cyclic garbage, then restores its state. It may be nested."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._was_on:
            gc.enable()


class CollectionRare:
    """A context manager that makes the collection of cyclic garbage rare, for work with so much garbage that the
    collection cannot be turned off. It restores the earlier thresholds. It may be nested."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = gc.get_threshold()
        if 0 < self._before[0] < _OBJECTS:
            gc.set_threshold(_OBJECTS, *self._before[1:])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        gc.set_threshold(*self._before)
