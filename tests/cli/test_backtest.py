"""`pinebench backtest` and `pinebench import-trades`: what people and programs get of a strategy on bars."""

import csv
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.cli.support import Outcome, pinebench

PRICES = (10, 11, 12, 13, 12, 11, 10, 12, 14, 13)
START = 1_704_067_200_000
DAY = 86_400_000
SCRIPT = """//@version=6
strategy("Two", default_qty_type = strategy.fixed, default_qty_value = 1{more})
if bar_index == 0
    strategy.entry("L", strategy.long, comment = "up")
if bar_index == 3
    strategy.entry("S", strategy.short)
if bar_index == 7
    strategy.entry("L", strategy.long)
"""


@pytest.fixture
def bars(tmp_path: Path) -> Path:
    path = tmp_path / "EX_ABC_1D.csv"
    rows = [
        f"{START + number * DAY},{price},{price + 1},{price - 1},{price + 0.5}" for number, price in enumerate(PRICES)
    ]
    path.write_text("time,open,high,low,close\n" + "\n".join(rows) + "\n")
    return path


def told_of(folder: Path, *options: object, more: str = "", command: str = "backtest", script: str = SCRIPT) -> Outcome:
    (folder / "script.pine").write_text(script.format(more=more) if "{more}" in script else script)
    return pinebench(command, "script.pine", *map(str, options), folder=folder)


def test_programs_get_trades_and_figures(tmp_path: Path, bars: Path) -> None:
    done = told_of(tmp_path, "--data", bars, "--format", "json")
    assert done.code == 0
    told = json.loads(done.out)
    assert told["trades"][0] == {
        "number": 1,
        "side": "long",
        "qty": 1,
        "entry_time": START + DAY,
        "entry_price": 11,
        "entry_signal": "up",
        "exit_time": START + 4 * DAY,
        "exit_price": 12,
        "exit_signal": "S",
        "profit": 1,
        "profit_percent": pytest.approx(100 / 11),
        "run_up": 3,
        "run_up_percent": pytest.approx(300 / 11),
        "drawdown": 1,
        "drawdown_percent": pytest.approx(100 / 11),
        "cumulative_profit": 1,
    }
    assert told["trades"][2]["exit_time"] is None
    assert told["trades"][2]["exit_price"] is None
    assert told["trades"][2]["exit_signal"] is None
    figures = told["report"]
    assert (figures["trades"], figures["open_trades"], figures["net_profit"]) == (2, 1, -1)
    assert (figures["long"]["net_profit"], figures["short"]["net_profit"]) == (1, -2)
    assert figures["profit_factor"] == 0.5
    assert told["error"] is None


def test_a_spread_of_two_files_is_tested(tmp_path: Path, bars: Path) -> None:
    spread = ("--data", "A/B", "--data", f"A={bars}", "--data", f"B={bars}")
    for options in ((), ("--format", "json")):
        done = told_of(tmp_path, *spread, *options)
        assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["symbol"], told["trades"][0]["entry_price"]) == ("A/B", 1)


def test_properties_of_the_command_line_replace_those_of_the_declaration(tmp_path: Path, bars: Path) -> None:
    given = ("--initial-capital", 500, "--default-qty-value", 2, "--slippage", 100, "--commission-value", 1)
    done = told_of(tmp_path, "--data", bars, "--format", "json", *given, more=", initial_capital = 7000")
    told = json.loads(done.out)
    assert told["report"]["initial_capital"] == 500
    assert (told["trades"][0]["qty"], told["trades"][0]["entry_price"], told["trades"][0]["exit_price"]) == (2, 12, 11)
    assert told["report"]["commission_paid"] > 0


def test_dates_say_when_it_trades(tmp_path: Path, bars: Path) -> None:
    done = told_of(tmp_path, "--data", bars, "--format", "json", "--from", "2024-01-03", "--to", "2024-01-08")
    told = json.loads(done.out)
    assert [(trade["side"], trade["entry_time"], trade["exit_time"]) for trade in told["trades"]] == [
        ("short", START + 4 * DAY, None)
    ]
    assert told["orders_from"] == START + 2 * DAY
    assert "UTC; orders from 2024-01-03 00:00 on\n" in told_of(tmp_path, "--data", bars, "--from", "2024-01-03").out
    assert "; orders from" not in told_of(tmp_path, "--data", bars).out


