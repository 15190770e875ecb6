"""The typed form between a checked program and what runs: names resolved, arguments bound, state numbered.

An expression has a `kind`, the sort of value it gives; a body of statements belongs to a `Unit`, which lists the state
that one running copy of it keeps. A back end needs nothing but this form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["int", "float", "bool", "string", "color", "object", "void"]
"""What a value is: empty is nan for numbers, False for bool and None for the rest; tuples are objects."""

NUMBERS = ("int", "float")
_REST = re.compile(r"[^A-Za-z0-9_]+")


@dataclass(slots=True, eq=False)
class Variable:
    """One variable of one unit. `kept` variables live on from run to run, `varip` ones even within a bar.

    `history` is set when an earlier value is read, `captured` when another unit reads it.
    """

    number: int
    name: str
    kind: Kind
    unit: Unit
    kept: bool = False
    varip: bool = False
    captured: bool = False
    history: History | None = None
    collection: bool = False
    """Whether it holds an array, matrix or map, whose history is a copy."""
    drawing: str = ""
    """The type of what is drawn that it holds: `line`, `label`, `box`, `linefill`, `polyline`, `table`, else empty."""
    mirrored: Variable | None = None
    """The global variable that a function sees in this one, so that each call site has a history of its own."""

    @property
    def code(self) -> str:
        name = self.name if self.name.isascii() and self.name.isidentifier() else _REST.sub("", self.name)
        return f"v{self.number}_{name}"


@dataclass(slots=True, eq=False)
class History:
    """The earlier values of a variable; `depth` is the farthest constant offset.

    `is_far` says that more than the value one bar back may be asked for, so that each bar of the chart needs a slot.
    """

    number: int
    variable: Variable
    block: Block
    depth: int = 1
    is_far: bool = False


@dataclass(slots=True, eq=False)
class Block:
    """Statements that run together; `number` is set when variables declared in it have histories."""

    statements: list[Statement] = field(default_factory=list)
    histories: list[History] = field(default_factory=list)
    number: int | None = None


# state


@dataclass(slots=True, eq=False)
class KernelState:
    """One copy of a stateful built-in."""

    number: int | str
    name: str
    series_length: bool
    """Whether its length may change from bar to bar."""


@dataclass(slots=True, eq=False)
class RecorderState:
    """The earlier values of one expression, one slot for each bar of the chart."""

    number: int
    kind: Kind
    depth: int


@dataclass(slots=True, eq=False)
class CallState:
    """One running copy of a function that keeps state."""

    number: int
    function: Function


@dataclass(slots=True, eq=False)
class OnceState:
    """Whether a `once` block is done."""

    number: int


State = KernelState | RecorderState | CallState | OnceState


@dataclass(slots=True, eq=False)
class Unit:
    """A body that runs as a whole: the global code, or that of a function."""

    name: str
    parent: Unit | None = None
    body: Block = field(default_factory=Block)
    variables: list[Variable] = field(default_factory=list)
    state: list[State] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    """The blocks that have histories."""

    @property
    def stateful(self) -> bool:
        return bool(self.state or self.blocks or any(variable.kept for variable in self.variables))


@dataclass(slots=True, eq=False)
class Function:
    """A user's function for one tuple of argument types."""

    number: int
    name: str
    unit: Unit
    parameters: list[Variable] = field(default_factory=list)
    result: Expression | None = None
    line: int = 0
    """The line of its last statement."""


@dataclass(slots=True, eq=False)
class Field:
    """One field of an object type."""

    name: str
    code: str
    kind: Kind
    varip: bool


@dataclass(slots=True, eq=False)
class ObjectType:
    """A user-defined type; `code` is the name of its class in what is generated."""

    number: int
    name: str
    fields: dict[str, Field]

    @property
    def code(self) -> str:
        return f"T{self.number}"


# expressions


@dataclass(slots=True, eq=False)
class Constant:
    kind: Kind
    value: int | float | bool | str | None


@dataclass(slots=True, eq=False)
class Get:
    """The value that a variable has now."""

    kind: Kind
    variable: Variable


@dataclass(slots=True, eq=False)
class Column:
    """A built-in series on this bar, by its name; `offset` bars ago where it is given."""

    kind: Kind
    name: str
    offset: Expression | None = None


@dataclass(slots=True, eq=False)
class Fixed:
    """Something of the surroundings that is the same on all bars: `syminfo.ticker`, an input, a plot's handle."""

    kind: Kind
    source: str
    """What it is taken from: `fixed`, `input`, `enum`, `source`, `value`."""
    key: str | int


@dataclass(slots=True, eq=False)
class Now:
    """Something of the run that differs from bar to bar or update to update: `barstate.islast`, `strategy.equity`."""

    kind: Kind
    name: str


@dataclass(slots=True, eq=False)
class Past:
    """An earlier value of a variable."""

    kind: Kind
    variable: Variable
    offset: Expression


@dataclass(slots=True, eq=False)
class Recorded:
    """An earlier value of an expression, which is evaluated now."""

    kind: Kind
    state: RecorderState
    value: Expression
    offset: Expression


