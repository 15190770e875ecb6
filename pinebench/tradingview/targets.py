"""The pages of a browser, and the rule that decides which of them may be driven. TradingView's charts are recognised by
a strict rule for their address. Local pages may be studios."""

from __future__ import annotations

import contextlib
import http.client
import math
import re
import socket
import threading
from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any
from urllib.parse import urlsplit

from pinebench import decoding
from pinebench.errors import UsageError
from pinebench.tradingview.errors import NoChart

LIST_TIMEOUT = 3.0
"""Seconds within which the browser must answer a question about its pages."""

LONGEST_ANSWER = 16_000_000
"""The largest size of an answer in bytes; a longer one cannot be a browser's list of pages."""

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)?tradingview\.com")
_CHART = re.compile(r"/chart(?:/|$)")
_SHELL = re.compile(r"/window/index\.html|TradingView\.app|tabbed-window", re.IGNORECASE)


class PageKind(Enum):
    """The kinds of pages that pinebench distinguishes. The value describes the kind to a person."""

    CHART = "a TradingView chart"
    LOOPBACK = "a local page (controlled only if it is a pinebench studio)"
    SITE = "a TradingView page without a chart"
    SHELL = "the frame of TradingView Desktop, not a chart"
    LOOK_ALIKE = "not TradingView, though its address looks like it"
    OTHER = "another page"


@dataclass(frozen=True, slots=True)
class Target:
    """One entry of the browser's list of pages."""

    id: str
    type: str
    title: str
    url: str

    @property
    def kind(self) -> PageKind:
        """The kind of the page, judged by its address."""
        return classify(self.url)

    @property
    def is_chart(self) -> bool:
        """Whether the page is a chart, on TradingView or in a studio, judged by its address."""
        return self.kind is PageKind.CHART or (
            self.kind is PageKind.LOOPBACK and bool(_CHART.match(urlsplit(self.url).path))
        )

    @property
    def chart_id(self) -> str | None:
        """The id of the saved layout in a chart's address, or None."""
        parts = urlsplit(self.url).path.split("/")
        return parts[2] if self.is_chart and len(parts) > 2 and parts[2] else None

    @property
    def address(self) -> str:
        """The address without its query and fragment."""
        return self.url.split("?")[0].split("#")[0]

    def may_be(self, other: Target) -> bool:
        """Return whether both addresses may be of one chart: on the same site, and not of two saved layouts. A page
        adds the layout to its address itself, some time after it was opened."""
        ids = {self.chart_id, other.chart_id} - {None}
        return urlsplit(self.url)[:2] == urlsplit(other.url)[:2] and len(ids) < 2

    def describe(self) -> str:
        """Return one line for a person: id, kind, and address without its query."""
        return plain(f"{self.id[:8]} {self.kind.value}: {self.address}", 160)


def classify(url: str) -> PageKind:
    """Return the kind of the page at `url`. The address of a chart has the scheme `https`, the host tradingview.com or
    a direct subdomain, the standard port, no user information, and a path that is `/chart` or starts with `/chart/`. An
    address that only looks similar is `LOOK_ALIKE`."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return PageKind.OTHER
    if parts.scheme in ("http", "https") and host in LOOPBACK:
        return PageKind.LOOPBACK
    if _HOST.fullmatch(host) and parts.scheme == "https" and port in (None, 443) and "@" not in parts.netloc:
        return PageKind.CHART if _CHART.match(parts.path) else PageKind.SITE
    if _SHELL.search(url):
        return PageKind.SHELL
    return PageKind.LOOK_ALIKE if "tradingview" in url.lower() else PageKind.OTHER


@contextlib.contextmanager
def time_limit(raw: socket.socket, seconds: float) -> Generator[None]:
    """Let the body use the socket `raw` for `seconds` in total; then shut it down and raise TimeoutError. The socket's
    own time limit starts again with every byte, so it would never end the wait for a peer that sends one byte each
    second."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        with contextlib.suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if not expired.is_set():
            raise
        raise TimeoutError("timed out") from error
    finally:
        timer.cancel()
        timer.join()
    if expired.is_set():  # the data may be incomplete
        raise TimeoutError("timed out")


