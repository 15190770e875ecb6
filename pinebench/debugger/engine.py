"""Stops a running script before statements, and goes back in time.

The generated code calls `DebugEngine.step` before each statement. Steps are counted. The same script on the same bars
takes the same steps, so a count is a position in the run. To go back, the engine keeps sleeping copies of its process
(`os.fork`): the copy before the wanted count wakes up and runs forward to it. So everything has its earlier state: the
script, the broker, the drawings, and the recorded values.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import signal
import sys
import time
from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any, NoReturn

from pinebench.debugger.pipes import Channel, PipeClosed
from pinebench.inspecting.run_recording import RunRecording
from pinebench.runtime import ExecutableCode, GeneratedModule, Runtime, RuntimeFault

MEMORY = 128 << 20
"""The memory limit for the recorded values in bytes."""
CAN_GO_BACK = hasattr(os, "fork")
_POLL = 512
"""The number of steps between two checks of the clock and of messages."""
_EACH = 0.06
"""The seconds of processor time between two copies of the process."""
_MOST_DEPTHS = 4096
"""The number of steps whose depth is passed to a copy when it wakes."""
_NEAR, _FARTHER = 4096, 8
"""The number of last steps that are examined first when stepping back, and the factor by which that number then grows.
Examining a step takes several times as long as running it."""
_MOST_COPIES = 12
_NEVER = 1 << 62
_EVENTS = ("order", "fill", "alert")
_PASSED = ("breakpoint", "function breakpoint", *_EVENTS)
"""The reasons for which a run does not stop on the way to a bar."""
"""Reasons to stop within a statement, or after a bar: the count is the one of the last step before."""
_HITS = re.compile(r"\s*(>=|<=|==|>|<|=|%)?\s*\d{1,9}\s*")


@dataclass
class Breakpoint:
    """A breakpoint on a line. It stops if the condition is true and the number of hits matches `hits`. With a
    `message`, it logs the message instead of stopping."""

    line: int
    condition: str = ""
    hits: str = ""
    message: str = ""
    number: int = 0


@dataclass
class StopTarget:
    """The conditions for the next stop: breakpoints by line, bars, and kinds of events."""

    lines: dict[int, list[Breakpoint]] = field(default_factory=dict)
    bars: set[int] = field(default_factory=set)
    filters: set[str] = field(default_factory=set)


@dataclass
class _Copy:
    """A sleeping copy of the process, with the step count at which it was made."""

    count: int
    number: int
    pipe: tuple[int, int]


@dataclass(frozen=True)
class DebugStop:
    """A stop: its reason, and the frames with their lines, the innermost first."""

    reason: str
    text: str
    frames: list[tuple[FrameType, int]]


class DebugEngine(RunRecording):
    """Runs a script step by step. `channel` connects to the adapter, and `answer(engine, command)` returns the body of
    the answer to a request at a stop. Commands that continue the run are handled here."""

    def __init__(
        self,
        channel: Channel,
        answer: Callable[[DebugEngine, dict[str, Any]], Any],
        holds: Callable[[DebugEngine, str], bool],
    ) -> None:
        super().__init__(MEMORY)
        self.steps = True
        self.channel = channel
        self.wanted = StopTarget()
        self.runtime: Runtime | None = None
        self.broker: Any = None
        """The broker of a strategy."""
        self.stop: DebugStop | None = None
        self.count = 0
        """The number of steps so far."""
        self.starts: array[int] = array("q")
        """The count of the first step of each run of a bar."""
        self.run_bars: array[int] = array("i")
        """The bar of each run."""
        self.hit: dict[int, int] = {}
        """The number of hits of each breakpoint, by its number."""
        self.answers: Any = None
        """The object that answers requests."""
        self._answer = answer
        self._holds = holds
        self._fresh = True
        self._goal = _NEVER
        self._goal_reason = ("step", "")
        self._mode = "run"
        self._depth = 0
        self._bar = 0
        """The first bar on which `bar` mode stops."""
        self._run = 0
        """The number of runs of bars after which `bar` mode stops."""
        self._copies: list[_Copy] = []
        self._next_poll = 0
        self._since = time.process_time()
        self._quiet = 0
        """The step count up to which output was already sent."""
        self._woke = 0
        """The step count at which this process was last woken."""
        self._logs = 0
        self._faulty: set[tuple[int, str]] = set()
        """The lines and conditions that could not be evaluated on a bar, and that were reported."""
        self._wanted_as_sent: dict[str, Any] = {"lines": [], "bars": [], "filters": []}
        self._scan: dict[str, Any] | None = None
        self._ahead: dict[str, Any] | None = None
        """The search that begins when the goal is reached."""
        self._found: tuple[int, str, str] | None = None
        self._depths: array[int] = array("i")
        """The depths of the steps from `_depths_from` on, as far as stepping back has examined them."""
        self._depths_from = 0
        self._attention = False
        self._lines: frozenset[int] = frozenset()

    def begin(self, code: ExecutableCode, generated: GeneratedModule) -> None:
        """Prepare for the first bar."""
        super().begin(code, generated)
        self.code = code
        self.generated = generated
        self._foreign = {f"f{each.number}" for each in code.module.functions if each.unit.foreign}

    @property
    def index(self) -> int:
        """The index of the current bar."""
        return max(self.runtime.execution.index, 0) if self.runtime is not None else 0

    # what the generated code calls

    def step(self, line: int) -> None:
        """Count a step, and stop if the run must stop before the statement on `line`."""
        self.count = count = self.count + 1
        if self._fresh:
            self._begin_run()
        if self._attention or line in self._lines or count >= self._next_poll:
            self._look(line, sys._getframe(1))

    def bar(self, i: int, values: tuple[Any, ...]) -> None:
        """Record the values at the end of a bar, and stop if an alert condition fired."""
        super().bar(i, values)
        self._fresh = True
        self._say_logs()
        if "alert" in self.wanted.filters and self.runtime is not None:
            for output in self.runtime.host.outputs.all:
                column = output.columns.get("condition") if output.function == "alertcondition" else None
                if column and column[-1]:
                    self.happened("alert", f"alertcondition on line {output.line}", output.line)

    def failed(self, fault: BaseException, traceback: TracebackType | None) -> None:
        """Stop at a script error if stopping at errors is enabled. The script's frames can still be read."""
        if "error" not in self.wanted.filters or not isinstance(fault, RuntimeFault):
            return
        frames: list[tuple[FrameType, int]] = []
        while traceback is not None:
            called = self._line_of(traceback.tb_frame, traceback.tb_lineno)
            if called and self._is_own(traceback.tb_frame):
                frames.insert(0, (traceback.tb_frame, called))
            traceback = traceback.tb_next
        self._reached("exception", str(fault), frames)

    def _say_logs(self) -> None:
        """Show the logs that the script wrote since the last call."""
        logs = self.runtime.host.logs if self.runtime is not None else []
        for log in logs[self._logs :]:
            self.output(f"[{log.level}] bar {log.bar}, line {log.line}: {log.message}")
        self._logs = len(logs)

    def finished(self) -> None:
        """Stop at the end of the run if that stop is enabled."""
        if "end" in self.wanted.filters:
            self._reached("end", "the run ended", [])

    def happened(self, event: str, text: str, line: int = 0) -> None:
        """Stop at an event (`order`, `fill` or `alert`) if such stops are enabled. `text` describes the event."""
        if event in self.wanted.filters:
            frames = self.frames(sys._getframe(1))
            if line and frames:
                frames[0] = (frames[0][0], line)
            self._reached(event, text, frames)

    # looking

    def _begin_run(self) -> None:
        self._fresh = False
        self.starts.append(self.count)
        self.run_bars.append(self.index)
        self._attention = self._attention or self.index in self.wanted.bars or self._mode in ("bar", "to")

    def arm(self) -> None:
        """Prepare the quick test in `step`, which decides whether the run may have to stop."""
        wanted = self.wanted.lines
        if self._mode == "goal":  # only hits are counted on the way
            wanted = {line: found for line, found in wanted.items() if any(one.hits for one in found)}
        self._lines = frozenset(wanted)
        self._attention = self._needs_all
        self._next_poll = min(self._next_poll, self._goal)

    @property
    def _needs_all(self) -> bool:
        """Whether every step must be checked."""
        if self._scan is not None:
            return self._scan["kind"] == "depth"
        return self._mode in ("in", "over", "out")

    def _look(self, line: int, frame: FrameType) -> None:
        count = self.count
        if count >= self._next_poll:
            self._poll(frame)
        if self._scan is not None:
            self._look_back(line, frame)
            return
        # A line that is stopped on for another reason is reached, too: hits are counted, and messages told.
        numbers = self._breakpoint(line, frame) if line in self._lines or count == self._goal else ""
        reason, text = self._goal_reason
        if count == self._goal and reason not in _EVENTS:
            self._reached(reason, text, self.frames(frame, line))
            return
        if self._mode == "goal":
            self._attention = False
            return
        is_start = self.starts[-1] == count
        is_over = self._mode == "in" or (self._mode in ("over", "out") and self.depth(frame) <= self._depth)
        is_later = self._mode in ("bar", "to") and len(self.starts) > self._run and self.index >= self._bar
        if is_over or (is_start and is_later):
            self._reached("step", "", self.frames(frame, line))
        elif is_start and self.index in self.wanted.bars:
            self._reached("function breakpoint", f"bar {self.index}", self.frames(frame, line))
        elif numbers:
            self._reached("breakpoint", numbers, self.frames(frame, line))
        self._attention = self._needs_all

    def _breakpoint(self, line: int, frame: FrameType) -> str:
        """Return the numbers of the breakpoints on this line that stop the run now, separated by commas."""
        found: list[str] = []
        for one in self.wanted.lines.get(line, ()):
            if one.condition:
                self.stop = DebugStop("", "", self.frames(frame, line))
                if not self._holds(self, one.condition):
                    continue
            self.hit[one.number] = self.hit.get(one.number, 0) + 1
            if one.hits and not _is_hit(one.hits, self.hit[one.number]):
                continue
            if one.message and (self.count <= self._quiet or self._scan is not None):
                continue  # it was told before
            if one.message:
                self.stop = DebugStop("", "", self.frames(frame, line))
                self.logged(line, self._answer(self, {"command": "message", "text": one.message}))
                continue
            found.append(str(one.number))
        return ",".join(found)

    def logged(self, line: int, text: str) -> None:  # noqa: ARG002
        """Show a message of the log point on `line`."""
        self.output(text)

    def faulty(self, condition: str, why: str) -> None:
        """Report, once for each line and condition, that the condition could not be evaluated and did not stop the
        run."""
        line = self.stop.frames[0][1] if self.stop is not None and self.stop.frames else 0
        if (line, condition) in self._faulty or (self._mode == "goal" and self.count != self._goal):
            return
        self._faulty.add((line, condition))
        self.output(f"line {line}: the condition '{condition}' could not be evaluated on bar {self.index}: {why}")

    def output(self, text: str) -> None:
        """Show `text` in the console, unless it was shown before the run went back in time."""
        if self.count > self._quiet and self._scan is None:
            self.channel.send({"event": "output", "text": f"{text}\n"})

    def frames(self, frame: FrameType | None, line: int = 0) -> list[tuple[FrameType, int]]:
        """Return the script's frames with their lines, the innermost first. `line` is the line of the innermost frame,
        or 0 to look it up."""
        found: list[tuple[FrameType, int]] = []
        while frame is not None:
            if self._is_own(frame):
                called = line or self._line_of(frame, frame.f_lineno)
                if called:
                    found.append((frame, called))
                    line = 0
                if frame.f_code.co_name == "bars":
                    break
            frame = frame.f_back
        return found

    def _is_own(self, frame: FrameType) -> bool:
        """Return whether a frame is code of the script itself, not of a library or a request."""
        file = frame.f_code.co_filename
        return file.startswith(("<pine>", "<pine form")) and frame.f_code.co_name not in self._foreign

    def _line_of(self, frame: FrameType, row: int) -> int:
        found = self.code.called(frame.f_code.co_filename, row, frame.f_code.co_name)
        if found is not None:
            return found.line
        return next(filter(None, self.generated.lines), 1) if frame.f_code.co_name == "bars" else 0

    def depth(self, frame: FrameType | None) -> int:
        """Return the number of the script's frames on the stack from `frame` outwards, including the global code."""
        depth = 0
        while frame is not None:
            if self._is_own(frame):
                depth += 1
                if frame.f_code.co_name == "bars":
                    break
            frame = frame.f_back
        return depth

    # stopping

    def _reached(self, reason: str, text: str, frames: list[tuple[FrameType, int]]) -> None:
        """Stop here, unless the run is only searching for a stop to go back to."""
        if self._scan is not None:
            if self._scan["kind"] == "breakpoint" and self.count < self._scan["end"]:
                self._found = (self.count, reason, text)
            return
        if self._mode == "to" and reason in _PASSED:
            return
        is_event = self._goal_reason[0] in _EVENTS
        if self._mode == "goal" and (self.count != self._goal or (is_event and (reason, text) != self._goal_reason)):
            return
        self.stop = DebugStop(reason, text, frames)
        self._goal, self._mode = _NEVER, "run"
        self.channel.send(
            {
                "event": "stopped",
                "reason": reason,
                "text": text,
                "bar": self.index,
                "line": frames[0][1] if frames else 0,
                "count": self.count,
            }
        )
        self._wait()
        self.stop = None
        self._since = time.process_time()
        self.arm()

    def wait(self) -> None:
        """Answer requests until the run may continue."""
        self._wait()
        self.arm()

    def _wait(self) -> None:
        while True:
            try:
                command = self.channel.receive()
            except PipeClosed:
                self.end()
            if self._go(command):
                return

    def _go(self, command: dict[str, Any]) -> bool:
        """Carry out a command; return whether the run continues."""
        word = command["command"]
        if word == "wanted":
            self.want(command)
        elif word == "end":
            self.end()
        elif word in ("continue", "in", "over", "out", "bar"):
            self._reply(command, {})
            depth = len(self.stop.frames) if self.stop is not None else 1
            self._mode = {"continue": "run"}.get(word, word)
            if word == "out" and depth <= 1:
                self._mode = "bar"  # nothing is outside of the global code, except the next bar
            self._depth = depth - 1 if word == "out" else depth
            self._run, self._bar = len(self.starts), 0
            return True
        elif word == "to":
            self._reply(command, {})
            self._mode, self._bar = "to", command["bar"]
            self._run = len(self.starts)
            return True
        elif word == "back":
            self._back(command)
        elif word == "pause":
            pass
        else:
            try:
                self._reply(command, self._answer(self, command))
            except Exception as error:
                said, hint = getattr(error, "message", None) or str(error), getattr(error, "hint", None)
                self.channel.send({"id": command.get("id"), "error": said, "hint": hint})
        return False

    def _reply(self, command: dict[str, Any], body: Any) -> None:
        if "id" in command:
            self.channel.send({"id": command["id"], "body": body})

    def want(self, command: dict[str, Any]) -> None:
        """Set the conditions for stops from the fields `lines` (breakpoints), `bars` and `filters` of `command`."""
        lines: dict[int, list[Breakpoint]] = {}
        for each in command["lines"]:
            one = Breakpoint(**each)
            lines.setdefault(one.line, []).append(one)
        self.wanted = StopTarget(lines, set(command["bars"]), set(command["filters"]))
        self._wanted_as_sent = command

    def stop_next(self) -> None:
        """Stop before the first statement."""
        self._goal, self._goal_reason, self._mode = self.count + 1, ("entry", ""), "goal"
        self.arm()

    def end(self) -> NoReturn:
        """End this process and all its copies."""
        for copy in self._copies:
            _kill(copy.number)
        os._exit(0)

    # copies of the process, and going back

    def _poll(self, frame: FrameType) -> None:
        """Check the clock and the messages from time to time."""
        self._plan_poll()
        is_far = not self._copies or time.process_time() - self._since > _EACH
        is_here = self._ahead is not None and self.count >= self._goal
        if CAN_GO_BACK and (is_far or is_here):
            self._leave_copy()
        # Not the same as above: a copy that was left here and woke has another goal.
        if self._ahead is not None and self.count >= self._goal:
            self._begin_scan(self._ahead)
        if self._scan is None and self._mode != "goal" and self.channel.has_message():
            try:
                command = self.channel.receive()
            except PipeClosed:
                self.end()
            if command["command"] == "pause":
                self._reached("pause", "", self.frames(frame))
            else:
                self._go(command)
                self.arm()

    def _plan_poll(self) -> None:
        self._next_poll = min(self.count + _POLL, self._goal if self._goal > self.count else _NEVER)

    def _begin_scan(self, scan: dict[str, Any]) -> None:
        """Search for a stop, from this step to the end of the search."""
        self._scan, self._ahead, self._mode = scan, None, "run"
        self._goal = scan["end"]
        self._depths_from, self._depths = self.count, array("i")
        self._plan_poll()
        self.arm()

    def _leave_copy(self) -> None:
        """Fork a copy of this process that sleeps at this step."""
        pipe = os.pipe()
        gc.freeze()
        number = os.fork()
        if not number:
            self._sleep(pipe)
            return
        self._copies.append(_Copy(self.count, number, pipe))
        if len(self._copies) > _MOST_COPIES:
            self._thin()
        self._since = time.process_time()

    def _thin(self) -> None:
        """End the least useful copy: the one that is close to its neighbours and far before the current step. The first
        copy stays."""
        copies = self._copies

        def value(place: int) -> float:
            gap = copies[place + 1].count - copies[place - 1].count
            return gap / (self.count - copies[place].count + 1)

        place = min(range(1, len(copies) - 1), key=value)
        copy = copies.pop(place)
        _kill(copy.number)
        for file in copy.pipe:
            os.close(file)

    def _sleep(self, pipe: tuple[int, int]) -> None:
        """Sleep in a copy of the process until it is woken with an order. Then continue, and leave another copy."""
        while True:
            told = b""
            while not told.endswith(b"\n"):
                part = os.read(pipe[0], 1 << 16)
                if not part:
                    os._exit(0)
                told += part
            number = os.fork()
            if number:
                break
        order = json.loads(told)
        self._copies = [_Copy(count, other, (r, w)) for count, other, r, w in order["copies"]]
        self._copies.append(_Copy(self.count, number, pipe))
        self.want(order["wanted"])
        self.channel.left = order["left"].encode()
        self._quiet = order["quiet"]
        self._since = time.process_time()
        self.channel.send({"event": "process", "number": os.getpid()})
        self._woke, self._found, self.stop = self.count, None, None
        self._scan, self._ahead = None, order.get("scan")
        self._depths_from, self._depths = order.get("from", self.count), array("i", order.get("depths", ()))
        self._goal_reason, self._mode = tuple(order["reason"]), "goal"
        self._goal = order["goal"]
        self._plan_poll()
        self.arm()

    def _wake(self, before: int, order: dict[str, Any]) -> NoReturn:
        """Wake the last copy at or before the step count `before`, and end this process."""
        counts = [copy.count for copy in self._copies]
        place = max(bisect_right(counts, before) - 1, 0)
        chosen, earlier = self._copies[place], self._copies[:place]
        for copy in self._copies[place + 1 :]:
            _kill(copy.number)
        order["copies"] = [(copy.count, copy.number, *copy.pipe) for copy in earlier]
        order["wanted"] = self._wanted_as_sent
        order["quiet"] = max(self._quiet, self.count)
        order["left"] = self.channel.left.decode()
        self.channel.send({"event": "process", "number": 0})  # none runs until the copy is awake
        os.write(chosen.pipe[1], json.dumps(order).encode() + b"\n")
        os._exit(0)

    def travel(self, count: int, reason: str, text: str = "") -> NoReturn:
        """Go back to the state after `count` steps. `reason` and `text` are for the event that reports the stop."""
        first = max(0, len(self._depths) - _MOST_DEPTHS)
        known = {"from": self._depths_from + first, "depths": self._depths[first:].tolist()}
        self._wake(count, {"goal": count, "reason": (reason, text), **known})

    def _back(self, command: dict[str, Any]) -> NoReturn:
        """Go back: a step, to the last breakpoint, to an earlier bar, or to the moment after a number of steps."""
        if not CAN_GO_BACK:
            raise RuntimeError("stepping back works only on Linux and macOS")
        self._reply(command, {})
        kind, first = command["kind"], self.starts[0] if self.starts else 1
        if kind == "count":
            self.travel(max(first, min(command["count"], self.count)), "goto")
        if kind == "bar":
            self.travel(self._start_before(command.get("bar")), "step")
        if self.count <= first:
            self.travel(first, "entry")
        depth = len(self.stop.frames) if self.stop is not None else 1
        known = self._known_before(depth) if kind == "depth" else None
        if known is not None:
            self.travel(known, "step")
        self._seek(kind, self.count, depth, _NEAR)

    def _known_before(self, depth: int) -> int | None:
        """Return the last step before this one that is not deeper than `depth`; None if the depths of these steps are
        unknown."""
        place = self.count - self._depths_from
        if place > len(self._depths):
            return None
        while place > 0:
            place -= 1
            if self._depths[place] <= depth:
                return self._depths_from + place
        return None

    def _start_before(self, bar: int | None) -> int:
        """Return the count of the first step of `bar`; without `bar`, of the bar run before the current one."""
        if bar is not None:
            place = bisect_right(self.run_bars, bar - 1)
            return self.starts[min(place, len(self.starts) - 1)]
        return self.starts[max(len(self.starts) - 2, 0)]

    def _seek(self, kind: str, end: int, depth: int, steps: int) -> NoReturn:
        """Search for the last stop before `end` in the part of the run that begins with the last copy before it. A
        search by depth covers only the last `steps` steps."""
        begin = end - steps if kind == "depth" else 0
        scan = {"kind": kind, "begin": begin, "end": end, "depth": depth, "steps": steps}
        self._wake(end - 1, {"scan": scan, "goal": begin, "reason": ("step", "")})

    def _look_back(self, line: int, frame: FrameType) -> None:
        """Store the current step if it is the last one so far that the search looks for."""
        scan = self._scan
        assert scan is not None
        if self.count >= scan["end"]:
            self._end_scan(scan)
        if scan["kind"] == "depth":
            depth = self.depth(frame)
            self._depths.append(depth)
            if depth <= scan["depth"]:
                self._found = (self.count, "step", "")
        elif self.starts[-1] == self.count and self.index in self.wanted.bars:
            self._found = (self.count, "function breakpoint", f"bar {self.index}")
        elif line in self._lines:
            numbers = self._breakpoint(line, frame)
            if numbers:
                self._found = (self.count, "breakpoint", numbers)
        self._attention = self._needs_all

    def _end_scan(self, scan: dict[str, Any]) -> NoReturn:
        """Go to the stop that was found, or search the part of the run before this one."""
        self._scan = None
        if self._found is not None:
            self.travel(*self._found)
        begin = max(self._woke, scan["begin"])
        if begin <= self._copies[0].count:
            self.travel(self.starts[0], "entry")
        self._seek(scan["kind"], begin, scan["depth"], scan["steps"] * _FARTHER)


def _kill(number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(number, signal.SIGKILL)


def is_hits(text: str) -> bool:
    """Return whether `text` is a hit condition, such as `5`, `>= 3` or `% 10`."""
    return _HITS.fullmatch(text) is not None


def _is_hit(wanted: str, count: int) -> bool:
    """Return whether a hit condition such as `5`, `>= 3` or `% 10` holds after `count` hits."""
    text = wanted.strip()
    for operator in (">=", "<=", "==", ">", "<", "=", "%"):
        if text.startswith(operator):
            number = int(text[len(operator) :])
            return {
                ">=": count >= number,
                "<=": count <= number,
                ">": count > number,
                "<": count < number,
                "%": number > 0 and count % number == 0,
            }.get(operator, count == number)
    return count == int(text)
