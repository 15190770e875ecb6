"""Rule PB1014: a value that is not used."""

from __future__ import annotations

from pinebench.linter.rules.context import gives_a_value
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class UnusedResult(Rule):
    """A statement only computes a value, and the value is not used. Usually an assignment was meant. Even a call of a
    function such as `ta.sma`, which keeps a history, has no effect on other calls, because each call has its own
    history.

    Bad:

        //@version=6
        indicator("Example")
        float average = na
        ta.sma(close, 20)
        plot(average)

    Good:

        //@version=6
        indicator("Example")
        float average = ta.sma(close, 20)
        plot(average)
    """

    code = "PB1014"
    nodes = (nodes.ExpressionStatement,)

    def finish(self, context: RuleContext) -> Findings:
        """Report calls and operations that have no effects and are not the value of their block."""
        for node in context.of(nodes.ExpressionStatement):
            kind = type(node.expression)
            if kind is nodes.Call:
                name = context.called(node.expression)
                if name is not None:
                    if not gives_a_value(name):
                        continue
                elif not _computes(context, node.expression):
                    continue
            elif kind not in _OPERATIONS:
                continue
            if node in context.parent and context.block(node)[-1] is node:
                continue
            if context.only_gives_a_value(node):
                yield context.report(self.code, node, name=_name(context, node.expression))


_OPERATIONS = (nodes.Binary, nodes.Unary, nodes.Ternary, nodes.History)


def _computes(context: RuleContext, call: nodes.Node) -> bool:
    """Whether a call runs a user-defined function whose body is more than a single name or literal. A function with
    only a name or a literal is probably not finished yet."""
    function = context.called_function(call)
    return function is not None and not all(
        isinstance(each, nodes.ExpressionStatement) and isinstance(each.expression, nodes.Name | nodes.Literal)
        for each in function.node.body
    )


def _name(context: RuleContext, node: nodes.Node) -> str:
    name = context.called(node)
    if name is not None:
        return f"{name}()"
    return f"{context.shown(node.callee)}()" if isinstance(node, nodes.Call) else context.shown(node)
