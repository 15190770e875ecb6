"""Fixes that rules carry are applied as safely as the checker's: tried, and left out where they harm or do no good."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pinebench import files
from pinebench.diagnostics import Diagnostic, Edit, Fix, Severity
from pinebench.linter import rules
from pinebench.linter.engine import check_text
from pinebench.linter.findings import FindingFilter
from pinebench.linter.fixes import FixResult, fix_text
from pinebench.linter.project import LintedFile, ScriptFindings, fix_result
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

HEAD = '//@version=6\nindicator("x")\n'
_PLAN = rules._plan.__wrapped__
"""Asks for the rules anew, where otherwise the real ones are remembered."""


class Renaming(rules.Rule):
    """Dislikes a name wherever it stands, and would write another text there."""

    code = "PB1002"
    disliked = "old"
    other = "new"
    safe = True

    def finish(self, context: rules.RuleContext) -> Iterator[Diagnostic]:
        """Report the name."""
        for node in walk(context.statements):
            if isinstance(node, nodes.Name) and node.id == self.disliked:
                span = context.span(node)
                fix = Fix(f"write {self.other}", (Edit(span, self.other),), self.safe)
                yield context.report(self.code, span, fix, name=node.id, value=node.id)


class LeftOver(rules.Rule):
    """Dislikes a top-level variable whose name stands once in the script, and would remove its line."""

    code = "PB1001"
    nodes = (nodes.VariableDeclaration,)

    def visit(self, node: nodes.Node, context: rules.RuleContext) -> Iterator[Diagnostic]:
        """Report the declaration."""
        assert isinstance(node, nodes.VariableDeclaration)
        text, span = context.program.document.text, context.span(node)
        if text.count(node.name.id) == 1:
            line = span._replace(end=text.index("\n", span.end) + 1)
            yield context.report(self.code, span, Fix("remove it", (Edit(line, ""),), True), name=node.name.id)


def fixed(
    monkeypatch: pytest.MonkeyPatch, body: str, *asked: type[rules.Rule], unsafe: bool = False, select: str = "ALL"
) -> FixResult:
    """`body` after the fixes of the rules `asked` alone, as `lint --fix --select` applies them."""
    known = {rule.code: rule for rule in asked}
    monkeypatch.setattr(rules, "rule", lambda code: known.get(code, rules.Rule))
    monkeypatch.setattr(rules, "_plan", _PLAN)
    monkeypatch.setattr(rules, "TRIGGERS", {})
    view = FindingFilter((select,))
    return fix_text(HEAD + body, lambda found: view.wants(found.code), unsafe=unsafe, opinions=view.opinions)


def renaming(disliked: str, other: str, code: str = "PB1002", *, safe: bool = True) -> type[rules.Rule]:
    """A rule that would write `other` for the name `disliked`."""
    return type("Renamed", (Renaming,), {"disliked": disliked, "other": other, "code": code, "safe": safe})


def test_a_safe_fix_of_a_rule_is_applied_where_the_rule_is_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = renaming("hl2", "hlc3")
    done = fixed(monkeypatch, "plot(hl2)\nplot(hl2 + close)\n", rule)
    assert done.text == HEAD + "plot(hlc3)\nplot(hlc3 + close)\n"
    assert done.applied == {"write hlc3": 2}
    assert done.guesses == ()
    for select in ("CE", "PB1001"):
        assert fixed(monkeypatch, "plot(hl2)\n", rule, select=select).text == HEAD + "plot(hl2)\n"
    assert fix_text(HEAD + "plot(hl2)\n").text == HEAD + "plot(hl2)\n"


def test_a_guess_of_a_rule_needs_to_be_asked_for_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = renaming("hl2", "hlc3", safe=False)
    assert fixed(monkeypatch, "plot(hl2)\n", rule).text == HEAD + "plot(hl2)\n"
    done = fixed(monkeypatch, "plot(hl2)\n", rule, unsafe=True)
    assert done.text == HEAD + "plot(hlc3)\n"
    assert [*done.guesses] == [(3, "write hlc3")]


def test_a_fix_that_brings_an_error_or_a_warning_is_left_out_and_the_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = (renaming("hl2", "nothing_of_that_name"), renaming("hl2", "close < open ? ta.sma(close, 3) : 0"))
    for harmful in wrong:
        helpful = renaming("hlc3", "ohlc4", "PB1003")
        done = fixed(monkeypatch, "plot(hl2)\nplot(hlc3)\nplot(hl2)\n", harmful, helpful)
        assert done.text == HEAD + "plot(hl2)\nplot(ohlc4)\nplot(hl2)\n"
        assert done.applied == {"write ohlc4": 1}


def test_a_fix_after_which_the_rule_says_the_same_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "plot(hl2)\nplot(close)\n"
    assert fixed(monkeypatch, body, renaming("hl2", "(hl2)")).text == HEAD + body
    assert fixed(monkeypatch, body, renaming("hl2", "hl2 + 0")).text == HEAD + body


def test_of_what_stands_within_another_each_is_fixed_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    class Doubled(rules.Rule):
        code = "PB1002"
        nodes = (nodes.Unary,)

        def visit(self, node: nodes.Node, context: rules.RuleContext) -> Iterator[Diagnostic]:
            span = context.span(node)
            text = context.program.document.text[span.start : span.end]
            if text.startswith("not not "):
                yield context.report(self.code, span, Fix("simplify", (Edit(span, text[8:]),), True), name=text)

    body = "bool up = close > open\nplot({} ? 1 : 0)\n"
    done = fixed(monkeypatch, body.format("not not not not not up"), Doubled)
    assert done.text == HEAD + body.format("not up")


def test_what_a_fix_uncovers_is_fixed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "first = close\nsecond = first\nthird = second\nplot(close)\n"
    done = fixed(monkeypatch, body, LeftOver)
    assert done.text == HEAD + "plot(close)\n"
    assert done.applied == {"remove it": 3}


def test_of_two_next_to_each_other_the_one_without_a_fix_does_not_hold_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OnlyFirst(LeftOver):
        def visit(self, node: nodes.Node, context: rules.RuleContext) -> Iterator[Diagnostic]:
            for found in super().visit(node, context):
                yield found if "first" in found.message else found._replace(fix=None)

    body = "first = close\nother = close\nplot(close)\n"
    assert fixed(monkeypatch, body, OnlyFirst).text == HEAD + "other = close\nplot(close)\n"


def test_rules_that_undo_each_other_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    there, back = renaming("hl2", "hlc3"), renaming("hlc3", "hl2", "PB1003")
    assert fixed(monkeypatch, "plot(hl2)\n", there, back).text == HEAD + "plot(hlc3)\n"


def test_errors_come_first_and_while_one_is_left_no_rule_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = renaming("hl2", "hlc3")
    assert fixed(monkeypatch, "plot(hl2)\nplot(clsoe)\n", rule).text == HEAD + "plot(hlc3)\nplot(close)\n"
    broken = "plot(hl2)\nplot(nothing_of_that_name)\n"
    assert fixed(monkeypatch, broken, rule).text == HEAD + broken


def test_what_is_reported_as_fixable_is_fixed_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = renaming("hl2", "hlc3")
    monkeypatch.setattr(rules, "rule", lambda code: rule if code == rule.code else rules.Rule)
    monkeypatch.setattr(rules, "_plan", _PLAN)
    monkeypatch.setattr(rules, "TRIGGERS", {})
    view = FindingFilter(("ALL",))
    script = LintedFile("a.pine", files.DecodedText(HEAD + "plot(hl2)\n"), opinions=view.opinions)
    found = check_text(script.text, script.path, opinions=script.opinions)
    assert [(one.code, one.severity, one.fix and one.fix.safe) for one in found] == [("PB1002", Severity.WARNING, True)]
    after = fix_result(ScriptFindings(script, found), view, unsafe=False)
    assert (after.fixes, after.after.text) == (1, HEAD + "plot(hlc3)\n")
    nothing = fix_result(ScriptFindings(script, found), FindingFilter(("CE",)), unsafe=False)
    assert (nothing.fixes, nothing.after.text) == (0, script.text)
