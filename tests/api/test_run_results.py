"""Scripts run from Python: bars of any kind in, columns out, the same as the command line gives."""

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy
import pandas
import polars
import pytest

import pinebench as pb
from pinebench.errors import UsageError
from tests.runtime.running import HEAD, bars_of

BARS = bars_of([1.0, 2.0, 3.0, 4.0])
FRAME = pandas.DataFrame({name: getattr(BARS, name) for name in ("time", "open", "high", "low", "close", "volume")})
CROSS = """//@version=6
strategy("Cross")
if bar_index % 10 == 2
    strategy.entry("Long", strategy.long)
if bar_index % 10 == 7
    strategy.close("Long")
plot(close, "Price")
"""


def test_columns_are_arrays_with_na_as_nan() -> None:
    source = (
        HEAD + 'n = input.int(2, "Length")\nplot(ta.sma(close, n), "Mean")\nplot(open)\nplotshape(close > 2, "Mean")'
    )
    done = pb.run(source, FRAME, inputs={"Length": 3})
    assert list(done.plots) == ["Mean", "Plot 2", "Mean 2"]
    arrays = done.to_numpy()
    numpy.testing.assert_array_equal(arrays["Mean"], [numpy.nan, numpy.nan, 2, 3])
    assert arrays["Mean"].dtype == numpy.float64
    assert (arrays["Mean 2"].dtype, arrays["Mean 2"].tolist()) == (bool, [False, False, True, True])
    assert arrays["time"].astype(numpy.int64).tolist() == BARS.time


def test_frames_of_pandas_and_polars_have_the_bars_and_the_plots() -> None:
    done = pb.run(HEAD + 'plot(close * 2, "close")\nplot(na, "Nothing")', FRAME)
    frame, other = done.to_pandas(), done.to_polars()
    names = ["open", "high", "low", "close", "volume", "close 2", "Nothing"]
    assert list(frame.columns) == names and other.columns == ["time", *names]
    assert frame["close 2"].tolist() == other["close 2"].to_list() == [2, 4, 6, 8]
    assert str(frame.index.dtype) == "datetime64[ms, UTC]" and other.schema["time"] == polars.Datetime("ms", "UTC")
    assert [stamp.timestamp() * 1000 for stamp in frame.index] == BARS.time
    assert math.isnan(frame["Nothing"].iloc[0])
    again = pb.bars(frame[["open", "high", "low", "close", "volume"]])
    assert list(again.times) == BARS.time and pb.bars(other.drop("Nothing", "close 2")).columns == again.columns


def test_the_timeframe_and_the_tick_come_from_the_bars() -> None:
    source = HEAD + "plot(timeframe.multiplier)\nplot(syminfo.mintick)"
    assert [column[0] for column in pb.run(source, BARS).plots.values()] == [15, 0.01]
    with pytest.raises(pb.UsageError, match='timeframe = "30" does not fit the bars'):
        pb.run(source, BARS, symbol={"timeframe": "30"})
    with pytest.raises(pb.UsageError, match="'tick' is not a property of a symbol"):
        pb.run(source, BARS, symbol={"tick": 1})


def test_other_symbols_are_given_as_bars_too() -> None:
    source = HEAD + 'plot(request.security("EX:B", "", close))'
    twice = FRAME.assign(open=FRAME["open"] * 2, high=FRAME["high"] * 2, close=FRAME["close"] * 2)
    assert pb.run(source, BARS, others={"EX:B": twice})["Plot 1"] == [2, 4, 6, 8]
    with pytest.raises(pb.NotComputed, match="a request for EX:B"):
        pb.run(source, BARS)


def test_a_script_that_stops_raises_with_place_and_what_there_was() -> None:
    source = HEAD + 'plot(close)\nlog.info("before")\nif bar_index == 2\n    runtime.error("enough")'
    with pytest.raises(pb.ScriptStopped, match="Error on bar 2: enough") as caught:
        pb.run(source, BARS)
    assert (caught.value.bar, caught.value.line) == (2, 6)
    assert [log.message for log in caught.value.run.logs] == ["before"] * 3


