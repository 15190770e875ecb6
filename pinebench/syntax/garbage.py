"""Holds the cyclic garbage collector while a script is parsed, checked or judged: all that is made then is in use."""

from __future__ import annotations

import gc
from types import TracebackType


class CollectionPaused:
    """A region without cyclic collection, on again afterwards if it was on before; regions may be nested."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._was_on:
            gc.enable()
