"""The expression at each place of a line."""

from pinebench.services.expressions import expression_at
from tests.services.support import opened
from tests.tables import each

SCRIPT = """//@version=6
indicator("x")
fast = ta.sma(close, 9)
both = fast > open and barstate.isconfirmed
old = nz(fast[1]) + 2
if both
    fast := -fast
plot(fast, "fast",
     color.red)
"""


@each(
    ("line", "part", "expected"),
    [
        ("fast = ta", "fast", "fast"),
        ("fast = ta", "ta.", "ta.sma(close, 9)"),
        ("fast = ta", "sma", "ta.sma(close, 9)"),
        ("fast = ta", "close", "close"),
        ("fast = ta", "9", "ta.sma(close, 9)"),
        ("both = ", "fast", "fast"),
        ("both = ", "> open", "fast > open"),
        ("both = ", "and", "fast > open and barstate.isconfirmed"),
        ("both = ", "isconfirmed", "barstate.isconfirmed"),
        ("old = ", "1]", "fast[1]"),
        ("old = ", "+ 2", "nz(fast[1]) + 2"),
        ("    fast := ", "fast :=", "fast"),
        ("    fast := ", "-fast", "-fast"),
        ("plot(", "plot", 'plot(fast, "fast", color.red)'),
        ("//@version", "version", ""),
    ],
)
def test_the_expression_at_a_place(line: str, part: str, expected: str) -> None:
    offset = SCRIPT.index(part, SCRIPT.index(line))
    view, place = opened(f"{SCRIPT[:offset]}|{SCRIPT[offset:]}", "")
    assert expression_at(view, place) == expected
