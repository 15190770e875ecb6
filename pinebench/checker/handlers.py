"""The table of the functions that infer the type of each class of node."""

from functools import partial

from pinebench.checker import calls, expressions, operators, statements
from pinebench.checker.checker import NodeHandlers
from pinebench.syntax import nodes

HANDLERS = NodeHandlers(
    values={
        nodes.Name: expressions.name,
        nodes.Literal: expressions.literal,
        nodes.Member: expressions.member,
        nodes.Call: calls.call,
        nodes.History: expressions.history,
        nodes.Unary: operators.unary,
        nodes.Binary: operators.binary,
        nodes.Ternary: operators.ternary,
        nodes.Parenthesized: expressions.parenthesized,
        nodes.TupleExpression: expressions.tuple_expression,
        nodes.If: partial(statements.taken, statements.if_),
        nodes.ForTo: partial(statements.taken, statements.for_to),
        nodes.ForIn: partial(statements.taken, statements.for_in),
        nodes.While: partial(statements.taken, statements.while_),
        nodes.Switch: partial(statements.taken, statements.switch),
        nodes.Once: statements.once_value,
        nodes.ErrorStatement: expressions.error,
    },
    statements={
        nodes.VariableDeclaration: statements.variable_declaration,
        nodes.TupleDeclaration: statements.tuple_declaration,
        nodes.Reassignment: statements.reassignment,
        nodes.ExpressionStatement: statements.expression_statement,
        nodes.Break: statements.jump,
        nodes.Continue: statements.jump,
        nodes.FunctionDeclaration: statements.function_declaration,
        nodes.TypeDeclaration: statements.type_declaration,
        nodes.EnumDeclaration: statements.enum_declaration,
        nodes.Import: statements.import_,
    },
    structures={
        nodes.If: statements.if_,
        nodes.Switch: statements.switch,
        nodes.ForTo: statements.for_to,
        nodes.ForIn: statements.for_in,
        nodes.While: statements.while_,
        nodes.Once: statements.once,
    },
)
"""The handlers for every class of node that a statement or an expression can be."""
