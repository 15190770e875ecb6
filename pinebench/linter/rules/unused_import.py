"""Rule PB7005: a library of which nothing is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Edit, Fix
from pinebench.linter.rules.context import path
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext


@register
class UnusedImport(Rule):
    """A library is imported and its name stands nowhere else. Methods of a library need no name, so an import is
    left alone where a method is called that the script does not declare.

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

    def visit(self, node: nodes.Import, context: RuleContext) -> Iterator[Diagnostic]:
        """Report an alias that no name begins with."""
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
        yield context.report(
            self.code, node, Fix("remove the import", (Edit(context.span(node), ""),), False), name=alias
        )


def _is_of_builtin(context: RuleContext, member: nodes.Member) -> bool:
    """Whether a dotted name is that of a built-in function that is called, as `ta.sma` in `ta.sma(close, 9)`."""
    call = context.parent.get(member)
    return isinstance(call, nodes.Call) and call.callee is member and context.called(call) == path(call.callee)
