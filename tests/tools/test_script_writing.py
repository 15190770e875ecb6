"""The tool that has Claude write: goals on bars, a script to change, and pictures, with a scripted service."""

from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import ToolOutcome, answer, call
from tests.authoring.fake_anthropic import Step, edits, script
from tests.authoring.support import isolate, service
from tests.studio.support import CLEAN, WRONG
from tests.tools.conftest import Bench

REPAINTING = (
    '//@version=6\nindicator("Week", overlay = true)\n'
    'week = request.security(syminfo.tickerid, "W", close)\nplot(week, "Week")\n'
)
HONEST = REPAINTING.replace('"W", close)', '"W", close[1], lookahead = barmerge.lookahead_on)')
DATA = "sample:AAPL@1Dx120"


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Call the tool with a service that gives these answers; the outcome, and the requests that the service got."""
    isolate(monkeypatch, tmp_path)

    def run(*steps: Step, **arguments: object) -> tuple[ToolOutcome, list[str]]:
        given = {"request": "draw the close of the week", "template": "none", **arguments}
        with service(monkeypatch, *steps) as fake:
            outcome = answer(ChartBrowser(port=9), "pine_write", given)
        return outcome, [request.text for request in fake.requests]

    return run


def test_goals_are_pursued_on_the_bars_of_data(write) -> None:
    outcome, asked = write(script(REPAINTING), script(HONEST), goals=["no-repaint", "na(Week)<50%"], data=DATA)
    result = outcome.result
    assert result["success"], result
    assert (result["source"], result["passes"], result["attempts"], result["unmet"]) == (HONEST, True, 2, [])
    assert result["data"] == "sample" and "120 bars of NASDAQ:AAPL in 1 day" in result["bars"]
    assert any(line.startswith("plot Week: ") for line in result["did"])
    assert "120 bars of NASDAQ:AAPL in 1 day" in asked[0] and "- `na(Week)<50%`" in asked[0]
    assert "differs after a reload" in asked[1]


def test_goals_that_are_not_met_are_named(write) -> None:
    other = REPAINTING.replace("close)", "close )")
    result = write(script(REPAINTING), script(other), goals=["no-repaint"], data=DATA)[0].result
    assert result["success"] and not result["passes"]
    assert any("differs after a reload" in words for words in result["unmet"])
    assert result["source"] in (REPAINTING, other)


def test_a_script_that_nobody_checked_has_no_number_of_errors(write) -> None:
    old = '//@version=4\nstudy("Old")\nplot(close'
    result = write(script(old), max_rounds=1)[0].result
    assert result["source"].startswith("//@version=4")
    assert (result["passes"], result["origin"], result["error_count"], result["warning_count"]) == (
        False,
        None,
        None,
        None,
    )


def test_goals_of_a_script_that_was_never_run_are_not_told_as_met(write) -> None:
    result = write(script(HONEST + "plot(qwertyuiop)\n"), goals=["no-repaint"], data=DATA, max_rounds=1)[0].result
    assert (result["passes"], result["unmet"]) == (False, ["no-repaint: the script was not run"])


def test_bars_of_other_symbols_serve_requests(write) -> None:
    pair = HONEST.replace("syminfo.tickerid", '"X:OTHER"')
    result = write(script(pair), goals=["na(Week)<50%"], data=[DATA, f"X:OTHER={DATA}"])[0].result
    assert (result["passes"], result["unmet"]) == (True, [])
    assert "X:OTHER (1 day)" in result["bars"]


def test_a_script_is_changed(write) -> None:
    outcome, asked = write(edits(("close", "open")), request="draw the open", **{"from": CLEAN})
    assert outcome.result["source"] == CLEAN.replace("close", "open")
    assert "plot(close" in asked[0]
    both, _ = write(**{"from": CLEAN, "template": "ema_ribbon"})
    assert "cannot be combined" in both.result["error"]


def test_a_picture_comes_with_it(write) -> None:
    outcome, _ = write(script(CLEAN), data=DATA, image=True)
    [image] = outcome.images
    assert image.mime_type == "image/png" and image.data.startswith(b"\x89PNG")
    unknown = CLEAN + 'plot(request.security("NYSE:X", "D", close))\n'
    outcome, _ = write(script(unknown), data=DATA, image=True)
    assert outcome.result["source"] == unknown, "what was paid for is given in any case"
    assert not outcome.images and "there is no picture: " in outcome.result["remarks"][0]
    sample, _ = write(script(CLEAN), image=True)
    assert sample.images and sample.result["data"] == "sample", "as in the other tools"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"goals": ["no-repaint"]}, "need bars"),
        ({"goals": ["no-repaint"], "image": True}, "need bars"),
        ({"data": "none.csv"}, "no such file"),
        ({"data": DATA, "goals": ["same"]}, "needs a script to compare with"),
        ({"data": DATA, "goals": ["trades"]}, "is not a valid expectation"),
        ({"data": "none.csv", "goals": ["trades>1"]}, "no such file"),
    ],
)
def test_what_cannot_be_tried_costs_nothing(write, arguments: dict[str, Any], words: str) -> None:
    outcome, asked = write(**arguments)
    assert words in outcome.result["error"]
    assert asked == []


def test_write_gives_the_script_that_passed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)
    progress: list[str] = []
    with service(monkeypatch, script(WRONG), script(CLEAN)):
        context = Context(progress=lambda text, _fraction: progress.append(text))
        result = call(ChartBrowser(port=9), "pine_write", {"request": "draw the close", "template": "none"}, context)
    assert result["success"], result
    assert (result["source"], result["passes"], result["origin"]) == (CLEAN, True, "local")
    assert result["compiled"] is False, "only TradingView's compilers compile"
    assert "unmet" not in result and "data" not in result
    assert any("drafted" in line for line in progress)


def test_a_studio_behind_the_chart_is_no_compiler_of_tradingview(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The studio's page stands where TradingView's would, and its verdict is our own check."""
    isolate(monkeypatch, tmp_path)
    mine = "// the user's own text\n"
    bench.driver.editor.write(mine)
    given = {"request": "draw the close", "template": "none", "compile_with": "chart"}
    with service(monkeypatch, script(WRONG), script(CLEAN)):
        result = answer(bench.chart_browser, "pine_write", given).result
    assert (result["source"], result["attempts"]) == (CLEAN, 2), result
    assert (result["passes"], result["compiled"], result["origin"]) == (True, False, "studio")
    assert "compile" not in result["message"].lower(), result["message"]
    (note,) = [note for note in result["notes"] if "a copy of the text that was in the editor" in note]
    assert Path(note.rpartition(" ")[2]).read_text() == mine
