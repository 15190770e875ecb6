"""Fixes for what stands in the wrong scope: calls that must run on every bar, plots inside a condition, parameters that
are changed.

None of them is safe: what is computed changes, which is why the finding was made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Edit, Span
from pinebench.lint import usage
from pinebench.lint.suggest.candidate import Candidate, dotted, line_bounds, values_of
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.suggest.facts import Facts

_WITHOUT = {"plot": "na", "plotarrow": "na", "plotchar": "na", "plotshape": "false", "bgcolor": "na", "barcolor": "na"}
"""What the first argument of a call is where nothing is to be drawn."""


def _call_on_every_bar(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A call that remembers earlier bars, where not every bar runs it: its result gets a name before the statement."""
    text = facts.text
    wanted = values_of(diagnostic).get("functionName", "").removesuffix("()")
    statement: nodes.Node | None = None
    for node, offset in facts.around(diagnostic.span.start):
        if isinstance(node, nodes.FunctionDeclaration):
            statement = None
        elif statement is None:
            statement = node
        if not isinstance(node, nodes.Call) or dotted(node.callee) != wanted or statement is None:
            continue
        place, _ = line_bounds(text, offset + statement.start)
        indent = text[place : offset + statement.start]
        call = text[offset + node.start : offset + node.end]
        if indent.strip() or "\n" in call or _names_in(node) & _names_made_in(statement):
            return
        name = _free_name(facts, wanted.rpartition(".")[2])
        edits = (
            Edit(Span(place, place), f"{indent}{name} = {call}\n"),
            Edit(Span(offset + node.start, offset + node.end), name),
        )
        yield Candidate(f"call it on every bar, as '{name}'", edits)
        return


def _drawn_in_a_block(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """`if condition` around plots and nothing else: the condition goes into the plots."""
    text = facts.text
    block, offset = next(iter(facts.around(diagnostic.span.start)), (None, 0))
    if not isinstance(block, nodes.If) or block.otherwise:
        return
    condition = text[offset + block.condition.start : offset + block.condition.end]
    lines: list[str] = []
    for statement in block.body:
        call = statement.expression if isinstance(statement, nodes.ExpressionStatement) else None
        if not isinstance(call, nodes.Call) or dotted(call.callee) not in _WITHOUT or not call.arguments:
            return
        first = call.arguments[0]
        value = first.value if isinstance(first, nodes.NamedArgument) else first
        if isinstance(first, nodes.NamedArgument) and first.name not in ("series", "color"):
            return
        shown = text[offset + value.start : offset + value.end]
        drawn = f"({condition}) ? ({shown}) : {_WITHOUT[dotted(call.callee) or '']}"
        before, after = text[offset + call.start : offset + value.start], text[offset + value.end : offset + call.end]
        lines.append(f"{before}{drawn}{after}")
    if "\n" not in condition and not any("\n" in line for line in lines):
        edit = Edit(Span(offset + block.start, offset + block.body[-1].end), "\n".join(lines))
        yield Candidate("draw at the top level, under the condition", (edit,))


def _changed_parameter(facts: Facts, diagnostic: Diagnostic) -> Iterator[Candidate]:
    """A parameter that its function changes: a variable of the function takes its place."""
    text = facts.text
    name = values_of(diagnostic).get("variableName", "")
    for function, offset in facts.around(diagnostic.span.start):
        if not isinstance(function, nodes.FunctionDeclaration) or not function.body:
            continue
        uses = list(walk(function.body))
        if any(isinstance(node, nodes.History) and dotted(node.object) == name for node in uses):
            # The history of the variable would be another one.
            return
        place, _ = line_bounds(text, offset + function.body[0].start)
        indent = text[place : offset + function.body[0].start]
        if indent.strip() or not indent:
            return
        own = _free_name(facts, name)
        edits = [Edit(Span(place, place), f"{indent}{own} = {name}\n")]
        for node in uses:
            if isinstance(node, nodes.Name) and node.id == name:
                edits.append(Edit(Span(offset + node.start, offset + node.end), own))
        yield Candidate(f"change a copy of it, '{own}'", tuple(edits))
        return


def _names_in(node: nodes.Node) -> set[str]:
    return {found.id for found in walk([node]) if isinstance(found, nodes.Name)}


def _names_made_in(statement: nodes.Node) -> set[str]:
    """The names that `statement` declares or changes anywhere inside."""
    made: set[str] = set()
    for node in walk([statement]):
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


def _free_name(facts: Facts, stem: str) -> str:
    """A name like `stem` that the script does not use and Pine does not know."""
    used = {node.id for node, _ in facts.nodes if isinstance(node, nodes.Name)}
    number = 1
    while (name := f"{stem}{number}") in used or usage.is_builtin(name):
        number += 1
    return name


BY_CODE: dict[str, Callable[[Facts, Diagnostic], Iterable[Candidate]]] = {
    "CE10175": _changed_parameter,
    "CE10188": _drawn_in_a_block,
    "CW10002": _call_on_every_bar,
    "CW10003": _call_on_every_bar,
    "CW10004": _call_on_every_bar,
}
"""What proposes fixes for each code."""
