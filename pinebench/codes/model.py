"""What the catalogue says about one code."""

from __future__ import annotations

from typing import NamedTuple

from pinebench.diagnostics import Severity

TRADINGVIEW = "tradingview"
"""The template is TradingView's own text, as recorded."""
OURS = "ours"
"""The template is our text, because TradingView's was never recorded or the code is ours."""


class Code(NamedTuple):
    """One entry of the catalogue.

    `template` is filled by `str.format_map` (literal braces are doubled); `why` says in a sentence or two why the rule
    exists and what to do; `bad` is a complete script that must be reported with this code, `good` its corrected twin
    that must be free of it; both are run by the tests. Of an opinion, `alias` is the name of its rule in plain words,
    and `default` says whether it is told unasked.
    """

    name: str
    severity: Severity
    template: str
    why: str
    bad: str
    good: str
    text: str = TRADINGVIEW
    alias: str = ""
    default: bool = True
