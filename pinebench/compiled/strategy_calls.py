"""Writes the calls and variables of `strategy.*` for the broker of machine code (`lowered_broker`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any

from pinebench.broker import FEES, SIZES, Account, Broker, Calls
from pinebench.compiled import layouts as t
from pinebench.compiled import lists
from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.lowered_broker import METHODS, READ, call
from pinebench.compiled.script_code import HEAD, NotCovered, float_text
from pinebench.runtime import ir

_GROUPS = {"none": 0.0, "cancel": 1.0, "reduce": 2.0}
PLACES: dict[str, str] = {
    "position_size": f"m[{t.POSITION.size}]",
    "position_avg_price": f"m[{t.POSITION.average}]",
    "closedtrades": f"float(read_int(m, {t.POSITION.closed + lists.COUNT}) // {t.CLOSED_TRADE.places})",
    "opentrades": f"float(read_int(m, {t.POSITION.open + lists.COUNT}))",
    "initial_capital": f"m[{t.ACCOUNT.capital}]",
}
"""The variables that are read without a call."""
_TIMES = ("entry_time", "exit_time")
_CLOCK = f"m[{t.CLOCK.index}] = float(i)"
"""Tells the broker the number of the current bar."""


class Orders:
    """Writes what a strategy does in one module."""

    def __init__(self, ends_bars: bool) -> None:
        """`ends_bars` says whether orders are filled at the close of the bar on which they are called."""
        self._ends_bars = ends_bars

    def begin(self, w: CodeWriter) -> None:
        """Make room for the broker, which is at the beginning of the memory."""
        w.main.places = t.AREAS.end
        assert t.ACCOUNT.at == HEAD

    def before_bar(self) -> list[str]:
        """The lines before the script runs on a bar."""
        return [
            f"  if b[n + i] >= m[{t.GATE.above}] or b[2 * n + i] <= m[{t.GATE.below}]:",
            f"   {call('Broker_before_bar', 'i')}",
        ]

    def after_bar(self) -> list[str]:
        """The lines after the script has run on a bar."""
        return [f"  {_CLOCK}", f"  {call('Broker_after_bar', 'i')}"] if self._ends_bars else []

    def variable(self, w: CodeWriter, node: ir.Now) -> str:
        """The value of a variable of `strategy.*`."""
        name = node.name.removeprefix("strategy.")
        if name in PLACES:
            return PLACES[name]
        if name.replace(".", "_") not in READ:
            raise w.refuse(f"{node.name} is not compiled")
        return _now(w, f"Variables_{name.replace('.', '_')}")

    def call(self, w: CodeWriter, node: ir.CallHost) -> str:
        """A call whose value is used."""
        given = _CallArguments(w, node)
        text = self._value(w, node, given)
        given.check()
        return text

    def _value(self, w: CodeWriter, node: ir.CallHost, given: _CallArguments) -> str:
        _, owner, name = [*node.name.split("."), ""][:3]
        if owner in ("opentrades", "closedtrades"):
            number = given.number("trade_num")
            read = f"{owner}_{name.replace('time', 'bar_index') if name in _TIMES else name}"
            if read in READ:
                w.out.reads_extremes |= name.startswith("max_")
                found = _now(w, f"Variables_{read}", number)
                if node.kind == "string":
                    return w.held(f"own_text(m, {found})")
                if name not in _TIMES:
                    return found
                bar = w.held(found)
                return f"(b[5 * n + int({bar})] if {bar} == {bar} else NA)"
        if owner in ("convert_to_account", "convert_to_symbol"):
            value = given.number("value")
            return f"({value} * 1.0)"
        if owner == "default_entry_qty":
            price = w.held(given.number("fill_price"))
            equity = call("Position_equity", _now(w, "Moment_price"))
            quantity = call("Account_default_quantity", equity, price)
            return f"({quantity} if {price} - {price} == 0.0 and {price} > 0.0 else NA)"
        raise w.refuse(f"{node.name}() is not compiled")

    def order(self, w: CodeWriter, node: ir.CallHost) -> None:
        """A call that places or cancels orders."""
        name = node.name.removeprefix("strategy.")
        write = CALLS.get(name)
        if write is None:
            raise w.refuse(f"{node.name}() is not compiled")
        given = _CallArguments(w, node)
        text = write(given)
        given.check()
        w.part.write(_CLOCK)
        w.part.write("tidy(m)")
        w.part.write(text)


def _now(w: CodeWriter, function: str, *given: str) -> str:
    """A call of a function of the broker that may ask for the current bar."""
    w.part.write(_CLOCK)
    return call(function, *given)


class _CallArguments:
    """The arguments of a call, as code. It notes which of them were asked for."""

    def __init__(self, w: CodeWriter, node: ir.CallHost) -> None:
        self._w = w
        self._node = node
        self._asked: set[str] = set()

    def check(self) -> None:
        """Raise NotCovered if an argument of the call was not asked for, because it would have no effect."""
        for name in self._node.keywords:
            if name not in self._asked:
                raise self._w.refuse(f"{self._node.name}({name}) is not compiled")
        if self._node.arguments:
            raise self._w.refuse(f"{self._node.name}() with an argument without a name is not compiled")

    def _argument(self, name: str) -> ir.Expression | None:
        self._asked.add(name)
        return self._node.keywords.get(name)

    def number(self, name: str) -> str:
        value = self._argument(name)
        return "NA" if value is None else self._w.text(value)

    def text(self, name: str) -> str:
        """The number of a text."""
        value = self._argument(name)
        if value is None:
            return "0.0"
        if value.kind != "string":
            if isinstance(value, ir.Constant):
                return "0.0"
            raise self._w.refuse(f"{name} is not a text")
        return self._w.letters(value)

    def side(self) -> str:
        value = self._argument("direction")
        if isinstance(value, ir.Constant) and value.value in ("long", "short"):
            return "1.0" if value.value == "long" else "(-1.0)"
        if value is None:
            raise self._w.refuse("an order without a direction is not compiled")
        long, short = (float(self._w.text_number(word)) for word in ("long", "short"))
        held = self._w.held(self._w.text(value))
        return self._w.held(f"(1.0 if {held} == {long} else ((-1.0) if {held} == {short} else fail(m, 1.0)))")

    def allowed(self) -> str:
        """The only side that entries may open, as a number; 0 for both."""
        value = self._argument("value")
        if isinstance(value, ir.Constant):
            return {"long": "1.0", "short": "(-1.0)"}.get(str(value.value), "0.0")
        if value is None:
            raise self._w.refuse("such a side of entries is not compiled")
        long, short = (float(self._w.text_number(word)) for word in ("long", "short"))
        held = self._w.held(self._w.letters(value))
        return f"(1.0 if {held} == {long} else (-1.0 if {held} == {short} else 0.0))"

    def group(self) -> str:
        value = self._argument("oca_type")
        if value is None:
            return "0.0"
        if isinstance(value, ir.Constant) and value.value in _GROUPS:
            return str(_GROUPS[value.value])
        raise self._w.refuse("an oca_type that is not a constant is not compiled")

    def value(self, parameter: Parameter) -> str:
        """The argument for a parameter of a method of the broker, or its default."""
        name, kind = parameter.name, str(parameter.annotation)
        if name in ("direction", "oca_type"):
            return self.side() if name == "direction" else self.group()
        if kind.startswith("str"):
            return self.text(name)
        value = self._argument(name)
        if value is not None:
            return self._w.text(value)
        return str(parameter.default) if kind == "bool" else float_text(parameter.default)


def _called(name: str) -> Callable[[_CallArguments], str]:
    """Writes a call of a method of `broker.Calls`, which has the parameters of the function of Pine."""
    _, *parameters = signature(getattr(Calls, name)).parameters.values()
    return lambda g: call(f"Calls_{name}", *map(g.value, parameters))


def _allow_entry_in(g: _CallArguments) -> str:
    return f"m[{t.SINGLES['Rules'].side}] = {g.allowed()}"


CALLS: dict[str, Callable[[_CallArguments], str]] = {
    "risk.allow_entry_in": _allow_entry_in,
    **{name: _called(name) for name in METHODS[Calls].split()},
}


def property_places(properties: Any, tick: float, first_bar: int = 0) -> dict[int, float]:
    """The places of the broker before the first bar, on a market with this tick.

    Raises NotCovered for a choice that the broker does not know.
    """
    _check(FEES, properties, "commission_type")
    _check(SIZES, properties, "default_qty_type")
    _check(("FIFO", "ANY"), properties, "close_entries_rule")
    broker = Broker(properties, t.NoPrices(), tick=tick, first=first_bar)
    found: dict[int, float] = {}
    for part in t.parts_of(broker):
        found |= t.SINGLES[type(part).__name__].values(part)
    return found


def _check(words: Iterable[str], properties: Any, name: str) -> None:
    """Raise NotCovered if a property that is one of some words is another word."""
    if getattr(properties, name) not in words:
        raise NotCovered(f"{name} = {getattr(properties, name)!r} is not compiled")


def first_values(properties: Any, account: Account, tick: float, first_bar: int) -> dict[int, float]:
    """The places of the broker before the first bar.

    `properties` are the strategy's, `account` is the account before the first bar, and `tick` the smallest move of a
    price. Orders before the bar `first_bar` are ignored.
    """
    return {**property_places(properties, tick, first_bar), **t.ACCOUNT.values(account)}
