"""A broker on a few bars, with a Python function in the place of the script."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pinebench.broker.emulator import Broker
from pinebench.broker.properties import Properties
from pinebench.market.bars import Bars

START = 1_704_067_200_000
MINUTES = 15 * 60_000
Bar = tuple[float, float, float, float]
Script = Callable[[Broker, int], object]
Step = Callable[[Broker], object]
PLAIN = Properties(initial_capital=1_000_000.0, default_qty_type="fixed", default_qty_value=1.0)
"""Properties of a plain account: orders that give no quantity buy one contract."""


def bars_of(rows: Sequence[Bar]) -> Bars:
    """Bars of 15 minutes from rows of open, high, low and close."""
    opens, highs, lows, closes = (list(column) for column in zip(*rows, strict=True))
    times = [START + number * MINUTES for number in range(len(rows))]
    return Bars(times, opens, highs, lows, closes, [1.0] * len(rows))


def trade(rows: Sequence[Bar], script: Script, *, tick: float = 0.01, lot: float = 0.0001, **given: Any) -> Broker:
    """Run `script` at the close of every bar; `given` are properties, or what else a broker takes."""
    others = {name: given.pop(name) for name in ("rates", "ticks", "days", "first", "point_value") if name in given}
    broker = Broker(replace(PLAIN, **given), bars_of(rows), tick=tick, lot=lot, **others)
    for i in range(len(rows)):
        broker.before_bar(i)
        script(broker, i)
        broker.after_bar(i)
    return broker


def at(plan: dict[int, Step]) -> Script:
    """A script that does something on some bars."""
    return lambda broker, i: plan.get(i, lambda _: None)(broker)


def rows(broker: Broker) -> list[tuple[int, float, int, float, float]]:
    """The closed trades as entry bar, entry price, exit bar, exit price and signed quantity."""
    return [
        (one.entry_bar, one.entry_price, one.exit_bar, one.exit_price, one.side * one.quantity)
        for one in broker.position.closed
    ]


def long(id: str = "L", **given: Any) -> Step:
    return lambda broker: broker.calls.entry(id=id, direction="long", **given)


def short(id: str = "S", **given: Any) -> Step:
    return lambda broker: broker.calls.entry(id=id, direction="short", **given)


def leave(id: str = "X", from_entry: str = "L", **given: Any) -> Step:
    return lambda broker: broker.calls.exit(id=id, from_entry=from_entry, **given)


def both(*steps: Step) -> Step:
    def step(broker: Broker) -> None:
        for one in steps:
            one(broker)

    return step
