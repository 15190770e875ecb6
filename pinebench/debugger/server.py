"""The debug adapter: answers an editor's requests, and controls the process that runs the script.

One thread reads the editor's messages, and another reads the process's messages. The thread that called `serve` handles
both, one message at a time.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import threading
import time
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from pinebench.checker import Program
from pinebench.debugger import arguments, debug_chart
from pinebench.debugger.debug_process import Process, opened_job
from pinebench.debugger.engine import CAN_GO_BACK, is_hits
from pinebench.debugger.pipes import PipeClosed
from pinebench.debugger.protocol import Stream
from pinebench.errors import PinebenchError, UsageError, fault, words_of
from pinebench.workers.request import Request

THREAD = 1
_WAIT = 60.0
"""The longest time in seconds to wait for an answer of the process at a stop."""
_LOOK = 1.0
"""The seconds after which the adapter checks whether a silent process is still alive."""
_FILTERS = (
    ("error", "Run-time errors", True),
    ("order", "Orders of the strategy", False),
    ("fill", "Fills of orders", False),
    ("alert", "Alerts", False),
    ("end", "The end of the bars", False),
)
_CHART_BARS, _CHART_SIZE = 150, (1000, 600)
"""The default number of bars and the default size in pixels of a chart."""
_HELP = """\
A Pine expression is evaluated in the frame. These commands move through the run:
  :next        to the next bar (or the next update of a live bar)
  :previous    to the previous bar
  :bar N|DATE  to the first statement of a bar; a time is ISO 8601, UTC
