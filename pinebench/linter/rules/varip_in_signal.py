"""Rule PB2007: a signal from a value that is collected within a bar."""

from __future__ import annotations

from pinebench.checker import TypeSymbol, VariableSymbol
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.signals import SIGNALS, field_writes, signals
from pinebench.linter.rules.ticks import is_same_on_every_tick
from pinebench.linter.rules.uses import kept


class VaripInSignal(Rule):
    """A signal depends on a `varip` variable, which keeps its value from tick to tick. Historical bars have only one
    tick each, so the signal cannot be tested there, and it changes when the chart is reloaded.

    The declaration is reported. It is not reported if the variable changes only at the end of the bar or to a value
    that is the same on every tick, such as `open`, if it only prevents an alert from being sent twice, or if the
    strategy has `calc_on_order_fills = true`, because then historical bars are calculated several times too.

    Bad:

        //@version=6
        indicator("Example")
        varip ticks = 0
        ticks += 1
        plotshape(ticks > 100)

    Good:

        //@version=6
        indicator("Example")
        var bars = 0
        bars += 1
        plotshape(bars > 100)
    """

    code = "PB2007"
    calls = SIGNALS

    def finish(self, context: RuleContext) -> Findings:
        """Report the first variable or field that affects each signal, at its declaration."""
        variables = kept(context)["varip"]
        fields = [field for field in context.of(nodes.Field) if field.mode == "varip"]
        if not variables and not fields:
            return ()
        if context.setting("calc_on_order_fills") == (True, True):
            return ()  # then historical bars are calculated several times too
        return self._found(context, variables, fields)

    def _found(
        self, context: RuleContext, variables: list[nodes.VariableDeclaration], fields: list[nodes.Field]
    ) -> Findings:
        told: set[nodes.Call] = set()
        for node in variables:
            symbol = context.symbol(node.name)
            if symbol is None or not (symbol.reassignments or _is_filled(context, symbol)):
                continue
            signal = signals(context).by.get(symbol)
            if signal is None or signal in told or _is_settled(context, symbol) or _is_latch(context, symbol, signal):
                continue
            told.add(signal)
            yield context.report(self.code, symbol.name_node, name=symbol.name, signal=context.called(signal))
        for field in fields:
            signal = _fed_by(context, field)
            if signal is not None and signal not in told:
                told.add(signal)
                yield context.report(
                    self.code, field.name, within=field, name=field.name.id, signal=context.called(signal)
                )


def _is_filled(context: RuleContext, symbol: VariableSymbol) -> bool:
    for read in context.reads.get(symbol, ()):
        called = context.called(context.above(_outermost(context, read)))
        if called is not None and called.startswith(("array.", "map.", "matrix.")) and called.endswith(_FILLING):
            return True
    return False


def _outermost(context: RuleContext, read: nodes.Node) -> nodes.Node:
    """The member (`name.method`) around a name, if there is one; otherwise the name itself."""
    above = context.above(read)
    return above if isinstance(above, nodes.Member) else read


def _is_settled(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Whether a variable has the same values as with `var`: it changes only at the end of a bar, or to the same value
    on every tick."""
    writes = context.writes.get(symbol, ())
    return bool(writes) and all(is_same_on_every_tick(context, write, symbol) for write in writes)


def _is_latch(context: RuleContext, symbol: VariableSymbol, signal: nodes.Call) -> bool:
    """Whether a variable only records that an alert was sent: it is set next to an alert, and reset."""
    if context.called(signal) != "alert" or symbol.value is None:
        return False
    if not symbol.reassignments:
        return True  # a collection with one flag for each of several alerts
    known, first = context.value(symbol.value)
    sent = {id(context.place(context.statement(call))[0]) for call in context.calls("alert")}
    return known and all(
        context.value(write.value) == (True, first) or id(context.place(write)[0]) in sent
        for write in context.writes.get(symbol, ())
    )


def _fed_by(context: RuleContext, field: nodes.Field) -> nodes.Call | None:
    """The first signal that depends on a field that is assigned anywhere; None if there is none."""
    declared = context.parent.get(field)
    if field.name.id not in context.once(field_writes):
        return None
    for read in context.every_member:
        signal = signals(context).fed.get(read) if read.name == field.name.id else None
        owner = context.type(read.object) if signal is not None else None
        symbol = owner.base.symbol if owner is not None else None
        if isinstance(symbol, TypeSymbol) and symbol.node is declared:
            return signal
    return None


_FILLING = (".push", ".set", ".put", ".unshift", ".insert", ".add_row", ".add_col", ".fill")
