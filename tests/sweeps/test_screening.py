"""Screening: values of the last bars, the ranked table, and that one bad symbol is a row and not the end."""

import csv
import functools
import io
import json
import math
import sys
from datetime import datetime
from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.cli import main
from pinebench.context import CancelledError, Context
from pinebench.errors import UnavailableError, UsageError
from pinebench.market import Bars, Data
from pinebench.sweeps import screening, symbol_values
from pinebench.sweeps.expressions import FunctionCall
from pinebench.workers.jobs import perform
from tests.sweeps.support import CROSS, request, walk

SCRIPT = """//@version=6
indicator("Screen")
n = input.int(14, "Length")
plot(ta.rsi(close, n), "RSI")
plot(ta.sma(close, 20), "My SMA")
plot(bar_index > 1000 ? close : na, "Late")
"""
START = 1_577_836_800_000


def written(folder: Path, name: str, bars: Bars) -> None:
    rows = "\n".join(",".join(map(repr, (START + row[0], *row[1:]))) for row in zip(*bars.columns(), strict=True))
    (folder / name).write_text(f"time,open,high,low,close,volume\n{rows}\n")


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Five good symbols, and three files that hold no bars."""
    folder = tmp_path / "bars"
    folder.mkdir()
    for seed in range(5):
        written(folder, f"EX_S{seed}_60.csv", walk(seed, 120))
    (folder / "EX_BAD_60.csv").write_text("time,open\nnothing\n")
    (folder / "EX_EMPTY_60.csv").write_text("")
    (folder / "EX_ODD_60.parquet").write_bytes(b"PAR1 no")
    (folder / "notes.txt").write_text("not bars")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.pine").write_text(SCRIPT)
    (tmp_path / "cross.pine").write_text(CROSS)
    return folder


def rows_of(where: str, *, rank: str | None = None, market: Path, count: int = 1000) -> list[screening.ScreenRow]:
    condition = screening.condition_of(where)
    ranking = None if rank is None else screening.condition_of(rank)
    places = screening.places(str(market), None, [])
    return list(screening.screen(open_program(SCRIPT), places, condition, ranking, count=count))


def test_values_are_the_ones_of_a_run_and_bad_symbols_are_rows(market: Path) -> None:
    rows = rows_of("last(RSI) < 50 and last(close) > last('My SMA') * 0.9", rank="-last(RSI)", market=market)
    assert len(rows) == 8
    good = [row for row in rows if row.error is None]
    assert {row.symbol for row in rows} - {row.symbol for row in good} == {"EX_BAD_60", "EX_EMPTY_60", "EX_ODD_60"}
    assert all(row.error for row in rows if row not in good)
    for seed, row in enumerate(sorted(good, key=lambda each: each.symbol)):
        bars = walk(seed, 120)
        bars = Bars([START + time for time in bars.time], *bars.columns()[1:])
        ran = perform(request(SCRIPT, bars)).result
        rsi, mean = ran.plot("RSI")[-1], ran.plot("My SMA")[-1]
        assert row.values["last(RSI)"] == rsi
        assert row.values["last('My SMA')"] == mean
        assert row.matches == (rsi < 50 and bars.close[-1] > mean * 0.9)
        assert row.rank == -rsi
        assert (row.bars, row.last_time) == (120, bars.time[-1])
    ranked = screening.ranked(rows)
    ranks = [row.rank for row in ranked if row.matches]
    assert ranks == sorted((rank for rank in ranks if rank is not None), reverse=True)
    assert all(row.error for row in ranked[-3:])


def test_functions_of_the_last_bars() -> None:
    series = [1.0, 5.0, 3.0, 4.0, math.nan, 2.0, 6.0]
    value = symbol_values._value
    assert value(FunctionCall("last", ("x",)), series) == 6
    assert value(FunctionCall("ago", ("x", 1)), series) == 2
    assert value(FunctionCall("ago", ("x", 2)), series) is None
    assert value(FunctionCall("ago", ("x", 7)), series) is None
    assert value(FunctionCall("change", ("x", 1)), series) == 4
    assert value(FunctionCall("highest", ("x", 2)), series) == 6
    assert value(FunctionCall("lowest", ("x", 2)), series) == 2
    assert value(FunctionCall("mean", ("x", 2)), series) == 4
    assert value(FunctionCall("mean", ("x", 3)), series) is None
    assert value(FunctionCall("mean", ("x", 8)), series) is None
    assert value(FunctionCall("last", ("x",)), [True]) == 1


def test_remarks_about_the_bars_are_told_with_their_row(market: Path) -> None:
    """The command for one chart prints them, and a screen has no other place for them."""
    head, *lines = (market / "EX_S0_60.csv").read_text().splitlines()
    (market / "EX_S0_60.csv").write_text("\n".join([head, *reversed(lines)]))
    condition = screening.condition_of("last(close) > 0")
    places = screening.places(str(market), "EX_S0*,EX_S1*", ["240"])
    told = [row.notes for row in screening.screen(open_program(SCRIPT), places, condition, count=10)]
    joined = "120 bars of 1 hour were aggregated to 30 bars of 4 hours"
    assert told == [(f"{market}/EX_S0_60.csv: the newest bar came first, so the rows were reversed", joined), (joined,)]


def test_a_figure_of_strategies_is_refused_for_an_indicator(market: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each symbol could not be decided, which looked like no match."""
    arguments = ["screen", str(market.parent / "s.pine"), "--data", str(market)]
    (market.parent / "s.pine").write_text(SCRIPT)
    for more in (["--where", "trades > 5"], ["--where", "last(close) > 0", "--rank", "sharpe_ratio"]):
        assert main([*arguments, *more]) == 2
        assert "is a figure of strategies, and this script is an indicator" in capsys.readouterr().err


