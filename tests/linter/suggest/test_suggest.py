"""Which fix is offered for which finding, whether it is safe, and what the script looks like after it."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pinebench import codes
from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.linter import usage
from pinebench.linter.engine import diagnostics_of
from pinebench.linter.fixes import fix_text, score
from pinebench.linter.suggest import BY_CODE, fixes_for, with_fixes
from pinebench.linter.suggest.candidate import Candidate, values_of
from pinebench.linter.suggest.judge import FixJudge
from pinebench.syntax.edits import apply_edits
from tests.linter.suggest.support import fix_cases
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\n'
CASES = fix_cases("fixes.txt")


@each(("wrong", "right", "safe"), CASES)
def test_the_first_fix_is_the_right_one(wrong: str, right: str, safe: bool) -> None:
    text = f"{HEAD}{wrong}\n"
    program = open_program(text)
    found = [fix for finding in program.diagnostics for fix in fixes_for(program, finding)[:1]]
    assert found
    assert apply_edits(text, found[0].edits) == f"{HEAD}{right}\n"
    assert found[0].safe is safe
    mended = fix_text(text, unsafe=not safe).text
    assert mended == f"{HEAD}{right}\n"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('indicator("x")\nplot(close)\n', '//@version=6\nindicator("x")\nplot(close)\n'),
        ('// @version 6\nindicator("x")\nplot(1)\n', '//@version=6\nindicator("x")\nplot(1)\n'),
        ('//@version=6\nstudy("x")\nplot(close)\n', '//@version=6\nindicator("x")\nplot(close)\n'),
        ("//@version=6\nplot(close)\n", '//@version=6\nindicator("Untitled")\nplot(close)\n'),
    ],
)
def test_the_first_lines_are_mended(wrong: str, right: str) -> None:
    assert fix_text(wrong, unsafe=True).text == right


def test_a_name_that_resembles_nothing_gets_no_fix() -> None:
    program = open_program(f"{HEAD}plot(qqqqqqqqqq)\n")
    assert [fixes_for(program, finding) for finding in program.diagnostics] == [[]]


def test_two_equally_good_names_are_a_choice_for_a_person() -> None:
    text = f"{HEAD}lengthA = 1\nlengthB = 2\nplot(lengthC + lengthA + lengthB)\n"
    program = open_program(text)
    (finding,) = program.diagnostics
    fixes = fixes_for(program, finding)
    assert {fix.edits[0].text for fix in fixes} == {"lengthA", "lengthB"}
    assert not any(fix.safe for fix in fixes)
    assert fix_text(text).text == text


@pytest.mark.parametrize(
    "wrong",
    [
        "plot(ta.dema(close, 14))",
        "if close > open\n    y = close\n    plot(y)",
        "for i = 1 to 3\n    x = ta.sma(close[i], 14)\n    label.new(bar_index, x)",
    ],
)
def test_what_would_mean_something_else_is_not_offered(wrong: str) -> None:
    assert not [finding for finding in diagnostics_of(open_program(f"{HEAD}{wrong}\n")) if finding.fix]


def test_names_are_not_settled_while_a_syntax_error_hides_what_declares_them() -> None:
    text = f"{HEAD}f(src length) =>\n    lngth = 3\n    src + length\nplot(f(close, 1))\n"
    assert any(finding.fix and not finding.fix.safe for finding in diagnostics_of(open_program(text)))
    assert fix_text(text).text == text


def test_a_use_is_not_renamed_where_the_declaration_is_what_is_wrong() -> None:
    text = f"{HEAD}upper := close\nlow2 = open\nplot(upper - low2)\n"
    assert fix_text(text).text == text.replace(":=", "=")


def test_every_code_that_has_fixes_is_in_the_catalogue() -> None:
    assert set(BY_CODE) <= set(codes.all_codes())


OTHER_BAD = {
    "CE10017": 'note = "first\nplot(close, "x")',
    "CE10122": "two = str.tostring(2)\nplot(array.sum(array.from(1, two)))",
    "CE10149": "flaot x = 1\nplot(x)",
    "CE10161": 'for i = 0 until 3\n    alert("")\nplot(close)',
    "CE10272": "plot(clsoe)",
    "CE10243": None,
}
"""Scripts for the codes whose own bad example no fix can help; None stands for a script without a declaration."""


@each("code", sorted(BY_CODE))
def test_every_entry_of_the_table_yields_a_fix(code: str) -> None:
    text = codes.all_codes()[code].bad
    if code in OTHER_BAD:
        body = OTHER_BAD[code]
        text = f"{HEAD}{body}\n" if body is not None else "//@version=6\nplot(close)\n"
    found = [finding for finding in with_fixes(open_program(text)) if finding.code == code]
    assert any(finding.fix for finding in found), found


@each(
    "body",
    [
        *(wrong for wrong, _, _ in CASES),
        "length1 = 5\nlength2 = 6\nplot(ta.sma(close, length))",
        "plot(ta.sma(close, lenth = 14))",
        "plot(close, color = color.gren)",
        "plot(math.rond(close))",
        "plot(closing)",
        "pivotHigh = high\nplot(pivothigh)",
    ],
)
def test_a_hint_and_a_fix_name_the_same(body: str) -> None:
    for finding in with_fixes(open_program(f"{HEAD}{body}\n")):
        hinted = re.search(r"Did you mean `([^`]+)`", finding.hint or "")
        if hinted and finding.fix and finding.fix.title.startswith("write '"):
            assert finding.fix.edits[0].text.rpartition(".")[2] == hinted[1].rpartition(".")[2]


@each("code", [name for name, code in codes.all_codes().items() if "{" in code.template])
def test_the_values_of_a_message_are_found_again(code: str) -> None:
    for finding in open_program(codes.all_codes()[code].bad).diagnostics:
        if finding.code == code:
            assert values_of(finding), finding


_PIECES = st.sampled_from(
    [
        *"""plot( close ) [ ] " if for ta.smaa( , x 1 type float f(a)=> && ! ; “ ? : . < and""".split(),
        *"/* */ é switch = := na".split(),
        *("\n", "    ", " ", "\t", "\r\n"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=60).map("".join))
