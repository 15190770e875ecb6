"""What can be done about a place."""

from typing import Any

import pytest

from pinebench.checker import Program, open_changed
from pinebench.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from pinebench.linter.rules import opinions_on
from pinebench.linter.suggest import TrialBudget
from pinebench.services import OpenScript
from pinebench.services.actions import Action, actions, fixes_of
from pinebench.services.findings import findings
from pinebench.syntax.edits import apply_edits
from tests.services.support import HEAD, opened
from tests.tables import each


def offered(marked: str, select: str = "") -> dict[str, tuple[Action, str]]:
    """The actions at the bar, or for the text `select` behind it, by title, each with the script that it makes."""
    view, place = opened(marked, HEAD)
    span = Span(place, place + len(select))
    assert view.text[span.start : span.end] == select
    findings = [*view.program.diagnostics, *opinions_on(view.program)]
    found = actions(view, span, findings)
    return {each.title: (each, apply_edits(view.text, each.edits)[len(HEAD) :]) for each in found}


def test_an_error_is_mended_and_explained_but_never_hidden() -> None:
    found = offered("value = 1\nplot(val|ve)\n")
    assert any(action.kind == "fix" and "plot(value)" in text for action, text in found.values())
    assert found["Explain CE10272"][0].code == "CE10272"
    assert not any(title.startswith("Hide") for title in found)


@each(
    ("marked", "title", "made"),
    [
        ("plot|(ta.sma(close, 5)\nx = 1\n", "Close the '('", "plot(ta.sma(close, 5))\nx = 1\n"),
        ("plot|(close[1)\n", "Close the '['", "plot(close[1])\n"),
        ("plot(i|ff(close > open, 1, 2))\n", "Write it with '?' and ':'", "plot(close > open ? 1 : 2)\n"),
        ("|import TradingVeiw/ta/12 as t\n", "Import TradingView/ta/12", "import TradingView/ta/12 as t\n"),
        (
            "import PineCoder/VisibleCh|rt/5 as v\n",
            "Import PineCoders/VisibleChart/5",
            "import PineCoders/VisibleChart/5 as v\n",
        ),
        ("import Tradingview/Zig|Zag/1\n", "Import TradingView/ZigZag/7", "import TradingView/ZigZag/7\n"),
    ],
)
def test_what_is_unclosed_old_or_misspelled_is_mended(marked: str, title: str, made: str) -> None:
    assert offered(marked)[title][1] == made


@each("marked", ["plot|(ta.sma(close, 5)\nx = 1\n", "x = |(1 + 2\n"])
def test_fixes_that_can_be_told_apart_are_offered(marked: str) -> None:
    view, place = opened(marked, HEAD)
    titles = [each.title for each in actions(view, Span(place, place), view.program.diagnostics) if each.kind == "fix"]
    assert titles and len(titles) == len(set(titles))


def test_of_several_imports_on_one_line_only_the_unused_one_goes() -> None:
    imports = ["import a/B/1 as b", "import c/D/2 as d", "import e/F/3 as f"]
    for unused in range(3):
        line = ", ".join(imports)
        used = [each for each in "bdf" if each != "bdf"[unused]]
        body = f" // all\nplot({used[0]}.g(close) + {used[1]}.g(close))\n"
        place = line.index(imports[unused])
        made = offered(line[:place] + "|" + line[place:] + body)["Remove the import"][1]
        assert made == ", ".join(each for each in imports if each != imports[unused]) + body


def test_the_fix_of_a_comment_that_hides_nothing_is_offered() -> None:
    view, place = opened("|plot(close)  // pinebench: ignore[PB1001]\n", HEAD)
    (finding,) = [each for each in findings(view, "a.pine")[0] if each.code == "PB0004"]
    (fix,) = [each for each in actions(view, finding.span, [finding]) if each.kind == "fix"]
    assert apply_edits(view.text, fix.edits)[place:] == "plot(close)\n"


