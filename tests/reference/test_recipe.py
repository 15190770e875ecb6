"""The recipe of docs/extending.md for a new built-in works, word by word, and touches few files."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = '//@version=6\nindicator("x")\nplot(ta.newone(close, 2))\n'
ASK = """
import json, sys
from pinebench import reference
from pinebench.checker import open_program
from pinebench.checker.types import display
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.runtime import Runtime
from pinebench.services import OpenScript
from pinebench.services.completion import completions
from pinebench.services.hover import hover

def codes(text):
    return [found.code for found in open_program(text).diagnostics]

script = sys.argv[1]
half = script[: script.index("newone") + 3]
times = [1_704_067_200_000 + 900_000 * i for i in range(4)]
prices = [1.0, 3.0, 7.0, 4.0]
bars = Bars(time=times, open=prices, high=prices, low=prices, close=prices, volume=[1.0] * 4)
result = Runtime(open_program(script), bars, SymbolInfo(timeframe="15")).run()
function = reference.function("ta.newone")
print(json.dumps({
    "sound": codes(script),
    "too few": codes(script.replace(", 2", "")),
    "wrong type": codes(script.replace("close", '"close"')),
    "in a branch": codes(script.replace("plot(", "y = close > open ? ").replace(", 2))", ", 2) : na") + "plot(y)"),
    "completed": [item.label for item in completions(OpenScript(half).view, len(half))],
    "hover": str(hover(OpenScript(script).view, script.index("newone"))),
    "run": list(result.plots[0].values),
    "traits": sorted(function.traits),
}))
"""


ASK_BOTH_TIERS = """
import json, sys
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.compiled import NotCompilable, compile_script
from pinebench.workers.jobs import perform, request_of
from pinebench.market import sample_bars, samples

symbol = samples.SAMPLES[0]
program = open_program(sys.argv[1])
request = request_of(program, sample_bars(symbol, timeframe("60"), 300), symbol.info("60"))
made = compile_script(program, request)
ran = None if isinstance(made, NotCompilable) else made.run_whole(request.bars, {})
print(json.dumps([repr(made) if ran is None else repr(ran.result.outputs), repr(perform(request).result.outputs)]))
"""


def _blocks() -> list[str]:
    """The blocks of code of the recipe."""
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    recipe = text[text.index("## A built-in\n") :].partition("\n## ")[0]
    found = re.findall(r"^   ```(?:text|python)\n(.*?)^   ```$", recipe, re.MULTILINE | re.DOTALL)
    return [re.sub(r"^   ", "", block, flags=re.MULTILINE) for block in found]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package to which the recipe was applied."""
    folder = tmp_path_factory.mktemp("recipe")
    ignored = shutil.ignore_patterns("node_modules", "static", "__pycache__")
    shutil.copytree(ROOT / "pinebench", folder / "pinebench", ignore=ignored)
    record, kernel, *_ = _blocks()
    _append(folder / "pinebench/reference/data/ta.txt", "== variable ", record)
    _append(folder / "pinebench/runtime/library/extremes.py", None, "\n\n" + kernel)
    return folder


def _append(path: Path, before: str | None, text: str) -> None:
    old = path.read_text(encoding="utf-8")
    at = len(old) if before is None else old.index(before)
    path.write_text(old[:at] + text + old[at:], encoding="utf-8")


def _python(package: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=package, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def answers(package: Path) -> dict[str, Any]:
    """What the parts of the product say about the new function."""
    assert _python(package, "-c", "import pinebench; print(pinebench.__file__)").startswith(str(package))
    return json.loads(_python(package, "-c", ASK, SCRIPT))


def test_it_is_checked(answers: dict[str, Any]) -> None:
    assert answers["sound"] == []
    assert answers["too few"] == ["CE10165"]
    assert answers["wrong type"] == ["CE10123"]
    assert answers["in a branch"] == ["CW10004"]


def test_it_is_completed_and_shown(answers: dict[str, Any]) -> None:
    assert "newone" in answers["completed"]
    assert "Gives the mean of the last highs and lows of a series." in answers["hover"]


def test_it_runs(answers: dict[str, Any]) -> None:
    assert answers["run"] == [1.0, 2.0, 5.0, 5.5]


def test_both_tiers_run_it(package: Path) -> None:
    pytest.importorskip("llvmlite")
    ours, theirs = json.loads(_python(package, "-c", ASK_BOTH_TIERS, SCRIPT))
    assert ours == theirs


def test_rules_know_it(answers: dict[str, Any], package: Path) -> None:
    assert answers["traits"] == ["inexact"]
    script = package / "equal.pine"
    script.write_text(
        SCRIPT.replace("plot(ta.newone(close, 2))", "plot(ta.newone(close, 2) == ta.sma(close, 3) ? 1 : 0)")
    )
    told = _python(package, "-m", "pinebench", "lint", "--no-cache", "--select", "ALL", str(script))
    assert "PB1012" in told, "the rule on equal floats reads the trait `inexact`"


def test_it_is_explained(package: Path) -> None:
    told = _python(package, "-m", "pinebench", "explain", "ta.newone")
    assert "ta.newone(): function" in told
    assert "Gives the mean of the last highs and lows of a series." in told
