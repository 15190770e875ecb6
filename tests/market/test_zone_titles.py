"""Titles of times that name a zone, that do not say which, and that have other words in brackets."""

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.bar_files import read_csv
from pinebench.market.zone_titles import titled_zone

NAMED = {
    "Time (Canada/Eastern)": "Canada/Eastern",
    "Time (Brazil/East)": "Brazil/East",
    "Time (Mexico/General)": "Mexico/General",
    "Time (Arctic/Longyearbyen)": "Arctic/Longyearbyen",
    "Time (Antarctica/Troll)": "Antarctica/Troll",
    "Time (GMT-5 New York)": "GMT-5",
    "Time (utc-4, New York)": "UTC-4",
    "Time (UTC+1 CET)": "UTC+1",
    "Time (UTC+2 server time)": "UTC+2",
    "Time (exchange, UTC+2)": "UTC+2",
    "time (america/new_york)": "America/New_York",
    "Date (etc/utc)": "Etc/UTC",
    "time (america/argentina/buenos aires)": "America/Argentina/Buenos_Aires",
    "TIME [AMERICA/NEW YORK]": "America/New_York",
    "Time (tz: Europe/Berlin)": "Europe/Berlin",
    "Time (Europe/Berlin time)": "Europe/Berlin",
    "Time (Etc/GMT+5)": "Etc/GMT+5",
    "Time (EST5EDT)": "EST5EDT",
    "Time (Japan)": "Japan",
    "Time (UTC +2)": "UTC+2",
    "Time (UTC−5)": "UTC-5",
    "Time (+05:30)": "+05:30",
    "Time (Zulu)": "UTC",
    "Time (Universal)": "UTC",
    "Time (UCT)": "UTC",
    "Time (Z)": "UTC",
    "Time (utc time)": "UTC",
    "Time (ms, UTC)": "UTC",
    "Time (GMT)": "GMT",
    "date utc": "UTC",
    "GMT time": "GMT",
}
"""Titles with the zone that they name."""
UNCLEAR = (
    *("Time (EST)", "Time (ET)", "Time (CET/CEST)", "Time (EST/EDT)", "Time (PST/PDT)", "Time (hh:mm EST)"),
    *(
        "Time (exchange)",
        "Time (New York)",
        "Time (broker time)",
        "Time (eastern time)",
        "Time (Tokyo)",
        "Date (local)",
    ),
    *("Time (America/Nowhere)", "Time (UTC+99)", "Time (server's time)", "Time (yyyy-mm-dd hh:mm MST)"),
    *("Time (GMT+9 New York)", "Time (UTC-5 CET)", "Time (UTC, New York)", "Time (UTC+2/UTC+3)", "Time (UTC+2/+3)"),
    *("Time (GMT+2 DST)", "Time (America/New_York UTC)", "Time (UTC exchange)", "Time (America/New_York, UTC-5)"),
)
"""Titles with words for a zone that do not say which it is, or contradict each other."""
PLAIN = (
    *("Date (day/month/year)", "Date (date/time)", "Time (am/pm)", "Date (jj/mm/aaaa)", "Date (open/close)"),
    *("Date (BTC/USDT)", "Time (candle time)", "Date (opening time)", "Date (trade time)", "Date (closing time)"),
    *("Time (bar time)", "Time (kline open time)", "Date (tt.mm.jjjj)", "Date (gg/mm/aaaa)", "Date (dd/mm/aaaa)"),
    *("Date (jour/mois/année)", "Date (Tag/Monat/Jahr)", "Date (día/mes/año)", "Date (дд.мм.гггг)", "Time (ms)"),
    *("Date (YYYY-MM-DD)", "Time (hh:mm:ss)", "Time (unix seconds)", "Time (open time)", "Date (d/m/y)", "Time (open)"),
    *("Time (yyyy-mm-ddThh24:mi:ss)", "Date (dd/mon/yyyy)", "Date (mm/dd/yyyy)", "Time (HH:MM)", "Date (start)"),
    *("Time (hh:mm am/pm)", "Time (bar close)", "Time (end of bar)", "Date (trading day)", "Time (trading time)"),
    *("Time (ISO 8601)", "Time (epoch ms)", "Time (1 h)", "Date (EUR/USD)", "Date (market open)", "Date (daily)"),
    *("date", "Date/Time", "timestamp", "Time ()", "Date (year-month-day)", "Time (start of period)"),
)
"""Titles whose words say nothing of a zone."""


def test_a_title_names_a_zone_or_not() -> None:
    found = {title: titled_zone(title) for title in (*NAMED, *UNCLEAR, *PLAIN)}
    assert {title: found[title].name for title in NAMED} == NAMED
    assert [title for title in UNCLEAR if not found[title].foreign or found[title].name] == []
    assert {title: found[title] for title in PLAIN if any(found[title])} == {}


def test_words_that_may_name_a_zone_are_given_back() -> None:
    for words in ("NZST", "Somewhere/Else", "trading"):
        assert titled_zone(f"Time ({words})") == ("", "", words)


@pytest.mark.parametrize("title", ["Date (exchange)", "Date (EST)", "Date (NZST)", "Date (New York)"])
def test_days_need_no_zone(tmp_path: Path, title: str) -> None:
    days = tmp_path / "days.csv"
    days.write_text(f"{title},open,high,low,close\n2024-01-08,1,1,1,1\n2024-01-09,1,1,1,1\n", encoding="utf-8")
    assert not read_csv(days).remarks
    hours = tmp_path / "hours.csv"
    hours.write_text(days.read_text(encoding="utf-8").replace("-08,", "-08 09:00,").replace("-09,", "-09 09:00,"))
    if "NZST" in title:
        assert "may name a time zone" in " ".join(read_csv(hours).remarks)
        return
    with pytest.raises(UsageError, match="the time zone is not known"):
        read_csv(hours)
