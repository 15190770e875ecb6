"""The syntax tree: plain nodes with slots. Their offsets count from the start of their chunk (top-level statement).

Nodes have no links to their parents and are never shared between chunks. `Chunk.start + node.start` is an offset in the
text.
"""

from __future__ import annotations

from functools import cache
from types import CodeType, FunctionType
from typing import ClassVar, TypeVar, dataclass_transform

_Class = TypeVar("_Class", bound=type)


@dataclass_transform(eq_default=False)
def _node(declared: _Class) -> _Class:
    """A class decorator: the annotated names become slots, and arguments of `__init__` after the start and the end.

    (A metaclass would make every `isinstance` slower, and `dataclass` the start.)
    """
    inherited = () if declared.__base__ is object else ("start", "end")
    own = {name: value for name, value in declared.__dict__.items() if name not in ("__dict__", "__weakref__")}
    fields = tuple(name for name in own.get("__annotations__", ()) if name != "_fields")
    names = (*inherited, *fields)
    title = f"{declared.__qualname__}.__init__"
    code = _code(len(names)).replace(co_names=names, co_varnames=("self", *names), co_qualname=title)
    constructor = FunctionType(code, globals(), "__init__")
    own |= {"__slots__": fields, "_fields": fields if inherited else (), "__init__": constructor}
    return type(declared)(declared.__name__, declared.__bases__, own)  # pyright: ignore[reportReturnType]


@cache
def _code(count: int) -> CodeType:
    """The code of an `__init__` that sets `count` attributes, whose names are then replaced."""
    names = [f"_{place}" for place in range(count)]
    made: dict[str, FunctionType] = {}
    exec(f"def __init__(self, {', '.join(names)}): {'; '.join(f'self.{name} = {name}' for name in names)}", made)
    return made["__init__"].__code__


@_node
class Node:
    """Base of all nodes; `start` and `end` are a half-open range of code points within the top-level statement.

    `_fields` are the names of the other attributes, in the order of the arguments.
    """

    start: int
    end: int
    _fields: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inner})"


# expressions


@_node
class Name(Node):
    """An identifier."""

    id: str


@_node
class Literal(Node):
    """A literal. `kind` is int, float, string, color or bool; `text` is the source text."""

    kind: str
    text: str


@_node
class Member(Node):
    """`object.name`; `name_start` is the start of the name."""

    object: Expression
    name: str
    name_start: int


@_node
class Call(Node):
    """`callee(arguments)`; `template` holds the types between `<` and `>`."""

    callee: Expression
    arguments: list[Expression | NamedArgument]
    template: list[TypeReference] | None


@_node
class NamedArgument(Node):
    """`name = value` in a call."""

    name: str
    value: Expression


@_node
class History(Node):
    """`object[offset]`, the history-referencing operator."""

    object: Expression
    offset: Expression


@_node
class Unary(Node):
    """`operator operand`; the operator is `+`, `-` or `not`."""

    operator: str
    operand: Expression


@_node
class Binary(Node):
    """`left operator right`."""

    operator: str
    left: Expression
    right: Expression


@_node
class Ternary(Node):
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@_node
class Parenthesized(Node):
    """`(expression)`."""

    expression: Expression


@_node
class TupleExpression(Node):
    """`[item, item]`."""

    items: list[Expression]


@_node
class TypeReference(Node):
    """A type as written; `name` is a Name or a Member, `is_array` marks the `[]` suffix."""

    name: Name | Member
    arguments: list[TypeReference] | None
    is_array: bool


# structures: statements that are also expressions


@_node
class If(Node):
    """`if condition` with its block; `otherwise` is the else block, or a list of one If for `else if`."""

    condition: Expression
    body: list[Statement]
    otherwise: list[Statement] | None


@_node
class ForTo(Node):
    """`for counter = first to last [by step]`."""

    counter_type: TypeReference | None
    counter: Name
    first: Expression
    last: Expression
    step: Expression | None
    body: list[Statement]


@_node
class ForIn(Node):
    """`for element in collection` or `for [index, element] in collection`."""

    index: Name | None
    element: Name
    collection: Expression
    body: list[Statement]


@_node
class While(Node):
    """`while condition` with its block."""

    condition: Expression
    body: list[Statement]


@_node
class Switch(Node):
    """`switch [subject]` with its cases. A subject that could not be parsed is an ErrorStatement."""

    subject: Expression | ErrorStatement | None
    cases: list[Case]


@_node
class Case(Node):
    """One case of a switch. `condition` is None for the default case."""

    condition: Expression | None
    body: list[Statement]


# statements


@_node
class Once(Node):
    """`once [condition]` with its block."""

    condition: Expression | None
    body: list[Statement]


@_node
class VariableDeclaration(Node):
    """`[export] [var|varip] [qualifier] [type] name = value`.

    A duplicate qualifier is kept as written, with one space (`const simple`). A qualifier without a type has `type`
    None. The checker reports both errors.
    """

    mode: str | None
    qualifier: str | None
    type: TypeReference | None
    name: Name
    value: Value
    exported: bool


@_node
class TupleDeclaration(Node):
    """`[name, name] = value`."""

    names: list[Name]
    value: Value


@_node
class Reassignment(Node):
    """`target operator value`; the operator is `:=`, `+=`, `-=`, `*=`, `/=` or `%=`, at `operator_start`."""

    target: Expression
    operator: str
    operator_start: int
    value: Value


@_node
class ExpressionStatement(Node):
    """An expression used as a statement."""

    expression: Expression


@_node
class Break(Node):
    """`break`."""


@_node
class Continue(Node):
    """`continue`."""


@_node
class FunctionDeclaration(Node):
    """`[export] [method] name(parameters) => body`."""

    name: Name
    parameters: list[Parameter]
    body: list[Statement]
    exported: bool
    is_method: bool


@_node
class Parameter(Node):
    """One parameter of a function."""

    qualifier: str | None
    type: TypeReference | None
    name: Name
    default: Expression | None


@_node
class TypeDeclaration(Node):
    """`[export] type name` with its fields."""

    name: Name
    fields: list[Field]
    exported: bool


@_node
class Field(Node):
    """One field of a type; `mode` is varip or a misplaced modifier."""

    mode: str | None
    type: TypeReference | None
    name: Name
    default: Expression | None


@_node
class EnumDeclaration(Node):
    """`[export] enum name` with its fields."""

    name: Name
    fields: list[EnumField]
    exported: bool


@_node
class EnumField(Node):
    """One field of an enum."""

    name: Name
    value: Expression | None


@_node
class Import(Node):
    """`import path [as alias]`; `path` is User/Library/Version without blanks."""

    path: str
    alias: Name | None


@_node
class ErrorStatement(Node):
    """A statement, a value or the body of a case that could not be parsed.

    `salvaged` holds the valid expressions and statements found in it. `body` holds the block of a broken header, which
    is a scope of its own.
    """

    salvaged: list[Node]
    body: list[Statement]


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
