"""Compares pinebench's list of trades with a list from TradingView, and finds the first difference."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple, TypeVar

from pinebench.backtesting.backtest import BacktestRun
from pinebench.backtesting.trade_list import ExportedTrade
from pinebench.broker import ClosedTrade
from pinebench.calendars.dates import minute_text
from pinebench.calendars.zones import UTC, milliseconds, zone
from pinebench.market import Bars

_QUARTER = 15 * 60_000
_LOOKED_AT = 2000
"""The number of trades that are used to find the time zone of a list."""
_CHANGING = (
    *("America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York"),
    *("America/Halifax", "America/Santiago", "Europe/London", "Europe/Berlin", "Europe/Athens", "Asia/Jerusalem"),
    *("Australia/Adelaide", "Australia/Sydney", "Pacific/Auckland"),
)
"""Zones with summer time, one for each clock that charts have."""
_Trade = TypeVar("_Trade", ExportedTrade, ClosedTrade)
_SIDES = {1: "long", -1: "short"}


class ListClock(NamedTuple):
    """The clock of an exported list: its difference from UTC in milliseconds, or the time zone `zone` if that has
    summer time. If it is not known, the times of the list are taken as UTC."""

    offset: int
    zone: str = ""
    is_known: bool = True

    def utc(self, time: int, *, late: bool = False) -> int:
        """Return a time of the list in milliseconds UTC. An hour that the clock shows twice, at the end of summer time,
        is the first one, or the second one if `late`."""
        if not self.zone:
            return time - self.offset
        moment = datetime.datetime.fromtimestamp(time / 1000, UTC)
        return milliseconds(moment.replace(tzinfo=zone(self.zone), fold=int(late)))

    def __str__(self) -> str:
        minutes = abs(self.offset) // 60_000
        return self.zone or f"UTC{'+' if self.offset >= 0 else '-'}{minutes // 60:02}:{minutes % 60:02}"


class TradeListDiff(NamedTuple):
    """The comparison of two lists of trades, for the time that the exported list covers.

    `clock` is the clock of the exported list. `listed` is the number of trades in the exported list, `counted` the
    number in ours, and `same` the number in both. `quantities` counts the trades in both lists whose quantities
    differ. `theirs` is the first trade that only the exported list has, and `own` the first that only ours has; None
    if there is none.
    """

    clock: ListClock
    listed: int
    counted: int
    same: int
    quantities: int
    theirs: ExportedTrade | None
    own: ClosedTrade | None

    @property
    def is_same(self) -> bool | None:
        """Whether the lists are the same; None if there was no closed trade to compare."""
        if not self.listed and not self.counted:
            return None
        return self.theirs is None and self.own is None and not self.quantities


def compare(own: Sequence[ClosedTrade], listed: Sequence[ExportedTrade], tick: float) -> TradeListDiff:
    """Match our closed trades `own` with the exported trades `listed`, then compare the quantities of the matches.
    Trades match if the side, both times and both prices (rounded to `tick`) are equal."""
    clock = _clock(own, listed)
    known = {_own_key(one, tick) for one in own}
    moved = [_in_utc(one, clock, known, tick) for one in listed]
    if not moved:
        return TradeListDiff(clock, 0, len(own), 0, 0, None, own[0] if own else None)
    first, last = min(one.entry_time for one in moved), max(one.exit_time for one in moved)
    inside = [one for one in own if one.entry_time >= first and one.exit_time <= last]
    our_keys = [_own_key(one, tick) for one in inside]
    their_keys = [_listed_key(one, tick) for one in moved]
    ours_left, theirs_left = Counter(our_keys), Counter(their_keys)
    common = ours_left & theirs_left
    theirs = _first(moved, their_keys, theirs_left - common)
    mine = _first(inside, our_keys, ours_left - common)
    quantities = _other_quantities(
        [(key, t.quantity) for key, t in zip(our_keys, inside, strict=True)],
        [(key, t.quantity) for key, t in zip(their_keys, moved, strict=True)],
        common,
    )
    return TradeListDiff(clock, len(moved), len(inside), common.total(), quantities, theirs, mine)


def outside(diff: TradeListDiff, listed: Sequence[ExportedTrade], tested: BacktestRun) -> int:
    """Return the number of `listed` trades that begin before the first bar with orders or end after the last bar of the
    back-test."""
    first, last = tested.bars.time[tested.first], tested.bars.time[-1]
    moved = [(diff.clock.utc(one.entry_time, late=True), diff.clock.utc(one.exit_time)) for one in listed]
    return sum(entry < first or last < leave for entry, leave in moved)


Key = tuple[str, int, int, int, int]


def _in_utc(trade: ExportedTrade, clock: ListClock, known: Container[Key], tick: float) -> ExportedTrade:
    """Return a listed trade with times in UTC. If the clock shows a time twice, the trade gets the times that give it a
    key in `known`, the keys of our trades; otherwise the first entry and exit in the order of time."""
    entries, exits = (
        [clock.utc(time, late=late) for late in (False, True)] for time in (trade.entry_time, trade.exit_time)
    )
    moved = [trade._replace(entry_time=entry, exit_time=leave) for entry in entries for leave in exits]
    own = [each for each in moved if _listed_key(each, tick) in known]
    return next(iter(own or [each for each in moved if each.entry_time <= each.exit_time]), moved[0])


def _own_key(trade: ClosedTrade, tick: float) -> Key:
    return _key(_SIDES[trade.side], trade, tick)


def _listed_key(trade: ExportedTrade, tick: float) -> Key:
    return _key(trade.side, trade, tick)


def _key(side: str, one: ClosedTrade | ExportedTrade, tick: float) -> Key:
    return side, one.entry_time, one.exit_time, round(one.entry_price / tick), round(one.exit_price / tick)


def _first(trades: Sequence[_Trade], keys: Sequence[Key], left: Counter[Key]) -> _Trade | None:
    """Return the earliest trade that the other list does not have; None if there is none."""
    alone = [trade for trade, key in zip(trades, keys, strict=True) if left[key]]
    return min(alone, key=lambda trade: (trade.entry_time, trade.exit_time), default=None)


def _other_quantities(own: list[tuple[Key, float]], theirs: list[tuple[Key, float]], common: Counter[Key]) -> int:
    """Return the number of trades in both lists whose quantities differ in the first six digits."""
    ours = Counter((key, float(f"{quantity:.6g}")) for key, quantity in own if common[key])
    others = Counter((key, float(f"{quantity:.6g}")) for key, quantity in theirs if common[key])
    return common.total() - (ours & others).total()


def _clock(own: Sequence[ClosedTrade], listed: Sequence[ExportedTrade]) -> ListClock:
    """Return the clock that matches most entries with ours; among equal ones, the one nearest to UTC, and a fixed one
    before a zone with summer time. If no clock matches an entry, it is not known."""
    entries = {(_SIDES[one.side], one.entry_time) for one in own}
    looked_at = listed[:_LOOKED_AT]
    fixed = [ListClock(quarters * _QUARTER) for quarters in sorted(range(-12 * 4, 14 * 4 + 1), key=abs)]

    def met(clock: ListClock) -> int:
        return len(
            [
                one
                for one in looked_at
                if any((one.side, clock.utc(one.entry_time, late=late)) in entries for late in (False, True))
            ]
        )

    best = max([*fixed, *(ListClock(0, name) for name in _CHANGING)], key=met)
    return best if met(best) else ListClock(0, is_known=False)


def report(diff: TradeListDiff) -> dict[str, Any]:
    """Return the comparison as JSON values."""
    return {
        "same": diff.is_same,
        "utc_offset_minutes": diff.clock.offset // 60_000 if diff.clock.is_known and not diff.clock.zone else None,
        "timezone": diff.clock.zone or None,
        "listed": diff.listed,
        "own": diff.counted,
        "equal": diff.same,
        "other_quantities": diff.quantities,
        "first_listed": None if diff.theirs is None else diff.theirs._asdict(),
        "first_own": None if diff.own is None else _row(diff.own),
    }


def _row(trade: ClosedTrade) -> dict[str, Any]:
    return {
        "side": _SIDES[trade.side],
        "quantity": trade.quantity,
        "entry_time": trade.entry_time,
        "entry_price": trade.entry_price,
        "entry_signal": trade.entry_signal,
        "exit_time": trade.exit_time,
        "exit_price": trade.exit_price,
        "exit_signal": trade.exit_signal,
    }


def as_text(diff: TradeListDiff, bars: Bars, safe: Callable[[str], str]) -> str:
    """Return the comparison as lines for people: the matches, and the first difference with the bars around it. `safe`
    makes foreign text safe to print."""
    lines = [
        f"{diff.same} of {diff.listed} listed trades are also in our list, with the same side, times and prices; "
        f"our list has {diff.counted} trades in the same period",
        f"the times of the list are in {diff.clock}"
        if diff.clock.is_known
        else "the time zone of the list is not known, because none fits an entry: its times are taken as UTC",
    ]
    if diff.quantities:
        lines.append(f"{diff.quantities} of the trades in both lists differ in quantity")
    if diff.theirs is not None:
        lines += [
            "",
            f"first trade that our list does not have: #{diff.theirs.number}",
            *_told(diff.theirs._asdict(), safe),
        ]
    if diff.own is not None:
        lines += ["", "first trade that the exported list does not have:", *_told(_row(diff.own), safe)]
    times = [time for one in (diff.theirs, diff.own) if one for time in (one.entry_time, one.exit_time)]
    if times:
        lines += ["", *_around(bars, times)]
    return "".join(f"{line}\n" for line in lines)


def _told(row: dict[str, Any], safe: Callable[[str], str]) -> list[str]:
    return [
        f"  {row['side']} {row['quantity']:.10g}",
        f"  entry {minute_text(row['entry_time'])} at {row['entry_price']:.10g}  {safe(row['entry_signal'])}",
        f"  exit  {minute_text(row['exit_time'])} at {row['exit_price']:.10g}  {safe(row['exit_signal'])}",
    ]


def _around(bars: Bars, times: list[int]) -> list[str]:
    """Return a line for each bar at these times, and for the two bars around each. `...` marks a gap."""
    places: set[int] = set()
    for time in times:
        k = bisect_right(bars.time, time) - 1
        places.update(range(max(k - 2, 0), min(k + 3, len(bars))))
    lines = ["bars around (UTC): open, high, low, close"]
    last = -1
    for k in sorted(places):
        if last >= 0 and k != last + 1:
            lines.append("  ...")
        prices = "  ".join(f"{column[k]:.10g}" for column in (bars.open, bars.high, bars.low, bars.close))
        mark = ">" if bars.time[k] in times else " "
        lines.append(f"{mark} {minute_text(bars.time[k])}  {prices}")
        last = k
    return lines
