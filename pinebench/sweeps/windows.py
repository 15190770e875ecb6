"""The windows of a walk-forward test: a period to choose inputs on, and the period after it to trade them."""

from __future__ import annotations

import calendar
import datetime
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.errors import UsageError

_LENGTH = re.compile(r"(\d{1,5})([DWMY])", re.ASCII)
_WORDS = "expected, for example, 'train=6M test=1M' or 'train=1Y test=3M anchored' (D, W, M, Y)"
_DAY = 86_400_000
_MOST = 1000


class TimeSpan(NamedTuple):
    """A length of time: `number` days (D), weeks (W), months (M) or years (Y)."""

    number: int
    unit: str


class Windows(NamedTuple):
    """The lengths of training and test windows. If `anchored`, all training windows start with the first bar."""

    train: TimeSpan
    test: TimeSpan
    anchored: bool = False


class Window(NamedTuple):
    """A window: training is from `begin` to before `cut`, the test from `cut` to before `end` (milliseconds UTC)."""

    begin: int
    cut: int
    end: int


class WalkWindows(NamedTuple):
    """The windows of a walk-forward test, and the skipped windows, which have no bar to train on."""

    windows: list[Window]
    skipped: list[Window]


def windows_of(text: str) -> Windows:
    """Parse a text such as `train=6M test=1M anchored`. Raises UsageError if it is invalid."""
    lengths: dict[str, TimeSpan] = {}
    anchored = False
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        found = _LENGTH.fullmatch(value.upper())
        if word == "anchored":
            anchored = True
        elif name in ("train", "test") and name not in lengths and found is not None and int(found[1]):
            lengths[name] = TimeSpan(int(found[1]), found[2])
        else:
            raise UsageError(f"'{word}' is not valid in the windows '{text}'", _WORDS)
    if lengths.keys() != {"train", "test"}:
        raise UsageError(f"the windows '{text}' need both train and test", _WORDS)
    return Windows(lengths["train"], lengths["test"], anchored)


def cut(times: Sequence[int], lengths: Windows, last: int) -> WalkWindows:
    """Divide bars that open at `times` into windows of `lengths`. `last` is the end of the last bar; all times are in
    milliseconds UTC.

    Each test begins where the previous test ends, so no bar is traded twice. A window without a bar to train on is
    skipped, and its test bars are left out. The last test ends with the last bar, so it may be shorter; each test has
    at least one bar. Raises UsageError if there is no window, or if there are more than 1000.
    """
    first = times[0] if times else last
    found: list[Window] = []
    traded = _later(first, lengths.train, 1)
    number = 0
    while number <= _MOST:
        # Every bound is counted from the first one, so that no month is shortened by the one before.
        begin = _later(first, lengths.test, number)
        middle, end = (_later(traded, lengths.test, count) for count in (number, number + 1))
        if middle >= last:
            break
        if any_between(times, middle, end):
            found.append(Window(first if lengths.anchored else begin, middle, min(end, last)))
        number += 1
    if number > _MOST:
        raise UsageError(f"there are more than {_MOST} windows", "make the test windows longer")
    skipped = [each for each in found if not any_between(times, each.begin, each.cut)]
    if len(skipped) == len(found):
        raise UsageError(
            "there are too few bars for a training window and a test window", "give more bars, or shorter windows"
        )
    return WalkWindows([each for each in found if each not in skipped], skipped)


def any_between(times: Sequence[int], begin: int, end: int) -> bool:
    """Return whether a bar opens from `begin` to before `end`."""
    return bisect_left(times, begin) < bisect_left(times, end)


def _later(time: int, span: TimeSpan, times: int) -> int:
    """Return the time `times` spans after `time`. A day that does not exist in a month becomes the month's last day."""
    count = span.number * times
    if span.unit in "DW":
        return time + count * _DAY * (7 if span.unit == "W" else 1)
    begin = datetime.datetime.fromtimestamp(time / 1000, datetime.UTC)
    months = begin.year * 12 + begin.month - 1 + count * (12 if span.unit == "Y" else 1)
    year, month = divmod(months, 12)
    if year > 9999:
        raise UsageError("the windows are too long", _WORDS)
    day = min(begin.day, calendar.monthrange(year, month + 1)[1])
    return int(begin.replace(year=year, month=month + 1, day=day).timestamp() * 1000)
