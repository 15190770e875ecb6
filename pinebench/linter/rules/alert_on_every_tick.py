"""Rule PB6004: an alert that is sent on every tick."""

from __future__ import annotations

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import names_in
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, walk


class AlertOnEveryTick(Rule):
    """`alert.freq_all` sends the alert each time the script runs, which is on every tick in real time. TradingView
    stops alerts that are sent too often.

    Bad:

        //@version=6
        indicator("Example")
        if close > ta.sma(close, 20)
            alert("Above", alert.freq_all)
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        if close > ta.sma(close, 20)
            alert("Above", alert.freq_once_per_bar)
        plot(close)
    """

    code = "PB6004"
    calls = ("alert",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report the frequency `alert.freq_all`, unless a condition of the alert waits for the end of the bar."""
        given = context.argument(node, "freq")
        if given is None or context.value(given) != (True, "alert.freq_all"):
            return
        if not any(_waits(context, condition, truth) for condition, truth in context.facts(node)):
            yield context.report(self.code, given, within=node)


def _waits(context: RuleContext, condition: nodes.Node, truth: bool) -> bool:
    """Whether a condition may be true only once in a bar.

    It is a state of the bar, or it depends on callers, or it uses a variable that is assigned only in such a state or
    keeps its value within a bar.
    """
    if truth and context.shown(condition) in _ONCE_A_BAR:
        return True
    if _is_kept_elsewhere(context, condition):
        return True
    return any(
        _is_settled(context, symbol) for name in names_in(condition) if (symbol := context.symbol(name)) is not None
    )


def _is_kept_elsewhere(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an expression reads a field or an element, which the code that sends the alert may have changed."""
    for part in walk(node):
        if isinstance(part, nodes.Member) and not context.is_builtin(part):
            return True
        if (context.called(part) or "").startswith(("array.", "map.", "matrix.")):
            return True
    return False


_ONCE_A_BAR = frozenset(
    f"barstate.{state}" for state in ("isconfirmed", "isnew", "isfirst", "ishistory", "islastconfirmedhistory")
)
"""The states that are true at most once on an open bar."""


def _is_settled(context: RuleContext, symbol: VariableSymbol) -> bool:
    if symbol.kind == "parameter" or symbol.mode == "varip":
        return True
    writes = context.writes.get(symbol, ())
    if any(_is_kept_elsewhere(context, value) for value in (symbol.value, *(each.value for each in writes)) if value):
        return True
    return bool(writes) and all(
        any(context.shown(fact) in _ONCE_A_BAR for fact, truth in context.facts(write) if truth) for write in writes
    )
