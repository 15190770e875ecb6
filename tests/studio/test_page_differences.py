"""What is said of the differences between this page and TradingView's: what a script uses, and nothing else."""

import pytest

from pinebench.checker import open_program
from pinebench.reference import variable
from pinebench.studio.page_differences import KNOWN, differences
from tests.tables import each

HEAD = '//@version=6\nindicator("One")\n'


@each("name", KNOWN)
def test_a_name_that_is_known_otherwise_is_named(name: str) -> None:
    assert variable(name) is not None
    assert [each.partition(":")[0] for each in differences(open_program(f"{HEAD}x = {name}\nplot(close)\n"))] == [name]


@pytest.mark.parametrize(
    "body",
    [
        "plot(ta.sma(close, 9), color = color.red, offset = 3)\n",
        "plot(close, editable = false)\n",
        "float ask = 1.0\nplot(ask)\n",
        "if barstate.islast\n    label.new(bar_index, high, 'x', tooltip = 'y')\n",
    ],
)
def test_nothing_is_said_where_nothing_differs(body: str) -> None:
    assert differences(open_program(HEAD + body)) == []
