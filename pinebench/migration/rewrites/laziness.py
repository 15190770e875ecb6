"""Calls after `and` and `or`: earlier versions ran both sides, and v6 skips the second if the first decides the
result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.syntax import nodes
from pinebench.syntax.edits import TreeEdits
from pinebench.syntax.layout import can_begin_statement
from pinebench.syntax.walk import walk

_LOGICAL = ("and", "or")


@rewrite()
def second_sides(script: OldScript) -> Iterator[RewriteChange]:
    """Move a call after `and` or `or` that must run on every bar to a line before its statement."""
    opened: set[nodes.Node] = set()
    for call in _calls_left_out(script):
        statement = script.statement(call)
        text = script.line_of(call)
        if statement is None or text is None:
            continue
        name = script.free_name((script.line_of(call.callee) or "value").rpartition(".")[2])
        told = f"`{text}` ran on every bar, and v6 might skip it after `and` or `or`: it is computed on a line before"
        body = _body_after_arrow(script, statement)
        if body is None:
            yield RewriteChange(call, told, partial(_before, statement, call, name, text))
        elif body not in opened:
            # further changes in it follow in the next round, when it is a block
            opened.add(body)
            yield RewriteChange(call, told, partial(_in_a_block, script.newline, body, call, f"{name} = {text}", name))


@rewrite(last=True)
def left_out(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on the calls after `and` and `or` that cannot be moved."""
    for call in _calls_left_out(script):
        text = script.line_of(call) or "this call"
        yield RewriteChange(
            call,
            f"`{text}` ran whenever this line did; v6 skips it if the first side of `and` or `or` decides",
            kind=RemarkKind.DIFFERS,
        )


def _calls_left_out(script: OldScript) -> Iterator[nodes.Call]:
    """Yield the calls after `and` and `or` whose results or effects would change; nested calls are left out."""
    done: set[nodes.Node] = set()
    for node in script.of(nodes.Binary):
        if node.operator not in _LOGICAL:
            continue
        for call in walk(node.right):
            if not isinstance(call, nodes.Call) or call in done or not script.remembers(call):
                continue
            done.update(inner for inner in walk(call) if isinstance(inner, nodes.Call))
            yield call


def _body_after_arrow(script: OldScript, statement: nodes.Node) -> nodes.Expression | None:
    """The body of a function that is not a block, if `statement` is this body. It may begin on a line that continues
    the one with the arrow."""
    function = script.parent(statement)
    if not isinstance(function, nodes.FunctionDeclaration) or not isinstance(statement, nodes.ExpressionStatement):
        return None
    before = script.source(function)[: statement.start - function.start].splitlines()
    return None if len(before) > 1 and can_begin_statement(before[-1]) else statement.expression


def _in_a_block(newline: str, body: nodes.Node, call: nodes.Call, declared: str, name: str, edits: TreeEdits) -> None:
    edits.wrap(body, f"{newline}    {declared}{newline}    ", "")
    edits.replace(call, name)


def _before(statement: nodes.Node, call: nodes.Call, name: str, text: str, edits: TreeEdits) -> None:
    edits.insert_before(statement, f"{name} = {text}")
    edits.replace(call, name)
