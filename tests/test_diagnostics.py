"""Tests that a diagnostic survives being written as plain data, and that what is none is refused."""

import json
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.codes import all_codes, message
from pinebench.diagnostics import Diagnostic, Edit, Fix, Severity, Span, TextPosition, decode, encode
from pinebench.linter.engine import diagnostics_of

FULL = Diagnostic(
    "CE10272",
    Severity.ERROR,
    'Undeclared identifier "clsoe"',
    Span(3, 8),
    TextPosition(2, 7),
    "did you mean close?",
    Fix("write 'close'", (Edit(Span(3, 8), "close"), Edit(Span(9, 9), "\n")), safe=True),
    (("identifier", "clsoe"), ("count", 3), ("share", 0.5), ("known", False)),
)


@pytest.mark.parametrize("diagnostic", [FULL, Diagnostic("CW10003", Severity.WARNING, "words", Span(0, 0))])
def test_a_diagnostic_is_the_same_after_json(diagnostic: Diagnostic) -> None:
    assert decode(json.loads(json.dumps(encode(diagnostic)))) == diagnostic


def test_values_have_their_names() -> None:
    assert FULL.value("identifier") == "clsoe"
    assert FULL.value("count") == "3"
    assert FULL.value("other") == ""


@pytest.mark.parametrize(
    "change",
    [
        {"code": 10272},
        {"severity": "fatal"},
        {"severity": None},
        {"message": None},
        {"span": [1]},
        {"span": [1, 2, 3]},
        {"span": "12"},
        {"span": [-1, 2]},
        {"span": [True, 2]},
        {"span": [0.5, 2]},
        {"tv_position": 7},
        {"hint": ["x"]},
        {"fix": {"title": "x", "edits": [[1, 2]], "safe": True}},
        {"fix": {"title": "x", "edits": [[1, 2, "y"]], "safe": 1}},
        {"values": {"identifier": []}},
        {"values": {"identifier": None}},
        {"values": []},
        {"values": "identifier"},
        {"fix": "safe"},
        {"fix": []},
    ],
)
def test_what_is_no_diagnostic_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        decode({**encode(FULL), **change})


@pytest.mark.parametrize("name", sorted(all_codes()))
def test_every_message_is_made_from_the_values_that_are_kept(name: str) -> None:
    for diagnostic in diagnostics_of(open_program(all_codes()[name].bad)):
        assert message(diagnostic.code, **dict(diagnostic.values)) == diagnostic.message
        assert decode(json.loads(json.dumps(encode(diagnostic)))) == diagnostic
