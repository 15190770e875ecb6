"""Answers of the page and the browser in shapes that make no sense become one error that says so."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pinebench.errors import PinebenchError
from pinebench.tradingview import page as pages
from pinebench.tradingview import results
from pinebench.tradingview.editor import PageEditor
from pinebench.tradingview.errors import UnexpectedAnswer
from pinebench.tradingview.page import Page
from pinebench.tradingview.results import RESULTS, checked
from pinebench.tradingview.saved_scripts import SavedScripts
from tests.tables import each
from tests.tradingview.support import Stage

pytestmark = pytest.mark.usefixtures("spare_tabs")

WRONG: list[Any] = [None, 5, "text", [], [1], {}, {"open": "yes"}, {"a": {"b": [[]]}}, True, math.nan, [None], [[]]]
"""Values of other shapes than any page function returns, but for some."""


def test_every_page_function_has_a_type() -> None:
    folder = Path(pages.__file__).parent / "js"
    assert {path.stem for path in folder.glob("*.js")} - {"toolkit", "toolkit_editor"} == set(RESULTS)


@each("name", sorted(RESULTS))
def test_no_shape_passes_for_another(name: str) -> None:
    passed = 0
    for value in WRONG:
        try:
            checked(name, value)
            passed += 1
        except UnexpectedAnswer as error:
            assert error.exit_code == 3 and name in error.message and error.hint
    assert passed <= 3, f"{name} takes nearly anything"


def test_the_place_is_named() -> None:
    answer = {"symbol": None, "resolution": None, "chartType": 1}
    with pytest.raises(UnexpectedAnswer, match=r"studies is missing"):
        checked("chart_summary", answer)
    studies = [{"id": "1", "name": "Volume"}, {"id": "2", "name": 2}]
    with pytest.raises(UnexpectedAnswer, match=r"studies\[1\]\.name is int, expected str"):
        checked("chart_summary", {**answer, "studies": studies})


STEPS: dict[str, Callable[[PageEditor], Any]] = {
    "find_editor": lambda editor: editor.find(),
    "read_source": lambda editor: editor.read(),
    "write_source": lambda editor: editor.write("x"),
    "compile_start": lambda editor: editor.compile(timeout=1),
    "compile_state": lambda editor: editor.compile(timeout=1),
    "markers": lambda editor: editor.markers(),
    "console": lambda editor: editor.console(),
    "list_scripts": lambda editor: SavedScripts(editor).listed(),
    "script_name": lambda editor: SavedScripts(editor).shown_name(),
    "editor_api": lambda editor: SavedScripts(editor).new(),
}


@pytest.mark.parametrize("name", sorted(STEPS))
def test_a_page_that_answers_nonsense_is_one_error(stage: Stage, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = stage.editor(stage.open(api=1))
    editor.open()
    real = pages.source
    for wrong in (5, "text", [1], {}, {"status": [], "data": 1, "text": 2}, {"open": True}):
        nonsense = f"function () {{ return {json.dumps(wrong)}; }}"
        monkeypatch.setattr(pages, "source", lambda asked, text=nonsense: text if asked == name else real(asked))
        with pytest.raises(PinebenchError) as caught:
            STEPS[name](editor)
        assert isinstance(caught.value, UnexpectedAnswer)


CDP: list[tuple[str, Any]] = [
    ("Runtime.evaluate", {}),
    ("Runtime.evaluate", {"result": []}),
    ("Runtime.evaluate", {"result": {"type": "object"}}),
    ("Runtime.evaluate", {"result": {"unserializableValue": "seven"}}),
    ("Runtime.evaluate", {"result": {"unserializableValue": {"a": 1}}}),
    ("Runtime.evaluate", {"result": {"unserializableValue": "9" * 5000 + "n"}}),
    ("Runtime.evaluate", {"exceptionDetails": 5}),
    ("Runtime.evaluate", {"exceptionDetails": {"exception": [], "text": None}}),
    ("Runtime.callFunctionOn", {}),
    ("Runtime.callFunctionOn", {"result": "x"}),
    ("Runtime.callFunctionOn", {"result": {"objectId": 5}}),
    ("Runtime.callFunctionOn", {"exceptionDetails": []}),
    ("Page.captureScreenshot", {}),
    ("Page.captureScreenshot", {"data": 7}),
    ("Page.captureScreenshot", {"data": "a"}),
]


@pytest.mark.parametrize(("method", "answer"), CDP, ids=str)
def test_an_answer_of_the_browser_in_another_shape_is_an_error_of_ours(stage: Stage, method: str, answer: Any) -> None:
    reached = stage.connect(stage.open(), wait=False)
    page = Page(reached)
    tab = reached.tab()
    real, wrong = tab.request, method

    def request(
        method: str,
        params: dict[str, Any],
        timeout: float,
        probe: bool = False,
        check: Callable[[], None] | None = None,
    ) -> dict[str, Any]:
        return answer if method == wrong and not probe else real(method, params, timeout, probe, check)

    tab.request = request
    steps: list[Callable[[], object]] = [
        lambda: page.call("find_editor"),
        lambda: page.call("chart_summary"),
        lambda: page.screenshot(),
        lambda: PageEditor(page).write("x"),
    ]
    failures = 0
    for step in steps:
        try:
            step()
        except PinebenchError:
            failures += 1
    assert failures


def test_right_answers_need_no_search_for_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search takes 30 microseconds for each of up to 20,000 rows; the quick test of a type takes nearly none."""
    place = {"line": 1, "column": 1, "end_line": 1, "end_column": 2}
    markers = [{**place, "message": "no", "severity": "error", "code": code} for code in ("CE1", None)]
    monkeypatch.setattr(results, "_problem", None)
    assert checked("markers", markers) is markers