def test_people_get_tables_and_a_list_as_tradingview_writes_it(tmp_path: Path, bars: Path) -> None:
    done = told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    assert done.code == 0
    assert "Net profit" in done.out
    assert "up" in done.out
    rows = list(csv.DictReader(io.StringIO((tmp_path / "trades.csv").read_text())))
    assert [row["Type"] for row in rows[:2]] == ["Exit long", "Entry long"]
    assert (rows[1]["Date and time"], rows[1]["Price"], rows[1]["Signal"]) == ("2024-01-02 00:00", "11", "up")
    assert (rows[4]["Signal"], rows[4]["Price"]) == ("Open", "")
    assert rows[-1]["Cumulative P&L"] == rows[-2]["Cumulative P&L"]


def test_the_text_writes_prices_and_money_as_the_page_does_and_names_the_months_that_it_leaves_out(
    tmp_path: Path,
) -> None:
    days = [f"{START + number * 30 * DAY},{100 + number},{200},{50},{100.5 + number}" for number in range(20)]
    (tmp_path / "months.csv").write_text("time,open,high,low,close\n" + "\n".join(days) + "\n")
    (tmp_path / "months.toml").write_text("mintick = 0.01\n")
    more = ", initial_capital = 5000, default_qty_type = strategy.cash"
    script = SCRIPT.replace("{more}", more).replace(
        "default_qty_type = strategy.fixed, default_qty_value = 1", "default_qty_value = 1500"
    )
    done = told_of(tmp_path, "--data", "months.csv", script=script)
    assert done.code == 0
    assert "1,500.00 in cash" in done.out
    assert re.search(r"^1 +long +14 +2024-01-31 00:00 +101\.00 +up +2024-04-30 00:00 +104\.00 ", done.out, re.MULTILINE)
    assert re.search(r"^\d earlier months: on the command line --format json lists them$", done.out, re.MULTILINE)


def test_a_list_of_ours_is_the_same_as_ours_in_any_time_zone(tmp_path: Path, bars: Path) -> None:
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    text = (tmp_path / "trades.csv").read_text()
    done = told_of(tmp_path, "trades.csv", "--data", bars, command="import-trades")
    assert done.code == 0, done.out
    (tmp_path / "later.csv").write_text(text.replace(" 00:00", " 08:00"))
    done = told_of(tmp_path, "later.csv", "--data", bars, "--format", "json", command="import-trades")
    told = json.loads(done.out)
    assert (done.code, told["same"], told["utc_offset_minutes"], told["listed"]) == (0, True, 480, 2)


def test_a_list_in_a_zone_with_summer_time_is_the_same_across_the_change_of_its_clocks(tmp_path: Path) -> None:
    """With one offset for all trades, about half of the trades of a chart in New York differed."""
    march = 1_709_769_600_000  # 2024-03-07; the clocks changed on the 10th
    rows = [f"{march + n * DAY},{price},{price + 1},{price - 1},{price + 0.5}" for n, price in enumerate(PRICES)]
    (tmp_path / "march.csv").write_text("time,open,high,low,close\n" + "\n".join(rows) + "\n")
    told_of(tmp_path, "--data", "march.csv", "--trades", "trades.csv")

    def in_new_york(found: re.Match[str]) -> str:
        moment = datetime.fromisoformat(found[0]).replace(tzinfo=UTC).astimezone(ZoneInfo("America/New_York"))
        return f"{moment:%Y-%m-%d %H:%M}"

    text = (tmp_path / "trades.csv").read_text()
    local = re.sub(r"2024-\d\d-\d\d \d\d:\d\d", in_new_york, text)
    assert "19:00" in local and "20:00" in local
    (tmp_path / "trades.csv").write_text(local)
    done = told_of(tmp_path, "trades.csv", "--data", "march.csv", "--format", "json", command="import-trades")
    told = json.loads(done.out)
    assert (told["same"], told["timezone"], told["utc_offset_minutes"]) == (True, "America/New_York", None)
    done = told_of(tmp_path, "trades.csv", "--data", "march.csv", command="import-trades")
    assert "the times of the list are in America/New_York" in done.out


