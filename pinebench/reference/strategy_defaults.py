"""The defaults of `strategy()` that depend on a date: TradingView changed them without a new version of Pine."""

from __future__ import annotations

from datetime import date

from pinebench import LANGUAGE_DATE
from pinebench.records import NamedTuple


class StrategyDefaults(NamedTuple):
    """The defaults of `strategy()` from the day `since` on.

    `since` is None for the defaults from the version's first day. The capital is in the account's currency. The size is
    in contracts, in currency or in percent, depending on its type.
    """

    since: date | None
    initial_capital: float
    default_qty_type: str
    default_qty_value: float


_FIRST = StrategyDefaults(None, 1_000_000.0, "fixed", 1.0)
_V6 = (_FIRST, StrategyDefaults(date(2026, 9, 24), 100_000.0, "percent_of_equity", 100.0))
"""The defaults of v6. The change was measured on TradingView around the day of `since`, in exports whose sizes reveal
capital, type and value. PyneCore 6.10.5 of 2026-10-02 follows it too. TradingView did not announce a day."""


def strategy_defaults(as_of: date | None = None, version: int = 6) -> StrategyDefaults:
    """Return the defaults of `strategy()` in a version of Pine on the day `as_of` (default: `LANGUAGE_DATE`)."""
    day = as_of or date.fromisoformat(LANGUAGE_DATE)
    return next(one for one in reversed(all_strategy_defaults(version)) if one.since is None or one.since <= day)


def all_strategy_defaults(version: int = 6) -> tuple[StrategyDefaults, ...]:
    """Return all defaults that `strategy()` has had in a version of Pine, oldest first."""
    return _V6 if version >= 6 else (_FIRST,)
