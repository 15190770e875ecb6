"""Finds the known name that somebody meant, first by meaning and then by spelling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from pinebench.errors import UnknownName

ValueT = TypeVar("ValueT")

_SAME_MEANING: tuple[str, ...] = (
    "symbol ticker tickerid instrument pair asset market",
    "prefix exchange venue broker",
    "mintick tick tick_size ticksize price_step min_move",
    "pointvalue point_value multiplier contract_size contract_value",
    "mincontract lot lot_size min_quantity min_qty smallest_quantity",
    "timezone tz time_zone zone",
    "timeframe interval resolution period bar_size granularity",
    "session hours trading_hours market_hours",
    "currency quote_currency quote",
    "type kind class asset_class",
    "trades closed_trades trade_count number_of_trades total_trades",
    "percent_profitable win_rate winrate hit_rate winning_percent",
    "net_profit profit pnl return net_pnl total_profit",
    "net_profit_percent return_percent roi total_return performance",
    "max_drawdown drawdown mdd largest_loss_from_peak",
    "max_drawdown_percent drawdown_percent mdd_percent",
    "profit_factor pf gain_to_loss",
    "sharpe_ratio sharpe",
    "sortino_ratio sortino",
    "average_trade expectancy mean_trade",
    "final_equity equity ending_balance balance",
    "initial_capital capital starting_balance deposit",
    "commission_paid commissions fees costs",
    "buy_and_hold hold benchmark",
    "alerts signals notifications",
    "labels marks texts",
    "no_repaint repaint repainting",
    "source code script pine pine_script script_text text",
    "bars bar_count candles limit",
    "data file path csv sources filename symbols tickers",
    "symbol data",
    "count bars limit number how_many",
    "from start start_date since begin",
    "to end end_date until",
    "inputs settings params parameters arguments",
    "ranges inputs grid space search_space",
    "input inputs range ranges vary param params grid",
    "commission_value commission_percent commission commission_pct fee fee_percent",
    "name code title id term query",
    "select codes rules code rule",
    "long buy",
    "short sell",
    "panel oscillator pane subplot",
)
"""Groups of names that people use for the same thing. The first one is usually the known name."""
_GROUPS: dict[str, list[str]] = {}
for _row in _SAME_MEANING:
    for _word in _row.split():
        _GROUPS.setdefault(_word, []).extend(_row.split())


def near_names(written: str, known: Iterable[str], count: int = 1) -> list[str]:
    """Return at most `count` of the names `known` that `written` may mean, likeliest first.

    A name with the same meaning comes before names that only look alike.
    """
    plain, folded = _plain(written), _folded(known)
    alike = [folded[name] for name in get_close_matches(plain, folded, count)]
    return list(dict.fromkeys((*_meant(written, folded), *alike)))[:count]


def same_meaning(written: str, known: Iterable[str]) -> list[str]:
    """Return the names `known` with the same meaning as `written`."""
    return _meant(written, _folded(known))


def _meant(written: str, folded: Mapping[str, str]) -> list[str]:
    words = (_plain(written), *_GROUPS.get(_plain(written), ()))
    return [folded[word] for word in words if word in folded and folded[word] != written]


def _plain(written: str) -> str:
    return written.strip().lower().replace("-", "_").replace(" ", "_")


def _folded(known: Iterable[str]) -> dict[str, str]:
    """The names by their plain form; of two names with one form the first."""
    return {name.lower().replace("-", "_"): name for name in reversed(list(known))}


def hint_of_names(plural: str, names: Iterable[object]) -> str:
    """Return a hint with the `names` that exist, whose kind is `plural`, such as "the alerts are 7, 9"."""
    shown = ", ".join(map(str, names))
    return f"the {plural} are {shown}" if shown else f"there are no {plural}"


def find_named(values: Mapping[str, ValueT], name: str, what: str) -> ValueT:
    """Return the value of `name` in `values`. `what` names the kind of thing in the message, for example `plot`.

    Raises UnknownName if there is no such name; its hint has the most similar name, or otherwise all names.
    """
    if name in values:
        return values[name]
    near = near_names(name, values)
    hint = f"did you mean '{near[0]}'?" if near else hint_of_names("names", values) if values else f"it has no {what}s"
    raise UnknownName(f"no {what} is called '{name}'", hint)
