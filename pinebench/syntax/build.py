"""Builds nodes from grammar rules: one function for each alias of `pine.lark`, called with the list of its
children.

Tokens arrive as `(start, end, text)`; everything else was built by another function. The parser calls one
of these functions for every reduction, so for speed a function reuses the list that it gets where possible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from pinebench.syntax import nodes
from pinebench.syntax.nodes import (
    Binary,
    Call,
    Case,
    ErrorStatement,
    Expression,
    ExpressionStatement,
    Field,
    ForIn,
    ForTo,
    FunctionDeclaration,
    If,
    Literal,
    Member,
    Name,
    NamedArgument,
    Parameter,
    Reassignment,
    Statement,
    TupleDeclaration,
    TypeReference,
    VariableDeclaration,
)
from pinebench.syntax.words import Token

Children = list[Any]
Builder = Callable[[Children], Any]

PRECEDENCE = {
    "or": 1,
    "and": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "%": 6,
}


class ShapeError(Exception):
    """Raised for invalid code that the grammar must accept to stay LALR(1).

    `text` is the token that TradingView's message names, and `start` and `end` are its offsets. It is empty if the
    message names the next token."""

    def __init__(self, start: int, end: int, text: str) -> None:
        super().__init__(text)
        self.start = start
        self.end = end
        self.text = text


# lists


def empty(_: Children) -> Children:
    return []


def first(children: Children) -> Any:
    return children[0]


def list_first(children: Children) -> Children:
    return [children[0]]


def list_append(children: Children) -> Children:
    children[0].append(children[1])
    return children[0]


def list_extend(children: Children) -> Children:
    children[0].extend(children[1])
    return children[0]


def list_separated(children: Children) -> Children:
    children[0].append(children[2])
    return children[0]


def block(children: Children) -> Children:
    return children[2]


# expressions


def name(children: Children) -> Name:
    start, end, text = children[0]
    return Name(start, end, text)


def _literal(kind: str) -> Callable[[Children], Literal]:
    def build(children: Children) -> Literal:
        start, end, text = children[0]
        return Literal(start, end, kind, text)

    return build


int_literal = _literal("int")
float_literal = _literal("float")
string_literal = _literal("string")
color_literal = _literal("color")
bool_literal = _literal("bool")


def parenthesized(children: Children) -> nodes.Parenthesized:
    return nodes.Parenthesized(children[0][0], children[2][1], children[1])


def tuple_expression(children: Children) -> nodes.TupleExpression:
    return nodes.TupleExpression(children[0][0], children[2][1], children[1])


def member(children: Children) -> Member:
    target, _, (start, end, text) = children
    return Member(target.start, end, target, text, start)


def history(children: Children) -> nodes.History:
    target = children[0]
    return nodes.History(target.start, children[3][1], target, children[2])


def call(children: Children) -> Call:
    callee = children[0]
    return Call(callee.start, children[3][1], callee, children[2], None)


def call_template(children: Children) -> Call:
    template = children[0]
    return Call(template.start, children[3][1], template.name, children[2], template.arguments)


def named_argument(children: Children) -> NamedArgument:
    start, _, text = children[0]
    value = children[2]
    return NamedArgument(start, value.end, text, value)


def unary(children: Children) -> nodes.Unary:
    start, _, operator = children[0]
    operand = children[1]
    return nodes.Unary(start, operand.end, operator, operand)


def binary(children: Children) -> Binary:
    """Build `left operator right`. If `left` is itself a chain of operations, only the part of it after its last
    operator of lower precedence becomes the left operand."""
    left, (_, _, operator), right = children
    precedence = PRECEDENCE[operator]
    if type(left) is not Binary or PRECEDENCE[left.operator] >= precedence:
        return Binary(left.start, right.end, operator, left, right)
    end = right.end
    above: Any = left
    while True:
        above.end = end
        below = above.right
        if type(below) is not Binary or PRECEDENCE[below.operator] >= precedence:
            break
        above = below
    above.right = Binary(below.start, end, operator, below, right)
    return left


def ternary(children: Children) -> nodes.Ternary:
    condition, _, then, _, otherwise = children
    return nodes.Ternary(condition.start, otherwise.end, condition, then, otherwise)


# types


def _is_type_name(node: Expression) -> TypeGuard[Name | Member]:
    while isinstance(node, Member):
        node = node.object
    return isinstance(node, Name)


def type_reference(children: Children) -> TypeReference:
    """Build `NAME`, `NAME[]`, `NAME<types>` or `NAME<types>[]`."""
    base, count = children[0], len(children)
    if not _is_type_name(base):
        raise ShapeError(base.start, base.end, "")
    end = base.end if count == 1 else children[-1][1]
    return TypeReference(base.start, end, base, children[2] if count > 3 else None, count in (3, 6))


def template_array(children: Children) -> TypeReference:
    reference = children[0]
    reference.end = children[2][1]
    reference.is_array = True
    return reference


# declarations


def _name(token: Token) -> Name:
    start, end, text = token
    return Name(start, end, text)


def _parts(children: Children) -> tuple[int, int, list[str], TypeReference | None, Name, Any]:
    """The parts of `[word]... [type] NAME [= value]`: start, end, words, type, name and value."""
    value = None if isinstance(children[-1], tuple) else children[-1]
    place = len(children) - (1 if value is None else 3)
    token = children[place]
    end = token[1] if value is None else value.end
    if place == 0:
        return token[0], end, [], None, _name(token), value
    first, type_ = children[0], children[place - 1]
    if isinstance(type_, tuple):
        type_ = None
    words = [children[k][2] for k in range(place if type_ is None else place - 1)]
    return first[0] if words else first.start, end, words, type_, _name(token), value


def variable(children: Children) -> VariableDeclaration:
    start, end, words, type_, name_, value = _parts(children)
    mode = words.pop(0) if words and words[0] in ("var", "varip") else None
    return VariableDeclaration(start, end, mode, " ".join(words) or None, type_, name_, value, False)


def tuple_declaration(children: Children) -> TupleDeclaration:
    *_, tokens, _, _, value = children
    return TupleDeclaration(children[0][0], value.end, [_name(token) for token in tokens], value)


def exported_declaration(children: Children) -> list[Statement]:
    export, declaration, _ = children
    if not isinstance(declaration, VariableDeclaration):
        raise ShapeError(declaration.start, declaration.start + 1, "[")
    declaration.start = export[0]
    declaration.exported = True
    return [declaration]


def reassignment(children: Children) -> Reassignment:
    target, (start, end, operator), value = children
    if type(target) is not Name and type(target) is not Member:
        raise ShapeError(start, end, operator)
    return Reassignment(target.start, value.end, target, operator, start, value)


def expression_statement(children: Children) -> ExpressionStatement:
    expression = children[0]
    return ExpressionStatement(expression.start, expression.end, expression)


def break_statement(children: Children) -> nodes.Break:
    return nodes.Break(children[0][0], children[0][1])


def continue_statement(children: Children) -> nodes.Continue:
    return nodes.Continue(children[0][0], children[0][1])


# structures


def _block(part: list[Statement] | Statement) -> list[Statement]:
    """The statements after `else`: a block, or only the next `if`."""
    return part if isinstance(part, list) else [part]


def if_structure(children: Children) -> If:
    keyword, condition, body, *rest = children
    otherwise = _block(rest[1]) if rest else None
    return If(keyword[0], (otherwise or body)[-1].end, condition, body, otherwise)


def for_to(children: Children) -> ForTo:
    type_ = children.pop(1) if isinstance(children[1], TypeReference) else None
    keyword, counter, _, start, _, last, *by, body = children
    return ForTo(keyword[0], body[-1].end, type_, _name(counter), start, last, by[1] if by else None, body)


def for_in(children: Children) -> ForIn:
    keyword, element, _, collection, body = children
    return ForIn(keyword[0], body[-1].end, None, _name(element), collection, body)


def for_pair_in(children: Children) -> ForIn:
    keyword, _, index, _, element, _, _, collection, body = children
    return ForIn(keyword[0], body[-1].end, _name(index), _name(element), collection, body)


def while_loop(children: Children) -> nodes.While:
    keyword, condition, body = children
    return nodes.While(keyword[0], body[-1].end, condition, body)


def switch(children: Children) -> nodes.Switch:
    keyword, *subject, _, _, cases, _ = children
    return nodes.Switch(keyword[0], cases[-1].end, subject[0] if subject else None, cases)


def case(children: Children) -> Case:
    *before, arrow, body, _ = children
    condition = before[0] if before else None
    return Case(arrow[0] if condition is None else condition.start, body[-1].end, condition, body)


def once(children: Children) -> nodes.Once:
    keyword, *condition, body = children
    return nodes.Once(keyword[0], body[-1].end, condition[0] if condition else None, body)


# functions


def function(children: Children) -> FunctionDeclaration:
    """Build `[export] [method] NAME(parameters) => body`."""
    *before, token, _, parameters, _, _, body = children
    words = [word for _, _, word in before]
    start, end = children[0][0], body[-1].end
    return FunctionDeclaration(start, end, _name(token), parameters, body, "export" in words, "method" in words)


def parameter(children: Children) -> Parameter:
    start, end, words, type_, name_, default = _parts(children)
    return Parameter(start, end, words[0] if words else None, type_, name_, default)


# types and enums


def _sound(members: list[Any]) -> list[Any]:
    return [member for member in members if member is not None]


def type_declaration(children: Children) -> nodes.TypeDeclaration:
    *export, _, token, _, _, members, dedent = children
    end = _members_end(members, dedent)
    return nodes.TypeDeclaration(children[0][0], end, _name(token), _sound(members), len(export) == 1)


def enum_declaration(children: Children) -> nodes.EnumDeclaration:
    *export, _, token, _, _, members, dedent = children
    end = _members_end(members, dedent)
    return nodes.EnumDeclaration(children[0][0], end, _name(token), _sound(members), len(export) == 1)


def _members_end(members: list[Any], dedent: Token) -> int:
    return members[-1].end if members[-1] is not None else dedent[0]


def field(children: Children) -> Field:
    start, end, words, type_, name_, default = _parts(children[:-1])
    return Field(start, end, words[0] if words else None, type_, name_, default)


def enum_field(children: Children) -> nodes.EnumField:
    start, end, _, _, name_, value = _parts(children[:-1])
    return nodes.EnumField(start, end, name_, value)


def import_declaration(children: Children) -> nodes.Import:
    keyword, path, *alias = children
    return nodes.Import(keyword[0], children[-1][1], path[2], _name(alias[1]) if alias else None)


# Nodes from error recovery. These tokens carry the valid parts in the place of the text.


def error_statement(children: Children) -> ErrorStatement:
    start, end, salvaged = children[0]
    return ErrorStatement(start, end, salvaged, [])


def error_block(children: Children) -> ErrorStatement:
    (start, _, salvaged), body, *rest = children
    whole = [*body, *_block(rest[1])] if rest else body
    return ErrorStatement(start, whole[-1].end, salvaged, whole)


def error_switch(children: Children) -> ErrorStatement:
    (start, end, salvaged), _, _, cases, _ = children
    switch = nodes.Switch(start, cases[-1].end, ErrorStatement(start, end, [], []), cases)
    return ErrorStatement(start, switch.end, [*salvaged, switch], [])


def error_type(children: Children) -> ErrorStatement:
    (start, end, salvaged), _, _, members, _ = children
    sound = _sound(members)
    defaults = [member.default for member in sound if member.default is not None]
    return ErrorStatement(start, sound[-1].end if sound else end, [*salvaged, *defaults], [])


def error_member(_: Children) -> None:
    return None


def error_case(children: Children) -> Case:
    start, end, _ = children[0]
    return Case(start, end, None, [error_statement(children)])


def error_case_block(children: Children) -> Case:
    statement = error_block(children[:2])
    return Case(statement.start, statement.end, None, [statement])
