"""Rule PB7011: a parameter that hides another name."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, reference


class Shadowing(Rule):
    """A parameter has the name of a variable of the script or of a built-in variable, so the function cannot use that
    variable. (For variables in local blocks, the checker itself warns about this.)

    Bad:

        //@version=6
        indicator("Example")
        middle(high, low) => (high + low) / 2
        plot(middle(close, open))

    Good:

        //@version=6
        indicator("Example")
        middle(top, bottom) => (top + bottom) / 2
        plot(middle(close, open))
    """

    code = "PB7011"
    nodes = (nodes.FunctionDeclaration,)

    def visit(self, node: nodes.FunctionDeclaration, context: RuleContext) -> Findings:
        """Report parameters with the name of a variable from outside the function."""
        names, start = context.program.bindings.global_scope.names, context.offset(node)
        for parameter in node.parameters:
            name = parameter.name.id
            if reference.variable(name) is not None:
                yield context.report(self.code, parameter.name, name=name, what="the built-in")
            elif name in names and names[name].offset < start:  # it is declared before the function
                yield context.report(self.code, parameter.name, name=name, what="the variable")
