"""The layouts of the broker's classes: the places of their objects in the memory of a run.

A class has one object in a run, which has fixed places, or many, which are records. Each number
of an object has one place, in the order of the slots. It is a float there, also a whole number, a bool (0 or 1), a
number that may be None (na), and a text (its number, 0 for an empty one). A slot with a record has the record's first
place, or 0 for None. A slot with the only object of a class is that object. `Rows`, `Table`, `Column` and `Points` are
the other kinds. Times have no places: the number of a bar says as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any

from pinebench.broker import (
    CLOSE,
    CLOSE_ALL,
    CLOSE_ALL_ID,
    ENTRY,
    RAW,
    Account,
    ClosedTrade,
    Fill,
    Grid,
    Leg,
    Order,
    Position,
    Properties,
    Slippage,
    Tally,
    Trade,
    Walk,
)
from pinebench.compiled import lists

NA = float("nan")
FIRST = 16
"""The first place of the broker, after what the kernels have at the beginning of the memory."""
LEFT_OUT = frozenset({"time", "entry_time", "exit_time"})
"""The fields and arguments that machine code has not."""

CLOSE_POSITION = -1000000.0
MARGIN_CALL = -2000000.0
WORDS = {
    "": 0.0,
    "none": 0.0,
    "cancel": 1.0,
    "reduce": 2.0,
    ENTRY: 1.0,
    RAW: 2.0,
    CLOSE: 3.0,
    CLOSE_ALL: 4.0,
    "long": 1.0,
    "short": -1.0,
    "Close entry(s) order ": -1.0,
    CLOSE_ALL_ID: CLOSE_POSITION,
    "Margin call": MARGIN_CALL,
}
"""The numbers of the texts in the code of the broker. A text of a script has a positive number."""
FIXED: dict[str, Any] = {}
"""The slots whose values are the same in all runs of machine code, because other runs are refused."""


@dataclass(frozen=True)
class Link:
    """A record of another class: its first place, 0 for None."""

    name: str
    places: int = 1


@dataclass(frozen=True)
class Rows:
    """A list of records, in the form of `lists`: its items are the first places of the records. Without a name, a list
    of numbers."""

    name: str = ""
    places: int = lists.PLACES


@dataclass(frozen=True)
class Table:
    """A list of records that only grows. Its records are one after the other."""

    name: str
    places: int = 3


@dataclass(frozen=True)
class Column:
    """A column of the bars, which is this row of the columns of a run. It has no place."""

    row: int
    places: int = 0


@dataclass(frozen=True)
class Points:
    """The four prices of a bar in their order."""

    places: int = 4


_KINDS: dict[str, Any] = {
    "float": "float",
    "int": "float",
    "float | None": "float",
    "bool": "flag",
    "str": "text",
    "Exit": Link("Exit"),
    "Trade": Link("Trade"),
    "list[str]": Rows(),
}
"""The kinds of the fields of a class."""
_SLOTS: dict[str, Any] = {
    "Position.open": Rows("Trade"),
    "Position.cycle": Rows("Trade"),
    "Position.chosen": Rows("Trade"),
    "Position.closed": Table("ClosedTrade"),
    "Position._high": Column(1),
    "Position._low": Column(2),
    "Walk.points": Points(),
}
"""The kinds of the slots of the classes with one object that are not numbers."""


class Layout:
    """The places of the fields of an object, from `at` on: `layout.price` is the place of the field `price`."""

    def __init__(self, kinds: Mapping[str, Any], at: int = 0, cls: type | None = None, **sizes: int) -> None:
        """`kinds` are the kinds of the fields: `float`, `flag`, `text`, `record`, or the class of the only object of a
        class. `sizes` are the numbers of places of the fields with more than one."""
        self.cls = cls
        self.kinds = kinds
        self.at = at
        self.offsets: dict[str, int] = {}
        self.places = 0
        """The number of all places."""
        for name, kind in kinds.items():
            if not isinstance(kind, type):
                self.offsets[name] = self.places
                self.places += sizes.get(name, getattr(kind, "places", 1))

    def __getattr__(self, name: str) -> int:
        if name == "offsets" or name not in self.offsets:
            raise AttributeError(f"{self.cls} has no place for {name}")
        return self.at + self.offsets[name]

    def values(self, made: Any) -> dict[int, float]:
        """The numbers of an object at their places."""
        found: dict[int, float] = {}
        for name, offset in self.offsets.items():
            value = getattr(made, name)
            if value is None or isinstance(value, bool | int | float):
                found[self.at + offset] = NA if value is None else float(value)
        return found

    def named(self, row: Sequence[float]) -> dict[str, float]:
        """The values of a record by the names of its fields."""
        return {name: row[offset] for name, offset in self.offsets.items()}


@dataclass(frozen=True)
class Layouts:
    """The layouts of the broker's classes by their names: with one object in a run, and with many.

    `pools` are the places of the pools of classes whose records come and go.
    """

    singles: dict[str, Layout]
    records: dict[str, Layout]
    pools: dict[str, int]


def _numbers(names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), "float")


def _record(cls: type, more: str = "") -> Layout:
    """The layout of a dataclass. `more` are fields that only machine code has."""
    kinds = {field.name: _KINDS[str(field.type)] for field in fields(cls) if str(field.type) in _KINDS}
    left = {name: kind for name, kind in kinds.items() if name not in LEFT_OUT}
    return Layout({**left, **_numbers(more)}, cls=cls)


def _singles() -> Iterator[Layout]:
    """The layouts of the classes with one object, whose places follow each other."""
    grid = Grid(0.01)
    account = Account(Properties(), 1.0, 1.0)
    position = Position(account, (), (), by_entry=False)
    objects = (account, grid, Slippage(0, grid), Walk(), position, Tally(position))
    classes = {type(each) for each in objects}
    at = FIRST
    for made in objects:
        kinds: dict[str, Any] = {}
        for name in type(made).__slots__:
            value = getattr(made, name)
            other = _SLOTS.get(f"{type(made).__name__}.{name}")
            if other is not None:
                kinds[name] = other
            elif type(value) in classes:
                kinds[name] = type(value)
            elif isinstance(value, bool | int | float):
                kinds[name] = _KINDS[type(value).__name__]
        layout = Layout(kinds, at, type(made))
        at += layout.places
        yield layout


ACCOUNT, GRID, SLIPPAGE, WALK, POSITION, TALLY = _singles()
ORDER = _record(Order)
LEG = _record(Leg, "number")
MOST = SimpleNamespace(orders=2_048, exits=2_048, legs=16_384)
"""The room for records.

