"""The syntax tree: plain nodes with slots, whose offsets count from the start of the chunk that owns them.

Nodes have no links to their parents and are never shared between chunks. `Chunk.start + node.start` is an offset in the
text.
"""

from __future__ import annotations

from typing import ClassVar


class Node:
    """Base of all nodes; `start` and `end` are a half-open range of code points within the chunk."""

    __slots__ = ("end", "start")

    _fields: ClassVar[tuple[str, ...]] = ()

    start: int
    end: int

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inner})"


# expressions


class Name(Node):
    """An identifier."""

    __slots__ = ("id",)
    _fields: ClassVar[tuple[str, ...]] = ("id",)

    def __init__(self, start: int, end: int, id: str) -> None:
        self.start = start
        self.end = end
        self.id = id


class Literal(Node):
    """A literal. `kind` is int, float, string, color or bool; `text` is the source text."""

    __slots__ = ("kind", "text")
    _fields: ClassVar[tuple[str, ...]] = ("kind", "text")

    def __init__(self, start: int, end: int, kind: str, text: str) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.text = text


class Member(Node):
    """`object.name`; `name_start` is the start of the name."""

    __slots__ = ("name", "name_start", "object")
    _fields: ClassVar[tuple[str, ...]] = ("object", "name", "name_start")

    def __init__(self, start: int, end: int, object: Expression, name: str, name_start: int) -> None:
        self.start = start
        self.end = end
        self.object = object
        self.name = name
        self.name_start = name_start


class Call(Node):
    """`callee(arguments)`; `template` holds the types between `<` and `>`."""

    __slots__ = ("arguments", "callee", "template")
    _fields: ClassVar[tuple[str, ...]] = ("callee", "arguments", "template")

    def __init__(
        self,
        start: int,
        end: int,
        callee: Expression,
        arguments: list[Expression | NamedArgument],
        template: list[TypeReference] | None,
    ) -> None:
        self.start = start
        self.end = end
        self.callee = callee
        self.arguments = arguments
        self.template = template


class NamedArgument(Node):
    """`name = value` in a call."""

    __slots__ = ("name", "value")
    _fields: ClassVar[tuple[str, ...]] = ("name", "value")

    def __init__(self, start: int, end: int, name: str, value: Expression) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.value = value


class History(Node):
    """`object[offset]`, the history-referencing operator."""

    __slots__ = ("object", "offset")
    _fields: ClassVar[tuple[str, ...]] = ("object", "offset")

    def __init__(self, start: int, end: int, object: Expression, offset: Expression) -> None:
        self.start = start
        self.end = end
        self.object = object
        self.offset = offset


class Unary(Node):
    """`operator operand`; the operator is `+`, `-` or `not`."""

    __slots__ = ("operand", "operator")
    _fields: ClassVar[tuple[str, ...]] = ("operator", "operand")

    def __init__(self, start: int, end: int, operator: str, operand: Expression) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.operand = operand


class Binary(Node):
    """`left operator right`."""

    __slots__ = ("left", "operator", "right")
    _fields: ClassVar[tuple[str, ...]] = ("operator", "left", "right")

    def __init__(self, start: int, end: int, operator: str, left: Expression, right: Expression) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class Ternary(Node):
    """`condition ? then : otherwise`."""

    __slots__ = ("condition", "otherwise", "then")
    _fields: ClassVar[tuple[str, ...]] = ("condition", "then", "otherwise")

    def __init__(self, start: int, end: int, condition: Expression, then: Expression, otherwise: Expression) -> None:
        self.start = start
        self.end = end
        self.condition = condition
        self.then = then
        self.otherwise = otherwise


class Parenthesized(Node):
    """`(expression)`."""

    __slots__ = ("expression",)
    _fields: ClassVar[tuple[str, ...]] = ("expression",)

    def __init__(self, start: int, end: int, expression: Expression) -> None:
        self.start = start
        self.end = end
        self.expression = expression


class TupleExpression(Node):
    """`[item, item]`."""

    __slots__ = ("items",)
    _fields: ClassVar[tuple[str, ...]] = ("items",)

    def __init__(self, start: int, end: int, items: list[Expression]) -> None:
        self.start = start
        self.end = end
        self.items = items