def test_any_text_can_be_fixed_without_harm(text: str) -> None:
    program = open_program(HEAD + text)
    for finding in diagnostics_of(program):
        if finding.fix is not None:
            after = open_program(apply_edits(program.document.text, finding.fix.edits))
            assert after.document.text != program.document.text
    assert score(open_program(fix_text(HEAD + text, unsafe=True).text)) <= score(program)


# advice about built-ins


def test_signatures_and_examples_are_sound_pine() -> None:
    assert usage.signatures("ta.sma") == ["ta.sma(source: series int|float, length: series int) -> series float"]
    assert usage.signatures("close") == ["close: series float"]
    assert usage.signatures("nothing") == []
    assert usage.example("close") is None


def _results(name: str) -> int:
    """How many values the built-in function returns."""
    from pinebench import reference

    found = reference.function(name)
    assert found is not None
    returned = found.overloads[0].returns
    return returned.count(",") + 1 if returned.startswith("[") else 1


def test_examples_compile() -> None:
    from pinebench import reference

    sound = total = 0
    for name in reference.functions():
        example = usage.example(name)
        if name.startswith(("ta.", "math.", "str.", "request.", "color.", "input")) and example:
            total += 1
            names = {2: "[a, b]", 3: "[a, b, c]"}.get(_results(name), "x")
            program = open_program(f"{HEAD}{names} = {example}\nplot(close)\n")
            sound += not any(finding.severity is Severity.ERROR for finding in program.diagnostics)
    assert sound >= 0.98 * total, f"{sound} of {total}"


def test_warnings_that_a_mended_error_uncovers_do_not_take_the_fix_back() -> None:
    text = '//@version=6\nstudy("x", shorttitle = "far too long for it")\nplot(close)\n'
    assert [finding.code for finding in open_program(text).diagnostics] == ["CE10271"]
    assert fix_text(text).text == text.replace("study", "indicator")


@pytest.mark.parametrize(
    "line",
    [
        "if close > open\n    x{0} = ta.crossover(close, open)",
        "f{0}(float x) =>\n    x := x / 2\n    x",
        'strategy.entry("L{0}", strategy.long, qty = math.round(ta.ema(close, {0})), when = close > open)',
    ],
)
def test_fixes_that_need_a_name_each_can_be_applied_together(line: str) -> None:
    """Else they are tried one by one, each at the cost of a check, and of an editor's two the second breaks the
    script."""
    head = HEAD if "strategy" not in line else '//@version=6\nstrategy("x")\n'
    text = head + "".join(line.format(number) + "\n" for number in range(2, 6)) + "plot(close)\n"
    fixes = [finding.fix for finding in diagnostics_of(open_program(text)) if finding.fix is not None]
    assert len(fixes) == 4
    together = apply_edits(text, [edit for fix in fixes for edit in fix.edits])
    assert not [finding for finding in open_program(together).diagnostics if finding.severity is Severity.ERROR]


def test_lines_before_one_statement_are_tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    trials: list[int] = []
    real = FixJudge._tried

    def tried(self: FixJudge, candidates: list[Candidate], *rest: Any) -> Any:
        trials.append(len(candidates))
        return real(self, candidates, *rest)

    monkeypatch.setattr(FixJudge, "_tried", tried)
    calls = " or ".join(f"close > {number} and ta.crossover(close, open)" for number in range(5))
    found = diagnostics_of(open_program(f"{HEAD}x = {calls}\nplotshape(x)\n"))
    assert [finding.fix is not None for finding in found] == [True] * 5
    assert trials == [5]
