"""Writes the code of calls and variables of `strategy.*` for the broker of machine code (`lowered_broker`)."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import Parameter, signature
from typing import Any

from pinebench.broker import FEES, PERCENT, SIZES, Account, Broker, Calls, Properties
from pinebench.checker import Program, Signature
from pinebench.compiled import layouts as t
from pinebench.compiled import lists
from pinebench.compiled.code_writer import CodeWriter
from pinebench.compiled.kernels import STATUS
from pinebench.compiled.lowered_broker import METHODS, ORDER_CALLS, READ, RULE_CALLS, call
from pinebench.compiled.script_code import DAY, HEAD, TOLD, NotCovered, float_text
from pinebench.runtime import ir

_GROUPS = ("none", "cancel", "reduce")
_SIDES = ("long", "short")
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
"""The statement that tells the broker the index of the current bar."""


class Orders:
    """Writes the code of a strategy's orders in a module."""

    def __init__(self, properties: Properties, has_rules: bool = False, is_magnified: bool = False) -> None:
        """Prepare to write orders. `properties` are the strategy's properties. `has_rules` says whether the script may
        set rules about risk. `is_magnified` says that the request has bars of a shorter timeframe."""
        self._ends_bars = properties.process_orders_on_close
        self.recalculates = properties.calc_on_order_fills
        self._form = "magnified" if is_magnified else "whole" if has_rules or self.recalculates else "plain"

    def begin(self, w: CodeWriter) -> None:
        """Reserve memory for the broker, at the beginning of the memory."""
        w.main.places = t.AREAS.end
        assert t.ACCOUNT.at == HEAD
        w.out.broker = self._form
        if self._form != "plain":
            assert w.column(DAY) == t.RULES.kinds["_days"].row

    def _call(self, function: str, *given: str) -> str:
        return call(self._form, function, *given)

    def _now(self, w: CodeWriter, function: str, *given: str) -> str:
        """Return a call of a function of the broker that may need the current bar."""
        w.part.write(_CLOCK)
        return self._call(function, *given)

    def before_bar(self) -> list[str]:
        """Return the lines of code that run before the script on a bar."""
        return [
            f"  if b[n + i] >= m[{t.GATE.above}] or b[2 * n + i] <= m[{t.GATE.below}]:",
            f"   {self._call('Broker_before_bar', 'i')}",
        ]

    def after_bar(self) -> list[str]:
        """Return the lines of code that run after the script on a bar."""
        return [f"  {_CLOCK}", f"  {self._call('Broker_after_bar', 'i')}"] if self._ends_bars else []

    def again(self, w: CodeWriter, lasting: Iterable[int]) -> list[str]:
        """Return the code of functions: one runs a bar, and others restore the state before the bar and run it again.
        The values at the addresses `lasting` are not restored."""
        own = f"{w.begin}, {w.main.places}"
        lasting = list(lasting)
        told = [str(number) for number, each in enumerate(w.out.calls) if each.name.partition(".")[0] in TOLD]
        return [
            "def is_told(number: float) -> bool:",
            f" return {' or '.join(f'number == {each}.0' for each in told) or 'False'}",
            "def bar(m: P, b: P, o: P, n: int, i: int) -> None:",
            *(line[1:] for line in w.main.lines),
            " pass",
            "def again(m: P, b: P, n: int, i: int) -> None:",
            f" if m[{t.RERUN.bar}] == float(i + 1):",
            *(f"  k{place} = m[{place}]" for place in lasting),
            f"  put_back(m, {own})",
            *(f"  m[{place}] = k{place}" for place in lasting),
            " else:",
            f"  keep_state(m, {own}, i)",
            f" if read_int(m, {STATUS}) == 0:",
            f"  bar(m, b, pointer_at(m, {t.RERUN.outputs}), n, i)",
            " pass",
            "def recalculate(m: P, b: P, n: int) -> None:",
            f" again(m, b, n, int(m[{t.CLOCK.index}]))",
            " pass",
        ]

    def bar(self) -> list[str]:
        """Return the lines of code for a bar of a script that runs again on the bar's fills."""
        if self._ends_bars:
            return ["  again(m, b, n, i)"]
        return [
            f"  if m[{t.RERUN.bar}] == float(i + 1):",
            "   again(m, b, n, i)",
            "  else:",
            f"   bar(m, b, pointer_at(m, {t.RERUN.outputs}), n, i)",
        ]

    def variable(self, w: CodeWriter, node: ir.Now) -> str:
        """Return the code of a `strategy.*` variable."""
        name = node.name.removeprefix("strategy.")
        if name in PLACES:
            return PLACES[name]
        if name.replace(".", "_") not in READ:
            raise w.refuse(f"{node.name} is not compiled")
        return self._now(w, f"Variables_{name.replace('.', '_')}")

    def call(self, w: CodeWriter, node: ir.CallHost) -> str:
        """Return the code of a call whose value is used."""
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
                found = self._now(w, f"Variables_{read}", number)
                if node.kind == "string":
                    return w.held(f"own_text(m, {found})")
                if name not in _TIMES:
                    return found
                bar = w.held(found)
                return f"(b[5 * n + int({bar})] if {bar} == {bar} else NA)"
        if owner in METHODS[Calls].split():
            _, parameter = signature(getattr(Calls, owner)).parameters.values()
            return self._now(w, f"Calls_{owner}", given.value(parameter))
        raise w.refuse(f"{node.name}() is not compiled")

    def order(self, w: CodeWriter, node: ir.CallHost) -> None:
        """Write the code of a call that places or cancels orders."""
        name = node.name.removeprefix("strategy.")
        if name not in CALLS:
            raise w.refuse(f"{node.name}() is not compiled")
        given = _CallArguments(w, node)
        _, *parameters = signature(getattr(Calls, CALLS[name])).parameters.values()
        text = self._call(f"Calls_{CALLS[name]}", *map(given.value, parameters))
        given.check()
        w.part.write(_CLOCK)
        if self.recalculates:  # while the broker fills orders, it holds records that are in no list
            w.part.write(f"if m[{t.MOMENT.at}] != m[{t.MOMENT.at}]:")
        w.part.write(" tidy(m)" if self.recalculates else "tidy(m)")
        w.part.write(text)