def test_a_trade_in_the_second_of_two_equal_hours_at_the_end_of_summer_time_is_the_same(tmp_path: Path) -> None:
    november = 1_730_599_200_000  # 2024-11-03 02:00 UTC; the clocks went back at 06:00 UTC
    rows = [f"{november + n * 3_600_000},{price},{price + 1},{price - 1},{price}" for n, price in enumerate(PRICES)]
    (tmp_path / "november.csv").write_text("time,open,high,low,close\n" + "\n".join(rows) + "\n")
    script = """//@version=6
strategy("Hours", default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index % 2 == 1
    strategy.entry("L", strategy.long)
else
    strategy.close("L")
"""
    told_of(tmp_path, "--data", "november.csv", "--trades", "trades.csv", script=script)

    def in_new_york(found: re.Match[str]) -> str:
        moment = datetime.fromisoformat(found[0]).replace(tzinfo=UTC).astimezone(ZoneInfo("America/New_York"))
        return f"{moment:%Y-%m-%d %H:%M}"

    text = (tmp_path / "trades.csv").read_text()
    (tmp_path / "trades.csv").write_text(re.sub(r"2024-\d\d-\d\d \d\d:\d\d", in_new_york, text))
    done = told_of(
        tmp_path, "trades.csv", "--data", "november.csv", "--format", "json", command="import-trades", script=script
    )
    told = json.loads(done.out)
    assert (told["same"], told["timezone"], told["listed"]) == (True, "America/New_York", 4)


def test_trades_of_a_list_that_the_bars_do_not_reach_are_told(tmp_path: Path, bars: Path) -> None:
    """Else they would be taken for differences between TradingView and pinebench."""
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    titles, *days = bars.read_text().splitlines()
    (tmp_path / "late.csv").write_text("\n".join([titles, *days[3:]]))
    done = told_of(tmp_path, "trades.csv", "--data", "late.csv", "--format", "json", command="import-trades")
    assert (done.code, json.loads(done.out)["outside_the_bars"]) == (1, 1)
    assert "1 trade of the list is outside the time of the test, so our list has no trade to compare: give" in done.err
    later = ("--data", bars, "--from", "2024-01-04")
    done = told_of(tmp_path, "trades.csv", *later, "--format", "json", command="import-trades")
    assert (done.code, json.loads(done.out)["outside_the_bars"]) == (1, 1)
    assert "no trade to compare: leave --from out" in done.err


def test_trades_of_ours_that_a_list_does_not_reach_are_told(tmp_path: Path, bars: Path) -> None:
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    (tmp_path / "short.csv").write_text("\n".join((tmp_path / "trades.csv").read_text().splitlines()[:3]))
    done = told_of(tmp_path, "short.csv", "--data", bars, "--format", "json", command="import-trades")
    told = json.loads(done.out)
    assert (done.code, told["same"], told["listed"], told["own_outside_the_list"]) == (0, True, 1, 1)
    assert "1 trade of our list is before the first or after the last trade of the list, and not compared" in done.err


def test_a_time_zone_that_no_entry_shows_is_not_told(tmp_path: Path, bars: Path) -> None:
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    moved = (tmp_path / "trades.csv").read_text().replace("2024-01-0", "2020-01-0")
    (tmp_path / "other.csv").write_text(moved)
    done = told_of(tmp_path, "other.csv", "--data", bars, command="import-trades")
    assert done.code == 1 and "the time zone of the list is not known, because none fits an entry" in done.out
    done = told_of(tmp_path, "other.csv", "--data", bars, "--json", command="import-trades")
    told = json.loads(done.out)
    assert (told["equal"], told["utc_offset_minutes"], told["timezone"]) == (0, None, None)


def test_the_first_difference_is_shown_with_the_bars_around_it(tmp_path: Path, bars: Path) -> None:
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    text = (tmp_path / "trades.csv").read_text().replace("2024-01-05 00:00,S,12,", "2024-01-05 00:00,S,12.5,")
    (tmp_path / "other.csv").write_text(text)
    done = told_of(tmp_path, "other.csv", "--data", bars, command="import-trades")
    assert done.code == 1
    assert "first trade that our list does not have: #1" in done.out
    assert "2024-01-05 00:00 at 12.5  S" in done.out
    assert "> 2024-01-05 00:00  12  13  11  12.5" in done.out
    (tmp_path / "sized.csv").write_text((tmp_path / "trades.csv").read_text().replace(",S,12,1,", ",S,12,2,"))
    done = told_of(tmp_path, "sized.csv", "--data", bars, "--format", "json", command="import-trades")
    assert (done.code, json.loads(done.out)["other_quantities"]) == (1, 1)


