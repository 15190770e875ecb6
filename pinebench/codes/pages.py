"""Links to the pages of TradingView's manual about its codes."""

from __future__ import annotations

MANUAL = "https://www.tradingview.com/pine-script-docs/"
OWN_PAGE = frozenset({"CE10101", "CW10003"})
"""The codes that have a page of their own; the page about errors and warnings covers the others."""


def help_page(name: str) -> str | None:
    """Return the URL of TradingView's page about the code `name`; None for our own codes, which have no page there."""
    if name.startswith("PB"):
        return None
    return f"{MANUAL}errors/{name}/" if name in OWN_PAGE else f"{MANUAL}errors/overview/"
