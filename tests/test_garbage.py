"""The garbage collector rests while a script is parsed or checked, and only then."""

import gc

import pytest

from pinebench.checker import check
from pinebench.garbage import CollectionPaused, CollectionRare
from pinebench.linter import engine
from pinebench.linter.engine import lint_text
from pinebench.syntax import parse


def test_it_rests_inside_and_goes_on_afterwards() -> None:
    with CollectionPaused():
        assert not gc.isenabled()
        with CollectionPaused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_exception() -> None:
    with pytest.raises(ValueError, match="inside"), CollectionPaused():
        raise ValueError("inside")
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        check(parse("//@version=6\nindicator('x')\nplot(close)\n"))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_checking_leaves_it_on() -> None:
    check(parse("//@version=6\nindicator('x')\nplot(close)\n"))
    assert gc.isenabled()


def test_it_is_rare_inside_and_has_its_thresholds_afterwards() -> None:
    before = gc.get_threshold()
    with CollectionRare():
        rare = gc.get_threshold()
        assert rare[0] > before[0] and rare[1:] == before[1:]
        with CollectionRare():
            assert gc.get_threshold() == rare
        assert gc.get_threshold() == rare
    assert gc.get_threshold() == before
    gc.set_threshold(0)
    try:
        with CollectionRare():
            assert gc.get_threshold()[0] == 0  # 0 means never
    finally:
        gc.set_threshold(*before)


def test_a_very_long_script_is_searched_for_garbage_but_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_COLLECTED_AT_THE_END", 100)
    generations: list[int] = []

    def note(phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            generations.append(about["generation"])

    script = "//@version=6\nindicator('x')\n" + "".join(f"a{n} = close + {n}\nplot(a{n})\n" for n in range(400))
    gc.collect()
    gc.callbacks.append(note)
    try:
        lint_text(script)
    finally:
        gc.callbacks.remove(note)
    assert len(generations) <= 5
