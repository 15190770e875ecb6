"""Runs a script and records the values of its names."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

from pinebench.inspecting.run_recording import MEMORY, RunRecording
from pinebench.workers.jobs import RunResult, perform
from pinebench.workers.request import Request

_OBJECTS = 50_000
"""The number of new objects after which cyclic garbage is searched. The copies of a run stay until its end, so a search
after each 700 objects, as usual, takes as long as the run and finds nothing."""


def record(request: Request, memory: int = MEMORY, **observed: Any) -> tuple[RunResult, RunRecording]:
    """Run the script and record its values. `memory` is the limit for the values in bytes. `observed` holds further
    arguments for `perform`. Raises the errors of `perform`."""
    recording = RunRecording(memory)
    with _garbage_searched_rarely():
        ran = perform(request, recorder=recording, **observed)
        recording.end()
        return ran, recording


@contextlib.contextmanager
def _garbage_searched_rarely() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
