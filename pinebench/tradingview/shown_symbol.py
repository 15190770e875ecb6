"""Compares the symbol that the chart shows with the requested one."""

from __future__ import annotations

_BORROWED_PREFIXES = frozenset({"BATS", "CBOE", "CBOE_DLY"})
"""Exchanges whose feed TradingView shows instead of the requested exchange."""


def same_symbol(expected: str, shown: str) -> bool:
    """Return whether `shown` is the symbol `expected`, ignoring case. The exchanges may differ if only one symbol names
    an exchange, or if `shown` has an exchange whose feed TradingView shows instead of others, such as `BATS`."""
    wanted_prefix, _, wanted = expected.upper().strip().rpartition(":")
    shown_prefix, _, ticker = shown.upper().strip().rpartition(":")
    if wanted != ticker or not wanted:
        return False
    return not wanted_prefix or not shown_prefix or wanted_prefix == shown_prefix or shown_prefix in _BORROWED_PREFIXES
