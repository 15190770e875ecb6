"""Rule PB7003: a function or method that nothing calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class UnusedFunction(Rule):
    """A function or a method is declared and nothing calls it. What a library exports counts as used.

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report functions without a call, but for one from their own body; what is called as a method of something
        whose type is not known may be each of that name."""
        if not look.program.bindings.functions:
            return
        sites = look.call_sites
        for group in look.program.bindings.functions.values():
            for function in group:
                if function.exported or function.name.startswith("_") or look.kind == "":
                    continue
                if any(look.function(site) is not function.node for site in sites.get(function, ())):
                    continue
                if function.name not in look.once(_unknown):
                    yield look.report(self.code, function.node.name, within=function.node, name=function.name)


def _unknown(look: Look) -> set[str]:
    """The names that are called as methods of what is not known."""
    resolved = look.program.resolved_calls
    calls = (call for call in look.of(nodes.Call) if isinstance(call.callee, nodes.Member) and call not in resolved)
    return {call.callee.name for call in calls if isinstance(call.callee, nodes.Member)}
