"""Finds the differences between our verdict on a script and another compiler's, and the few lines that show them."""

from __future__ import annotations

from pinebench.comparing.differences import Comparison, Difference, Side, compare, ours, theirs
from pinebench.comparing.reduce import INTERRUPTED, LIMIT, Reduced, reduce

__all__ = ["INTERRUPTED", "LIMIT", "Comparison", "Difference", "Reduced", "Side", "compare", "ours", "reduce", "theirs"]
