"""Whether a text can be JSON: alone, and with unknown pieces in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.linter.rules.json_texts import may_be_json
from pinebench.linter.rules.messages import UNKNOWN
from tests.tables import each

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text('ab"\\ '),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=6,
)


@given(VALUES)
def test_every_document_is_json(value: object) -> None:
    assert may_be_json(json.dumps(value))


@given(VALUES, st.data())
def test_a_text_whose_unknown_piece_is_a_value_may_be_json(value: object, data: st.DataObject) -> None:
    text = json.dumps({"a": value, "b": 1})
    piece = data.draw(st.sampled_from((json.dumps(value), json.dumps(value) + ",", ' "b": 1', "}")))
    assert may_be_json(text.replace(piece, UNKNOWN, 1))


@each(
    "text",
    ['{"a": 1', "{'a': 1}", '{"a": 1,}', '{"a" 1}', '{"a": tru}', '{"a": 01}', "[1, 2", '{"a": 1}}', "", "{a: 1}"],
)
def test_what_is_no_json_is_none(text: str) -> None:
    assert not may_be_json(text)


@each("text", ['{"a": ?"b": 1}', '{"a": ?', "{?}", '{"a": 1?}', "[?]", '{"a?": "?"}', '{"a": 1}\n{"b": 2}'])
def test_what_unknown_pieces_may_make_json_may_be_some(text: str) -> None:
    assert may_be_json(text.replace("?", UNKNOWN))


@pytest.mark.parametrize("text", ["{'a': ?}", '{"a": ?, }', '{"a" ? 1 2 3}', '{"a": "x" "b": ?}'])
def test_what_no_piece_makes_json_is_none(text: str) -> None:
    assert not may_be_json(text.replace("?", UNKNOWN))
