"""The condition that `when` gave an order becomes an `if` around it, and is never lost on the way."""

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.linter.fixes import fix_text
from pinebench.linter.suggest import fixes_for
from pinebench.syntax import parse
from pinebench.syntax.document import form
from tests.linter.suggest.support import fix_cases
from tests.tables import each

HEAD = '//@version=6\nstrategy("x")\nup = close > open\n'


@each(("wrong", "right", "safe"), fix_cases("orders.txt"))
def test_the_condition_is_put_around_the_order(wrong: str, right: str, safe: bool) -> None:
    assert safe
    fixed = fix_text(f"{HEAD}{wrong}\n")
    assert form(parse(fixed.text)) == form(parse(f"{HEAD}{right}\n"))
    assert fixed.text == f"{HEAD}{right}\n"
    assert not [found for found in open_program(fixed.text).diagnostics if found.severity is Severity.ERROR]


def test_line_ends_stay_as_they_are() -> None:
    fixed = fix_text(f'{HEAD}strategy.close("L", when = up)\nplot(1)\n'.replace("\n", "\r\n"))
    assert fixed.text == f'{HEAD}if up\n    strategy.close("L")\nplot(1)\n'.replace("\n", "\r\n")


@each(
    "body",
    [
        'x = 1, strategy.close("L", when = up)',
        'switch\n    up => strategy.close("L", when = up)',
        'f() => strategy.close("L", when = up)\nf()',
        'x = strategy.close("L", when = up)',
        'x = strategy.cancel("L", when = up)',
        'strategy.close("L", when = nope)',
        'strategy.close("L", when = "yes")',
        'var n = 0\nf() =>\n    log.info("x")\n    "c"\nstrategy.close("L", comment = f(), when = up)',
        'strategy.entry("L", when = up)',
        "f(bool on) => on\nplot(f(when = up) ? 1 : 0)",
    ],
)
@each("unsafe", [False, True])
def test_what_cannot_be_put_under_it_keeps_its_condition(body: str, unsafe: bool) -> None:
    """Where the order has no lines of its own, or something else is wrong: a guess may mend that, but drops nothing."""
    after = fix_text(f"{HEAD}{body}\n", unsafe=unsafe).text
    assert "when = " in after or (unsafe and "\nif " in after)


@pytest.mark.parametrize(
    "body", ['strategy.entry("L", strategy.long, when = up)', 'x = 1, strategy.close("L", when = up)']
)
def test_every_offered_fix_keeps_the_condition(body: str) -> None:
    program = open_program(f"{HEAD}{body}\n")
    for finding in program.diagnostics:
        for fix in fixes_for(program, finding):
            assert any("if up" in edit.text for edit in fix.edits), fix


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('strategy.close("L", up)', 'if up\n    strategy.close("L")'),
        ("strategy.close_all(up)", "if up\n    strategy.close_all()"),
    ],
)
def test_a_condition_without_its_name_is_moved_as_a_guess_only(old: str, new: str) -> None:
    text = f"{HEAD}{old}\n"
    assert fix_text(text).text == text
    assert fix_text(text, unsafe=True).text == f"{HEAD}{new}\n"
