"""Rules on strategies: what each reports, and the honest code that looks like it."""

import pytest

from pinebench.checker import open_program
from pinebench.linter.rules import opinions_on
from tests.linter.rules.support import STRATEGY

LONG = "if close > open\n    strategy.entry('L', strategy.long)\n"


def test_a_slip_in_an_id_is_mended_as_a_guess() -> None:
    program = open_program(STRATEGY + LONG + "if close < open\n    strategy.close('l')\n")
    (found,) = opinions_on(program, ["PB3005"])
    assert found.fix is not None
    assert (found.fix.edits[0].text, found.fix.safe) == ('"L"', False)


WORDS = [
    ("PB3001", LONG, 'Nothing ever closes the position that "L" opens'),
    (
        "PB3001",
        "if close > open\n    strategy.entry('L' + str.tostring(bar_index), strategy.long)",
        "Nothing ever closes the position that 'L' + str.tostring(bar_index) opens",
    ),
    (
        "PB3006",
        LONG + "if close > open\n    strategy.entry('S', strategy.short)",
        '"L" and "S" are ordered on the same bar and contradict each other',
    ),
    (
        "PB3006",
        "if close > open\n    strategy.entry('L', strategy.long)\n    strategy.close_all()",
        '"L" and strategy.close_all() are ordered on the same bar and contradict each other',
    ),
]


@pytest.mark.parametrize(("code", "body", "message"), WORDS)
def test_orders_are_named_as_the_script_does(code: str, body: str, message: str) -> None:
    (found,) = opinions_on(open_program(STRATEGY + body + "\n"), [code])
    assert found.message == message
