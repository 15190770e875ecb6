"""`pinebench.optimize`, `walk_forward` and `screen`: the numbers of single back-tests, and ranges of Python."""

import math
import re
from pathlib import Path
from typing import Any

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
    assert sum(each["runs"] for each in done.tiers) == 4 and done.tiers[0]["reason"]
    assert done.held_back == []
    frame = done.to_pandas()
    assert list(frame["net_profit"]) == [row["net_profit"] for row in done.results]
    assert "Heat map" in done.to_html()
    shown = done._repr_html_()
    assert "Heat map" in shown and "Verdict" in shown and 'sandbox="allow-scripts"' in shown
    assert "Verdict: luck" in str(done)
    assert done.judgement["reasons"]


def test_a_search_without_a_result_has_no_verdict() -> None:
    done = pb.optimize(CROSS, BARS, {"Fast": [4, 8]}, constraints="trades > 100000")
    assert (done.verdict, done.best, done.judgement) == (None, {}, {})
    assert repr(done) == "<2 combinations, none with a result>"


@pytest.mark.parametrize("ranges", [{"Fast": [3, 3]}, {"Fast": []}, {"Fast": [1]}, {"Fats": [1, 2]}, {"Fast": 3}])
def test_wrong_ranges_are_refused(ranges: dict[str, object]) -> None:
    with pytest.raises(pb.UsageError):
        pb.optimize(CROSS, BARS, ranges)


@pytest.mark.parametrize("name", ["trials", "jobs"])
@pytest.mark.parametrize("value", [0, 1.5, "2"])
def test_no_trials_and_no_workers_are_refused(name: str, value: Any) -> None:
    with pytest.raises(pb.UsageError, match=f"the number of {name} must be a whole number from 1, not {value}"):
        pb.optimize(CROSS, BARS, **{name: value})


def test_one_constraint_is_a_text() -> None:
    ranges = {"Fast": [4, 8], "Slow": 20, "Mode": "EMA"}
    done = pb.optimize(CROSS, BARS, ranges, holdout=0, constraints="trades > 9999")
    assert not done.best
    assert len(done) == 2


def test_a_grid_that_is_too_large_says_the_arguments_that_make_it_smaller() -> None:
    """The arguments of the hint are used as they are told."""
    with pytest.raises(pb.UsageError, match="at most 10 may be tried") as refused:
        pb.optimize(CROSS, BARS, trials=10)
    hint = refused.value.hint or ""
    assert "--" not in hint
    ranges, search = re.findall(r"(ranges=\{.*\}|search=\"\w+\")", hint)
    for words in (ranges, search):
        done = pb.optimize(CROSS, BARS, trials=10, **eval(f"dict({words})"))
        assert len(done) == 10
    with pytest.raises(pb.UsageError) as refused:
        pb.walk_forward(CROSS, BARS, "train=3M test=1M", trials=10)
    assert ranges in (refused.value.hint or "")


def test_walk_forward() -> None:
    done = pb.walk_forward(CROSS, BARS, "train=3M test=1M", {"Fast": "4:8:4"})
    assert len(done) == len(done.windows) == 4
    assert len(done.times) == len(done.equity) > 80
    frame = done.to_pandas()
    assert list(frame["Fast"]) == [window["inputs"]["Fast"] for window in done.windows]
    assert list(frame["test_ends"])[:-1] == list(frame["test_begins"])[1:]
    assert str(frame["test_begins"].dt.tz) == "UTC"
    assert {each["name"] for each in done.tiers} <= {"python", "compiled"} and done.tiers
    capital = done.report["initial_capital"]  # each test begins with the capital that the one before left
    grown = capital * math.prod(1 + percent / 100 for percent in frame["tested"])
    assert grown - capital == pytest.approx(done.report["net_profit"])
    assert done.trades and {trade["window"] for trade in done.trades} <= {1, 2, 3, 4}
    assert done.stability["Fast"]["chosen"]
    shown = done._repr_html_()
    assert shown.count("<tr>") == 5 and "Net profit of all tests" in shown and "Net profit of all tests" in str(done)


def test_a_screen_has_a_row_for_each_symbol() -> None:
    symbols = {"<one>": BARS, "two": pb.bars(BARS).last(50), "three": "gone.csv"}
    found = pb.screen(CROSS, symbols, "trades >= 0", rank="trades", tier="python")
    assert {(row["tier"], row["tier_reason"]) for row in found if row["bars"]} == {
        ("python", "the run requested this tier")
    }
    assert {row["symbol"]: row["bars"] for row in found} == {"<one>": 200, "two": 50, "three": 0}
    assert found[-1]["symbol"] == "three" and "gone.csv" in found[-1]["error"]
    assert found.matches == [row["symbol"] for row in found[:2]] == ["<one>", "two"]
    frame = found.to_pandas()
    assert list(frame["trades"])[:2] == [row["values"]["trades"] for row in found[:2]]
    assert frame["last_time"][0] == pb.bars(BARS).to_pandas().index[-1]
    shown = found._repr_html_()
    assert "<td>&lt;one&gt; (made up)</td>" in shown and "2 of 3 match" in shown and "gone.csv" in shown
    assert "2 of 3 match" in str(found)


def test_one_symbol_is_a_name_and_none_is_refused() -> None:
    assert pb.screen(CROSS, BARS, "trades >= 0").matches == [BARS]
    with pytest.raises(pb.UsageError, match="no symbol to screen"):
        pb.screen(CROSS, [], "trades >= 0")
