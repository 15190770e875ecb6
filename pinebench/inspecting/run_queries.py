"""Answers requests about a run: values of names on bars, the bars on which they changed, and the calls that made or
changed drawings."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.errors import UsageError
from pinebench.inspecting.drawing_history import DrawingHistory, Pens
from pinebench.inspecting.frozen_values import FrozenValue, plain
from pinebench.inspecting.recorded_run import record
from pinebench.inspecting.run_recording import MEMORY, NOT_RUN, InspectedName, RunRecording
from pinebench.workers.request import Request

_SHOWN = 20
"""The number of last changes of a name that are shown."""
_MOST_DRAWINGS = 50
"""The number of last drawings that are shown."""


@dataclass(frozen=True)
class BarValue:
    """A value on a bar. `ran` says whether the code ran on that bar."""

    bar: int
    value: Any
    ran: bool = True

    def report(self) -> dict[str, Any]:
        """Return the value as JSON values."""
        count = self.value.left_out if isinstance(self.value, FrozenValue) else 0
        left_out = {"left_out": count} if count else {}
        return {"bar": self.bar, "value": plain(self.value) if self.ran else None, "ran": self.ran, **left_out}


@dataclass(frozen=True)
class InspectionAnswer:
    """The values of one name or call on the requested bars, and its last changes."""

    name: InspectedName
    values: list[BarValue]
    changes: list[BarValue] = field(default_factory=list)
    changed: int = 0
    """The number of changes of the value, its first value included."""

    def report(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        name = self.name
        told: dict[str, Any] = {
            "name": name.name,
            "line": name.line or None,
            "type": name.type,
            "mode": name.mode,
            "call": name.is_call,
            "function": name.function,
            "site": [{"line": site.line, "call": site.text} for site in name.site],
            "values": [each.report() for each in self.values],
        }
        if self.changed:
            told |= {"changed": self.changed, "changes": [each.report() for each in self.changes]}
        return told


@dataclass(frozen=True)
class Inspection:
    """The answers about a run. `first` is the first bar whose values are recorded, and `dropped` says which values were
    not recorded.

    `memory` is the approximate size of the values in bytes. `error` is the message of the error that stopped the
    script.
    """

    bars: int
    first: int
    times: dict[int, int]
    """The times of the bars that are named in the answers, in milliseconds UTC."""
    answers: list[InspectionAnswer]
    drawings: list[DrawingHistory]
    dropped: list[str]
    memory: int
    error: str | None = None

    def report(self) -> dict[str, Any]:
        """Return the inspection as JSON values."""
        return {
            "bars": self.bars,
            "first": self.first,
            "times": {str(bar): time for bar, time in self.times.items()},
            "names": [answer.report() for answer in self.answers],
            "drawings": [_drawing(each) for each in self.drawings],
            "dropped": self.dropped,
            "memory": self.memory,
            "error": self.error,
        }


def _drawing(written: DrawingHistory) -> dict[str, Any]:
    writes = [{"bar": one.bar, "what": one.what, "lines": list(one.lines)} for one in (written.made, *written.writes)]
    return {"kind": written.kind, "deleted": written.is_deleted, "changed": written.count, "writes": writes}


def inspect(
    request: Request,
    bars: Sequence[int] = (),
    names: Sequence[str] = (),
    *,
    calls: bool = False,
    changes: bool = False,
    drawings: bool = False,
    memory: int = MEMORY,
) -> Inspection:
    """Run the script, record the values of all its names, and return the requested ones.

    It is called in a worker.

    - `bars`: numbers of bars from 0; empty for the last bar.
    - `names`: the names to return, or the texts of calls; empty for all names.
    - `calls`: whether to return all calls too.
    - `changes`: whether to return the bars on which values changed.
    - `drawings`: whether to return the calls that made or changed the last drawings.
    - `memory`: the limit for the values in bytes.

    Raises UsageError for a name that the script does not have, and the errors of a run.
    """
    pens = Pens()
    more: dict[str, Any] = {"drawings": pens.make} if drawings else {}
    ran, recording = record(request, memory, **more)
    error = ran.result.error
    known = recording.names()
    wanted = [name for name in known if calls or not name.is_call] if not names else _named(known, names)
    asked = [bar for bar in bars if bar < recording.bars] if bars else [recording.bars - 1] * (recording.bars > 0)
    asked = [bar for bar in asked if bar >= recording.first]
    answers = [_answer(recording, name, asked, changes=changes) for name in wanted]
    written = pens.drawings.written if pens.drawings is not None else {}
    for drawing, one in written.items():
        one.is_deleted = drawing.deleted
    told = [*written.values()][-_MOST_DRAWINGS:]
    named = {one.bar for answer in answers for one in (*answer.values, *answer.changes)}
    named |= {write.bar for one in told for write in (one.made, *one.writes)}
    times = {bar: request.bars.time[bar] for bar in sorted(named)}
    said = None if error is None else error.message
    return Inspection(recording.bars, recording.first, times, answers, told, recording.dropped, recording.size, said)


def _named(known: list[InspectedName], names: Sequence[str]) -> list[InspectedName]:
    found: list[InspectedName] = []
    for name in names:
        asked = "".join(name.split())
        same = [each for each in known if "".join(each.name.split()) == asked]
        if not same:
            near = difflib.get_close_matches(name, [each.name for each in known], 1)
            hint = f"did you mean {near[0]}?" if near else "leave the names out to see all"
            raise UsageError(f"the script has no name '{name}' with recorded values", hint)
        found += same
    return found


def _answer(recording: RunRecording, name: InspectedName, bars: Sequence[int], *, changes: bool) -> InspectionAnswer:
    values = [_told(bar, recording.value(name, bar)) for bar in bars]
    if not changes:
        return InspectionAnswer(name, values)
    last: list[BarValue] = []
    count = 0
    for bar, value in recording.changes(name):
        count += 1
        last.append(_told(bar, value))
        del last[:-_SHOWN]
    return InspectionAnswer(name, values, last, count)


def _told(bar: int, value: Any) -> BarValue:
    return BarValue(bar, None, ran=False) if value is NOT_RUN else BarValue(bar, value)
