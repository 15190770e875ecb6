"""Rule PB2007: a signal from what is gathered within a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.rule import Rule, register
from pinebench.linter.rules.signals import SIGNALS, field_writes, signals
from pinebench.linter.rules.ticks import is_same_on_every_tick
from pinebench.linter.rules.uses import kept
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pinebench.checker.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class VaripInSignal(Rule):
    """A signal depends on a `varip` variable, which keeps its value from tick to tick. History has one tick a bar, so
    the signal cannot be tested there, and after reloading the chart it is another one.

    The declaration is reported. It is left alone where it changes at the end of the bar only or to what is the same on
    every tick, as `open` is, and where it keeps an alert from being sent twice.

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

    def finish(self, look: Look) -> Iterable[Diagnostic]:
        """Report the first of the variables that feed a signal, where it is declared."""
        variables = kept(look)["varip"]
        fields = [field for field in look.of(nodes.Field) if field.mode == "varip"]
        if not variables and not fields:
            return ()
        if look.setting("calc_on_order_fills") == (True, True):
            return ()  # there it keeps values from one calculation to the next of the same bar, on history, too
        return self._found(look, variables, fields)

    def _found(
        self, look: Look, variables: list[nodes.VariableDeclaration], fields: list[nodes.Field]
    ) -> Iterator[Diagnostic]:
        told: set[nodes.Call] = set()
        for node in variables:
            symbol = look.symbol(node.name)
            if symbol is None or not (symbol.reassignments or _is_filled(look, symbol)):
                continue
            signal = signals(look).by.get(symbol)
            if signal is None or signal in told or _is_settled(look, symbol) or _is_latch(look, symbol, signal):
                continue
            told.add(signal)
            yield look.report(self.code, symbol.name_node, name=symbol.name, signal=look.called(signal))
        for field in fields:
            signal = _fed_by(look, field)
            if signal is not None and signal not in told:
                told.add(signal)
                yield look.report(self.code, field.name, within=field, name=field.name.id, signal=look.called(signal))


def _is_filled(look: Look, symbol: VariableSymbol) -> bool:
    """Whether something is put into the collection that a variable keeps."""
    for read in look.reads.get(symbol, ()):
        called = look.called(look.above(_outermost(look, read)))
        if called is not None and called.startswith(("array.", "map.", "matrix.")) and called.endswith(_FILLING):
            return True
    return False


def _outermost(look: Look, read: nodes.Node) -> nodes.Node:
    """The name of a method that is called on a variable, else its own."""
    above = look.above(read)
    return above if isinstance(above, nodes.Member) else read


def _is_settled(look: Look, symbol: VariableSymbol) -> bool:
    """Whether a variable keeps what `var` would: it changes at the end of a bar only, or to the same on every tick."""
    writes = look.writes.get(symbol, ())
    return bool(writes) and all(is_same_on_every_tick(look, write, symbol) for write in writes)


def _is_latch(look: Look, symbol: VariableSymbol, signal: nodes.Call) -> bool:
    """Whether a variable only tells that an alert was sent: it is set beside one, and set back."""
    if look.called(signal) != "alert" or symbol.value is None:
        return False
    if not symbol.reassignments:
        return True  # a collection with one for each of several
    known, first = look.value(symbol.value)
    sent = {id(look.place(look.statement(call))[0]) for call in look.calls("alert")}
    return known and all(
        look.value(write.value) == (True, first) or id(look.place(write)[0]) in sent
        for write in look.writes.get(symbol, ())
    )


def _fed_by(look: Look, field: nodes.Field) -> nodes.Call | None:
    """The first signal that depends on a field that something is assigned to."""
    declared = look.parent.get(field)
    if field.name.id not in look.once(field_writes):
        return None
    for read in look.every_member:
        signal = signals(look).fed.get(read) if read.name == field.name.id else None
        owner = look.type(read.object) if signal is not None else None
        if owner is not None and owner.base.symbol is not None and owner.base.symbol.node is declared:
            return signal
    return None


_FILLING = (".push", ".set", ".put", ".unshift", ".insert", ".add_row", ".add_col", ".fill")
