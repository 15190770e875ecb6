"""Reads the arguments of `launch`, and starts the process that runs the script."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pinebench import config, files
from pinebench.checker import Program, open_program
from pinebench.debugger.pipes import Channel
from pinebench.debugger.script_process import Job
from pinebench.diagnostics import Severity
from pinebench.errors import DoesNotCompile, UsageError
from pinebench.market import bar_choice
from pinebench.runtime import RequestSource
from pinebench.workers import worker_protocol
from pinebench.workers.jobs import request_of
from pinebench.workers.request import Request

_COUNT = 1000
"""The number of bars that are fetched or made by default."""
_SAMPLE = "sample:AAPL@60x1000"
"""The bars that are used without `data`."""
KNOWN: dict[str, tuple[type, ...]] = {
    "program": (str,),
    "data": (str, list),
    "inputs": (dict,),
    "symbolInfo": (str,),
    "timeframe": (str,),
    "bars": (int,),
    "live": (int,),
    "stopOnEntry": (bool,),
}
"""The arguments of `launch`, each with the kinds of its values."""


def job_of(arguments: Mapping[str, Any]) -> Job:
    """Return the job for the arguments of `launch`. Raises UsageError, DoesNotCompile, and the errors of reading
    bars."""
    return opened_job(arguments)[0]


def opened_job(arguments: Mapping[str, Any]) -> tuple[Job, Program]:
    """Return the job for the arguments of `launch`, and its checked script. Raises the errors of `job_of`."""
    for name, kinds in KNOWN.items():
        value = arguments.get(name)
        if value is not None and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            raise UsageError(f"launch: {name} has a value of the wrong type", f"expected {_words(kinds)}")
    for name, least in (("bars", 1), ("live", 0)):
        if arguments.get(name) is not None and arguments[name] < least:
            raise UsageError(f"launch: {name} is {arguments[name]}", f"it must be at least {least}")
    if not arguments.get("program"):
        raise UsageError("launch: program is missing", "it is the path of the script")
    path = arguments["program"]
    text = files.read_script(path).text
    program = open_program(text, config.library_folders(path, None))
    for found in program.diagnostics:
        if found.severity is Severity.ERROR:
            line = program.document.lines.position(found.span.start).line
            raise DoesNotCompile(f"{path}:{line}: {found.code} {found.message}", found.hint)
    data = arguments.get("data") or _SAMPLE
    names = bar_choice.names([data] if isinstance(data, str) else [str(each) for each in data])
    info = Path(arguments["symbolInfo"]) if arguments.get("symbolInfo") else None
    chart, named = bar_choice.choose(names, info, arguments.get("timeframe"), arguments.get("bars") or _COUNT)
    others = {name: RequestSource(each.bars, each.symbol) for name, each in named.items()}
    request: Request = request_of(
        program, chart.bars, chart.symbol, inputs=arguments.get("inputs") or {}, others=others, samples=True
    )
    return Job(request, max(arguments.get("live") or 0, 0), bool(arguments.get("stopOnEntry"))), program


def _words(kinds: tuple[type, ...]) -> str:
    words = {str: "a text", list: "a list of texts", dict: "an object", int: "a whole number", bool: "true or false"}
    return " or ".join(words[kind] for kind in kinds)


class Process:
    """The process that runs the script, and its copies for going back in time."""

    def __init__(self, job: Job) -> None:
        places = [place for place in sys.path if place]
        begin = f"import sys; sys.path[:] = {places!r}; from pinebench.debugger.script_process import begin; begin()"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", begin],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.channel = Channel(self._process.stdout.fileno(), self._process.stdin.fileno())
        self.number = self._process.pid
        """The id of the process that runs the script: this one, or a copy of it; 0 while another one is being woken."""
        worker_protocol.send(self._process.stdin.fileno(), pickle.dumps(job, pickle.HIGHEST_PROTOCOL))

    @property
    def is_alive(self) -> bool:
        """Whether the process that runs the script is still alive."""
        if self.number == self._process.pid:
            return self._process.poll() is None
        if not self.number:
            return True
        try:
            os.kill(self.number, 0)
        except OSError:
            return False
        return True

    def end(self) -> None:
        """End the process and its copies."""
        import signal

        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the pipes of a process that has ended. They must not be read afterwards."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
