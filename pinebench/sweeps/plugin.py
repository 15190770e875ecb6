"""The plugin that brings a request to each worker of Dask. Only processes that have Dask import this module."""

from __future__ import annotations

from distributed import WorkerPlugin

from pinebench.execution.request import Request


class Plugin(WorkerPlugin):
    """Holds a request in a worker. Workers that come later get it from the scheduler."""

    def __init__(self, name: str, request: Request) -> None:
        self.name = name
        self.request = request
