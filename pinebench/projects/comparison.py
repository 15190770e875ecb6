"""Runs a script with its libraries, and then its bundle, on the same bars, and reports every difference, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pinebench.errors import PinebenchError
from pinebench.projects.bundle import Bundle
from pinebench.runtime import NotComputed, report
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import RunResult
from pinebench.workers.request import Request, Tier

_MOST = 12
"""The largest number of differences that are reported."""


def differences(request: Request, bundle: Bundle, tiers: tuple[Tier, ...] = ("python", "auto")) -> list[str]:
    """Return the first 12 differences between the runs of a script and its bundle in `tiers`, and how many more exist.

    A script that is refused or stopped must be refused or stopped in the same way.
    """
    found: list[str] = []
    for tier in tiers:
        before, after = (
            _behaviour(replace(request, tier=tier, source=text), bundle if bundled else None)
            for text, bundled in ((request.source, False), (bundle.text, True))
        )
        found += [f"{words} (run: {tier})" for words in _between(before, after)]
    return found if len(found) <= _MOST else [*found[:_MOST], f"and {len(found) - _MOST} more differences"]


def _behaviour(request: Request, made: Bundle | None) -> dict[str, Any]:
    """Return all visible results of a run, by name. `made` is the bundle to run; None for the script itself."""
    try:
        ran = execute(request)
    except (PinebenchError, NotComputed) as error:
        return {"the refusal": _refusal(str(error), made)}
    return dict(_parts(ran))


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
