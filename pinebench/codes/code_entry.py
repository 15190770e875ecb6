"""The type of an entry in the catalogue of codes."""

from __future__ import annotations

from pinebench.diagnostics import Severity
from pinebench.records import NamedTuple

TRADINGVIEW = "tradingview"
"""Marks a template that is TradingView's own text, as recorded."""
OURS = "ours"
"""Marks a template that is our text, because TradingView's was never recorded, or because the code is ours."""
UNSEEN = " TradingView's manual says so. It was never recorded that its compiler refuses it, so this is a warning."
"""The end of a warning's reason if only the manual makes it an error."""


class Code(NamedTuple):
    """An entry of the catalogue.

    `template` is filled by `str.format_map`, so literal braces are doubled. `why` explains the rule and how to comply,
    in one or two sentences. `bad` is a complete script that must be reported with this code, and `good` is its
    corrected version; the tests run both. For an opinion, `alias` is the name of its rule, and `default` tells whether
    it is reported by default.
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
