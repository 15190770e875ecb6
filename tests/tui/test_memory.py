"""Garbage is searched while nobody types, and not before the workbench asks for it."""

import gc

import pytest

from pinebench.tui import memory


def test_a_full_search_comes_only_if_it_is_asked_for_and_worth_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    counts = [0, 0, memory._WAITING]
    monkeypatch.setattr(memory, "_is_begun", False)
    monkeypatch.setattr(gc, "collect", lambda: searched.append("all"))
    monkeypatch.setattr(gc, "freeze", lambda: searched.append("kept"))
    monkeypatch.setattr(gc, "get_freeze_count", lambda: len(searched) - 1)
    monkeypatch.setattr(gc, "get_count", lambda: tuple(counts))
    monkeypatch.setattr(gc, "set_threshold", lambda *numbers: searched.append(str(numbers[2])))
    memory.search()
    assert not searched, "another program with a workbench in it searches as it likes"
    memory.begin()
    assert searched == ["1000"], "a full search never comes in the middle of a key"
    searched.clear()
    memory.search()
    memory.search()
    assert searched == ["all", "kept", "all"]
    counts[2] -= 1
    memory.search()
    assert searched == ["all", "kept", "all"]
