"""A study with a timeframe of its own shows in the studio what `pinebench run` says, bar by bar as they come."""

import contextlib
import csv
import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pinebench.cli import main
from pinebench.tradingview import browser
from tests.studio.support import BARS, CHART, Driver, Tabs, studio_session

COUNT = 300
FIRST = 1_704_067_200  # 2024-01-01
OWN = """//@version=6
indicator("Own", timeframe = "240", timeframe_gaps = GAPS)
plot(ta.ema(close, 3), "Average")
plot(bar_index, "Number")
plot(high - low, "Range")
"""
STUDY = f"{CHART}._chartWidget.model().model().dataSources().at(-1)"
REPLAY = "TradingViewApi._replayApi"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one CSV file of hours."""
    random, close = Random("own timeframe"), 100.0
    folder = tmp_path_factory.mktemp("bars")
    with (folder / "XETR_OWN_60.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time", "open", "high", "low", "close", "volume"])
        for number in range(COUNT):
            start = close
            close = round(start * math.exp(random.gauss(0, 0.01)), 2)
            edge = round(abs(random.gauss(0, 0.5)), 2)
            rows.writerow([FIRST + 3600 * number, start, max(start, close) + edge, min(start, close) - edge, close, 9])
    return folder


@pytest.fixture(scope="module")
def page(chromium: browser.RunningBrowser, folder: Path) -> Iterator[Driver]:
    with studio_session(bars=folder) as running:
        tabs = Tabs(chromium.port, running)
        driver = tabs()
        driver.js(f"new Promise((done) => {{ {CHART}.setSymbol('XETR:OWN'); {CHART}.setResolution('60', done); }})")
        driver.until(f"{BARS}.size() === {COUNT}")
        yield driver
        tabs.close()


def on_the_command_line(folder: Path, source: str, bars: int) -> list[list[float | None]]:
    """What `pinebench run` says of each of the first `bars` bars: the value of each plot."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    lines = (folder / "XETR_OWN_60.csv").read_text().splitlines()
    (work / "own.pine").write_text(source)
    (work / "bars.csv").write_text("\n".join(lines[: bars + 1]) + "\n")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main(["run", str(work / "own.pine"), "--data", str(work / "bars.csv"), "--format", "csv"]) == 0
    rows = csv.DictReader(io.StringIO(printed.getvalue()))
    return [[float(row[name]) if row[name] else None for name in ("Average", "Number", "Range")] for row in rows]


def on_the_chart(page: Driver) -> list[list[float | None]]:
    """What the study says of each bar of the chart."""
    values = f"{STUDY}.data().valueAt(at)?.slice(1, 4) ?? [null, null, null]"
    found: list[list[float | None]] = page.js(f"Array.from({{length: {BARS}.size()}}, (_, at) => {values})")
    return found


def same(one: list[list[float | None]], other: list[list[float | None]]) -> bool:
    return len(one) == len(other) and all(
        a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-12))
        for left, right in zip(one, other, strict=True)
        for a, b in zip(left, right, strict=True)
    )


@pytest.mark.parametrize("gaps", ["false", "true"])
def test_a_study_of_a_longer_timeframe_says_what_the_command_line_says(page: Driver, folder: Path, gaps: str) -> None:
    source = OWN.replace("GAPS", gaps)
    page.js(f"{CHART}.removeAllStudies()")
    page.editor.write(source)
    assert page.editor.compile().outcome in ("added", "updated")
    page.until(f"{STUDY}.data().valueAt({COUNT - 1}) !== null")
    whole = on_the_command_line(folder, source, COUNT)
    assert same(on_the_chart(page), whole)
    assert sum(row[0] is None for row in whole) > (200 if gaps == "true" else 0)
    # Bars come one by one: each step shows what a run on the bars so far says, also in the middle of four hours.
    page.js(f"{REPLAY}.selectDate({BARS}.valueAt(200)[0] * 1000)")
    page.until(f"{BARS}.size() === 201")
    for size in range(202, 208):
        page.js(f"{REPLAY}.doStep()")
        page.until(f"{BARS}.size() === {size}")
        wanted = on_the_command_line(folder, source, size)
        page.until(f"{STUDY}.data().size() === {size}")
        seen = on_the_chart(page)
        assert same(seen, wanted), (size, json.dumps(seen[-5:]), json.dumps(wanted[-5:]))
    page.js(f"{REPLAY}.stopReplay()")
    page.until(f"{BARS}.size() === {COUNT}")