def test_lists_without_a_closed_trade_are_not_told_as_the_same(tmp_path: Path, bars: Path) -> None:
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    titles, *rows = (tmp_path / "trades.csv").read_text().splitlines()
    (tmp_path / "open.csv").write_text("\n".join([titles, *(row for row in rows if "Entry" in row)][:2]) + "\n")
    script = SCRIPT.replace("bar_index == 3", "false").replace("bar_index == 7", "false")
    done = told_of(tmp_path, "open.csv", "--data", bars, "--format", "json", command="import-trades", script=script)
    told = json.loads(done.out)
    assert (done.code, told["same"], told["listed"], told["own"], told["still_open"]) == (1, None, 0, 0, 1)
    assert "neither list has a closed trade: nothing was compared" in done.err


def test_finer_bars_and_rates_are_read_from_files(tmp_path: Path, bars: Path) -> None:
    script = """//@version=6
strategy("B", currency = currency.EUR, default_qty_type = strategy.fixed, default_qty_value = 1)
if bar_index == 0
    strategy.entry("L", strategy.long)
    strategy.exit("X", "L", limit = 12, stop = 10)
"""
    (tmp_path / "rates.csv").write_text(f"time,rate\n{START - DAY},0.5\n{START},0.25\n")
    rates = ("--rates", "rates.csv")
    coarse = json.loads(told_of(tmp_path, "--data", bars, "--format", "json", *rates, script=script).out)
    assert (coarse["trades"][0]["exit_price"], coarse["trades"][0]["profit"]) == (10, -0.25)
    half = DAY // 2
    (tmp_path / "fine.csv").write_text(
        f"time,open,high,low,close\n{START + DAY},11,12,11,12\n{START + DAY + half},12,12,10,11.5\n"
    )
    fine = told_of(tmp_path, "--data", bars, "--format", "json", *rates, "--lower-data", "fine.csv", script=script)
    assert json.loads(fine.out)["trades"][0]["exit_price"] == 12
    assert "fine.csv: 2 bars of 12 hours; times in milliseconds" in fine.err
    assert "the bar magnifier has no shorter bars in 9 of 10 bars" in fine.err


def test_the_zone_of_the_chart_s_times_is_the_zone_of_the_shorter_and_standard_bars(tmp_path: Path) -> None:
    """One user's files have one source. Read as UTC, the shorter bars would be in other bars of the chart."""
    rows = {"hours": [f"2024-01-02T{hour:02}:00,10,12,9,11,1" for hour in range(9, 16)]}
    rows["halves"] = [f"2024-01-02T{hour:02}:{half},10,12,9,11,1" for hour in range(9, 16) for half in ("00", "30")]
    rows["zoned"] = [each.replace(",", "-05:00,", 1) for each in rows["halves"]]
    for name, lines in rows.items():
        (tmp_path / f"{name}.csv").write_text("time,open,high,low,close,volume\n" + "\n".join(lines))
    script = '//@version=6\nstrategy("S")\nplot(close)\n'
    zone = ("--data-timezone", "America/New_York")
    for lower in ("halves.csv", "zoned.csv"):
        names = ("--lower-data", lower, "--standard-data", "hours.csv", *zone)
        ran = told_of(tmp_path, "--data", "hours.csv", *names, script=script)
        assert (ran.code, "no shorter bars" in ran.err) == (0, False)
    assert ran.err.count("without a time zone, read as America/New_York") == 2
    (tmp_path / "halves.toml").write_text('data_timezone = "UTC"\n')
    own = told_of(tmp_path, "--data", "hours.csv", "--lower-data", "halves.csv", *zone, script=script)
    assert "halves.csv: 14 bars of 30 minutes; times in ISO 8601 without a time zone, read as UTC" in own.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--initial-capital", "-1"), "initial_capital cannot be -1"),
        (("--currency", "usd"), "currency cannot be 'usd'"),
        (("--from", "2024-02-01", "--to", "2024-01-01"), "is not after"),
        (("--trades", "EX_ABC_1D.csv"), "would be overwritten"),
        (("--rates", "EX_ABC_1D.csv", "--trades", "script.pine"), "would be overwritten"),
        (("--lower-data", "nothing.csv"), "nothing.csv"),
        (("--expect", "proft>1"), "there is no figure 'proft'"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, bars: Path, options: tuple[str, ...], words: str) -> None:
    done = told_of(tmp_path, "--data", bars, *options)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_an_indicator_and_a_foreign_currency_are_refused(tmp_path: Path, bars: Path) -> None:
    indicator = told_of(tmp_path, "--data", bars, script='//@version=6\nindicator("I")\nplot(close)\n')
    assert (indicator.code, "not a strategy" in indicator.err) == (2, True)
    euro = told_of(tmp_path, "--data", bars, more=", currency = currency.EUR")
    assert (euro.code, "without rates" in euro.err) == (3, True)


