"""The code of a script while it is written: its parts, its columns, and the places of its state in the memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.runtime import BarInvariants, initial_constants, ir

NA = float("nan")
INF = float("inf")
HEAD = 16
"""The places at the beginning of the memory that every run has; see `kernels`."""
BARS = 4
"""The place of the number of bars."""
DAY = "#day"
"""The column with the trading day of each bar as a number."""
FIRST_COLUMNS = ("open", "high", "low", "close", "volume", "time")
DRAWN = ("line", "label", "box", "linefill", "polyline", "table")
TOLD = ("alert", "log")
ARRAY_OF = "array of "
"""How the kind of an argument begins that is an array; the kind of its elements follows."""
MOST_PLACES = 2_000_000
_MOST_LETTERS = 50_000_000


class NotCovered(Exception):
    """The script needs something that machine code does not compute: a reason, and the line of the script."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


@dataclass(slots=True)
class OutputColumn:
    """A column of an output: its output, its name, the kind of its values and the line."""

    output: int
    name: str
    kind: ir.Kind
    line: int


@dataclass(slots=True)
class RequestCall:
    """A call of `request.security` or `request.security_lower_tf`: its name, its number, the code that runs on the
    requested bars, and its settled arguments.

    `columns` are the columns of the caller with its values, one for each item of a tuple, and `kinds` their kinds.
    `made` is the place that says when the script made the request first: the number of requests until then, or 0.
    A request without columns is answered while the script runs, because its arguments may differ from bar to bar, or
    its values are arrays (`library_calls`).
    `inputs` are the numbers of the inputs on which its values depend.
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
    """A call that a run records in its log, or a text that is put together from recorded values.

    Each of `arguments` is an expression with the same value on all bars, or the place of a value in the record and the
    kind of the value. `names` are the names of the last arguments. `result` is the place of the drawing that the call
    makes. With `is_holder`, the record says which drawing a variable holds, and `name` is the type of the drawing. For
    a call of the library, `kind` is the kind of its result; if it has a `kernel`, its first argument is the place of
    the kernel's state (`library_calls`).
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
    """The code of a script, and what a run needs.

    `first` is the memory at the beginning of a run; `settled` are the expressions that are computed before the first
    bar, by their places; `columns` are the columns of the chart that the code reads.
    """

    text: str = ""
    broker: str = ""
    """The broker that the code calls: `plain`, or `whole` for one with rules about risk and runs on fills. Empty for
    none."""
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
    """Whether the script needs the letters of texts that are put together on a bar."""
    requests_made: int = 0
    """The place with the number of different requests that the script made."""
    missing: dict[str, int] = field(default_factory=dict[str, int])
    """The requests for data that is not available, and the places that say when the script made them, as `made`."""
    reads_extremes: bool = False
    """Whether the script reads how far prices went during a trade."""
    has_held_history: bool = False
    """Whether an earlier drawing of a variable is read, so that only Python knows which drawings variables hold."""

    @property
    def every(self) -> Iterator[ScriptCode]:
        """This code, and the code of all its requests."""
        yield self
        for call in self.requests:
            yield from call.code.every


@dataclass(slots=True)
class Part:
    """The code of one unit: the place of its state, and its lines."""

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
    """A number in the code."""
    value = float(value)
    if value != value:
        return "NA"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "(-INF)"
    return f"({value!r})" if value < 0 or repr(value).startswith("-") else repr(value)


def empty(kind: ir.Kind) -> str:
    """The empty value of a kind. The text na is -0.0, which is the same as the empty text in comparisons."""
    return "False" if kind == "bool" else "(-0.0)" if kind == "string" else "NA"


def of_kind(text: str, kind: ir.Kind) -> str:
    """The code of a value that is a number in the memory or in a column."""
    return f"({text} != 0.0)" if kind == "bool" else text


def first_value(kind: ir.Kind) -> float:
    """The empty value of a kind, as a number in the memory."""
    return 0.0 if kind == "bool" else -0.0 if kind == "string" else NA


def _as_int(number: float) -> float:
    return int(number) if number - number == 0 and number == int(number) else number


AS_PYTHON: dict[str, Callable[[float], Any]] = {
    "bool": lambda number: number != 0.0,
    "color": lambda number: int(number) if number == number else None,
    "int": _as_int,
}
"""The values of numbers in the memory as the Python tier has them, by their kinds. A float is the same there."""


def text_of(number: float, texts: Sequence[str]) -> str | None:
    """The text with a number in a table of texts."""
    return None if number == 0.0 and math.copysign(1.0, number) < 0.0 else texts[int(number)]


class TextTable:
    """The texts of a run, each with its number."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = list(texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        self._letters = 0

    def number(self, text: str | None) -> float:
        """The number of a text, which is added if it is new. Raises MemoryError if the texts become too long."""
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
        """Forget the texts from the number `first` on."""
        for text in self.texts[first:]:
            self._letters -= len(text)
            del self._numbers[text]
        del self.texts[first:]
