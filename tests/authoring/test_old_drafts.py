"""Drafts in an earlier version of Pine: brought to v6 before they are judged, and the user and the author are told."""

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import MigratedEvent, UnansweredEvent, decode, encode
from pinebench.cli import story
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.migration import migrate_draft
from tests.authoring.fake_anthropic import edits, script
from tests.authoring.support import OUTPUT, AuthorRun, claude, ending

V4 = '//@version=4\nstudy("Average")\nlength = input(14, "Length")\nplot(sma(close, length), transp = 50)\n'
V5 = '//@version=5\nindicator("Average")\nplot(ta.sma(close, 14), color = color.red, transp = 50)\n'
NO_VERSION = V4.partition("\n")[2]
SAYS_6 = V4.replace("=4", "=6")


@pytest.fixture
def write(write: Callable[..., AuthorRun]) -> Callable[..., AuthorRun]:
    return partial(write, migrate=migrate_draft)


def migrated(told: AuthorRun) -> MigratedEvent:
    [event] = [event for event in told.events if isinstance(event, MigratedEvent)]
    return event


@pytest.mark.parametrize("draft", [V4, V5, NO_VERSION, SAYS_6], ids=["v4", "v5", "no version", "v4 that says v6"])
def test_an_old_draft_is_brought_to_v6_and_costs_no_round(write, draft: str) -> None:
    told = write(script(draft))
    assert told.names == ["Started", "Drafted", "Migrated", "Compiled", "Finished"]
    assert told.finished.success and told.finished.attempts == 1
    assert told.disk is not None and told.disk.startswith("//@version=6\nindicator(")
    assert "transp =" not in told.disk
    event = migrated(told)
    assert event.version == (5 if draft == V5 else 4)
    assert any("`transp` is part of the colour" in change for change in event.changes)
    assert decode(encode(event)) == event


def test_what_is_left_is_told_about_the_script_in_v6(write) -> None:
    told = write(script(V4 + "plot(nothing)\n"), edits(("plot(nothing)", "plot(open)")))
    assert told.finished.success and told.finished.attempts == 2
    asked = told.fake.requests[1].text
    assert "it was Pine v4 and was converted to v6" in asked
    assert "ta.sma(close, length)" in asked and "plot(sma(" not in asked
    assert "nothing" in asked


def test_a_draft_that_cannot_be_brought_to_v6_is_asked_for_again_with_the_reason(write) -> None:
    told = write(script(V4.replace('"Average")', '"Average"')), script(migrate_draft(V4).text))
    assert told.finished.success
    [silent] = [event for event in told.events if isinstance(event, UnansweredEvent)]
    assert silent.reason.startswith("it is Pine v4 and cannot be converted to v6: it has a syntax error of its own")
    assert silent.reason in told.fake.requests[1].text


def test_a_users_own_old_script_ends_as_v6(write) -> None:
    told = write(script(V5.replace("14", "20")), text=V5)
    assert told.disk is not None and told.disk.startswith("//@version=6")
    assert "ta.sma(close, 20)" in told.disk


def test_a_strategy_that_says_v6_keeps_the_defaults_of_v6(write) -> None:
    draft = '//@version=6\nstrategy("S")\nif close > sma(close, 5)\n    strategy.entry("L", strategy.long)\n'
    told = write(script(draft), budget=AuthorBudget(rounds=1))
    assert "Migrated" not in told.names
    assert told.disk is not None and "margin_long" not in told.disk


def test_a_draft_of_v6_is_left_alone(write) -> None:
    draft = migrate_draft(V4).text
    told = write(script(draft))
    assert "Migrated" not in told.names and told.disk == draft


def test_a_resumed_run_brings_what_was_drafted_to_v6(write, tmp_path: Path) -> None:
    write(script(V4))
    [path] = (tmp_path / ".state" / "runs").glob("*.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    (tmp_path / OUTPUT).unlink()
    events = session.resume(
        OUTPUT, lambda started: (started, claude(), LocalCompiler()), Context(), migrate=migrate_draft
    )
    _, finished = ending(events)
    assert finished.success and finished.source == migrate_draft(V4).text


def test_the_story_names_what_was_rewritten(write) -> None:
    stream = io.StringIO()
    story.follow(iter(write(script(V4)).events), stream=stream)
    assert "it was Pine v4, and was converted to v6:" in stream.getvalue()
    assert "- line 4: `sma()` is `ta.sma()`" in stream.getvalue()
