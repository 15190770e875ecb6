"""Runs a script with its libraries, and then its bundle, on the same bars, and reports every difference, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pinebench.compiled import TieredRun, check_tier, run_on_tier
from pinebench.errors import PinebenchError, UnavailableError
from pinebench.projects.bundle import Bundle
from pinebench.runtime import NotComputed, report
from pinebench.workers.jobs import RunResult
from pinebench.workers.request import Request, Tier

_MOST = 12
"""The largest number of differences that are reported."""


class BundleComparison(NamedTuple):
    """The first 12 differences between the runs of a script and its bundle, and how many more exist. `account` says on
    how many bars and in which tiers both ran. `ran` is False if both were refused, so that nothing was compared."""

    differences: list[str]
    account: str
    ran: bool


def compared(request: Request, bundle: Bundle, tiers: tuple[Tier, ...] | None = None) -> BundleComparison:
    """Run a script and its bundle in `tiers` (default: Python, and machine code if it is installed), and compare them.

    A script that is refused or stopped must be refused or stopped in the same way.
    """
    found: list[str] = []
    accounts: dict[str, list[str]] = {}
    ran = True
    for tier in tiers or _installed():
        before, after = (_ran(replace(request, tier=tier, source=text)) for text in (request.source, bundle.text))
        found += [f"{words} (run: {tier})" for words in _between(_behaviour(before, None), _behaviour(after, bundle))]
        ran = ran and isinstance(before, TieredRun)
        accounts.setdefault(_account(before), []).append(_form(before, after))
    shown = found if len(found) <= _MOST else [*found[:_MOST], f"and {len(found) - _MOST} more differences"]
    told = (f"{words}{' and'.join(dict.fromkeys(forms))}" for words, forms in accounts.items())
    return BundleComparison(shown, "; ".join(told), ran)


def _installed() -> tuple[Tier, ...]:
    try:
        check_tier("compiled")
    except UnavailableError:
        return ("python",)
    return "python", "compiled"


_Ran = TieredRun | PinebenchError | NotComputed


def _ran(request: Request) -> _Ran:
    """Return the run, or the error that refused it."""
    try:
        return run_on_tier(request)
    except (PinebenchError, NotComputed) as error:
        return error


def _account(ran: _Ran) -> str:
    """Say what the comparison of a run is worth."""
    if not isinstance(ran, TieredRun):
        return f"neither of them runs here, so nothing was compared: {ran}"
    result = ran.ran.result
    if result.error is not None:
        stopped = f"both stop with the same error ({result.error.message})"
        return f"{stopped}; the results are the same on the {result.error.bar or 0} bars before it, bit for bit,"
    return f"the results are the same on {len(result.times)} bars, bit for bit,"


def _form(*runs: _Ran) -> str:
    """Say in which form two runs ran: in Python if one of them did."""
    if not all(isinstance(each, TieredRun) for each in runs):
        return ""
    compiled = all(isinstance(each, TieredRun) and each.tier == "compiled" for each in runs)
    return " as machine code" if compiled else " in Python"


def _behaviour(ran: _Ran, made: Bundle | None) -> dict[str, Any]:
    """Return all visible results of a run, by name. `made` is the bundle that ran; None for the script itself."""
    return dict(_parts(ran.ran)) if isinstance(ran, TieredRun) else {"the refusal": _refusal(str(ran), made)}


def _refusal(words: str, made: Bundle | None) -> str:
    return words if made is None else made.source_map.message(words, "")


def _parts(ran: RunResult) -> Iterator[tuple[str, Any]]:
    result = ran.result
    for number, output in enumerate(result.outputs, 1):
        name = f'{output.function} {number} "{output.title}"'
        yield f"{name}: settings", output.settings
        yield from ((f"{name}: {column}", values) for column, values in output.columns.items())
    told = report.report(result)
    yield "the times", told["times"]
    for name in ("alerts", "logs"):
        yield f"the {name}", [{key: value for key, value in each.items() if key != "line"} for each in told[name]]
    yield from ((f"the {kind} drawings", drawn) for kind, drawn in told["drawings"].items())
    yield "the notes", told["notes"]
    error = told["error"]
    yield "the error", error and {key: error[key] for key in ("code", "message", "bar")}
    if ran.tested is not None:
        for name in ("trades", "fills", "curve", "open_trades", "properties"):
            yield f"the {name}", getattr(ran.tested, name)


def _between(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for name in {**before, **after}:
        if name not in before:
            yield f"{name}: only the bundle has it"
        elif name not in after:
            yield f"{name}: the bundle does not have it"
        elif repr(before[name]) != repr(after[name]):
            yield f"{name}: {_first(before[name], after[name])}"


def _first(one: Any, other: Any) -> str:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for number, (each, its) in enumerate(zip(one, other, strict=False)):
            if repr(each) != repr(its):
                return f"number {number} is {_short(each)} in the sources and {_short(its)} in the bundle"
        return f"the sources have {len(one)}, and the bundle has {len(other)}"
    return f"{_short(one)} in the sources, {_short(other)} in the bundle"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
