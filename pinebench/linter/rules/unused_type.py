"""Rule PB7004: a type or an enum that is never used."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes

_Declaration = nodes.TypeDeclaration | nodes.EnumDeclaration


class UnusedType(Rule):
    """A type or an enum is declared, and its name is never used. Exported types of a library count as used, and so do
    names that begin with an underscore.

    Bad:

        //@version=6
        indicator("Example")
        type Level
            float price
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        type Level
            float price
        level = Level.new(close)
        plot(level.price)
    """

    code = "PB7004"
    nodes = (nodes.TypeDeclaration, nodes.EnumDeclaration)

    def finish(self, context: RuleContext) -> Findings:
        """Report declarations whose name is not used outside of them."""
        declared = [*context.of(nodes.TypeDeclaration), *context.of(nodes.EnumDeclaration)]
        left = {each.name.id: each for each in declared if not each.exported and not each.name.id.startswith("_")}
        for reference, owner in context.types:
            if isinstance(reference.name, nodes.Name) and reference.name.id in left:
                _strike(context, left, reference.name, owner)
        for member in context.every_member if left else ():
            if isinstance(member.object, nodes.Name) and member.object.id in left:
                _strike(context, left, member.object, member)
        return [context.report(self.code, node.name, within=node, name=name) for name, node in left.items()]


def _strike(context: RuleContext, left: dict[str, _Declaration], name: nodes.Name, owner: nodes.Node) -> None:
    """Remove `name` from `left`, the unused declarations, if its use in `owner` is outside its declaration."""
    declared = left[name.id]
    if owner is not declared and declared not in context.parents(owner):
        del left[name.id]
