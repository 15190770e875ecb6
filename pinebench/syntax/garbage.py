"""Pauses the cyclic garbage collector while a script is parsed or checked: everything that is made then is in use."""

from __future__ import annotations

import gc
from types import TracebackType


class CollectionPaused:
    """A context without cyclic garbage collection. It restores the state before, and may be nested."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._was_on:
            gc.enable()
