"""The border between the tiers: the compiled tier refuses what it does not know by name, and runs all that it knows."""

from __future__ import annotations

import re
import typing
from dataclasses import dataclass, fields, replace

import pytest

from pinebench import reference
from pinebench.broker import Properties
from pinebench.checker import open_program
from pinebench.compiled import boundary, compiled_script, expressions, statements, strategy_calls
from pinebench.compiled.builtins import kernels
from pinebench.compiled.library_functions import FUNCTIONS
from pinebench.compiled.lowered_broker import READ
from pinebench.compiled.module_writer import ModuleWriter
from pinebench.compiled.outcomes import NotCompilable
from pinebench.compiled.script_code import NotCovered
from pinebench.runtime import builtins as library
from pinebench.runtime import ir, lower
from pinebench.workers.request import Request
from tests.compiled.same import both, refusal, request
from tests.compiled.test_indicators import CALLS, script

STRATEGY = 'strategy("S")\nif close > open\n    strategy.entry("L", strategy.long)\n'


MOST_PLOTS = 60
"""A script can have a few more."""


def module(source: str) -> ir.Module:
    """The typed form of a script."""
    return lower.lower(open_program("//@version=6\n" + source), lower.LoweringSettings({})).module


def of_trades() -> list[tuple[str, str]]:
    """The functions of open and closed trades that machine code computes."""
    owners = ("opentrades", "closedtrades")
    found = [tuple(name.split("_", 1)) for name in sorted(READ) if name.startswith(owners)]
    times = [("opentrades", "entry_time"), ("closedtrades", "entry_time"), ("closedtrades", "exit_time")]
    others = ("capital_held", "first_index")
    return [(owner, name) for owner, name in found if name not in others] + times


def variables() -> list[str]:
    """The variables of `strategy.*` that machine code computes."""
    functions = {f"{owner}_{name}" for owner, name in of_trades()}
    names = {name for group in (READ, strategy_calls.PLACES) for name in group} - functions
    return sorted(re.sub("^(opentrades|closedtrades)_", r"\1.", name) for name in names)


def orders() -> dict[str, set[str]]:
    """The functions of `strategy.*` that machine code computes, with all their parameters."""
    names = [f"strategy.{name}" for name in strategy_calls.CALLS]
    names += ["strategy.convert_to_account", "strategy.convert_to_symbol", "strategy.default_entry_qty"]
    names += [f"strategy.{owner}.{name}" for owner, name in of_trades()]
    found: dict[str, set[str]] = {}
    for name in names:
        record = reference.function(name)
        assert record is not None, name
        found[name] = {parameter.name for overload in record.overloads for parameter in overload.parameters}
    return found


def write(name: str, keywords: typing.Iterable[str]) -> None:
    """Write a call with these arguments. Raises NotCovered."""
    numbers = {"trade_num", "qty", "value", "fill_price", "limit", "stop", "profit", "loss", "qty_percent"}
    kinds: dict[str, ir.Kind] = {"immediately": "bool", "disable_alert": "bool", **dict.fromkeys(numbers, "float")}
    kinds |= dict.fromkeys(("trail_price", "trail_points", "trail_offset", "max_qty"), "float")
    values: dict[ir.Kind, ir.Constant] = {
        "float": ir.Constant("float", 1.0),
        "bool": ir.Constant("bool", True),
        "string": ir.Constant("string", "x"),
    }
    given: dict[str, ir.Expression] = {each: values[kinds.get(each, "string")] for each in keywords}
    given |= {"direction": ir.Constant("string", "long")} if "direction" in given else {}
    given |= {"oca_type": ir.Constant("string", "cancel")} if "oca_type" in given else {}
    given |= {"type": ir.Constant("string", "cash")} if "type" in given else {}
    writer = ModuleWriter(module(STRATEGY), strategy_calls.Orders(Properties(), has_rules=True))
    node = ir.CallHost("float", name, [], given)
    if name.removeprefix("strategy.") in strategy_calls.CALLS:
        writer.strategy.order(writer, node)
    else:
        writer.strategy.call(writer, node)


def test_every_argument_of_an_order_is_decided() -> None:
    undecided: list[str] = []
    for name, parameters in orders().items():
        try:
            write(name, sorted(parameters))
        except NotCovered as reason:
            undecided.append(f"compiled/strategy_calls.py does not ask for an argument: {reason.reason}")
    assert not undecided


def test_an_argument_that_the_compiled_tier_does_not_know_is_refused() -> None:
    for name, parameters in orders().items():
        with pytest.raises(NotCovered) as caught:
            write(name, [*sorted(parameters), "max_qty"])
        assert caught.value.reason == f"{name}(max_qty) is not compiled"


def test_every_property_is_decided() -> None:
    given = request(STRATEGY)
    assert boundary.refusal(open_program(given.source), given) is None
    assert not boundary.PLACED & set(boundary.PROPERTIES)
    assert boundary.PLACED | set(boundary.PROPERTIES) == {field.name for field in fields(Properties)}


WORDS = {"default_qty_type": "fixed", "commission_type": "cash_per_order", "close_entries_rule": "ANY"}


