"""Calls tools: checks the arguments, locks a page that is changed, and adds `success` and messages to the result."""

from __future__ import annotations

import contextlib
import json
import logging
import math
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, cast

from pinebench.context import Context
from pinebench.errors import PinebenchError
from pinebench.tools import evidence, registry
from pinebench.tools.arguments import clipped
from pinebench.tools.chart_browser import ChartBrowser, Image, ToolContext
from pinebench.tools.pages import shortened
from pinebench.tools.registry import Tool
from pinebench.tools.tool_messages import result_for_models

_PRICES_MS = 5_000
"""The longest wait in milliseconds for a studio to name the source of its prices; after it, they count as made up."""

_log = logging.getLogger(__name__)


class ToolRefused(PinebenchError):
    """A tool refused or could not fulfil the request; `more` has extra keys for the result of the failed call."""

    def __init__(self, message: str, hint: str | None = None, **more: Any) -> None:
        super().__init__(message, hint)
        self.more = more


class ToolOutcome(NamedTuple):
    """The outcome of a call: its result with the key `success`, its pictures, and its error if it failed."""

    result: dict[str, Any]
    images: tuple[Image, ...] = ()
    error: Exception | None = None


def call(
    chart_browser: ChartBrowser,
    name: str,
    arguments: Mapping[str, object] | None = None,
    context: Context | None = None,
) -> dict[str, Any]:
    """Call a tool, and return its result as an object. Never raises: a failure is `{"success": false, "error",
    "hint"}`."""
    return answer(chart_browser, name, arguments, context).result


def answer(
    chart_browser: ChartBrowser,
    name: str | Tool,
    arguments: Mapping[str, object] | None = None,
    context: Context | None = None,
) -> ToolOutcome:
    """Call a tool like `call`, and also return the pictures and the error, which user interfaces show in their own way.
    `name` may also be a Tool, for example one that takes fewer arguments than the registered one."""
    chart_browser.notes()
    try:
        found = registry.find(name) if isinstance(name, str) else name
        result, images = _perform(chart_browser, found, dict(arguments or {}), context or Context())
    except PinebenchError as error:
        return ToolOutcome(failure(error, chart_browser.notes()), error=error)
    except Exception as error:  # whatever goes wrong with one call, the next must still be answered
        called = name if isinstance(name, str) else name.name
        _log.debug("%s failed", called, exc_info=error)
        words = f"internal error in {called[:80]}: {type(error).__name__}: {error}"
        return ToolOutcome(
            {"success": False, "error": words[:500], "hint": "please report it with the output of -vv"}, error=error
        )
    return ToolOutcome({"success": True, **result}, images)


def for_model(chart_browser: ChartBrowser, name: str, outcome: ToolOutcome, owner: str | None = None) -> dict[str, Any]:
    """Return the object of a call for a model: messages name tools instead of commands, and long parts are cut
    (`tools.pages`). Only `owner`, the user of the call, may read more of a long result."""
    return shortened(result_for_models(outcome.result), name, chart_browser.results, owner)


def failure(error: PinebenchError, notes: list[str] | None = None) -> dict[str, Any]:
    """Return the result object of a failed call; `notes` are messages of the call."""
    told: dict[str, Any] = {"success": False, "error": error.message}
    if error.hint:
        told["hint"] = error.hint
    if isinstance(error, ToolRefused):
        told.update(error.more)
    cause = error.message.removeprefix("CDP connection failed: ")
    # A note such as "waiting for a page" is left out: the call is over.
    others = [note for note in notes or () if not note.startswith(cause)]
    return {**told, "notes": others} if others else told


def perform(
    chart_browser: ChartBrowser, tool: Tool, arguments: dict[str, object], context: Context | None = None
) -> dict[str, Any]:
    """Call a tool from a program, and return its result without `success`. Raises PinebenchError if it fails."""
    chart_browser.notes()
    return _perform(chart_browser, tool, arguments, context or Context())[0]


