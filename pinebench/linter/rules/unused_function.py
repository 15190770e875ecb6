"""Rule PB7003: a function or method that is never called."""

from __future__ import annotations

from pinebench.checker import FunctionSymbol
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class UnusedFunction(Rule):
    """A function or a method is declared and never called. Exported functions of a library count as used, and so do
    names that begin with an underscore.

    Bad:

        //@version=6
        indicator("Example")
        average(source) => ta.sma(source, 20)
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        average(source) => ta.sma(source, 20)
        plot(average(close))
    """

    code = "PB7003"
    nodes = (nodes.FunctionDeclaration,)

    def finish(self, context: RuleContext) -> Findings:
        """Report functions without a call outside their own body. If a method is called on a value of unknown type,
        every function with that name counts as called."""
        if context.kind == "":
            return ()
        return [
            context.report(self.code, function.node.name, within=function.node, name=function.name)
            for group in context.program.bindings.functions.values()
            for function in group
            if not (function.exported or function.name.startswith("_") or _is_called(context, function))
            and function.name not in context.once(_unknown)
        ]


def _is_called(context: RuleContext, function: FunctionSymbol) -> bool:
    """Whether a function is called, except in its own body."""
    return any(context.function(site) is not function.node for site in context.call_sites.get(function, ()))


def _unknown(context: RuleContext) -> set[str]:
    """The names of methods that are called on values of unknown type."""
    resolved = context.program.resolved_calls
    calls = (call for call in context.of(nodes.Call) if isinstance(call.callee, nodes.Member) and call not in resolved)
    return {call.callee.name for call in calls if isinstance(call.callee, nodes.Member)}
