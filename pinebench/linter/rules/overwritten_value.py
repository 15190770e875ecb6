"""Rule PB1007: a value that is replaced unread."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import branches, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pinebench.checker.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext


@register
class OverwrittenValue(Rule):
    """A variable or a field is given a value and then another one in the same block, and nothing in between reads it.

    A constant that is written first, such as `x := 0` before the value proper, is left alone.

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

    def finish(self, context: RuleContext) -> Iterator[Diagnostic]:
        """Report assignments that the next use in the same block overwrites."""
        yield from self._variables(context)
        yield from self._fields(context)

    def _variables(self, context: RuleContext) -> Iterator[Diagnostic]:
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
                    continue  # the first value may be there for safety's sake
                if not _may_be_read(context, following, second) and context.only_gives_a_value(first.value):
                    yield context.report(self.code, first, name=symbol.name)

    def _fields(self, context: RuleContext) -> Iterator[Diagnostic]:
        """Report the same of fields of an object that a variable holds."""
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
    """The statements behind the first of two up to the second; None where they are not of one block."""
    if context.parent.get(first) is not context.parent.get(second):
        return None
    (block, place), (other, end) = context.place(first), context.place(second)
    return list(block[place + 1 : end + 1]) if other is block else None


_LEFT_ALONE = (nodes.Literal, nodes.If, nodes.Switch, nodes.ForTo, nodes.ForIn, nodes.While)
"""A first value that is there for safety's sake, and whole structures that give one."""


def _may_be_read(context: RuleContext, following: Sequence[nodes.Node], second: nodes.Reassignment) -> bool:
    """Whether something behind the first assignment may read the variable before the second one is made, though nothing
    between them names it: it is more than a statement, or calls a function that names it."""
    if not all(isinstance(statement, _SIMPLE) for statement in following):
        return True
    symbol = context.program.bindings.variables[second.target]
    return symbol.captured and any(_calls_what_reads(context, statement, symbol) for statement in following)


_SIMPLE = (nodes.Reassignment, nodes.VariableDeclaration, nodes.ExpressionStatement)


def _calls_what_reads(context: RuleContext, statement: nodes.Node, symbol: VariableSymbol) -> bool:
    """Whether a function that a statement calls reads a variable, itself or by the functions that it calls."""
    called = (part for part in branches((statement,)) if context.called_function(part) is not None)
    return any(context.symbol(each) is symbol for call in called for each in parts(context, call))


def _may_read_field(context: RuleContext, code: nodes.Node, owner: object, name: str) -> bool:
    """Whether code may read a field: it names one like it, uses the object as a whole, or calls what is not seen."""
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
