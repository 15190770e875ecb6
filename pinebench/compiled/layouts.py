"""The layouts of the broker's classes: the addresses of their objects in the memory of a run.

A class has either a single object in a run, with a fixed address, or many, which are records. Each number of an object
takes one float, in the order of its slots (attributes): integers, bools (0 or 1), numbers that may be None (na), and
strings (by number; 0 for an empty string). A slot with a record holds the record's address, or 0 for None. A slot with
the single object of a class refers to that object. `Rows`, `RecordTable`, `BarColumn` and `Several` are the other
kinds. Times are not stored, because the index of a bar determines its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from pinebench.broker import (
    CLOSE,
    CLOSE_ALL,
    CLOSE_ALL_ID,
    CLOSE_WORDS,
    ENTRY,
    MARGIN_CALL,
    PERCENT,
    RAW,
    RULE_IDS,
    Broker,
    ClosedTrade,
    Curve,
    Exit,
    Fill,
    Leg,
    Order,
    Properties,
    Trade,
    TradeColumns,
    refusals,
)
from pinebench.compiled import lists
from pinebench.runtime import LivingDrawings

NA = float("nan")
FIRST = 16
"""The first address of the broker; the memory before it belongs to the kernels."""
OWN_IDS = {
    CLOSE_ALL_ID: -1000000.0,
    MARGIN_CALL: -2000000.0,
    **{word: -3000000.0 - number for number, word in enumerate(RULE_IDS)},
}
"""The numbers of the ids that the broker gives to orders of its own."""
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
    "buy": 1.0,
    "sell": -1.0,
    CLOSE_WORDS: -1.0,
    PERCENT: 1.0,
    **OWN_IDS,
    **{word: 1.0 for name, word in vars(refusals).items() if name.isupper()},
}
"""The numbers of the texts in the code of the broker. A text of a script has a positive number."""
LEFT_OUT = frozenset({"time", "entry_time", "exit_time", "_times"})
"""The fields and arguments that machine code leaves out."""
ALWAYS_FIXED: dict[str, Any] = {
    "Account.rates": None,
    "Broker._has_rates": False,
    "Broker._is_magnified": False,
    "Broker._sees_all": False,
    "Filler._settled": None,
    "Paths._magnified": None,
}
"""The slots whose values are the same in all runs on the chart's own bars, because runs with rates are refused
(`boundary`)."""
MAGNIFIED_FIXED = {
    **ALWAYS_FIXED,
    **dict.fromkeys(("Broker._is_magnified", "Broker._sees_all", "Paths._magnified"), True),
}
"""The slots of `ALWAYS_FIXED` in a run with shorter bars, whose paths are data of the run."""
FIXED: dict[str, Any] = {
    **ALWAYS_FIXED,
    "Exit.born": -1,
    "Moment.at": None,
    "Moment.leg": -1,
    "Moment.recalculate": None,
    "Order.born": -1,
    "Rules.forced": None,
    "Rules.is_set": False,
    "Rules.is_stopped": False,
    "Rules.largest_position": None,
    "Rules.watches": False,
}
"""The slots whose values are the same in all runs of the plain broker, which most strategies need. It is faster."""
CALLED = {"Calls._execute": (Broker, "execute"), "Moment.recalculate": (None, "recalculate")}
"""The slots that hold a method; where the class is None, a function of the script's code."""


@dataclass(frozen=True)
class Link:
    """A reference to a record of another class: its address, or 0 for None."""

    name: str
    places: int = 1


@dataclass(frozen=True)
class Rows:
    """A list of records in the format of `lists`. Its items are the addresses of the records. Without a name, it is a
    list of strings."""

    name: str = ""
    places: int = lists.PLACES


@dataclass(frozen=True)
class RecordTable:
    """A list of records that only grows, in the format of `lists`. Its items are the fields of the records, one record
    after the other."""

    name: str
    places: int = lists.SPARE


@dataclass(frozen=True)
class BarColumn:
    """A column of the bars. `row` is its index among the columns of a run. It takes no memory."""

    row: int
    places: int = 0


@dataclass(frozen=True)
class Several:
    """The kind of a slot with a fixed number of consecutive numbers or strings; `places` is their number."""

    kind: str
    places: int


@dataclass(frozen=True)
class PathTable:
    """The price paths of all bars. Each path has a head: the address of its first price and its number of prices, like
    a list (`lists`). A slot of this kind has the address of the first head."""

    places: int = 1


