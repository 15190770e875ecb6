"""Rule PB1001: a variable that is never read."""

from __future__ import annotations

from collections import Counter

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.code_blocks import block_of
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, walk
from pinebench.patterns import lazy_pattern


class UnusedVariable(Rule):
    """A variable gets values that are never read, or that only compute its own next value. It is a leftover, or another
    name is used by mistake.

    The rule does not report names that begin with an underscore, exported variables, the last statement of a block,
    which may give the block's value, or variables with the result of a call that has effects, such as a drawing or an
    input.

    Some names are declared as a set: a palette, the definitions of a template, or a list in numbered variables. Eight
    or more variables of one block are a set if their names have the same first word before an underscore, as in
    `C_Body` and `C_Doji`, or differ only in the number at their end. If three or more of a set are never read and
    others are, none of them is reported. If none of a set is read, only the first is reported.

    Bad:

        //@version=6
        indicator("Example")
        slow = close[20]
        fast = close[5]
        plot(fast)

    Good:

        //@version=6
        indicator("Example")
        slow = close[20]
        fast = close[5]
        plot(fast - slow)
    """

    code = "PB1001"

    def finish(self, context: RuleContext) -> Findings:
        """Report the variables that are never read, except to compute their own next values."""
        reads, writes = context.reads, context.writes
        unread: list[VariableSymbol] = []
        feeding = [each for each in writes if each in reads and _feeds_only_itself(each, context)]
        for symbol in (*context.unread, *feeding):
            node = symbol.declaration
            if type(node) is not nodes.VariableDeclaration or symbol.name.startswith("_"):
                continue
            if node.exported or symbol.name in _OF_A_TEMPLATE or _ends_its_block(node, context):
                continue
            if all(context.only_gives_a_value(each.value) for each in (node, *writes.get(symbol, ()))):
                unread.append(symbol)
        return [
            context.report(self.code, symbol.name_node, name=symbol.name) for symbol in _without_sets(unread, context)
        ]


_OF_A_TEMPLATE = frozenset(("patternLabelPosHigh", "patternLabelPosLow"))
"""TradingView's own scripts for candlestick patterns declare both of these, and use one."""
_LEAST_NAMES = 8
"""The smallest number of variables that count as a set."""
_LEAST_UNREAD = 3
"""The smallest number of variables of a set that are never read because the set was declared as a whole. If fewer are
not read, they may be a mistake."""


def _without_sets(unread: list[VariableSymbol], context: RuleContext) -> list[VariableSymbol]:
    """The variables in `unread` without the members of sets. If nothing of a set is read, its first member is left."""
    if len(unread) < _LEAST_UNREAD:
        return unread
    declared = Counter(_set_of(symbol) for symbol in context.program.bindings.symbols if symbol.kind == "variable")
    idle = Counter(map(_set_of, unread))
    left: list[VariableSymbol] = []
    seen: set[object] = set()
    for symbol in unread:
        key = _set_of(symbol)
        if key is None or declared[key] < _LEAST_NAMES or idle[key] < _LEAST_UNREAD:
            left.append(symbol)
        elif idle[key] == declared[key] and key not in seen:
            left.append(symbol)
            seen.add(key)
    return left


def _set_of(symbol: VariableSymbol) -> tuple[object, str] | None:
    """The set that the name of a variable belongs to; None if its name has no part that others may share."""
    found = _FIRST_WORD.match(symbol.name) or _NUMBERED.match(symbol.name)
    return (symbol.scope, found[1]) if found is not None else None


_FIRST_WORD = lazy_pattern(r"([A-Za-z]+_)\w")
_NUMBERED = lazy_pattern(r"([A-Za-z]+)\d+\Z")


def _ends_its_block(node: nodes.VariableDeclaration, context: RuleContext) -> bool:
    return node in context.parent and context.block(node)[-1] is node


def _feeds_only_itself(symbol: VariableSymbol, context: RuleContext) -> bool:
    """Whether a variable is read only to compute the next value of itself, as in `n := n + 1`."""
    writes, reads = context.writes[symbol], context.reads[symbol]
    if len(reads) > context.reads_before[writes[-1]]:
        return False  # a read comes after the last assignment
    if len(writes) > _MOST_WRITES or len(reads) > _MOST_WRITES:
        return False
    places = [(write.value.start, write.value.end) for write in writes]
    if not all(any(start <= read.start < end for start, end in places) for read in reads):
        return False  # a quick test; offsets of different chunks can overlap, so the walk below decides
    fed = {part for write in writes for part in walk(write.value)}
    if not fed.issuperset(reads):
        return False
    return not any(_gives_the_value(write, context) or not context.only_gives_a_value(write.value) for write in writes)


_MOST_WRITES = 8
"""Variables with more assignments or more reads are not examined."""


def _gives_the_value(statement: nodes.Node, context: RuleContext) -> bool:
    """Whether a statement is the last one of a function, or of a structure whose value is used."""
    node = statement
    while (above := context.parent.get(node)) is not None:
        if not isinstance(node, nodes.Case):
            block = block_of(above, node)
            if block is None or block[-1] is not node:
                return block is None
            if isinstance(above, nodes.FunctionDeclaration):
                return True
        node = above
    return False
