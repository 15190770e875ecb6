"""Runs with a model that is played by a script: the planned score, nothing paid twice, and the budget kept."""

import dataclasses
import html
import json
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.agent.chat_history import MessageHistory
from pinebench.authoring.answer import PartialReply
from pinebench.authoring.author import AuthorUnavailable
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.evals import benchmark_run, model_agent, model_answers
from pinebench.evals import tasks as tasks_of_benchmark
from pinebench.evals.benchmark_run import EvalRun, digest, head_of
from pinebench.evals.model_agent import TOOLS, offered
from pinebench.evals.model_answers import LIMITS, RULES, AnswerCancelled, Asker, Mode
from pinebench.evals.page import page
from pinebench.evals.records import ENDING, RunRecord, records
from pinebench.evals.scores import leaderboard, score
from pinebench.evals.task_judge import TaskVerdict
from pinebench.evals.tasks import Task, tasks
from pinebench.files.locks import LockHeld
from pinebench.tools.registry import Needs
from tests.agent.support import calls
from tests.authoring.fake_anthropic import Reply, busy, edits, script, slowly, text
from tests.authoring.support import service
from tests.evals.pupil import MODEL, Pupil, solved, taught, wrong

ALL = tasks(1)
FEW = tasks(1, ["explain-trap-?", "two-averages-1", "since-condition-2"])
LOOPED = next(task for task in FEW if task.instance.fault is None)
UNKNOWN = '//@version=6\nindicator("A")\nplot(nobody_knows_this())\n'
"""A script with an error that we cannot mend without the model."""
NO_WAIT = (0.0,) * 2
ONE_ANSWER = (1000 * 1 + 200 * 5) / 1_000_000
"""The dollars for one answer of the played model: 1,000 tokens in and 200 out at the price of a haiku."""


def asker(mode: Mode = "answer") -> Asker:
    return Asker(MODEL, mode, NO_WAIT)


def go(folder: Path, chosen: list[Task], *, jobs: int = 2, budget: float = 10.0, mode: Mode = "answer") -> EvalRun:
    folder.mkdir(exist_ok=True)
    run = EvalRun(folder, MODEL, mode, 1, lambda: asker(mode))
    try:
        run.go(chosen, jobs, budget, lambda task, verdict: None)
    finally:
        run.close()
    return run


def mediocre(task: Task) -> Reply:
    """The plan: easy tasks are solved, of the others those with an odd number, but no hard ones."""
    return solved(task) if planned(task) else wrong(task)


def planned(task: Task) -> bool:
    return task.level == "easy" or (task.level == "medium" and int(task.id[-1]) % 2 == 1)


