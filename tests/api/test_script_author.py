"""Scripts by Claude from Python, against a scripted service."""

from pathlib import Path

import pytest

import pinebench as pb
from tests.authoring.fake_anthropic import script
from tests.authoring.support import CLEAN, MISSPELLED, REQUEST, isolate, names, service


def test_a_draft_is_mended_until_it_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    heard = []
    with service(monkeypatch, script(MISSPELLED.replace("ta.smaa", "nothing")), script(CLEAN)) as fake:
        done = pb.write(REQUEST, template="none", on_event=heard.append)
    assert done.success and done.source == CLEAN
    assert len(fake.requests) == 2 and names(heard)[0] == "Started" and names(heard)[-1] == "Finished"


def test_the_rounds_are_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    with service(monkeypatch, script(CLEAN.replace("ta.sma", "nothing"))):
        done = pb.write(REQUEST, template="none", rounds=1)
    assert not done.success and done.outcome == "budget"


def test_without_a_key_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(pb.UnavailableError, match="ANTHROPIC_API_KEY"):
        pb.write(REQUEST)
