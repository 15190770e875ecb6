"""Rule PB2006: a signal from a request's bar that is still open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.requests import is_offset, looks_ahead, minutes, parts, taken, timeframes
from pinebench.linter.rules.rule import Rule, register
from pinebench.linter.rules.settings import INPUTS
from pinebench.linter.rules.signals import SIGNALS, is_confirmed, signals
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pinebench.checker.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class UnconfirmedRequest(Rule):
    """A signal depends on the last bar of a higher timeframe, which in real time changes until it closes. On history it
    is closed always, so that signals which came and went are not seen there. Ask for `close[1]` with
    `barmerge.lookahead_on`, or wait for `barstate.isconfirmed` within the request.

    The request is reported. Inputs count as they are unless somebody changes them; of a tuple counts what the signal
    takes.

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

    def visit(self, node: nodes.Call, look: Look) -> Iterable[Diagnostic]:
        """Report a request for a known, higher timeframe without an offset that feeds a signal."""
        if look.builtin_calls.keys().isdisjoint(SIGNALS):
            return ()
        asked = next((each for each in _timeframes(look, node) if each and (minutes(each) or 0) >= 60), None)
        if asked is None or looks_ahead(look, node):
            return ()
        signal = signals(look).fed.get(node)
        if signal is None or all(_is_settled(look, node, *each) for each in taken(look, node)):
            return ()
        if is_confirmed(look, signal):
            return ()
        return (look.report(self.code, node, signal=look.called(signal), timeframe=asked),)


def _timeframes(look: Look, node: nodes.Call) -> Iterator[str | None]:
    """The timeframes that a request asks for, that of an input unless somebody changes it."""
    for asked, given in timeframes(look, node).items():
        value = look.value_node(given) if asked is None else given
        default = look.argument(value, "defval") if look.called(value) in INPUTS else None
        known = look.value(default)[1] if default is not None else asked
        yield known if isinstance(known, str) else None


def _is_settled(look: Look, request: nodes.Call, asked: nodes.Node, variable: VariableSymbol | None) -> bool:
    """Whether a part of a request feeds no signal before its bar is closed."""
    if variable is not None and variable not in signals(look).by:
        return True
    return is_offset(look, asked) or _is_taken_later(look, request, variable) or _waits(look, asked)


def _is_taken_later(look: Look, request: nodes.Call, variable: VariableSymbol | None) -> bool:
    """Whether only earlier values of the request are used."""
    above = look.parent.get(request)
    if isinstance(above, nodes.History):
        return True
    if isinstance(above, nodes.VariableDeclaration):
        variable = look.program.bindings.variables[above.name]
    uses = look.reads.get(variable, ()) if variable is not None else ()
    return bool(uses) and look.once(_of_earlier).issuperset(uses)


def _of_earlier(look: Look) -> set[nodes.Node]:
    """What stands before `[]`."""
    return {each.object for each in look.of(nodes.History)}


def _waits(look: Look, wanted: nodes.Node) -> bool:
    if not any(name in look.program.document.text for name in _STATES):
        return False
    return any(isinstance(part, nodes.Member) and part.name in _STATES for part in parts(look, wanted))


_STATES = ("isconfirmed", "isrealtime", "ishistory")
"""By what an expression tells a bar that is closed from one that is not."""
