"""Rates of currencies are read as they are written, or refused with their line."""

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market import read_rates


def rates(path: Path, text: str) -> list[float]:
    file = path / "rates.csv"
    file.write_text(text, encoding="utf-8")
    return list(read_rates(file).values)


def test_rates_are_read_in_the_form_of_their_file(tmp_path: Path) -> None:
    assert rates(tmp_path, "time;rate\n2024-01-01;1,0950\n2024-01-02;1,0921\n") == [1.095, 1.0921]
    assert rates(tmp_path, 'time,rate\n2024-01-01,"1,300.5"\n2024-01-02,"1,301.5"\n') == [1300.5, 1301.5]
    days = "\n".join(f"{day:02d}/01/2024,1.5" for day in range(1, 15))
    assert rates(tmp_path, f"time,close\n{days}\n") == [1.5] * 14


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('time,rate\n2024-01-01,"1,300"\n', "line 2: the comma in 1,300 may be a decimal comma"),
        ("time,rate\n2024-01-01,1_3\n", "line 2: 1_3 is not a rate"),
        ("time,rate\n2024-01-01,1.3\n2024-01-02,0\n", "line 3: 0 is not a rate"),
        ("time,rate\n01/02/2024,1.3\n02/03/2024,1.3\n", "rates.csv, line 2: '01/02/2024' could be the day"),
    ],
)
def test_rates_that_may_mean_two_things_are_refused(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        rates(tmp_path, text)


def test_a_day_that_opens_in_the_evening_has_no_rate_before_it_ends(tmp_path: Path) -> None:
    """The days of currencies open at 17:00 in New York, on the evening before in UTC."""
    file = tmp_path / "rates.csv"
    file.write_text("time,close\n2023-12-31T22:00Z,1\n2024-01-01T22:00Z,2\n2024-01-02T22:00Z,3\n", encoding="utf-8")
    begin, hour = 1_704_060_000_000, 3_600_000
    hours = (24, 26, 47, 48, 71, 72)
    assert read_rates(file).at([begin + count * hour for count in hours]) == [1, 1, 1, 2, 2, 3]
    week = begin + 72 * hour
    assert read_rates(file).at([week], are_ends=True) == [2]
