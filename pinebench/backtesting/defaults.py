"""Finds which TradingView defaults a back-test uses, for its report. These defaults have changed over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pinebench import LANGUAGE_DATE
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.reference.strategy_defaults import StrategyDefaults, all_strategy_defaults, strategy_defaults

NAMES = StrategyDefaults._fields[1:]
_EARLIEST_ZONE = timedelta(hours=14)
"""The offset to UTC of the time zone in which a day begins first."""
_UNSURE = timedelta(days=7)
"""The largest error of the known day of a change."""


@dataclass(frozen=True)
class Defaults:
    """The defaults of `strategy()` on the day `as_of`, and the arguments for which a back-test uses them.

    `names` are the arguments that neither the script nor the back-test's properties set. `held` are the defaults of
    that day, and `others` are the defaults of other periods.
    """

    as_of: date
    names: tuple[str, ...]
    held: StrategyDefaults
    others: tuple[StrategyDefaults, ...]

    @property
    def values(self) -> dict[str, Any]:
        """The default values in use, by argument."""
        return {name: getattr(self.held, name) for name in self.names}

    def other_days(self) -> list[date]:
        """Return one day for every other period whose defaults would change this back-test."""
        return [one.since or ((self.held.since or date.max) - timedelta(days=1)) for one in self._changing()]

    def _changing(self) -> list[StrategyDefaults]:
        """Return the defaults of other periods that would change this back-test."""
        return [one for one in self.others if any(getattr(one, n) != getattr(self.held, n) for n in self.names)]

    def notes(self) -> list[str]:
        """Return notes about the defaults for a report; empty if no other defaults would change this back-test."""
        days = self.other_days()
        if not days:
            return []
        names = ", ".join(f"{name} = {_text(value)}" for name, value in self.values.items())
        when = f"since about {self.held.since}" if self.held.since else f"before about {days[0]}"
        words = [f"strategy() does not set {names}: TradingView's default {when}"]
        for one, day in zip(self._changing(), days, strict=True):
            values = ", ".join(_text(getattr(one, name)) for name in self.names)
            words.append(f"{'since then' if one.since else 'before then'} {values} (on the command line --as-of {day})")
        changes = [one.since for one in (self.held, *self.others) if one.since]
        if any(abs(day - self.as_of) <= _UNSURE for day in changes):
            words.append(f"the date of the change is not certain, so either default may apply on {self.as_of}")
        return ["; ".join(words)]

    def report(self) -> dict[str, Any]:
        """Return JSON values: `as_of`, `since` (null for the first defaults of v6), and the values in use."""
        since = self.held.since
        return {
            "as_of": self.as_of.isoformat(),
            "since": None if since is None else since.isoformat(),
            "used": self.values,
        }


def defaults_of(program: Program, given: Mapping[str, Any] | None, as_of: date | None) -> Defaults:
    """Return the defaults that a back-test uses on the day `as_of` (default: `LANGUAGE_DATE`).

    `given` are the properties that replace arguments of the script's declaration statement.
    """
    day = as_of or date.fromisoformat(LANGUAGE_DATE)
    version = program.document.version or 1
    declaration = program.declaration
    arguments = declaration.call.arguments if declaration is not None else ()
    said = {argument.parameter for argument in arguments if argument.node is not None} | set(given or ())
    held = strategy_defaults(day, version)
    others = tuple(one for one in all_strategy_defaults(version) if one is not held)
    return Defaults(day, tuple(name for name in NAMES if name not in said), held, others)


def day_of(option: str, text: str | None) -> date | None:
    """Parse the date in an option, such as 2026-09-23; return None for None. Raises UsageError if it is not a date or
    is in the future."""
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} {text} is not a date", "expected, for example, 2026-09-23") from None
    if day > (datetime.now(UTC) + _EARLIEST_ZONE).date():
        raise UsageError(
            f"{option} {text} is in the future, so its defaults are not known",
            "expected today's date or an earlier one",
        )
    return day


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:,.10g}".replace(",", "")
