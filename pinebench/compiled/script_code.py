"""The generated code of a script: its parts, its columns, and the addresses of its state in the memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.runtime import BarInvariants, initial_constants, ir

NA = float("nan")
INF = float("inf")
HEAD = 16
"""The number of floats at the beginning of the memory that every run has; see `kernels`."""
BARS = 4
"""The address of the number of bars."""
DAY = "#day"
"""The column with the trading day of each bar as a number."""
FIRST_COLUMNS = ("open", "high", "low", "close", "volume", "time")
DRAWN = ("line", "label", "box", "linefill", "polyline", "table")
TOLD = ("alert", "log")
ARRAY_OF = "array of "
"""The beginning of the kind of an array argument; the kind of its elements follows."""
MOST_PLACES = 2_000_000
_MOST_LETTERS = 50_000_000


class NotCovered(Exception):
    """Raised when a script needs a feature that machine code lacks. It has the reason, and the line (None if
    unknown)."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(slots=True)
class OutputColumn:
    """A column of an output: the number of the output, the column's name, the kind of its values, and the call's
    line."""

    output: int
    name: str
    kind: ir.Kind
    line: int


@dataclass(slots=True)
class RequestCall:
    """A call of `request.security` or `request.security_lower_tf`, with the code that runs on the requested bars.

    - `arguments`: the arguments that are known before the first bar.
    - `columns`: the caller's columns with the values of the request, one for each item of a tuple. `kinds` are the
      kinds of these values. A request without columns is performed while the script runs, because its arguments may
      differ from bar to bar, or because its values are arrays (`library_calls`).
    - `made`: the address that holds the rank of this request among the script's different requests, in the order in
      which they were first made: from 1, or 0 before it is made.
    - `inputs`: the numbers of the inputs that its values depend on.
    """

    name: str
    number: int
    code: ScriptCode
    arguments: dict[str, ir.Expression]
    columns: list[int]
    kinds: list[ir.Kind]
    made: int
    inputs: frozenset[int]


@dataclass(slots=True)
class LoggedCall:
    """A call that a run records in its log, or a string that is joined from recorded values.

    Each of `arguments` is an expression with the same value on all bars, or the position of a value in the record with
    the kind of the value. `names` are the names of the last arguments. `result` is the position of the drawing that the
    call creates. With `is_holder`, the record tells which drawing a variable holds, and `name` is the type of the
    drawing. For a library call, `kind` is the kind of its result; if it has a `kernel`, its first argument is the
    address of the kernel's state (`library_calls`).
    """

    name: str
    line: int
    arguments: list[ir.Expression | tuple[int, str]] = field(default_factory=list["ir.Expression | tuple[int, str]"])
    names: list[str] = field(default_factory=list[str])
    result: int | None = None
    is_holder: bool = False
    kind: str = ""
    kernel: ir.KernelState | None = None


@dataclass(slots=True)
class ScriptCode:
    """The code of a script, and the data that a run needs.

    `first` maps addresses to the nonzero initial values of the memory, and `settled` to the expressions that are
    computed before the first bar. `columns` are the columns of the chart that the code reads.
    """

    text: str = ""
    broker: str = ""
    """The form of the broker that the code calls (`lowered_broker.FORMS`); empty for none."""
    first: dict[int, float] = field(default_factory=dict)
    settled: dict[int, ir.Expression] = field(default_factory=dict)
    columns: list[str] = field(default_factory=lambda: list(FIRST_COLUMNS))
    host_columns: dict[int, ir.Expression] = field(default_factory=dict)
    shown: list[OutputColumn] = field(default_factory=list)
    texts: list[str] = field(default_factory=lambda: [""])
    places: int = HEAD
    known: BarInvariants | None = None
    requests: list[RequestCall] = field(default_factory=list)
    calls: list[LoggedCall] = field(default_factory=list[LoggedCall])
    """The calls that have records."""
    has_letters: bool = False
    """Whether the script needs the characters of texts that are joined on a bar."""
    requests_made: int = 0
    """The address with the number of different requests that the script made."""
    missing: dict[str, int] = field(default_factory=dict[str, int])
    """The requests for data that is not available, and their addresses, as `made`."""
    reads_extremes: bool = False
    """Whether the script reads the largest run-up or drawdown of a trade."""
    has_held_history: bool = False
    """Whether an earlier drawing of a variable is read, so that only Python knows which drawings variables hold."""

    @property
    def every(self) -> Iterator[ScriptCode]:
        """This code, and the code of all its requests, including nested requests."""
        yield self
        for call in self.requests:
            yield from call.code.every


