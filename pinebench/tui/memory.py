"""Collects cyclic garbage while nobody types, because a full collection with a long script would delay a key
noticeably."""

from __future__ import annotations

import gc

_OBJECTS, _SMALL, _LARGE = 5_000, 5, 1_000
"""The thresholds of Python's garbage collector: new objects until a search of the youngest ones, and how many searches
of an age come before one of the next age. With Python's own thresholds, a key waited for up to 170 ms."""
_WAITING = 5
"""The number of searches of the middle age after which a full search is worth its time."""
QUIET_SECONDS = 2.0
"""Seconds without a key after which nobody types."""

_is_begun = False


def begin() -> None:
    """From now on, collect garbage rarely while keys are pressed. Only a program whose sole user interface is the
    workbench may call this."""
    global _is_begun
    _is_begun = True
    gc.set_threshold(_OBJECTS, _SMALL, _LARGE)


def search() -> None:
    """Run a full collection if enough objects have been made. Objects that survive the first collection are left out of
    later collections."""
    if not _is_begun or gc.get_count()[2] < _WAITING:
        return
    gc.collect()
    if not gc.get_freeze_count():
        gc.freeze()
