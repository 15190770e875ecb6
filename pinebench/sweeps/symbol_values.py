"""Computes the last values of a script on one symbol, on which the condition of a screen depends."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pinebench.compiled import TierChoice, keep_code, naming_own_versions, perform_on
from pinebench.config import cache_folder
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError, fault
from pinebench.runtime import shown
from pinebench.sweeps.combination_runs import plain_figures
from pinebench.sweeps.expressions import FunctionCall
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import own_version_notes
from pinebench.workers.request import Request

_COLUMNS = ("open", "high", "low", "close", "volume")


@dataclass(frozen=True)
class LastValues:
    """The values of the calls on the last bar, in the order of the calls (None if unknown), and a strategy's figures.
    `error` is the reason why there are no values, or None."""

    values: Sequence[float | None] = ()
    figures: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    error: str | None = None
    choice: TierChoice = field(default=TierChoice("python", ""), compare=False)
    """The tier that ran the script, and why."""
    notes: Sequence[str] = ()
    """Sentences about what the run assumed."""

    def plain(self) -> dict[str, Any]:
        """Return the values as JSON values."""
        return {"values": list(self.values), "figures": dict(self.figures), "error": self.error} | {
            "tier": self.choice.tier,
            "reason": self.choice.words(),
            "notes": list(self.notes),
        }


SHAPE: Any = {
    "values": [(float, None)],
    "figures": {str: (float, None)},
    "error": (str, None),
    "tier": str,
    "reason": str,
    "notes": [str],
}
"""The shape of `LastValues` as JSON values, for `decoding`."""


def looked_of(plain: Mapping[str, Any], calls: Sequence[FunctionCall]) -> LastValues:
    """Decode values from JSON of the shape `SHAPE`. Raises ValueError if the number of values differs from the number
    of calls, or for an unknown tier."""
    if plain["error"] is None and len(plain["values"]) != len(calls):
        raise ValueError(f"there are {len(plain['values'])} values instead of {len(calls)}")
    if plain["tier"] not in ("python", "compiled"):
        raise ValueError(f"the tier '{plain['tier'][:80]}' is not known")
    choice = TierChoice(plain["tier"], plain["reason"])
    return LastValues(plain["values"], plain["figures"], plain["error"], choice, plain["notes"])


def look(request: Request, calls: Sequence[FunctionCall], context: Context | None = None) -> LastValues:
    """Run the script of `request` in a worker, and return the values of the calls, or the failure in `error`.

    Raises the errors of `context.check`.
    """
    try:
        folder = os.path.join(cache_folder(), "compiled")
        keep_code(request, folder)
        return execute(request, partial(_last, calls=calls, cache=folder), context)
    except (CancelledError, DeadlineError):
        raise
    except PinebenchError as error:
        return LastValues(error=error.message)
    except Exception as error:  # whatever is wrong with one symbol, the others are screened
        return LastValues(error=fault(error).message)


def as_lists(calls: Iterable[FunctionCall]) -> list[list[Any]]:
    """Encode calls as JSON values."""
    return [[call.name, list(call.arguments)] for call in calls]


def calls_of(lists: Iterable[Sequence[Any]]) -> list[FunctionCall]:
    """Decode calls from JSON values."""
    return [FunctionCall(name, tuple(arguments)) for name, arguments in lists]


# in the worker


def _last(request: Request, calls: Sequence[FunctionCall], cache: str) -> LastValues:
    """Compute the values of the calls on the last bar. Raises PinebenchError for a run that fails."""
    tiered = perform_on(request, cache)
    ran = tiered.ran
    if ran.result.error is not None:
        stopped = ran.result.error
        raise PinebenchError(f"line {stopped.line}: {stopped.message}" if stopped.line else stopped.message)
    names = shown.unique([plot.title or f"Plot {number}" for number, plot in enumerate(ran.result.plots, 1)])
    plots = dict(zip(names, ran.result.plots, strict=True))
    columns: dict[str, Sequence[Any]] = {name: getattr(request.bars, name) for name in _COLUMNS}
    found: list[float | None] = []
    for call in calls:
        name = str(call.arguments[0])
        if name in plots:
            series: Sequence[Any] = plots[name].exported
        elif name in columns:
            series = columns[name]
        else:
            known = ", ".join(names) or "none"
            raise PinebenchError(f"there is no plot '{name}'; the script's plots: {known}")
        found.append(_value(call, series))
    named = own_version_notes(request.source, request.libraries)
    return LastValues(
        found,
        plain_figures(ran.figures),
        choice=naming_own_versions(tiered.choice, request),
        notes=[words for words in ran.result.notes if words not in named],
    )


def _value(call: FunctionCall, series: Sequence[Any]) -> float | None:
    """Return the value of a call on the last bar; None if it is na, or if there are too few bars."""
    bars = int(call.arguments[1]) if len(call.arguments) > 1 else 0
    least = {"last": 1, "ago": bars + 1, "change": bars + 1}.get(call.name, bars)
    if len(series) < least:
        return None
    if call.name in ("last", "ago"):
        values = [series[-1 - bars]]
    elif call.name == "change":
        values = [series[-1], series[-1 - bars]]
    else:
        values = list(series[-bars:])
    numbers = [float(value) if isinstance(value, int | float) else math.nan for value in values]
    if not all(map(math.isfinite, numbers)):
        return None
    match call.name:
        case "change":
            return numbers[0] - numbers[1]
        case "highest":
            return max(numbers)
        case "lowest":
            return min(numbers)
        case "mean":
            return math.fsum(numbers) / len(numbers)
        case _:
            return numbers[0]
