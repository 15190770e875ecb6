"""Rule PB5006: a field of an object that may be na."""

from __future__ import annotations

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.guards import is_noted, on_every_way
from pinebench.linter.rules.objects import has_been_looked_at, is_assigned_before, is_object, may_have_objects
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, bare, nodes


class FieldOfNaObject(Rule):
    """A variable begins as `na` and is assigned under a condition, and its field is read without a test that an object
    exists. On the bars before the first assignment this stops the script.

    Bad:

        //@version=6
        indicator("Example")
        type Level
            float price
        var Level last = na
        if ta.crossover(close, ta.sma(close, 20))
            last := Level.new(close)
        plot(last.price)

    Good:

        //@version=6
        indicator("Example")
        type Level
            float price
        var Level last = na
        if ta.crossover(close, ta.sma(close, 20))
            last := Level.new(close)
        plot(na(last) ? na : last.price)
    """

    code = "PB5006"

    def finish(self, context: RuleContext) -> Findings:
        """Report fields that are read from variables that may be na, if the script can have objects."""
        if not may_have_objects(context):
            return ()
        bindings = context.program.bindings
        doubtful = {
            symbol
            for symbol in bindings.symbols
            if type(symbol.value) is nodes.Name and symbol.reassignments and _begins_as_na(context, symbol)
        }
        found: list[Diagnostic] = []
        objects: dict[VariableSymbol, bool] = {}
        for member in context.every_member if doubtful else ():
            owner = member.object
            if type(owner) is nodes.Parenthesized:
                owner = bare(owner)
            symbol = bindings.variables.get(owner)
            if symbol is None or symbol not in doubtful:
                continue
            if symbol not in objects:
                objects[symbol] = is_object(context, owner, member)
            if objects[symbol] and not _is_safe(context, member, owner, symbol):
                found.append(context.report(self.code, member, name=symbol.name))
        return found


def _begins_as_na(context: RuleContext, symbol: VariableSymbol) -> bool:
    return symbol.kind == "variable" and symbol.value is not None and context.value(symbol.value) == (True, None)


def _is_safe(context: RuleContext, node: nodes.Member, owner: nodes.Node, symbol: VariableSymbol) -> bool:
    """Whether a member is a call of a method, or a condition has tested the variable, or the variable has certainly
    been assigned."""
    above = context.parent.get(node)
    if isinstance(above, nodes.Call) and above.callee is node:
        return True

    def holds(each: nodes.Node) -> bool:
        if is_assigned_before(context, each, symbol) or has_been_looked_at(context, each, owner):
            return True
        return is_noted(context, each, context.writes.get(symbol, ()))

    return holds(node) if symbol.scope.function is not None else on_every_way(context, node, holds)