def test_the_fix_of_a_rule_is_only_offered_if_it_helps() -> None:
    view, place = opened("plot(|hl2)\n", HEAD)
    span = Span(place, place + len("hl2"))
    for written in ("hl2", "(hl2", "no_such_name"):
        fix = Fix("write it", (Edit(span, written),), True)
        finding = Diagnostic("PB1018", Severity.WARNING, "a finding", span, fix=fix)
        assert not [each for each in actions(view, span, [finding]) if each.kind == "fix"], written


@each(
    ("line", "most", "offered"),
    [("import me/Library{0}/1 as used{0}", 0, 100), ("alert('number {0}')  // pinebench: ignore[PB1001]", 4, 4)],
)
def test_the_fixes_of_many_findings_need_few_checks(
    monkeypatch: pytest.MonkeyPatch, line: str, most: int, offered: int
) -> None:
    checks: list[object] = []

    def counted(program: Program, *rest: Any) -> Program:
        checks.append(rest)
        return open_changed(program, *rest)

    monkeypatch.setattr("pinebench.linter.fixes.open_changed", counted)
    monkeypatch.setattr("pinebench.services.actions.open_changed", counted)
    view, _ = opened("|" + "".join(line.format(number) + "\n" for number in range(100)), HEAD)
    found = [each for each in findings(view, "a.pine")[0] if each.fix is not None]
    budget = TrialBudget(4 * len(view.text))
    fixed = [each for each in found if fixes_of(view, each, budget)]
    assert (len(found), len(fixed), len(checks)) == (100, offered, most)
    assert len(view.fixes) == len(fixed)  # the others are tried later


@each("marked", ["|import TradingView/ta/99 as t\n", "|import me/Mine/1 as t\n"])
def test_an_import_that_may_be_right_is_left_alone(marked: str) -> None:
    assert not [title for title in offered(marked) if title.startswith("Import")]


def test_a_missing_version_line_is_written() -> None:
    text = "indicator('t')\nplot(close)\n"
    view = OpenScript(text).view
    (made,) = [each for each in actions(view, Span(0, 0), view.program.diagnostics) if each.kind == "fix"]
    assert apply_edits(text, made.edits) == "//@version=6\n" + text


def test_a_comment_hides_what_is_no_error() -> None:
    _, hidden = offered("|idle = 3\n")["Hide PB1001 on this line"]
    assert "idle = 3  // pinebench: ignore[PB1001]" in hidden
    found = offered("|idle = 3  // pinebench: ignore[CW10003]\n")
    assert "ignore[CW10003, PB1001]" in found["Hide PB1001 on this line"][1]
    found = offered("|idle = 3  // a remark\n")
    assert found["Hide PB1001 on this line"][1].startswith("// pinebench: ignore[PB1001]\nidle = 3  // a remark")


def test_an_unused_variable_is_removed_with_its_assignments_or_named_as_unused() -> None:
    found = offered("var |idle = 3  // a number\nif close > open\n    idle := 4\n    log.info('x')\nplot(close)\n")
    removed = found["Remove the variable idle"][1]
    assert removed == "if close > open\n    log.info('x')\nplot(close)\n"
    kept = found["Rename it to _idle: not used on purpose"][1]
    assert "var _idle = 3" in kept and "    _idle := 4" in kept


@each(
    "marked",
    [
        "var |idle = 3\nif close > open\n    idle := 4\nplot(close)\n",
        "|idle = 3, other = 4\nplot(other)\n",
        "other = 4, |idle = 3\nplot(other)\n",
    ],
)
def test_a_variable_is_not_removed_with_other_code(marked: str) -> None:
    found = offered(marked)
    assert "Remove the variable idle" not in found
    assert "Rename it to _idle: not used on purpose" in found


@each(
    "marked",
    [
        '|idle = label.new(bar_index, close, "high")\nplot(close)\n',
        "items = array.new<float>(1)\nvar |idle = 0.0\nidle := array.pop(items)\nplot(items.size())\n",
        "f(x) =>\n    log.info('x')\n    x\nvar |idle = 0.0\nidle := f(close)\nplot(close)\n",
    ],
)
def test_a_variable_is_not_removed_with_a_call_that_does_something(marked: str) -> None:
    assert "Remove the variable idle" not in offered(marked)


