"""Lists every place of a run at which breakpoints stop it, without stopping: for faces that go from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any, NamedTuple

from pinebench.debugger import asking
from pinebench.debugger.child import Job, debug
from pinebench.debugger.engine import Engine
from pinebench.errors import UsageError
from pinebench.execution.request import Request
from pinebench.market import load_named

MOST = 100_000
"""The number of first stops that are listed."""


class Place(NamedTuple):
    """A place at which a breakpoint stops the run: the bar, and the line (from 1)."""

    bar: int
    line: int


@dataclass(frozen=True)
class Listed:
    """The stops of a run, in its order; several stops in a row at one place are one. `is_cut` says that there are more.

    `moved` maps the line of each breakpoint to the line with code at which it stops, or to 0 if none follows.
    `troubles` says why a condition cannot be evaluated, by line. `error` is the message of the error that stopped the
    script.
    """

    places: list[Place]
    is_cut: bool
    moved: dict[int, int]
    troubles: dict[int, str] = field(default_factory=dict)
    error: str | None = None


class _Nobody:
    """A channel without another side: every message is dropped, and the run goes on at once."""

    left = b""

    def __init__(self, began: _Listing) -> None:
        self._began = began

    def send(self, message: dict[str, Any]) -> None:
        """Note the lines with code; drop everything else."""
        if message.get("event") == "ready":
            self._began.place(message["lines"])

    def receive(self) -> dict[str, Any]:
        """The command to go on."""
        return {"command": "continue"}


class _Listing(Engine):
    """An engine that notes where it would stop."""

    def __init__(self, asked: Sequence[tuple[int, str]]) -> None:
        super().__init__(_Nobody(self), asking.answer, asking.holds)  # type: ignore[arg-type]
        self._asked = asked
        self.places: list[Place] = []
        self.is_cut = False
        self.moved: dict[int, int] = {}
        self.troubles: dict[int, str] = {}

    def place(self, lines: list[int]) -> None:
        """Set the breakpoints on the lines with code."""
        wanted: list[dict[str, Any]] = []
        for number, (line, condition) in enumerate(self._asked, 1):
            moved = next((one for one in lines if one >= line), 0)
            self.moved[line] = moved
            trouble = self.answers.check(condition, moved) if condition and moved else ""
            if trouble:
                self.troubles[line] = trouble
            elif moved:
                wanted.append({"line": moved, "condition": condition, "number": number})
        self.want({"lines": wanted, "bars": [], "filters": []})

    def _poll(self, frame: FrameType) -> None:  # noqa: ARG002
        """Nobody sends messages, and no copies of the process are needed."""
        self._next_poll = 1 << 62

    def _reached(self, reason: str, text: str, frames: list[tuple[FrameType, int]]) -> None:  # noqa: ARG002
        found = Place(self.index, frames[0][1]) if frames else None
        if found is None or (self.places and self.places[-1] == found):
            return
        if len(self.places) >= MOST:
            self.is_cut = True
            self.want({"lines": [], "bars": [], "filters": []})
            self.arm()
            return
        self.places.append(found)


def listed(request: Request, breakpoints: Sequence[tuple[int, str]], bars: str | None = None) -> Listed:
    """Run the script, and list where the breakpoints stop it. Each has a line (from 1) and a condition or ''.

    It is called in a worker. `bars` is a name for `market.load_named`, in place of the request's bars. Raises
    UsageError if the script or the bars cannot be used, or if the run takes too long.
    """
    if request.stop is not None:
        raise UsageError("the script takes too long to look for breakpoints in it", "try fewer bars")
    if bars is not None:
        data = load_named(bars)
        request = replace(request, bars=data.bars, symbol=data.symbol)
    engine = _Listing(breakpoints)
    result = debug(Job(request), engine)
    error = None if result.error is None else result.error.message
    return Listed(engine.places, engine.is_cut, engine.moved, engine.troubles, error)
