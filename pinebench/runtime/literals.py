"""Decides, with the parsers that runs use, whether a string always stops a script that uses it."""

from __future__ import annotations

from collections.abc import Callable

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import clock


def stopped_by(kind: str, text: str) -> RuntimeFault | None:
    """Return the error that stops a run using `text` as a string of the kind `kind`; None if `text` can be read.

    The kinds are `timeframe`, `session`, `timezone`, `date`, `pattern` (of `str.format`) and `time pattern` (of
    `str.format_time`). An empty string stands for a default.
    """
    if not text:
        return None
    try:
        _READERS[kind](text)
    except RuntimeFault as fault:
        return fault
    return None


def _date(text: str) -> object:
    from pinebench.runtime.library.times import timestamp_of_text

    return timestamp_of_text(text)


def _pattern(text: str) -> object:
    from pinebench.runtime.library.texts import placeholders

    return placeholders(text)


def _time_pattern(text: str) -> object:
    from pinebench.runtime.library.dates import parts

    return parts(text)


_READERS: dict[str, Callable[[str], object]] = {
    "timeframe": clock.timeframe,
    "session": clock.names_own_session,
    "timezone": clock.zone,
    "date": _date,
    "pattern": _pattern,
    "time pattern": _time_pattern,
}
