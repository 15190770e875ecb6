"""TradingView's own check over HTTP as a compiler. It is used only on request. Requests run one at a time, and answers
are cached by content.

The service takes a source and answers with errors and warnings, without a login. Two formats of answers are supported.
The newer has codes and message templates with their values in `ctx`. The older has complete messages.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from pinebench import __version__, decoding, files
from pinebench.checker import read_script
from pinebench.codes.message_parser import read
from pinebench.compilers.http import HttpError, HttpReply, post
from pinebench.compilers.protocol import CompilerUnavailable, Verdict
from pinebench.diagnostics import Diagnostic, Severity, Span, TextPosition
from pinebench.errors import UsageError
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from pathlib import Path

    from pinebench.context import Context
    from pinebench.syntax import Snapshot

SERVICE = "https://pine-facade.tradingview.com/pine-facade"
URL_VARIABLE = "PINEBENCH_ONLINE_URL"
REFERER = "https://www.tradingview.com/"

REQUEST_SECONDS = 20.0
"""The longest wait for one answer."""
GAP_SECONDS = 0.5
"""The shortest time between two requests, to keep the load on the service low."""
BACK_OFF_SECONDS = (1.0, 2.0, 4.0)
"""The waits before the second, third and fourth attempt if the service is busy (429) or broken (5xx)."""
LONGEST_BACK_OFF_SECONDS = 30.0
"""The longest `Retry-After` that is waited for."""
CACHE_SECONDS = 3600.0
"""The lifetime of a cached answer. The service's compiler changes from time to time."""
UNCODED = "uncoded"
"""The code of a finding that the service reports without a code, with a message that is not in the catalogue."""

_LARGEST = 1_000_000
_one_request = threading.Lock()
_Json = dict[str, Any]


class OnlineCompiler:
    """Compiles with TradingView's HTTP check.

    `url` is the service's base address (default: the environment variable `PINEBENCH_ONLINE_URL`, or else TradingView's
    address). `cache` is a folder for answers, or None. `back_off` lists the waits in seconds between attempts. `gap` is
    the minimum time in seconds between two requests.
    """

    name = "online"

    def __init__(
        self,
        url: str | None = None,
        cache: Path | None = None,
        back_off: tuple[float, ...] = BACK_OFF_SECONDS,
        gap: float = GAP_SECONDS,
    ) -> None:
        self.url = _check_address(url or os.environ.get(URL_VARIABLE) or SERVICE)
        self._cache = cache
        self._back_off = back_off
        self._gap = gap
        self._last_request = 0.0
        self._answers: dict[str, _Json] = {}

    def reach(self, context: Context) -> None:
        """Do nothing: no request is sent until there is a script to check."""
        context.check()

    def compile(self, source: str, context: Context) -> Verdict:
        """Return the service's verdict on `source`. Raises CompilerUnavailable if it cannot be reached, stays busy, or
        answers in an unknown format."""
        started = time.perf_counter()
        key = hashlib.sha256(f"{self.url}\0{source}".encode("utf-8", "surrogatepass")).hexdigest()
        while not _one_request.acquire(timeout=0.1):
            context.check()
        try:
            context.check()
            answer = self._cached(key)
            cached = answer is not None
            if answer is None:
                answer = self._ask(source, context)
        finally:
            _one_request.release()
        ok, diagnostics = read_answer(answer, source)
        if not cached and answer.get("success") is True:
            # a refusal may be temporary, so only answers about the script are cached
            self._keep(key, answer)
        evidence = {"url": self.url, "cached": cached}
        return Verdict(ok, tuple(diagnostics), "online", time.perf_counter() - started, evidence)

    def _ask(self, source: str, context: Context) -> _Json:
        trouble = ""
        for wait in (0.0, *self._back_off):
            context.sleep(max(wait, self._last_request + self._gap - time.monotonic()))
            self._last_request = time.monotonic()
            reply = _post(self.url, source, context)
            if reply.status != 429 and reply.status < 500:
                return _decode(reply)
            trouble = "is busy (HTTP 429)" if reply.status == 429 else f"failed (HTTP {reply.status})"
            asked_wait = _seconds(reply.retry_after)
            if asked_wait > min(LONGEST_BACK_OFF_SECONDS, context.remaining()):
                break
            context.sleep(asked_wait)
        raise CompilerUnavailable(
            f"TradingView's check {trouble} after {len(self._back_off) + 1} tries",
            "wait a minute, or compile --with local",
        )

    def _cached(self, key: str) -> _Json | None:
        if key in self._answers:
            return self._answers[key]
        if self._cache is None:
            return None
        path = self._cache / f"{key}.json"
        try:
            if time.time() - path.stat().st_mtime > CACHE_SECONDS:
                return None
            answer = decoding.loads(files.read_bytes(path), {"success": bool})
            read_answer(answer, "")
        except (OSError, UsageError, ValueError, CompilerUnavailable):
            return None
        return answer

    def _keep(self, key: str, answer: _Json) -> None:
        self._answers[key] = answer
        if self._cache is None:
            return
        path = self._cache / f"{key}.json"
        # without a working cache, the next time only needs another request
        with contextlib.suppress(OSError, UsageError):
            self._cache.mkdir(parents=True, exist_ok=True)
            files.write_atomically(path, json.dumps(answer).encode(), private=True, durable=False)


