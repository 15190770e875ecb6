"""Lists every stop of a run at its breakpoints, without waiting, for user interfaces that step from one stop to the
next.

The debugger's engine finds the stops, so a debug session stops at the same bars and lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any, NamedTuple

from pinebench.debugger import stop_queries
from pinebench.debugger.engine import Breakpoint, DebugEngine, is_hits
from pinebench.debugger.script_process import Job, debug
from pinebench.errors import UsageError
from pinebench.market import load_named
from pinebench.workers.request import Request

MOST = 100_000
"""The largest number of stops, and of messages, that are listed; the first ones of the run are kept."""


class StopPlace(NamedTuple):
    """A stop at a breakpoint: the bar (from 0), and the line (from 1)."""

    bar: int
    line: int


class LogMessage(NamedTuple):
    """A message of a log point: its bar (from 0), its line (from 1) and its text."""

    bar: int
    line: int
    text: str


@dataclass(frozen=True)
class BreakpointStops:
    """The stops of a run, in the order of the run; successive stops on the same bar and line are listed once.

    `is_cut` says whether there are more stops or messages than listed. `moved` maps the line of each breakpoint to the
    line with code at which it stops, or to 0 if no code follows. For each breakpoint's line, `troubles` has the reason
    why the breakpoint cannot be used, and `faults` the reason why its condition could not be evaluated on a bar.
    `error` is the message of the error that stopped the script.
    """

    places: list[StopPlace]
    is_cut: bool
    moved: dict[int, int]
    troubles: dict[int, str] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    messages: list[LogMessage] = field(default_factory=list[LogMessage])
    error: str | None = None


class _Nobody:
    """A channel without an editor: it drops every message and always lets the run continue."""

    left = b""

    def __init__(self, began: _ListingEngine) -> None:
        self._began = began

    def send(self, message: dict[str, Any]) -> None:
        """Set the breakpoints when the lines with code are known. Drop all other messages."""
        if message.get("event") == "ready":
            self._began.place(message["lines"])

    def receive(self) -> dict[str, Any]:
        """Return the command to continue."""
        return {"command": "continue"}


class _ListingEngine(DebugEngine):
    """An engine that lists its stops at breakpoints instead of waiting at them."""

    def __init__(self, breakpoints: Sequence[Breakpoint]) -> None:
        super().__init__(_Nobody(self), stop_queries.answer, stop_queries.holds)  # type: ignore[arg-type]
        self._asked = breakpoints
        self.places: list[StopPlace] = []
        self.messages: list[LogMessage] = []
        self.is_cut = False
        self.moved: dict[int, int] = {}
        self.troubles: dict[int, str] = {}
        self.faults: dict[int, str] = {}

    def place(self, lines: list[int]) -> None:
        """Set the breakpoints on the lines with code."""
        wanted: list[dict[str, Any]] = []
        for number, one in enumerate(self._asked, 1):
            line = next((each for each in lines if each >= one.line), 0)
            self.moved[one.line] = line
            trouble = self._trouble(one, line) if line else ""
            if trouble:
                self.troubles[one.line] = trouble
            elif line:
                known = {"condition": one.condition, "hits": one.hits, "message": one.message}
                wanted.append({"line": line, "number": number, **known})
        self.want({"lines": wanted, "bars": [], "filters": []})

    def _trouble(self, one: Breakpoint, line: int) -> str:
        if one.hits and not is_hits(one.hits):
            return f"'{one.hits}' is not a hit condition, such as 5, >= 3 or % 10"
        return self.answers.check(one.condition, line) if one.condition else ""

    def logged(self, line: int, text: str) -> None:
        """Store a message of a log point, up to the limit."""
        if len(self.messages) < MOST:
            self.messages.append(LogMessage(self.index, line, text))
        else:
            self.is_cut = True

    def faulty(self, condition: str, why: str) -> None:
        """Store the first bar on which a condition could not be evaluated."""
        line = self.stop.frames[0][1] if self.stop is not None else 0
        for one in self._asked:
            if one.condition == condition and self.moved.get(one.line) == line:
                self.faults.setdefault(one.line, f"on bar {self.index}: {why}")

    def _poll(self, frame: FrameType) -> None:  # noqa: ARG002
        """Do nothing: there are no messages to read, and no copies of the process are needed."""
        self._next_poll = 1 << 62

    def _reached(self, reason: str, text: str, frames: list[tuple[FrameType, int]]) -> None:  # noqa: ARG002
        found = StopPlace(self.index, frames[0][1]) if frames else None
        if found is None or (self.places and self.places[-1] == found):
            return
        if len(self.places) >= MOST:
            self.is_cut = True
            self.want({"lines": [], "bars": [], "filters": []})
            self.arm()
            return
        self.places.append(found)


def listed(request: Request, breakpoints: Sequence[Breakpoint], bars: str | None = None) -> BreakpointStops:
    """Run the script, and list the stops of the breakpoints and the messages of the log points.

    It is called in a worker. If `bars` is given, `market.load_named` loads the bars of this name, and they replace the
    request's bars. Raises UsageError if the script or the bars cannot be used, or if the run takes too long.
    """
    if request.stop is not None:
        raise UsageError("the script ran too long to find the bars on which its breakpoints stop", "try fewer bars")
    if bars is not None:
        data = load_named(bars)
        request = replace(request, bars=data.bars, symbol=data.symbol)
    engine = _ListingEngine(breakpoints)
    result = debug(Job(request), engine)
    error = None if result.error is None else result.error.message
    found = engine.places, engine.is_cut, engine.moved, engine.troubles, engine.faults, engine.messages
    return BreakpointStops(*found, error)