class _CallArguments:
    """The arguments of a call, as code. It notes which arguments were read."""

    def __init__(self, w: CodeWriter, node: ir.CallHost) -> None:
        self._w = w
        self._node = node
        self._asked: set[str] = set()

    def check(self) -> None:
        """Raise NotCovered if an argument of the call was not read, because it would have no effect."""
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
        """Return the number of a text argument."""
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
        if isinstance(value, ir.Constant) and value.value in _SIDES:
            return float_text(t.WORDS[str(value.value)])
        if value is None:
            raise self._w.refuse("an order without a direction is not compiled")
        side = self._w.held(self._chosen("direction", *_SIDES))
        return self._w.held(f"({side} if {side} != 0.0 else fail(m, 1.0))")

    def _chosen(self, name: str, *words: str) -> str:
        """Return the number of an argument that must be one of the constants `words` of the broker; 0 for another
        one."""
        numbers = {word: float_text(t.WORDS[word]) for word in words}
        value = self._argument(name)
        if value is None:
            raise self._w.refuse(f"{self._node.name}() without {name} is not compiled")
        if isinstance(value, ir.Constant):
            return numbers.get(str(value.value), "0.0")
        held, text = self._w.held(self._w.letters(value)), "0.0"
        for word, number in numbers.items():
            text = f"({number} if {held} == {float(self._w.text_number(word))} else {text})"
        return text

    def group(self) -> str:
        value = self._argument("oca_type")
        if value is None:
            return "0.0"
        if isinstance(value, ir.Constant) and value.value in _GROUPS:
            return float_text(t.WORDS[str(value.value)])
        raise self._w.refuse("an oca_type that is not a constant is not compiled")

    def value(self, parameter: Parameter) -> str:
        """Return the argument for a parameter of a method of the broker, or its default."""
        name, kind = parameter.name, str(parameter.annotation)
        if name in ("direction", "oca_type"):
            return self.side() if name == "direction" else self.group()
        if name == "type":
            return self._chosen(name, PERCENT)
        if name == "value" and kind == "str":
            return self._chosen(name, *_SIDES)
        if kind.startswith("str"):
            return self.text(name)
        value = self._argument(name)
        if value is not None:
            return self._w.text(value)
        return str(parameter.default) if kind == "bool" else float_text(parameter.default)


CALLS = {name.replace("risk_", "risk."): name for name in f"{ORDER_CALLS} {RULE_CALLS}".split()}
"""The methods of `broker.Calls` by the functions of Pine, which have the same parameters."""


def has_rules(program: Program) -> bool:
    """Return whether a strategy calls a function that sets a risk rule."""
    names = {f"strategy.{name}" for name, method in CALLS.items() if method in RULE_CALLS.split()}
    targets = (call.target for frame in program.frames for call in frame.calls.values())
    return any(isinstance(target, Signature) and target.name in names for target in targets)


def property_places(properties: Any, tick: float, first_bar: int = 0) -> dict[int, float]:
    """Return the broker's initial values by address. `tick` is the smallest price change of the market. Orders before
    bar `first_bar` are ignored. Raises NotCovered for a property value that the broker does not support."""
    _check(FEES, properties, "commission_type")
    _check(SIZES, properties, "default_qty_type")
    _check(("FIFO", "ANY"), properties, "close_entries_rule")
    broker = Broker(properties, t.NoPrices(), tick=tick, first=first_bar)
    found: dict[int, float] = {}
    for part in t.parts_of(broker):
        found |= t.SINGLES[type(part).__name__].values(part)
    return found | {t.MOMENT.recalculate: 1.0} if properties.calc_on_order_fills else found


def _check(words: Iterable[str], properties: Any, name: str) -> None:
    """Raise NotCovered if the property `name` is not one of `words`."""
    if getattr(properties, name) not in words:
        raise NotCovered(f"{name} = {getattr(properties, name)!r} is not compiled")


def first_values(properties: Any, account: Account, tick: float, first_bar: int) -> dict[int, float]:
    """Return the broker's initial values by address. `properties` are the strategy's properties, `account` is the
    account before the first bar, and `tick` is the smallest price change. Orders before bar `first_bar` are ignored."""
    return {**property_places(properties, tick, first_bar), **t.ACCOUNT.values(account)}