def test_every_property_with_places_changes_a_value_in_them() -> None:
    base = replace(Properties(), pyramiding=2, commission_value=1.0)
    places = strategy_calls.property_places(base, 0.01)
    assert strategy_calls.property_places(base, 0.01) == places, "places cannot be compared"
    for name in sorted(boundary.PLACED):
        value = getattr(base, name)
        changed: dict[str, typing.Any] = {
            name: WORDS.get(name, not value if isinstance(value, bool) else value * 3 or 7)
        }
        assert strategy_calls.property_places(replace(base, **changed), 0.01) != places, f"{name} reaches no place"


@dataclass(frozen=True)
class MoreProperties(Properties):
    """Properties with one that the compiled tier does not know."""

    max_qty: int = 0


def test_a_property_that_the_compiled_tier_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary, "Properties", MoreProperties)
    assert refusal(STRATEGY).reason == "the property max_qty is not compiled"


def test_a_word_of_a_property_that_the_broker_does_not_know_is_refused() -> None:
    for name in ("commission_type", "default_qty_type", "close_entries_rule"):
        changed: dict[str, typing.Any] = {name: "new"}
        with pytest.raises(NotCovered, match=f"{name} = 'new' is not compiled"):
            strategy_calls.property_places(replace(Properties(), **changed), 0.01)


def test_every_field_of_a_request_is_decided() -> None:
    assert set(boundary.REQUEST) == {field.name for field in fields(Request)}, "compiled/boundary.py: REQUEST"


@dataclass(frozen=True)
class MoreRequest(Request):
    """A request with a field that the compiled tier does not know."""

    delay: int = 0


def test_a_field_of_a_request_that_the_compiled_tier_does_not_know_is_refused() -> None:
    given = request(STRATEGY)
    more = MoreRequest(**{field.name: getattr(given, field.name) for field in fields(given)})
    made = compiled_script.compile_script(open_program(given.source), more)
    assert made == NotCompilable("'delay' of a request is not compiled")


def test_every_argument_of_the_declaration_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    properties = {field.name for field in fields(Properties)}
    for name, others in (("indicator", set[str]()), ("strategy", properties)):
        record = reference.function(name)
        assert record is not None
        given = {parameter.name for overload in record.overloads for parameter in overload.parameters}
        assert given <= set(boundary.DECLARED) | others, f"compiled/boundary.py, DECLARED: {name}()"
    monkeypatch.delitem(boundary.DECLARED, "max_bars_back")
    refused = refusal('indicator("", max_bars_back = 10)\nplot(close)')
    assert refused.reason == "max_bars_back in the declaration is not compiled"


def test_every_class_of_the_typed_form_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(expressions.EXPRESSIONS) == set(typing.get_args(ir.Expression)), "compiled/expressions.py"
    assert set(statements.STATEMENTS) == set(typing.get_args(ir.Statement)), "compiled/statements.py"
    monkeypatch.delitem(expressions.EXPRESSIONS, ir.Past)
    assert refusal('indicator("")\nx = close * 2\nplot(x[1])').reason == "an expression (Past) is not compiled"
    monkeypatch.delitem(statements.STATEMENTS, ir.If)
    assert refusal('indicator("")\nif close > open\n    alert("")').reason == "a statement (If) is not compiled"


# what the compiled tier knows runs in a test


def kernels_of(source: str) -> set[str]:
    """The names of the classes that compute the stateful built-ins of a script."""
    known = module(source)
    units = [known.unit, *(function.unit for function in known.functions)]
    states = [state for unit in units for state in unit.state if isinstance(state, ir.KernelState)]
    return {library.KERNELS[state.name].__name__ for state in states}


def test_every_compiled_stateful_built_in_is_called_by_the_tests() -> None:
    missing = set(kernels()) - kernels_of(script(CALLS, with_tuples=True))
    assert not missing, f"add a call to tests/stateful_calls.txt: {sorted(missing)}"


def test_every_mathematical_function_has_the_bits_of_the_python_tier() -> None:
    names = [name for name in made_of_the_library("math") if "#" not in name]
    names += ["math.max", "math.min", "math.avg", "math.round", "math.round_to_mintick"]
    calls = [f"{name}({_numbers(name)})" for name in names]
    calls += ["math.round(x, 2)", "math.avg(x, close, open, high)", "math.max(x, open, close)"]
    calls += ["math.avg(math.avg(x, close), math.avg(open, math.avg(high, low), x), 3)"]
    functions = [f"f{k}(x) => {call}\nplot(f{k}((close - open) / 3))" for k, call in enumerate(calls)]
    lines = ["x = (close - open) / 3", *(f"plot({call})" for call in calls), *functions]
    both('indicator("")\n' + "\n".join(lines))


def _numbers(name: str) -> str:
    return "x, bar_index % 4" if name in ("math.pow", "math.max", "math.min", "math.avg") else "x"


