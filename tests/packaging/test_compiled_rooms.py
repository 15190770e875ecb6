"""Tests of what a wheel with compiled rooms is made of; building one takes minutes and a compiler of C."""

from __future__ import annotations

import ast

import pytest

from scripts.release import compile_rooms
from tests.cli.support import CHECKOUT
from tests.packaging.test_listings import hatch_build

SOURCE = """\
class Place(NamedTuple):
    name: str | None
    nodes: tuple[
        int, ...
    ] = ()  # «several»
    def width(self) -> int: return 1

class Other:
    name: str
"""


def test_annotations_of_named_tuples_become_texts_and_nothing_else_changes() -> None:
    made = compile_rooms.quoted(SOURCE)
    assert 'name: "str | None"\n    nodes: "tuple[int, ...]" = ()  # «several»\n' in made
    assert made.endswith("class Other:\n    name: str\n") and "-> int: return 1" in made
    for name in compile_rooms.modules():
        text = (CHECKOUT / name).read_text(encoding="utf-8")
        ast.parse(compile_rooms.quoted(text))


def test_each_module_that_stays_interpreted_exists() -> None:
    for name in compile_rooms.INTERPRETED - {"syntax/_tables"}:  # generated
        assert (CHECKOUT / "pinebench" / f"{name}.py").is_file(), name
    assert "pinebench/checker/constants.py" not in compile_rooms.modules()
    assert "pinebench/syntax/parser.py" in compile_rooms.modules()


def test_no_module_with_a_property_that_is_computed_once_is_compiled() -> None:
    with_one = {
        path.relative_to(CHECKOUT).as_posix()
        for room in compile_rooms.ROOMS
        for path in (CHECKOUT / "pinebench" / room).glob("*.py")
        if "cached_property" in path.read_text(encoding="utf-8")
    }
    assert {"pinebench/checker/program.py", "pinebench/checker/names.py"} <= with_one
    assert with_one.isdisjoint(compile_rooms.modules())


def test_only_a_wheel_that_is_asked_for_has_compiled_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PINEBENCH_COMPILED", raising=False)
    assert not hatch_build().is_compiled("wheel")
    monkeypatch.setenv("PINEBENCH_COMPILED", "1")
    assert hatch_build().is_compiled("wheel") and not hatch_build().is_compiled("sdist")
