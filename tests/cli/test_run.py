"""`pinebench run`: what people and programs get of a script on bars."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas
import pytest

from pinebench.cli import main
from tests.cli.support import Outcome, pinebench
from tests.sample import bars_file

HEAD = '//@version=6\nindicator("Test")\n'
BARS = "".join(
    f"2024-01-0{day}T00:00:00Z,{price},{price + 2},{price - 1},{price + 1},{100 * day}\n"
    for day, price in enumerate((10, 11, 12, 11, 13, 14), 1)
)


@pytest.fixture
def bars(tmp_path: Path) -> Path:
    path = tmp_path / "EX_ABC_1D.csv"
    path.write_text("time,open,high,low,close,volume\n" + BARS)
    return path


def ran(tmp_path: Path, body: str, *options: object, head: str = HEAD) -> Outcome:
    script = tmp_path / "script.pine"
    script.write_text(head + body)
    return pinebench("run", str(script), *map(str, options), folder=tmp_path)


def test_programs_get_every_bar_with_na_as_null(tmp_path: Path, bars: Path) -> None:
    done = ran(tmp_path, 'plot(ta.sma(close, 3), "Mean")\nplot(1 / 0.0, "Endless")', "--data", bars, "--format", "json")
    assert done.code == 0
    told = json.loads(done.out)
    assert told["bars"] == 6
    assert told["times"][:2] == [1_704_067_200_000, 1_704_153_600_000]
    assert told["plots"][0] == {"title": "Mean", "values": [None, None, 12.0, 37 / 3, 13.0, 41 / 3]}
    assert told["plots"][1]["values"] == [None] * 6
    assert (told["alerts"], told["logs"], told["error"]) == ([], [], None)
    assert not any(told["drawings"].values())


@pytest.mark.parametrize(
    ("body", "toml", "note"),
    [
        ("plot(close)", "", []),
        ("plot(str.length(syminfo.ticker))", "", []),
        (
            'plot(syminfo.type == "crypto" and syminfo.currency == "USD" ? 1 : 0)',
            "",
            [
                'the script reads syminfo.type = "crypto" and syminfo.currency = "USD", assumed:'
                " the symbol's TOML file can set type and currency"
            ],
        ),
        (
            "kind() => syminfo.type\nplot(str.length(kind() + syminfo.currency))",
            'currency = "EUR"',
            ['the script reads syminfo.type = "crypto", assumed: the symbol\'s TOML file can set type'],
        ),
        (
            'plot(request.security(syminfo.tickerid, "1W", str.length(syminfo.basecurrency)))',
            'type = "stock"',
            ['the script reads syminfo.basecurrency = "", assumed: the symbol\'s TOML file can set basecurrency'],
        ),
        (
            'plot(na(time(timeframe.period, "0930-1600")) ? hour : 0)',
            "",
            [
                'the script reads syminfo.timezone = "Etc/UTC" (for hour, time()), assumed:'
                " the symbol's TOML file can set timezone"
            ],
        ),
        ('plot(hour(time, "America/New_York") + time("1D") + timestamp("2024-01-01"))', "", []),
        ("plot(timestamp(2024, 1, 1) + hour)", 'timezone = "America/New_York"', []),
        (
            "plot(session.ismarket ? syminfo.pointvalue : 0)",
            'type = "futures"',
            [
                'the script reads syminfo.pointvalue = 1 and syminfo.session = "24x7" (for session.ismarket), assumed:'
                " the symbol's TOML file can set pointvalue and session"
            ],
        ),
        ("plot(str.length(syminfo.type + syminfo.currency))", 'type = "stock"\ncurrency = "EUR"', []),
    ],
)
def test_assumed_properties_of_the_symbol_are_told_if_the_script_reads_them(
    tmp_path: Path, bars: Path, body: str, toml: str, note: list[str]
) -> None:
    bars.with_suffix(".toml").write_text(toml)
    done = ran(tmp_path, body, "--data", bars, "--format", "json")
    assert json.loads(done.out)["notes"] == note
    assert all(each in ran(tmp_path, body, "--data", bars).err for each in note)


def test_assumed_properties_of_other_symbols_are_told_with_their_names(tmp_path: Path, bars: Path) -> None:
    other = tmp_path / "EX_OTHER_1D.csv"
    other.write_text(bars.read_text())
    bars.with_suffix(".toml").write_text('type = "stock"\ncurrency = "EUR"')
    body = """
