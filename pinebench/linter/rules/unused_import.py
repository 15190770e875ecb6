"""Rule PB7005: an import that is never used."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Fix, Rule, RuleContext, nodes, path
from pinebench.syntax.edits import TreeEdits


class UnusedImport(Rule):
    """A library is imported, and its alias is never used. Methods of a library can be called without the alias, so an
    import is not reported if the script calls a method that it does not declare.

    Bad:

        //@version=6
        indicator("Example")
        import TradingView/ta/7 as tv
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        import TradingView/ta/7 as tv
        plot(tv.ema2(close, 20))
    """

    code = "PB7005"
    nodes = (nodes.Import,)

    def visit(self, node: nodes.Import, context: RuleContext) -> Findings:
        """Report an import whose alias is never used."""
        alias = next((name for name, each in context.program.bindings.imports.items() if each.node is node), None)
        if alias is None:
            return
        named = (each for each in context.every_member if getattr(each.object, "id", None) == alias)
        if any(not _is_of_builtin(context, each) for each in named):
            return
        if any(getattr(getattr(each.name, "object", None), "id", None) == alias for each, _ in context.types):
            return
        resolved = context.program.resolved_calls
        if any(call not in resolved and isinstance(call.callee, nodes.Member) for call in context.of(nodes.Call)):
            return
        if any(function.owner is not None and not context.declares(function) for function in context.call_sites):
            return
        removal = TreeEdits(context.program.document)
        removal.remove(node)
        yield context.report(self.code, node, Fix("remove the import", removal.edits(), False), name=alias)


def _is_of_builtin(context: RuleContext, member: nodes.Member) -> bool:
    """Whether a dotted name is a built-in function that is called, such as `ta.sma` in `ta.sma(close, 9)`."""
    call = context.parent.get(member)
    return isinstance(call, nodes.Call) and call.callee is member and context.called(call) == path(call.callee)
