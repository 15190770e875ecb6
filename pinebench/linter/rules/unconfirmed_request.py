"""Rule PB2006: a signal from a request's bar that is still open."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.requests import is_offset, looks_ahead, minutes, parts, taken, timeframes
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.settings import INPUTS
from pinebench.linter.rules.signals import SIGNALS, is_confirmed, signals


class UnconfirmedRequest(Rule):
    """A signal depends on the last bar of a higher timeframe, which changes in real time until it closes. On historical
    bars it is always closed, so signals that appeared and disappeared are not visible there. Request `close[1]` with
    `barmerge.lookahead_on`. TradingView's reference does not recommend `barstate.isconfirmed` within a request. If only
    earlier values of the request are used, `history-of-request` reports them.

    The first request for each signal and timeframe is reported. Inputs are assumed to have their defaults. For a tuple,
    only the values that the signal uses count. Timeframes of less than an hour, and signals that wait for
    `barstate.isconfirmed`, are not reported.

    Bad:

        //@version=6
        indicator("Example")
        daily = request.security(syminfo.tickerid, "D", close)
        plotshape(ta.crossover(close, daily))

    Good:

        //@version=6
        indicator("Example")
        daily = request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on)
        plotshape(ta.crossover(close, daily))
    """

    code = "PB2006"
    calls = ("request.security",)

    def finish(self, context: RuleContext) -> Findings:
        """Report the first request of each higher timeframe that has no offset and on which a signal depends."""
        if context.builtin_calls.keys().isdisjoint(SIGNALS):
            return
        reported: set[tuple[nodes.Node, str]] = set()
        for node in context.builtin_calls.get("request.security", ()):
            found = self._unconfirmed(node, context)
            if found is None or found in reported:
                continue
            reported.add(found)
            signal, timeframe = found
            yield context.report(self.code, node, signal=context.called(signal), timeframe=timeframe)

    def _unconfirmed(self, node: nodes.Call, context: RuleContext) -> tuple[nodes.Node, str] | None:
        """The signal that a request decides about before its bar is closed, and the timeframe; None without one."""
        asked = next((each for each in _timeframes(context, node) if each and (minutes(each) or 0) >= 60), None)
        if asked is None or looks_ahead(context, node):
            return None
        signal = signals(context).fed.get(node)
        if signal is None or all(_is_settled(context, node, *each) for each in taken(context, node)):
            return None
        return None if is_confirmed(context, signal) else (signal, asked)


def _timeframes(context: RuleContext, node: nodes.Call) -> Iterator[str | None]:
    """Yield the timeframes that a request asks for; for an input its default."""
    for asked, given in timeframes(context, node).items():
        value = context.value_node(given) if asked is None else given
        default = context.argument(value, "defval") if context.called(value) in INPUTS else None
        known = context.value(default)[1] if default is not None else asked
        yield known if isinstance(known, str) else None


def _is_settled(context: RuleContext, request: nodes.Call, asked: nodes.Node, variable: VariableSymbol | None) -> bool:
    """Whether a part of a request does not affect a signal before its bar is closed."""
    if variable is not None and variable not in signals(context).by:
        return True
    return is_offset(context, asked) or _is_taken_later(context, request, variable) or _waits(context, asked)


def _is_taken_later(context: RuleContext, request: nodes.Call, variable: VariableSymbol | None) -> bool:
    """Whether only earlier values of the request are used."""
    above = context.parent.get(request)
    if isinstance(above, nodes.History):
        return True
    if isinstance(above, nodes.VariableDeclaration):
        variable = context.program.bindings.variables[above.name]
    uses = context.reads.get(variable, ()) if variable is not None else ()
    return bool(uses) and context.once(_of_earlier).issuperset(uses)


def _of_earlier(context: RuleContext) -> set[nodes.Node]:
    """The expressions before a history operator."""
    return {each.object for each in context.of(nodes.History)}


def _waits(context: RuleContext, wanted: nodes.Node) -> bool:
    if not any(name in context.program.document.text for name in _STATES):
        return False
    return any(isinstance(part, nodes.Member) and part.name in _STATES for part in parts(context, wanted))


_STATES = ("isconfirmed", "isrealtime", "ishistory")
"""The bar states by which an expression can distinguish a closed bar from an open one."""
