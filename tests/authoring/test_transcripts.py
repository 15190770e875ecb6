"""Whole runs with answers that a strong model gave, replayed: as many rounds, the same findings and the same ending.

The answers are in `transcripts/`, one file a run: the request, the script to change where there is one, and each
answer.
"""

import io
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import CompiledEvent
from pinebench.cli import story
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import Reply, edits, text
from tests.authoring.support import OUTPUT, AuthorRun, claude, ending, isolate, service

FOLDER = Path(__file__).parent / "transcripts"


@dataclass(frozen=True)
class Run:
    """What must come of a run: its rounds, the findings of each check, in order, and what the first request says of the
    script to change."""

    rounds: int = 1
    checks: tuple[tuple[str, ...], ...] = ((),)
    first: tuple[str, ...] = ()


RUNS = {
    "alertjson": Run(),
    "asia": Run(),
    "broken_levels": Run(first=("CE10235", "CE10198", "CE10120", "CE10101", "CE10115", "CE10123")),
    "broken_strategy": Run(first=("CE10015", "CE10165", "CE10156", "CE10123", "CE10120", "CE10272", "CE10144")),
    "candles": Run(),
    "cvd": Run(),
    "dash": Run(rounds=2, checks=(("CE10156",), ())),
    "grid": Run(),
    "halves": Run(rounds=2, checks=(("CW10011",), ())),
    "journal": Run(),
    "markov": Run(rounds=2, checks=((), ())),
    "mtf": Run(),
    "old_v4": Run(rounds=2, first=("It is Pine v4: convert it to v6", "`transp`")),
    "old_v5": Run(first=("It is Pine v5: convert it to v6", "`margin_long` and `margin_short` were 0")),
    "pairs": Run(),
    "regime": Run(),
    "smc": Run(),
    "zigzag": Run(),
}


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], AuthorRun]:
    """Runs a transcript through the real author, loop and checker."""
    isolate(monkeypatch, tmp_path)

    def run(name: str) -> AuthorRun:
        transcript = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
        base = "base.pine" if "base" in transcript else None
        if base:
            Path(base).write_text(transcript["base"], encoding="utf-8")
        with service(monkeypatch, *map(_reply, transcript["answers"])) as fake:
            events = session.write(
                transcript["request"],
                claude(),
                LocalCompiler(),
                AuthorBudget(),
                Context(),
                base=base,
                output=OUTPUT,
                model="claude-x",
            )
            return AuthorRun(*ending(events), fake, tmp_path)

    return run


def _reply(answer: dict[str, Any]) -> Reply:
    said = text(answer["text"])
    if "edits" not in answer:
        return said
    changed = edits(*((edit["old"], edit["new"]) for edit in answer["edits"]))
    return Reply((*said.blocks, *changed.blocks), stop_reason="tool_use")


def test_every_transcript_is_replayed() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == RUNS.keys()


@pytest.mark.parametrize("name", RUNS)
def test_a_transcript_ends_as_it_did(name: str, replay: Callable[[str], AuthorRun]) -> None:
    expected = RUNS[name]
    told = replay(name)
    checks = [each.verdict.diagnostics for each in told.events if isinstance(each, CompiledEvent)]
    assert [tuple(found.code for found in check) for check in checks] == list(expected.checks)
    assert (told.fake.unused, told.finished.outcome) == (0, "compiled")
    assert told.finished.attempts == len(told.fake.requests) == expected.rounds
    assert told.finished.words
    assert told.disk == told.finished.source
    assert [each for each in expected.first if each not in told.fake.requests[0].text] == []


def test_why_a_remark_is_left_as_it_is_reaches_the_user(replay: Callable[[str], AuthorRun]) -> None:
    told = replay("old_v4")
    assert "PB5004" in told.fake.requests[1].text
    assert "It stays: the resolution is the user's choice" in told.finished.words


def test_the_story_does_not_call_a_script_that_stays_a_missing_one(replay: Callable[[str], AuthorRun]) -> None:
    stream = io.StringIO()
    story.follow(iter(replay("old_v4").events), stream=stream)
    assert "round 2: the script stays as it is" in stream.getvalue()
    assert "no script" not in stream.getvalue()