@pytest.mark.parametrize("chosen", [FEW, pytest.param(ALL, marks=pytest.mark.soak)], ids=["a few tasks", "all tasks"])
def test_a_mediocre_model_gets_exactly_the_planned_score(
    chosen: list[Task], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with taught(monkeypatch, ALL, mediocre) as pupil:
        run = go(tmp_path, chosen)
    told = score(run.record, ALL)
    assert {task.id: run.record.verdicts[task.id].passed for task in chosen} == {
        task.id: planned(task) for task in chosen
    }
    assert (told.whole.tasks, told.whole.passed) == (len(chosen), sum(map(planned, chosen)))
    assert told.rounds == len(chosen) == len(pupil.requests)
    assert told.usage.tokens == 1200 * len(chosen)
    assert told.usage.dollars == pytest.approx(ONE_ANSWER * len(chosen))
    assert told.complete == (len(chosen) == len(ALL))


def test_a_model_is_told_the_task_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with taught(monkeypatch, FEW, solved) as pupil:
        go(tmp_path, FEW[-1:])
    body = pupil.requests[0].body
    assert [block["text"] for block in body["messages"][0]["content"]] == [FEW[-1].prompt]
    assert body["system"][0]["text"] == RULES
    assert "tools" not in body


def test_a_run_that_is_repeated_asks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with taught(monkeypatch, FEW, solved) as pupil:
        first = go(tmp_path, FEW[:3])
        second = go(tmp_path, FEW[:4])
    assert set(pupil.asked.values()) == {1}
    assert len(pupil.requests) == 4
    assert first.record.answers.items() <= second.record.answers.items()


def test_an_answer_without_a_verdict_is_judged_and_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill between the answer and the verdict, and in the middle of a line."""
    with taught(monkeypatch, FEW, solved) as pupil:
        run = go(tmp_path, FEW[:2], jobs=1)
        path = tmp_path / f"{run.record.head.name}{ENDING}"
        lines = path.read_bytes().splitlines(keepends=True)
        assert b'"verdict"' in lines[-1]
        path.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
        again = go(tmp_path, FEW[:2], jobs=1)
    assert set(pupil.asked.values()) == {1}
    assert len(again.record.verdicts) == 2
    assert len(records(tmp_path)[0].verdicts) == 2


def test_reserved_money_is_not_spent_money(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one task holds the whole budget, the others wait for what it gives back, and all are asked."""
    with taught(monkeypatch, FEW, solved) as pupil:
        run = go(tmp_path, FEW, jobs=3, budget=LIMITS.dollars)
    assert not run.out_of_budget and set(run.record.verdicts) == {task.id for task in FEW}
    assert set(pupil.asked.values()) == {1} and run.record.usage.dollars < LIMITS.dollars


def test_no_task_begins_without_room_in_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with taught(monkeypatch, FEW, solved) as pupil:
        run = go(tmp_path, FEW, jobs=3, budget=3.5 * ONE_ANSWER)
        assert run.out_of_budget
        assert run.record.usage.dollars <= 3.5 * ONE_ANSWER + 1e-9
        assert 1 <= len(pupil.requests) <= 3
        more = go(tmp_path, FEW, budget=LIMITS.dollars * 10)
    assert not more.out_of_budget
    assert set(pupil.asked.values()) == {1}
    assert len(more.record.verdicts) == len(FEW)


def test_a_task_that_ends_at_its_own_limit_of_tokens_is_a_failed_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Less than a whole task's dollars are left, but they are not what ended it."""
    much = {"input_tokens": 0, "cache_read_input_tokens": LIMITS.tokens - 500, "output_tokens": 100}
    with taught(monkeypatch, FEW, lambda task: script(UNKNOWN, usage=much)) as pupil:
        run = go(tmp_path, [LOOPED], budget=LIMITS.dollars / 2, mode="loop")
        again = go(tmp_path, [LOOPED], budget=LIMITS.dollars / 2, mode="loop")
    assert not run.out_of_budget and not again.out_of_budget and not run.record.verdicts[LOOPED.id].passed
    assert len(pupil.requests) == 1 and "no room" in run.record.answers[LOOPED.id].note


def test_a_loop_without_dollars_for_its_next_request_is_asked_again_with_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dear = {"input_tokens": 90_000, "output_tokens": 100}
    with taught(monkeypatch, FEW, lambda task: script(UNKNOWN, usage=dear)):
        run = go(tmp_path, [LOOPED], budget=0.092, mode="loop")
    assert run.out_of_budget and not run.record.answers


def test_a_service_that_fails_ends_the_run_and_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = threading.Event()
    broken.set()

    def plan(task: Task) -> Reply:
        return busy(401) if task.id == FEW[2].id and broken.is_set() else solved(task)

    with taught(monkeypatch, FEW, plan) as pupil:
        with pytest.raises(AuthorUnavailable, match="refused the key"):
            go(tmp_path, FEW, jobs=1)
        broken.clear()
        run = go(tmp_path, FEW, jobs=1)
    assert len(run.record.verdicts) == len(FEW)
    assert pupil.asked[FEW[2].id] == 2
    assert sum(pupil.asked.values()) == len(FEW) + 1


def test_a_cut_or_declined_answer_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plans: dict[str, Reply] = {
        FEW[0].id: text("```pine\n//@vers", stop_reason="max_tokens"),
        FEW[1].id: Reply(stop_reason="refusal"),
    }
    with taught(monkeypatch, FEW, lambda task: plans[task.id]):
        run = go(tmp_path, FEW[:2])
    assert [run.record.answers[task.id].note for task in FEW[:2]] == [
        "the answer was cut",
        "the model declined to answer",
    ]
    assert not any(verdict.passed for verdict in run.record.verdicts.values())


def test_two_runs_of_a_model_in_one_folder_exclude_each_other(tmp_path: Path) -> None:
    run = EvalRun(tmp_path, MODEL, "answer", 1, asker)
    with pytest.raises(LockHeld, match="runs this model here"):
        EvalRun(tmp_path, MODEL, "answer", 1, asker)
    run.close()
    EvalRun(tmp_path, MODEL, "answer", 1, asker).close()


def test_a_record_of_other_tasks_is_not_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with taught(monkeypatch, FEW, solved):
        run = go(tmp_path, FEW[:1])
    path = tmp_path / f"{run.record.head.name}{ENDING}"
    path.write_text(path.read_text().replace(run.record.head.digest, "0" * 16))
    with pytest.raises(UsageError, match="made with other tasks"):
        EvalRun(tmp_path, MODEL, "answer", 1, asker)


def test_the_page_shows_the_requests_of_the_run_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with taught(monkeypatch, FEW, solved):
        run = go(tmp_path, FEW[:1])
    first = html.escape(FEW[0].request.splitlines()[0])
    assert first in page([score(run.record, ALL)])
    run.record.head = replace(run.record.head, digest="0" * 16)
    shown = page([score(run.record, ALL)])
    assert first not in shown and "1 of 1 (part), other tasks" in shown


@pytest.mark.parametrize(
    "other",
    [{"inputs": {"Length": 99}}, {"requests": 1}, {"steady": True}, {"count": 299}, {"further": {"Length": 3}}],
    ids=str,
)
def test_other_hidden_cases_and_limits_are_other_tasks(other: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(1)
    last = replace(ALL[-1], instance=replace(ALL[-1].instance, **other))
    monkeypatch.setattr(benchmark_run, "tasks", lambda seed: [*ALL[:-1], last])
    assert digest(1) != before


def test_other_bars_of_any_kind_are_other_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(1)
    made = tasks_of_benchmark.hidden_bars

    def with_stocks_changed(*given: Any, stock: bool, **named: Any) -> Any:
        bars, symbol = made(*given, stock=stock, **named)
        return (bars.at(range(len(bars.time) - 1)) if stock else bars), symbol

    monkeypatch.setattr(tasks_of_benchmark, "hidden_bars", with_stocks_changed)
    assert digest(1) != before


def test_an_answer_that_pinebench_cannot_run_is_in_no_share(tmp_path: Path) -> None:
    record = RunRecord(tmp_path / f"x{ENDING}", head_of(MODEL, "answer", 1))
    record.judged(ALL[0].id, TaskVerdict(True))
    record.judged(ALL[1].id, TaskVerdict(False, "not computed", "request.seed() is not computed by pinebench"))
    found = score(record, ALL[:2])
    assert (found.whole.passed, found.whole.tasks, found.not_computed, found.complete) == (1, 1, 1, True)
    assert found.stages == {} and found.as_json()["not_computed"] == 1
    assert "1 of 1, 1 not computed" in page([found])


def test_an_answer_that_could_not_be_run_is_judged_again_and_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version may run it."""
    with taught(monkeypatch, FEW, solved) as pupil:
        run = go(tmp_path, FEW[:2])
        run.record.judged(FEW[0].id, TaskVerdict(False, "not computed", "x is not computed by pinebench"))
        again = go(tmp_path, FEW[:2])
    assert set(pupil.asked.values()) == {1}
    assert again.record.verdicts[FEW[0].id] == TaskVerdict(True)


def test_a_run_has_its_own_bars_and_keeps_them(tmp_path: Path) -> None:
    first = EvalRun(tmp_path, MODEL, "answer", 1, asker)
    first.close()
    again = EvalRun(tmp_path, MODEL, "answer", 1, asker)
    again.close()
    (tmp_path / "other").mkdir()
    other = EvalRun(tmp_path / "other", MODEL, "answer", 1, asker)
    other.close()
    assert first.record.head.bars == again.record.head.bars != other.record.head.bars
    assert first.record.head.digest == other.record.head.digest
    with pytest.raises(UsageError, match="has the hidden bars"):
        EvalRun(tmp_path, MODEL, "answer", 1, asker, "mine")


def test_an_agent_is_told_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with taught(monkeypatch, FEW, solved) as pupil:
        go(tmp_path, FEW[-1:], mode="agent")
    body = pupil.requests[0].body
    told = body["system"][0]["text"]
    assert told.startswith(model_agent.RULES)
    every = re.findall(r"`([a-z]+_[a-z_]+)`", told)
    assert {tool["name"] for tool in body["tools"]} == set(TOOLS)
    assert set(every) - {"tool_data"} <= set(TOOLS)
    assert not any(tool.get("defer_loading") for tool in body["tools"])


def test_dollars_with_an_assumed_price_are_marked(tmp_path: Path) -> None:
    for model, is_known in ((MODEL, True), ("another-model", False)):
        head = head_of(model, "answer", 1)
        found = score(RunRecord(tmp_path / f"{model}{ENDING}", head), ALL)
        assert found.as_json()["price_is_known"] == is_known
        assert ("with an assumed price" in page([found])) == (not is_known)


def test_a_file_that_is_not_a_record_is_left_alone(tmp_path: Path) -> None:
    run = EvalRun(tmp_path, MODEL, "answer", 1, asker)
    run.close()
    path = tmp_path / f"{run.record.head.name}{ENDING}"
    path.write_text("my notes\n")
    with pytest.raises(UsageError, match="line 1 is not part of a run"):
        RunRecord(path, run.record.head)
    assert path.read_text() == "my notes\n"


# the loop


def mends(task: Task) -> Callable[[dict[str, Any]], Reply]:
    """A model that misspells a name, and mends it when it is told."""

    def answer(body: dict[str, Any]) -> Reply:
        if len(body["messages"]) == 1 and "has errors" not in str(body["messages"]):
            return text(task.solution.replace("ta.sma(", "ta.smaa("))
        return edits(*_places(task))

    return answer


def _places(task: Task) -> list[tuple[str, str]]:
    lines = [line for line in task.instance.reference.splitlines() if "ta.sma(" in line]
    return [(line.replace("ta.sma(", "ta.smaa("), line) for line in lines]


class Mending(Pupil):
    """Plays `mends`."""

    def take(self, request: Any) -> Reply:
        super().take(request)
        task = next(each for each in self.tasks if each.instance.request in request.text)
        return mends(task)(request.body)


def test_the_loop_lets_a_model_mend_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tasks(1, ["figures-table-1", "bands-3"])
    with Mending(chosen, solved) as pupil:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", pupil.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        single = go(tmp_path, chosen[:1], jobs=1)
        run = go(tmp_path, chosen, jobs=1, mode="loop")
    assert not single.record.verdicts[chosen[0].id].passed
    assert [run.record.verdicts[task.id].passed for task in chosen] == [True, True]
    assert all(run.record.answers[task.id].rounds >= 1 for task in chosen)
    board = leaderboard([score(each, ALL) for each in records(tmp_path)])
    assert [entry["mode"] for entry in board["entries"]] == ["loop", "answer"]
    assert [entry["pass@1"] for entry in board["entries"]] == [1.0, 0.0]


# an agent


class Agent(Pupil):
    """Checks its own solution with a tool, and answers when it has seen the result."""

    def take(self, request: Any) -> Reply:
        super().take(request)
        task = next(each for each in self.tasks if each.request in request.text)
        if len(request.body["messages"]) > 1:
            return self.plan(task)
        source = task.instance.reference or task.instance.given
        return calls(("pine_analyze", {"source": source}), said=f"A draft first: {wrong(task).blocks[0]['text']}")


def test_an_agent_uses_tools_and_its_last_words_are_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tasks(1, ["bands-1", "explain-trap-1"])
    with Agent(chosen, solved) as pupil:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", pupil.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        run = go(tmp_path, chosen, jobs=2, mode="agent")
    assert [run.record.verdicts[task.id].passed for task in chosen] == [True, True]
    assert [run.record.answers[task.id].rounds for task in chosen] == [2, 2]
    assert run.record.usage.dollars == pytest.approx(4 * ONE_ANSWER)
    assert {tool["name"] for tool in pupil.requests[0].body["tools"]} == set(TOOLS)
    results = [
        part
        for request in pupil.requests
        for part in request.body["messages"][-1]["content"]
        if part["type"] == "tool_result"
    ]
    assert len(results) == 2 and not any(part.get("is_error") for part in results)


def test_a_killed_agent_goes_on_wherever_it_was_and_counts_everything_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [task] = chosen = tasks(1, ["bands-1"])
    at_kill: list[bytes] = []

    class Watched(model_agent.Talk):
        def _keep(self, history: MessageHistory) -> None:
            super()._keep(history)
            at_kill.append(self._record.read_bytes())

    with Agent(chosen, solved) as pupil:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", pupil.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        monkeypatch.setattr(model_answers, "Talk", Watched)
        run = go(tmp_path / "whole", chosen, mode="agent")
        assert run.record.answers[task.id].rounds == 2 and len(pupil.requests) == 2
        # What is on the disk after each step is all that a kill leaves.
        for number, left in enumerate(dict.fromkeys(at_kill)):
            folder = tmp_path / str(number)
            paid = json.loads(left)["usage"]["input_tokens"]
            assert paid in (0, 1000, 2000)
            file = model_answers.conversation_of(folder / run.record.head.name / f"{task.id}.jsonl")
            file.parent.mkdir(parents=True)
            file.write_bytes(left)
            asked = len(pupil.requests)
            again = go(folder, chosen, mode="agent")
            answer = again.record.answers[task.id]
            assert again.record.verdicts[task.id].passed and "A draft first" not in answer.text
            assert len(pupil.requests) - asked == 2 - paid // 1000
            assert (answer.usage.tokens, answer.rounds) == (2 * 1200, 2)
            assert answer.usage.dollars == pytest.approx(2 * ONE_ANSWER)
    assert {json.loads(left)["usage"]["input_tokens"] for left in at_kill} == {0, 1000, 2000}


def test_an_agent_that_was_interrupted_in_an_answer_does_not_take_a_part_for_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [task] = chosen = tasks(1, ["bands-1"])
    refused = threading.Event()

    class Refused(Agent):
        def take(self, request: Any) -> Reply:
            reply = super().take(request)
            if len(request.body["messages"]) == 1 or refused.is_set():
                return reply
            refused.set()
            return dataclasses.replace(solved(task), stream_error="permission_error")

    with Refused(chosen, solved) as pupil:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", pupil.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        with pytest.raises(AuthorUnavailable):
            go(tmp_path, chosen, mode="agent")
        run = go(tmp_path, chosen, mode="agent")
    answer = run.record.answers[task.id]
    assert run.record.verdicts[task.id].passed and len(pupil.requests) == 3
    # The answer that broke was paid for, too: all that was counted until then.
    assert answer.usage.input_tokens == 3000 and run.record.usage.dollars == pytest.approx(answer.usage.dollars)


def test_an_agent_cannot_reach_a_chart_or_other_models() -> None:
    for tool in offered():
        assert tool.needs is Needs.NOTHING, tool.name
        assert not (tool.changes or tool.destroys or tool.outside or tool.spends), tool.name


def test_an_agent_cannot_read_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bars = tmp_path / "bars.csv"
    bars.write_text("time,open,high,low,close\n1748822400,1,2,0.5,1.5\n1748908800,1,2,0.5,1.5\n")
    call = ("pine_run", {"source": '//@version=6\nindicator("x")\nplot(close)\n', "data": str(bars)})

    class Reading(Pupil):
        def take(self, request: Any) -> Reply:
            super().take(request)
            return self.plan(self.tasks[0]) if len(request.body["messages"]) > 1 else calls(call)

    with Reading(FEW[:1], solved) as pupil:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", pupil.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        go(tmp_path / "out", FEW[:1], mode="agent")
    result = pupil.requests[-1].body["messages"][-1]["content"][0]
    assert result["is_error"] is True, result


def test_the_page_shows_foreign_text_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "<script>alert(1)</script>\x1b[31m\u202e"
    with taught(monkeypatch, FEW, lambda task: text(evil)):
        run = go(tmp_path, FEW[:1])
    shown = page([score(run.record, ALL)])
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "\x1b" not in shown and "\u202e" not in shown
    assert "default-src 'none'" in shown and "http" not in shown.partition("<body>")[2].replace("https://", "")


def test_what_a_cancelled_answer_cost_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    going = threading.Event()
    seen: list[int] = []
    take = PartialReply.take

    def taken(answer: PartialReply, event: object) -> None:
        take(answer, event)
        seen.extend([1] if answer.text else [])

    monkeypatch.setattr(PartialReply, "take", taken)
    try:
        with service(monkeypatch, slowly(going, "I shall write")):
            context = Context(cancelled=lambda: bool(seen))
            with pytest.raises(AnswerCancelled) as raised:
                asker().ask(FEW[0], LIMITS, context, tmp_path / "task.jsonl")
    finally:
        going.set()
    assert raised.value.usage.input_tokens == 10 and raised.value.usage.dollars > 0