It is large, and costs nothing if it is not used: a run clears none of it, so that the system gives memory only for
records that were written. A run that needs more is repeated on the Python tier.
"""
TRADE = _record(Trade, "is_used")
CLOSED_TRADE = _record(ClosedTrade)
FILL = _record(Fill)
EXIT = Layout(
    _numbers(
        "id entry sequence horizon bar waits suspended quantity percent profit limit loss stop trail_price "
        "trail_points trail_offset group comment comment_profit comment_loss comment_trailing alerts message "
        "message_profit message_loss message_trailing given_quantity given_percent given_profit given_limit "
        "given_loss given_stop given_trail_price given_trail_points given_trail_offset"
    )
)
"""An exit, with the arguments of its call as they were given."""
CHANGE = Layout(_numbers("bar price next money fees size cost"))
"""The account after a fill."""
VECTOR = Layout(_numbers("first count room"))
"""A list that grows: the place of its first record, the number of its records, and its room."""
POOL = Layout({"records": Rows(), "free": "float", "taken": "float"})
"""The records of a class that come and go (`pools`): all of them, the first free one, and how many were taken."""
ARRAY = Layout(_numbers("count first begin end"))
"""An array of a script: the number of its elements, the place of the first one, and the room for them."""
RUN = Layout(
    _numbers(
        "pyramiding beyond first_bar turns above below highest lowest is_known opened owed_bar owed called_bar bar now "
        "small_orders leg_ids n_orders n_exits n_legs changes fills trades"
    ),
    TALLY.at + TALLY.places,
    changes=VECTOR.places,
    fills=VECTOR.places,
    trades=POOL.places,
)
"""The other numbers of the broker; its lists of changes and of fills; its pool of trades."""
MEASURED = Layout(
    _numbers(
        "drawdown drawdown_percent run_up run_up_percent longest shortest peak trough points close_drawdown "
        "close_drawdown_percent close_run_up close_run_up_percent"
    ),
    RUN.at + RUN.places,
    points=4,
)
"""The results of `trading.measure`: the largest drawdown and run-up, in money and in percent, the largest long and
short position; the highest and the lowest realized equity; the prices of a bar in their order; the largest drawdown
and run-up at closes."""
AREAS = Layout(
    _numbers("scratch spare_leg mine orders exits legs spare_legs end"),
    MEASURED.at + MEASURED.places,
    scratch=MOST.legs,
    spare_leg=LEG.places,
    mine=ORDER.places,
    orders=(MOST.orders + 1) * ORDER.places,
    exits=MOST.exits * EXIT.places,
    legs=MOST.legs * LEG.places,
    spare_legs=MOST.legs * LEG.places,
)
"""The places of the records, from `scratch` to `end`. A call writes a new order behind the last one of the book.
Nothing is read there before it was written, because a run does not clear them."""
_ALL = (ACCOUNT, GRID, SLIPPAGE, WALK, POSITION, TALLY)
BROKER = Layouts(
    {each.cls.__name__: each for each in _ALL if each.cls is not None},
    {each.cls.__name__: each for each in (ORDER, LEG, TRADE, CLOSED_TRADE) if each.cls is not None},
    {"Trade": RUN.trades},
)
