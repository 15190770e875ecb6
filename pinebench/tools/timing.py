"""Symbols, timeframes and dates as arguments; functions that switch a chart and restore it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator
from datetime import UTC, datetime

from pinebench.calendars.timeframes import meant
from pinebench.errors import PinebenchError, UsageError
from pinebench.tools.arguments import TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview.chart_results import SwitchResult
from pinebench.tradingview.page_internals import HARMLESS_DIALOGS

SYMBOL = TextArgument(
    "EXCHANGE:TICKER or a ticker", 200, pattern=r"[^\s\"'<>\\;]+( ?[-+*/] ?[^\s\"'<>\\;]+)*", example="NASDAQ:AAPL"
)
"""A symbol, or symbols joined by arithmetic operators."""

TIMEFRAME = TextArgument("15, 60, 4h, 1D, W or M", 20, pattern=r"(?i)\d{0,5} ?[a-z]*", example="1D")
"""A timeframe."""

READY_MS = 10_000
"""The longest wait in milliseconds for a chart to show other bars."""

COMPUTED_MS = 5_000
"""The longest wait in milliseconds for studies that are still being computed."""

_UNITS = {"": "", "m": "", "h": "h", "s": "S", "d": "D", "w": "W", "M": "M"}


def resolution(text: str) -> str:
    """Convert a timeframe to the chart's form: minutes as a bare number, so `4h` becomes 240. Raises UsageError if it
    is not a timeframe."""
    match = re.fullmatch(r"(\d*)([A-Za-z]?)", text.strip())
    unit = match[2] if match else ""
    known = _UNITS.get(unit if unit == "M" else unit.lower()) if match and text.strip() else None
    if match is None or known is None or (match[1] and int(match[1]) == 0) or not (match[1] or unit):
        own = meant(text.strip())
        if own:
            return own
        raise UsageError(f"timeframe cannot be {text[:20]}", "give a timeframe such as 15, 60, 4h, 1D, W or M")
    count = int(match[1] or 1)
    if known == "h":
        return str(count * 60)
    if known == "":
        return str(count)
    return f"{count if match[1] else 1}{known}"


def moment(name: str, text: str) -> float:
    """Convert a date in ISO 8601 (UTC if it has no zone), or unix seconds as text, to unix seconds.

    Raises UsageError if it is neither.
    """
    stripped = text.strip()
    if re.fullmatch(r"\d{9,11}(\.\d+)?", stripped):
        return float(stripped)
    try:
        found = datetime.fromisoformat(stripped)
    except ValueError:
        hint = "give, for example, 2024-01-31 or 2024-01-31T14:30"
        raise UsageError(f"{name} is not a date: {text[:40]}", hint) from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def switch(at: ToolContext, symbol: str | None, timeframe: str | None) -> SwitchResult:
    """Show a symbol, a timeframe or both. Return the symbol and timeframe of the chart afterwards, which may differ
    from the request."""
    wanted = None if timeframe is None else resolution(timeframe)
    request = {"symbol": symbol, "resolution": wanted, "limit": READY_MS}
    return at.act("switch_chart", request, timeout=READY_MS / 1000 + 5)


def show(at: ToolContext, symbol: str | None, timeframe: str | None) -> SwitchResult:
    """Show a symbol, a timeframe or both, and return the symbol and timeframe of the chart. Raises ToolRefused, and
    restores the chart, if it does not show them in time."""
    done = switch(at, symbol, timeframe)
    if done["ready"]:
        return done
    before = done["previous"]
    with contextlib.suppress(PinebenchError):
        switch(at, before["symbol"], before["resolution"])
    what = " ".join(part for part in (symbol, timeframe) if part)
    asked = next((dialog for dialog in done["dialogs"] if dialog["kind"] not in HARMLESS_DIALOGS), None)
    advice = "symbol_search finds symbols" if symbol else "give a timeframe such as 15, 60, 4h, 1D, W or M"
    if asked is not None:
        advice = "answer the page's dialog in the browser, then try again"
    raise ToolRefused(
        f"the chart does not show {what}: after {READY_MS / 1000:g} s {_standing(done)}"
        + (f"; the page asks {asked['text']!r}" if asked else ""),
        f"{advice}; the previous chart was requested again",
        chart_ready=False,
    )


def _standing(done: SwitchResult) -> str:
    """Describe the chart at the end of the wait. Its name alone says nothing about its bars."""
    named = f"{done['symbol']} {done['resolution']}"
    of = f", which belong to {done['bars_of']}" if done["bars_of"] else ""
    told = {
        "bars": f"it showed {named}, without bars",
        "symbol": f"it showed {named}",
        "resolution": f"it showed {named}",
        "old bars": f"it was named {named}, but still had the previous bars{of}",
        "loading": f"it was named {named}, but was still loading",
        "spacing": f"it was named {named}, but had bars of another timeframe",
    }
    return told.get(done["missing"] or "", f"the bars of {named} kept changing")


class KeptChart:
    """Whether the chart shows again what it showed before a `kept` block."""

    is_restored = True


@contextlib.contextmanager
def kept(at: ToolContext, *, is_optional: bool = False) -> Generator[KeptChart]:
    """Run the body of a `with` statement, which may switch the chart, and then restore the chart. The page is locked
    meanwhile, so that no other part of pinebench uses it.

    Raises ToolRefused if the chart cannot be restored. With `is_optional`, the yielded record and a note say so
    instead, so that the results of the body are not lost.
    """
    with at.connection.exclusive(at.context):
        before = at.read("chart_summary")
        chart = KeptChart()
        try:
            yield chart
        except BaseException:
            with contextlib.suppress(PinebenchError):
                _restore(at, before["symbol"], before["resolution"])
            raise
        try:
            _restore(at, before["symbol"], before["resolution"])
        except PinebenchError as error:
            if not is_optional:
                raise
            chart.is_restored = False
            at.connection.notify(f"{error.message}: {error.hint}" if error.hint else error.message)


def _restore(at: ToolContext, symbol: str | None, timeframe: str | None) -> None:
    from pinebench.context import Context

    # This also happens after a cancellation, because the chart belongs to the user.
    back = ToolContext(at.chart_browser, Context.within(READY_MS / 1000 + 5), at.target)
    now = back.read("chart_summary")
    if (now["symbol"], now["resolution"]) == (symbol, timeframe):
        return
    if not switch(back, symbol, timeframe)["ready"]:
        raise ToolRefused(
            f"the chart could not be restored to {symbol} {timeframe}",
            "set the symbol and the timeframe by hand",
            restored=False,
        )
