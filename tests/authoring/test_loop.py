"""Scripted conversations through the real SDK, the real loop and the real checker, each to its specified end."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.authoring import catalogue, events, session
from pinebench.authoring.author import AuthorBudget, AuthorUnavailable
from pinebench.authoring.events import (
    ApproachChangedEvent,
    CompiledEvent,
    DraftedEvent,
    MendedEvent,
    RevisedEvent,
    UnansweredEvent,
)
from pinebench.checker import open_program
from pinebench.compilers.local import LocalCompiler
from pinebench.compilers.online import OnlineCompiler
from pinebench.context import CancelledError, Context
from pinebench.linter.rules import opinions_on
from tests.authoring.fake_anthropic import Step, busy, edits, script, text
from tests.authoring.support import (
    CLEAN,
    MISSPELLED,
    OUTPUT,
    REQUEST,
    TWO_ERRORS,
    UNDECLARED,
    AuthorRun,
    claude,
    ending,
    isolate,
    service,
)
from tests.compilers.peers import Answer, Peer

DEFAULT = AuthorBudget()


# the twelve endings


def test_clean_at_the_first_draft(write) -> None:
    told = write(script(CLEAN))
    assert told.names == ["Started", "Drafted", "Compiled", "Finished"]
    assert told.finished.success
    assert (told.finished.origin, told.finished.attempts) == ("local", 1)
    assert told.disk == told.finished.source == CLEAN


def test_fixed_in_the_second_round(write) -> None:
    told = write(script(MISSPELLED), edits(("ta.smaa", "ta.sma")))
    assert told.names == ["Started", "Drafted", "Compiled", "Revised", "Compiled", "Finished"]
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 2, CLEAN)


def test_fixed_in_four_rounds_of_edits(write) -> None:
    broken = TWO_ERRORS.replace("input.int", "input.itn")
    told = write(
        script(broken), edits(("input.itn", "input.int")), edits(("clsoe", "close")), edits(("ta.smaa", "ta.sma"))
    )
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 4, CLEAN)
    counts = [len(event.verdict.errors) for event in told.events if isinstance(event, CompiledEvent)]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) == 4
    revised = [event for event in told.events if isinstance(event, RevisedEvent)]
    assert [event.changes for event in revised][1] == ("clsoe -> close",)


def test_the_same_error_twice_brings_one_fresh_draft_and_then_an_honest_end(write) -> None:
    told = write(script(MISSPELLED), script(MISSPELLED), script(MISSPELLED), script(MISSPELLED))
    assert told.finished.outcome == "stuck"
    assert not told.finished.success
    assert told.names.count("ApproachChanged") == 1
    assert [event.fresh for event in told.events if isinstance(event, DraftedEvent)] == [False, True]
    assert (told.fake.unused, told.finished.attempts, told.disk) == (0, 4, MISSPELLED)
    # The fresh draft knows what failed.
    assert "ta.smaa" in told.fake.requests[2].text
    assert MISSPELLED not in told.fake.requests[2].text


def test_errors_that_alternate_change_the_approach_and_keep_the_better_script(write) -> None:
    told = write(script(TWO_ERRORS), script(UNDECLARED), script(TWO_ERRORS), script(CLEAN))
    assert [type(event) for event in told.events].count(ApproachChangedEvent) == 1
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 4, CLEAN)
    stuck = write(script(TWO_ERRORS), script(UNDECLARED), script(TWO_ERRORS), script(TWO_ERRORS), script(TWO_ERRORS))
    assert stuck.finished.outcome == "stuck"
    assert stuck.disk == stuck.finished.source == UNDECLARED
    assert stuck.finished.errors == 1


def test_an_edit_that_does_not_apply_is_sent_back_with_the_reason(write) -> None:
    told = write(script(MISSPELLED), edits(("ta.smmm(close", "ta.sma(close")), edits(("ta.smaa", "ta.sma")))
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 2, CLEAN)
    assert len(told.fake.requests) == 3
    result = told.fake.requests[2].body["messages"][-1]["content"][0]
    assert (result["type"], result["is_error"], result["tool_use_id"]) == ("tool_result", True, "toolu_0")
    assert "does not occur" in result["content"]


def test_prose_around_the_code_is_left_out(write) -> None:
    told = write(text(f"Here is the script.\n\n```pine\n{CLEAN}```\n\nIt plots an average: plot(ta.sma(close, 14))."))
    assert (told.finished.success, told.disk) == (True, CLEAN)


def test_an_empty_answer_is_asked_again(write) -> None:
    told = write(text(""), script(CLEAN))
    assert told.names == ["Started", "Unanswered", "Drafted", "Compiled", "Finished"]
    assert (told.finished.success, told.disk) == (True, CLEAN)
    assert "could not be used" in told.fake.requests[1].text
    never = write(text(""), text("I would rather talk about it."), text(""))
    assert (never.finished.outcome, never.finished.source) == ("no-script", None)


def test_a_refusal_ends_the_run_and_keeps_the_best_script(write) -> None:
    told = write(script(TWO_ERRORS), script(UNDECLARED), text("No.", stop_reason="refusal"))
    assert (told.finished.outcome, told.finished.attempts) == ("declined", 3)
    assert told.disk == UNDECLARED


def test_a_cut_stream_is_asked_again(write) -> None:
    told = write(script(CLEAN, cut_after=4), script(CLEAN, stream_error="overloaded_error"), script(CLEAN))
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 1, CLEAN)
    assert len(told.fake.requests) == 3
    # What the cut streams had cost is counted.
    assert told.finished.usage.input_tokens > 1000


def test_three_busy_answers_are_waited_out(write) -> None:
    told = write(busy(529), busy(429), busy(503), script(CLEAN))
    assert (told.finished.success, told.finished.attempts, len(told.fake.requests)) == (True, 1, 4)


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (AuthorBudget(rounds=2), "2 rounds"),
        (AuthorBudget(tokens=6_000), "tokens"),
        (AuthorBudget(dollars=0.03), "budget has no room"),
        (AuthorBudget(seconds=1e-9), "seconds"),
    ],
)
def test_an_exhausted_budget_ends_the_run_with_the_best_script(write, budget: AuthorBudget, words: str) -> None:
    told = write(script(TWO_ERRORS), script(UNDECLARED), script(UNDECLARED), budget=budget)
    assert not told.finished.success
    assert any(words in reason for reason in _reasons(told)), told.finished
    assert told.finished.source == told.disk
    assert told.disk in (UNDECLARED, TWO_ERRORS, None)


def _reasons(told: AuthorRun) -> list[str]:
    return [told.finished.message, *(event.reason for event in told.events if isinstance(event, UnansweredEvent))]


# what is sent


def test_the_first_request_holds_the_template_and_the_second_the_error_and_the_signature(write) -> None:
    template = catalogue.template("ema_ribbon")
    told = write(script(MISSPELLED), edits(("ta.smaa", "ta.sma")), request="an EMA ribbon", template="nearest")
    started = told.events[0]
    assert started.task.template == template.name
    first, second = told.fake.requests
    assert template.source in first.text
    assert "an EMA ribbon" in first.text
    assert "Could not find function or function reference 'ta.smaa'" in second.text
    assert "ta.sma(source: series int|float, length: series int)" in second.text
    assert "^^^^^^^" in second.text
    # The stable part comes first, is the same each time, and is marked for the cache.
    for request in (first, second):
        assert request.body["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert request.body["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    assert first.body["system"] == second.body["system"]
    assert template.source not in second.text
    assert "an EMA ribbon" in second.text


def test_no_template_is_sent_when_none_is_wanted(write) -> None:
    told = write(script(CLEAN), request="an EMA ribbon", template="none")
    assert catalogue.template("ema_ribbon").source not in told.fake.requests[0].text


def test_the_key_goes_to_the_service_and_nowhere_into_the_journal(write, tmp_path: Path) -> None:
    told = write(script(CLEAN))
    headers = told.fake.requests[0].headers
    assert "key-of-the-test" in headers.get("x-api-key", "") + headers.get("authorization", "")
    journals = list((tmp_path / ".state" / "runs").glob("*.jsonl"))
    assert len(journals) == 1
    assert "key-of-the-test" not in journals[0].read_text()


def test_a_cut_answer_is_asked_for_with_more_room(write) -> None:
    told = write(script(CLEAN[:60], stop_reason="max_tokens"), script(CLEAN))
    assert (told.finished.success, told.disk) == (True, CLEAN)
    first, second = (request.body["max_tokens"] for request in told.fake.requests)
    assert second > first


def test_a_script_of_an_older_version_is_asked_for_again(write) -> None:
    told = write(script(CLEAN.replace("=6", "=5")), script(CLEAN))
    assert told.names == ["Started", "Unanswered", "Drafted", "Compiled", "Finished"]
    assert "it is Pine v5" in told.fake.requests[1].text
    assert (told.finished.success, told.disk) == (True, CLEAN)


# what goes wrong around it


def test_a_refused_key_says_so_before_there_is_a_script(write) -> None:
    with pytest.raises(AuthorUnavailable, match="refused the key"):
        write(busy(401))


def test_a_service_that_stays_busy_keeps_what_there_is(write) -> None:
    told = write(script(UNDECLARED), *[busy(529)] * 8)
    assert (told.finished.outcome, told.disk) == ("unavailable", UNDECLARED)
    assert told.finished.hint


def test_without_a_key_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(AuthorUnavailable, match="ANTHROPIC_API_KEY"):
        claude()


def test_calling_it_off_stops_it_and_leaves_the_best_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    stopped: list[bool] = []
    with service(monkeypatch, script(UNDECLARED), edits(("lenght", "length"))):
        context = Context(cancelled=lambda: bool(stopped))
        events = session.write(
            REQUEST, claude(), LocalCompiler(), AuthorBudget(), context, template="none", output=OUTPUT
        )
        with pytest.raises(CancelledError):
            for event in events:
                if isinstance(event, CompiledEvent):
                    stopped.append(True)
    assert (tmp_path / OUTPUT).read_text() == UNDECLARED


def test_uses_of_a_library_that_is_not_here_are_not_told_as_checked(write) -> None:
    told = write(script(CLEAN + "import me/Foo/1 as f\nplot(f.average(close))\n"))
    assert (told.finished.success, told.finished.not_checked) == (True, ("me/Foo/1",))
    assert events.decode(events.encode(told.finished)) == told.finished
    assert write(script(CLEAN)).finished.not_checked == ()


# another compiler's word


def online(peer: Peer) -> OnlineCompiler:
    return OnlineCompiler(peer.url, back_off=(), gap=0.0)


def test_the_chosen_compiler_is_asked_once_our_own_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    place = {"start": {"line": 4, "column": 1}, "end": {"line": 4, "column": 4}}
    refused = Answer({"success": True, "result": {"errors": [{"code": "CE10057", "message": "not here", **place}]}})
    drawn = CLEAN.replace("plot(", "plot( ")
    steps = script(MISSPELLED), edits(("ta.smaa", "ta.sma")), edits(("plot(", "plot( "))
    with Peer(refused, Answer()) as peer, service(monkeypatch, *steps) as fake:
        events, finished = ending(
            session.write(REQUEST, claude(), online(peer), DEFAULT, Context(), template="none", output=OUTPUT)
        )
        assert "not here" in fake.requests[2].text
        assert [posted.source for posted in peer.posted] == [CLEAN, drawn]
    origins = [event.verdict.origin for event in events if isinstance(event, CompiledEvent)]
    assert origins == ["local", "online", "online"]
    assert (finished.success, finished.origin, finished.source) == (True, "online", drawn)


def test_errors_that_stay_are_put_to_the_chosen_compiler_for_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    with Peer(Answer()) as peer, service(monkeypatch, script(MISSPELLED), script(MISSPELLED)):
        events = session.write(REQUEST, claude(), online(peer), DEFAULT, Context(), template="none")
        _, finished = ending(events)
        assert len(peer.posted) == 1
    assert (finished.success, finished.origin, finished.source) == (True, "online", MISSPELLED)


def test_a_script_that_was_compiled_is_told_so_although_a_change_for_the_remarks_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    asked = f"{REQUEST}, with an alert"
    with Peer(Answer()) as peer, service(monkeypatch, script(CLEAN), script(CLEAN + "plot(qwertyuiop)\n")):
        events, finished = ending(
            session.write(asked, claude(), online(peer), DEFAULT, Context(), template="none", model="claude-x")
        )
    origins = [event.verdict.origin for event in events if isinstance(event, CompiledEvent)]
    assert origins == ["online", "local"]
    assert (finished.source, finished.origin, finished.message) == (CLEAN, "online", "the script compiles")


def test_a_compiler_that_cannot_be_reached_ends_the_run_and_keeps_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    with Peer(Answer(b"?")) as peer, service(monkeypatch, script(CLEAN)):
        events = session.write(REQUEST, claude(), online(peer), DEFAULT, Context(), template="none", output=OUTPUT)
        _, finished = ending(events)
    assert (finished.outcome, finished.success, finished.source) == ("unavailable", False, CLEAN)
    assert (tmp_path / OUTPUT).read_text() == CLEAN


# sure fixes before requests


LONG_AGO = CLEAN.replace("ta.sma", "sma")
"""A script with one error that has one cure."""


def with_model(*steps: Step, monkeypatch: pytest.MonkeyPatch, folder: Path, **options: Any) -> AuthorRun:
    isolate(monkeypatch, folder)
    with service(monkeypatch, *steps) as fake:
        events = session.write(
            REQUEST,
            claude(),
            LocalCompiler(),
            options.pop("budget", DEFAULT),
            Context(),
            template="none",
            output=OUTPUT,
            model="claude-x",
            **options,
        )
        return AuthorRun(*ending(events), fake, folder)


def test_what_is_surely_mended_costs_no_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = with_model(script(LONG_AGO), monkeypatch=monkeypatch, folder=tmp_path)
    assert told.names == ["Started", "Drafted", "Compiled", "Mended", "Compiled", "Finished"]
    mended = told.events[3]
    assert isinstance(mended, MendedEvent)
    assert mended.source == CLEAN
    assert "ta.sma" in mended.changes[0]
    assert (told.finished.success, told.finished.attempts, told.disk) == (True, 1, CLEAN)


def test_also_the_last_draft_of_a_budget_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = with_model(script(LONG_AGO), monkeypatch=monkeypatch, folder=tmp_path, budget=AuthorBudget(rounds=1))
    assert (told.finished.success, told.disk) == (True, CLEAN)


def test_what_is_left_goes_to_the_model_with_the_mended_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = LONG_AGO + "plot(qwertyuiop)\n"
    told = with_model(script(broken), edits(("qwertyuiop", "open")), monkeypatch=monkeypatch, folder=tmp_path)
    assert told.names.count("Mended") == 1
    assert "ta.sma(close, length)" in told.fake.requests[1].text
    assert "plot(sma(" not in told.fake.requests[1].text
    assert told.disk == CLEAN + "plot(open)\n"


def test_a_resumed_run_sees_what_was_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = LONG_AGO + "plot(qwertyuiop)\n"
    told = with_model(script(broken), monkeypatch=monkeypatch, folder=tmp_path, budget=AuthorBudget(rounds=1))
    assert told.finished.outcome == "budget"
    [path] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    asked: list[str] = []
    for kept in range(2, len(lines) + 1):
        path.write_bytes(b"".join(lines[:kept]))
        (tmp_path / OUTPUT).unlink(missing_ok=True)
        with service(monkeypatch, edits(("qwertyuiop", "open"))) as fake:
            events = session.resume(
                OUTPUT, lambda started: (replace(started, budget=DEFAULT), claude(), LocalCompiler()), Context()
            )
            _, finished = ending(events)
        assert finished.success
        assert (tmp_path / OUTPUT).read_text() == CLEAN + "plot(open)\n"
        asked.append(fake.requests[0].text)
    assert len(set(asked)) == 1


def test_nothing_is_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guess = CLEAN + 'strategy.entry("Long")\n'
    told = with_model(script(guess), monkeypatch=monkeypatch, folder=tmp_path, budget=AuthorBudget(rounds=1))
    assert "Mended" not in told.names
    assert told.disk == guess


# remarks on a script that passes

WARNED = CLEAN + "if close > open\n    alert(str.tostring(ta.sma(close, 3)))\n"
HEEDED = CLEAN + "average = ta.sma(close, 3)\nif close > open\n    alert(str.tostring(average))\n"
REMARKS = ("if close > open\n    alert(str.tostring(ta.sma(close, 3)))", HEEDED.removeprefix(CLEAN).rstrip())


def test_warnings_are_told_once_and_what_heeds_them_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = with_model(script(WARNED), edits(REMARKS), monkeypatch=monkeypatch, folder=tmp_path)
    assert told.names == ["Started", "Drafted", "Compiled", "Revised", "Compiled", "Finished"]
    assert (told.finished.success, told.finished.warnings, told.disk) == (True, 0, HEEDED)
    asked = told.fake.requests[1].text
    assert "This is asked once" in asked
    assert "warning CW" in asked


TRAPPED = CLEAN + "label.new(bar_index + 600, close, str.tostring(close))\n"


def test_traps_that_compile_are_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = edits(("bar_index + 600", "bar_index + 60"))
    told = with_model(script(TRAPPED), answer, monkeypatch=monkeypatch, folder=tmp_path)
    assert (told.finished.success, told.disk) == (True, TRAPPED.replace("600", "60"))
    asked = told.fake.requests[1].text
    assert "PB5001" in asked
    assert "600 bars ahead" in asked


UNUSED = 'twice(float x) =>\n    x * 2\nfloat week = request.security(syminfo.tickerid, "W", close)\n'
UNUSED += 'alertcondition(close > week, "above")\n'


def test_the_remarks_on_a_draft_are_those_of_lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a function that nobody calls, and an alert that a bar of another timeframe can withdraw."""
    source = CLEAN + UNUSED
    found = opinions_on(open_program(source, ()))
    assert {each.code for each in found} == {"PB2006", "PB7003"}
    told = with_model(script(source), text("It is meant."), monkeypatch=monkeypatch, folder=tmp_path)
    asked = told.fake.requests[1].text
    assert [each.message for each in found if each.message not in asked] == []


