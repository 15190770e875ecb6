"""The parts of a strategy module: its settings, which become inputs, and its pieces of Pine Script."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from pinebench.errors import UsageError

Kind = Literal["entry", "filter", "exit", "sizing"]
KINDS: tuple[Kind, ...] = ("entry", "filter", "exit", "sizing")
Value = int | float | str | bool

_SESSION = r"([01]\d|2[0-3])[0-5]\d-([01]\d|2[0-3])[0-5]\d(:[1-7]{1,7})?"


@dataclass(frozen=True, slots=True)
class ModuleSetting:
    """One setting of a module, which becomes an input of the script.

    `variable` is its name in the script. The type of `default` is the type of the setting: an integer, a float, a bool,
    or the hours of a session (`0930-1600`). `least` and `most` limit numbers.
    """

    name: str
    variable: str
    title: str
    default: Value
    tooltip: str
    least: float = -math.inf
    most: float = math.inf
    step: float | None = None

    @property
    def kind(self) -> str:
        """The `input.*` function that creates the input, such as `int` or `session`."""
        if isinstance(self.default, bool):
            return "bool"
        if isinstance(self.default, int):
            return "int"
        return "float" if isinstance(self.default, float) else "session"

    def taken(self, name: str, value: object) -> Value:
        """Check `value` and return it as the setting's new default. Raises UsageError, which refers to the setting as
        `name`."""
        if self.kind == "bool":
            if isinstance(value, bool):
                return value
            raise UsageError(f"{name} must be true or false, got: {_shown(value)}")
        if self.kind == "session":
            if isinstance(value, str) and re.fullmatch(_SESSION, value):
                return value
            raise UsageError(f"{name} must be a range of hours, got: {_shown(value)}", "give, for example, 0930-1600")
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise UsageError(f"{name} must be a finite number, got: {_shown(value)}")
        if self.kind == "int" and value != int(value):
            raise UsageError(f"{name} must be a whole number, got: {value}")
        if not self.least <= value <= self.most:
            raise UsageError(f"{name} must be from {self.least:g} to {self.most:g}, got: {value}")
        return int(value) if self.kind == "int" else float(value)


def _shown(value: object) -> str:
    """Return a value as JSON, but a text without quotes; on one line of at most 80 characters."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    text = {True: "true", False: "false", None: "null"}.get(value) if value is None or isinstance(value, bool) else None
    return " ".join(str(value).split())[:80] if text is None else text


@dataclass(frozen=True, slots=True)
class StrategyModule:
    """A building block of a strategy. Its Pine Script code uses its own variables and the variables of `build`.

    `long` and `short` are conditions in an entry or a filter, distances from the price to the stop in an exit, and
    quantities in a sizing method. The conditions `long_done` and `short_done` of an entry close the position that it
    opened. An exit may trail its stop (`long_trail` and `short_trail` are prices) and may have a target (a distance).
    It may also close a position at the next open (`over`) or at the close of the bar (`at_once`); such a bar opens no
    position. `ordered` names two settings; the first must be smaller than the second.
    """

    name: str
    kind: Kind
    title: str
    purpose: str
    fails_when: str
    settings: tuple[ModuleSetting, ...]
    code: str
    long: str
    short: str
    long_done: str = ""
    short_done: str = ""
    target: str = ""
    long_trail: str = ""
    short_trail: str = ""
    over: str = ""
    at_once: str = ""
    plots: str = ""
    ordered: tuple[str, str] | None = None

    def setting(self, name: str) -> ModuleSetting | None:
        """Return the setting named `name`; None if there is none."""
        return next((each for each in self.settings if each.name == name), None)


def length(
    variable: str, title: str, default: int, tooltip: str, name: str = "length", minimum: int = 1
) -> ModuleSetting:
    """Return a setting that is a number of bars, from `minimum` to 500."""
    return ModuleSetting(name, variable, title, default, tooltip, minimum, 500)


def factor(
    name: str, variable: str, title: str, default: float, tooltip: str, minimum: float = 0.1, maximum: float = 50.0
) -> ModuleSetting:
    """Return a setting that multiplies a value, from `minimum` to `maximum`."""
    return ModuleSetting(name, variable, title, default, tooltip, minimum, maximum, 0.1)
