"""Builds nodes from grammar rules: one function for each alias of `pine.lark`, called with the list of its
children.

Tokens arrive as `(start, end, text)`; everything else was built by another function. A function owns the list that it
gets, and passes it on where possible: the parser calls one of these functions for every reduction.
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
    """Raised for a production that the grammar only allows to stay LALR(1), but whose parts do not fit together.

    `text` is the token from `start` to `end` that TradingView reports. It is empty if that is the next token.
    """

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


def int_literal(children: Children) -> Literal:
    start, end, text = children[0]
    return Literal(start, end, "int", text)


def float_literal(children: Children) -> Literal:
    start, end, text = children[0]
    return Literal(start, end, "float", text)


def string_literal(children: Children) -> Literal:
    start, end, text = children[0]
    return Literal(start, end, "string", text)


def color_literal(children: Children) -> Literal:
    start, end, text = children[0]
    return Literal(start, end, "color", text)


def bool_literal(children: Children) -> Literal:
    start, end, text = children[0]
    return Literal(start, end, "bool", text)


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
    """Add one more operand to a chain of operators: below the last operator whose precedence is lower."""
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


def _type(base: Expression, end: int, arguments: list[TypeReference] | None, is_array: bool) -> TypeReference:
    if not _is_type_name(base):
        raise ShapeError(base.start, base.end, "")
    return TypeReference(base.start, end, base, arguments, is_array)


def type_plain(children: Children) -> TypeReference:
    return _type(children[0], children[0].end, None, False)


def type_array(children: Children) -> TypeReference:
    return _type(children[0], children[2][1], None, True)


def type_template(children: Children) -> TypeReference:
    return _type(children[0], children[3][1], children[2], False)


def type_template_array(children: Children) -> TypeReference:
    return _type(children[0], children[5][1], children[2], True)


def template_array(children: Children) -> TypeReference:
    reference = children[0]
    reference.end = children[2][1]
    reference.is_array = True
    return reference


# declarations


def _name(token: Token) -> Name:
    start, end, text = token
    return Name(start, end, text)


def variable(children: Children) -> VariableDeclaration:
    token, _, value = children
    return VariableDeclaration(token[0], value.end, None, None, None, _name(token), value, False)


def variable_typed(children: Children) -> VariableDeclaration:
    type_, token, _, value = children
    return VariableDeclaration(type_.start, value.end, None, None, type_, _name(token), value, False)


def variable_mode(children: Children) -> VariableDeclaration:
    mode, token, _, value = children
    return VariableDeclaration(mode[0], value.end, mode[2], None, None, _name(token), value, False)


def variable_mode_typed(children: Children) -> VariableDeclaration:
    mode, type_, token, _, value = children
    return VariableDeclaration(mode[0], value.end, mode[2], None, type_, _name(token), value, False)


def variable_qualified(children: Children) -> VariableDeclaration:
    qualifier, token, _, value = children
    return VariableDeclaration(qualifier[0], value.end, None, qualifier[2], None, _name(token), value, False)


def variable_qualified_typed(children: Children) -> VariableDeclaration:
    qualifier, type_, token, _, value = children
    return VariableDeclaration(qualifier[0], value.end, None, qualifier[2], type_, _name(token), value, False)


def variable_twice_qualified(children: Children) -> VariableDeclaration:
    outer, inner, type_, token, _, value = children
    qualifier = f"{outer[2]} {inner[2]}"
    return VariableDeclaration(outer[0], value.end, None, qualifier, type_, _name(token), value, False)


def variable_mode_qualified(children: Children) -> VariableDeclaration:
    mode, qualifier, token, _, value = children
    return VariableDeclaration(mode[0], value.end, mode[2], qualifier[2], None, _name(token), value, False)


def variable_mode_qualified_typed(children: Children) -> VariableDeclaration:
    mode, qualifier, type_, token, _, value = children
    return VariableDeclaration(mode[0], value.end, mode[2], qualifier[2], type_, _name(token), value, False)


def tuple_declaration(children: Children) -> TupleDeclaration:
    bracket, tokens, _, _, value = children
    return TupleDeclaration(bracket[0], value.end, [_name(token) for token in tokens], value)


def tuple_declaration_mode(children: Children) -> TupleDeclaration:
    declaration = tuple_declaration(children[1:])
    declaration.start = children[0][0]
    return declaration


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


def if_only(children: Children) -> If:
    keyword, condition, body = children
    return If(keyword[0], body[-1].end, condition, body, None)


def if_else(children: Children) -> If:
    keyword, condition, body, _, otherwise = children
    return If(keyword[0], otherwise[-1].end, condition, body, otherwise)


def if_else_if(children: Children) -> If:
    keyword, condition, body, _, otherwise = children
    return If(keyword[0], otherwise.end, condition, body, [otherwise])


def for_to(children: Children) -> ForTo:
    keyword, counter, _, start, _, last, body = children
    return ForTo(keyword[0], body[-1].end, None, _name(counter), start, last, None, body)


def for_to_by(children: Children) -> ForTo:
    keyword, counter, _, start, _, last, _, step, body = children
    return ForTo(keyword[0], body[-1].end, None, _name(counter), start, last, step, body)


def for_typed_to(children: Children) -> ForTo:
    keyword, type_, counter, _, start, _, last, body = children
    return ForTo(keyword[0], body[-1].end, type_, _name(counter), start, last, None, body)


def for_typed_to_by(children: Children) -> ForTo:
    keyword, type_, counter, _, start, _, last, _, step, body = children
    return ForTo(keyword[0], body[-1].end, type_, _name(counter), start, last, step, body)


def for_in(children: Children) -> ForIn:
    keyword, element, _, collection, body = children
    return ForIn(keyword[0], body[-1].end, None, _name(element), collection, body)


def for_pair_in(children: Children) -> ForIn:
    keyword, _, index, _, element, _, _, collection, body = children
    return ForIn(keyword[0], body[-1].end, _name(index), _name(element), collection, body)


def while_loop(children: Children) -> nodes.While:
    keyword, condition, body = children
    return nodes.While(keyword[0], body[-1].end, condition, body)


def switch_conditions(children: Children) -> nodes.Switch:
    cases = children[3]
    return nodes.Switch(children[0][0], cases[-1].end, None, cases)


def switch_subject(children: Children) -> nodes.Switch:
    cases = children[4]
    return nodes.Switch(children[0][0], cases[-1].end, children[1], cases)


def case(children: Children) -> Case:
    condition, _, body, _ = children
    return Case(condition.start, body[-1].end, condition, body)


def case_default(children: Children) -> Case:
    arrow, body, _ = children
    return Case(arrow[0], body[-1].end, None, body)


def once(children: Children) -> nodes.Once:
    keyword, body = children
    return nodes.Once(keyword[0], body[-1].end, None, body)


def once_condition(children: Children) -> nodes.Once:
    keyword, condition, body = children
    return nodes.Once(keyword[0], body[-1].end, condition, body)


# functions


def _function(start: int, children: Children, exported: bool, is_method: bool) -> FunctionDeclaration:
    token, _, parameters, _, _, body = children
    return FunctionDeclaration(start, body[-1].end, _name(token), parameters, body, exported, is_method)


def function(children: Children) -> FunctionDeclaration:
    return _function(children[0][0], children, exported=False, is_method=False)


def method(children: Children) -> FunctionDeclaration:
    return _function(children[0][0], children[1:], exported=False, is_method=True)


def exported_function(children: Children) -> FunctionDeclaration:
    return _function(children[0][0], children[1:], exported=True, is_method=False)


def exported_method(children: Children) -> FunctionDeclaration:
    return _function(children[0][0], children[2:], exported=True, is_method=True)


def parameter(children: Children) -> Parameter:
    token = children[0]
    return Parameter(token[0], token[1], None, None, _name(token), None)


def parameter_default(children: Children) -> Parameter:
    token, _, default = children
    return Parameter(token[0], default.end, None, None, _name(token), default)


def parameter_typed(children: Children) -> Parameter:
    type_, token = children
    return Parameter(type_.start, token[1], None, type_, _name(token), None)


def parameter_typed_default(children: Children) -> Parameter:
    type_, token, _, default = children
    return Parameter(type_.start, default.end, None, type_, _name(token), default)


def parameter_qualified(children: Children) -> Parameter:
    qualifier, token = children
    return Parameter(qualifier[0], token[1], qualifier[2], None, _name(token), None)


def parameter_qualified_default(children: Children) -> Parameter:
    qualifier, token, _, default = children
    return Parameter(qualifier[0], default.end, qualifier[2], None, _name(token), default)


def parameter_qualified_typed(children: Children) -> Parameter:
    qualifier, type_, token = children
    return Parameter(qualifier[0], token[1], qualifier[2], type_, _name(token), None)


def parameter_qualified_typed_default(children: Children) -> Parameter:
    qualifier, type_, token, _, default = children
    return Parameter(qualifier[0], default.end, qualifier[2], type_, _name(token), default)


# types and enums


def _sound(members: list[Any]) -> list[Any]:
    """The members that could be parsed."""
    return [member for member in members if member is not None]


def type_declaration(children: Children) -> nodes.TypeDeclaration:
    keyword, token, _, _, members, dedent = children
    return nodes.TypeDeclaration(keyword[0], _members_end(members, dedent), _name(token), _sound(members), False)


def exported_type_declaration(children: Children) -> nodes.TypeDeclaration:
    declaration = type_declaration(children[1:])
    declaration.start = children[0][0]
    declaration.exported = True
    return declaration


def enum_declaration(children: Children) -> nodes.EnumDeclaration:
    keyword, token, _, _, members, dedent = children
    return nodes.EnumDeclaration(keyword[0], _members_end(members, dedent), _name(token), _sound(members), False)


def exported_enum_declaration(children: Children) -> nodes.EnumDeclaration:
    declaration = enum_declaration(children[1:])
    declaration.start = children[0][0]
    declaration.exported = True
    return declaration


def _members_end(members: list[Any], dedent: Token) -> int:
    return members[-1].end if members[-1] is not None else dedent[0]


def field(children: Children) -> Field:
    token = children[0]
    return Field(token[0], token[1], None, None, _name(token), None)


def field_default(children: Children) -> Field:
    token, _, default, _ = children
    return Field(token[0], default.end, None, None, _name(token), default)


def field_typed(children: Children) -> Field:
    type_, token, _ = children
    return Field(type_.start, token[1], None, type_, _name(token), None)


def field_typed_default(children: Children) -> Field:
    type_, token, _, default, _ = children
    return Field(type_.start, default.end, None, type_, _name(token), default)


def field_mode(children: Children) -> Field:
    mode, token, _ = children
    return Field(mode[0], token[1], mode[2], None, _name(token), None)


def field_mode_default(children: Children) -> Field:
    mode, token, _, default, _ = children
    return Field(mode[0], default.end, mode[2], None, _name(token), default)


def field_mode_typed(children: Children) -> Field:
    mode, type_, token, _ = children
    return Field(mode[0], token[1], mode[2], type_, _name(token), None)


def field_mode_typed_default(children: Children) -> Field:
    mode, type_, token, _, default, _ = children
    return Field(mode[0], default.end, mode[2], type_, _name(token), default)


def enum_field(children: Children) -> nodes.EnumField:
    token = children[0]
    return nodes.EnumField(token[0], token[1], _name(token), None)


def enum_field_value(children: Children) -> nodes.EnumField:
    token, _, value, _ = children
    return nodes.EnumField(token[0], value.end, _name(token), value)


def import_declaration(children: Children) -> nodes.Import:
    keyword, path = children
    return nodes.Import(keyword[0], path[1], path[2], None)


def import_declaration_as(children: Children) -> nodes.Import:
    keyword, path, _, alias = children
    return nodes.Import(keyword[0], alias[1], path[2], _name(alias))


# Nodes from error recovery. These tokens carry the valid parts in the place of the text.


def error_statement(children: Children) -> ErrorStatement:
    start, end, salvaged = children[0]
    return ErrorStatement(start, end, salvaged, [])


def error_block(children: Children) -> ErrorStatement:
    (start, _, salvaged), body = children
    return ErrorStatement(start, body[-1].end, salvaged, body)


def error_block_else(children: Children) -> ErrorStatement:
    (start, _, salvaged), body, _, otherwise = children
    return ErrorStatement(start, otherwise[-1].end, salvaged, [*body, *otherwise])


def error_block_else_if(children: Children) -> ErrorStatement:
    (start, _, salvaged), body, _, otherwise = children
    return ErrorStatement(start, otherwise.end, salvaged, [*body, otherwise])


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
