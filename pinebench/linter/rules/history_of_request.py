"""Rule PB2010: the history operator on the result of a request for a longer timeframe."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.requests import is_offset, looks_ahead, minutes, taken, timeframes
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, walk
from pinebench.linter.rules.signals import around


class HistoryOfRequest(Rule):
    """`request.security(…)[1]` is the value that the request had on the previous bar of the chart, not the value of the
    previous bar of the requested timeframe. In real time it usually comes from the requested bar that is still open,
    and on historical bars from the last closed one. Write the offset inside the request, and add
    `barmerge.lookahead_on`.

    A variable is reported if only its earlier values are used. Values that are read where a period begins
    (`timeframe.change()`) are not reported, because there the previous bar of the chart has closed the requested bar.
    Timeframes of less than an hour are not reported, because the chart may have the same timeframe.

    Bad:

        //@version=6
        indicator("Example")
        plot(request.security(syminfo.tickerid, "D", close)[1])

    Good:

        //@version=6
        indicator("Example")
        plot(request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on))
    """

    code = "PB2010"
    calls = ("request.security",)

    def finish(self, context: RuleContext) -> Findings:
        """Report the first read of an earlier value of each request whose bar may still be open."""
        for node in context.builtin_calls.get("request.security", ()):
            asked = next((each for each in timeframes(context, node) if each and (minutes(each) or 0) >= 60), None)
            if asked is None or looks_ahead(context, node):
                continue
            read = next(_reads_of_earlier(context, node), None)
            if read is not None and not _is_at_a_change(context, read):
                yield context.report(self.code, read, timeframe=asked)


def _reads_of_earlier(context: RuleContext, request: nodes.Call) -> Iterator[nodes.History]:
    """Yield the history operators with a constant offset on a request, or on a variable that has only such reads."""
    above = context.parent.get(request)
    if isinstance(above, nodes.History) and not all(is_offset(context, asked) for asked, _ in taken(context, request)):
        yield from [above] if _is_earlier(context, above) else []
        return
    for asked, variable in taken(context, request):
        if isinstance(above, nodes.VariableDeclaration):
            variable = context.program.bindings.variables[above.name]
        if variable is not None and not is_offset(context, asked) and not variable.reassignments:
            yield from earlier_reads(context, variable)


def earlier_reads(context: RuleContext, variable: VariableSymbol) -> list[nodes.History]:
    """Return the history operators that read a variable, or an empty list if the variable is also read directly."""
    reads = context.reads.get(variable, ())
    by_object = context.once(_by_object)
    found = [by_object[use] for use in reads if use in by_object and _is_earlier(context, by_object[use])]
    return found if len(found) == len(reads) else []


def _by_object(context: RuleContext) -> dict[nodes.Node, nodes.History]:
    return {each.object: each for each in context.of(nodes.History)}


def _is_earlier(context: RuleContext, read: nodes.History) -> bool:
    known, offset = context.value(read.offset)
    return known and isinstance(offset, int) and offset > 0


_CHANGES = frozenset(("timeframe.change", "ta.change", "ta.valuewhen", "ta.barssince"))


def _is_at_a_change(context: RuleContext, read: nodes.Node) -> bool:
    """Whether a value is read where a period begins: in a condition around it, or in its statement."""
    statement = read
    while (above := context.parent.get(statement)) is not None and not isinstance(above, nodes.FunctionDeclaration):
        statement = above
    looked = [*around(context, read), statement]
    parts = (part for node in looked for part in (*walk(node), *walk(context.value_node(node))))
    return any(isinstance(part, nodes.Call) and context.called(part) in _CHANGES for part in parts)
