"""Reads expectations about a run, such as `trades>10` or `na(Signal)<0.5`, and compares them with its results."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pinebench.errors import UsageError
from pinebench.near import near_names
from pinebench.runtime import Result, shown

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_FORM = re.compile(
    r"\s*(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*(?:\((?P<of>.*)\))?\s*(?P<operator><=|>=|==|!=|<|>|=)"
    r"\s*(?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(?P<percent>%?)\s*",
    re.DOTALL,
)
_EXAMPLES = "such as 'trades>10', 'profit_factor>=1.2', 'max_drawdown<20%' or 'na(My plot)<0.5'"
_OF_PLOTS = ("na", "last", "min", "max", "count")
"""The figures of a plot: the share of na, the last value, the extremes, and the number of bars with a value; of a
shape, a character or an arrow the number of bars on which it is shown."""
_IN_PERCENT = ("percent_profitable",)
"""The figures in percent whose name does not end in `_percent`."""


@dataclass(frozen=True)
class Expectation:
    """An expected comparison, such as `trades>10`. `name` is a figure of the run, or of the plot with the title `of`.
    With `percent`, `number` is in percent."""

    text: str
    name: str
    of: str | None
    operator: str
    number: float
    percent: bool


@dataclass(frozen=True)
class ExpectationResult:
    """The result of an expectation: the actual value (None for na), whether it holds, and the reasons if it does
    not."""

    expectation: Expectation
    value: float | None
    holds: bool
    why: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """A sentence with the expectation and the actual value."""
        if self.holds:
            return f"{self.expectation.text} is met: the value is {self._shown}"
        seen = self._shown
        if self.value is not None and self.value != self.expectation.number == float(f"{self.value:.10g}"):
            seen = f"{self.value!r}, which is almost, but not exactly, this number; give a range with > and <"
        because = f": {'; '.join(self.why)}" if self.why else ""
        return f"expected {self.expectation.text}, but the value is {seen}{because}"

    @property
    def _shown(self) -> str:
        return "na" if self.value is None else f"{self.value:.10g}{'%' if self.expectation.percent else ''}"

    def report(self) -> dict[str, Any]:
        """Return the result as JSON values: `expect`, `value` (null for na), `holds`, and `why` if a reason is
        known."""
        value = None if self.value is None or abs(self.value) > 1e308 else self.value
        told = {"expect": self.expectation.text, "value": value, "holds": self.holds}
        return told | ({"why": list(self.why)} if self.why else {})


def parse(text: str) -> Expectation:
    """Read an expectation, such as `trades>10`. Raises UsageError if `text` is not an expectation."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise UsageError(
            f"'{text}' is not a valid expectation", f"expected a figure, a comparison and a number, {_EXAMPLES}"
        )
    name, of = found["name"], found["of"]
    if of is None and name == "na":
        raise UsageError(f"'{text}' does not name a plot", "expected, for example, 'na(My plot)<0.5'")
    if of is not None and name not in _OF_PLOTS:
        near = near_names(name, _OF_PLOTS, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"the figures of a plot are {', '.join(_OF_PLOTS)}"
        raise UsageError(f"'{text}': '{name}' is not a figure of a plot", hint)
    title = None if of is None else _unquoted(of.strip())
    return Expectation(text.strip(), name, title, found["operator"], float(found["number"]), bool(found["percent"]))


def _unquoted(title: str) -> str:
    quoted = len(title) > 1 and title[0] == title[-1] and title[0] in "\"'"
    return title[1:-1] if quoted else title


def figures_of(result: Result, report: Mapping[str, Any] | None = None) -> dict[str, float | None]:
    """Return the figures of a run by name: counts, and the numbers in the `report` of a strategy. None means na."""
    figures: dict[str, float | None] = {
        "bars": len(result.times),
        "plots": len(result.plots),
        "alerts": len(result.alerts),
        "logs": len(result.logs),
    }
    for kind, drawings in result.drawings.items():
        figures[f"{kind}es" if kind == "box" else f"{kind}s"] = len(drawings)
    for name, value in (report or {}).items():
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            figures[name] = None if value is None or value != value else value
    return figures


_OF_STRATEGIES = re.compile("trade|profit|drawdown|equity|capital|commission|sharpe|sortino|loss|win")
"""Words in the names of figures that only strategies have."""


def held(expectation: Expectation, result: Result, figures: Mapping[str, float | None]) -> ExpectationResult:
    """Compare `expectation` with a run and its `figures` (`figures_of`). Raises UsageError if the figure or the plot
    does not exist."""
    value = _value(expectation, result, figures)
    holds = value is not None and _OPERATORS[expectation.operator](value, expectation.number)
    return ExpectationResult(expectation, value, holds)


def _value(expectation: Expectation, result: Result, figures: Mapping[str, float | None]) -> float | None:
    if expectation.of is not None:
        found = _of_plot(expectation, result)
        if expectation.percent and expectation.name != "na":
            raise _not_in_percent(expectation)
        return found * 100 if found is not None and expectation.percent else found
    name = expectation.name
    if expectation.percent and not name.endswith("_percent") and name not in _IN_PERCENT:
        name = f"{name}_percent"
    if name in figures:
        return figures[name]
    if name != expectation.name and expectation.name in figures:
        raise _not_in_percent(expectation)
    if "trades" not in figures and _OF_STRATEGIES.search(expectation.name):
        raise UsageError(
            f"'{expectation.text}': {expectation.name} is a figure of strategies, and this script is an indicator",
            f"the figures are {', '.join(figures)}",
        )
    near = near_names(expectation.name, figures, 1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    known = f"{meant}the figures are {', '.join(figures)}"
    hint = known if "trades" in figures else f"{known}; the figures of trades belong to strategies"
    raise UsageError(f"'{expectation.text}': there is no figure '{expectation.name}'", hint)


def _not_in_percent(expectation: Expectation) -> UsageError:
    return UsageError(
        f"'{expectation.text}': {expectation.name} is not measured in percent", "write the number without %"
    )


def _of_plot(expectation: Expectation, result: Result) -> float | None:
    titles = shown.titles_of(result)
    if expectation.of not in titles:
        near = near_names(expectation.of or "", titles, 1)
        meant = f"did you mean '{near[0]}'? " if near else ""
        known = ", ".join(f"'{title}'" for title in titles) or "none"
        raise UsageError(f"'{expectation.text}': no plot is called '{expectation.of}'", f"{meant}There are {known}.")
    plot = result.plots[titles.index(expectation.of)]
    values = plot.exported
    known = [float(value) for value in values if value is not None and value == value]
    match expectation.name:
        case "na":
            return 1 - len(known) / len(values) if values else None
        case "count" if plot.function != "plot":  # a shape has a value, true or false, on each bar
            return len([value for value in plot.values if plot.is_drawn(value)])
        case "count":
            return len(known)
        case "last":
            last = values[-1] if values else None
            return None if last is None or last != last else float(last)
        case _:
            return {"min": min, "max": max}[expectation.name](known, default=None)
