"""The server's metrics for Prometheus: counts and states, without names of users, symbols or clients."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import anyio.to_thread
from prometheus_client import CollectorRegistry, Counter, Gauge, Info, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pinebench import __version__

PATH = "/metrics"
FILE = "metrics-token"
"""The file with the token for the metrics, in the state folder."""

Health = Callable[[], Mapping[str, Any]]
"""Returns the state of the engine; see `pinebench.context.Engine`."""


class Figures:
    """The metrics of one server. `health` returns the state of the engine; None if there is no engine. A reader must
    send `token` as `Authorization: Bearer TOKEN`; with None everybody may read."""

    def __init__(self, health: Health | None = None, token: str | None = None) -> None:
        self._registry = CollectorRegistry()
        self._token = token
        Info("pinebench", "The version of pinebench.", registry=self._registry).info({"version": __version__})
        self._requests = Counter(
            "pinebench_http_requests", "Answers by method, path and status.", ["method", "path", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._calls = Counter(
            "pinebench_tool_calls", "Calls of tools by name and result.", ["tool", "result"], registry=self._registry
        )
        self._streams = Gauge("pinebench_streams_open", "Streams of alerts that are open.", registry=self._registry)
        self._registry.register(_Engine(health))

    def answered(self, method: str, path: str, status: int) -> None:
        """Count an answer. `path` is one of the server's own paths, or `other`."""
        self._requests.labels(method, path, str(status)).inc()

    def called(self, tool: str, *, failed: bool) -> None:
        """Count a call of a tool that the server offers."""
        self._calls.labels(tool, "failed" if failed else "done").inc()

    def streaming(self, change: int) -> None:
        """Count a stream that was opened (1) or has ended (-1)."""
        self._streams.inc(change)

    async def endpoint(self, request: Request) -> Response:
        """Answer `GET /metrics` in Prometheus's text format, to readers with the token."""
        if not self._is_known(request):
            told = {"WWW-Authenticate": 'Bearer realm="pinebench metrics"'}
            return PlainTextResponse(f"send the token from the file {FILE} in the state folder\n", 401, told)
        # The engine may be asked in another process.
        text = await anyio.to_thread.run_sync(generate_latest, self._registry)
        return Response(text, media_type=None, headers={
            "Content-Type": CONTENT_TYPE_PLAIN_0_0_4, "Cache-Control": "no-store",
        })  # fmt: skip

    def _is_known(self, request: Request) -> bool:
        if self._token is None:
            return True
        given = request.headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        return scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), self._token.encode())


class _Engine:
    """The state of the engine as metrics, requested at each reading."""

    def __init__(self, health: Health | None) -> None:
        self._health = health

    def describe(self) -> Iterator[Metric]:
        """Yield no metrics before the first reading, because registering must not call the engine."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        if self._health is None:
            return
        found = self._health()
        feed, outbox = found["feed"], found["outbox"]
        gauges = {
            "up": ("Whether the engine is running.", found["problem"] is None),
            "feed_connected": ("Whether the feed is connected.", feed["connected"]),
            "feed_age_seconds": ("Seconds since the last message of the feed.", feed["age_seconds"]),
            "series": ("Series that the engine follows.", found["series"]),
            "alerts": ("Alerts that are waiting for their condition.", found["alerts"]),
            "orders_open": ("Paper orders that are open.", found["orders"]),
            "trading_halted": ("Whether the kill switch was pulled.", found["halted"]),
            "outbox_waiting": ("Deliveries that are waiting.", outbox["waiting"]),
            "outbox_failed": ("Deliveries that failed permanently in the last week.", outbox["failed"]),
            "outbox_oldest_seconds": (
                "Seconds for which the oldest delivery has been waiting.",
                outbox["oldest_seconds"],
            ),
        }
        for name, (words, value) in gauges.items():
            if value is not None:
                yield GaugeMetricFamily(f"pinebench_engine_{name}", words, float(value))
        counts = {
            "feed_connections": ("Number of times that the feed connected.", feed["connections"]),
            "feed_ignored": ("Messages of the feed that were not updates.", feed["ignored"]),
            "alerts_fired": ("Alerts that fired since the engine started.", found["fired"]),
        }
        for name, (words, value) in counts.items():
            yield CounterMetricFamily(f"pinebench_engine_{name}", words, float(value))
