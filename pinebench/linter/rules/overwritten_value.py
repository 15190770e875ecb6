"""Rule PB1007: a value that is replaced before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, walk
from pinebench.syntax.walk import branches


class OverwrittenValue(Rule):
    """A variable or a field is assigned twice in the same block, and the first value is never read.

    A constant that is assigned first, such as `x := 0` before the real value, is not reported.

    Bad:

        //@version=6
        indicator("Example")
        float level = na
        level := ta.highest(20)
        level := ta.lowest(20)
        plot(level)

    Good:

        //@version=6
        indicator("Example")
        float level = ta.highest(20)
        level := math.min(level, ta.lowest(50))
        plot(level)
    """

    code = "PB1007"
    nodes = (nodes.Reassignment,)

    def finish(self, context: RuleContext) -> Findings:
        """Report assignments that a later assignment in the same block overwrites before the value is read."""
        yield from self._variables(context)
        yield from self._fields(context)

    def _variables(self, context: RuleContext) -> Findings:
        for symbol, writes in context.writes.items():
            declared = symbol.declaration
            firsts: list[nodes.VariableDeclaration | nodes.Reassignment] = []
            if isinstance(declared, nodes.VariableDeclaration) and declared.mode is None:
                firsts = [declared]
            for first, second in pairwise([*firsts, *writes]):
                if not isinstance(second, nodes.Reassignment) or second.operator != ":=":
                    continue
                if type(first) is nodes.Reassignment and first.operator != ":=":
                    continue
                read_before = context.reads_before[first] if type(first) is nodes.Reassignment else 0
                if type(first.value) in _LEFT_ALONE or context.reads_before[second] > read_before:
                    continue
                following = _between(context, first, second)
                if following is None or context.value(first.value)[0]:
                    continue  # a constant first value may be a default
                if not _may_be_read(context, following, second) and context.only_gives_a_value(first.value):
                    yield context.report(self.code, first, name=symbol.name)

    def _fields(self, context: RuleContext) -> Findings:
        """Report the same for assignments to fields of an object in a variable."""
        writes: dict[tuple[object, str], list[nodes.Reassignment]] = {}
        for each in context.of(nodes.Reassignment):
            if each.operator == ":=" and isinstance(each.target, nodes.Member):
                owner = context.symbol(each.target.object)
                if owner is not None:
                    writes.setdefault((owner, each.target.name), []).append(each)
        for (owner, name), group in writes.items():
            for first, second in pairwise(group):
                following = _between(context, first, second)
                if following is None or context.value(first.value)[0] or not context.only_gives_a_value(first.value):
                    continue
                codes = [second.value if statement is second else statement for statement in following]
                if not any(_may_read_field(context, code, owner, name) for code in codes):
                    yield context.report(self.code, first, name=context.text(first.target))


def _between(context: RuleContext, first: nodes.Node, second: nodes.Node) -> list[nodes.Node] | None:
    """The statements after the first of two up to the second one; None if they are not in the same block."""
    if context.parent.get(first) is not context.parent.get(second):
        return None
    (block, place), (other, end) = context.place(first), context.place(second)
    return list(block[place + 1 : end + 1]) if other is block else None


_LEFT_ALONE = (nodes.Literal, nodes.If, nodes.Switch, nodes.ForTo, nodes.ForIn, nodes.While)
"""Literals, which may be defaults, and whole structures that return a value."""


def _may_be_read(context: RuleContext, following: Sequence[nodes.Node], second: nodes.Reassignment) -> bool:
    """Whether the variable may be read between two assignments although no name there shows it: a statement is not a
    simple one, or calls a function that reads the variable."""
    if not all(isinstance(statement, _SIMPLE) for statement in following):
        return True
    symbol = context.program.bindings.variables[second.target]
    return symbol.captured and any(_calls_what_reads(context, statement, symbol) for statement in following)


_SIMPLE = (nodes.Reassignment, nodes.VariableDeclaration, nodes.ExpressionStatement)


def _calls_what_reads(context: RuleContext, statement: nodes.Node, symbol: VariableSymbol) -> bool:
    """Whether a function that a statement calls reads a variable, directly or through other functions."""
    called = (part for part in branches((statement,)) if context.called_function(part) is not None)
    return any(context.symbol(each) is symbol for call in called for each in parts(context, call))


def _may_read_field(context: RuleContext, code: nodes.Node, owner: object, name: str) -> bool:
    """Whether code may read a field: it names a field with that name, uses the object as a whole, or calls a function
    that is not a built-in."""
    if not isinstance(code, _SIMPLE) and isinstance(code, nodes.Statement):
        return True
    held: set[nodes.Node] = set()
    for part in walk(code):
        if isinstance(part, nodes.Member):
            if part.name == name:
                return True
            held.add(part.object)
        elif isinstance(part, nodes.Call):
            if context.called(part) is None:
                return True
        elif part not in held and context.symbol(part) is owner:
            return True
    return False
