"""Fixes for code in the wrong scope: calls that must run on every bar, plots inside a condition, and parameters that
are reassigned.

None of these fixes is safe, because each changes the values that the script computes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.linter.suggest.candidate import dotted, values_of
from pinebench.syntax import nodes
from pinebench.syntax.walk import branches, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.suggest.candidate import Candidate
    from pinebench.linter.suggest.facts import Facts
    from pinebench.syntax.edits import TreeEdits

_WITHOUT = {"plot": "na", "plotarrow": "na", "plotchar": "na", "plotshape": "false", "bgcolor": "na", "barcolor": "na"}
"""The values of the first argument with which a call draws nothing."""


def _call_on_every_bar(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose to call a function that remembers earlier bars before the statement, on every bar, if a condition can
    skip it."""
    wanted = values_of(diagnostic).get("functionName", "").removesuffix("()")
    statement: nodes.Node | None = None
    for node, offset in facts.around(diagnostic.span.start):
        if isinstance(node, nodes.FunctionDeclaration):
            statement = None
        elif statement is None:
            statement = node
        if not isinstance(node, nodes.Call) or dotted(node.callee) != wanted or statement is None:
            continue
        call = facts.line_of(node, offset)
        if call is None or _names_in(node) & _names_made_in(statement):
            return
        name = facts.free_name(wanted.rpartition(".")[2], offset + node.start)
        yield from facts.candidate(
            f"call it on every bar, as '{name}'", partial(_computed_first, statement, node, name, call)
        )
        return


def _computed_first(statement: nodes.Node, node: nodes.Node, name: str, text: str, edits: TreeEdits) -> None:
    edits.insert_before(statement, f"{name} = {text}")
    edits.replace(node, name)


def _drawn_in_a_block(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose to move the condition of an `if` that contains only plots into the plots."""
    block, offset = next(iter(facts.around(diagnostic.span.start)), (None, 0))
    if not isinstance(block, nodes.If) or block.otherwise:
        return
    condition = facts.line_of(block.condition, offset)
    lines: list[str] = []
    for statement in block.body:
        line = _drawn_under(facts, statement, condition or "", offset)
        if line is None:
            return
        lines.append(line)
    if condition is not None:
        yield from facts.candidate(
            "draw at the top level, under the condition", lambda edits: edits.replace(block, "\n".join(lines))
        )


def _drawn_under(facts: Facts, statement: nodes.Node, condition: str, offset: int) -> str | None:
    """The text of a plot that draws nothing unless `condition` is true. None if the statement is not such a plot or its
    first argument cannot express that."""
    call = statement.expression if isinstance(statement, nodes.ExpressionStatement) else None
    if not isinstance(call, nodes.Call) or dotted(call.callee) not in _WITHOUT or not call.arguments:
        return None
    first = call.arguments[0]
    value = first.value if isinstance(first, nodes.NamedArgument) else first
    if isinstance(first, nodes.NamedArgument) and first.name not in ("series", "color"):
        return None
    whole, shown = facts.line_of(call, offset), facts.line_of(value, offset)
    if whole is None or shown is None or facts.text[offset + call.start : offset + call.end] != whole:
        return None
    start, end = value.start - call.start, value.end - call.start
    drawn = f"({condition}) ? ({shown}) : {_WITHOUT[dotted(call.callee) or '']}"
    return f"{whole[:start]}{drawn}{whole[end:]}"


def _changed_parameter(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """Propose a new variable in the function for a parameter that the function reassigns."""
    name = values_of(diagnostic).get("variableName", "")
    for function, offset in facts.around(diagnostic.span.start):
        if not isinstance(function, nodes.FunctionDeclaration) or not function.body:
            continue
        uses = list(walk(function.body))
        if any(isinstance(node, nodes.History) and dotted(node.object) == name for node in uses):
            # The variable would have a history of its own.
            return
        own = facts.free_name(name, offset + function.start)
        names = [node for node in uses if isinstance(node, nodes.Name) and node.id == name]
        yield from facts.candidate(
            f"change a copy of it, '{own}'", partial(_copied_first, function.body[0], names, own, name)
        )
        return


def _copied_first(first: nodes.Node, uses: list[nodes.Name], own: str, name: str, edits: TreeEdits) -> None:
    edits.insert_before(first, f"{own} = {name}")
    for node in uses:
        edits.replace(node, own)


def _names_in(node: nodes.Node) -> set[str]:
    return {found.id for found in walk([node]) if isinstance(found, nodes.Name)}


def _names_made_in(statement: nodes.Node) -> set[str]:
    made: set[str] = set()
    for node in branches([statement]):
        match node:
            case nodes.VariableDeclaration():
                made.add(node.name.id)
            case nodes.TupleDeclaration():
                made |= {name.id for name in node.names}
            case nodes.Reassignment():
                made |= _names_in(node.target)
            case nodes.ForTo():
                made.add(node.counter.id)
            case nodes.ForIn():
                made |= {name.id for name in (node.index, node.element) if name is not None}
            case _:
                continue
    return made


BY_CODE: dict[str, Callable[[Facts, Diagnostic], Iterable[Candidate]]] = {
    "CE10175": _changed_parameter,
    "CE10188": _drawn_in_a_block,
    "CW10002": _call_on_every_bar,
    "CW10003": _call_on_every_bar,
    "CW10004": _call_on_every_bar,
}
"""The function that proposes fixes for each code."""
