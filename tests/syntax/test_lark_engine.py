"""The product's parser and unmodified Lark build the same trees from the same tokens."""

import pytest
from hypothesis import given, settings

from pinebench.syntax import lark_engine, parse
from tests.syntax.generator import scripts
from tests.syntax.support import flat, samples

SAMPLES = samples()


def _compare(text: str) -> int:
    """Compare chunk by chunk where Lark finds no error; returns how many chunks were compared."""
    ours, reference = parse(text), lark_engine.parse(text)
    assert [chunk.start for chunk in ours.chunks] == [chunk.start for chunk in reference.chunks]
    compared = 0
    for mine, theirs in zip(ours.chunks, reference.chunks, strict=True):
        sound = not any(fault.code.startswith("CE") for fault in theirs.faults)
        assert sound == (not any(fault.code.startswith("CE") for fault in mine.faults)) or theirs.faults
        if sound:
            assert flat(mine.body) == flat(theirs.body)
            compared += 1
    return compared


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    assert _compare(SAMPLES[name]) > 0


@settings(max_examples=100, deadline=None)
@given(scripts())
def test_generated_scripts(text: str) -> None:
    assert _compare(text) > 0


def test_an_error_becomes_one_bad_statement() -> None:
    document = lark_engine.parse('//@version=6\nindicator("x")\na = = 1\nb = 2\n')
    kinds = [type(statement).__name__ for chunk in document.chunks for statement in chunk.body]
    assert kinds == ["ExpressionStatement", "ErrorStatement", "VariableDeclaration"]
    assert [found.code for found in document.diagnostics] == ["CE10156"]


def test_a_comparison_with_a_call_that_names_nested_types_is_no_list_of_types() -> None:
    assert parse("x = a < array.new<array<float>>(b)\n").diagnostics == []
    assert parse("x = a < map.new<string, array<float>>(b)\n").diagnostics == []
