"""The state of a check: frames, and where the types of globals and locals are kept."""

import pytest

from pinebench.checker.checker import Checker
from pinebench.checker.one_check import run
from pinebench.checker.symbols import Frame
from pinebench.checker.types import FLOAT, INT, SERIES, UNKNOWN
from pinebench.syntax import parse
from tests.checker.support import HEAD

SCRIPT = "v = close\nf(a) =>\n    w = a\n    w\nx = f(1)\ny = f(close)"


def checker_of(script: str) -> Checker:
    """The state in which a check of `script` ends."""
    return run(parse(HEAD + script + "\n").snapshot, None)[0]


def test_a_global_has_one_type_and_a_local_one_per_instance() -> None:
    checker = checker_of(SCRIPT)
    symbols = {symbol.name: symbol for symbol in checker.bindings.symbols}
    assert symbols["v"].type is FLOAT.at(SERIES)
    assert symbols["w"].type is None
    frames = checker.bindings.functions["f"][0].frames.values()
    assert {frame.locals[symbols["w"]].base for frame in frames} >= {INT, FLOAT}


def test_a_variable_that_could_not_be_typed_is_unknown() -> None:
    checker = checker_of("v = undeclared\nf() => v")
    assert checker.type_of_variable(checker.bindings.global_scope.names["v"]) is UNKNOWN


def test_each_instance_knows_its_parameters_and_its_result() -> None:
    checker = checker_of(SCRIPT)
    frames = checker.bindings.functions["f"][0].frames
    assert all(frame.parameters == types and frame.result.base is types[0].base for types, frame in frames.items())


def test_positions_count_from_the_start_of_the_text() -> None:
    checker = checker_of("x = 1\ny = 2")
    chunk = checker.document.chunks[-1]
    with checker.at(chunk.start):
        assert checker.position(chunk.body[-1]) == checker.document.text.index("y = 2")
        assert checker.text(chunk.body[-1]) == "y = 2"
    assert checker.position(checker.document.chunks[0].body[0]) == checker.document.chunks[0].body[0].start


def test_a_region_leaves_everything_as_it_was() -> None:
    checker = checker_of(SCRIPT)
    function = checker.bindings.functions["f"][0]
    before = checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting
    with pytest.raises(KeyError), checker.inside(Frame(function), function), checker.local():
        assert (checker.frame.function, checker.offset, checker.local_depth) == (function, function.offset, 2)
        raise KeyError
    assert before == (checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting)