def _perform(
    chart_browser: ChartBrowser, tool: Tool, given: dict[str, object], context: Context
) -> tuple[dict[str, Any], tuple[Image, ...]]:
    taken = tool.take(given)
    target = taken.pop("target", None) if tool.needs.page else None
    at = ToolContext(chart_browser, context, target)
    context.check()
    with _held(at, tool):
        result = cast("dict[str, Any]", tool.function(at, **taken))
    prices = page_prices(at, result) if tool.prices and tool.needs.page else at.prices
    result = _plain(result)
    if prices is not None:
        result[tool.prices_key] = prices
    symbols = {*at.symbols, *(each["symbol"] for each in at.evidence if each["symbol"])}
    if tool.tells_symbol and len(symbols) == 1:
        result["symbol"] = symbols.pop()
    if at.bars_read and tool.tells_bars:
        result["bars_read"] = at.bars_read
    if tool.prices and at.evidence:
        remarks = evidence.remarks(at.evidence, live=prices is None)
        result |= evidence.marks(at.evidence)
    else:
        remarks = []
    own = _own_versions(tool, taken, result)
    said = [*result.get("notes", []), *chart_browser.notes()]
    if notes := [*clipped(tool.arguments, given), *own, *remarks, *said]:
        result["notes"] = notes
    if tool.proof and result.get("verified") is True:
        result["verified_by"] = tool.proof
    marked = [key for key in tool.untrusted if result.get(key)]
    if marked:
        result["untrusted"] = marked
    return result, tuple(at.images)


def _own_versions(tool: Tool, taken: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """Return a note for each published library that pinebench replaced by its own version in the run, unless the result
    says so itself."""
    source = taken.get("source")
    if not tool.prices or not isinstance(source, str) or "import" not in source:
        return []
    from pinebench.workers.jobs import own_version_notes

    said = json.dumps(result, ensure_ascii=False)
    return [note for note in own_version_notes(source) if note not in said]


def page_prices(at: ToolContext, result: dict[str, Any]) -> str | None:
    """Return the source of the prices in a page's `result`; None for TradingView's page. For a studio it is `sample`,
    unless the studio says that every symbol of the result is charted from the user's own file.

    The call's own time limit does not count here: what the tool has done is done, and must not be told as a failure."""
    late = ToolContext(at.chart_browser, Context.within(2 * _PRICES_MS / 1000), at.target)
    if late.connection.origin(late.context) != "studio":
        return None
    symbols = [*at.symbols, *_symbols_in(result)]
    try:
        return late.read("studio_prices", {"symbols": symbols, "limit": _PRICES_MS})
    except PinebenchError:
        return "sample"


def _symbols_in(value: Any) -> list[str]:
    """Return the symbols that a result names at any depth. Rows that failed are left out, because they have no
    prices."""
    if isinstance(value, dict):
        row = cast("dict[str, Any]", value)
        if row.get("success") is False:
            return []
        own = [row["symbol"]] if isinstance(row.get("symbol"), str) else []
        return [*own, *(name for each in row.values() for name in _symbols_in(each))]
    return [name for each in cast("list[Any]", value) for name in _symbols_in(each)] if isinstance(value, list) else []


@contextlib.contextmanager
def _held(at: ToolContext, tool: Tool) -> Generator[None]:
    """Keep other calls from the page meanwhile: two clients may share it, and an answer must not be of a chart that
    another call shows for a while. A tool that changes the page also locks it against other processes."""
    if not tool.needs.page:
        yield
        return
    connection = at.connection
    with contextlib.ExitStack() as held:
        held.enter_context(connection.held(tool.name, at.context))
        if tool.changes:
            held.enter_context(connection.exclusive(at.context))
        yield


def _plain(value: Any) -> Any:
    """Return `value` with JSON types only; NaN and infinite numbers become null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in cast("list[Any]", value)]
    return value
