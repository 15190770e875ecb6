"""The condition that `when` gave an order becomes an `if` around it, and is never lost on the way."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.linter.fixes import fix_text
from pinebench.linter.suggest import fixes_for
from pinebench.syntax import parse
from pinebench.syntax.document import form
from tests.tables import each

HEAD = '//@version=6\nstrategy("x")\nup = close > open\n'

CASES = [
    ('strategy.entry("L", strategy.long, when = up)', 'if up\n    strategy.entry("L", strategy.long)'),
    (
        'strategy.entry("L", when = up, direction = strategy.long)',
        'if up\n    strategy.entry("L", direction = strategy.long)',
    ),
    ("strategy.close_all(when = up)", "if up\n    strategy.close_all()"),
    ('strategy.cancel("L", when = (up))', 'if up\n    strategy.cancel("L")'),
    (
        'strategy.close("L", when = up and close > 1 ? true : false)',
        'if up and close > 1 ? true : false\n    strategy.close("L")',
    ),
    (
        'strategy.exit("X", "L", stop = low, when = strategy.position_size > 0) // out',
        'if strategy.position_size > 0\n    strategy.exit("X", "L", stop = low) // out',
    ),
    # an `if` that is there stays around it
    (
        'if close > 1\n    // why\n    strategy.close("L", when = up)\n    x = 1',
        'if close > 1\n    // why\n    if up\n        strategy.close("L")\n    x = 1',
    ),
    (
        'f() =>\n\tstrategy.close("L", when = up)\nf()',
        'f() =>\n\tif up\n\t\tstrategy.close("L")\nf()',
    ),
    # continued lines and their comments
    (
        'strategy.close("L", // one\n  when = up and // two\n    close > 1, comment = "a  b") // three',
        '// one\n// two\nif up and close > 1\n    strategy.close("L", comment = "a  b") // three',
    ),
    (
        'strategy.order(\n  "L",\n  strategy.long,\n  when = up)',
        'if up\n    strategy.order(\n      "L",\n      strategy.long)',
    ),
    # numbers were conditions
    ('strategy.close("L", when = bar_index)', 'if bool(bar_index)\n    strategy.close("L")'),
    ('strategy.close("L", when = close - open)', 'if bool(close - open)\n    strategy.close("L")'),
    # what was computed on every bar is so still
    (
        'strategy.entry("L", strategy.long, qty = math.round(ta.ema(close, 3)), when = up)',
        'qty1 = math.round(ta.ema(close, 3))\nif up\n    strategy.entry("L", strategy.long, qty = qty1)',
    ),
    (
        'strategy.exit("X", "L", stop = ta.lowest(3), limit = ta.highest(3), when = up)',
        "stop1 = ta.lowest(3)\nlimit1 = ta.highest(3)\n"
        'if up\n    strategy.exit("X", "L", stop = stop1, limit = limit1)',
    ),
]


@each(("old", "new"), CASES)
def test_the_condition_is_put_around_the_order(old: str, new: str) -> None:
    fixed = fix_text(f"{HEAD}{old}\n")
    assert form(parse(fixed.text)) == form(parse(f"{HEAD}{new}\n"))
    assert fixed.text == f"{HEAD}{new}\n"
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
