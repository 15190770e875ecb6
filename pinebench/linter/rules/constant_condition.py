"""Rule PB1003: a condition that is always the same."""

from __future__ import annotations

from typing import Any

from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, bare, nodes, walk


class ConstantCondition(Rule):
    """A condition has the same value on every bar, so one of its branches never runs.

    A condition with `true` as an operand of `or`, or with `false` as an operand of `and`, also has only one value.

    A named constant, such as a switch for drawing helpers, is not reported, because it is meant to be changed by hand.
    `while true`, which a `break` ends, is not reported either.

    Bad:

        //@version=6
        indicator("Example")
        shade = 1 > 2 ? color.red : color.green
        plot(close, color = shade)

    Good:

        //@version=6
        indicator("Example")
        shade = close > open ? color.red : color.green
        plot(close, color = shade)
    """

    code = "PB1003"
    nodes = (nodes.If, nodes.Ternary, nodes.While, nodes.Switch)
    operators = ("and", "or")

    def finish(self, context: RuleContext) -> Findings:
        """Report conditions that consist of literals only, and operations that one literal operand decides."""
        return [*self._decided(context), *self._joined(context)]

    def _decided(self, context: RuleContext) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        deciding: list[Any] = [*context.of(nodes.If), *context.of(nodes.Ternary), *context.of(nodes.While)]
        deciding += [
            case
            for switch in context.of(nodes.Switch)
            if switch.subject is None
            for case in switch.cases
            if case.condition is not None and not isinstance(case.condition, nodes.Literal)
        ]
        for node in deciding:
            condition = node.condition
            if type(condition) in _NAMED or _has_name(condition):
                continue
            known, value = context.value(condition)
            if known and isinstance(value, bool) and not (value and isinstance(node, nodes.While)):
                found.append(context.report(self.code, condition, value="true" if value else "false"))
        return found

    def _joined(self, context: RuleContext) -> list[Diagnostic]:
        """Report operations that one literal operand decides."""
        return [
            context.report(self.code, node, value=literal)
            for operator, literal in (("or", "true"), ("and", "false"))
            for node in context.operations.get(operator, ())
            if (type(node.left) in _PLAIN and _is_literal(node.left, literal))
            or (type(node.right) in _PLAIN and _is_literal(node.right, literal))
        ]


_PLAIN = (nodes.Literal, nodes.Parenthesized)
_NAMED = frozenset((nodes.Name, nodes.Member, nodes.Call, nodes.History))


def _is_literal(node: nodes.Node, text: str) -> bool:
    node = bare(node)
    return type(node) is nodes.Literal and node.text == text


def _has_name(condition: Any) -> bool:
    """Whether a condition contains a name."""
    first = condition
    while (kind := type(first)) in _FIRST:
        first = getattr(first, _FIRST[kind])
    return kind in _NAMED or any(isinstance(part, nodes.Name) for part in walk(condition))


_FIRST = {nodes.Binary: "left", nodes.Unary: "operand", nodes.Parenthesized: "expression"}
"""The attribute with the first operand of an expression, which is usually a name."""