@dataclass(slots=True)
class Part:
    """The code of one unit, which is the global code or a function: the addresses of its state, and its lines."""

    unit: ir.Unit
    base: str
    """`` for the global code, `s + ` for a function, whose state begins at `s`."""
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    result: str = ""
    """The value that the function returns if the run stops."""
    is_void: bool = False
    """Whether the function returns nothing."""
    places: int = 0
    first: dict[int, float] = field(default_factory=dict)
    cells: dict[ir.Variable, int] = field(default_factory=dict)
    unset: dict[ir.Variable, int] = field(default_factory=dict)
    histories: dict[ir.History, int] = field(default_factory=dict)
    blocks: dict[int, int] = field(default_factory=dict)
    states: dict[Any, int] = field(default_factory=dict)
    constants: Mapping[ir.Variable, ir.Constant] = field(init=False)
    """The values of the variables that begin with a constant."""

    def __post_init__(self) -> None:
        self.constants = initial_constants(self.unit)

    def write(self, text: str) -> None:
        self.lines.append(" " * self.indent + text)

    def take(self, count: int, first: dict[int, float] | None = None) -> int:
        place = self.places
        self.places += count
        for k, value in (first or {}).items():
            self.first[place + k] = value
        return place

    def at(self, place: int) -> str:
        return f"{self.base}{place}"


def float_text(value: float) -> str:
    """Return the code of a float."""
    value = float(value)
    if value != value:
        return "NA"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "(-INF)"
    return f"({value!r})" if value < 0 or repr(value).startswith("-") else repr(value)


def empty(kind: ir.Kind) -> str:
    """Return the code of na for a kind of value; `False` for a bool. The na string is -0.0, which compares equal to the
    empty string."""
    return "False" if kind == "bool" else "(-0.0)" if kind == "string" else "NA"


def of_kind(text: str, kind: ir.Kind) -> str:
    """Return the code that converts a float from the memory or from a column to a kind."""
    return f"({text} != 0.0)" if kind == "bool" else text


def first_value(kind: ir.Kind) -> float:
    """Return the number that represents na of a kind in the memory; 0.0 for a bool."""
    return 0.0 if kind == "bool" else -0.0 if kind == "string" else NA


def _as_int(number: float) -> float:
    return int(number) if number - number == 0 and number == int(number) else number


AS_PYTHON: dict[str, Callable[[float], Any]] = {
    "bool": lambda number: number != 0.0,
    "color": lambda number: int(number) if number == number else None,
    "int": _as_int,
}
"""The functions that convert a number in the memory to the Python tier's value, by kind. Floats need no conversion."""


def text_of(number: float, texts: Sequence[str]) -> str | None:
    """Return the string with the given number in the string table; None for the na string."""
    return None if number == 0.0 and math.copysign(1.0, number) < 0.0 else texts[int(number)]


class TextTable:
    """The string table of a run: each string has a number, which represents it in the memory."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = list(texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        self._letters = 0

    def number(self, text: str | None) -> float:
        """Return the number of a string, adding the string if it is new. Raises MemoryError if the strings become too
        long."""
        if text is None:
            return first_value("string")
        if text not in self._numbers:
            self._letters += len(text)
            if self._letters > _MOST_LETTERS:
                raise MemoryError
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return float(self._numbers[text])

    def forget(self, first: int) -> None:
        """Remove the strings numbered `first` and above."""
        for text in self.texts[first:]:
            self._letters -= len(text)
            del self._numbers[text]
        del self.texts[first:]
