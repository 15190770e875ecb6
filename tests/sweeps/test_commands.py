"""`pinebench optimize --walk-forward` and `pinebench montecarlo`, as a person and a program call them."""

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


@pytest.mark.parametrize("tier", ["python", "compiled"])
def test_a_walk_forward_test_runs_on_the_tier_that_was_asked_for(folder: Path, tier: str) -> None:
    ranges = ("--input", "Fast=2,5", "--input", "Slow=12", "--tier", tier)
    assert main(["optimize", "cross.pine", *BARS, *ranges, "--walk-forward", "train=4M test=1M", "-o", "w.json"]) == 0
    told = json.loads((folder / "w.json").read_text())["tiers"]
    assert [(each["name"], each["reason"]) for each in told] == [(tier, "the run requested this tier")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--walk-forward", "train=4M"), "train and test"),
        (("--walk-forward", "train=4M test=1M", "-o", "w.csv"), "writes JSON only"),
        (("--walk-forward", "train=4M test=1M", "--page", "w.html"), "writes JSON only"),
        (("--walk-forward", "train=4M test=1M", "--holdout", "0.2"), "--holdout has no effect"),
        (("--walk-forward", "train=40Y test=1M"), "too few bars"),
    ],
)
def test_a_wrong_walk_is_one_clear_line(
    options: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["optimize", "cross.pine", *BARS, "--input", "Fast=2,5", *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--input", "Fast=5-50"), "takes a whole number, not '5-50' (expected, for example, 'Length=5:50:5'"),
        (("--input", "Fast=2,5", "-o", "out.xlsx"), "-o out.xlsx is not a kind of file that optimize writes"),
        (("--input", "Fast=2,5", "--jobs", "100000"), "100,000 workers are too many for"),
        (("--jobs", "2", "--scheduler", "tls://127.0.0.1:1"), "--jobs and --scheduler cannot be combined"),
        (("--input", "Fast=2,5", "--holdout", "30"), "a fraction from 0 to 0.9, such as 0.3, not '30'"),
    ],
)
def test_a_mistake_is_one_clear_line(
    options: tuple[str, ...], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["optimize", "cross.pine", *BARS, *options]) == 2
    assert words in capsys.readouterr().err
    assert sorted(each.name for each in folder.iterdir() if each.is_file()) == ["cross.pine"]


def test_an_indicator_is_told_apart_before_its_inputs_are_looked_at(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "i.pine").write_text('//@version=6\nindicator("")\nplot(close)\n')
    assert main(["optimize", "i.pine", *BARS]) == 2
    assert "not a strategy" in capsys.readouterr().err


def test_constraints_that_nothing_meets_are_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["optimize", "cross.pine", *BARS, "--input", "Fast=2,5", "--constraint", "trades > 9999"]) == 1
    assert "2 violate a constraint, or have an unknown metric" in capsys.readouterr().out


def test_the_page_has_the_days_of_its_curves(folder: Path) -> None:
    assert main(["optimize", "cross.pine", *BARS, "--input", "Fast=2,5", "--page", "p.html"]) == 0
    page = (folder / "p.html").read_text()
    data = json.loads(page.partition('<script id="data" type="application/json">')[2].partition("</script>")[0])
    day = 86_400_000
    assert data["begins"] < data["cut"] < data["ends"]
    assert (data["ends"] - data["begins"]) / day == pytest.approx(249, abs=2)
    assert (data["ends"] - data["cut"]) / day == pytest.approx(74, abs=2)


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
    assert "must be a fraction between 0 and 1" in capsys.readouterr().err