"""


_READS = frozenset(
    (
        *("breakpointLocations", "evaluate", "exceptionInfo", "pinebench/chart", "scopes", "stackTrace", "threads"),
        "variables",
    )
)
"""The requests that change nothing. An editor sends them by itself, or shows a refusal where the request was made."""


class RequestRefused(Exception):
    """Raised for a request that cannot be answered, with a message for the user."""


class RequestTooLate(RequestRefused):
    """Raised for a request that needs a stopped script while the script runs or after it has ended. An editor may send
    such a request before it knows this, so no message is shown."""


class DebugServer:
    """One debug session on a stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._came: queue.Queue[tuple[str | Process, Any]] = queue.Queue()
        self._process: Process | None = None
        self._follower: threading.Thread | None = None
        """The thread that reads the messages of the process."""
        self._asked = 0
        self._path = ""
        self._drawn: tuple[Program, Request] | None = None
        """The program and the request from which charts are drawn."""
        self._code: list[int] = []
        """The lines that have code."""
        self._breakpoints: list[dict[str, Any]] = []
        self._bars: list[int] = []
        self._filters: list[str] = ["error"]
        self._numbers = 0
        self._is_stopped = False
        self._is_configured = False
        self._stop: dict[str, Any] = {}
        self._first_line = 1
        self._is_over = False

    def serve(self) -> str:
        """Answer until the editor disconnects, and return the error in its messages, or an empty string."""
        threading.Thread(target=self._listen, name="editor", daemon=True).start()
        try:
            while not self._is_over:
                kind, message = self._next(None)
                if kind == "gone":
                    return message
                if kind == "editor":
                    self._request(message)
                else:
                    self._event(message)
        except OSError:
            pass  # The editor is gone.
        finally:
            self._end()
        return ""

    # messages

    def _listen(self) -> None:
        try:
            while (message := self._stream.read()) is not None:
                self._came.put(("editor", message))
            self._came.put(("gone", ""))
        except (ValueError, RecursionError) as error:
            why = f": {error}" if isinstance(error, ValueError) else ", because it is nested too deeply"
            self._came.put(("gone", f"the editor sent data that is not a protocol message{why}"))
        except OSError:
            self._came.put(("gone", ""))

    def _next(self, seconds: float | None) -> tuple[str, Any]:
        """Return the next message. Raises queue.Empty if none comes within `seconds` seconds. If the process was
        killed, its sleeping copies keep the pipe open. So this method also checks whether the process is alive."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            try:
                source, message = self._came.get(timeout=_LOOK)
                if isinstance(source, str):
                    return source, message
                if source is self._process:  # not one that was ended
                    return "process", message
            except queue.Empty:
                if self._process is not None and not self._process.is_alive and self._came.empty():
                    return "process", {"event": "gone"}
                if end is not None and time.monotonic() > end:
                    raise

    def _follow(self, process: Process) -> None:
        try:
            while True:
                self._came.put((process, process.channel.receive()))
        except (PipeClosed, OSError, ValueError):
            self._came.put((process, {"event": "gone"}))

    def _request(self, message: dict[str, Any]) -> None:
        if message.get("type") != "request":
            return
        command = str(message.get("command"))
        handler: Callable[[dict[str, Any]], Any] | None = getattr(self, f"_on_{_snake(command)}", None)
        answer: dict[str, Any] = {"type": "response", "request_seq": message.get("seq", 0), "command": command}
        after: Callable[[], None] | None = None
        try:
            if handler is None:
                raise RequestRefused(f"the request {command} is not supported")
            given = message.get("arguments")
            body = handler(arguments.checked(command, {} if given is None else given))
            if isinstance(body, tuple):
                body, after = body
            answer |= {"success": True, "body": body or {}}
        except (RequestRefused, PinebenchError) as error:
            said = words_of(error)
            is_shown = command not in _READS and not isinstance(error, RequestTooLate)
            answer |= {
                "success": False,
                "message": said,
                "body": {"error": {"id": 1, "format": said, "showUser": is_shown}},
            }
        except PipeClosed:
            answer |= {"success": False, "message": "the script has ended"}
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            answer |= {"success": False, "message": f"the arguments of {command} are wrong: {error}"}
        except (OSError, RecursionError, MemoryError) as error:
            answer |= {"success": False, "message": f"{command} failed: {error or type(error).__name__}"}
        except Exception as error:  # the session goes on
            answer |= {"success": False, "message": words_of(fault(error))}
        self._stream.write(answer)
        if after is not None:
            with contextlib.suppress(PipeClosed, RequestRefused):  # the end of the script is an event of its own
                after()

    def _say(self, event: str, **body: Any) -> None:
        self._stream.write({"type": "event", "event": event, "body": body})

    def _ask(self, command: str, **more: Any) -> Any:
        """Send a request to the process at a stop, and return the body of its answer. Raises RequestRefused."""
        process = self._running()
        self._asked += 1
        number = self._asked
        process.channel.send({"command": command, "id": number, **more})
        later: list[tuple[str, Any]] = []
        try:
            while True:
                kind, message = self._next(_WAIT)
                if kind == "process" and message.get("id") == number:
                    if "error" in message:
                        hint = f" ({message['hint']})" if message["hint"] else ""
                        raise RequestRefused(message["error"] + hint)
                    return message["body"]
                if kind == "process" and message.get("event") in ("gone", "ended", "refused"):
                    later.append((kind, message))
                    raise RequestTooLate("the script has ended")
                later.append((kind, message))
        except queue.Empty:
            raise RequestRefused("the script did not answer") from None
        except PipeClosed:
            raise RequestTooLate("the script has ended") from None
        finally:
            for kind, message in later:
                self._came.put((process if kind == "process" else kind, message))

    def _running(self) -> Process:
        if self._process is None:
            raise RequestTooLate("no script is being debugged")
        return self._process

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.end()
        if self._follower is not None:
            self._follower.join()
        self._process.close()
        self._process = self._follower = None

    # what the process says

    def _event(self, message: dict[str, Any]) -> None:
        match message.get("event"):
            case "stopped":
                self._stopped(message)
            case "process":
                if self._process is not None:
                    self._process.number = message["number"]
            case "output":
                self._say("output", category="console", output=message["text"])
            case "ended":
                if message["error"]:
                    self._say("output", category="stderr", output=f"{message['error']}\n")
                for note in message["notes"]:
                    self._say("output", category="console", output=f"note: {note}\n")
                self._say("pinebench/result", told=message["told"])
                self._terminate(1 if message["error"] else 0)
            case "refused":
                hint = f" ({message['hint']})" if message["hint"] else ""
                self._say("output", category="stderr", output=f"{message['message']}{hint}\n")
                self._terminate(1)
            case "gone":
                if self._process is not None:
                    self._say("output", category="stderr", output="the process that ran the script ended\n")
                    self._terminate(1)

    def _terminate(self, code: int) -> None:
        self._end()
        self._say("exited", exitCode=code)
        self._say("terminated")

    def _stopped(self, message: dict[str, Any]) -> None:
        self._is_stopped = True
        self._stop = message
        reason, text = message["reason"], message["text"]
        body: dict[str, Any] = {"threadId": THREAD, "allThreadsStopped": True, "reason": reason}
        if reason in ("order", "fill", "alert", "exception"):
            body |= {"reason": "exception", "description": reason if reason != "exception" else "run-time error"}
        if reason == "breakpoint":
            body["hitBreakpointIds"] = [int(number) for number in text.split(",")]
        elif reason == "end":
            body |= {"reason": "pause", "description": "the run ended"}
        elif text:
            body["text"] = text
        self._say("stopped", **body)
        self._say("pinebench/bar", bar=message["bar"], line=message["line"], count=message["count"])

    # requests

    def _on_initialize(self, given: dict[str, Any]) -> dict[str, Any]:
        self._first_line = 1 if given.get("linesStartAt1", True) else 0
        return {
            "supportsConfigurationDoneRequest": True,
            "supportsConditionalBreakpoints": True,
            "supportsHitConditionalBreakpoints": True,
            "supportsLogPoints": True,
            "supportsFunctionBreakpoints": True,
            "supportsEvaluateForHovers": True,
            "supportsStepBack": CAN_GO_BACK,
            "supportsTerminateRequest": True,
            "supportsBreakpointLocationsRequest": True,
            "supportsExceptionInfoRequest": True,
            "supportsRestartFrame": CAN_GO_BACK,
            "exceptionBreakpointFilters": [
                {"filter": name, "label": label, "default": default} for name, label, default in _FILTERS
            ],
        }

    def _on_launch(self, given: dict[str, Any]) -> tuple[dict[str, Any], Callable[[], None]]:
        if self._process is not None:
            raise RequestRefused("a script is already being debugged")
        job, program = opened_job(given)
        self._drawn = program, job.request
        self._path = os.path.abspath(str(given["program"]))
        self._process = process = Process(job)
        while True:
            try:
                message = process.channel.receive()
            except PipeClosed:
                self._end()
                raise RequestRefused("the process for the script did not start") from None
            if message.get("event") == "refused":
                self._end()
                raise UsageError(message["message"], message["hint"])
            if message.get("event") == "ready":
                break
        self._code, self._breakpoints, self._bars = message["lines"], [], []
        self._is_configured, self._stop = False, {}
        self._follower = threading.Thread(target=self._follow, args=(process,), name="process", daemon=True)
        self._follower.start()
        self._is_stopped = True
        return {}, lambda: self._say("initialized")

    def _on_attach(self, _given: dict[str, Any]) -> None:
        raise RequestRefused("the debugger cannot attach to a running script; use a launch configuration")

    def _on_configuration_done(self, _given: dict[str, Any]) -> None:
        if self._running() and self._is_configured:
            raise RequestRefused("the script has already started")
        self._send_wanted()
        self._is_configured = True
        self._go("continue")

    def _on_threads(self, _given: dict[str, Any]) -> dict[str, Any]:
        return {"threads": [{"id": THREAD, "name": os.path.basename(self._path) or "script"}]}

    def _on_set_breakpoints(self, given: dict[str, Any]) -> dict[str, Any]:
        path = given["source"].get("path") or ""
        if not self._path or os.path.abspath(path) != self._path:
            return {
                "breakpoints": [{"verified": False, "message": "this file is not part of the debugged script"}]
                * len(_list(given))
            }
        kept: list[dict[str, Any]] = []
        told = [self._breakpoint(each, kept) for each in _list(given)]
        # A check that is not answered refuses the request, and then all earlier breakpoints stay.
        self._breakpoints = kept
        self._send_wanted()
        return {"breakpoints": told}

    def _breakpoint(self, given: dict[str, Any], kept: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the answer for one breakpoint, and append a valid one to `kept`."""
        self._numbers += 1
        number = self._numbers
        asked = given["line"] + 1 - self._first_line
        place = bisect_left(self._code, asked)
        if place == len(self._code):
            return {"id": number, "verified": False, "message": "there is no code on this line or after it"}
        line = self._code[place]
        hits, condition = given.get("hitCondition") or "", given.get("condition") or ""
        problem = ""
        if hits and not is_hits(hits):
            problem = f"'{hits}' is not a hit condition, such as 5, >= 3 or % 10"
        elif condition and self._is_stopped:
            problem = self._ask("check", text=condition, line=line)["why"]
        if problem:
            return {"id": number, "verified": False, "line": self._shown(line), "message": problem}
        message = given.get("logMessage") or ""
        known = {"line": line, "condition": condition, "hits": hits, "message": message, "number": number}
        kept.append(known)
        return {"id": number, "verified": True, "line": self._shown(line)}

    def _shown(self, line: int) -> int:
        return line - 1 + self._first_line

    def _on_set_function_breakpoints(self, given: dict[str, Any]) -> dict[str, Any]:
        self._bars = []
        told: list[dict[str, Any]] = []
        for each in _list(given):
            self._numbers += 1
            text = str(each["name"]).strip()
            try:
                bar = self._ask("bar_of", text=text.removeprefix("bar").strip())["bar"]
            except RequestRefused as error:
                why = f"{error}; expected a bar or a time, such as 'bar 120' or '2024-03-01 14:30'"
                told.append({"id": self._numbers, "verified": False, "message": why})
                continue
            self._bars.append(bar)
            told.append({"id": self._numbers, "verified": True})
        self._send_wanted()
        return {"breakpoints": told}

    def _on_set_exception_breakpoints(self, given: dict[str, Any]) -> dict[str, Any]:
        known = [name for name, _, _ in _FILTERS]
        self._filters = [name for name in given.get("filters", []) if name in known]
        self._send_wanted()
        return {}

    def _send_wanted(self) -> None:
        if self._process is not None:
            wanted = {"lines": self._breakpoints, "bars": self._bars, "filters": self._filters}
            self._process.channel.send({"command": "wanted", **wanted})

    def _on_breakpoint_locations(self, given: dict[str, Any]) -> dict[str, Any]:
        first = given["line"] + 1 - self._first_line
        last = (given.get("endLine") or given["line"]) + 1 - self._first_line
        return {"breakpoints": [{"line": self._shown(line)} for line in self._code if first <= line <= last]}

    def _on_stack_trace(self, given: dict[str, Any]) -> dict[str, Any]:
        self._require_stop()
        source = {"name": os.path.basename(self._path), "path": self._path}
        frames = [
            {**frame, "line": self._shown(frame["line"]), "column": self._first_line, "source": source}
            for frame in self._ask("stack")["frames"]
        ]
        first = int(given.get("startFrame") or 0)
        count = int(given.get("levels") or len(frames))
        return {"stackFrames": frames[first : first + count], "totalFrames": len(frames)}

    def _on_scopes(self, given: dict[str, Any]) -> dict[str, Any]:
        self._require_stop()
        hints = {"Locals": {"presentationHint": "locals"}}
        scopes = [
            {
                "name": each["name"],
                "variablesReference": each["reference"],
                "namedVariables": each["count"],
                "expensive": each["name"] in ("Drawings", "Calls"),
                **hints.get(each["name"], {}),
            }
            for each in self._ask("scopes", frame=int(given["frameId"]))["scopes"]
        ]
        return {"scopes": scopes}

    def _on_variables(self, given: dict[str, Any]) -> dict[str, Any]:
        self._require_stop()
        more = {"start": int(given.get("start") or 0), "count": int(given.get("count") or 0)}
        found = self._ask("variables", reference=int(given["variablesReference"]), **more)["variables"]
        return {"variables": [_variable(each) for each in found]}

    def _on_evaluate(self, given: dict[str, Any]) -> Any:
        text, context = str(given["expression"]).strip(), given.get("context")
        if context == "repl" and text.startswith(":"):
            return self._console(text[1:].strip())
        self._require_stop()
        frame = given.get("frameId")
        found = self._ask("evaluate", text=text, frame=None if frame is None else int(frame))
        told = _variable(found)
        return {"result": told.pop("value"), **{name: each for name, each in told.items() if name != "name"}}

    def _console(self, text: str) -> Any:
        """Carry out a console command that moves through the run."""
        word, _, rest = text.partition(" ")
        self._require_stop()
        if word in ("next", "n"):
            return {"result": "", "variablesReference": 0}, lambda: self._go("bar")
        if word in ("previous", "p"):
            return {"result": "", "variablesReference": 0}, self._back(kind="bar")
        if word == "bar" and rest.strip():
            bar = self._ask("bar_of", text=rest.strip())["bar"]
            return {"result": "", "variablesReference": 0}, self._to_bar(bar)
        if word in ("help", "h", "?"):
            return {"result": _HELP, "variablesReference": 0}
        raise RequestRefused(f"there is no command ':{word}'; ':help' lists the commands")

    def _to_bar(self, bar: int) -> Callable[[], None]:
        """Check that the run can go to a bar, and return a function that starts it."""
        if bar > self._stop.get("bar", -1):
            return lambda: self._go("to", bar=bar)
        return self._back(kind="bar", bar=bar)

    def _back(self, **where: Any) -> Callable[[], None]:
        """Check that the run can go back, and return a function that starts it. Raises RequestRefused."""
        self._require_stop()
        if not CAN_GO_BACK:
            raise RequestRefused(
                "stepping back works only on Linux and macOS; restart the session and go forward to the bar"
            )
        return lambda: self._go("back", **where)

    def _on_exception_info(self, _given: dict[str, Any]) -> dict[str, Any]:
        reason = self._stop.get("reason", "")
        text = self._stop.get("text", "")
        return {
            "exceptionId": "run-time error" if reason == "exception" else reason,
            "description": text,
            "breakMode": "always",
        }

    # moving

    def _require_stop(self) -> None:
        if self._process is None:
            raise RequestTooLate("no script is being debugged")
        if not self._is_stopped or not self._is_configured:
            raise RequestTooLate("the script is running")

    def _go(self, command: str, **more: Any) -> None:
        process = self._running()
        self._is_stopped = False
        self._say("pinebench/running")
        process.channel.send({"command": command, **more})

    def _on_continue(self, _given: dict[str, Any]) -> tuple[dict[str, Any], Callable[[], None]]:
        self._require_stop()
        return {"allThreadsContinued": True}, lambda: self._go("continue")

    def _move(self, command: str) -> tuple[dict[str, Any], Callable[[], None]]:
        self._require_stop()
        return {}, lambda: self._go(command)

    def _on_next(self, _given: dict[str, Any]) -> Any:
        return self._move("over")

    def _on_step_in(self, _given: dict[str, Any]) -> Any:
        return self._move("in")

    def _on_step_out(self, _given: dict[str, Any]) -> Any:
        return self._move("out")

    def _on_step_back(self, _given: dict[str, Any]) -> Any:
        return {}, self._back(kind="depth")

    def _on_reverse_continue(self, _given: dict[str, Any]) -> Any:
        return {}, self._back(kind="breakpoint")

    def _on_restart_frame(self, _given: dict[str, Any]) -> Any:
        return {}, self._back(kind="bar", bar=self._stop.get("bar", 0))

    def _on_pinebench_next_bar(self, _given: dict[str, Any]) -> Any:
        return self._move("bar")

    def _on_pinebench_previous_bar(self, _given: dict[str, Any]) -> Any:
        return {}, self._back(kind="bar")

    def _on_pinebench_bar(self, given: dict[str, Any]) -> Any:
        self._require_stop()
        bar = self._ask("bar_of", text=str(given["bar"]))["bar"]
        return {}, self._to_bar(bar)

    def _on_pinebench_chart(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the chart up to the bar of this stop, as an SVG drawing."""
        self._require_stop()
        assert self._drawn is not None
        count = min(max(int(given.get("bars") or _CHART_BARS), 1), debug_chart.MOST_BARS)
        width, height = int(given.get("width") or _CHART_SIZE[0]), int(given.get("height") or _CHART_SIZE[1])
        look = {"width": width, "height": height, "theme": str(given.get("theme") or "light")}
        told = self._ask("chart", count=count)
        program, request = self._drawn
        svg = debug_chart.drawn(told, program, request.bars, request.symbol, look)
        return {"svg": svg, "first": told["first"], "bar": told["bar"], "where": told["where"]}

    def _on_pause(self, _given: dict[str, Any]) -> None:
        if not self._is_stopped:
            self._running().channel.send({"command": "pause"})

    def _on_terminate(self, _given: dict[str, Any]) -> tuple[dict[str, Any], Callable[[], None]]:
        return {}, lambda: self._terminate(0)

    def _on_disconnect(self, _given: dict[str, Any]) -> None:
        self._end()
        self._is_over = True


def _list(given: dict[str, Any]) -> list[dict[str, Any]]:
    return list(given.get("breakpoints") or [])


def _variable(found: dict[str, Any]) -> dict[str, Any]:
    told = {"name": found["name"], "value": found["value"], "variablesReference": found["reference"]}
    if found["type"]:
        told["type"] = found["type"]
    if found["count"] > 100:
        told["indexedVariables"] = found["count"]
    return told


def _snake(command: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", command).lower().replace("/", "_")
