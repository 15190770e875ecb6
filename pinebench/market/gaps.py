"""Finds bars that are missing in a source."""

from __future__ import annotations

from itertools import pairwise

from pinebench.calendars.dates import minute_text

_DAY = 86_400_000


def gaps(times: list[int], length: int, now: int, where: str) -> str | None:
    """Return a sentence about the bars that are missing between the first bar and `now`; None if none are missing.

    `times` are the opening times of the bars, `length` is the length of a bar, all in milliseconds. `where` names
    the source at the beginning of the sentence. Monthly bars are not checked, because months have different lengths.
    """
    if not times or length >= 28 * _DAY:
        return None
    now = max(now, times[-1] + length)
    open_bar = now - (now - times[-1]) % length
    steps = [(before, (time - before) // length - 1) for before, time in pairwise([*times, open_bar])]
    found = [(before + length, count) for before, count in steps if count > 0]
    if not found:
        return None
    begin, most = max(found, key=lambda gap: gap[1])
    total = 0
    for _, count in found:
        total += count
    since = f"{minute_text(begin)} UTC"
    longest = f"from {since} on" if len(found) == 1 else f"in {len(found)} places, {most} of them from {since} on"
    missing_bars = "1 bar is missing" if total == 1 else f"{total} bars are missing"
    return f"{where}: {missing_bars} {longest}: there were no trades then, or the exchange does not have these bars"
