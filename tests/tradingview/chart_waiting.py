"""Waits until the chart shows the requested symbol and timeframe; its data decide, not a fixed pause."""

import re
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pinebench.tradingview import page as pages
from pinebench.tradingview.connection import LOOK_TIMEOUT
from pinebench.tradingview.errors import CallTimeout, PageError
from pinebench.tradingview.page import Page
from pinebench.tradingview.shown_symbol import same_symbol

POLL = 0.2
"""Seconds between two looks at the chart."""

STABLE = 2
"""The number of looks in a row that must find the same bars as the look before."""

_STATE = Path(__file__).with_name("chart_state.js").read_text(encoding="utf-8")
_TIMEFRAME = re.compile(r"(\d*)([SDWM]?)")
_DAY = 86_400


def spacing_limits(timeframe: str) -> tuple[int, int] | None:
    """The smallest and largest number of seconds between neighbouring bars of `timeframe`; None for ranges and ticks.

    A number without a unit means minutes. Days, weeks and months have a tolerance for daylight saving time and for the
    length of months.
    """
    match = _TIMEFRAME.fullmatch(timeframe.upper().strip())
    if match is None or not timeframe.strip():
        return None
    count, unit = int(match[1] or 1), match[2]
    if unit == "":
        return count * 60, count * 60
    if unit == "S":
        return count, count
    if unit == "M":
        return count * 28 * _DAY - 7200, count * 31 * _DAY + 7200
    days = count * (7 if unit == "W" else 1)
    return days * _DAY - 7200, days * _DAY + 7200


def chart_state(page: Page) -> dict[str, Any]:
    """One look at the chart, by `chart_state.js`, which is a page function of the tests."""
    source = pages.source
    with patch.object(pages, "source", lambda name: _STATE if name == "chart_state" else source(name)):
        return page.call("chart_state", timeout=LOOK_TIMEOUT, read=True)


def not_ready(state: dict[str, Any], expected_symbol: str | None, expected_tf: str | None) -> str | None:
    """The reason why one look at the chart (`chart_state.js`) does not yet show the requested chart, or None."""
    if state["loading"]:
        return "a spinner is shown"
    if expected_symbol:
        matches = same_symbol(expected_symbol, state["symbol"]) if state["symbol"] else None
        if matches is False:
            return f"the chart shows {state['symbol']}"
    if not state["count"]:
        return "there are no bars"
    if expected_tf and not _timeframe_matches(state, expected_tf):
        return f"the bars do not have the timeframe {expected_tf}"
    return None


def _timeframe_matches(state: dict[str, Any], expected: str) -> bool:
    """Whether the bars have the timeframe `expected`. The distance between the bars decides, because the chart names a
    new timeframe before it has the bars."""
    limits = spacing_limits(expected)
    gaps = [after - before for before, after in zip(state["times"], state["times"][1:], strict=False) if after > before]
    if limits is None or not gaps:
        shown = state["resolution"]
        return shown is None or _bare(shown) == _bare(expected)
    return limits[0] <= min(gaps) <= limits[1]


def _bare(timeframe: str) -> str:
    """A timeframe's canonical form: `1D` and `D` are the same."""
    text = timeframe.upper().strip()
    return text[1:] if text in ("1D", "1W", "1M", "1S") else text


def fingerprint(state: dict[str, Any]) -> tuple[Any, ...]:
    """The values that must be equal in several looks in a row before the bars count as stable."""
    return (state["symbol"], state["resolution"], state["count"], state["last_index"], state["last_time"])


def wait_for_chart_ready(
    page: Page, expected_symbol: str | None = None, expected_tf: str | None = None, timeout_ms: int = 10_000
) -> bool:
    """Wait until the chart is loaded, shows the expected symbol and timeframe, and its bars are stable.

    A spinner, another symbol or another timeframe resets the count of stable looks. Returns False after `timeout_ms`.
    """
    end = time.monotonic() + timeout_ms / 1000
    seen: tuple[Any, ...] | None = None
    stable = 0
    while True:
        try:
            state = chart_state(page)
            trouble = not_ready(state, expected_symbol, expected_tf)
        except (PageError, CallTimeout):  # the chart is being torn down or drawn
            state, trouble = None, "the chart cannot be read"
        if trouble is None and state is not None:
            now = fingerprint(state)
            stable = stable + 1 if now == seen else 0
            seen = now
            if stable >= STABLE:
                return True
        else:
            stable, seen = 0, None
        if time.monotonic() >= end:
            return False
        time.sleep(POLL)
