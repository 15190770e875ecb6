"""Whole conversations with the assistant on the studio's own chart, as a person sees them in the browser."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.agent.chat import BUDGET_TOKENS
from pinebench.agent.chat_history import CHARACTERS_PER_TOKEN
from pinebench.studio.session import StudioSession
from tests.agent.support import calls, results_in, service
from tests.authoring.fake_anthropic import FakeAnthropic, Step, text
from tests.authoring.support import isolate
from tests.studio.support import Driver
from tests.tui.test_assistant import slowly

pytestmark = [pytest.mark.live, pytest.mark.soak]

PANEL = "document.querySelector('[data-name=\"assistant-panel\"]')"
SIX = (
    ("chart_get_state", {}),
    ("quote_get", {}),
    ("data_get_ohlcv", {"summary": True}),
    ("data_get_study_values", {}),
    ("chart_get_visible_range", {}),
    ("template_list", {}),
)


class Panel:
    """The assistant's panel on the page."""

    def __init__(self, page: Driver) -> None:
        self.page = page
        page.click('[data-name="assistant-button"]')
        page.until(
            f"{PANEL} !== null && [...{PANEL}.querySelectorAll('.assistant__quick button')].some((b) => !b.disabled)"
        )

    def send(self, words: str) -> None:
        """Type `words` and send them."""
        self.page.until(f"{PANEL}.querySelector('[data-name=\"assistant-send\"]') !== null")
        self.page.js(f"{PANEL}.querySelector('textarea').focus()")
        self.page.js(f"document.execCommand('insertText', false, {json.dumps(words)})")
        self.page.until(f"{PANEL}.querySelector('[data-name=\"assistant-send\"]')?.disabled === false")
        self.page.click('[data-name="assistant-send"]')

    def shows(self, words: str) -> None:
        """Wait until the panel shows `words`, and takes the next message."""
        self.page.until(f"{PANEL}.textContent.includes({json.dumps(words)})")
        self.page.until(f"{PANEL}.querySelector('[data-name=\"assistant-send\"]') !== null")

    def count(self, selector: str) -> int:
        """The number of parts of the panel."""
        return self.page.js(f"{PANEL}.querySelectorAll({json.dumps(selector)}).length")


@pytest.fixture
def panel(page: Driver, session: StudioSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Panel:
    """The panel of a studio whose assistant drives this page."""
    isolate(monkeypatch, tmp_path)
    session.drive(page.port, page.tab)
    return Panel(page)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Starts a scripted service: `serve(*steps)`."""
    running: list[Any] = []

    def start(*steps: Step) -> FakeAnthropic:
        running.append(service(monkeypatch, *steps))
        return running[-1].__enter__()

    yield start
    for each in running:
        each.__exit__(None, None, None)


def last(fake: FakeAnthropic, number: int) -> dict[str, dict[str, Any]]:
    """The results in the last message of a request."""
    return results_in(fake.requests[number].body["messages"][-1])


def test_analyse_my_chart_reads_six_things_at_once_takes_a_picture_and_reports(panel: Panel, serve: Any) -> None:
    report = "Apple closed at 231.40, in an uptrend."
    fake = serve(calls(*SIX, said="I look at it."), calls(("capture_screenshot", {"region": "chart"})), text(report))
    panel.page.js(f"{PANEL}.querySelector('.assistant__quick button').click()")
    panel.shows(report)
    results = last(fake, 1)
    assert [results[f"call_{at}"]["is_error"] for at in range(6)] == [False] * 6, results
    assert len(results) == 6
    state = results["call_0"]["content"]
    assert "AAPL" in state["symbol"] and results["call_1"]["content"]["symbol"]
    assert last(fake, 2)["call_0"]["images"] == 1
    assert panel.count('[data-name="assistant-call"]') == 7
    assert panel.count(".assistant__call--failed") == 0
    panel.page.until(f"{PANEL}.querySelector('img')?.naturalWidth > 100")
    assert len(fake.requests) == 3


def test_a_call_that_fails_in_the_middle_stops_no_other(panel: Panel, serve: Any) -> None:
    wanted = (("quote_get", {}), ("chart_set_timeframe", {"timeframe": "nonsense"}), ("chart_get_state", {}))
    fake = serve(calls(*wanted), text("One of them failed."))
    panel.send("Do three things.")
    panel.shows("One of them failed.")
    assert [each["is_error"] for each in last(fake, 1).values()] == [False, True, False]
    assert panel.count('[data-name="assistant-call"]') == 3 and panel.count(".assistant__call--failed") == 1


@pytest.mark.parametrize("allowed", [True, False])
def test_three_calls_of_which_one_is_asked_about(panel: Panel, serve: Any, allowed: bool) -> None:
    grave = ("draw_clear", {"confirm": True})
    fake = serve(calls(("quote_get", {}), grave, ("chart_get_state", {})), text("So be it."))
    panel.send("Take all drawings away.")
    panel.page.until(f"{PANEL}.querySelector('[data-name=\"assistant-question\"]') !== null")
    assert len(fake.requests) == 1
    panel.page.click(f'[data-name="assistant-{"allow" if allowed else "refuse"}"]')
    panel.shows("So be it.")
    results = last(fake, 1)
    assert len(results) == 3
    assert not results["call_0"]["is_error"] and not results["call_2"]["is_error"]
    assert results["call_1"]["is_error"] is not allowed, results["call_1"]
    assert ("did not allow" in json.dumps(results["call_1"])) is not allowed


def test_two_hundred_turns_stay_within_the_budget_and_break_no_pair(panel: Panel, serve: Any) -> None:
    steps = [
        step for turn in range(200) for step in (calls(("pine_explain", {"name": "ta.ema"})), text(f"Turn {turn}."))
    ]
    fake = serve(*steps)
    for turn in range(200):
        panel.send(f"question {turn} " + "word " * 400)
        panel.shows(f"Turn {turn}.")
    assert len(fake.requests) == 400
    sizes = [len(json.dumps(request.body["messages"])) for request in fake.requests]
    assert max(sizes) / CHARACTERS_PER_TOKEN <= BUDGET_TOKENS * 1.05
    assert "question 0 " not in json.dumps(fake.requests[-1].body["messages"]), "the history was never cut"
    # `service` checks each request: a call without its result, or the other way round, fails.


def test_a_stream_that_is_cut_in_a_call_is_asked_again_and_shown_once(panel: Panel, serve: Any) -> None:
    half = calls(("chart_set_symbol", {"symbol": "MSFT"}), said="I switch.", cut_after=6)
    fake = serve(half, calls(("chart_get_state", {})), text("It is as it was."))
    panel.send("Switch.")
    panel.shows("It is as it was.")
    assert "AAPL" in last(fake, 2)["call_0"]["content"]["symbol"], "half a call was performed"
    assert panel.count('[data-name="assistant-call"]') == 1


def test_a_stop_in_the_middle_of_a_turn_keeps_what_was_shown(panel: Panel, serve: Any) -> None:
    fake = serve(slowly(threading.Event(), "The trend is up"), text("Then down."))
    panel.send("Go.")
    panel.page.until(f"{PANEL}.textContent.includes('The trend is up')")
    panel.page.click('[data-name="assistant-stop"]')
    panel.page.until(f"{PANEL}.querySelector('[data-name=\"assistant-send\"]') !== null")
    panel.send("And then?")
    panel.shows("Then down.")
    assert "The trend is up" in panel.page.js(f"{PANEL}.textContent")
    assert "The trend is up" in json.dumps(fake.requests[1].body["messages"])
