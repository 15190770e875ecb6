"""Checks every few seconds whether a chart can be reached."""

from __future__ import annotations

from pinebench.errors import UsageError
from pinebench.tui.bottom_lines import StyledWords

EVERY = 5.0
"""Seconds between two checks."""
_WITHIN = 1.0
_HERE = ("127.0.0.1", "localhost", "::1")


def look() -> StyledWords:
    """Return the status line's part about the chart. This reads the browser's list of pages, but does not connect to a
    page."""
    from pinebench.tradingview import endpoint
    from pinebench.tradingview.targets import PageKind, list_targets

    try:
        where = endpoint.resolve()
    except UsageError as error:
        return StyledWords(error.message, "error")
    if where.host not in _HERE:
        return StyledWords(f"chart on {where.host}: not checked", "quiet")
    try:
        pages = list_targets(where.host, where.port, _WITHIN)
    except OSError:
        return StyledWords("no chart", "quiet")
    except ValueError:
        return StyledWords(f"no browser at port {where.port}", "warning")
    charts = [page for page in pages if page.is_chart]
    if not charts:
        return StyledWords("browser without a chart", "warning")
    is_studio = charts[0].kind is PageKind.LOOPBACK
    return StyledWords("studio open" if is_studio else "TradingView open", "good")