def ask_browser(host: str, port: int, path: str, method: str = "GET", within: float = math.inf) -> Any:
    """Return the answer of the browser's HTTP endpoint for `path`, decoded if it is JSON, else as text. The request
    never uses a proxy. Raises OSError if no answer comes within `LIST_TIMEOUT` and `within` seconds, and ValueError if
    the answer does not come from a browser."""
    limit = min(LIST_TIMEOUT, within)
    connection = http.client.HTTPConnection(host, port, timeout=limit)
    try:
        connection.connect()
        with time_limit(connection.sock, limit):
            connection.request(method, path)
            answer = connection.getresponse()
            body = answer.read(LONGEST_ANSWER + 1)
    except http.client.HTTPException as error:
        raise ValueError(f"the program at {host}:{port} does not speak HTTP ({type(error).__name__})") from error
    finally:
        connection.close()
    if len(body) > LONGEST_ANSWER:
        raise ValueError(f"the program at {host}:{port} is not a browser's debug port: its answer does not end")
    text = body.decode("utf-8", "replace")
    if answer.status != 200:
        raise ValueError(f"{host}:{port} answered {path} with HTTP {answer.status}: {plain(text, 100)}")
    try:
        return decoding.loads(text)
    except decoding.MalformedDocument:
        return text


def plain(text: str, longest: int = 200) -> str:
    """Return `text` of unknown origin as one short line without control characters, which is safe to print on a
    terminal."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def list_targets(host: str, port: int, within: float = math.inf) -> list[Target]:
    """Return every page of the browser, the most recently used first, including pages embedded in other windows
    (`webview`). Raises OSError if nothing listens, or if no answer comes within `within` seconds, and ValueError if
    something other than a browser answers."""
    entries = ask_browser(host, port, "/json/list", within=within)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"the program at {host}:{port} is not a browser's debug port")
    targets = [
        Target(
            str(entry.get("id", "")), str(entry.get("type", "")), str(entry.get("title", "")), str(entry.get("url", ""))
        )
        for entry in entries
    ]
    return [target for target in targets if target.type in ("page", "webview") and target.id]


def version(host: str, port: int) -> dict[str, str]:
    """Return the browser's description of itself: `Browser`, `User-Agent`, `Protocol-Version`. Raises OSError if
    nothing listens, and ValueError if something other than a browser answers."""
    answer = ask_browser(host, port, "/json/version")
    if not isinstance(answer, dict) or "Browser" not in answer:
        raise ValueError(f"the program at {host}:{port} is not a browser's debug port")
    return {str(key): str(value) for key, value in answer.items()}


def candidates(targets: list[Target], wanted: str | None) -> list[Target]:
    """Return the pages that may be attached to, in order: only the one that `wanted` names, or charts and then local
    pages, which may be studios. `wanted` is a target's id, the start of an id, or part of its address or title. Raises
    UsageError if it names no page or several, and NoChart if there is no page that can be driven."""
    if wanted:
        return [_named(targets, wanted)]
    drivable = [target for kind in (PageKind.CHART, PageKind.LOOPBACK) for target in targets if target.kind is kind]
    if not drivable:
        raise NoChart(
            no_chart_message(targets),
            "open https://www.tradingview.com/chart/ in that browser, or run 'pinebench launch'",
        )
    return drivable


def no_chart_message(targets: list[Target]) -> str:
    """Return the message for a browser that answers but shows no chart. It lists the pages that are open instead."""
    shown = "; ".join(target.describe() for target in targets[:5]) or "no page at all"
    return f"the browser is reachable, but no chart is open in it (open: {shown})"


def _named(targets: list[Target], wanted: str) -> Target:
    """Return the one target that `wanted` names; an exact id has priority. Raises UsageError or NoChart."""
    needle = wanted.lower()
    exact = [target for target in targets if target.id.lower() == needle]
    found = exact or [
        target
        for target in targets
        if target.id.lower().startswith(needle) or needle in target.url.lower() or needle in target.title.lower()
    ]
    if len(found) == 1:
        target = found[0]
        if target.kind in (PageKind.CHART, PageKind.LOOPBACK):
            return target
        if exact and target.url in ("", "about:blank", ":"):
            raise NoChart(f"the page {target.id[:8]} is empty, or still loading", "open a chart in it")
        raise UsageError(
            f"target '{wanted}' is {target.kind.value}", "choose a chart; 'pinebench doctor' lists the pages"
        )
    listed = "; ".join(target.describe() for target in (found or targets)[:8]) or "none"
    problem = "matches several pages" if found else "is not open"
    raise UsageError(f"target '{wanted}' {problem} (pages: {listed})", "give the id of one")