class TypeReference(Node):
    """A type as written; `name` is a Name or a Member, `is_array` marks the `[]` suffix."""

    __slots__ = ("arguments", "is_array", "name")
    _fields: ClassVar[tuple[str, ...]] = ("name", "arguments", "is_array")

    def __init__(
        self, start: int, end: int, name: Name | Member, arguments: list[TypeReference] | None, is_array: bool
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.arguments = arguments
        self.is_array = is_array


# structures: statements that are also expressions


class If(Node):
    """`if condition` with its block; `otherwise` is the else block, or a list of one If for `else if`."""

    __slots__ = ("body", "condition", "otherwise")
    _fields: ClassVar[tuple[str, ...]] = ("condition", "body", "otherwise")

    def __init__(
        self, start: int, end: int, condition: Expression, body: list[Statement], otherwise: list[Statement] | None
    ) -> None:
        self.start = start
        self.end = end
        self.condition = condition
        self.body = body
        self.otherwise = otherwise


class ForTo(Node):
    """`for counter = first to last [by step]`."""

    __slots__ = ("body", "counter", "counter_type", "first", "last", "step")
    _fields: ClassVar[tuple[str, ...]] = ("counter_type", "counter", "first", "last", "step", "body")

    def __init__(
        self,
        start: int,
        end: int,
        counter_type: TypeReference | None,
        counter: Name,
        first: Expression,
        last: Expression,
        step: Expression | None,
        body: list[Statement],
    ) -> None:
        self.start = start
        self.end = end
        self.counter_type = counter_type
        self.counter = counter
        self.first = first
        self.last = last
        self.step = step
        self.body = body


class ForIn(Node):
    """`for element in collection` or `for [index, element] in collection`."""

    __slots__ = ("body", "collection", "element", "index")
    _fields: ClassVar[tuple[str, ...]] = ("index", "element", "collection", "body")

    def __init__(
        self, start: int, end: int, index: Name | None, element: Name, collection: Expression, body: list[Statement]
    ) -> None:
        self.start = start
        self.end = end
        self.index = index
        self.element = element
        self.collection = collection
        self.body = body


class While(Node):
    """`while condition` with its block."""

    __slots__ = ("body", "condition")
    _fields: ClassVar[tuple[str, ...]] = ("condition", "body")

    def __init__(self, start: int, end: int, condition: Expression, body: list[Statement]) -> None:
        self.start = start
        self.end = end
        self.condition = condition
        self.body = body


class Switch(Node):
    """`switch [subject]` with its cases. A subject that could not be parsed is an ErrorStatement."""

    __slots__ = ("cases", "subject")
    _fields: ClassVar[tuple[str, ...]] = ("subject", "cases")

    def __init__(self, start: int, end: int, subject: Expression | ErrorStatement | None, cases: list[Case]) -> None:
        self.start = start
        self.end = end
        self.subject = subject
        self.cases = cases


class Case(Node):
    """One case of a switch. `condition` is None for the default case."""

    __slots__ = ("body", "condition")
    _fields: ClassVar[tuple[str, ...]] = ("condition", "body")

    def __init__(self, start: int, end: int, condition: Expression | None, body: list[Statement]) -> None:
        self.start = start
        self.end = end
        self.condition = condition
        self.body = body


# statements


class Once(Node):
    """`once [condition]` with its block."""

    __slots__ = ("body", "condition")
    _fields: ClassVar[tuple[str, ...]] = ("condition", "body")

    def __init__(self, start: int, end: int, condition: Expression | None, body: list[Statement]) -> None:
        self.start = start
        self.end = end
        self.condition = condition
        self.body = body


class VariableDeclaration(Node):
    """`[export] [var|varip] [qualifier] [type] name = value`.

    A duplicate qualifier is kept as written, with one space (`const simple`). A qualifier without a type has `type`
    None. The checker reports both errors.
    """

    __slots__ = ("exported", "mode", "name", "qualifier", "type", "value")
    _fields: ClassVar[tuple[str, ...]] = ("mode", "qualifier", "type", "name", "value", "exported")

    def __init__(
        self,
        start: int,
        end: int,
        mode: str | None,
        qualifier: str | None,
        type: TypeReference | None,
        name: Name,
        value: Value,
        exported: bool,
    ) -> None:
        self.start = start
        self.end = end
        self.mode = mode
        self.qualifier = qualifier
        self.type = type
        self.name = name
        self.value = value
        self.exported = exported


class TupleDeclaration(Node):
    """`[name, name] = value`."""

    __slots__ = ("names", "value")
    _fields: ClassVar[tuple[str, ...]] = ("names", "value")

    def __init__(self, start: int, end: int, names: list[Name], value: Value) -> None:
        self.start = start
        self.end = end
        self.names = names
        self.value = value


class Reassignment(Node):
    """`target operator value`; the operator is `:=`, `+=`, `-=`, `*=`, `/=` or `%=`, at `operator_start`."""

    __slots__ = ("operator", "operator_start", "target", "value")
    _fields: ClassVar[tuple[str, ...]] = ("target", "operator", "operator_start", "value")

    def __init__(
        self, start: int, end: int, target: Expression, operator: str, operator_start: int, value: Value
    ) -> None:
        self.start = start
        self.end = end
        self.target = target
        self.operator = operator
        self.operator_start = operator_start
        self.value = value


class ExpressionStatement(Node):
    """An expression used as a statement."""

    __slots__ = ("expression",)
    _fields: ClassVar[tuple[str, ...]] = ("expression",)

    def __init__(self, start: int, end: int, expression: Expression) -> None:
        self.start = start
        self.end = end
        self.expression = expression


class Break(Node):
    """`break`."""

    __slots__ = ()

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Continue(Node):
    """`continue`."""

    __slots__ = ()

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class FunctionDeclaration(Node):
    """`[export] [method] name(parameters) => body`."""

    __slots__ = ("body", "exported", "is_method", "name", "parameters")
    _fields: ClassVar[tuple[str, ...]] = ("name", "parameters", "body", "exported", "is_method")

    def __init__(
        self,
        start: int,
        end: int,
        name: Name,
        parameters: list[Parameter],
        body: list[Statement],
        exported: bool,
        is_method: bool,
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.parameters = parameters
        self.body = body
        self.exported = exported
        self.is_method = is_method


class Parameter(Node):
    """One parameter of a function."""

    __slots__ = ("default", "name", "qualifier", "type")
    _fields: ClassVar[tuple[str, ...]] = ("qualifier", "type", "name", "default")

    def __init__(
        self,
        start: int,
        end: int,
        qualifier: str | None,
        type: TypeReference | None,
        name: Name,
        default: Expression | None,
    ) -> None:
        self.start = start
        self.end = end
        self.qualifier = qualifier
        self.type = type
        self.name = name
        self.default = default


class TypeDeclaration(Node):
    """`[export] type name` with its fields."""

    __slots__ = ("exported", "fields", "name")
    _fields: ClassVar[tuple[str, ...]] = ("name", "fields", "exported")

    def __init__(self, start: int, end: int, name: Name, fields: list[Field], exported: bool) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.fields = fields
        self.exported = exported


class Field(Node):
    """One field of a type; `mode` is varip or a misplaced modifier."""

    __slots__ = ("default", "mode", "name", "type")
    _fields: ClassVar[tuple[str, ...]] = ("mode", "type", "name", "default")

    def __init__(
        self, start: int, end: int, mode: str | None, type: TypeReference | None, name: Name, default: Expression | None
    ) -> None:
        self.start = start
        self.end = end
        self.mode = mode
        self.type = type
        self.name = name
        self.default = default


class EnumDeclaration(Node):
    """`[export] enum name` with its fields."""

    __slots__ = ("exported", "fields", "name")
    _fields: ClassVar[tuple[str, ...]] = ("name", "fields", "exported")

    def __init__(self, start: int, end: int, name: Name, fields: list[EnumField], exported: bool) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.fields = fields
        self.exported = exported


class EnumField(Node):
    """One field of an enum."""

    __slots__ = ("name", "value")
    _fields: ClassVar[tuple[str, ...]] = ("name", "value")

    def __init__(self, start: int, end: int, name: Name, value: Expression | None) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.value = value


class Import(Node):
    """`import path [as alias]`; `path` is User/Library/Version without blanks."""

    __slots__ = ("alias", "path")
    _fields: ClassVar[tuple[str, ...]] = ("path", "alias")

    def __init__(self, start: int, end: int, path: str, alias: Name | None) -> None:
        self.start = start
        self.end = end
        self.path = path
        self.alias = alias


class ErrorStatement(Node):
    """A statement, a value or the body of a case that could not be parsed.

    `salvaged` holds the valid expressions and statements found in it. `body` holds the block of a broken header, which
    is a scope of its own.
    """

    __slots__ = ("body", "salvaged")
    _fields: ClassVar[tuple[str, ...]] = ("salvaged", "body")

    def __init__(self, start: int, end: int, salvaged: list[Node], body: list[Statement] | None = None) -> None:
        self.start = start
        self.end = end
        self.salvaged = salvaged
        self.body: list[Statement] = body or []


OneBlock = ForTo | ForIn | While | Once | Case
Structure = If | ForTo | ForIn | While | Switch
Expression = Name | Literal | Member | Call | History | Unary | Binary | Ternary | Parenthesized | TupleExpression
Value = Expression | Structure | Once | ErrorStatement
Statement = (
    VariableDeclaration
    | TupleDeclaration
    | Reassignment
    | ExpressionStatement
    | If
    | ForTo
    | ForIn
    | While
    | Switch
    | Once
    | Break
    | Continue
    | FunctionDeclaration
    | TypeDeclaration
    | EnumDeclaration
    | Import
    | ErrorStatement
)

LOOPS = (ForTo, ForIn, While)
"""Statements that run their block repeatedly."""
ONE_TIME = (Once,)
"""Statements that run their block only once in the whole run of a script."""
STRUCTURES = (If, Switch, *LOOPS, *ONE_TIME)
"""Statements that are made of blocks. All of them except `ONE_TIME` can be used as a value."""
ONE_BLOCK = (*LOOPS, *ONE_TIME, Case)
"""Nodes that have exactly one block, in `body`, after all their other parts."""
CONDITIONED = (If, While, Case, *ONE_TIME)
"""Nodes with a `condition` that decides whether their block runs. The condition None always holds."""
