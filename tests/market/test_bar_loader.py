"""Bars by the names that people give them."""

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market import bar_choice
from pinebench.market.bar_loader import load_named

ROW = "time,open,high,low,close\n2026-01-05T14:30:00Z,1,2,1,2\n2026-01-05T14:45:00Z,2,3,1,2\n"


def test_a_name_is_a_file_or_says_that_the_bars_are_made_up(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(ROW)
    assert len(load_named(str(tmp_path / "own.csv")).bars) == 2
    made = load_named("sample:AAPL")
    assert (len(made.bars), made.symbol.symbol, made.symbol.timeframe) == (500, "AAPL", "1D")


def test_a_missing_file_about_the_symbol_is_not_told_as_missing_bars(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(ROW)
    with pytest.raises(UsageError, match=r"gone\.toml") as caught:
        load_named(str(tmp_path / "own.csv"), tmp_path / "gone.toml")
    assert caught.value.hint is None


@pytest.mark.parametrize("price", [1, 60_000])
def test_bars_say_nothing_about_sizes_of_orders(tmp_path: Path, price: int) -> None:
    """Whether whole quantities matter is decided by the account and by the orders, not by the price."""
    rows = "".join(f"2026-01-0{day}T00:00:00Z,{price},{price},{price},{price}\n" for day in (5, 6, 7))
    (tmp_path / "coin.csv").write_text(f"time,open,high,low,close\n{rows}")
    assert "quantity" not in " ".join(load_named(str(tmp_path / "coin.csv")).facts["remarks"])


@pytest.mark.parametrize(
    ("name", "wanted", "count", "expected"),
    [
        ("sample:BTCUSDT@60x20", None, 500, (20, "60")),
        ("sample:BTCUSDT@60", None, 7, (7, "60")),
        ("sample:BTCUSDT", "15", 9, (9, "15")),
        ("sample:BTCUSDT@15x8", "60", 500, (2, "60")),
    ],
)
def test_timeframe_and_number_of_made_up_bars(
    name: str, wanted: str | None, count: int, expected: tuple[int, str]
) -> None:
    made = load_named(name, None, wanted, count)
    assert (len(made.bars), made.symbol.timeframe) == expected


@pytest.mark.parametrize("name", ["sample:NOSUCH", "sample:AAPL@60x0", "sample:AAPL@60xmany", "sample:AAPL@soon"])
def test_made_up_bars_that_there_are_not(name: str) -> None:
    with pytest.raises(UsageError):
        load_named(name)


def test_a_spread_of_sample_symbols_is_computed_from_their_bars() -> None:
    spread, first, second = (load_named(f"sample:{name}@60x200") for name in ("AAPL/AMEX:SPY", "AAPL", "SPY"))
    assert spread.bars.time == first.bars.time == second.bars.time
    assert spread.bars.close == [a / b for a, b in zip(first.bars.close, second.bars.close, strict=True)]
    symbol = spread.symbol
    assert (symbol.symbol, symbol.prefix, symbol.type, symbol.timeframe) == ("AAPL/AMEX:SPY", "", "spread", "60")
    assert symbol.is_made_up and spread.line.startswith("AAPL/AMEX:SPY (made up): 200 bars of 1 hour")
    with pytest.raises(UsageError, match="no symbol 'NONE'"):
        load_named("sample:NONE/AAPL")


def test_a_chart_may_be_a_spread_of_the_symbols_with_files(tmp_path: Path) -> None:
    for name, by in (("a", 1), ("b", 2)):
        rows = [f"2026-01-05T14:{minute:02d}:00Z,{by * 4},{by * 4},{by},{by * 2}" for minute in range(0, 60, 5 * by)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["time,open,high,low,close", *rows]) + "\n")
    given = [f"A={tmp_path}/a.csv", f"X:B={tmp_path}/b.csv"]
    found = bar_choice.names(["1/A - X:B", *given])
    assert found.files() == [tmp_path / "a.csv", tmp_path / "b.csv"]
    chart, others = bar_choice.choose(found)
    assert (chart.symbol.full_name, chart.symbol.timeframe, len(chart.bars)) == ("1/A - X:B", "10", 6)
    assert (chart.bars.close[0], chart.bars.low[0]) == (0.5 - 4, 0.25 - 8)
    assert "titles" not in chart.summary and "no volume" in chart.summary
    assert set(others) == {"A", "X:B"}
    with pytest.raises(UsageError, match="cannot be used for the spread"):
        bar_choice.choose(found, timezone="America/New_York")
    with pytest.raises(UsageError, match="no such file"):
        bar_choice.choose(bar_choice.names(["A/C", *given]))


def test_the_zone_of_the_chart_s_times_is_the_zone_of_the_other_symbols(tmp_path: Path) -> None:
    """Else a script would see the bars of another symbol hours before they begin."""
    rows = "time,open,high,low,close\n2024-01-02 09:30,1,1,1,1\n2024-01-02 09:35,1,1,1,1\n"
    for name in ("chart", "plain", "own", "zoned"):
        (tmp_path / f"{name}.csv").write_text(
            rows.replace(":30,", ":30Z,").replace(":35,", ":35Z,") if name == "zoned" else rows
        )
    (tmp_path / "own.toml").write_text('data_timezone = "Asia/Tokyo"\n')
    texts = [f"{tmp_path}/chart.csv", *(f"{name}={tmp_path}/{name}.csv" for name in ("plain", "own", "zoned"))]
    found = bar_choice.choose(bar_choice.names(texts), timezone="America/New_York")
    hours = {name: data.bars.time[0] // 3_600_000 % 24 for name, data in found.others.items()}
    assert (found.chart.bars.time[0] // 3_600_000 % 24, hours) == (14, {"plain": 14, "own": 0, "zoned": 9})
    assert bar_choice.choose(bar_choice.names(texts)).others["plain"].zone == "UTC"


def test_a_file_of_bars_with_a_mistyped_name_has_a_hint_to_the_one_that_may_be_meant(tmp_path: Path) -> None:
    (tmp_path / "my.csv").write_text("time,open,high,low,close\n2024-01-01,1,1,1,1\n")
    (tmp_path / "my.toml").write_text("mintick = 1\n")
    with pytest.raises(UsageError) as refused:
        load_named(str(tmp_path / "my.cvs"))
    assert refused.value.hint == f"did you mean '{tmp_path / 'my.csv'}'?"
    with pytest.raises(UsageError) as refused:
        load_named(str(tmp_path / "my.csv"), tmp_path / "my.tml")
    assert refused.value.hint == f"did you mean '{tmp_path / 'my.toml'}'?"