def test_an_expression_becomes_a_variable_or_a_function() -> None:
    found = offered(
        "if close > open\n    x = |high - low + 1\n    plot(x)\n".replace("    plot(x)\n", ""), "high - low"
    )
    variable = found["Extract into a variable"][1]
    assert "    extracted = high - low\n    x = extracted + 1" in variable
    assert "extracted() =>\n    high - low\n" in found["Extract into a function"][1]


def test_a_function_gets_the_local_names_that_it_needs() -> None:
    found = offered("f(a, b) =>\n    c = a + 1\n    |c * b - close\nplot(f(1, 2))\n", "c * b")
    assert "extracted(c, b) =>\n    c * b\n" in found["Extract into a function"][1]
    assert "    extracted = c * b\n    extracted - close" in found["Extract into a variable"][1]


def test_what_would_run_at_other_times_is_not_moved() -> None:
    found = offered("x = close > open ? |ta.sma(close, 3) : 1.0\nplot(x)\n", "ta.sma(close, 3)")
    assert "Extract into a variable" not in found
    assert "Extract into a variable" not in offered("f(x) => |x + 1\nplot(f(1))\n", "x + 1")


def test_a_type_is_written_before_a_name() -> None:
    assert offered("val|ue = ta.sma(close, 3)\nplot(value)\n")["Write the type float"][1].startswith("float value = ")
    assert (
        "array<int> many" in offered("ma|ny = array.new<int>(3)\nplot(many.size())\n")["Write the type array<int>"][1]
    )
    assert not any(title.startswith("Write") for title in offered("float va|lue = 1\n"))


@each(
    ("marked", "select"),
    [
        ("i = -5\nwhile |math.abs(i) < 3\n    i += 1\n", "math.abs(i)"),
        ("i = 5\nx = while |i + 1 < 3\n    i += 1\n", "i + 1"),
        ("a = array.new<int>()\nfor i = 0 to |a.size() - 1\n    a.pop()\n", "a.size() - 1"),
        ("a = array.new<int>()\nb = a.size() > 0 and |a.get(0) > 1\n", "a.get(0)"),
        ("a = array.new<int>()\nb = a.size() > 0 ? |a.get(0) : 1\n", "a.get(0)"),
        ("a = array.new<int>()\nb = switch\n    a.size() > 0 => |a.get(0)\n    => 1\n", "a.get(0)"),
        ("a = 0\nb = a != 0 and |10 % a > 1\n", "10 % a"),
        ("var x = |close * 2\nplot(x)\n", "close"),
        ("type T\n    int v\nvar T t = na\nb = not na(t) and |t.v > 1\n", "t.v"),
    ],
)
def test_what_a_guard_or_a_loop_protects_is_not_moved(marked: str, select: str) -> None:
    assert "Extract into a variable" not in offered(marked, select)


def test_what_a_call_before_it_changes_is_not_computed_before_that_call() -> None:
    for marked, select in (
        ("a = array.from(1, 2)\nb = a.pop() + |a.size()\nplot(b)\n", "a.size()"),
        ("a = array.from(1, 2)\nb = a.size() + |a.pop()\nplot(b)\n", "a.pop()"),
        ("a = array.from(1, 2)\nf() => a.pop()\nb = f() + |(a.size() - 1)\nplot(b)\n", "(a.size() - 1)"),
    ):
        assert "Extract into a variable" not in offered(marked, select), marked
    assert "Extract into a variable" in offered("b = math.abs(close) + |(high - low)\nplot(b)\n", "(high - low)")


def test_a_variable_is_inlined() -> None:
    assert offered("s|um = close + open\nplot(sum)\n")["Inline the variable sum"][1] == "plot(close + open)\n"
    assert not any(title.startswith("Inline") for title in offered("var s|um = close\nplot(sum)\n"))


def test_what_cannot_fail_is_moved_out_of_a_guard() -> None:
    found = offered("b = close > open and |high - low > 1\nplot(b ? 1 : 0)\n", "high - low")
    assert "extracted = high - low\nb = close > open and extracted > 1\n" in found["Extract into a variable"][1]
