"""Rules on style: what each reports, and the honest code that looks like it."""

from pinebench.linter.fixes import fix_text
from tests.linter.rules.support import INDICATOR, marked
from tests.tables import each

INPUTS = "a = input.int(1)\nb = input.int(2)\nc = input.int(3)\nd = input.int(4)\n"


@each(
    ("code", "before", "after"),
    [
        ("PB7014", "plot((high + low) / 2)", "plot(hl2)"),
        ("PB7014", "plot(2 * (0.5 * (high + low)))", "plot(2 * (hl2))"),
        ("PB7015", "up = close > open\nplotshape(false != up)", "up = close > open\nplotshape(up)"),
        ("PB7015", "up = close > open\nplotshape(up == false)", "up = close > open\nplotshape(not up)"),
        ("PB7015", "plotshape(close > open ? false : true)", "plotshape(not (close > open))"),
    ],
)
def test_what_surely_means_the_same_is_written_shorter(code: str, before: str, after: str) -> None:
    assert fix_text(f"{INDICATOR}{before}\n", opinions=[code]).text == f"{INDICATOR}{after}\n"


def test_options_of_style() -> None:
    assert marked("PB7009", INPUTS + "plot(a + b + c + d)", options={"PB7009": {"most": 3}})
    assert marked("PB7007", "plotshape(close > 72)", options={"PB7007": {"allowed": ("72",)}}) == []
