"""Two verdicts side by side differ in what one of them says, or where, or how; and in nothing else."""

import pytest

from pinebench.checker import open_program
from pinebench.cli.compare import compare, ours, theirs
from pinebench.compilers import CompilerUnavailable, Verdict
from pinebench.diagnostics import Diagnostic, Severity, Span, TextPosition

TEXT = '//@version=6\nindicator("x")\nplot(clsoe)\nplot(opne)\n'


def said(*found: Diagnostic, ok: bool | None = None) -> Verdict:
    errors = [each for each in found if each.severity is Severity.ERROR]
    return Verdict(not errors if ok is None else ok, found, "online", 0.0)


def undeclared(name: str, **values: object) -> Diagnostic:
    at = TEXT.index(name)
    plain = Diagnostic(
        "CE10272", Severity.ERROR, f'Undeclared identifier "{name}"', Span(at, at + len(name)), values=()
    )
    return plain._replace(**values)


BOTH = (undeclared("clsoe"), undeclared("opne"))


def kinds(verdict: Verdict, text: str = TEXT) -> list[tuple[str, str, str]]:
    return [each.name for each in compare(ours(text), theirs(verdict, text)).differences]


def test_the_same_words_at_the_same_places_are_no_difference() -> None:
    assert kinds(said(*BOTH)) == []
    assert compare(ours(TEXT), theirs(said(*BOTH), TEXT)).kind is None


@pytest.mark.parametrize(
    ("verdict", "kind", "names"),
    [
        (said(), "verdict", [("verdict", "ours", "CE10272")] * 2),
        (said(BOTH[0]), "finding", [("finding", "ours", "CE10272")]),
        (said(*BOTH, undeclared("clsoe", code="CE10123")), "finding", [("finding", "theirs", "CE10123")]),
        (
            said(*BOTH, undeclared("clsoe", code="CW10003", severity=Severity.WARNING)),
            "finding",
            [("finding", "theirs", "CW10003")],
        ),
        (said(BOTH[0], undeclared("opne", span=Span(0, 1))), "place", [("place", "ours", "CE10272")]),
        (said(BOTH[0], undeclared("opne", message="Other words")), "words", [("words", "ours", "CE10272")]),
    ],
)
def test_what_differs_has_its_kind(verdict: Verdict, kind: str, names: list[tuple[str, str, str]]) -> None:
    assert kinds(verdict) == names
    assert compare(ours(TEXT), theirs(verdict, TEXT)).kind == kind


def test_a_script_that_only_they_refuse_differs_even_without_a_word() -> None:
    text = '//@version=6\nindicator("x")\nplot(close)\n'
    found = compare(ours(text), theirs(said(ok=False), text))
    assert (found.kind, found.differences) == ("verdict", ())


def test_what_only_we_say_is_no_difference() -> None:
    text = '//@version=7\nindicator("x")\nplot(close)\n'  # PB0002, and an opinion that nobody asked for
    assert kinds(said(), text) == []


def test_places_are_those_that_are_reported() -> None:
    text = '//@version=6\nindicator("x")\nplot(close,\n     title = nothing)\n'
    (mine,) = ours(text).findings
    at = text.index("nothing")
    theirs_word = Diagnostic("CE10272", Severity.ERROR, 'Undeclared identifier "nothing"', Span(at, at + 7))
    placed = theirs_word._replace(tv_position=TextPosition(mine.line, mine.column))
    assert kinds(said(placed), text) == []


def test_an_error_without_a_code_is_known_by_its_words() -> None:
    text = '//@version=6\nindicator("x")\nplot(close)\n'

    def uncoded(name: str) -> Verdict:
        return said(Diagnostic("uncoded", Severity.ERROR, f'The "{name}" of line 3 is odd', Span(0, 0)))

    assert kinds(uncoded("a"), text) == kinds(uncoded("b"), text) == [("verdict", "theirs", "The … of line … is odd")]


def test_of_errors_of_form_the_first_alone_counts_on_both_sides() -> None:
    # The studio's page says all that our checker says.
    text = '//@version=6\nindicator("x")\nplot(clsoe)\nplot(close\nplot(open\n'
    everything = tuple(open_program(text).diagnostics)
    assert len(everything) > 1
    assert kinds(said(*everything), text) == []
    assert kinds(said(everything[0]._replace(code="CE10272")), text) != []


def test_of_an_older_version_nothing_can_be_said() -> None:
    with pytest.raises(CompilerUnavailable, match="checks v6 only"):
        ours('//@version=5\nindicator("x")\nplot(close)\n')
