"""Finds the differences between pinebench's and another compiler's verdicts on a script, and the lines that cause
them."""

from pinebench.cli.compare.differences import Side, VerdictComparison, VerdictDifference, compare, ours, theirs
from pinebench.cli.compare.reduce import INTERRUPTED, LIMIT, ReducedScript, reduce

__all__ = [
    "INTERRUPTED",
    "LIMIT",
    "ReducedScript",
    "Side",
    "VerdictComparison",
    "VerdictDifference",
    "compare",
    "ours",
    "reduce",
    "theirs",
]
