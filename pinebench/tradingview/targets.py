"""Which of a browser's pages may be driven: TradingView's charts by a strict host rule, and studios by their marker."""

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
"""Seconds that the browser has to answer a question about its pages."""

LONGEST_ANSWER = 16_000_000
"""Bytes after which an answer is no browser's list of pages."""

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)?tradingview\.com")
_CHART = re.compile(r"/chart(?:/|$)")
_SHELL = re.compile(r"/window/index\.html|TradingView\.app|tabbed-window", re.IGNORECASE)


class Kind(Enum):
    """What a page is to pinebench; the value says it to a person."""

    CHART = "a TradingView chart"
    LOOPBACK = "a local page (driven only if it is a pinebench studio)"
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
    def kind(self) -> Kind:
        """What the page's address makes it."""
        return classify(self.url)

    @property
    def is_chart(self) -> bool:
        """Whether its address is that of a chart, TradingView's or a studio's."""
        return self.kind is Kind.CHART or (self.kind is Kind.LOOPBACK and bool(_CHART.match(urlsplit(self.url).path)))

    @property
    def chart_id(self) -> str | None:
        """The saved layout's id in a chart's address, or None."""
        parts = urlsplit(self.url).path.split("/")
        return parts[2] if self.is_chart and len(parts) > 2 and parts[2] else None

    def describe(self) -> str:
        """One line for a person: id, what it is, address without its query."""
        return plain(f"{self.id[:8]} {self.kind.value}: {self.url.split('?')[0]}", 160)


def classify(url: str) -> Kind:
    """What the page at `url` is.

    A chart is `https`, on tradingview.com or one name directly below it, on the standard port, without user
    information, with a path that is `/chart` or starts with `/chart/`. Everything that only looks so is refused.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return Kind.OTHER
    if parts.scheme in ("http", "https") and host in LOOPBACK:
        return Kind.LOOPBACK
    if _HOST.fullmatch(host) and parts.scheme == "https" and port in (None, 443) and "@" not in parts.netloc:
        return Kind.CHART if _CHART.match(parts.path) else Kind.SITE
    if _SHELL.search(url):
        return Kind.SHELL
    return Kind.LOOK_ALIKE if "tradingview" in url.lower() else Kind.OTHER


@contextlib.contextmanager
def time_limit(raw: socket.socket, seconds: float) -> Generator[None]:
    """Let the body use `raw` for `seconds` in all, then shut it down and raise TimeoutError.

    A socket's own time limit starts anew with every byte, so that one who sends a byte a second is waited for for ever.
    """
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
    if expired.is_set():  # what was read may be only a part
        raise TimeoutError("timed out")


def ask_browser(host: str, port: int, path: str, method: str = "GET", within: float = math.inf) -> Any:
    """What the browser's HTTP endpoint answers for `path`, decoded from JSON where it is JSON.

    Never goes through a proxy. Raises OSError when nobody answers within `LIST_TIMEOUT` and `within` seconds,
    ValueError when what answers is not a browser.
    """
    limit = min(LIST_TIMEOUT, within)
    connection = http.client.HTTPConnection(host, port, timeout=limit)
    try:
        connection.connect()
        with time_limit(connection.sock, limit):
            connection.request(method, path)
            answer = connection.getresponse()
            body = answer.read(LONGEST_ANSWER + 1)
    except http.client.HTTPException as error:
        raise ValueError(f"what listens at {host}:{port} does not speak HTTP ({type(error).__name__})") from error
    finally:
        connection.close()
    if len(body) > LONGEST_ANSWER:
        raise ValueError(f"what listens at {host}:{port} is not a browser's debug port: its answer has no end")
    text = body.decode("utf-8", "replace")
    if answer.status != 200:
        raise ValueError(f"{host}:{port} answered {path} with HTTP {answer.status}: {plain(text, 100)}")
    try:
        return decoding.loads(text)
    except decoding.Malformed:
        return text


def plain(text: str, longest: int = 200) -> str:
    """`text` from a stranger as one short line that does no harm on a terminal."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def list_targets(host: str, port: int, within: float = math.inf) -> list[Target]:
    """Every page of the browser, the most recently used first, also guests of other windows (`webview`).

    Raises OSError when nothing listens or answers `within` seconds, ValueError when something else than a browser does.
    """
    entries = ask_browser(host, port, "/json/list", within=within)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"what listens at {host}:{port} is not a browser's debug port")
    targets = [
        Target(
            str(entry.get("id", "")), str(entry.get("type", "")), str(entry.get("title", "")), str(entry.get("url", ""))
        )
        for entry in entries
    ]
    return [target for target in targets if target.type in ("page", "webview") and target.id]


def version(host: str, port: int) -> dict[str, str]:
    """What the browser says about itself: `Browser`, `User-Agent`, `Protocol-Version`.

    Raises OSError when nothing listens, ValueError when something else than a browser does.
    """
    answer = ask_browser(host, port, "/json/version")
    if not isinstance(answer, dict) or "Browser" not in answer:
        raise ValueError(f"what listens at {host}:{port} is not a browser's debug port")
    return {str(key): str(value) for key, value in answer.items()}


def candidates(targets: list[Target], wanted: str | None) -> list[Target]:
    """The pages worth attaching to, in order: what `wanted` names, else charts, then local pages that may be studios.

    `wanted` is a target's id or the start of one, or a piece of its address or title. Raises UsageError when it names
    none or several, NoChart when there is nothing to attach to.
    """
    if wanted:
        return [_named(targets, wanted)]
    drivable = [target for kind in (Kind.CHART, Kind.LOOPBACK) for target in targets if target.kind is kind]
    if not drivable:
        raise NoChart(
            no_chart_message(targets),
            "open https://www.tradingview.com/chart/ in that browser, or run 'pinebench launch'",
        )
    return drivable


def no_chart_message(targets: list[Target]) -> str:
    """The sentence that says that a browser answers but shows no chart, with what it shows instead."""
    shown = "; ".join(target.describe() for target in targets[:5]) or "no page at all"
    return f"the browser is reachable but no chart is open in it (open: {shown})"


def _named(targets: list[Target], wanted: str) -> Target:
    """The one target that `wanted` names; an exact id wins."""
    needle = wanted.lower()
    exact = [target for target in targets if target.id.lower() == needle]
    found = exact or [
        target
        for target in targets
        if target.id.lower().startswith(needle) or needle in target.url.lower() or needle in target.title.lower()
    ]
    if len(found) == 1:
        target = found[0]
        if target.kind in (Kind.CHART, Kind.LOOPBACK):
            return target
        if exact and target.url in ("", "about:blank", ":"):
            raise NoChart(f"the page {target.id[:8]} is empty, or still loading", "open a chart in it")
        raise UsageError(
            f"target '{wanted}' is {target.kind.value}", "choose a chart; 'pinebench doctor' lists the pages"
        )
    listed = "; ".join(target.describe() for target in (found or targets)[:8]) or "none"
    problem = "names several pages" if found else "is not open"
    raise UsageError(f"target '{wanted}' {problem} (pages: {listed})", "name one by its id")
