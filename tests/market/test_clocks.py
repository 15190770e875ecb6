"""Times without a zone get the zone that the user names; the hours at which clocks change are not guessed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.bar_choice import bars_named
from pinebench.market.bar_loader import load

HEAD = "time,open,high,low,close\n"


def file(tmp_path: Path, *times: str, toml: str = "") -> Path:
    path = tmp_path / "bars.csv"
    path.write_text(HEAD + "".join(f"{each},1,1,1,1\n" for each in times))
    (tmp_path / "bars.toml").write_text(toml)
    return path


def utc(path: Path, timezone: str = "") -> list[str]:
    times = load(path, timezone=timezone).bars.time
    return [f"{datetime.fromtimestamp(time / 1000, UTC):%m-%d %H:%M}" for time in times]


def test_times_without_a_zone_are_in_the_named_one(tmp_path: Path) -> None:
    path = file(tmp_path, "2024-01-02 09:30", "2024-07-02 09:30")
    assert utc(path) == ["01-02 09:30", "07-02 09:30"]
    assert utc(path, "America/New_York") == ["01-02 14:30", "07-02 13:30"]
    assert utc(file(tmp_path, "2024-01-02 09:30", "2024-07-02 09:30", toml='data_timezone = "UTC+2"')) == [
        "01-02 07:30",
        "07-02 07:30",
    ]
    assert load(path, timezone="Asia/Tokyo").zone == "Asia/Tokyo"


def test_the_hour_that_comes_twice_in_autumn_is_read_in_order(tmp_path: Path) -> None:
    clock = ["00:30", "01:00", "01:30", "01:00", "01:30", "02:00"]
    path = file(tmp_path, *(f"2024-11-03 {each}" for each in clock))
    expected = ["11-03 04:30", "11-03 05:00", "11-03 05:30", "11-03 06:00", "11-03 06:30", "11-03 07:00"]
    assert utc(path, "America/New_York") == expected
    backward = file(tmp_path, *(f"2024-11-03 {each}" for each in reversed(clock)))
    assert utc(backward, "America/New_York") == expected


def test_a_time_that_clocks_never_show_is_refused(tmp_path: Path) -> None:
    path = file(tmp_path, "2024-03-10 01:30", "2024-03-10 02:30")
    with pytest.raises(UsageError, match=r"line 3: the time 2024-03-10 02:30 does not exist in America/New_York"):
        utc(path, "America/New_York")


def test_a_zone_for_times_that_have_one_is_refused(tmp_path: Path) -> None:
    for times in (["1704187800", "1704187860"], ["2024-01-02T09:30Z", "2024-01-02T09:31Z"]):
        with pytest.raises(UsageError, match="have a time zone"):
            utc(file(tmp_path, *times), "America/New_York")
    with pytest.raises(UsageError, match="is not a file"):
        bars_named("sample:AAPL", timezone="America/New_York")


SESSION = 'timezone = "America/New_York"\nsession = "0930-1600"\n'
DAY = [f"2024-01-02 {minute // 60:02d}:{minute % 60:02d}" for minute in range(570, 960, 30)]


def test_bars_outside_of_the_session_are_counted(tmp_path: Path) -> None:
    (told,) = load(file(tmp_path, *DAY, toml=SESSION)).remarks
    assert "10 of 13 bars open outside the session 0930-1600 in America/New_York" in told
    assert "without a time zone were read as UTC: name their time zone with data_timezone" in told
    assert load(file(tmp_path, *DAY, toml=f'{SESSION}data_timezone = "America/New_York"')).remarks == []


def test_dates_that_are_the_evening_before_are_told(tmp_path: Path) -> None:
    days = [f"2024-01-0{day}" for day in range(2, 6)]
    (told,) = load(file(tmp_path, *days, toml=SESSION)).remarks
    assert "the bar of 2024-01-05 opens on 2024-01-04 19:00 in America/New_York" in told


def test_what_was_read_is_one_line(tmp_path: Path) -> None:
    data = load(file(tmp_path, *DAY, toml=SESSION))
    words = "times in ISO 8601 without a time zone, read as UTC; no volume; tick 0.01 from the decimals of the prices"
    assert data.summary == f"13 bars of 30 minutes; {words}"
    assert data.facts["times_without_zone_taken_as"] == "UTC"
    assert (data.facts["share_of_steps"], data.facts["made_up"]) == (1.0, False)
