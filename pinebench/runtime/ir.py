"""The typed form between a checked program and generated code: names resolved, arguments bound, state numbered.

An expression has a `kind`, the type of its value for code generators. A body of statements belongs to a `Unit`, which
lists the state that the body keeps from bar to bar. Code generators need only this form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from pinebench.runtime.values import MOST_BARS_BACK

Kind = Literal["int", "float", "bool", "string", "color", "object", "void"]
"""The sort of a value. The empty value is nan for numbers, False for bool and None for the others; tuples are
objects."""

NUMBERS = ("int", "float")
_REST = re.compile(r"[^A-Za-z0-9_]+")


@dataclass(slots=True, eq=False)
class Variable:
    """One variable of `unit`: the global code, or the body of a function.

    A variable that is `kept` keeps its value from bar to bar; one that is `varip` keeps it even between updates of a
    bar. `history` is set if an earlier value is read, and `captured` if another unit reads the variable.
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
    """Whether it holds an array, a matrix or a map; its history keeps copies."""
    drawing: str = ""
    """The type of the drawing that it holds: `line`, `label`, `box`, `linefill`, `polyline` or `table`; else empty."""
    items: tuple[Kind, ...] = ()
    """The kinds of the items if the variable holds a tuple as the value of a structure; else empty."""
    mirrored: Variable | None = None
    """The global variable that this variable of a function copies, so that each call site has a history of its own."""

    @property
    def code(self) -> str:
        name = self.name if self.name.isascii() and self.name.isidentifier() else _REST.sub("", self.name)
        return f"v{self.number}_{name}"


@dataclass(slots=True, eq=False)
class History:
    """The earlier values of a variable; `depth` is the largest constant offset in bars. `is_far` says that more than
    the value one bar back may be read, so that a value is stored for each bar of the chart."""

    number: int
    variable: Variable
    block: Block
    depth: int = 1
    is_far: bool = False


@dataclass(slots=True, eq=False)
class Block:
    """Statements that run together. `number` is set if earlier values of its variables are stored."""

    statements: list[Statement] = field(default_factory=list)
    histories: list[History] = field(default_factory=list)
    number: int | None = None


# state


@dataclass(slots=True, eq=False)
class KernelState:
    """The state of a stateful built-in at one call site in the script. Each call site has its own."""

    number: int | str
    name: str
    series_length: bool
    """Whether its length can change from bar to bar."""


@dataclass(slots=True, eq=False)
class RecorderState:
    """The state that holds the earlier values of one expression, one value for each bar of the chart."""

    number: int
    kind: Kind
    depth: int


@dataclass(slots=True, eq=False)
class CallState:
    """The state of a script's function at one call site. Each call site has its own."""

    number: int
    function: Function
    line: int = 0
    """The line of the call."""
    text: str = ""
    """The source of the call; empty if no recorder or watch needs it."""


@dataclass(slots=True, eq=False)
class OnceState:
    """The state of a `once` block: whether it has run."""

    number: int


State = KernelState | RecorderState | CallState | OnceState


@dataclass(slots=True, eq=False)
class Unit:
    """A body that runs as a whole: the global code, or the body of a function."""

    name: str
    parent: Unit | None = None
    body: Block = field(default_factory=Block)
    variables: list[Variable] = field(default_factory=list)
    state: list[State] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    """The blocks that have histories."""
    foreign: bool = False
    """Whether it is a function of a library, whose lines are not lines of the script."""
    own: bool = False
    """Whether each call has a copy of its own, even without state, because the values of calls are kept."""

    @property
    def stateful(self) -> bool:
        return bool(self.own or self.state or self.blocks or any(variable.kept for variable in self.variables))


@dataclass(slots=True, eq=False)
class Function:
    """A user's function for one combination of argument types."""

    number: int
    name: str
    unit: Unit
    parameters: list[Variable] = field(default_factory=list)
    result: Expression | None = None
    line: int = 0
    """The line of its last statement."""
    library: str | None = None
    """The path of the imported library that declares it; None for the script."""


@dataclass(slots=True, eq=False)
class Field:
    """One field of an object type. `code` is its name in generated code."""

    name: str
    code: str
    kind: Kind
    varip: bool


@dataclass(slots=True, eq=False)
class ObjectType:
    """A user-defined type; `code` is the name of its class in the generated code."""

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
    """A read of a variable: its current value."""

    kind: Kind
    variable: Variable


@dataclass(slots=True, eq=False)
class Column:
    """A built-in series by its name: its value on this bar, or `offset` bars ago."""

    kind: Kind
    name: str
    offset: Expression | None = None


@dataclass(slots=True, eq=False)
class FixedValue:
    """A value that is the same on all bars: `syminfo.ticker`, an input, or the number of a plot."""

    kind: Kind
    source: str
    """The source of the value: `fixed`, `enum` or `missing`."""
    key: str | int


@dataclass(slots=True, eq=False)
class Now:
    """A value of the run that can differ on each bar or update, such as `barstate.islast` or `strategy.equity`."""

    kind: Kind
    name: str