POINTS = Several("float", 4)
"""The prices of a bar in their order."""
PATH = Link("path")
"""The prices of a bar and of the shorter bars in it: the head of its path."""
KINDS: dict[str, Any] = {
    "float": "float",
    "int": "float",
    "float | None": "float",
    "bool": "flag",
    "str": "text",
    "Exit": Link("Exit"),
    "Trade": Link("Trade"),
    "Leg | None": Link("Leg"),
    "list[str]": Rows(),
    "Terms": Several("float", 15),
    "Texts": Several("text", 4),
    "Closes": BarColumn(3),
}
"""The kinds of the fields of a class, and of the parameters with a name for their type."""
_SLOTS: dict[str, Any] = {
    "Book.orders": Rows("Order"),
    "Book.exits": Rows("Exit"),
    "Book.legs": Rows("Leg"),
    "Broker._waiting": Rows("Order"),
    "Broker._leaving": Rows("Leg"),
    "Broker._highs": BarColumn(1),
    "Broker._lows": BarColumn(2),
    "Broker._closes": BarColumn(3),
    "Curve.equity": Rows(),
    "Curve.moves": Several("float", 4),
    "Curve.realized": Rows(),
    "Extremes._highs": BarColumn(1),
    "Extremes._lows": BarColumn(2),
    "Filler.opened": "float",
    "Filler._fills": RecordTable("Fill"),
    "Filler._opens": BarColumn(0),
    "Ledger._changes": RecordTable("Change"),
    "Moment.at": "float",
    "Moment.closes": BarColumn(3),
    "Moment.recalculate": "float",
    "Paths._magnified": PathTable(),
    "Paths._opens": BarColumn(0),
    "Paths._highs": BarColumn(1),
    "Paths._lows": BarColumn(2),
    "Paths._closes": BarColumn(3),
    "Position.open": Rows("Trade"),
    "Position.cycle": Rows("Trade"),
    "Position.chosen": Rows("Trade"),
    "Position.closed": RecordTable("ClosedTrade"),
    "Position._high": BarColumn(1),
    "Position._low": BarColumn(2),
    "Rules._opens": BarColumn(0),
    "Rules._days": BarColumn(6),
    "Rules.forced": Link("Order"),
    **dict.fromkeys(
        (f"Rules.{name}" for name in "most_filled largest_position drawdown day_loss losing_days _day".split()), "float"
    ),
    **{f"Rules.{name}_message": "text" for name in ("filled", "drawdown", "loss", "days")},
    **{f"TradeColumns.{name}": Rows() for name in TradeColumns.__slots__},
    "Walk.points": POINTS,
}
"""The kinds of the slots that are not numbers, in the classes that have one object."""


class Layout:
    """The addresses of the fields of an object that begins at `at`. For example, `layout.price` is the address of the
    field `price`."""

    def __init__(
        self, kinds: Mapping[str, Any], at: int = 0, cls: type | None = None, sizes: Mapping[str, int] | None = None
    ) -> None:
        """Lay out fields in the order of `kinds`.

        `kinds` are the kinds of the fields: `float`, `flag`, `text`, `record`, or a class with only one object, which
        takes no memory here. `sizes` are the sizes of kernels and of lists, in floats.
        """
        self.cls = cls
        self.kinds = kinds
        self.at = at
        self.offsets: dict[str, int] = {}
        self.places = 0
        """The size of an object in floats."""
        for name, kind in kinds.items():
            size = sizes.get(name) if sizes else None
            if size is not None or not isinstance(kind, type):
                self.offsets[name] = self.places
                self.places += getattr(kind, "places", 1) if size is None else size

    def __getattr__(self, name: str) -> int:
        if name == "offsets" or name not in self.offsets:
            raise AttributeError(f"{self.cls} has no place for {name}")
        return self.at + self.offsets[name]

    def values(self, instance: Any) -> dict[int, float]:
        """Return the numbers of an object, by address."""
        found: dict[int, float] = {}
        for name, offset in self.offsets.items():
            value = getattr(instance, name)
            if isinstance(self.kinds[name], Link):
                continue
            if value is None or isinstance(value, bool | int | float):
                found[self.at + offset] = NA if value is None else float(value)
        return found

    def named(self, row: Sequence[float]) -> dict[str, float]:
        """Return the values of a record by field name."""
        return {name: row[offset] for name, offset in self.offsets.items()}


@dataclass(frozen=True)
class Layouts:
    """The layouts of the broker's classes by name: `singles` have one object in a run, and `records` have many.

    `pools` maps each class whose records are reused to the address of its pool. `fixed` are the slots whose values are
    the same in all runs. `points` is the kind of the price path of a bar.
    """

    singles: dict[str, Layout]
    records: dict[str, Layout]
    pools: dict[str, int]
    fixed: dict[str, Any]
    points: Any = POINTS


@dataclass
class NoPrices:
    """Empty columns of prices, for a broker without bars."""

    time: list[int] = field(default_factory=list[int])
    open: list[float] = field(default_factory=list[float])
    high: list[float] = field(default_factory=list[float])
    low: list[float] = field(default_factory=list[float])
    close: list[float] = field(default_factory=list[float])


