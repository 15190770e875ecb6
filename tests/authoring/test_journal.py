"""A journal that others wrote, or a disk spoilt, is named with its line; no event of a wrong shape reaches a run."""

import json
from pathlib import Path
from typing import get_args

import pytest

from pinebench.authoring.author import AuthorBudget, AuthoringTask, Usage
from pinebench.authoring.dialogue import Dialogue
from pinebench.authoring.events import (
    CompiledEvent,
    DraftedEvent,
    Event,
    ExchangedEvent,
    FinishedEvent,
    StartedEvent,
    encode,
    name_of,
)
from pinebench.authoring.journal import Journal
from pinebench.compilers import Verdict
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.errors import UsageError
from tests.hostile import DOCUMENTS, SHAPES, mutants

START = StartedEvent(AuthoringTask("request", "base", None), "claude", "local", AuthorBudget(), output="x.pine")
FINDING = Diagnostic("CE10272", Severity.ERROR, "words", Span(0, 1), None, "hint", None, (("identifier", "x"),))
EVENTS = (
    START,
    DraftedEvent(1, "plot(x)", Usage(1, 2, 3, 4, 0.5)),
    ExchangedEvent(2, "words", Usage(1), Dialogue.about([{"type": "text", "text": "words"}], "plot(x)\r\n")),
    CompiledEvent(1, Verdict(False, (FINDING,), "local", 0.1, {"cached": False}), True),
    FinishedEvent("compiled", True, "done", "plot(1)", 0, 0, "local", 1, Usage()),
)


def _journal(folder: Path, *events: object) -> Journal:
    journal = Journal(folder / "runs" / "j.jsonl")
    for event in events:
        journal.append(event, 1.5)  # type: ignore[arg-type]
    return journal


def test_what_was_appended_is_read_again(tmp_path: Path) -> None:
    assert _journal(tmp_path, *EVENTS).read() == [(event, 1.5) for event in EVENTS]


@pytest.mark.parametrize("line", [*DOCUMENTS.values(), *(json.dumps(shape).encode() for shape in SHAPES.values())])
def test_a_line_that_is_no_event_is_named(tmp_path: Path, line: bytes) -> None:
    journal = _journal(tmp_path, START)
    with open(journal.path, "ab") as file:
        file.write(line.replace(b"\n", b" ") + b"\n")
    with pytest.raises(UsageError, match="line 2 is not an event of a run"):
        journal.read()


def test_the_names_in_journals_stay() -> None:
    """Journals of killed runs are on users' disks, and go on with the next version."""
    kept = "Started Drafted Revised Migrated Mended Exchanged Unanswered Compiled Tried ApproachChanged Finished"
    assert [name_of(kind) for kind in get_args(Event)] == kept.split()
    assert [encode(event)["event"] for event in EVENTS] == ["Started", "Drafted", "Exchanged", "Compiled", "Finished"]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_with_one_wrong_value_is_refused_or_well_formed(tmp_path: Path, event: object) -> None:
    journal = _journal(tmp_path, START)
    start = journal.path.read_bytes()
    good = {**encode(event), "elapsed": 1.5}  # type: ignore[arg-type]
    refused = 0
    for line in mutants(good):
        journal.path.write_bytes(start + line + b"\n")
        try:
            (_, (found, elapsed)) = journal.read()
        except UsageError:
            refused += 1
            continue
        assert isinstance(elapsed, float)
        # What a wrong type would break later: everything that is read can be written again, and is the same then.
        assert encode(found) == json.loads(json.dumps(encode(found)))
        for name in ("round", "attempts", "errors", "usage", "verdict", "best"):
            value = getattr(found, name, None)
            assert value is None or isinstance(value, type(getattr(event, name)))
    assert refused > 20