def test_a_value_that_is_na_decides_nothing(market: Path) -> None:
    good = [row for row in rows_of("last(Late) > 0", market=market) if row.error is None]
    assert [row.matches for row in good] == [None] * 5
    assert "5 cannot be decided, because a value is na" in screening.as_text(good, str)


def test_bars_that_end_earlier_and_what_runs_assumed_are_told(market: Path) -> None:
    """The last values of symbols whose files end at other times are not of the same time."""
    later = walk(0, 120)
    late = Bars([time + 30 * 24 * 3_600_000 for time in later.time], *later.columns()[1:])
    written(market, "EX_S1_60.csv", late)
    (market / "EX_S2_60.toml").write_text('type = "stock"')
    script = SCRIPT + 'plot(syminfo.type == "crypto" ? 1 : 0, "Coin")\n'
    condition = screening.condition_of("last(Coin) >= 0")
    rows = list(screening.screen(open_program(script), screening.places(str(market), "EX_S*", []), condition))
    told = screening.report(rows, condition, None)
    assert told["remarks"] == [
        "the last bars have different dates: the newest is from 2020-02-04, but EX_S0_60 60 on 2020-01-05, "
        "EX_S2_60 60 on 2020-01-05, EX_S3_60 60 on 2020-01-05, EX_S4_60 60 on 2020-01-05"
    ]
    assert told["remarks"][0] in screening.as_text(rows, str)
    notes = {row["symbol"]: row["notes"] for row in told["rows"]}
    assert notes["EX_S2_60"] == []
    assert [words.partition(",")[0] for words in notes["EX_S0_60"]] == ['the script reads syminfo.type = "crypto"']
    assert notes["EX_S0_60"][0] in screening.as_text(rows, str)
    assert [row["notes"] for row in csv.DictReader(screening.as_csv(rows).splitlines())][:1] == notes["EX_S0_60"]


@pytest.mark.parametrize(
    ("month", "week", "hour", "older"),
    [
        ("2024-12-01", "2024-12-23", "2024-12-31T23:00", []),
        ("2024-12-01", "2024-12-02", "2024-12-03T05:00", []),
        ("2024-11-01", "2024-12-23", "2024-12-31T23:00", ["1M"]),
        ("2024-12-01", "2024-11-25", "2024-12-31T23:00", ["1W"]),
        ("2024-12-01", "2024-12-23", "2024-11-10T23:00", ["60"]),
    ],
)
def test_a_long_bar_that_has_the_time_of_the_newest_is_not_older(
    market: Path, month: str, week: str, hour: str, older: list[str]
) -> None:
    """A month opens up to thirty days before the last hour in it."""
    rows: list[screening.ScreenRow] = []
    for frame, text in (("1M", month), ("1W", week), ("60", hour)):
        time = round(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)
        rows.append(screening.ScreenRow("X", frame, matches=True, bars=9, last_time=time))
    told = screening.report(rows, screening.condition_of("last(close) > 0"), None)["remarks"]
    named = [each.split()[1] for words in told for each in words.partition(", but ")[2].split(", ")]
    assert named == older


def test_a_plot_that_the_script_does_not_have_is_named(market: Path) -> None:
    rows = rows_of("last(RSJ) > 0", market=market)
    assert "there is no plot 'RSJ'; the script's plots: RSI, My SMA, Late" in [row.error for row in rows]


def test_a_symbol_on_which_the_script_stops_is_a_row(market: Path) -> None:
    script = SCRIPT + 'if close > 1000000 or bar_index == 119 and close > open\n    runtime.error("stop here")\n'
    places = screening.places(str(market), "EX_S*", [])
    rows = list(screening.screen(open_program(script), places, screening.condition_of("last(RSI) > 0")))
    stopped = [row for row in rows if row.error is not None]
    assert 0 < len(stopped) < 5
    assert all("stop here" in str(row.error) for row in stopped)


