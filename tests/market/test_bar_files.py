"""Bars from CSV files: every common form is read, and nothing that is no bar gets in."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.errors import UsageError
from pinebench.market.bar_files import read_csv
from pinebench.market.bars import Bars

BARS = Bars([1_700_000_000_000, 1_700_003_600_000], [1.0, 2.0], [3.0, 4.0], [0.5, 1.0], [2.0, 3.0], [10.0, 20.0])


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "bars.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("stamps", "kind"),
    [
        (("1700000000", "1700003600"), "seconds"),
        (("1700000000000", "1700003600000"), "milliseconds"),
        (("2023-11-14T22:13:20Z", "2023-11-14T23:13:20Z"), "ISO 8601"),
        (("2023-11-14 22:13:20", "2023-11-14 23:13:20"), "ISO 8601"),
        (("2023-11-15T00:13:20+02:00", "2023-11-15T01:13:20+02:00"), "ISO 8601"),
    ],
)
def test_times_of_every_common_kind_are_read_and_named(tmp_path: Path, stamps: tuple[str, str], kind: str) -> None:
    rows = [f"{stamps[0]},1,3,0.5,2,10", f"{stamps[1]},2,4,1,3,20"]
    for text in (
        "\n".join(["time,open,high,low,close,volume", *rows]),
        "\r\n".join(["\ufeffTime,Open,High,Low,Close,Volume", *rows, ""]),
    ):
        assert read_csv(written(tmp_path, text))[:2] == (BARS, kind)


def test_the_export_of_a_chart_is_read_though_it_has_other_columns(tmp_path: Path) -> None:
    text = (
        'time,open,high,low,close,"Plot, with comma",Volume\n1700000000,1,3,0.5,2,NaN,10\n1700003600,2,4,1,3,7.5,20\n'
    )
    assert read_csv(written(tmp_path, text)).bars == BARS


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators(tmp_path: Path, mark: str) -> None:
    text = "volume,close,low,high,open,timestamp\n10,2,0.5,3,1,1700000000\n20,3,1,4,2,1700003600\n".replace(",", mark)
    assert read_csv(written(tmp_path, text)).bars == BARS


def test_volume_that_is_not_there_is_nan(tmp_path: Path) -> None:
    without = read_csv(written(tmp_path, "time,open,high,low,close\n1700000001,1,1,1,1\n")).bars
    empty = read_csv(
        written(tmp_path, "time,open,high,low,close,volume\n1700000001,1,1,1,1,\n1700000002,1,1,1,1,NaN\n")
    ).bars
    assert all(map(math.isnan, without.volume + empty.volume))


def test_a_chart_export_may_repeat_the_volume(tmp_path: Path) -> None:
    """TradingView writes the column again for each script on the chart that plots a "volume"."""
    twice = "time,open,high,low,close,volume,Plot,volume\n1700000001,1,1,1,1,5,9,5\n1700000002,1,1,1,1,,9,\n"
    assert read_csv(written(tmp_path, twice)).bars.volume[0] == 5
    with pytest.raises(UsageError, match="the column 'volume' occurs twice, with different values"):
        read_csv(written(tmp_path, twice.replace(",9,5", ",9,6")))


HEAD = "time,open,high,low,close,volume\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("time,open,high,low\n1700000001,1,1,1\n", "line 1: there is no column 'close'"),
        ("time,open,high,low,close,Open\n1700000001,1,1,1,1,1\n", "line 1: the column 'open' occurs twice"),
        (HEAD + "yesterday,1,1,1,1,1\n", "line 2: 'yesterday' is not a time"),
        (HEAD + "1700000001,1,1,1,1,1\n2023-11-14,1,1,1,1,1\n", "line 3: '2023-11-14' is not a time in the format"),
        (HEAD + "1700000001,1,1,1,1,1\n1700000002,1,x,1,1,1\n", "line 3: the high 'x' is not a number"),
        (HEAD + "1700000001,1,1,1,1,1\n1700000002,1,1,1,1,many\n", "line 3: the volume 'many' is not a number"),
        (HEAD + "1700000001,5,4,3,3,1\n", "line 2: high and low do not enclose"),
        (HEAD + "1700000001,nan,nan,nan,nan,1\n", "line 2: the open 'nan' is not a number"),
        (HEAD + "1700000001,1,1,1\n", "line 2: the row has 4 cells, but the first row has 6"),
        (HEAD + "1700000001,1,1,1,1,1\n\n1700000001,1,1,1,1,1\n", "line 4: it has the same time as the bar before"),
        (HEAD + "".join(f"170000000{n},1,1,1,1,1\n" for n in (3, 5, 4)), "line 4: it is earlier than the bar before"),
        (HEAD + "9999999999999999,1,1,1,1,1\n", "line 2: 9999999999999999 is not a time"),
        (HEAD + "0001-01-01,1,1,1,1,1\n", "line 2"),
        (HEAD + "9" * 400 + ",1,1,1,1,1\n", "line 2"),
    ],
)
def test_what_cannot_be_bars_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as refused:
        read_csv(path)
    assert words in refused.value.message
    assert str(path) in refused.value.message
    assert refused.value.hint


@given(st.text(alphabet='time,opnhighlwcsvu0123456789.-;\n"', max_size=200))
def test_any_text_is_bars_or_is_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text(HEAD + text, encoding="utf-8")
    try:
        bars = read_csv(path).bars
    except UsageError:
        return
    assert bars.time == sorted(set(bars.time))
