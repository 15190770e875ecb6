"""Orders that a script places which runs on a fill inside a bar: from the end of the leg on, at its price or at theirs.

The path of the bars here is open, first extreme, second extreme, close.
"""

from dataclasses import replace

import pytest

from pinebench.broker.emulator import Broker
from tests.broker.desk import PLAIN, Bar, Step, bars_of, leave, long, short

FLAT: Bar = (100.0, 100.0, 100.0, 100.0)
LAST: Bar = (101.0, 101.0, 101.0, 101.0)


def placed(bar: Bar, first: Step, exit: Step, again: Step) -> list[tuple[int, float]]:
    """What `again` fills, bar and price: it is called once, on the fill of `exit`, which leaves what `first` opened."""
    broker = Broker(replace(PLAIN, calc_on_order_fills=True), bars_of([FLAT, bar, LAST]), tick=0.01)
    was_called: list[bool] = []

    def step() -> None:
        if broker.position.closed and not was_called:
            was_called.append(True)
            again(broker)

    broker.recalculate = step
    for i in range(3):
        broker.before_bar(i)
        if i == 0:
            first(broker)
            exit(broker)
    return [(fill.bar, fill.price) for fill in broker.fills if fill.id == "R"]


FALLS: Bar = (100.0, 104.0, 95.0, 103.0)
"""100, 104, 95, 103."""
DIPS: Bar = (100.0, 107.0, 95.0, 98.0)
"""100, 95, 107, 98."""
CASES: dict[str, tuple[Bar, Step, Step, Step, list[tuple[int, float]]]] = {
    # The exit fills at 98 between 104 and 95.
    "a limit that could be filled at once": (FALLS, long(), leave(stop=98), long("R", limit=105), [(1, 95)]),
    "a limit that the leg comes to": (FALLS, long(), leave(stop=98), long("R", limit=97), [(1, 95)]),
    "a limit that the leg does not come to": (FALLS, long(), leave(stop=98), long("R", limit=94), []),
    "a stop that is passed at the end of the leg": (FALLS, long(), leave(stop=98), long("R", stop=94), [(1, 95)]),
    "a market order": (FALLS, long(), leave(stop=98), long("R"), [(1, 95)]),
    # It fills at 102 between 95 and 107, and nothing lies between 107 and the close.
    "a limit on the way to the close": (DIPS, long(), leave(limit=102), long("R", limit=104), [(1, 104)]),
    "a stop on the way to the close": (DIPS, long(), leave(limit=102), short("R", stop=100), [(1, 100)]),
    "a limit that is better at the extreme": (DIPS, long(), leave(limit=102), short("R", limit=101), [(1, 107)]),
    # It fills at the second extreme itself.
    "a market order at the last extreme": (FALLS, long(), leave(stop=95), long("R"), [(2, 101)]),
    "a limit at the last extreme": (FALLS, long(), leave(stop=95), short("R", limit=99), [(2, 101)]),
    "a stop at the last extreme": (FALLS, long(), leave(stop=95), long("R", stop=98), [(2, 101)]),
    # It fills at the first extreme itself.
    "a limit at the first extreme": (FALLS, long(), leave(limit=104), long("R", limit=105), [(1, 95)]),
    "a stop at the first extreme": (FALLS, long(), leave(limit=104), long("R", stop=102), [(1, 102)]),
    # It fills at 105, on the way from 107 to the close: the close is no point at which anything is filled.
    "on the way to the close": (DIPS, long(), leave(trail_price=106, trail_offset=200), long("R"), [(2, 101)]),
    # It fills at the open, and what it brings goes the whole way of the bar.
    "a limit that the opening has passed": (FALLS, long(), leave(stop=101), long("R", limit=105), [(1, 100)]),
    "a stop behind the opening": (FALLS, long(), leave(stop=101), long("R", stop=102), [(1, 102)]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_placed_on_a_fill_is_filled(name: str) -> None:
    bar, first, exit, again, expected = CASES[name]
    assert placed(bar, first, exit, again) == expected


@pytest.mark.parametrize(("limit", "price"), [(99, 100), (100, 100), (101, 101)])
def test_an_exit_that_the_fill_at_an_opening_brings_is_held_against_that_opening(limit: float, price: float) -> None:
    """At the price of the opening, without slippage, for all that the entry paid it."""
    broker = Broker(replace(PLAIN, calc_on_order_fills=True, slippage=2), bars_of([FLAT, FALLS]), tick=0.01)

    def recalculate() -> None:
        if broker.position.open:
            leave(limit=limit)(broker)

    broker.recalculate = recalculate
    broker.before_bar(0)
    long()(broker)
    broker.before_bar(1)
    assert [(one.entry_price, one.exit_price) for one in broker.position.closed] == [(100.02, price)]
