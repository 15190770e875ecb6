"""The state of a check: frames, and where the types of globals and locals are kept."""

from __future__ import annotations

import pytest

from pinebench.check.frames import Frame
from pinebench.check.types import FLOAT, INT, SERIES, UNKNOWN
from tests.check.support import checked

SCRIPT = "v = close\nf(a) =>\n    w = a\n    w\nx = f(1)\ny = f(close)"


def test_a_global_has_one_type_and_a_local_one_per_instance() -> None:
    checker = checked(SCRIPT).checker
    symbols = {symbol.name: symbol for symbol in checker.bindings.symbols}
    assert symbols["v"].type is FLOAT.at(SERIES)
    assert symbols["w"].type is None
    frames = checker.bindings.functions["f"][0].instances.values()
    assert {frame.locals[symbols["w"]].base for frame in frames} >= {INT, FLOAT}


def test_a_variable_that_could_not_be_typed_is_unknown() -> None:
    checker = checked("v = undeclared\nf() => v").checker
    assert checker.type_of_variable(checker.bindings.global_scope.names["v"]) is UNKNOWN


def test_each_instance_knows_its_parameters_and_its_result() -> None:
    checker = checked(SCRIPT).checker
    frames = checker.bindings.functions["f"][0].instances
    assert all(frame.parameters == types and frame.result.base is types[0].base for types, frame in frames.items())


def test_positions_count_from_the_start_of_the_text() -> None:
    program = checked("x = 1\ny = 2")
    chunk = program.document.chunks[-1]
    with program.checker.at(chunk.start):
        assert program.checker.position(chunk.body[-1]) == program.document.text.index("y = 2")
        assert program.checker.text(chunk.body[-1]) == "y = 2"
    assert program.checker.position(program.document.chunks[0].body[0]) == program.document.chunks[0].body[0].start


def test_a_region_leaves_everything_as_it_was() -> None:
    checker = checked(SCRIPT).checker
    function = checker.bindings.functions["f"][0]
    before = checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting
    with pytest.raises(KeyError), checker.inside(Frame(function), function), checker.local():
        assert (checker.frame.function, checker.offset, checker.local_depth) == (function, function.offset, 2)
        raise KeyError
    assert before == (checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting)
