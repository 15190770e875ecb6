"""Which fix is offered for which finding, whether it is safe, and what the script looks like after it."""

from __future__ import annotations

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
from pinebench.linter.suggest.judge import Judge
from pinebench.syntax.edits import apply_edits
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\n'

# what is wrong, what is right, and whether the fix is safe
CASES = [
    ("plot(clsoe)", "plot(close)", True),
    ("plot(iff(close > open, 1, 2))", "plot(close > open ? 1 : 2)", False),
    ("plot(1 + iff(close > open, 1, na(open) ? 2 : 3))", "plot(1 + (close > open ? 1 : (na(open) ? 2 : 3)))", False),
    ("plot(ta.smaa(close, 14))", "plot(ta.sma(close, 14))", False),
    ("plot(sma(close, 14))", "plot(ta.sma(close, 14))", True),
    ("plot(max(close, 14))", "plot(math.max(close, 14))", True),
    ('plot(security("X", "D", close))', 'plot(request.security("X", "D", close))', True),
    ("slow = 3\nplot(slwo)", "slow = 3\nplot(slow)", True),
    ("plot(close, color = color.rde)", "plot(close, color = color.red)", True),
    ("plot(close, style = plot.style_lin)", "plot(close, style = plot.style_line)", False),
    ("plot(close, style = plot.style_ciurcles)", "plot(close, style = plot.style_circles)", True),
    ("flaot x = 1\nplot(x)", "float x = 1\nplot(x)", True),
    ("a = array.new<float>()\na.psuh(1)\nplot(close)", "a = array.new<float>()\na.push(1)\nplot(close)", True),
    ("a = array.new<int>()\nplot(a.length())", "a = array.new<int>()\nplot(a.size())", True),
    (
        "type P\n    float upper\np = P.new(1)\nplot(p.upepr)",
        "type P\n    float upper\np = P.new(1)\nplot(p.upper)",
        True,
    ),
    ("type P\n    float top\np = P.new(1)\nplot(p.tpo)", "type P\n    float top\np = P.new(1)\nplot(p.top)", False),
    ("x = 1\nx = 2\nplot(x)", "x = 1\nx := 2\nplot(x)", False),
    ("x := 1\nplot(x)", "x = 1\nplot(x)", True),
    (
        "type P\n    float a\np = P.new(1)\np.a = 2\nplot(p.a)",
        "type P\n    float a\np = P.new(1)\np.a := 2\nplot(p.a)",
        True,
    ),
    ("var x = na\nx := close\nplot(x)", "var float x = na\nx := close\nplot(x)", True),
    ("var x = na\nx := label.new(1, 1)\nplot(1)", "var label x = na\nx := label.new(1, 1)\nplot(1)", True),
    ("int x = 1.5\nplot(x)", "float x = 1.5\nplot(x)", False),
    ("bool x = na\nplot(x ? 1 : 0)", "bool x = false\nplot(x ? 1 : 0)", False),
    ("plot(close, colour = color.red)", "plot(close, color = color.red)", True),
    ("plot(ta.sma(close, lenght = 14))", "plot(ta.sma(close, length = 14))", True),
    ("plot(close, transp = 40)", "plot(close)", False),
    ("plot(close, color = color.red, transp = 40)", "plot(close, color = color.new(color.red, 40))", True),
    (
        "bgcolor(close > open ? color.red : na, transp = 40)",
        "bgcolor(color.new(close > open ? color.red : na, 40))",
        False,
    ),
    ("plot(ta.sma(close))", "plot(ta.sma(close, 14))", False),
    ("plot(ta.sma(close, 14, 3))", "plot(ta.sma(close, 14))", False),
    ('plot(series = close, "x")', 'plot(series = close, title = "x")', False),
    ('plot(ta.sma(close, "14"))', "plot(ta.sma(close, 14))", True),
    ("plot(close == na ? 1 : 0)", "plot(na(close) ? 1 : 0)", True),
    ("plot(close != na ? 1 : 0)", "plot(not na(close) ? 1 : 0)", True),
    ("x = bar_index ? 1 : 0\nplot(x)", "x = (bar_index) != 0 ? 1 : 0\nplot(x)", False),
    ('if bar_index\n    alert("")\nplot(1)', 'if bar_index != 0\n    alert("")\nplot(1)', False),
    ("label.new(1, 1, close)", "label.new(1, 1, str.tostring(close))", False),
    ('label.new(1, 1, "at " + close)', 'label.new(1, 1, "at " + str.tostring(close))', False),
    ("plot(ta.sma(close, 14)", "plot(ta.sma(close, 14))", True),
    ("plot(close[1)", "plot(close[1])", True),
    ("plot(close))", "plot(close)", True),
    ('plot(close, "x)', 'plot(close, "x")', False),
    ("plot(close);", "plot(close)", True),
    ("plot(close, “x”)", 'plot(close, "x")', True),
    ("x =\u00a0close\nplot(x)", "x = close\nplot(x)", True),
    ("x = close > 1 && close < 2\nplot(x ? 1 : 0)", "x = close > 1 and close < 2\nplot(x ? 1 : 0)", True),
    ("x = !(close > 1)\nplot(x ? 1 : 0)", "x = not (close > 1)\nplot(x ? 1 : 0)", False),
    ('if close = open\n    alert("")\nplot(1)', 'if close == open\n    alert("")\nplot(1)', False),
    ("x = close +\n    open\nplot(x)", "x = close +\n     open\nplot(x)", True),
    ("x = close +\nopen\nplot(x)", "x = close +\n     open\nplot(x)", True),
    ("x = close\n    + open\nplot(x)", "x = close\n     + open\nplot(x)", True),
    ('if close > open:\n    alert("")\nplot(1)', 'if close > open\n    alert("")\nplot(1)', True),
    ("var x = 0\nx++\nplot(x)", "var x = 0\nx += 1\nplot(x)", True),
    ("  x = 1\nplot(x)", "x = 1\nplot(x)", False),
    ("f(x) = x + 1\nplot(f(1))", "f(x) => x + 1\nplot(f(1))", True),
    ("x = [1, 2]\nplot(x.first())", "x = array.from(1, 2)\nplot(x.first())", True),
    ("[a, b] = [1, 2]\nplot(a + b)", "a = 1\nb = 2\nplot(a + b)", True),
    ("/* words */\nplot(close)", "// words\nplot(close)", True),
    ("to = 3\nplot(to)", "to_ = 3\nplot(to_)", False),
    ("f(x) =\n    y = x + 1\n    y\nplot(f(1))", "f(x) =>\n    y = x + 1\n    y\nplot(f(1))", True),
    ("f(x) -> x + 1\nplot(f(1))", "f(x) => x + 1\nplot(f(1))", True),
    ("x = True\nplot(x ? 1 : 0)", "x = true\nplot(x ? 1 : 0)", True),
    ("plot(close == None ? 1 : 0)", "plot(na(close) ? 1 : 0)", True),
    ("plot(close === open ? 1 : 0)", "plot(close == open ? 1 : 0)", True),
    ("plot(close <> open ? 1 : 0)", "plot(close != open ? 1 : 0)", True),
    ("let x = close\nplot(x)", "x = close\nplot(x)", True),
    ("plot(ta.smma(close, 14))", "plot(ta.rma(close, 14))", False),
    ("plot(close, “x – ‘y’ 5×”)", 'plot(close, "x – ‘y’ 5×")', True),
    (
        'plotshape(close > open, "Up", shape.triangleup, location.belowbar',
        'plotshape(close > open, "Up", shape.triangleup, location.belowbar)',
        True,
    ),
    ("plot(math.max(close, open, high)", "plot(math.max(close, open, high))", True),
    # several places are as good: a person chooses
    ("x = close - (open - close * 2\nplot(x)", "x = close - (open - close * 2)\nplot(x)", False),
    ("x = close[1 - bar_index\nplot(x)", "x = close[1 - bar_index]\nplot(x)", False),
    ("head = 0\nhead := head + 1) % 3\nplot(head)", "head = 0\nhead := head + 1 % 3\nplot(head)", False),
    ("x = close - bar_index >= 3 ? 1 : 0)\nplot(x)", "x = close - bar_index >= 3 ? 1 : 0\nplot(x)", False),
    ("start1 = 3\nplot(start2)", "start1 = 3\nplot(start1)", False),
    ("level = 3\nlevelsUp = 4\nplot(levels + levelsUp)", "level = 3\nlevelsUp = 4\nplot(level + levelsUp)", False),
    ("if close > open\n    x := 1\nplot(close)", "if close > open\n    x = 1\nplot(close)", False),
    ("var x = 0.0\nif close > open\n    x = na\nplot(x)", "var x = 0.0\nif close > open\n    x := na\nplot(x)", False),
    ("plot(close, linewidth = 0)", "plot(close, linewidth = 1)", False),
    # scopes
    ("if close > open\n    plot(close)", "plot((close > open) ? (close) : na)", False),
    (
        "f(float x) =>\n    x := x / 2\n    x\nplot(f(close))",
        "f(float x) =>\n    x1 = x\n    x1 := x1 / 2\n    x1\nplot(f(close))",
        False,
    ),
    (
        "plot(close > open ? ta.rsi(close, 14) : 50)",
        "rsi1 = ta.rsi(close, 14)\nplot(close > open ? rsi1 : 50)",
        False,
    ),
    (
        "a = close > open and ta.crossover(close, open)\nplot(a ? 1 : 0)",
        "crossover1 = ta.crossover(close, open)\na = close > open and crossover1\nplot(a ? 1 : 0)",
        False,
    ),
    (
        "float x = na\nif close > open\n    x := ta.sma(close, 14)\nplot(x)",
        "float x = na\nsma1 = ta.sma(close, 14)\nif close > open\n    x := sma1\nplot(x)",
        False,
    ),
]


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
    real = Judge._tried

    def tried(self: Judge, candidates: list[Candidate], *rest: Any) -> Any:
        trials.append(len(candidates))
        return real(self, candidates, *rest)

    monkeypatch.setattr(Judge, "_tried", tried)
    calls = " or ".join(f"close > {number} and ta.crossover(close, open)" for number in range(5))
    found = diagnostics_of(open_program(f"{HEAD}x = {calls}\nplotshape(x)\n"))
    assert [finding.fix is not None for finding in found] == [True] * 5
    assert trials == [5]