def test_a_strategy_that_stops_gives_no_figures() -> None:
    with pytest.raises(pb.ScriptStopped, match="enough"):
        pb.backtest(CROSS + 'if bar_index == 20\n    runtime.error("enough")', "sample:AAPL@1Dx50")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: pb.bars("sample:AAPL", count=0), "0 bars cannot be loaded"),
        (lambda: pb.bars("sample:AAPL", count=-5), "-5 bars cannot be loaded"),
        (lambda: pb.run(CROSS, BARS).figure(-5), "-5 bars cannot be drawn"),
        (lambda: pb.run(CROSS, BARS, seconds=0), "a run needs processor time"),
        (lambda: pb.backtest(CROSS, BARS, first=5), "first = 5 is not a date"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_a_number_that_cannot_be_is_refused(ask: Callable[[], object], words: str) -> None:
    """`count=0` gave all bars there are."""
    with pytest.raises(UsageError, match=words):
        ask()


def test_bars_that_are_none_are_refused() -> None:
    with pytest.raises(pb.UsageError, match="no column 'high'"):
        pb.run(HEAD + "plot(close)", FRAME.drop(columns="high"))


def test_a_count_is_only_for_bars_that_are_fetched_or_made(tmp_path: Path) -> None:
    held = pb.bars("sample:AAPL", count=5)
    file = tmp_path / "bars.csv"
    held.to_pandas().to_csv(file)
    for given in (held, held.to_pandas(), str(file), file):
        with pytest.raises(pb.UsageError, match="count = 3 has no effect"):
            pb.bars(given, count=3)
    assert (len(held), len(pb.bars(file))) == (5, 5)


def test_a_script_with_errors_and_an_unknown_input_are_refused() -> None:
    with pytest.raises(pb.DoesNotCompile, match="lenght"):
        pb.run(HEAD + "plot(lenght)", FRAME)
    with pytest.raises(pb.UsageError, match="Lenght"):
        pb.run(HEAD + 'plot(input.int(1, "Length"))', FRAME, inputs={"Lenght": 3})
    with pytest.raises(pb.UsageError, match="there is no theme 'night'"):
        pb.run(HEAD + "plot(close)", FRAME, theme="night")


def test_trades_are_the_ones_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "cross.pine"
    file.write_text(CROSS, encoding="utf-8")
    test = pb.backtest(file, "sample:AAPL@1Dx120", properties={"commission_value": 0.1}, first="2020-01-01")
    told = subprocess.run(
        (
            f"{sys.executable} -m pinebench backtest {file} --data sample:AAPL@1Dx120 --commission-value 0.1 "
            "--from 2020-01-01 --format json"
        ).split(),
        capture_output=True,
        check=True,
        text=True,
    )
    known = json.loads(told.stdout)
    assert [trade._asdict() for trade in test.trades] == known["trades"]
    assert test.report["net_profit"] == known["report"]["net_profit"]
    assert len(test.equity) == 120 == len(test["Price"])
    frame = test.trades_frame()
    assert list(frame["profit"]) == [trade.profit for trade in test.trades]
    assert test.to_csv().startswith("Trade #,")


def test_a_run_says_which_tier_ran_it_and_both_give_the_same() -> None:
    by_python, compiled = (pb.run(CROSS, "sample:AAPL@1Dx200", tier=tier) for tier in ("python", "compiled"))
    assert (by_python.tier["name"], compiled.tier["name"]) == ("python", "compiled")
    assert repr(by_python.plots) == repr(compiled.plots)
    tested = [pb.backtest(CROSS, "sample:AAPL@1Dx200", tier=tier) for tier in ("python", "compiled", "auto")]
    assert [each.tier["name"] for each in tested] == ["python", "compiled", "python"]
    assert len({repr((each.trades, each.equity)) for each in tested}) == 1
    assert tested[0].trades
    refused = pb.run(HEAD + "plot(array.size(label.all))", FRAME, tier="compiled")
    assert refused.tier["name"] == "python" and "line" in refused.tier["reason"]
    with pytest.raises(pb.UsageError, match="there is no tier 'fast'"):
        pb.run(CROSS, FRAME, tier="fast")  # pyright: ignore[reportArgumentType]


def test_an_indicator_is_no_strategy() -> None:
    with pytest.raises(pb.UsageError, match="the script is not a strategy"):
        pb.backtest(HEAD + "plot(close)", FRAME)
    with pytest.raises(pb.UsageError, match="'comission' is not a property"):
        pb.backtest(CROSS, FRAME, properties={"comission": 1})


def test_a_figure_is_saved_as_its_name_says_and_shown_in_notebooks(tmp_path: Path) -> None:
    figure = pb.backtest(CROSS, "sample:AAPL@1Dx50").figure(40, theme="dark", width=400, height=300)
    figure.save(tmp_path / "a.png")
    figure.save(tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes() == figure.to_png()
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").endswith("</svg>\n")
    with pytest.raises(pb.UsageError, match="neither a picture nor a page"):
        figure.save(tmp_path / "a.gif")
    shown = figure._repr_mimebundle_()
    assert 'sandbox="allow-scripts"' in shown["text/html"] and shown["image/png"] == figure.to_png()


def test_a_back_test_says_in_a_notebook_that_its_prices_are_made_up() -> None:
    page = pb.backtest(CROSS, "sample:AAPL@1Dx50")._repr_mimebundle_()["text/html"]
    assert "The prices are made up" in page and "Net profit" in page


def test_texts_of_a_script_cannot_act_in_a_notebook() -> None:
    source = CROSS.replace('"Long"', '"<script>alert(1)</script>"')
    test = pb.backtest(source, "sample:AAPL@1Dx50")
    page = test._repr_mimebundle_()["text/html"]
    assert "<script>" not in page


def test_repainting_is_found_and_named() -> None:
    source = HEAD + 'plot(request.security(syminfo.tickerid, "D", close, lookahead = barmerge.lookahead_on), "Day")'
    found = pb.run(source, "sample:AAPL@60x200").check_repainting()
    assert not found.ok and found.findings[0]["line"] == 3 and "line 3" in str(found)
    assert pb.run(HEAD + "plot(close)", "sample:AAPL@60x200").check_repainting().ok


@pytest.mark.parametrize(("first", "last"), [("2041-01-01", None), (None, "1991-01-01")])
def test_a_test_without_a_bar_between_its_dates_is_refused(first: str | None, last: str | None) -> None:
    with pytest.raises(pb.UsageError, match="no bars for the test"):
        pb.backtest(CROSS, "sample:AAPL@1Dx120", first=first, last=last)
