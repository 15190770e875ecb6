"""Dates of scripts: one parser for the checker and for runs."""

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pinebench.calendars.dates import UnreadableDate, bar_of, timestamp
from pinebench.calendars.zones import milliseconds
from pinebench.checker import check
from pinebench.errors import UsageError
from pinebench.runtime import RuntimeFault, timestamp_of_text
from pinebench.syntax import parse
from tests.runtime.running import values

DATES = {
    "20 Feb 2020": datetime(2020, 2, 20, tzinfo=UTC),
    "Feb 20, 2020 9:30": datetime(2020, 2, 20, 9, 30, tzinfo=UTC),
    "2020-02-20T09:30:00+00:00": datetime(2020, 2, 20, 9, 30, tzinfo=UTC),
    "27 MAY 24 00:00 +0300": datetime(2024, 5, 27, tzinfo=timezone(timedelta(hours=3))),
    "01-01-2023": datetime(2023, 1, 1, tzinfo=UTC),
    "27 May 49": datetime(2049, 5, 27, tzinfo=UTC),
    "Mon, 27 May 50": datetime(1950, 5, 27, tzinfo=UTC),
    "5-Jan-2024": datetime(2024, 1, 5, tzinfo=UTC),
    "2024-01-01T24:00:00": datetime(2024, 1, 2, tzinfo=UTC),
    "01 Jan 2024 09:30 PST": datetime(2024, 1, 1, 17, 30, tzinfo=UTC),
    "12 Feb 2024 09:30:00 EST": datetime(2024, 2, 12, 14, 30, tzinfo=UTC),
    "03 Sept 2024 09:30:00 EDT": datetime(2024, 9, 3, 13, 30, tzinfo=UTC),
    "Thu, 20 Feb 2020 14:48:00 UT": datetime(2020, 2, 20, 14, 48, tzinfo=UTC),
}
REFUSED = ["2026-01-01T00:00:00Z", "2024-01-01T09:30:00 GMT", "today", "", "2024-13-01", "2024-02-32"]
"""What TradingView's compiler was recorded to refuse, and its like."""
UNREAD = [
    "Feb 20",
    "01-02-2023",
    "13-13-2023",
    "May 27 24",
    "2024-02-30",
    "27.05.2024",
    "2024-01-01 24:30",
    "2024-01-01T09:30:60",
    "20 Foo 2020",
    "2020-02-20 +99:00",
]


def test_dates_are_read() -> None:
    assert {text: timestamp(text) for text in DATES} == {text: milliseconds(date) for text, date in DATES.items()}


def test_a_day_with_a_zone_and_no_time_is_na() -> None:
    assert math.isnan(timestamp("01 Jan 2022 GMT+3"))
    assert timestamp("01 Jan 2022 00:00 GMT+3") == 1_640_984_400_000
    assert values('plot(timestamp("01 Jan 2022 GMT+3"))', [1.0]) == [None]


def test_a_text_that_is_no_date_is_told_apart_from_one_that_is_only_unknown_here() -> None:
    for text in (*REFUSED, *UNREAD):
        with pytest.raises(UnreadableDate) as told:
            timestamp(text)
        assert told.value.is_refused is (text in REFUSED), text


def test_the_checker_and_runs_agree() -> None:
    for text in (*DATES, *REFUSED, *UNREAD):
        script = f'//@version=6\nindicator("x")\nplot(timestamp("{text}"))\n'
        codes = [finding.code for finding in check(parse(script)).diagnostics]
        assert codes == (["CE10275"] if text in REFUSED else []), text
        if text in DATES:
            assert timestamp_of_text(text) == timestamp(text)
        else:
            with pytest.raises(RuntimeFault, match="Unrecognized date-time format"):
                timestamp_of_text(text)


def test_a_bar_is_named_by_a_number_or_a_time() -> None:
    times = [1_700_000_000_000 + 3_600_000 * n for n in range(10)]
    assert [bar_of("--bar", text, times) for text in ("0", "9", "-1", "2023-11-15")] == [0, 9, 9, 1]
    for text, problem in (
        ("10", ": there is no such bar"),
        ("-11", ": there is no such bar"),
        ("yesterday", " is not a date"),
        ("2020-01-01", " is before the first bar"),
        ("2023-11-15T08:13:21", " is after the last bar"),
    ):
        with pytest.raises(UsageError, match=f"--bar {text}{problem}"):
            bar_of("--bar", text, times)
    for text in ("0", "-1", "2023-11-15"):
        with pytest.raises(UsageError, match=f"--bar {text}: there is no such bar") as refused:
            bar_of("--bar", text, [])
        assert refused.value.hint == "the chart has no bars"
