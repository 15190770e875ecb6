"""Our runtime beside PyneCore, which was measured against TradingView's exports by others: the first bar that differs.

`PINEBENCH_PYNECORE` names an interpreter that has `pynesys-pynecore` and `opencode-pine2pyne`; nothing is compared
without it. A script gets two minutes; what PyneCore does not run is left out. Real scripts are the indicators below
`PINEBENCH_CORPUS`, else our own templates.
"""

import json
import os
import random
import subprocess
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.sample import sample_bars
from pinebench.market.samples import find
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime

pytestmark = pytest.mark.soak

ROOT = Path(__file__).parents[2]
RUNNER = ROOT / "benchmarks" / "pynecore_runner.py"
SECONDS = 120
HEAD = '//@version=6\nindicator("Soak")\n'
SOURCES = ("close", "open", "hl2", "high - low", "close - close[1]", "ta.ema(close, 5)", "math.log(close)")
CALLS = (
    "ta.sma({0}, {1})",
    "ta.ema({0}, {1})",
    "ta.rma({0}, {1})",
    "ta.wma({0}, {1})",
    "ta.hma({0}, {1})",
    "ta.vwma({0}, {1})",
    "ta.alma({0}, {1}, 0.85, 6)",
    "ta.stdev({0}, {1})",
    "ta.rsi({0}, {1})",
    "ta.cci({0}, {1})",
    "ta.cmo({0}, {1})",
    "ta.mom({0}, {1})",
    "ta.roc({0}, {1})",
    "ta.linreg({0}, {1}, 0)",
    "ta.highest({0}, {1})",
    "ta.lowest({0}, {1})",
    "ta.highestbars({0}, {1})",
    "ta.percentrank({0}, {1})",
    "ta.median({0}, {1})",
    "ta.stoch({0}, high, low, {1})",
    "ta.correlation({0}, volume, {1})",
    "ta.atr({1})",
    "ta.wpr({1})",
    "ta.cum({0})",
    "ta.barssince({0} > ta.sma({0}, {1}))",
    "ta.valuewhen(ta.crossover({0}, ta.sma({0}, {1})), close, 1)",
)


def made(seed: int) -> str:
    """A script of twelve calls, some of them within a function or a branch."""
    chance = random.Random(seed)
    lines: list[str] = []
    for number in range(12):
        call = chance.choice(CALLS).format(chance.choice(SOURCES), chance.randrange(2, 30))
        if number % 4 == 3:
            lines.append(f"f{number}(x) =>\n    y = {call}\n    y + x")
            call = f"f{number}(close) - f{number}(open)"
        lines.append(f'plot({call}, "P{number}")')
    return HEAD + "\n".join(lines) + "\n"


def bars_of_sample(count: int = 1500) -> Bars:
    symbol = find("BTCUSDT")
    assert symbol is not None
    return sample_bars(symbol, timeframe("15"), count)


def first_difference(ours: list[Any], theirs: list[Any]) -> int | None:
    """The first bar on which two columns differ by more than the last digits, None where they agree."""
    for bar, (own, other) in enumerate(zip(ours, theirs, strict=False)):
        if own is None or own != own or other is None:
            if (own is None or own != own) != (other is None):
                return bar
        elif abs(float(own) - other) > 1e-9 * max(1.0, abs(other)):
            return bar
    return None


def differences(source: str, folder: Path) -> list[str] | None:
    """Where the plots differ first, told with both values; None where PyneCore does not run the script."""
    script, table, bars = folder / "script.pine", folder / "bars.csv", bars_of_sample()
    script.write_text(source, encoding="utf8")
    rows = (",".join(map(repr, row)) for row in zip(*bars.columns(), strict=True))
    table.write_text("time,open,high,low,close,volume\n" + "\n".join(rows), encoding="utf8")
    python = os.environ["PINEBENCH_PYNECORE"]
    try:
        done = subprocess.run(
            [python, str(RUNNER), str(script), str(table), "15"], capture_output=True, timeout=SECONDS, check=False
        )
        theirs = json.loads(done.stdout.splitlines()[-1])["plots"]
    except (subprocess.TimeoutExpired, IndexError, KeyError, ValueError):
        return None
    result = Runtime(open_program(source), bars, SymbolInfo(timeframe="15")).run()
    assert result.error is None
    found: list[str] = []
    titles = Counter(plot.title for plot in result.plots)
    for plot in result.plots:
        # PyneCore keeps the last of several plots of one title.
        if plot.title not in theirs or titles[plot.title] > 1:
            continue
        bar = first_difference(plot.values, theirs[plot.title])
        if bar is not None:
            told = f"bar {bar}: {plot.values[bar]} here, {theirs[plot.title][bar]} there"
            found.append(f"{plot.title} (line {plot.line}): {told}")
    return found


@pytest.mark.skipif("PINEBENCH_PYNECORE" not in os.environ, reason="no interpreter is named")
@pytest.mark.parametrize("seed", range(20))
def test_generated_scripts_give_what_pynecore_gives(seed: int, tmp_path: Path) -> None:
    source = made(seed)
    found = differences(source, tmp_path)
    assert found is not None, "PyneCore did not run it"
    assert found == [], f"{source}\n" + "\n".join(found)


BEYOND = ("request.", "strategy(", "library(", "\nimport ", "visible_bar_time")
"""Scripts that speak of one of these are not compared: PyneCore has no such data, or it runs them as something else."""
KNOWN = {"9fa7d575e8d8ee87": "PyneCore keeps an empty bool apart from false, which v6 does not"}
"""Why scripts differ, by the beginning of the SHA-256 of their text."""


def real_scripts() -> list[Path]:
    """The indicators that compile and need nothing but bars."""
    folder = Path(os.environ.get("PINEBENCH_CORPUS") or ROOT / "pine" / "templates")
    return [path for path in sorted(folder.rglob("*.pine")) if is_comparable(path.read_text("utf8", "replace"))]


def is_comparable(source: str) -> bool:
    """Whether a script is an indicator that compiles and needs nothing but bars."""
    if "indicator(" not in source or any(word in source for word in BEYOND):
        return False
    program = open_program(source)
    return program.document.version == 6 and all(d.severity is not Severity.ERROR for d in program.diagnostics)


@pytest.mark.skipif("PINEBENCH_PYNECORE" not in os.environ, reason="no interpreter is named")
def test_real_scripts_give_what_pynecore_gives(tmp_path: Path) -> None:
    told: dict[str, list[str]] = {}
    compared = 0
    for path in real_scripts():
        source = path.read_text("utf8", "replace")
        try:
            found = differences(source, tmp_path)
        except NotComputed:
            continue
        compared += found is not None
        if found and sha256(path.read_bytes()).hexdigest()[:16] not in KNOWN:
            told[path.name] = found
    assert compared
    assert not told, "\n".join(f"{name}: {'; '.join(lines)}" for name, lines in told.items())


def test_only_indicators_that_need_nothing_but_bars_are_compared() -> None:
    assert is_comparable('//@version=6\nindicator("x")\nplot(close)\n')
    assert not is_comparable('//@version=6\nindicator("x")\nplot(clse)\n')
    assert not is_comparable('//@version=6\nstrategy("x")\nplot(close)\n')
    assert not is_comparable('//@version=5\nindicator("x")\nplot(close)\n')


def test_the_first_bar_that_differs_is_found() -> None:
    assert first_difference([1.0, 2.0, 3.0], [1.0, 2.0, 3.1]) == 2
    assert first_difference([float("nan"), 2.0], [None, 2.0]) is None
    assert first_difference([float("nan"), 2.0], [0.0, 2.0]) == 0