def test_a_strategy_that_stops_has_no_trades(tmp_path: Path, bars: Path) -> None:
    script = SCRIPT.format(more="") + 'if bar_index == 9\n    runtime.error("enough")\n'
    done = told_of(tmp_path, "--data", bars, "--format", "json", script=script)
    told = json.loads(done.out)
    assert (done.code, told["trades"], told["report"], told["error"]["bar"]) == (1, [], {}, 9)
    assert "enough" in done.err
    told_of(tmp_path, "--data", bars, "--trades", "trades.csv")
    before = (tmp_path / "trades.csv").read_text()
    assert told_of(tmp_path, "--data", bars, "--trades", "trades.csv", script=script).code == 1
    assert (tmp_path / "trades.csv").read_text() == before, "an empty list does not replace it"


def test_dates_without_a_bar_are_refused_and_the_dates_of_the_bars_said(tmp_path: Path, bars: Path) -> None:
    done = told_of(tmp_path, "--data", bars, "--from", "2130-01-01")
    assert (done.code, "--from 2130-01-01: no bar is in this range (the bars go from " in done.err) == (2, True)


def test_expectations_are_held_against_the_figures(tmp_path: Path, bars: Path) -> None:
    assert told_of(tmp_path, "--data", bars, "--expect", "trades>1").code == 0
    done = told_of(tmp_path, "--data", bars, "--expect", "profit_factor>1")
    assert (done.code, "the value is 0.5" in done.out) == (1, True)


def test_orders_that_change_afterwards_fail_a_back_test(tmp_path: Path, bars: Path) -> None:
    assert told_of(tmp_path, "--data", bars, "--no-repaint").code == 0
    late = SCRIPT.format(more="").replace("bar_index == 3", "bar_index == last_bar_index - 4")
    done = told_of(tmp_path, "--data", bars, "--no-repaint", "--format", "json", script=late)
    assert done.code == 1
    found = json.loads(done.out)["repainting"]["findings"][0]
    assert (found["kind"], found["output"], found["line"]) == ("changed", "strategy.entry", 6)
    assert [(cause["name"], cause["line"]) for cause in found["causes"]] == [("last_bar_index", 5)]
    assert "last_bar_index on line 5 changes with each new bar" in done.err


def test_what_is_looked_through_for_repainting_trades_as_the_back_test_does(tmp_path: Path, bars: Path) -> None:
    script = """//@version=6
strategy("B", currency = currency.EUR)
if strategy.convert_to_account(1) == 1
    runtime.error("no rates")
if bar_index == 1
    strategy.entry("L", strategy.long)
if strategy.position_size > 0 and time < timestamp("2024-01-04")
    runtime.error("too early")
"""
    (tmp_path / "rates.csv").write_text(f"time,rate\n{START - DAY},0.5\n")
    options = ("--data", bars, "--rates", "rates.csv", "--from", "2024-01-04", "--to", "2024-01-09", "--no-repaint")
    done = told_of(tmp_path, *options, "--format", "json", script=script)
    assert (done.code, json.loads(done.out)["repainting"]["bars"]) == (0, 8)


def test_a_back_test_is_drawn_as_a_run_is(tmp_path: Path, bars: Path) -> None:
    script = SCRIPT.format(more="") + "plot(close)\n"
    done = told_of(tmp_path, "--data", bars, "--plot", "chart.png", "--from", "2024-01-03", script=script)
    assert done.code == 0
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert told_of(tmp_path, "--data", bars, "--plot", "chart.svg", script=script).code == 0
    drawing = (tmp_path / "chart.svg").read_text("utf-8")
    assert "up +1" in drawing and "S -2" in drawing and "L +2" in drawing
    for options, words in ((("--plot", "x.jpg"), "neither a picture"), (("--plot", bars), "neither a picture")):
        done = told_of(tmp_path, "--data", bars, *options, script=script)
        assert (done.code, words in done.err) == (2, True)


def test_every_option_of_run_is_one_of_backtest(tmp_path: Path) -> None:
    options = [
        {
            word.strip(",[]")
            for word in pinebench(command, "--help", folder=tmp_path).out.split()
            if word.startswith("--")
        }
        for command in ("run", "backtest")
    ]
    assert len(options[0]) > 10 and options[0] <= options[1]


def test_run_fills_the_orders_of_a_strategy(tmp_path: Path, bars: Path) -> None:
    script = SCRIPT.format(more="") + "plot(strategy.position_size)\n"
    done = told_of(tmp_path, "--data", bars, "--format", "json", command="run", script=script)
    assert json.loads(done.out)["plots"][0]["values"] == [0, 1, 1, 1, -1, -1, -1, -1, 1, 1]


