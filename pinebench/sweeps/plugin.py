"""The plugin that brings a request to each worker of Dask, and what a worker of this machine prepares when it starts.

Only processes that have Dask import this module.
"""

from __future__ import annotations

from typing import Any

from distributed import WorkerPlugin

from pinebench.execution import performing
from pinebench.execution.request import Request
from pinebench.execution.workers import shared


class Plugin(WorkerPlugin):
    """Holds a request in a worker. Workers that come later get it from the scheduler."""

    def __init__(self, name: str, request: Request) -> None:
        self.name = name
        self.request = request


def dask_setup(_: Any) -> None:
    """Start the process that runs scripts, and load meanwhile what its parent needs. Dask calls this function in a
    worker that starts with this module as its `preload`."""
    shared.warm()
    performing.load()
