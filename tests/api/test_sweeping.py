"""`pinebench.optimize`, `walk_forward` and `screen`: the numbers of single back-tests, and ranges of Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import pinebench as pb
from tests.sweeps.support import CROSS

BARS = "sample:BTCUSDT@1Dx200"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))


def test_the_rows_are_the_ones_of_back_tests() -> None:
    ranges = {"Fast": range(4, 12, 4), "Mode": ["EMA", "SMA"], "Slow": 20}
    told: list[object] = []
    done = pb.optimize(CROSS, BARS, ranges, holdout=0, properties={"slippage": 3}, tell=told.append)
    assert len(done) == len(done.results) == 4
    assert told and str(told[-1]).startswith("4 of 4 runs")
    for row in done.results:
        report = pb.backtest(CROSS, BARS, inputs=row["inputs"], properties={"slippage": 3}).report
        for name, value in report.items():
            if isinstance(value, int | float):
                assert row[name] == value, name
    assert done.best == done.results[0]["inputs"]
    assert done.held_back == []
    frame = done.frame()
    assert list(frame["net_profit"]) == [row["net_profit"] for row in done.results]
    assert "Heat map" in done.to_html()
    assert "Verdict: luck" in str(done)
    assert done.judgement["reasons"]


@pytest.mark.parametrize("ranges", [{"Fast": [3, 3]}, {"Fast": []}, {"Fast": [1]}, {"Fats": [1, 2]}, {"Fast": 3}])
def test_wrong_ranges_are_refused(ranges: dict[str, object]) -> None:
    with pytest.raises(pb.UsageError):
        pb.optimize(CROSS, BARS, ranges)


def test_walk_forward_and_screen() -> None:
    told = pb.walk_forward(CROSS, BARS, "train=3M test=1M", {"Fast": "4:8:4"})
    assert len(told["windows"]) == 4
    assert len(told["equity"]["time"]) == len(told["equity"]["value"]) > 80
    rows = pb.screen(CROSS, {"one": BARS, "two": pb.bars(BARS).last(50), "three": "gone.csv"}, "trades >= 0")
    assert {row["symbol"]: row["bars"] for row in rows} == {"one": 200, "two": 50, "three": 0}
    assert rows[-1]["symbol"] == "three" and "gone.csv" in rows[-1]["error"]