def test_every_function_of_colours_has_the_bits_of_the_python_tier() -> None:
    calls = {
        "color.new": "color.new(color.red, bar_index % 100)",
        "color.rgb": "color.rgb(bar_index % 256, 20, 30, 40)",
        "color.from_gradient": "color.from_gradient(close, low, high, color.red, color.new(color.green, 40))",
        **{f"color.{part}": f"color.{part}(color.from_gradient(close, low, high, na, color.blue))" for part in "rgb"},
    }
    assert set(calls) == {name.partition("#")[0] for name in made_of_the_library("color")}
    lines = [
        f"plot({call})" if name[:-1] == "color." else f"plot(close, color = {call})" for name, call in calls.items()
    ]
    both('indicator("")\n' + "\n".join(lines))


def made_of_the_library(namespace: str) -> list[str]:
    """The functions of a namespace whose machine code is made of functions of the library."""
    return [
        name for name in library.FUNCTIONS if name.startswith(f"{namespace}.") and library.FUNCTIONS[name] in FUNCTIONS
    ]


ARRAY_CALLS = {
    **{f"array.new_{kind}": f"array.new_{kind}(2).size()" for kind in ("float", "int", "bool", "color", "string")},
    "array.new": "array.new<float>(2, close).last()",
    **{
        f"array.new_{kind}": f"array.new_{kind}(2, na).size()" for kind in ("line", "label", "box", "linefill", "table")
    },
    "array.copy": "a.copy().get(1)",
    "array.size": "a.size()",
    "array.clear": "cleared(a.copy())",
    "array.first": "a.first()",
    "array.last": "a.last()",
    "array.pop": "a.copy().pop()",
    "array.shift": "a.copy().shift()",
    "array.reverse": "reversed(a.copy())",
    "array.concat": "a.copy().concat(a).size()",
    "array.every": "f.every() ? 1 : 0",
    "array.some": "f.some() ? 1 : 0",
    "array.range": "a.range()",
    "array.sum": "a.sum()",
    "array.max": "a.max()",
    "array.min": "a.min()",
    "array.get": "a.get(bar_index % 3)",
    "array.remove": "a.copy().remove(1)",
    "array.set": "changed(a.copy())",
    "array.push": "changed(a.copy())",
    "array.unshift": "changed(a.copy())",
    "array.insert": "changed(a.copy())",
    "array.fill": "changed(a.copy())",
    "array.indexof": "a.indexof(close)",
    "array.lastindexof": "a.lastindexof(close)",
    "array.includes": "a.includes(close) ? 1 : 0",
    "array.avg": "a.avg()",
    "array.median": "a.median()",
    "array.variance": "a.variance()",
    "array.stdev": "a.stdev()",
    "array.percentrank": "a.percentrank(1)",
    "array.sort": "sorted(a.copy())",
}
ARRAY_HEAD = """indicator("")
cleared(float[] x) =>
    x.clear()
    x.size()
reversed(float[] x) =>
    x.reverse()
    x.first()
sorted(float[] x) =>
    x.sort(order.descending)
    x.first()
changed(float[] x) =>
    x.set(0, open)
    x.push(high)
    x.unshift(low)
    x.insert(1, hl2)
    total = x.sum()
    x.fill(close, 1, 2)
    total + x.sum()
a = array.from(close, open, high)
f = array.from(close > open, close > close[1])
"""


def test_every_function_of_arrays_has_the_bits_of_the_python_tier() -> None:
    assert set(ARRAY_CALLS) == {*made_of_the_library("array"), "array.sort"}, "compiled/library_functions.py"
    numbers = [f"plot({call})" for name, call in ARRAY_CALLS.items() if name != "array.new_string"]
    both(ARRAY_HEAD + "\n".join(numbers))
    both('indicator("")\n' + f"plot({ARRAY_CALLS['array.new_string']})")


def test_every_variable_of_a_strategy_has_the_values_of_the_python_tier() -> None:
    lines, texts = [f"strategy.{name}" for name in variables()], []
    for owner, name in of_trades():
        for number in (f"strategy.{owner} - 1", "0", "-1", "na", "99999"):
            is_text = name.endswith(("_id", "_comment"))
            (texts if is_text else lines).append(f"strategy.{owner}.{name}({number})")
    lines += ["strategy.convert_to_account(close)", "strategy.convert_to_symbol(close)"]
    lines += ["strategy.default_entry_qty(close)"]
    read_while_it_trades(lines, "commission_value = 0.1")
    # "Margin call" is no text of the script, so Python runs a strategy that reads it.
    read_while_it_trades([f'{text} == "L" ? 1 : 0' for text in texts], "margin_long = 0, margin_short = 0")


def read_while_it_trades(values: list[str], properties: str) -> None:
    """Compare the values on both tiers."""
    lines = [f"plot({value})" for value in values]
    for first in range(0, len(lines), MOST_PLOTS):
        ran = both(
            f'strategy("S", pyramiding = 2, {properties})\n'
            'if close > open\n    strategy.entry("L", strategy.long)\n'
            'if close < open and bar_index % 5 == 0\n    strategy.entry("S", strategy.short)\n'
            + "\n".join(lines[first : first + MOST_PLOTS])
        )
        assert ran.tested is not None
        assert len(ran.tested.trades) > 10
