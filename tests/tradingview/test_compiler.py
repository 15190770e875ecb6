"""The chart as a compiler: verdicts from the page's markers, and no verdict where there is none."""

import threading
from pathlib import Path
from typing import Any

import pytest

from pinebench.compilers import CompilerUnavailable, get
from pinebench.compilers.chart import ChartCompiler, to_diagnostics
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.diagnostics import Severity
from pinebench.tradingview.results import Marker
from tests.tradingview.support import LIMIT, Stage, until

pytestmark = pytest.mark.usefixtures("spare_tabs")

GOOD = '//@version=6\nindicator("Good")\nplot(close)\n'


def compiler(stage: Stage, **faults: Any) -> ChartCompiler:
    return ChartCompiler(connection=stage.connect(stage.open(**faults)))


def test_errors_and_warnings_become_findings_with_evidence(stage: Stage) -> None:
    source = '//@version=6\nindicator("😀")\nundeclared\nshadowed\n'
    verdict = compiler(stage).compile(source, Context())
    assert (verdict.ok, verdict.origin) == (False, "tradingview")
    assert (verdict.diagnostics[0].code, verdict.diagnostics[0].severity) == ("CE10272", Severity.ERROR)
    assert source[slice(*verdict.errors[0].span)] == "unde"
    assert len(verdict.warnings) == 1
    assert verdict.evidence["button"] == "Add to chart"
    assert len(verdict.evidence["markers"]) == 2
    assert verdict.elapsed > 0


def test_a_clean_script_is_on_the_chart_and_in_a_picture(stage: Stage, state: Path) -> None:
    verdict = compiler(stage).compile(GOOD, Context())
    assert verdict.ok and not verdict.diagnostics
    assert verdict.evidence["study"] == "St1"
    picture = Path(verdict.evidence["screenshot"])
    assert picture.parent == state / "verdicts" and picture.read_bytes().startswith(b"\x89PNG")


def test_only_the_last_pictures_are_kept(stage: Stage, state: Path) -> None:
    for folder in ("verdicts", "screenshots"):
        (state / folder).mkdir()
        for number in range(30):
            (state / folder / f"{number}.png").write_bytes(b"old")
    assert compiler(stage).compile(GOOD, Context()).ok
    assert len([*(state / "verdicts").iterdir()]) == 20
    assert len([*(state / "screenshots").iterdir()]) == 30, "a person's own pictures are never deleted"


def test_a_picture_can_be_taken(stage: Stage) -> None:
    assert compiler(stage).screenshot().startswith(b"\x89PNG")


@pytest.mark.parametrize("faults", [{"dialog": "gopro"}, {"reach": "none"}, {"read_only": 1}])
def test_no_verdict_is_never_a_refusal(stage: Stage, faults: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tradingview.editor.OPEN_TIMEOUT", 0.5)
    with pytest.raises(CompilerUnavailable) as caught:
        compiler(stage, **faults).compile(GOOD, Context())
    assert caught.value.hint


def test_a_page_is_reached_before_it_is_needed(stage: Stage) -> None:
    tab = stage.open(closed=1)
    ChartCompiler(connection=stage.connect(tab)).reach(Context())
    assert stage.value(tab, "live !== null")
    with pytest.raises(CompilerUnavailable, match=r"^CDP connection failed"):
        ChartCompiler(port=1, wait=False).reach(Context())


def test_no_page_is_unavailable() -> None:
    with pytest.raises(CompilerUnavailable, match=r"^CDP connection failed"):
        ChartCompiler(port=1, wait=False).compile(GOOD, Context())


def test_the_context_ends_the_work(stage: Stage) -> None:
    silent = compiler(stage, silent=1)
    with pytest.raises(DeadlineError):
        silent.compile(GOOD, Context.within(1))
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(CancelledError):
        silent.compile(GOOD, Context(cancelled=stopped.is_set))


def test_it_is_chosen_by_name() -> None:
    assert get("chart", port=9).name == "chart"


def error(message: str, end: int = 2) -> Marker:
    """An error marker on the first line, up to the column `end`."""
    return {
        "line": 1,
        "column": 1,
        "end_line": 1,
        "end_column": end,
        "message": message,
        "severity": "error",
        "code": None,
    }


def test_a_code_behind_the_words_is_read() -> None:
    marker = error('Undeclared identifier "abc" (CE10272)', end=4)
    hint: Marker = {**error("just a hint"), "severity": "hint"}
    found = to_diagnostics((marker, hint), "abc\n")
    assert [(finding.code, finding.message) for finding in found] == [("CE10272", 'Undeclared identifier "abc"')]
    assert found[0].span == (0, 3)


def test_a_tab_that_goes_after_the_verdict_costs_no_time(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is evidence, so nobody waits for a page that has gone; no pause is ever begun for it."""
    tab = stage.open()
    pauses: list[float] = []
    reached = stage.connect(tab, sleep=pauses.append)
    chart = ChartCompiler(connection=reached)
    real = chart.editor.compile

    ours = reached.tab()

    def close_after(*arguments: Any, **options: Any) -> Any:
        compiled = real(*arguments, **options)
        tab.request("Page.close", {}, LIMIT)
        until(lambda: ours.lost)
        return compiled

    monkeypatch.setattr(chart.editor, "compile", close_after)
    verdict = chart.compile(GOOD, Context())
    assert verdict.ok and verdict.evidence["screenshot"] is None
    assert pauses == []


def test_a_code_is_found_in_no_more_than_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's message may be anything; blanks and brackets must not make the search for a code run for ever."""
    for message in (" " * 200_000 + "x", "(" * 200_000, "(CE1" * 50_000, "x (CE10272)" + " " * 200_000 + "("):
        [found] = to_diagnostics((error(message),), "a\n")
        assert found.message == message