def parts_of(broker: Broker) -> list[Any]:
    """Return the objects of a broker that exist in machine code, in the order of their addresses."""
    position, moment = broker.position, broker.moment
    return [
        *(broker.account, broker.grid, broker.slippage, position.walk, position, broker.variables.tally),
        *(moment.clock, moment, broker.paths, broker.gate, broker.book, broker.rules, broker.ledger),
        *(broker.extremes, Curve([], []), TradeColumns(), broker.filler, broker.calls, broker.variables, broker),
    ]


def _numbers(names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), "float")


def _record(cls: type, more: Mapping[str, str]) -> Layout:
    """Return the layout of a dataclass. `more` are fields that only machine code has."""
    kinds = {each.name: KINDS[str(each.type)] for each in fields(cls) if str(each.type) in KINDS}
    left = {name: kind for name, kind in kinds.items() if name not in LEFT_OUT}
    return Layout({**left, **more}, cls=cls)


def slots(instance: Any) -> list[str]:
    """Return the names of an object's slots, which are its attributes."""
    return list(getattr(type(instance), "__slots__", None) or vars(instance))


def _single(instance: Any, at: int, classes: set[type]) -> Layout:
    """Return the layout of a class with one object, from the address `at` on."""
    kinds: dict[str, Any] = {}
    for name in slots(instance):
        value = getattr(instance, name)
        other = _SLOTS.get(f"{type(instance).__name__}.{name}")
        if other is not None:
            kinds[name] = other
        elif type(value) in classes:
            kinds[name] = type(value)
        elif isinstance(value, bool | int | float):
            kinds[name] = KINDS[type(value).__name__]
    return Layout(kinds, at, type(instance))


def _singles() -> Iterator[Layout]:
    """Yield the layouts of the classes with one object, one after the other in memory."""
    parts = parts_of(Broker(Properties(), NoPrices(), tick=0.01))
    classes = {type(each) for each in parts}
    at = FIRST
    for made in parts:
        layout = _single(made, at, classes)
        at += layout.places
        yield layout


SINGLES = {layout.cls.__name__: layout for layout in _singles() if layout.cls is not None}
"""The layouts of the classes that have one object, by class name."""
ACCOUNT, BOOK, CALLS, CLOCK = (SINGLES[name] for name in ("Account", "Book", "Calls", "Clock"))
PATHS = SINGLES["Paths"]
FILLER, GATE, LEDGER, POSITION = (SINGLES[name] for name in ("Filler", "Gate", "Ledger", "Position"))
CURVE, EXTREMES, MOMENT, RULES, WALK = (SINGLES[name] for name in ("Curve", "Extremes", "Moment", "Rules", "Walk"))
COLUMNS = SINGLES["TradeColumns"]
ORDER, EXIT, LEG, TRADE = (_record(cls, {"is_used": "flag"}) for cls in (Order, Exit, Leg, Trade))
CLOSED_TRADE, FILL = (_record(cls, {}) for cls in (ClosedTrade, Fill))
CHANGE = Layout(_numbers("bar price next money fees size cost"))
"""The account after a fill (`broker.ledger.Change`)."""
POOL = Layout({"records": Rows(), "free": "float"})
"""The records of a class that are reused (`pools`): all of them, and the first free one."""
DRAWING = Layout(_numbers("is_deleted is_timed columns rows x1 y1 x2 y2"))
"""A drawing of a script, without the properties that the log gives (`handles`)."""
LIVING = Layout(
    {"drawings": "list", "holders": "list", "count": "float"},
    cls=LivingDrawings,
    sizes=dict.fromkeys(("drawings", "holders"), lists.PLACES),
)
"""The drawings of a kind, the addresses of the variables that hold one of them, and the number that is not deleted."""
LOGGED_CALL = Layout(_numbers("number bar"))
"""The head of a record of the log: the number of the call, and its bar. The arguments follow it (`handles`)."""
RUN = Layout(
    {"taken": "float", **{name: Several("float", POOL.places) for name in ("orders", "exits", "legs", "trades")}},
    SINGLES["Broker"].at + SINGLES["Broker"].places,
)
"""The number of records that were taken from the pools, and the pools."""
RERUN = Layout(_numbers("bar heap kept room end outputs"), RUN.at + RUN.places)
"""The saved state of a script that runs again on fills. `bar`: the bar before which it was saved, from 1. `heap`: the
first record that a bar may change. `kept` and `room`: the address and size of the saved memory. `end`: the first record
made later. `outputs`: the address of the outputs."""
AREAS = Layout({"scratch": Several("float", 256), "end": "float"}, RERUN.at + RERUN.places)
"""Memory for intermediate results, from `scratch` to `end`. Nothing is read there before it was written."""
BROKER = Layouts(
    SINGLES,
    {
        "Order": ORDER,
        "Exit": EXIT,
        "Leg": LEG,
        "Trade": TRADE,
        "ClosedTrade": CLOSED_TRADE,
        "Fill": FILL,
        "Change": CHANGE,
    },
    {"Order": RUN.orders, "Exit": RUN.exits, "Leg": RUN.legs, "Trade": RUN.trades},
    FIXED,
)
