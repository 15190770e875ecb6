"""The plugin that sends a request to each worker of Dask, and the function that prepares new workers on this machine.

Only processes that have Dask import this module.
"""

from __future__ import annotations

from typing import Any

from distributed import WorkerPlugin

from pinebench.sweeps.combination_runs import make_ready
from pinebench.workers.request import Request


class Plugin(WorkerPlugin):
    """A plugin that holds a request in a worker. Workers that join later get it from the scheduler."""

    def __init__(self, name: str, request: Request) -> None:
        self.name = name
        self.request = request


def dask_setup(_: Any) -> None:
    """Prepare a new worker on this machine for runs. Dask calls this function if this module is its `preload`."""
    make_ready()
