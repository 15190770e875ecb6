"""The tools for charts, alerts and paper orders for the studio's own page, and the stream of alerts that fired."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import cast

from pinebench.context import Context, Engine
from pinebench.studio.web import BadRequest, Response, Routes, StudioRequest, json_response

OWNER = "owner"
"""The user of the studio, who is the owner of its engine."""

_GROUP = "trading"
_CHARTS = ("generate_chart", "list_indicators", "get_indicators")
_LARGEST = 300_000
_SECONDS = 120.0
_KEEPALIVE_SECONDS = 20.0


class EngineTools:
    """The tools of the trading engine and of charts. Only the owner of the studio may call them.

    Without an `engine`, charts work and the other tools say how to start one.
    """

    def __init__(self, engine: Engine | None) -> None:
        self._engine = engine

    def add_to(self, routes: Routes) -> None:
        """Add the routes for these tools to `routes`."""
        routes.add("POST", "/studio/api/tools/([a-z_]{1,40})", self._call, largest=_LARGEST)
        routes.add("GET", "/studio/api/alerts/fired", self._stream)

    def _call(self, request: StudioRequest) -> Response:
        """Call a tool. The answer is its object with `success`, or its error and what to do."""
        from pinebench.tools import registry
        from pinebench.tools.chart_browser import ChartBrowser
        from pinebench.tools.tool_calls import call

        name = request.groups[0]
        known = registry.tools().get(name)
        if known is None or (known.group != _GROUP and name not in _CHARTS):
            return json_response({"error": "no such tool"}, 404)
        given = request.json()
        if not isinstance(given, dict):
            raise BadRequest("expected the arguments of the tool as an object")
        arguments = cast("dict[str, object]", given)
        context = Context(time.monotonic() + _SECONDS, engine=self._engine, subject=OWNER)
        return json_response(call(ChartBrowser(), name, arguments, context))

    def _stream(self, _: StudioRequest) -> Response:
        """The alerts of the owner as they fire, as server-sent events."""
        headers = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
        return Response(200, b"", "text/event-stream; charset=utf-8", headers, self._events)

    async def _events(self) -> AsyncIterator[str]:
        yield ": connected\n\n"
        if self._engine is None:
            return
        waiting: asyncio.Queue[str | None] = asyncio.Queue()

        async def read(engine: Engine) -> None:
            async for number, told in engine.pushing.stream(OWNER):
                waiting.put_nowait(f"id: {number}\nevent: message\ndata: {json.dumps(told)}\n\n")
            waiting.put_nowait(None)

        reading = asyncio.create_task(read(self._engine))
        try:
            while True:
                try:
                    async with asyncio.timeout(_KEEPALIVE_SECONDS):
                        event = await waiting.get()
                except TimeoutError:
                    event = ": keepalive\n\n"
                if event is None:
                    return
                yield event
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
