"""Rule PB7002: a parameter that its function does not use."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class UnusedParameter(Rule):
    """A function has a parameter that its body never reads.

    The rule does not report parameters of exported functions, because other scripts pass arguments for them. It also
    does not report the first parameter of a method, names that begin with an underscore, or a parameter that another
    overload of the function has too.

    Bad:

        //@version=6
        indicator("Example")
        average(source, length) => ta.sma(source, 20)
        plot(average(close, 9))

    Good:

        //@version=6
        indicator("Example")
        average(source, length) => ta.sma(source, length)
        plot(average(close, 9))
    """

    code = "PB7002"
    nodes = (nodes.FunctionDeclaration,)

    def visit(self, node: nodes.FunctionDeclaration, context: RuleContext) -> Findings:
        """Report the parameters that are never read, except those that the description of the rule excludes."""
        if node.exported:
            return
        for number, parameter in enumerate(node.parameters):
            symbol = context.symbol(parameter.name)
            if (
                symbol is None
                or symbol in context.reads
                or symbol.name.startswith("_")
                or (node.is_method and not number)
            ):
                continue
            if any(
                _has(other, symbol.name) for other in context.of(nodes.FunctionDeclaration) if _is_twin(other, node)
            ):
                continue  # overloads have it too, so that their calls look the same
            yield context.report(self.code, parameter.name, name=symbol.name)


def _is_twin(one: nodes.FunctionDeclaration, other: nodes.FunctionDeclaration) -> bool:
    return one is not other and one.name.id == other.name.id


def _has(function: nodes.FunctionDeclaration, parameter: str) -> bool:
    return any(each.name.id == parameter for each in function.parameters)
