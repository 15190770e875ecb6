"""The plugin that brings a request to each worker of Dask, and the function that prepares a worker of this machine when
it starts.

Only processes that have Dask import this module.
"""

from __future__ import annotations

from typing import Any

from distributed import WorkerPlugin

from pinebench.sweeps.combination_runs import make_ready
from pinebench.workers.request import Request


class Plugin(WorkerPlugin):
    """Holds a request in a worker. Workers that come later get it from the scheduler."""

    def __init__(self, name: str, request: Request) -> None:
        self.name = name
        self.request = request


def dask_setup(_: Any) -> None:
    """Make a worker of this machine ready for runs; Dask calls this function if this module is its `preload`."""
    make_ready()