def test_orders_that_look_like_formulas_act_in_no_spreadsheet_and_are_read_back(tmp_path: Path, bars: Path) -> None:
    signal = "=HYPERLINK(1)"
    script = f"""//@version=6
strategy("Formulas")
if bar_index % 2 == 0
    strategy.entry("@L", strategy.long, comment = "{signal}")
else
    strategy.close("@L", comment = "-out")
plot(-close, "=cmd|' /C calc'!A0")
"""
    listed = told_of(tmp_path, "--data", bars, "--trades", "list.csv", script=script)
    assert listed.code == 0, listed.err
    rows = list(csv.reader(io.StringIO((tmp_path / "list.csv").read_text(encoding="utf-8"))))
    assert f"'{signal}" in {row[3] for row in rows}
    assert any(cell.startswith("-") for row in rows[1:] for cell in row), "losses are negative numbers"
    assert not any(row[3].startswith(("=", "+", "-", "@")) for row in rows)
    again = told_of(tmp_path, "list.csv", "--data", bars, command="import-trades", script=script)
    assert again.code == 0, again.out
    done = told_of(tmp_path, "--data", bars, "--format", "csv", command="run", script=script)
    values = list(csv.reader(io.StringIO(done.out)))
    assert values[0][1].startswith("'=")
    assert float(values[-1][1]) < 0


def test_a_report_names_no_currency_that_no_source_says(tmp_path: Path, bars: Path) -> None:
    shown = told_of(tmp_path, "--data", bars)
    told_of(tmp_path, "--data", bars, "--format", "html", "-o", "page.html")
    pages = [shown.out, told_of(tmp_path, "--data", bars, "--format", "csv").out, (tmp_path / "page.html").read_text()]
    assert "Account in the symbol’s currency" in shown.out
    assert [each for each in pages if "USD" in each] == []
    bars.with_suffix(".toml").write_text('currency = "USD"\n')
    assert "Account in USD" in told_of(tmp_path, "--data", bars).out


OPEN = SCRIPT.replace(", default_qty_type = strategy.fixed, default_qty_value = 1", "")
"""The script as many are: TradingView decides on size and capital."""


def test_the_day_decides_what_the_script_leaves_to_tradingview(tmp_path: Path, bars: Path) -> None:
    now = json.loads(told_of(tmp_path, "--data", bars, "--format", "json", script=OPEN).out)
    assert (now["report"]["initial_capital"], now["defaults"]["since"]) == (100_000, "2026-09-24")
    before = json.loads(told_of(tmp_path, "--data", bars, "--format", "json", "--as-of", "2026-08-31", script=OPEN).out)
    assert (before["report"]["initial_capital"], before["trades"][0]["qty"]) == (1_000_000, 1)
    assert before["defaults"]["used"]["default_qty_type"] == "fixed"
    text = told_of(tmp_path, "--data", bars, script=OPEN)
    assert "100 % of the equity (default)" in text.out and "since about 2026-09-24" in text.err
    page = told_of(tmp_path, "--data", bars, "--format", "html", "-o", "page.html", script=OPEN)
    assert page.code == 0 and "since about 2026-09-24" in (tmp_path / "page.html").read_text("utf-8")
    wrong = told_of(tmp_path, "--data", bars, "--as-of", "soon", script=OPEN)
    assert (wrong.code, "--as-of soon is not a date" in wrong.err) == (2, True)


def test_a_list_that_is_older_than_the_change_of_defaults_is_told(tmp_path: Path, bars: Path) -> None:
    told_of(tmp_path, "--data", bars, "--as-of", "2026-08-31", "--trades", "old.csv", script=OPEN)
    done = told_of(tmp_path, "old.csv", "--data", bars, command="import-trades", script=OPEN)
    assert (done.code, "use --as-of 2026-09-23" in done.err) == (1, True)
    asked = ("old.csv", "--data", bars, "--format", "json")
    told = json.loads(told_of(tmp_path, *asked, command="import-trades", script=OPEN).out)
    assert (told["same"], told["agrees_more_as_of"]) == (False, "2026-09-23")
    done = told_of(tmp_path, *asked, "--as-of", "2026-09-23", command="import-trades", script=OPEN)
    told = json.loads(done.out)
    assert (done.code, told["same"], told["agrees_more_as_of"]) == (0, True, None)
