"""An approval is for one place and for exactly the texts that a person saw."""

import stat
from pathlib import Path

import pytest

from pinebench import approvals

TEXTS = {"a": "one", "b": "two"}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def test_an_approval_is_for_these_texts_at_this_place(tmp_path: Path, state: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    assert not approvals.is_approved("skills", here, TEXTS)
    approvals.approve("skills", here, TEXTS)
    assert approvals.is_approved("skills", here, dict(reversed(TEXTS.items())))
    assert not approvals.is_approved("settings", here, TEXTS)
    assert not approvals.is_approved("skills", tmp_path, TEXTS)
    for other in ({}, {"a": "one"}, {"a": "two", "b": "one"}, {**TEXTS, "c": ""}, {"a": "one\n", "b": "two"}):
        assert not approvals.is_approved("skills", here, other)
    record = state / "skills" / "approved.json"
    assert stat.S_IMODE(record.stat().st_mode) == 0o600


def test_a_record_that_cannot_be_read_approves_nothing(tmp_path: Path, state: Path) -> None:
    approvals.approve("settings", tmp_path, TEXTS)
    record = state / "settings" / "approved.json"
    for text in ("", "[]", "{", "[" * 100_000, f'{{"{tmp_path}": true}}', "\x00"):
        record.write_text(text)
        assert not approvals.is_approved("settings", tmp_path, TEXTS)
        approvals.approve("settings", tmp_path, TEXTS)
        assert approvals.is_approved("settings", tmp_path, TEXTS)


def test_the_oldest_places_are_asked_about_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(approvals, "_MOST", 2)
    places = [tmp_path / name for name in "abc"]
    for place in places:
        approvals.approve("skills", place, TEXTS)
    assert [approvals.is_approved("skills", place, TEXTS) for place in places] == [False, True, True]
