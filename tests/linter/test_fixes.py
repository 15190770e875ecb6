"""Fixes are applied where they help, and taken back where they do not."""

from __future__ import annotations

import pytest

from pinebench.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from pinebench.linter import fixes
from pinebench.syntax.edits import apply_edits
from pinebench.syntax.lines import LineIndex


def edit(start: int, end: int, text: str) -> Edit:
    """Replace the characters from `start` to `end` by `text`."""
    return Edit(Span(start, end), text)


def test_edits_count_in_the_text_as_given_in_any_order() -> None:
    edits = [edit(8, 8, "!"), edit(0, 3, "one"), edit(4, 4, "and ")]
    assert apply_edits("ein zwei", edits) == "one and zwei!"


def test_no_edit_changes_nothing() -> None:
    assert apply_edits("text", []) == "text"


class Rule:
    """A checker for tests: reports each occurrence of some words, with a fix that replaces them."""

    def __init__(self, **replacements: str) -> None:
        self.replacements = replacements
        self.safe = True
        self.checks = 0

    def __call__(self, text: str, libraries: tuple[str, ...] = ()) -> FakeProgram:
        self.checks += 1
        found: list[Diagnostic] = []
        for word, replacement in self.replacements.items():
            start = text.find(word)
            while start >= 0:
                span = Span(start, start + len(word))
                fix = Fix(f"write {replacement}", (Edit(span, replacement),), self.safe)
                found.append(Diagnostic(f"PB-{word}", Severity.WARNING, f"{word} is odd", span, fix=fix))
                start = text.find(word, start + len(word))
        return FakeProgram(text, sorted(found, key=lambda diagnostic: diagnostic.span))


class FakeDocument:
    """What fixing reads of a document."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.diagnostics: list[Diagnostic] = []
        self.lines = LineIndex(text)


class FakeProgram:
    """What fixing reads of a checked script."""

    def __init__(self, text: str, diagnostics: list[Diagnostic]) -> None:
        self.document = FakeDocument(text)
        self.diagnostics = diagnostics


def fixed(monkeypatch: pytest.MonkeyPatch, rule: Rule, text: str, *, unsafe: bool = False) -> str:
    """`text` after the fixes that `rule` offers."""
    checked_by(monkeypatch, rule)
    return fixes.fix_text(text, unsafe=unsafe).text


def checked_by(monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    """Let `rule` check whatever is opened."""

    def changed(program: FakeProgram, edits: list[Edit]) -> FakeProgram:
        return rule(apply_edits(program.document.text, edits))

    monkeypatch.setattr(fixes, "open_program", rule)
    monkeypatch.setattr(fixes, "changed", changed)


def test_every_fix_is_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fixed(monkeypatch, Rule(aa="b", cc="d"), "aa cc aa") == "b d b"


def test_what_a_fix_uncovers_is_fixed_in_the_next_round(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fixed(monkeypatch, Rule(aaa="b"), "aaaaa aaaaaaaaa") == "baa bbb"


def test_a_fix_that_does_not_help_is_taken_back_and_the_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fixed(monkeypatch, Rule(aa="b", cc="cc!", dd="e"), "aa cc dd") == "b cc e"


def test_a_fix_that_makes_it_worse_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fixed(monkeypatch, Rule(aa="cc cc", cc="aa aa"), "aa") == "aa"


def test_a_fix_that_trades_one_fault_for_another_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Rule(aa="b", cc="dd", dd="cc")
    assert fixed(monkeypatch, rule, "aa cc") == "b cc"


def test_unsafe_fixes_need_to_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Rule(aa="b")
    rule.safe = False
    assert fixed(monkeypatch, rule, "aa") == "aa"
    assert fixed(monkeypatch, rule, "aa", unsafe=True) == "b"


def test_only_wanted_findings_are_fixed_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    checked_by(monkeypatch, Rule(aa="b", cc="d"))
    done = fixes.fix_text("aa cc aa", lambda diagnostic: diagnostic.code == "PB-aa")
    assert done.text == "b cc b"
    assert done.applied == {"write b": 2}


def test_overlapping_fixes_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fixed(monkeypatch, Rule(abab="x", baba="y"), "ababa") == "xa"


def test_a_script_full_of_useless_fixes_is_given_up_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Rule(aa="aa!", bb="c")
    monkeypatch.setattr(fixes, "CHARACTERS_TRIED", 10_000)
    assert fixed(monkeypatch, rule, "bb " + "aa " * 100) == "c " + "aa " * 100
    assert rule.checks < 40
