"""Formats arguments for TradingView's messages: plain literals, names as written, and calls by name and type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.checker.builtins import Signature
from pinebench.checker.types import Type, display
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.checker.checker import Checker


def path_of(node: nodes.Node) -> str | None:
    """Return the dotted name that `node` represents (`ta.sma`); None if `node` has parts other than names and dots."""
    if isinstance(node, nodes.Name):
        return node.id
    if isinstance(node, nodes.Member):
        head = path_of(node.object)
        return f"{head}.{node.name}" if head is not None else None
    return None


def root_name(node: nodes.Node) -> nodes.Name:
    """Return the first name of a dotted path."""
    while isinstance(node, nodes.Member):
        node = node.object
    assert isinstance(node, nodes.Name)
    return node


def dot_of(checker: Checker, node: nodes.Member) -> int:
    """Return the offset of the dot in `node`, from the start of its chunk (top-level statement)."""
    return node.start + checker.text(node).find(".", node.object.end - node.start)


def representation(checker: Checker, node: nodes.Node, type_: Type) -> str:
    """Return the text that CE10123 and similar messages show for an argument: a plain literal, a name as written, or a
    call with its type."""
    while isinstance(node, nodes.Parenthesized):
        node = node.expression
    if isinstance(node, nodes.Literal):
        return literal_text(node)
    if isinstance(node, nodes.Call):
        return f'call "{called_name(checker, node)}" ({display(type_)})'
    if isinstance(node, nodes.Binary):
        return f'call "operator {node.operator}" ({display(type_)})'
    if isinstance(node, nodes.Unary):
        return f'call "operator {node.operator}" ({display(type_)})'
    if isinstance(node, nodes.Ternary):
        return f'call "operator ?:" ({display(type_)})'
    if isinstance(node, nodes.History):
        return f'call "operator SQBR" ({display(type_)})'
    path = path_of(node)
    if path is not None:
        return path
    return checker.text(node)


def literal_text(node: nodes.Literal) -> str:
    """Format a literal for TradingView's messages: strings without quotes, whole floats without a fraction."""
    if node.kind == "string":
        quotes = 3 if node.text[:3] in ('"""', "'''") and len(node.text) >= 6 else 1
        return node.text[quotes:-quotes]
    if node.kind == "float":
        try:
            value = float(node.text)
        except ValueError:
            return node.text
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return node.text


def called_name(checker: Checker, node: nodes.Call) -> str:
    """Return the name of a called function for messages. A built-in method includes its type (`array.get`)."""
    call = checker.frame.calls.get(node)
    if call is not None and isinstance(call.target, Signature):
        return call.target.name
    path = path_of(node.callee)
    if path is not None:
        return path
    if isinstance(node.callee, nodes.Member):
        return node.callee.name
    return "function"
