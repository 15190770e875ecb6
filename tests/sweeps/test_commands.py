"""`pinebench optimize --walk-forward` and `pinebench montecarlo`, as a person and a program call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pinebench.cli import main
from tests.sweeps.support import CROSS

BARS = ("--data", "sample:BTCUSDT@1Dx250")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "cross.pine").write_text(CROSS)
    return tmp_path


def test_a_walk_forward_test(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ranges = ("--input", "Fast=2,5", "--input", "Slow=12")
    done = main(["optimize", "cross.pine", *BARS, *ranges, "--walk-forward", "train=4M test=1M", "-o", "w.json"])
    assert done == 0
    told = json.loads((folder / "w.json").read_text())
    assert len(told["windows"]) == 5
    assert {window["inputs"]["Fast"] for window in told["windows"]} <= {2, 5}
    assert told["complete"] is True
    out = capsys.readouterr().out
    assert "Net profit of all tests" in out
    assert "Fast: the most frequent value was chosen in" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--walk-forward", "train=4M"), "train and test are needed"),
        (("--walk-forward", "train=4M test=1M", "-o", "w.csv"), "writes JSON only"),
        (("--walk-forward", "train=4M test=1M", "--page", "w.html"), "writes JSON only"),
        (("--walk-forward", "train=4M test=1M", "--holdout", "0.2"), "--holdout has no meaning"),
        (("--walk-forward", "train=40Y test=1M"), "too short"),
    ],
)
def test_a_wrong_walk_is_one_clear_line(
    options: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["optimize", "cross.pine", *BARS, "--input", "Fast=2,5", *options]) == 2
    assert words in capsys.readouterr().err


def test_monte_carlo(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["montecarlo", "cross.pine", *BARS, "--runs", "50", "--input", "Fast=2", "--input", "Slow=10"]
    assert main(call) == 0
    assert "final equity" in capsys.readouterr().out
    assert main([*call, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["methods"]) == {"bootstrap", "order", "skipped", "worse_fills"}
    order = told["methods"]["order"]["final_equity"]
    assert order["5"] == pytest.approx(order["95"])
    assert 0 <= told["methods"]["bootstrap"]["chance_of_ruin"] <= 1
    assert main([*call, "--ruin", "2"]) == 2
    assert "must be a share between 0 and 1" in capsys.readouterr().err