@dataclass(slots=True, eq=False)
class Past:
    """The value of a variable `offset` bars ago."""

    kind: Kind
    variable: Variable
    offset: Expression


@dataclass(slots=True, eq=False)
class RecordedValue:
    """The value of an expression `offset` bars ago. The expression is evaluated and recorded on this bar, too."""

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
    """An operation on two values. `operator` is written as in Pine; the kinds of the operands decide how
    they are compared."""

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
    """A call of a function of the library. With `context` the function gets the execution as its first argument."""

    kind: Kind
    name: str
    arguments: list[Expression]
    context: bool = False
    objects: tuple[str | None, ...] = ()
    """For the result and each argument that is an object, its sort in the checker (`matrix`, `udt`; for an array also
    the kind of its elements: `array of int`), else None. Empty without objects."""


@dataclass(slots=True, eq=False)
class CallKernel:
    """A call of a stateful function of the library."""

    kind: Kind
    state: KernelState
    arguments: list[Expression]
    reads: tuple[str, ...]


@dataclass(slots=True, eq=False)
class CallHost:
    """A call of a function that the run itself implements: for outputs, drawings, orders, alerts and requests."""

    kind: Kind
    name: str
    arguments: list[Expression]
    keywords: dict[str, Expression] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class CallFunction:
    """A call of a user's function. `state` is the function's state at this call site, or None if it keeps no state."""

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
    """Whether the field of na is na instead of an error, because the script itself did not read the field."""


@dataclass(slots=True, eq=False)
class TupleOf:
    kind: Kind
    items: list[Expression]


@dataclass(slots=True, eq=False)
class WatchedExpression:
    """An expression whose value is noted under the number `number` each time it is evaluated."""

    kind: Kind
    number: int
    value: Expression


Expression = (
    Constant
    | Get
    | Column
    | FixedValue
    | Now
    | Past
    | RecordedValue
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
    | WatchedExpression
)


SETTLED_FUNCTIONS = ("color.", "math.")
"""Namespaces whose functions depend only on their arguments and never stop a script."""


def is_settled(value: Expression) -> bool:
    """Return whether an expression is the same on all bars, so that it can be computed before the first bar."""
    if isinstance(value, Constant):
        return True
    if isinstance(value, FixedValue):
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
    """The first assignment of a variable that keeps its value from bar to bar. `body` has the statements that the value
    needs; they also run only the first time."""

    line: int
    variable: Variable
    body: list[Statement]
    value: Expression


@dataclass(slots=True, eq=False)
class Unpack:
    """An assignment of a tuple's items to variables; None skips an item."""

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
class CountedLoop:
    """`for counter = first to last by step`. `moving` says that `last` is evaluated again before each iteration."""

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
    is_array: bool = True
    """Whether the collection is an array, and not a matrix or a map."""


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
    """A `break` or `continue` statement."""

    line: int
    word: str


@dataclass(slots=True, eq=False)
class Configure:
    """A statement that evaluates the settings of an output, on the first bar only."""

    line: int
    output: int
    settings: dict[str, Expression]


@dataclass(slots=True, eq=False)
class Show:
    """A statement that sets the value of one column of an output on this bar."""

    line: int
    output: int
    column: str
    value: Expression


Statement = (
    Configure
    | Show
    | Assign
    | Initialize
    | Unpack
    | SetField
    | Evaluate
    | If
    | CountedLoop
    | Each
    | While
    | Once
    | Leave
)
WITH_BODY = (CountedLoop, Each, While, Once)
"""The statements whose only block is `body`."""


@dataclass(slots=True, eq=False)
class RecordedName:
    """A name of the script, or a call in it, whose values a recorder stores.

    `value` is its variable, or the expression that computes it. `name` of a call is its text. `start` is the offset of
    the declaration or the call in the script's text, or None within a library.
    """

    name: str
    line: int
    unit: Unit
    value: Variable | Expression
    kind: Kind
    type: str = ""
    is_call: bool = False
    start: int | None = None
    mode: str = ""
    """`var`, `varip`, `input`, `parameter`, or empty."""
    changes: bool = False
    """Whether its values can change in place: collections, objects, drawings, and tuples with one of them."""


@dataclass(slots=True, eq=False)
class Module:
    """A program in the typed form (IR): its global code and its functions, in an order in which they can be defined."""

    unit: Unit
    functions: list[Function] = field(default_factory=list)
    result: Expression | None = None
    """The result of a requested module on each bar."""
    line: int = 0
    """The line of the request."""
    records: bool = False
    """Whether a recorder keeps the values in `kept`."""
    kept: list[RecordedName] = field(default_factory=list)
    steps: bool = False
    """Whether each statement is reported to a debugger before it runs."""
    silent: set[Statement] = field(default_factory=set)
    """The statements that are not reported to a debugger, because they are not in the script's text."""


def constant_steps(offset: Expression) -> int | None:
    """Return the constant number of bars that `offset` goes back, or None if it is not constant or needs a check."""
    if isinstance(offset, Constant) and isinstance(offset.value, int | float) and 1 <= offset.value <= MOST_BARS_BACK:
        return int(offset.value)
    return None
