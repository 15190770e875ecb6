"""Mutations of layout: brackets and quotes left open, lines wrapped badly, forms that Pine does not have."""

import random
from collections.abc import Iterable

from pinebench.syntax import nodes
from tests.checker.mutation.changes import FRESH, line_before
from tests.checker.mutation.script import Edit, Script

_STATEMENTS = nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment | nodes.ExpressionStatement


def _statement(script: Script, node: nodes.Node) -> nodes.Node | None:
    """The simple statement on one line of its own that holds `node`, or None."""
    for above in script.ancestors(node):
        if isinstance(above, _STATEMENTS):
            return above if script.stands_alone(above) and script.is_one_line(above) else None
        if isinstance(above, nodes.If | nodes.Switch | nodes.ForTo | nodes.ForIn | nodes.While | nodes.Once):
            return None
    return None


def calls_on_one_line(script: Script) -> Iterable[nodes.Call]:
    """Calls in statements on one line."""
    for call in script.all(nodes.Call):
        if _statement(script, call) is not None:
            yield call


def open_parenthesis(script: Script, call: nodes.Call, chance: random.Random) -> Edit:
    """Leave a call's parenthesis open."""
    end = script.end(call)
    return Edit(end - 1, end, "")


def last_strings(script: Script) -> Iterable[nodes.Literal]:
    """Strings with no quote behind them on their line, and a line behind that starts in the first column."""
    for literal in script.all(nodes.Literal):
        if literal.kind != "string" or literal.text[:3] in ('"""', "'''") or _statement(script, literal) is None:
            continue
        line = script.line(script.start(literal))
        rest = script.text[script.end(literal) :].splitlines() or [""]
        following = script.document.lines.line_text(line + 1)
        if literal.text[0] not in rest[0] and following and not following[0].isspace():
            yield literal


def open_string(script: Script, literal: nodes.Literal, chance: random.Random) -> Edit:
    """Leave out the quotation mark that ends a string."""
    end = script.end(literal)
    return Edit(end - 1, end, "")


def open_operators(script: Script) -> Iterable[nodes.Binary]:
    """Binary operators outside brackets in statements on one line."""
    return (node for node in script.all(nodes.Binary) if _is_outside_brackets(script, node))


def _is_outside_brackets(script: Script, node: nodes.Node) -> bool:
    """Whether only operators stand around `node` in a declaration or assignment on one line."""
    statement = _statement(script, node)
    if not isinstance(statement, nodes.VariableDeclaration | nodes.Reassignment):
        return False
    for above in script.ancestors(node):
        if above is statement:
            return True
        if not isinstance(above, nodes.Binary | nodes.Ternary | nodes.Unary):
            return False
    return False


def _next_level(script: Script, node: nodes.Node) -> str:
    start = script.line_start(script.start(node))
    line = script.text[start:]
    return line[: len(line) - len(line.lstrip(" \t"))] + "    "


def wrap_behind_operator(script: Script, node: nodes.Binary, chance: random.Random) -> Edit:
    """Break the line behind an operator and go on at a multiple of four."""
    end = script.end(node.left)
    gap = script.text[end : script.start(node.right)].rstrip(" ")
    return Edit(end, script.start(node.right), f"{gap}\n{_next_level(script, node)}")


def wrap_before_operator(script: Script, node: nodes.Binary, chance: random.Random) -> Edit | None:
    """Break the line before an operator (but a sign) and go on at a multiple of four."""
    if node.operator in ("+", "-"):
        return None
    end = script.end(node.left)
    gap = script.text[end : script.start(node.right)].lstrip(" ")
    return Edit(end, script.start(node.right), f"\n{_next_level(script, node)}{gap}")


def open_lists(script: Script) -> Iterable[nodes.TupleDeclaration | nodes.History]:
    """Tuple declarations and history references on one line, outside other brackets: the first one left open counts."""
    for declaration in script.all(nodes.TupleDeclaration):
        yield from (declaration,) if script.stands_alone(declaration) and script.is_one_line(declaration) else ()
    for reference in script.all(nodes.History):
        yield from (reference,) if _is_outside_brackets(script, reference) else ()


def open_bracket(script: Script, node: nodes.TupleDeclaration | nodes.History, chance: random.Random) -> Edit:
    """Leave a bracket open."""
    behind = script.end(node.names[-1]) if isinstance(node, nodes.TupleDeclaration) else script.end(node.offset)
    place = script.text.index("]", behind)
    return Edit(place, place + 1, "")


def counted_loops(script: Script) -> Iterable[nodes.ForTo]:
    """`for` loops with a header on one line."""
    for loop in script.all(nodes.ForTo):
        if script.line(script.start(loop)) == script.line(script.end(loop.last)):
            yield loop


def loop_without_end(script: Script, loop: nodes.ForTo, chance: random.Random) -> Edit:
    """`for i = 0 to 9` to `for i = 0`."""
    last = loop.step or loop.last
    return Edit(script.end(loop.first), script.end(last), "")


def guarded_starts(script: Script) -> Iterable[nodes.Node]:
    """The first statements of blocks with a condition or a loop's header before them."""
    for block in script.inner_blocks():
        if isinstance(block.owner, nodes.If | nodes.While | nodes.ForTo | nodes.ForIn):
            statement = block.statements[0]
            if script.parent[statement] is block.owner and block.owner.body is block.statements:
                yield statement


def shifted_body(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Indent the first line of a block by one blank more: it goes on with the line before."""
    start = script.start(statement)
    return Edit(start, start, " ")


def shifted_lines(script: Script, statement: nodes.Node, edit: Edit) -> Iterable[int]:
    """The shifted line, or any line of the header that it goes on with."""
    owner = script.parent[statement]
    assert owner is not None
    return (script.start(owner), script.line_start(edit.start) - 1, edit.start)


def function_starts(script: Script) -> Iterable[nodes.Node]:
    """The first statements of functions."""
    for block in script.inner_blocks():
        if isinstance(block.owner, nodes.FunctionDeclaration):
            yield block.statements[0]


def nested_function(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Define a function within a function."""
    return line_before(script, statement, f"{FRESH}(a) => a")


def block_comment(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Write a comment as other languages do."""
    return line_before(script, statement, "/* note */")


def tuple_literal(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Write an array as other languages do."""
    return line_before(script, statement, f"{FRESH} = [1, 2, 3]")