@dataclass(slots=True, eq=False)
class Unary:
    kind: Kind
    operator: str
    operand: Expression


@dataclass(slots=True, eq=False)
class Binary:
    """`operator` is Pine's; the operands' kinds say which comparison is meant."""

    kind: Kind
    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False)
class Choose:
    kind: Kind
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(slots=True, eq=False)
class CallBuiltin:
    """A function of the library; `context` says that it is given the surroundings first."""

    kind: Kind
    name: str
    arguments: list[Expression]
    context: bool = False


@dataclass(slots=True, eq=False)
class CallKernel:
    """A stateful function of the library."""

    kind: Kind
    state: KernelState
    arguments: list[Expression]
    reads: tuple[str, ...]


@dataclass(slots=True, eq=False)
class CallHost:
    """Something that the run itself does: outputs, drawings, orders, alerts, requests."""

    kind: Kind
    name: str
    arguments: list[Expression]
    keywords: dict[str, Expression] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class CallFunction:
    """A call of a user's function; `state` is its copy's, None for a function that keeps nothing."""

    kind: Kind
    function: Function
    state: CallState | None
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class New:
    kind: Kind
    type: ObjectType
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class GetField:
    kind: Kind
    object: Expression
    code: str
    is_safe: bool = False
    """Whether a field of na is na: it was not the script that asked for it."""


@dataclass(slots=True, eq=False)
class TupleOf:
    kind: Kind
    items: list[Expression]


Expression = (
    Constant
    | Get
    | Column
    | Fixed
    | Now
    | Past
    | Recorded
    | Unary
    | Binary
    | Choose
    | CallBuiltin
    | CallKernel
    | CallHost
    | CallFunction
    | New
    | GetField
    | TupleOf
)


SETTLED_FUNCTIONS = ("color.", "math.")
"""Namespaces whose functions depend on nothing but their arguments and stop no script."""


def is_settled(value: Expression) -> bool:
    """Whether an expression is the same on all bars, so that it can be computed before the first."""
    if isinstance(value, Constant):
        return True
    if isinstance(value, Fixed):
        return value.source != "missing"
    if isinstance(value, CallBuiltin):
        return (
            value.name.startswith(SETTLED_FUNCTIONS)
            and not value.context
            and all(is_settled(argument) for argument in value.arguments)
        )
    return False


# statements; `line` is the 1-based line of the script


@dataclass(slots=True, eq=False)
class Assign:
    line: int
    variable: Variable
    value: Expression


@dataclass(slots=True, eq=False)
class Initialize:
    """The first assignment of a kept variable; `body` computes what the value needs, each only the first time."""

    line: int
    variable: Variable
    body: list[Statement]
    value: Expression


@dataclass(slots=True, eq=False)
class Unpack:
    """A tuple's items to variables; None leaves an item out."""

    line: int
    variables: list[Variable | None]
    value: Expression


@dataclass(slots=True, eq=False)
class SetField:
    line: int
    object: Expression
    code: str
    value: Expression


@dataclass(slots=True, eq=False)
class Evaluate:
    line: int
    value: Expression


@dataclass(slots=True, eq=False)
class If:
    line: int
    condition: Expression
    then: Block
    otherwise: Block | None


@dataclass(slots=True, eq=False)
class Range:
    """`for counter = first to last by step`; `moving` says that `last` is asked for again before each round."""

    line: int
    counter: Variable
    first: Expression
    last: Expression
    step: Expression | None
    moving: bool
    body: Block


@dataclass(slots=True, eq=False)
class Each:
    line: int
    index: Variable | None
    element: Variable
    collection: Expression
    body: Block


@dataclass(slots=True, eq=False)
class While:
    line: int
    condition: Expression
    body: Block


@dataclass(slots=True, eq=False)
class Once:
    """A body that runs on one bar only, the first on which `condition` holds."""

    line: int
    state: OnceState
    condition: Expression | None
    body: Block


@dataclass(slots=True, eq=False)
class Leave:
    """`break` or `continue`."""

    line: int
    word: str


@dataclass(slots=True, eq=False)
class Configure:
    """What an output is shown with, settled on the first bar."""

    line: int
    output: int
    settings: dict[str, Expression]


@dataclass(slots=True, eq=False)
class Show:
    """This bar's value of one column of an output."""

    line: int
    output: int
    column: str
    value: Expression


Statement = (
    Configure | Show | Assign | Initialize | Unpack | SetField | Evaluate | If | Range | Each | While | Once | Leave
)
WITH_BODY = (Range, Each, While, Once)
"""The statements that hold their only block in `body`."""


@dataclass(slots=True, eq=False)
class Module:
    """A lowered program: its global unit, functions in the order they can be defined, types, and what it shows."""

    unit: Unit
    functions: list[Function] = field(default_factory=list)
    types: list[ObjectType] = field(default_factory=list)
    result: Expression | None = None
    """What a requested module gives on each bar."""
    line: int = 0
    """The line of the request."""
