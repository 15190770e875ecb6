"""Tests of what a wheel with compiled rooms is made of; building one takes minutes and a compiler of C."""

import ast
import inspect
from types import ModuleType

import pytest

from pinebench.syntax import nodes
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


def test_nodes_are_written_out_with_the_constructors_that_their_decorator_makes() -> None:
    made = ModuleType("written_out")
    source = (CHECKOUT / "pinebench/syntax/nodes.py").read_text(encoding="utf-8")
    exec(compile_rooms.written_out(source), made.__dict__)
    classes = {
        name: each for name, each in vars(nodes).items() if isinstance(each, type) and issubclass(each, nodes.Node)
    }
    assert len(classes) > 30
    for name, declared in classes.items():
        written = getattr(made, name)
        assert written._fields == declared._fields
        arguments = {field: part.annotation for field, part in inspect.signature(written).parameters.items()}
        assert list(arguments) == list(inspect.signature(declared).parameters)
        assert arguments == {"start": "int", "end": "int"} | {
            each: declared.__annotations__[each] for each in declared._fields
        }
        values = range(len(arguments))
        assert [getattr(written(*values), each) for each in arguments] == list(values)
        assert declared.__init__.__qualname__ == written.__init__.__qualname__ == f"{name}.__init__"
        assert declared.__init__.__module__ == nodes.__name__


def test_no_module_that_is_compiled_has_a_decorator_that_cannot_be() -> None:
    """mypyc cannot compile `dataclass_transform`, which sets an attribute of a function."""
    for name in compile_rooms.modules():
        text = compile_rooms.written_out((CHECKOUT / name).read_text(encoding="utf-8"))
        decorated = (part for part in ast.walk(ast.parse(text)) if isinstance(part, ast.ClassDef | ast.FunctionDef))
        decorators = " ".join(ast.unparse(each) for part in decorated for each in part.decorator_list)
        assert "dataclass_transform" not in decorators and "_node" not in decorators.split(), name


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
