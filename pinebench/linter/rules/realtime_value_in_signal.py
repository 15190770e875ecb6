"""Rule PB2002: a signal that depends on a real-time value."""

from __future__ import annotations

from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import ALERTS, SIGNALS, known_at, signals
from pinebench.linter.rules.ticks import is_same_on_every_tick


class RealtimeValueInSignal(Rule):
    """An order, an alert or a mark depends on `timenow`, `barstate.isrealtime`, `barstate.ishistory` or
    `barstate.isnew`. On historical bars these have different values than in real time, so historical bars do not show
    what the script will do.

    `barstate.isconfirmed` is safe. Alerts that depend on a state of the bar are not reported, because alerts come only
    from real-time bars. An alert that requires a real-time bar may also use the clock. `close[barstate.isrealtime ? 1 :
    0]` is not reported, because it reads a closed bar.

    Bad:

        //@version=6
        strategy("Example")
        if barstate.isrealtime and close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example")
        if barstate.isconfirmed and close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB2002"
    calls = SIGNALS

    def finish(self, context: RuleContext) -> Findings:
        """Report, for each real-time value, the first place where a signal depends on it."""
        if context.members.keys().isdisjoint(_STATES) and "timenow" not in context.program.document.text:
            return ()
        return self._found(context)

    def _found(self, context: RuleContext) -> Findings:
        for name in ("timenow", *(f"barstate.{state}" for state in _STATES)):
            told: set[nodes.Call] = set()
            for node in context.builtin_name(name):
                signal = signals(context).fed.get(node)
                if signal is None or signal in told:
                    continue
                called = context.called(signal)
                if called in ALERTS and (name.startswith("barstate.") or _is_live(context, signal, node)):
                    continue
                if not (
                    _is_index(context, node)
                    or _waits_for_the_close(context, signal, node)
                    or _counts_first_ticks(context, node)
                ):
                    told.add(signal)
                    yield context.report(self.code, node, name=name, signal=called)


_STATES = ("isrealtime", "ishistory", "isnew")


def _is_live(context: RuleContext, alert: nodes.Call, clock: nodes.Node) -> bool:
    """Whether an alert's condition requires a real-time bar, or whether the clock is only used for the time since the
    last alert."""
    if any(
        _asked(context, fact, _OPEN) is truth and _asked(context, fact, _PAST) is not truth
        for fact, truth in known_at(context, alert)
    ):
        return True
    above = context.above(clock)
    if isinstance(above, nodes.Reassignment):
        symbol = context.symbol(above.target)
    else:
        other = above.right if isinstance(above, nodes.Binary) and above.operator == "-" else None
        symbol = context.symbol(other)
    kept = symbol.reassignments if symbol is not None else ()
    return bool(kept) and all(isinstance(write.value, nodes.Name) and write.value.id == "timenow" for write in kept)


def _is_index(context: RuleContext, node: nodes.Node) -> bool:
    """Whether a value only chooses the offset of a history operator, so that a closed bar is read in real time as well
    as on historical bars."""
    below = node
    for above in context.parents(node):
        if isinstance(above, nodes.History) and below is above.offset:
            return True
        if isinstance(above, nodes.VariableDeclaration):
            reads = context.reads.get(context.program.bindings.variables[above.name], ())
            return bool(reads) and all(_is_index(context, read) for read in reads)
        below = above
    return False


def _waits_for_the_close(context: RuleContext, signal: nodes.Call, state: nodes.Node) -> bool:
    """Whether `state` only makes a signal wait for the end of the bar, in a condition that is true on historical bars,
    or is in a condition that is true on every bar."""
    for fact, truth in known_at(context, signal):
        values = [_asked(context, fact, bar) for bar in (_PAST, _CLOSED, _OPEN)]
        if values in ([truth, truth, not truth], [truth] * 3) and state in parts(context, fact):
            return True
    return False


def _counts_first_ticks(context: RuleContext, node: nodes.Node) -> bool:
    """Whether `barstate.isnew` only lets `varip` variables change once in a bar, to values that are the same on every
    tick."""
    above = context.statement(node)
    if context.text(node) != "barstate.isnew" or not isinstance(above, nodes.If) or above.otherwise:
        return False
    for statement in above.body:
        if not isinstance(statement, nodes.Reassignment):
            return False
        symbol = context.symbol(statement.target)
        if symbol is None or symbol.mode != "varip" or not is_same_on_every_tick(context, statement, symbol):
            return False
    return True


def _asked(context: RuleContext, node: nodes.Node, state: dict[str, bool]) -> bool | None:
    """The value of a condition in one state of the bar; None if the condition depends on anything else."""
    node = context.value_node(node)
    if isinstance(node, nodes.Unary) and node.operator == "not":
        operand = _asked(context, node.operand, state)
        return None if operand is None else not operand
    if isinstance(node, nodes.Binary) and node.operator in ("and", "or"):
        sides = {_asked(context, node.left, state), _asked(context, node.right, state)}
        decisive = node.operator == "or"
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
    if isinstance(node, nodes.Ternary):
        asked = _asked(context, node.condition, state)
        return None if asked is None else _asked(context, node.then if asked else node.otherwise, state)
    if isinstance(node, nodes.Literal):
        return {"true": True, "false": False}.get(node.text)
    return state.get(context.text(node)) if isinstance(node, nodes.Member) else None


_PAST = {"barstate.ishistory": True, "barstate.isrealtime": False, "barstate.isconfirmed": True}
_CLOSED = {"barstate.ishistory": False, "barstate.isrealtime": True, "barstate.isconfirmed": True}
_OPEN = {"barstate.ishistory": False, "barstate.isrealtime": True, "barstate.isconfirmed": False}
"""The bar states on a historical bar, on a real-time bar that closes, and on one that is open."""
