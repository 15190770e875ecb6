"""The tasks of the benchmark: families that draw parameters from a seed, and each task's request, solution and hidden
cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from inspect import cleandoc
from typing import Any, Literal

from pinebench.errors import UsageError
from pinebench.evals.draws import Draw
from pinebench.evals.hidden import hidden_bars
from pinebench.market import Bars, SymbolInfo

Kind = Literal["write", "change", "repair", "migrate", "explain"]
Level = Literal["easy", "medium", "hard"]
Sort = Literal["indicator", "strategy", "library"]
Oracle = Callable[[Bars, Mapping[str, Any]], Mapping[str, Sequence[Any]]]
"""Computes the values of plots by title, from bars and inputs, without any part of our runtime."""

KINDS: tuple[Kind, ...] = ("write", "change", "repair", "migrate", "explain")
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
SEED = 1
"""The seed of the published tasks."""
EACH = 5
"""The number of tasks of a family."""
_EQUAL_AT_END = 50
"""The number of equal bars at the end of the first part of the hidden bars."""

_SCRIPT = (
    "Answer with one complete Pine Script v6 script in a fenced code block. Plots are found by their titles, inputs by "
    "theirs, and orders by their ids, so use exactly the names that are given. If a value cannot be computed yet, "
    "plot na. Additional plots are allowed."
)
_LIBRARY = (
    "Answer with one complete Pine Script v6 library in a fenced code block. Other scripts import it, so use exactly "
    "the names and parameters that are given."
)
_KEEP = "Everything else that the script does must stay as it is."


@dataclass(frozen=True)
class ExpectedFault:
    """The right answer to a task to find a fault: the line, counted from 1, and the code of the fault."""

    line: int
    code: str


@dataclass(frozen=True)
class Instance:
    """The parts of a task that a family makes from its draws.

    `request` is in plain English and states the complete behaviour. `given` is the script that it is about, if any.
    `inputs` holds the values of the second case, by title. `further` holds the values of one more case, or a function
    that chooses them for its bars, for a rule that other values would rarely reach. `ends` lists numbers of bars after
    which further cases end, to check the results that a script shows only on its last bar. `fall` is the price by which
    the second of the hidden bars closes below the first one, and `flat` the index of the bar at which the equal bars of
    the second case begin. `oracle` computes the expected values without our runtime; otherwise they come from a run of
    `reference`. `stock` bars have sessions. With `steady` the script must not repaint. `requests` is the largest number
    of `request.*()` calls. `settings` are arguments that the declaration must have. `caller` is the script that imports
    a library. `fault` is the answer to a task to find a fault.
    """

    request: str
    reference: str
    given: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    further: Mapping[str, Any] | Callable[[Bars], Mapping[str, Any]] = field(default_factory=dict[str, Any])
    ends: Sequence[int] = ()
    oracle: Oracle | None = None
    timeframe: str = "60"
    stock: bool = False
    count: int = 300
    fall: float = 0.0
    flat: int | None = None
    steady: bool = False
    requests: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    caller: str = ""
    fault: ExpectedFault | None = None


Make = Callable[[Draw], Instance]


@dataclass(frozen=True)
class TaskFamily:
    """A group of tasks that differ in names, lengths, thresholds and bars."""

    name: str
    kind: Kind
    sort: Sort
    level: Level
    make: Make


@dataclass(frozen=True)
class TaskCase:
    """One run on which an answer is judged: hidden bars, their symbol, and values of inputs by title."""

    name: str
    bars: Bars
    symbol: SymbolInfo
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """One task. `id` is the family's name and the number of the task in it, from 1."""

    id: str
    seed: int
    family: TaskFamily
    instance: Instance

    @property
    def kind(self) -> Kind:
        return self.family.kind

    @property
    def level(self) -> Level:
        return self.family.level

    @property
    def request(self) -> str:
        """The complete request in words, without the script that it is about."""
        if self.instance.fault is not None:
            return self.instance.request
        parts = [self.instance.request]
        if self.kind == "change":
            parts.append(_KEEP)
        parts.append(_LIBRARY if self.family.sort == "library" else _SCRIPT)
        return "\n\n".join(parts)

    @property
    def prompt(self) -> str:
        """The request and the script that it is about."""
        given = self.instance.given
        return f"{self.request}\n\n```pine\n{given}```\n" if given else f"{self.request}\n"

    @property
    def solution(self) -> str:
        """Our own answer, as a model would write it."""
        fault = self.instance.fault
        if fault is not None:
            return f'{{"line": {fault.line}, "code": "{fault.code}"}}'
        return f"```pine\n{self.instance.reference}```"

    def cases(self, salt: str = "") -> tuple[TaskCase, ...]:
        """Return the hidden cases: the bars, other bars with other inputs, the first part of the bars, and the cases
        for `further` and `ends`.

        Each `salt` gives different bars, with a stretch of equal bars. The first part of the bars ends within this
        stretch and shows whether values depend on later bars.
        """
        made = self.instance
        name = f"{salt} {self.seed} {self.id}".strip()
        shorter = made.count * 5 // 8

        def bars_at(name: str, flat: int) -> tuple[Bars, SymbolInfo]:
            return hidden_bars(name, made.count, made.timeframe, stock=made.stock, flat=flat, fall=made.fall)

        bars, symbol = bars_at(name, shorter - _EQUAL_AT_END)
        others, other = bars_at(f"{name} other", made.count // 4 if made.flat is None else made.flat)
        part = bars.at(range(shorter))
        cases = [
            TaskCase("hidden bars", bars, symbol, {}),
            TaskCase("other hidden bars", others, other, made.inputs),
            TaskCase("the first part of the hidden bars", part, symbol, {}),
        ]
        if made.further:
            further = made.further(others) if callable(made.further) else made.further
            cases.append(TaskCase("other hidden bars with further inputs", others, other, further))
        cases += (TaskCase(f"the first {end} hidden bars", bars.at(range(end)), symbol, {}) for end in made.ends)
        return tuple(cases)


_families: dict[str, TaskFamily] = {}


def family(name: str, kind: Kind, sort: Sort, level: Level) -> Callable[[Make], Make]:
    """Register the decorated function as a family. The function receives a `Draw` and returns an `Instance`."""

    def register(make: Make) -> Make:
        assert name not in _families, name
        _families[name] = TaskFamily(name, kind, sort, level, make)
        return make

    return register


def families() -> list[TaskFamily]:
    """Return all families, by kind and then in the order of their modules."""
    from pinebench.evals import families as modules

    modules.load()
    return sorted(_families.values(), key=lambda one: KINDS.index(one.kind))


def tasks(seed: int = SEED, patterns: Iterable[str] = ()) -> list[Task]:
    """Return the tasks with this seed whose id, kind, level or sort of script matches one of `patterns`. Without
    patterns, return all tasks.

    Raises UsageError if a pattern does not match any task.
    """
    made = all_of(seed)
    wanted = tuple(patterns)
    for pattern in wanted:
        if not any(_matches(task, pattern) for task in made):
            raise UsageError(
                f"no task matches '{pattern}'",
                f"name ids such as {made[0].id}, kinds ({', '.join(KINDS)}), levels ({', '.join(LEVELS)}) "
                "or indicator, strategy, library; * stands for any letters",
            )
    return [task for task in made if not wanted or any(_matches(task, pattern) for pattern in wanted)]


@cache
def all_of(seed: int) -> tuple[Task, ...]:
    """Return all tasks with this seed."""
    return tuple(task_of(each, seed, number) for each in families() for number in range(EACH))


def task_of(family: TaskFamily, seed: int, number: int) -> Task:
    """Return the task `number` (from 0) of a family. `seed` fixes its random numbers."""
    return Task(f"{family.name}-{number + 1}", seed, family, family.make(Draw(seed, family.name, number)))


def pine(text: str) -> str:
    """Return the script in `text` without the common indentation of its lines, and with one line break at its end."""
    return cleandoc(text) + "\n"


def words(text: str) -> str:
    """Return a request from indented text: empty lines separate paragraphs, and lines that begin with "- " are items.

    An item or a paragraph may be wrapped, but not before a minus sign.
    """
    blocks: list[str] = []
    for line in cleandoc(text).splitlines():
        if line.startswith("- ") or not line.strip():
            blocks.append(line.strip())
        elif blocks and blocks[-1]:
            blocks[-1] += f" {line.strip()}"
        else:
            blocks.append(line.strip())
    return "\n".join(blocks)


def _matches(task: Task, pattern: str) -> bool:
    return pattern in (task.kind, task.level, task.family.sort) or fnmatchcase(task.id, pattern)
