"""Converts local times of a file to UTC, in a time zone that the user names."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from pinebench.calendars.zones import zone
from pinebench.errors import UsageError

_UTC = ("UTC", "GMT", "Etc/UTC")
"""The names of UTC; times in it need no conversion."""


def in_zone(times: Sequence[int], timezone: str, where: Callable[[int], str]) -> list[int]:
    """Convert local times in `timezone` to milliseconds UTC. `times` are local clock times in order, encoded as if they
    were UTC.

    When clocks go back in autumn, an hour occurs twice. A time in this hour means its second occurrence if the first is
    not after the previous time. Raises UsageError if the zone is not valid, or for a time that the clock change in
    spring skips; `where(n)` names the position of time n in the file.
    """
    clocks = zone(timezone)
    if timezone in _UTC:
        return list(times)
    found: list[int] = []
    last = -1
    for number, time in enumerate(times):
        shown = datetime.datetime.fromtimestamp(time / 1000, datetime.UTC).replace(tzinfo=None)
        moment = _moment(shown, clocks)
        if moment <= last:
            moment = max(moment, _moment(shown.replace(fold=1), clocks))
        back = datetime.datetime.fromtimestamp(moment / 1000, clocks).replace(tzinfo=None, fold=0)
        if back != shown:
            raise UsageError(
                f"{where(number)}: the time {shown:%Y-%m-%d %H:%M} does not exist in {timezone}: the "
                "clocks go forward then",
                "name the zone in which the file was written; many programs write the time of a server",
            )
        found.append(moment)
        last = moment
    return found


def _moment(shown: datetime.datetime, clocks: datetime.tzinfo) -> int:
    return round(shown.replace(tzinfo=clocks).timestamp() * 1000)
