"""The Python side of the playground, outside of a browser: errors, chart and results that its page shows."""

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from scripts.docs import cookbook_pages

SOURCE = Path(__file__).parents[2] / "website" / "playground.py"


@pytest.fixture(scope="module")
def playground() -> Any:
    spec = spec_from_file_location("playground", SOURCE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["playground"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["playground"]


def ask(playground: Any, source: str, kind: str = "run", **more: Any) -> dict[str, Any]:
    asked = {"kind": kind, "source": source, "symbol": "NASDAQ:AAPL", "timeframe": "1D", **more}
    return json.loads(playground.answer(json.dumps(asked)))


IN_A_BROWSER = """
import json, os, sys
import pinebench, playground

playground.prepare([])
package, read = os.path.dirname(pinebench.__file__), []

def note(event, given):
    if event == "open" and str(given[0]).startswith(package):
        read.append(os.path.relpath(given[0], package))

sys.addaudithook(note)
for source in json.loads(sys.stdin.read()):
    for kind in ("check", "run"):
        playground.answer(json.dumps({"kind": kind, "source": source, "symbol": "NASDAQ:AAPL", "timeframe": "1D"}))
print(json.dumps(read))
"""


def test_no_file_of_the_package_is_read_after_the_preparation() -> None:
    """A browser has none of them: once, the playground could tell no error."""
    bodies = (
        *("plot(clsoe)", "plot(close", "plot(ta.sma(close))", "int n = close", "n = array.new<int>()\nplot(n.get(3))"),
        "import TradingView/ta/10 as t\nplot(t.dema(close, 5))",
        'plot(request.security("NASDAQ:MSFT", "W", close))\nlabel.new(bar_index, close, str.format("{0}", close))',
    )
    sources = [f'//@version=6\nindicator("x")\n{body}\n' for body in bodies]
    strategy = 'if close > open\n    strategy.entry("A", strategy.long)\n'
    sources.append(f'//@version=6\nstrategy("x")\n{strategy}strategy.exit("B", "A", profit = 10, loss = 10)\n')
    places = os.pathsep.join(map(str, (SOURCE.parent, SOURCE.parents[1])))
    done = subprocess.run(
        [sys.executable, "-c", IN_A_BROWSER],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": places},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_errors_are_told_in_tradingviews_words(playground: Any) -> None:
    found = ask(playground, '//@version=6\nindicator("x")\nplot(clsoe)\n', "check")["findings"]
    assert [(one["code"], one["line"], one["column"], one["endColumn"]) for one in found] == [("CE10272", 3, 6, 11)]
    assert found[0]["message"] == 'Undeclared identifier "clsoe"'
    assert "close" in found[0]["hint"]


def test_a_clean_script_has_a_chart(playground: Any) -> None:
    source = '//@version=6\nindicator("Mine", overlay = true)\nplot(ta.sma(close, 20), "Mean")\n'
    assert ask(playground, source, "check") == {"findings": []}
    ran = ask(playground, source, dark=True)
    chart = ran["chart"]
    assert chart["theme"] == "dark" and len(chart["times"]) == playground.BARS
    (output,) = chart["runs"][0]["outputs"]
    values = output["columns"]["series"]
    assert values[-1] == pytest.approx(sum(chart["close"][-20:]) / 20)
    assert ran["error"] is None


def test_a_strategy_has_figures_and_fills(playground: Any) -> None:
    recipe = next(one for one in cookbook_pages.recipes() if one.name == "trailing_stop")
    ran = ask(playground, recipe.source)
    assert ran["figures"]["Closed trades"] == str(recipe.shows["trades"])
    assert ran["chart"]["fills"]


def test_a_script_that_stops_says_why_and_keeps_the_chart(playground: Any) -> None:
    ran = ask(playground, '//@version=6\nindicator("x")\na = array.new<int>()\nplot(a.get(3))\nlog.info("here")\n')
    assert ran["chart"] is None
    assert ran["error"]["code"] == "RE10045" and ran["error"]["line"] == 4


def test_a_script_that_cannot_run_is_refused_with_a_reason(playground: Any) -> None:
    ran = ask(playground, '//@version=6\nindicator("x")\nplot(clsoe)\n')
    assert "does not compile" in ran["refused"]


def test_no_value_that_json_does_not_know_is_sent(playground: Any) -> None:
    ran = ask(playground, '//@version=6\nstrategy("x")\nplot(close / 0)\nplot(na)\nlog.info("{0}", 0 / 0.0)\n')
    assert ran["error"] is None and "Net profit" in ran["figures"]
    assert "Profit factor" not in ran["figures"]


def test_every_example_runs_on_the_bars_that_the_page_chooses(playground: Any) -> None:
    data = json.loads(cookbook_pages.playground_data())
    assert len(data["examples"]) >= 59
    for example in data["examples"][:: len(data["examples"]) // 6]:
        symbol, timeframe = example["on"]
        assert symbol in data["symbols"] and timeframe in data["timeframes"]
        ran = ask(playground, example["source"], symbol=symbol, timeframe=timeframe)
        assert ran.get("refused") is None and ran["error"] is None, example["name"]