def read_answer(answer: _Json, source: str) -> tuple[bool, list[Diagnostic]]:
    """Return whether the service accepts the script, and its findings with their positions in `source`. Raises
    CompilerUnavailable if `answer` has neither of the two known formats."""
    result, success = answer.get("result"), answer.get("success")
    reason = answer.get("reason") or answer.get("error")
    if isinstance(result, dict) and isinstance(success, bool):
        result = cast("_Json", result)
        findings: list[Diagnostic] = []
        places = _PositionFinder(source)
        for severity, keys in ((Severity.ERROR, ("errors", "errors2")), (Severity.WARNING, ("warnings", "warnings2"))):
            for key in keys:
                findings += _findings(result.get(key), severity, places)
        findings = list(dict.fromkeys(findings))
        findings.sort(key=lambda finding: (finding.span.start, finding.severity))
        accepted = all(finding.severity is not Severity.ERROR for finding in findings)
        if success or not accepted:
            return accepted, findings
    if success is False and isinstance(reason, str):
        return False, [Diagnostic(UNCODED, Severity.ERROR, reason, Span(0, 0), hint=_advice(reason))]
    raise _unknown("without a verdict")


def fill(template: str, values: object) -> str:
    """Replace each `{name}` in `template` with `values[name]`. A placeholder without a value stays unchanged."""
    if not isinstance(values, dict):
        return template
    known = cast("_Json", values)

    def value(match: re.Match[str]) -> str:
        found = known.get(match[1], known.get(match[1].removeprefix("ctx.")))
        if found is None:
            return match[0]
        return str(found).lower() if isinstance(found, bool) else str(found)

    return re.sub(r"\{([A-Za-z_][\w.]*)\}", value, template)


def _findings(entries: object, severity: Severity, places: _PositionFinder) -> list[Diagnostic]:
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise _unknown("with findings in an unknown form")
    findings: list[Diagnostic] = []
    for entry in cast("list[object]", entries):
        if not isinstance(entry, dict):
            raise _unknown("with findings in an unknown form")
        entry = cast("_Json", entry)
        template = entry.get("message")
        if not isinstance(template, str):
            raise _unknown("with a finding without a message")
        code = entry.get("code")
        message = fill(template, entry.get("ctx"))
        known, values = read(message) or (UNCODED, {})
        name = code if isinstance(code, str) and code else known
        span, reported = places.of(entry)
        kept = tuple(values.items()) if name == known else ()
        findings.append(Diagnostic(name, severity, message, span, reported, values=kept))
    return findings


class _PositionFinder:
    """Finds the positions of the service's findings in a script. The script is parsed only if a position needs it."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = LineIndex(source)

    @cached_property
    def _script(self) -> Snapshot:
        return read_script(self._source)

    def of(self, entry: _Json) -> tuple[Span, TextPosition | None]:
        """The span of `entry` in the text, and its reported position if that counts on a joined logical line."""
        start, end = _position(entry.get("start")), _position(entry.get("end"))
        if start is None:
            return Span(0, 0), None
        first, joined = self._offset(start)
        if end is None or end < start:
            return Span(first, first), start if joined else None
        # the service counts the end column inclusively
        last, _ = self._offset(TextPosition(end.line, end.column + 1))
        return Span(first, max(first, last)), start if joined else None

    def _offset(self, position: TextPosition) -> tuple[int, bool]:
        """The offset of `position`, and whether it counts on the joined line of a wrapped statement."""
        offset = self._lines.offset(position.line, position.column)
        if self._lines.position(offset) == position:
            return offset, False
        # a column after the end of its line counts along the joined line: search for the place with this position
        for candidate in range(offset, min(len(self._source), offset + 20_000)):
            place = self._script.tradingview_position(candidate)
            if place.line > position.line:
                break
            if place == position:
                return candidate, True
        return offset, False


def _position(value: object) -> TextPosition | None:
    if not isinstance(value, dict):
        return None
    place = cast("_Json", value)
    line, column = place.get("line"), place.get("column")
    # larger numbers, which no script has, would make the search slow
    if isinstance(line, int) and isinstance(column, int) and 1 <= line < _LARGEST and 0 <= column < _LARGEST:
        return TextPosition(line, max(column, 1))
    return None


def _post(url: str, source: str, context: Context) -> HttpReply:
    headers = {"Accept": "application/json", "Referer": REFERER, "User-Agent": f"pinebench/{__version__}"}
    try:
        return post(_endpoint(url), "source", source, headers, REQUEST_SECONDS, context)
    except HttpError as error:
        raise CompilerUnavailable(
            f"TradingView's check cannot be reached at {url}: {error}", "check the network, or compile --with local"
        ) from None


def _decode(reply: HttpReply) -> _Json:
    if reply.location is not None and 300 <= reply.status < 400:
        raise _unknown(f"with a redirection to {reply.location[:100]}, which is not followed", reply.status)
    if not reply.body.strip():
        raise _unknown("with nothing", reply.status)
    try:
        answer = decoding.loads(reply.body)
    except ValueError:
        page = reply.body.lstrip()[:1] == b"<"
        raise _unknown("with a web page" if page else "with something that is not JSON", reply.status) from None
    if not isinstance(answer, dict) or reply.status not in (200, 400):
        raise _unknown("without a verdict", reply.status)
    return cast("_Json", answer)


def _check_address(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise CompilerUnavailable(
            f"{URL_VARIABLE} is not an HTTP address: {url}", "unset it, or give http(s)://host/path"
        )
    return url.rstrip("/")


def _endpoint(url: str) -> str:
    return url if "translate_light" in url else f"{url}/translate_light?user_name=admin&v=3"


def _seconds(retry_after: str | None) -> float:
    try:
        return max(0.0, float(retry_after or 0))
    except ValueError:
        return 0.0


def _advice(reason: str) -> str | None:
    return "begin the script with //@version=6" if "version" in reason.lower() else None


def _unknown(answered: str, status: int = 200) -> CompilerUnavailable:
    return CompilerUnavailable(
        f"TradingView's check answered {answered} (HTTP {status})",
        "the service may have changed, or a proxy may interfere; until then compile --with local",
    )