def test_who_changes_a_script_is_told_what_the_change_brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest must stay, so remarks on it would ask for what the user did not."""
    given, meant = CLEAN + UNUSED, text("It is meant.")
    (tmp_path / "base.pine").write_text(given)
    options: dict[str, Any] = {"monkeypatch": monkeypatch, "folder": tmp_path, "base": "base.pine"}
    quiet = with_model(script(given + "plot(close)\n"), **options)
    assert quiet.finished.success and len(quiet.fake.requests) == 1
    told = with_model(script(given + "plot(close)\nfloat unread = ta.sma(close, 50)\n"), meant, **options)
    asked = told.fake.requests[1].text
    assert "PB1001" in asked and "PB2006" not in asked and "PB7003" not in asked


@pytest.mark.parametrize(
    "answer",
    [
        text("The warning is meant."),
        text(""),
        text("No.", stop_reason="refusal"),
        busy(400),
        script(CLEAN + "plot(qwertyuiop)\n"),
        script(WARNED.replace("Average", "Mean")),
    ],
)
def test_a_script_that_passes_is_never_lost_to_remarks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Step
) -> None:
    told = with_model(script(WARNED), answer, monkeypatch=monkeypatch, folder=tmp_path)
    assert (told.finished.success, told.finished.errors, told.fake.unused) == (True, 0, 0)
    assert told.disk == told.finished.source
    assert told.disk in (WARNED, WARNED.replace("Average", "Mean"))
    assert len(told.fake.requests) == 2


def test_remarks_cost_nothing_beyond_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = with_model(script(WARNED), monkeypatch=monkeypatch, folder=tmp_path, budget=AuthorBudget(rounds=1))
    assert (told.finished.success, told.finished.outcome, len(told.fake.requests)) == (True, "compiled", 1)


@pytest.mark.parametrize("answer", [text("It is meant."), busy(400)])
def test_a_run_that_has_passed_is_not_told_remarks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Step
) -> None:
    told = with_model(script(WARNED), answer, monkeypatch=monkeypatch, folder=tmp_path)
    assert told.finished.success
    with service(monkeypatch) as fake:
        _, finished = ending(session.resume(OUTPUT, lambda started: (started, claude(), LocalCompiler()), Context()))
    assert (finished.success, fake.requests) == (True, [])


def test_what_was_asked_for_and_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    alerting = CLEAN + 'alertcondition(close > open, "up")\n'
    with service(monkeypatch, script(CLEAN), script(alerting)) as fake:
        _, finished = ending(
            session.write(
                "the average with alerts",
                claude(),
                LocalCompiler(),
                DEFAULT,
                Context(),
                template="none",
                model="claude-x",
            )
        )
    assert (finished.success, finished.source) == (True, alerting)
    assert "mentions alerts" in fake.requests[1].text


# what the first request holds of a script of one's own


def changed(base: str, *steps: Step, monkeypatch: pytest.MonkeyPatch, folder: Path) -> AuthorRun:
    isolate(monkeypatch, folder)
    (folder / "base.pine").write_text(base)
    with service(monkeypatch, *steps) as fake:
        events = session.write(
            REQUEST, claude(), LocalCompiler(), DEFAULT, Context(), base="base.pine", template="none", output=OUTPUT
        )
        return AuthorRun(*ending(events), fake, folder)


def test_the_findings_of_a_script_to_change_go_with_the_first_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = changed(TWO_ERRORS, script(MISSPELLED), script(CLEAN), monkeypatch=monkeypatch, folder=tmp_path)
    first, second = (request.text for request in told.fake.requests)
    assert TWO_ERRORS in first
    assert "ta.smaa" in first.split("```")[-1]
    assert "clsoe" in first.split("```")[-1]
    assert "convert it to v6" not in first
    assert TWO_ERRORS not in second
    clean = changed(CLEAN, script(CLEAN), monkeypatch=monkeypatch, folder=tmp_path / "..")
    assert "reports" not in clean.fake.requests[0].text


def test_an_old_script_comes_with_the_rules_of_conversion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = '//@version=5\nstrategy("x")\nstrategy.entry("L", strategy.long, when = close > open)\n'
    told = changed(old, script(CLEAN), monkeypatch=monkeypatch, folder=tmp_path)
    assert "It is Pine v5: convert it to v6" in told.fake.requests[0].text
    assert "PB0001" not in told.fake.requests[0].text


def test_a_tool_is_offered_only_where_there_is_something_to_edit(write) -> None:
    told = write(script(MISSPELLED), edits(("ta.smaa", "ta.sma")))
    first, second = (request.body for request in told.fake.requests)
    assert "tools" not in first
    assert [tool["name"] for tool in second["tools"]] == ["replace_text"]


def test_events_tell_the_hints_that_the_model_is_told(write) -> None:
    told = write(script(MISSPELLED), edits(("ta.smaa", "ta.sma")))
    compiled = told.events[2]
    assert isinstance(compiled, CompiledEvent)
    assert all(finding.hint and finding.hint in told.fake.requests[1].text for finding in compiled.verdict.errors)
