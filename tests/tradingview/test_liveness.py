"""When a page is asked whether it lives: before what changes something, and of what only reads when no answer comes."""

import json

import pytest

from pinebench.tradingview.tab import Tab
from tests.tradingview.support import LIMIT, Stage


def asked(tab: Tab) -> list[str]:
    """The expressions and functions that are sent to the tab from now on, `1` for the question whether it lives."""
    sent: list[str] = []
    real = tab._transmit

    def transmit(message: str, timeout: float) -> None:
        params = json.loads(message).get("params", {})
        sent.append(params.get("expression") or params.get("functionDeclaration") or "")
        real(message, timeout)

    tab._transmit = transmit
    return sent


def test_what_only_reads_does_not_first_ask_whether_the_page_lives(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tradingview.tab.DOUBT", LIMIT)  # however slow the machine is
    reached = stage.connect(stage.open())
    sent = asked(reached.tab())
    assert reached.evaluate("6 * 7", read=True) == 42
    assert sent == ["6 * 7"]
    assert reached.evaluate("6 * 7") == 42
    assert sent == ["6 * 7", "1", "6 * 7"]


@pytest.mark.parametrize(("seconds", "questions"), [(LIMIT, 0), (0.0, 4)])
def test_work_that_holds_the_page_trusts_an_answer_that_is_fresh(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, seconds: float, questions: int
) -> None:
    monkeypatch.setattr("pinebench.tradingview.tab.FRESH", seconds)
    reached = stage.connect(stage.open())
    sent = asked(reached.tab())
    with reached.exclusive():
        for _ in range(3):
            reached.evaluate("6 * 7")
    assert sent.count("1") == questions
    reached.evaluate("6 * 7")
    assert sent[-2:] == ["1", "6 * 7"]


def test_a_page_that_hangs_for_a_while_is_read_when_it_answers_again(stage: Stage) -> None:
    reached = stage.connect(stage.open(), notify=lambda _: None)
    reached.evaluate("void setTimeout(() => { const end = Date.now() + 2500; while (Date.now() < end); }, 0)")
    assert reached.evaluate("6 * 7", read=True) == 42
    assert reached.connects == 1


def test_a_page_that_lives_may_take_its_time_for_a_read(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tradingview.tab.DOUBT", 0.05)
    reached = stage.connect(stage.open())
    sent = asked(reached.tab())
    slow = "new Promise((done) => setTimeout(done, 400, 42))"
    assert reached.evaluate(slow, await_promise=True, read=True) == 42
    assert sent[0] == slow
    assert set(sent[1:]) == {"1"}
