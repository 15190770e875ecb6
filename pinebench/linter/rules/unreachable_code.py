"""Rule PB1006: statements that are never reached."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.diagnostics import Span
from pinebench.linter.rules.code_blocks import blocks
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class UnreachableCode(Rule):
    """Statements follow one that always leaves the block: `break`, `continue`, `runtime.error()`, or an `if` or
    `switch` with one of these at the end of every branch.

    A single value after `runtime.error()` is not reported, because a branch or a function needs it for its type.

    Bad:

        //@version=6
        indicator("Example")
        sum = 0.0
        for i = 0 to 9
            if close[i] < open[i]
                continue
                sum -= close[i]
            sum += close[i]
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        sum = 0.0
        for i = 0 to 9
            if close[i] < open[i]
                sum -= close[i]
                continue
            sum += close[i]
        plot(sum)
    """

    code = "PB1006"
    nodes = (nodes.Break, nodes.Continue)
    calls = ("runtime.error",)

    def finish(self, context: RuleContext) -> Findings:
        """Report the statements after one that leaves the block, once for each block."""
        leaving = [*context.of(nodes.Break), *context.of(nodes.Continue)]
        leaving += [context.statement(call) for call in context.calls("runtime.error")]
        held: list[Sequence[nodes.Node]] = []
        choices: dict[nodes.Node, None] = {}
        for node in dict.fromkeys(context.parent.get(statement) for statement in leaving):
            if isinstance(node, _HOLDING):
                held += blocks(node)
                choices[context.parent[node] if isinstance(node, nodes.Case) else node] = None
        held += [context.block(choice) for choice in choices if _leaves(context, choice)]
        for block in {id(block): block for block in held}.values():
            yield from self._behind(block, context)

    def _behind(self, block: Sequence[nodes.Node], context: RuleContext) -> Findings:
        for number, statement in enumerate(block[:-1]):
            if _leaves(context, statement):
                if not _is_value(block[number + 1 :], context):
                    first, last = context.span(block[number + 1]), context.span(block[-1])
                    yield context.report(self.code, Span(first.start, last.end))
                return


_HOLDING = (nodes.If, nodes.ForTo, nodes.ForIn, nodes.While, nodes.Case)


def _leaves(context: RuleContext, statement: nodes.Node) -> bool:
    """Whether a statement always leaves its block, directly or in each of its branches."""
    if context.leaves(statement):
        return True
    if isinstance(statement, nodes.If):
        branches = [statement.body, statement.otherwise] if statement.otherwise is not None else []
    elif isinstance(statement, nodes.Switch) and statement.cases and statement.cases[-1].condition is None:
        branches = [case.body for case in statement.cases]
    else:
        return False
    return bool(branches) and all(branch and _leaves(context, branch[-1]) for branch in branches)


def _is_value(rest: Sequence[nodes.Node], context: RuleContext) -> bool:
    """Whether the rest of the block is only its value."""
    return len(rest) == 1 and isinstance(rest[0], nodes.ExpressionStatement) and context.only_gives_a_value(rest[0])