alertcondition(close > open, "up", "{{ticker}} in {{ syminfo.basecurrency }}")
plot(request.security("EX:OTHER", "1D", syminfo.type == "crypto" ? close : 0))
plot(request.security("EX:OTHER", "1W", close, currency = "USD"))
"""
    done = ran(tmp_path, body, "--data", bars, "--data", f"EX:OTHER={other}", "--format", "json")
    assert json.loads(done.out)["notes"] == [
        'the script reads syminfo.type = "crypto" and syminfo.currency = "USD" of EX:OTHER, assumed:'
        " the symbol's TOML file can set type and currency",
        'the script reads syminfo.basecurrency = "", assumed: the symbol\'s TOML file can set basecurrency',
    ]
    other.with_suffix(".toml").write_text('type = "stock"\ncurrency = "USD"')
    done = ran(tmp_path, body.split("\n", 2)[2], "--data", bars, "--data", f"EX:OTHER={other}", "--format", "json")
    assert json.loads(done.out)["notes"] == []


def test_days_that_a_request_makes_of_shorter_bars_are_told_with_their_zone(tmp_path: Path) -> None:
    path = tmp_path / "hours.csv"
    rows = [f"2024-01-0{1 + n // 24}T{n % 24:02d}:00:00Z,1,2,1,2,5" for n in range(72)]
    path.write_text("\n".join(("time,open,high,low,close,volume", *rows)))
    note = (
        'the script reads syminfo.timezone = "Etc/UTC" (for days that a request makes of shorter bars), assumed:'
        " the symbol's TOML file can set timezone"
    )
    for step, notes in (("1D", [note]), ("1W", [note]), ("240", [])):
        body = f'plot(request.security(syminfo.tickerid, "{step}", close))'
        for tier in ("python", "compiled"):
            told = ran(tmp_path, body, "--data", path, "--format", "json", "--tier", tier).out
            assert json.loads(told)["notes"] == notes


def test_bars_are_cut_for_showing_only(tmp_path: Path, bars: Path) -> None:
    options = ("--data", bars, "--from", "2024-01-03", "--to", "2024-01-05", "--format", "csv")
    rows = list(csv.reader(io.StringIO(ran(tmp_path, "plot(bar_index)\nplot(na)", *options).out)))
    assert rows == [["time", "Plot 1", "Plot 2"], ["2024-01-03T00:00:00Z", "2", ""], ["2024-01-04T00:00:00Z", "3", ""]]


def test_people_get_a_table_alerts_and_drawings(tmp_path: Path, bars: Path) -> None:
    body = (
        'plot(close, "C")\nif close > 14\n    alert("high \\u202e")\n    log.info("said")\nlabel.new(bar_index, high)'
    )
    done = ran(tmp_path, body, "--data", bars)
    assert done.out.splitlines()[0].split() == ["time", "C"]
    assert done.out.splitlines()[6].split() == ["2024-01-06T00:00:00Z", "15"]
    assert "2024-01-06T00:00:00Z  info: said" in done.out
    assert "alert: high" in done.out
    assert "\u202e" not in done.out
    assert "drawings left: 6 label" in done.out
    assert "6 bars of 1 day; times in ISO 8601; tick 0.01 from the decimals of the prices" in done.err


def test_logs_and_alerts_that_are_left_out_are_counted(tmp_path: Path, bars: Path) -> None:
    body = "for i = 1 to 9\n    log.info(str.tostring(i))\n    alert(str.tostring(i), alert.freq_all)\nplot(close)"
    said = ran(tmp_path, body, "--data", bars).out
    assert "(34 earlier logs are not shown; --format json lists all)" in said
    assert "(34 earlier alerts are not shown; --format json lists all)" in said
    assert "earlier" not in ran(tmp_path, "log.info('one')\nplot(close)", "--data", bars).out


def test_inputs_are_named_by_title_or_variable(tmp_path: Path, bars: Path) -> None:
    body = 'length = input.int(2, "Length", minval = 1)\nplot(length)'
    for name in ("Length", "length"):
        done = ran(tmp_path, body, "--data", bars, "--input", f"{name}=5", "--format", "json")
        assert json.loads(done.out)["plots"][0]["values"] == [5] * 6
    for given, words in (("Lenght=5", "there is no input called"), ("Length=0", "at least 1"), ("Length", "no value")):
        done = ran(tmp_path, body, "--data", bars, "--input", given)
        assert (done.code, done.out) == (2, "")
        assert words in done.err


def test_a_script_that_stops_is_exit_1_and_says_where(tmp_path: Path, bars: Path) -> None:
    body = "plot(close)\nif bar_index == 3\n    runtime.error('no more')"
    done = ran(tmp_path, body, "--data", bars, "--format", "json")
    assert done.code == 1
    assert json.loads(done.out)["error"]["bar"] == 3
    assert "script.pine:5:" in done.err
    assert "no more" in done.err


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_script_that_stops_leaves_an_earlier_table_alone(tmp_path: Path, bars: Path, form: str) -> None:
    asked = ("--data", bars, "--format", form, "-o", f"kept.{form}")
    assert ran(tmp_path, "plot(close)", *asked).code == 0
    before = (tmp_path / f"kept.{form}").read_bytes()
    assert ran(tmp_path, "plot(close)\nif bar_index == 3\n    runtime.error('no more')", *asked).code == 1
    assert (tmp_path / f"kept.{form}").read_bytes() == before


def test_a_script_that_does_not_compile_is_exit_1(tmp_path: Path, bars: Path) -> None:
    done = ran(tmp_path, "plot(nope)", "--data", bars)
    assert (done.code, done.out) == (1, "")
    assert "error CE10272" in done.err and "nope" in done.err


def test_other_symbols_and_longer_bars(tmp_path: Path, bars: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(bars.read_text().replace(",10,", ",10.5,"))
    body = 'plot(request.security("XYZ", timeframe.period, open))'
    done = ran(tmp_path, body, "--data", bars, "--data", f"XYZ={other}", "--format", "json")
    assert json.loads(done.out)["plots"][0]["values"][0] == 10.5
    week = ran(tmp_path, "plot(volume)", "--data", bars, "--timeframe", "1W", "--format", "json")
    assert json.loads(week.out)["plots"][0]["values"] == [2100]
    shorter = ran(tmp_path, "plot(volume)", "--data", bars, "--timeframe", "60")
    assert (shorter.code, shorter.out) == (2, "")


def test_made_up_bars_are_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text('//@version=6\nindicator("A")\nplot(close)\n')
    done = pinebench("run", "a.pine", "--data", "sample:AAPL", "--timeframe", "15", "--bars", "30", folder=tmp_path)
    assert done.code == 0
    assert "sample:AAPL: 30 bars of 15 minutes" in done.err
    refused = pinebench("run", "a.pine", "--data", "sample:AAPL", "--bars", "0", folder=tmp_path)
    assert refused.code == 2 and "--bars: must be a whole number from 1, not '0'" in refused.err
    many = pinebench("run", "a.pine", "--data", "sample:AAPL", "--bars", "20001", folder=tmp_path)
    assert many.code == 2 and "20000 bars at most" in many.err
    bare = pinebench("run", "a.pine", "--data", "AAPL", folder=tmp_path)
    assert bare.code == 2 and "write sample:AAPL" in bare.err
    misspelt = pinebench("run", "a.pine", "--data", "sample:AAPL@60xmany", folder=tmp_path)
    assert misspelt.code == 2 and "the number of bars must be from 1 to 20000, not 'many'" in misspelt.err


def test_the_figures_of_trades_are_expected_of_a_strategy(tmp_path: Path, bars: Path) -> None:
    head = '//@version=6\nstrategy("S")\nstrategy.entry("L", strategy.long)\n'
    assert ran(tmp_path, "plot(close)", "--data", bars, "--expect", "open_trades==1", head=head).code == 0
    assert ran(tmp_path, "plot(close)", "--data", bars, "--expect", "trades>1", head=head).code == 1
    refused = ran(tmp_path, "plot(close)", "--data", bars, "--expect", "trades>1")
    assert refused.code == 2 and "is a figure of strategies" in refused.err


def test_bars_that_cannot_be_told_are_refused(tmp_path: Path, bars: Path) -> None:
    twice = ran(tmp_path, "plot(close)", "--data", bars, "--data", bars)
    alone = ran(tmp_path, "plot(close)", "--data", f"XYZ={bars}")
    none = ran(tmp_path, "plot(close)", "--data", tmp_path / "none.csv")
    folder = ran(tmp_path, "plot(close)", "--data", ".")
    for done, words in (
        (twice, "second source"),
        (alone, "no bars for the chart"),
        (none, "none.csv"),
        (folder, "is a folder"),
    ):
        assert (done.code, done.out) == (2, "")
        assert words in done.err


def test_a_file_is_written_whole_and_the_orders_of_a_strategy_are_filled(tmp_path: Path, bars: Path) -> None:
    out = tmp_path / "out.json"
    head = '//@version=6\nstrategy("Test")\n'
    done = ran(tmp_path, "plot(close)", "--data", bars, "--format", "json", "-o", out, head=head)
    assert (done.code, done.out) == (0, "")
    assert json.loads(out.read_text())["bars"] == 6
    assert "never filled" not in done.err


def test_what_is_read_is_never_written_over(tmp_path: Path, bars: Path) -> None:
    info = tmp_path / "info.toml"
    info.write_text('timezone = "Etc/UTC"\ntimeframe = "1D"\n')
    other = tmp_path / "other.csv"
    other.write_text(bars.read_text())
    bars.with_suffix(".toml").write_text(info.read_text())
    (tmp_path / "link.csv").symlink_to(bars)
    options = ("--data", bars, "--data", f"XYZ={other}", "--symbol-info", info)
    for name in ("script.pine", bars.name, "other.csv", "info.toml", "link.csv", bars.with_suffix(".toml").name):
        before = (tmp_path / name).read_bytes() if (tmp_path / name).exists() else None
        done = ran(tmp_path, "plot(close)", *options, "-o", tmp_path / name)
        assert (done.code, done.out) == (2, ""), name
        assert "is an input of this run" in done.err
        assert before is None or (tmp_path / name).read_bytes() == before
    assert (tmp_path / "script.pine").read_text() == HEAD + "plot(close)"


@pytest.mark.parametrize("option", ["-o", "--plot"])
def test_what_somebody_else_made_is_replaced_only_by_force(tmp_path: Path, bars: Path, option: str) -> None:
    own = tmp_path / "notes.png"
    own.write_text("years of notes")
    done = ran(tmp_path, "plot(close)", "--data", bars, option, own)
    assert (done.code, done.out) == (2, "")
    assert "exists, and pinebench did not write it" in done.err and "--force" in done.err
    assert own.read_text() == "years of notes"
    assert ran(tmp_path, "plot(close)", "--data", bars, option, own, "--force").code == 0
    assert ran(tmp_path, "plot(open)", "--data", bars, option, own).code == 0, "what we wrote is ours to replace"


def test_what_is_given_twice_is_refused(tmp_path: Path, bars: Path) -> None:
    body = 'length = input.int(2, "Length")\nplot(length)'
    inputs = ran(tmp_path, body, "--data", bars, "--input", "Length=3", "--input", "Length=4")
    symbols = ran(tmp_path, body, "--data", bars, "--data", f"XYZ={bars}", "--data", f"XYZ={bars}")
    for done in (inputs, symbols):
        assert (done.code, done.out) == (2, "")
        assert "given twice" in done.err


@pytest.mark.parametrize("kind", ["text", "json", "csv"])
def test_an_expectation_that_fails_is_told_and_ends_with_1(tmp_path: Path, bars: Path, kind: str) -> None:
    options = ("--data", bars, "--format", kind, "--expect", "alerts>3", "--expect", "bars==6")
    done = ran(tmp_path, 'plot(close)\nif close > 13\n    alert("high")', *options)
    assert done.code == 1
    assert "expected alerts>3, but the value is 2\n" in done.out + done.err
    assert ("bars==6 is met: the value is 6\n" in done.out + done.err) is (kind == "text")
    if kind == "json":
        assert json.loads(done.out)["expectations"] == [
            {"expect": "alerts>3", "value": 2, "holds": False},
            {"expect": "bars==6", "value": 6, "holds": True},
        ]
    assert ran(tmp_path, "plot(close)", "--data", bars, "--format", kind, "--expect", "bars==6").code == 0


def test_an_expectation_is_read_before_the_bars(tmp_path: Path) -> None:
    done = ran(tmp_path, "plot(close)", "--data", "none.csv", "--expect", "bars>")
    assert done.code == 2
    assert "'bars>' is not a valid expectation" in done.err
    unknown = ran(tmp_path, "plot(close)", "--data", bars_file(tmp_path, 200), "--expect", "trade>1")
    assert (unknown.code, unknown.out) == (2, "")


def test_a_script_that_stops_fails_what_is_expected(tmp_path: Path, bars: Path) -> None:
    done = ran(tmp_path, 'plot(close)\nruntime.error("no")', "--data", bars, "--no-repaint", "--expect", "bars>1")
    assert done.code == 1
    assert done.err.count("no") >= 1


def test_repainting_is_told_with_line_and_reason(tmp_path: Path) -> None:
    data = bars_file(tmp_path, 200)
    body = 'day = request.security("", "D", close)\nplot(day, "Day")'
    done = ran(tmp_path, body, "--data", data, "--no-repaint")
    assert done.code == 1
    assert 'line 4: plot "Day" differs after a reload: live, bar' in done.out
    assert "request.security on line 3 returns the unfinished value of a live bar" in done.out
    assert "request close[1] with lookahead = barmerge.lookahead_on" in done.out
    told = json.loads(ran(tmp_path, body, "--data", data, "--no-repaint", "--format", "json").out)["repainting"]
    assert told["ok"] is False
    [found] = told["findings"]
    assert (found["kind"], found["line"], found["causes"][0]["line"]) == ("reloaded", 4, 3)
    honest = ran(tmp_path, "plot(ta.sma(close, 9))", "--data", data, "--no-repaint")
    assert honest.code == 0
    assert "nothing repaints on 200 bars" in honest.out


# pictures, Parquet, exchanges


PAGE = pytest.param("b.html", b"<!doctype html>", marks=pytest.mark.live)


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), PAGE])
def test_a_run_is_drawn_as_a_picture_and_as_a_page(name: str, begins: bytes, tmp_path: Path, bars: Path) -> None:
    done = ran(tmp_path, "plot(close)", "--data", bars, "--plot", tmp_path / name, "--theme", "dark")
    assert done.code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert f"{name}: written" in done.err


def test_a_script_sees_the_theme_of_its_picture(tmp_path: Path, bars: Path) -> None:
    body = "plot(close, color = chart.fg_color, linewidth = 3)"
    for theme in ("light", "dark"):
        done = ran(tmp_path, body, "--data", bars, "--plot", tmp_path / f"{theme}.svg", "--theme", theme)
        assert done.code == 0
    light, dark = ((tmp_path / f"{theme}.svg").read_text("utf-8") for theme in ("light", "dark"))
    assert 'stroke="#131722" stroke-width="3"' in light and 'stroke="#d3d9e3" stroke-width="3"' in dark
    assert 'fill="#ffffff"' in light and 'height="100%" fill="#0f1318"' in dark


def test_a_picture_replaces_nothing_that_is_read_and_is_of_a_known_kind(tmp_path: Path, bars: Path) -> None:
    picture = tmp_path / "x.png"
    for options, words in (
        (("--plot", "x.jpg"), "neither a picture nor a page"),
        (("--plot", picture, "-o", picture), "is given for two results"),
        (("--plot", picture, "--from", "2031-01-01"), "no bar is in this range"),
    ):
        done = ran(tmp_path, "plot(close)", "--data", bars, *options)
        assert done.code == 2 and words in done.err
    beside = tmp_path / "bars.png"
    beside.write_bytes(bars.read_bytes())
    done = ran(tmp_path, "plot(close)", "--data", beside, "--plot", beside)
    assert done.code == 2 and "would be overwritten" in done.err
    assert beside.read_bytes() == bars.read_bytes()


def test_values_go_to_parquet_and_bars_come_from_it(tmp_path: Path, bars: Path) -> None:
    table, out = tmp_path / "EX_ABC_1D.parquet", tmp_path / "out.parquet"
    pandas.read_csv(bars, parse_dates=["time"]).to_parquet(table)
    body = 'plot(ta.sma(close, 3), "Mean")\nplot(close, "Mean")\nplotshape(close > 13, "Up")'
    assert ran(tmp_path, body, "--data", table, "--format", "parquet", "-o", out).code == 0
    read = pandas.read_parquet(out)
    assert list(read.columns) == ["time", "Mean", "Mean 2", "Up"]
    assert read["Mean"].isna().tolist() == [True, True, False, False, False, False]
    assert read["Up"].tolist() == [False, False, False, False, True, True]
    assert str(read["time"][0]) == "2024-01-01 00:00:00+00:00"
    done = ran(tmp_path, body, "--data", table, "--format", "parquet")
    assert done.code == 2 and "name a file with -o" in done.err


def test_an_exchange_that_is_none_is_refused(tmp_path: Path) -> None:
    for name in ("ccxt:", "ccxt:nobody:BTC/USDT:1m"):
        done = ran(tmp_path, "plot(close)", "--data", name)
        assert done.code == 2 and "Traceback" not in done.err
    done = ran(tmp_path, "plot(close)", "--data", "ccxt:kraken:BTC/USD:1m", "--bars", "0")
    assert done.code == 2 and "--bars: must be" in done.err


def test_more_bars_are_drawn_where_more_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pinebench import charts

    drawn: list[int] = []
    view_of = charts.view_of

    def noted(program: Any, first: int, end: int, theme: str) -> Any:
        drawn.append(end - first)
        return view_of(program, first, end, theme)

    monkeypatch.setattr(charts, "view_of", noted)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.pine").write_text(HEAD + "plot(close)")
    for options in ([], ["--bars", "600"], ["--bars", "5000"]):
        data = ["--data", "sample:BTCUSDT@60x700"]
        assert main(["run", "script.pine", *data, "--plot", "chart.svg", *options]) == 0
    assert drawn == [300, 600, 700]
