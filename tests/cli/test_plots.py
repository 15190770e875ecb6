"""`--plot F` of `run` and `backtest`: the same run as a page, a drawing and a picture."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.cli.support import pinebench

SCRIPT = """//@version=6
strategy("Two", overlay = true)
plot(close - 1, "Below")
if bar_index == 3
    strategy.entry("L", strategy.long, 2)
if bar_index == 6
    strategy.close_all()
"""
COMMANDS = ["run", "backtest"]


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    rows = [f"{1_704_067_200_000 + x * 86_400_000},{10 + x},{12 + x},{9 + x},{11 + x},5" for x in range(10)]
    (tmp_path / "EX_ABC_1D.csv").write_text("time,open,high,low,close,volume\n" + "\n".join(rows) + "\n")
    (tmp_path / "two.pine").write_text(SCRIPT)
    return tmp_path


def plotted(folder: Path, command: str, name: str, *more: str) -> bytes:
    done = pinebench(command, "two.pine", "--data", "EX_ABC_1D.csv", "--plot", name, *more, folder=folder)
    assert done.code == 0 and f"{name}: written" in done.err, done.err
    return (folder / name).read_bytes()


@pytest.mark.live
@pytest.mark.parametrize("command", COMMANDS)
def test_a_page(drawn: Path, command: str) -> None:
    page = plotted(drawn, command, "chart.html", "--theme", "dark").decode()
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    assert told["theme"] == "dark" and len(told["times"]) == 10 and told["close"] == [11 + x for x in range(10)]
    assert [(fill["bar"], fill["price"], fill["quantity"]) for fill in told["fills"]] == [(4, 14, 2), (7, 17, -2)]
    plots = [output for run in told["runs"] for output in run["outputs"]]
    assert [plot["columns"]["series"] for plot in plots if plot["settings"]["title"] == "Below"] == [
        [10 + x for x in range(10)]
    ]
    assert not re.search(r'(src|href)="http', page), "it needs no network"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_drawing(drawn: Path, command: str) -> None:
    drawing = plotted(drawn, command, "chart.svg").decode()
    assert "Below 19" in drawing and "L +2" in drawing and "C 20.00" in drawing


@pytest.mark.parametrize("command", COMMANDS)
def test_a_picture(drawn: Path, command: str) -> None:
    picture = Image.open(io.BytesIO(plotted(drawn, command, "chart.png", "--theme", "dark")))
    assert picture.size == (1600, 900) and picture.convert("RGB").getpixel((2, 2)) == (15, 19, 24)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_of_somebody_else_is_left_alone(drawn: Path, command: str) -> None:
    (drawn / "mine.svg").write_text("my own")
    done = pinebench(command, "two.pine", "--data", "EX_ABC_1D.csv", "--plot", "mine.svg", folder=drawn)
    assert done.code == 2 and (drawn / "mine.svg").read_text() == "my own"
