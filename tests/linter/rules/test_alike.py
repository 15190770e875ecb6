"""What is written alike is about the same: rules leave pairs out by what they are about before they compare them."""

from pinebench.checker import open_program
from pinebench.linter.rules import RuleContext
from pinebench.linter.rules.alike import comparands, same, thing
from pinebench.syntax import nodes
from tests.linter.rules.support import INDICATOR
from tests.tables import each

ALIKE = [
    ("close > open", "(close)   > ((open))"),
    ("close[1] > open", "(close)[1] > open"),
    ("(close + open)[1] > low", "((close) + open)[1] > low"),
    ("ta.sma(close, 20) > 1", "ta.sma((close), (20)) > (1)"),
    ("ta.sma(close, 20)[1] > open", "(ta.sma(close, 20))[1] > open"),
    ("-close < 0", "-(close) < 0"),
    ("(close > open ? 1 : 2) == 1", "(((close > open)) ? 1 : (2)) == 1"),
    ("close - open > high - low", "(close - open) > (high - (low))"),
    ("not barstate.islast", "not (barstate.islast)"),
    ("barstate.islast", "(barstate.islast)"),
    ("str.length('a') > 1", "str.length(('a')) > 1"),
    ("true", "(true)"),
]


@each(("one", "other"), ALIKE)
def test_what_is_the_same_is_about_the_same(one: str, other: str) -> None:
    context = RuleContext(open_program(f"{INDICATOR}one = {one}\nother = {other}\nplot(one or other ? 1 : 0)\n"))
    assert not context.program.diagnostics
    first, second = (each.value for each in context.of(nodes.VariableDeclaration))
    assert same(first, second)
    things = comparands(context)
    bare = [each.expression if isinstance(each, nodes.Parenthesized) else each for each in (first, second)]
    assert len({things.get(each) or thing(each) for each in bare}) == 1
