"""Bars that are made of others: what updates leave is what all the bars make at once, and costs what they change."""

import random

import pytest

from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import BarGrid, timeframe
from pinebench.market.bars import Bars
from pinebench.runtime import aggregation
from pinebench.runtime.aggregation import DerivedBars

MINUTE = 60_000
START = 1_709_560_800_000
"""4 March 2024, 14:00 UTC: the clocks of New York are put forward within the week."""
NEW_YORK = session("0930-1600:23456", "America/New_York")
GRIDS = {text: BarGrid(timeframe(text), NEW_YORK) for text in ("60", "240", "1D", "1W")}
CASES = [
    (text, kind)
    for text in (*GRIDS, "")
    for kind in ("plain", "earlier", "averaged", "both")
    if text or kind == "averaged"
]


def market(seed: int, begin: int, count: int) -> Bars:
    """Half hours with holes from 14:00 to 22:00 UTC on every day: before, within and after the session."""
    chance = random.Random(seed)
    bars, price = Bars(), 100.0
    for number in range(count):
        time = begin + number * 30 * MINUTE
        if (time // 60_000) % 1440 < 14 * 60 or chance.random() < 0.2:
            continue
        last = price + chance.gauss(0, 1)
        bars.append(time, price, max(price, last) + 1, min(price, last) - 1, last, chance.choice((5.0, float("nan"))))
        price = last
    return bars


def made(bars: Bars, text: str, kind: str) -> DerivedBars:
    grid = GRIDS[text] if text else None
    earlier = None
    if kind in ("earlier", "both") and grid is not None:
        earlier = aggregation.LongerBars(market(7, START - 20 * 1440 * MINUTE, 48 * 22), grid).made
    return DerivedBars(bars, grid, earlier, averaged=kind in ("averaged", "both"))


@pytest.mark.parametrize(("text", "kind"), CASES)
@pytest.mark.parametrize("known", [0, 1, 40])
def test_updates_leave_what_all_bars_make_at_once(
    text: str, kind: str, known: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    join = aggregation.join

    def counted(*given: int) -> int:
        taken.append(given[4] - given[3])
        return join(*given)  # type: ignore[arg-type]

    chance = random.Random(known)
    whole = market(3, START, 48 * 9)
    bars = whole.at(range(known))
    grown = made(bars, text, kind)
    monkeypatch.setattr(aggregation, "join", counted)
    for number in range(known, len(whole)):
        time, *prices = (column[number] for column in whole.columns())
        bars.append(int(time), prices[0], prices[1] + 3, prices[2] - 3, chance.gauss(100, 3), 1.0)
        grown.update()
        for column, price in zip((bars.open, bars.high, bars.low, bars.close, bars.volume), prices, strict=True):
            column[-1] = price
        grown.update()
        if number % 9 == 0 or number == len(whole) - 1:
            count = len(taken)
            assert repr(Bars.columns(grown.bars)) == repr(Bars.columns(made(bars, text, kind).bars))  # type: ignore[arg-type]
            del taken[count:]
    assert max(taken, default=0) <= 1
    assert sum(taken) <= 3 * (len(whole) - known)


def test_heikin_ashi_bars_begin_with_the_earlier_bars() -> None:
    bars = market(3, START, 48 * 9)
    averaged = aggregation.GrowingColumns()
    aggregation.average(made(bars, "240", "earlier").bars, averaged, 0)
    assert len(averaged.time) > len(made(bars, "240", "plain").bars.time)
    assert repr(Bars.columns(made(bars, "240", "both").bars)) == repr(Bars.columns(averaged))  # type: ignore[arg-type]
