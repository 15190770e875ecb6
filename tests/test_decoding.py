"""The decoder: what others wrote is what was asked for, or Malformed, in time and memory that we choose."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from pinebench import decoding
from pinebench.decoding import Anything, MalformedDocument
from tests.hostile import DOCUMENTS


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_what_no_sane_program_writes_is_malformed(document: bytes) -> None:
    with pytest.raises(MalformedDocument) as caught:
        decoding.loads(document)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("[NaN]", "the document contains NaN"),
        ("1e400", "the document contains the number 1e400, which is too large"),
        ("1" * 5000, "the document contains a number with 5000 digits; at most 308 are allowed"),
        ("[" * 65 + "]" * 65, "the document is nested more than 64 levels deep"),
        ("[" * 500_000, "the document is nested more than 64 levels deep"),
        (b"\xff", "the document is not UTF-8 text: byte 0xff at offset 0"),
        ("[1,]", "the document is not JSON: .* at line 1, column 4"),
    ],
)
def test_the_message_says_what_is_wrong(document: str | bytes, words: str) -> None:
    with pytest.raises(MalformedDocument, match=words):
        decoding.loads(document)


def test_a_key_that_is_named_twice_is_malformed_where_none_may_be_lost() -> None:
    text = '{"a": {"b": 1, "c": 2, "b": 3}}'
    assert decoding.loads(text) == {"a": {"b": 3, "c": 2}}
    assert decoding.loads(text.replace('"b": 3', '"d": 3'), unique=True) == {"a": {"b": 1, "c": 2, "d": 3}}
    with pytest.raises(MalformedDocument, match="the document has the key 'b' twice"):
        decoding.loads(text, unique=True)


def test_what_is_within_all_limits_is_read() -> None:
    value = {"a": [1, 2.5, "x", None, True, -(10**20), 1e300, "\ud800"], "b": {}}
    assert decoding.loads(json.dumps(value)) == value
    assert decoding.loads("[" * 64 + "]" * 64)
    with pytest.raises(MalformedDocument, match=r"the document has more than 1e-05 MB"):
        decoding.loads("[1, 2, 3, 4]", size=10)


_SHAPE = {
    "name": str,
    "rows": [{"line": int, "price?": (None, float)}],
    "kind?": frozenset({"a", "b"}),
    "x?": {str: bool},
    "y?": {str: (float, None)},
    "z?": [int],
}
_GOOD: dict[str, Any] = {"name": "n", "rows": [{"line": 1, "price": 2}, {"line": 2, "price": None}], "more": []}
_PLAIN: dict[str, Any] = {"y": {"a": 1, "b": None, "c": 2.5}, "z": [1, 2]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": None}, "name is nothing, not a text"),
        ({"name": ["n"]}, "name is a list, not a text"),
        ({"rows": {}}, "rows is an object, not a list"),
        ({"rows": [1]}, r"rows\[0\] is 1, not an object"),
        ({"rows": [{}]}, r"rows\[0\]\.line is missing"),
        ({"rows": [{"line": True}]}, r"rows\[0\]\.line is true, not a whole number"),
        ({"rows": [{"line": 1.0}]}, r"rows\[0\]\.line is 1\.0, not a whole number"),
        ({"rows": [{"line": "1" * 99}]}, r"rows\[0\]\.line is \"1{38}…, not a whole number"),
        ({"rows": [{"line": 1, "price": "2"}]}, r"rows\[0\]\.price is \"2\", not a number"),
        ({"kind": "c"}, 'kind is "c", not one of a, b'),
        ({"kind": []}, "kind is a list, not one of a, b"),
        ({"x": {"k": 1}}, r"x\.k is 1, not true or false"),
        ({"x": [True]}, "x is a list, not an object"),
        ({"y": {"a": 1, "b": None, "c": 2.5, "d": True}}, r"y\.d is true, not a number"),
        ({"y": {"a": 1, "b": {}}}, r"y\.b is an object, not a number"),
        ({"z": [1, 2, 3.0]}, r"z\[2\] is 3\.0, not a whole number"),
        ({"z": [1, False]}, r"z\[1\] is false, not a whole number"),
    ],
)
def test_another_shape_is_named_with_its_place(change: dict[str, Any], words: str) -> None:
    assert decoding.loads(json.dumps(_GOOD | _PLAIN), _SHAPE) == _GOOD | _PLAIN
    with pytest.raises(MalformedDocument, match=words):
        decoding.loads(json.dumps(_GOOD | change), _SHAPE)


@dataclass
class _Inner:
    count: int
    ratio: float = 0.0


@dataclass
class _Outer:
    inner: _Inner
    kind: Literal["a", "b"]
    lines: tuple[str, ...] = ()
    note: str | None = None
    more: dict[str, Any] = field(default_factory=dict[str, Any])


def test_a_dataclass_says_its_own_shape() -> None:
    assert decoding.shape_of(_Outer) == {
        "inner": {"count": int, "ratio?": float},
        "kind": frozenset({"a", "b"}),
        "lines?": [str],
        "note?": (str, None),
        "more?": {str: Anything},
    }