def test_a_missing_extra_is_no_fault_of_a_symbol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ccxt", None)
    where = screening.condition_of("last(close) > 0")
    symbols = screening.places("ccxt:binance", "BTC/USDT,ETH/USDT", [])
    with pytest.raises(UnavailableError, match="needs the extra 'data'"):
        list(screening.screen(open_program(SCRIPT), symbols, where))


def test_only_one_symbol_is_in_memory(market: Path) -> None:
    """The next bars are loaded only when the row before was taken."""
    loaded: list[str] = []

    def load(place: screening.ScreenTarget, count: int) -> object:
        loaded.append(place.symbol)
        return screening.loaded(place, count)

    places = screening.places(str(market), "EX_S*", [])
    rows = screening.screen(
        open_program(SCRIPT),
        places,
        screening.condition_of("last(RSI) > 0"),
        load=load,  # pyright: ignore[reportArgumentType]
    )
    for number, _ in enumerate(rows, 1):
        assert len(loaded) == number


def test_a_screen_can_be_cancelled(market: Path) -> None:
    places = screening.places(str(market), "EX_S*", [])
    seen: list[screening.ScreenRow] = []
    context = Context(cancelled=lambda: len(seen) >= 2)
    with pytest.raises(CancelledError):
        for row in screening.screen(
            open_program(SCRIPT), places, screening.condition_of("last(RSI) > 0"), context=context
        ):
            seen.append(row)
    assert len(seen) == 2


def test_symbols_and_timeframes(market: Path) -> None:
    assert len(screening.places(str(market), None, [])) == 8
    assert [place.symbol for place in screening.places(str(market), "ex_s1*,EX_S3_60", [])] == ["EX_S1_60", "EX_S3_60"]
    frames = screening.places(str(market), "EX_S1_60", ["240", "1D"])
    assert [place.timeframe for place in frames] == ["240", "1D"]
    assert len(screening.loaded(frames[0], 1000).bars) == 30
    assert len(screening.loaded(frames[0], 7).bars) == 7
    sample = screening.places("sample", "BTC*", ["1D"])
    assert [place.bars for place in sample] == ["sample:BTCUSDT@1D", "sample:BTCUSDT.P@1D"]
    exchange = screening.places("ccxt:binance", "BTC/USDT,ETH/USDT", ["4h"])
    assert [place.bars for place in exchange] == ["ccxt:binance:BTC/USDT:4h", "ccxt:binance:ETH/USDT:4h"]
    for data, symbols, words in (
        (str(market), "NO*", "has no symbol that matches"),
        ("nowhere", None, "is not a folder"),
        ("ccxt:binance", "BTC*", "needs a list of symbols"),
        ("ccxt:binance", None, "needs a list of symbols"),
    ):
        with pytest.raises(UsageError, match=words):
            screening.places(data, symbols, [])


def test_the_command(market: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["screen", "s.pine", "--data", "bars", "--where", "last(RSI) > 0", "--rank", "last(RSI)"]
    assert main(call) == 0
    text = capsys.readouterr()
    assert "5 of 8 match" in text.out
    assert "EX_BAD_60: " in text.out
    assert main([*call, "--format", "json", "--symbols", "EX_S*", "--timeframe", "240"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["matches"], told["failed"], len(told["rows"])) == (5, 0, 5)
    assert [row["rank"] for row in told["rows"]] == sorted((row["rank"] for row in told["rows"]), reverse=True)
    assert main([*call, "--format", "csv", "-o", "t.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("t.csv").read_text())))
    assert len(rows) == 8 and rows[0]["matches"] == "true" and float(rows[0]["last(RSI)"]) > 0
    assert main([*call[:4], "--where", "last(RSI) > 1000"]) == 1
    assert main([*call[:4], "--where", "last(NO) > 1"]) == 2
    assert "no symbol has values" in capsys.readouterr().err
    assert main(["screen", "cross.pine", "--data", "bars", "--where", "trades >= 0 and net_profit > -1e9"]) == 0
    assert main([*call[:4], "--where", "last(RSI"]) == 2
    assert "is not an expression" in capsys.readouterr().err


def test_ctrl_c_writes_the_rows_so_far(
    market: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load, seen = screening.loaded, list[str]()

    def interrupted(place: screening.ScreenTarget, count: int) -> Data:
        seen.append(place.symbol)
        if len(seen) == 5:
            raise KeyboardInterrupt
        return load(place, count)

    screen = functools.partial(screening.screen, load=interrupted)
    monkeypatch.setattr(screening, "screen", screen)
    assert main(["screen", "s.pine", "--data", str(market), "--where", "last(RSI) > 0", "--format", "json"]) == 130
    told = capsys.readouterr()
    table = json.loads(told.out)
    assert [row["symbol"] for row in table["rows"]] == ["EX_S0_60", "EX_BAD_60", "EX_EMPTY_60", "EX_ODD_60"]
    assert "stopped: 4 symbols were not screened" in table["remarks"]
    assert "stopped: 4 symbols were not screened" in told.err
