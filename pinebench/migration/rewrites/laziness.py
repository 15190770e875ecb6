"""`and` and `or` ran both sides in earlier versions; v6 leaves out the second where the first decides."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.migration.remarks import Kind
from pinebench.migration.rewrites.rewrite import Change, rewrite
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.migration.script import OldScript
    from pinebench.syntax.edits import TreeEdits

_LOGICAL = ("and", "or")


@rewrite()
def second_sides(script: OldScript) -> Iterator[Change]:
    """A call that must run on every bar is run before the statement."""
    opened: set[nodes.Node] = set()
    for call in _calls_left_out(script):
        statement = script.statement(call)
        text = script.line_of(call)
        if statement is None or text is None:
            continue
        name = script.free_name((script.line_of(call.callee) or "value").rpartition(".")[2])
        told = f"`{text}` ran on every bar, and v6 might leave it out behind `and` or `or`: it is computed before"
        body = _body_on_its_line(script, statement)
        if body is None:
            yield Change(call, told, partial(_before, statement, call, name, text))
        elif body not in opened:
            # What else is to be done in it is done in the next round, when it is a block.
            opened.add(body)
            yield Change(call, told, partial(_in_a_block, script.newline, body, call, f"{name} = {text}", name))


@rewrite(last=True)
def left_out(script: OldScript) -> Iterator[Change]:
    """The calls for which that cannot be done."""
    for call in _calls_left_out(script):
        text = script.line_of(call) or "this call"
        yield Change(
            call,
            f"`{text}` ran whenever this line did; v6 leaves it out where `and` or `or` is decided",
            kind=Kind.DIFFERS,
        )


def _calls_left_out(script: OldScript) -> Iterator[nodes.Call]:
    """The calls behind `and` and `or` whose results or effects would be others, outermost first, none in another."""
    done: set[nodes.Node] = set()
    for node in script.of(nodes.Binary):
        if node.operator not in _LOGICAL:
            continue
        for call in walk(node.right):
            if not isinstance(call, nodes.Call) or call in done or not script.remembers(call):
                continue
            done.update(inner for inner in walk(call) if isinstance(inner, nodes.Call))
            yield call


def _body_on_its_line(script: OldScript, statement: nodes.Node) -> nodes.Expression | None:
    """The value of a function that is written on one line, where `statement` is its body."""
    function = script.parent(statement)
    if not isinstance(function, nodes.FunctionDeclaration) or not isinstance(statement, nodes.ExpressionStatement):
        return None
    return statement.expression if "\n" not in script.source(function) else None


def _in_a_block(newline: str, body: nodes.Node, call: nodes.Call, declared: str, name: str, edits: TreeEdits) -> None:
    edits.wrap(body, f"{newline}    {declared}{newline}    ", "")
    edits.replace(call, name)


def _before(statement: nodes.Node, call: nodes.Call, name: str, text: str, edits: TreeEdits) -> None:
    edits.insert_before(statement, f"{name} = {text}")
    edits.replace(call, name)
