"""Advice beside TradingView's words: did you mean, and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from pinebench import reference
from pinebench.check import spelling
from pinebench.check.symbols import TypeSymbol, VariableSymbol
from pinebench.check.types import QUALIFIERS, SERIES, TYPE_KEYWORDS, Base
from pinebench.reference.successors import COMPOSED, RENAMED, VALUES, successor, within_a_namespace
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.check.checker import Checker

_FOREIGN_TYPES = {"str": "string", "integer": "int", "boolean": "bool", "double": "float", "number": "float"}
"""Types as other languages call them."""

_FOREIGN_VALUES = {**dict.fromkeys(("null", "none", "nan", "nil", "undefined"), "na"), "true": "true", "false": "false"}
"""Values as other languages write them, in small letters."""

_COLLECTIONS = ("array", "matrix", "map")

_OF_KINDS = frozenset(("type", "minval", "maxval", "step", "options", "confirm"))
"""Parameters that `input()` had in earlier versions."""
ELSEWHERE = {
    "iff": "the ternary operator ?:",
    "offset": "the history-referencing operator []",
    "len": "`array.size()` and `str.length()`",
    "print": "`log.info()`",
    "console.log": "`log.info()`",
    "enumerate": "`for [index, value] in array`",
}
"""Functions of older versions and other languages, and what v6 has for them."""
FOREIGN = {
    "range": "Pine counts with `for i = 0 to 4`, both ends included; how far a series reaches is `ta.range()`.",
    "return": "Pine has no `return`: the last line of a function is its result.",
    "default": "The last branch of a `switch` is `=> value`, without a condition.",
    "pass": "Pine has no `pass`: a block holds at least one line that does something, or is left out.",
    "self": "A method calls its object as its first parameter does: `method grow(Level this) =>` calls it `this`.",
    **dict.fromkeys(("color.none", "color.transparent"), "A colour that shows nothing is `na`."),
    **dict.fromkeys(("ta.adx", "adx"), "The average directional index is the third result of `ta.dmi(n, m)`."),
    "ta.ichimoku": "Each line is a mean of extremes: `math.avg(ta.highest(9), ta.lowest(9))`.",
    **dict.fromkeys(
        (
            "timeframe.day",
            "timeframe.daily",
            "timeframe.week",
            "timeframe.weekly",
            "timeframe.hour",
            "timeframe.minute",
        ),
        'A timeframe is a text: `"D"`, `"W"`, or minutes as in `"60"`.',
    ),
    **dict.fromkeys(("log.print", "log.debug", "log.write"), "Pine logs with `log.info()`."),
    **dict.fromkeys(
        ("America", "Europe", "Asia", "Australia", "Africa", "Pacific"),
        'A time zone is a text: `"America/New_York"`.',
    ),
    **dict.fromkeys(("long", "short"), "The direction of an order is `strategy.long` or `strategy.short`."),
    **dict.fromkeys(
        ("math.mean", "math.average", "ta.mean", "ta.avg", "ta.average", "mean", "average"),
        "The mean of values is `math.avg(a, b)`, of bars `ta.sma(source, length)`, of an array `array.avg(id)`.",
    ),
    "_": "`_` stands for a value of a tuple that is not needed; the last branch of a `switch` is `=> value`.",
    **dict.fromkeys(("end", "endif", "end_if"), "A block ends where its indentation ends: leave the word out."),
    **dict.fromkeys(
        ("strategy.buy", "strategy.long", "buy"), "A position is opened by `strategy.entry(id, strategy.long)`."
    ),
    **dict.fromkeys(
        ("strategy.sell", "strategy.short", "sell"),
        "A short position is opened by `strategy.entry(id, strategy.short)`; `strategy.close(id)` ends a long one.",
    ),
    **dict.fromkeys(
        ("strategy.stop_loss", "strategy.take_profit", "strategy.stop", "strategy.limit", "strategy.trailing_stop"),
        "Stops and targets are arguments of `strategy.exit(id, from_entry, stop = ..., limit = ...)`.",
    ),
}
"""Words of other languages and platforms that no name of Pine takes the place of, and what Pine has."""
_STOP = ("stop", "`stop` takes the price of the stop, `loss` its distance in ticks.")
_TARGET = ("limit", "`limit` takes the price of the target, `profit` its distance in ticks.")
_TRAIL = (
    "trail_offset",
    "`trail_price` or `trail_points` says where a trailing stop begins, `trail_offset` how many ticks behind it stays.",
)
_COSTS = ("commission_value", "`commission_value` says how much, `commission_type` of what.")
PARAMETERS = {
    **dict.fromkeys(("stop_loss", "stoploss", "sl", "stop_price"), _STOP),
    **dict.fromkeys(("take_profit", "takeprofit", "tp", "target"), _TARGET),
    **dict.fromkeys(("trailing_stop", "trailing", "trail", "trail_stop"), _TRAIL),
    **dict.fromkeys(("commission", "fee", "fees"), _COSTS),
    **dict.fromkeys(
        ("qty_percent", "percent", "size_percent"),
        (
            "qty",
            "`qty` counts contracts; a share of the equity is `default_qty_type = strategy.percent_of_equity` in"
            " `strategy()`.",
        ),
    ),
}
"""Parameters as other platforms call them: one that shows that the function has them, and what to say."""
_STEADY_VALUES = {
    "simple": "the same on every bar: a value as it is written, an input, or what is made of those",
    "input": "known before the first bar: a value as it is written, a constant or an input",
    "const": "known when the script is compiled: a value as it is written or a constant, and no input",
}
"""What a parameter takes that asks for a qualifier below `series`."""
_STEADY = {
    "ta.ema": "`ta.sma` takes a length that changes",
    "ta.rma": "`ta.sma` takes a length that changes",
    "hline": "`plot()` draws a level that changes",
    "alertcondition": "`alert()` takes a text that changes, and placeholders such as `{{close}}` are filled in",
}
"""Functions that take what stays, with what takes its place where it changes."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """A hint with the candidate nearest to `name`, or None when nothing is near; a letter alone is near to no other."""
    near = spelling.best(name, set(candidates))
    if near is not None and len(name) == 1 and len(near) == 1 and near.lower() != name.lower():
        return None
    return None if near is None else f"Did you mean `{near}`?"


_LIKENESS_OF_A_NAMESPACE = 0.6
"""Where the member is known and the namespace is not; few namespaces have it."""

_MOST_HINTS = 50
"""Past so many different unknown names of one kind a script has other troubles than spelling."""
_MOST_LISTED = 20
"""So many fields or parameters are named where none is near."""

_Asked = ParamSpec("_Asked")
_Search = Callable[Concatenate["Checker", _Asked], str | None]


def _remembered(search: _Search[_Asked]) -> _Search[_Asked]:
    """Look for each name once, and for a bounded number of names: the search goes over everything that is declared."""

    @wraps(search)
    def remembered(checker: Checker, *asked: _Asked.args, **named: _Asked.kwargs) -> str | None:
        if checker.reporter.on_trial:
            return None
        hints = checker.hints.setdefault(search.__name__, {})
        if asked not in hints:
            hints[asked] = search(checker, *asked, **named) if len(hints) < _MOST_HINTS else None
        return hints[asked]

    return remembered


def _has(names: Sequence[str]) -> str | None:
    """What there is where nothing is near; of many names the first."""
    more = len(names) - _MOST_LISTED
    listed = ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"It has: {listed}." if names else None


@_remembered
def similar_name(checker: Checker, name: str) -> str | None:
    """A hint for an undeclared identifier."""
    if name in FOREIGN:
        return FOREIGN[name]
    if "." in name:
        if reference.function(name) is not None:
            return f"`{name}` is a function: write `{name}(...)`."
        return _successor(name) or _member(checker, name)
    if name.lower() in _FOREIGN_VALUES:
        return f"Pine writes `{_FOREIGN_VALUES[name.lower()]}`."
    if name in reference.namespaces() and name not in VALUES:
        return f"`{name}` holds what is called `{name}.` and a name; alone it is no value."
    if name in TYPE_KEYWORDS:
        return f"`{name}` is a type: it stands before a name, or between angle brackets as in `array.new<{name}>()`."
    declared = next((symbol for symbol in checker.bindings.symbols if symbol.name == name), None)
    if declared is not None:
        return _out_of_reach(declared)
    names = {symbol.name for symbol in checker.bindings.symbols}
    return (
        did_you_mean(name, names)
        or _moved_value(name)
        or did_you_mean(name, _plain(reference.variables()))
        or _within(name, (*reference.variables(), *reference.constants()))
    )


def _out_of_reach(symbol: VariableSymbol) -> str:
    """A hint for a variable that is declared, but not where it is asked for."""
    name = symbol.name
    if symbol.scope.function is not None:
        return f"`{name}` belongs to the function `{symbol.scope.function.name}`: only its body knows it."
    if symbol.scope.kind == "global":
        return f"`{name}` is declared further down: a variable can be used only after its declaration."
    return f"`{name}` ends with the block that declares it: declare it before, and change it there with `:=`."


@_remembered
def similar_function(checker: Checker, name: str) -> str | None:
    """A hint for an unknown function."""
    if name in FOREIGN:
        return FOREIGN[name]
    if reference.variable(name) is not None or reference.constant(name) is not None:
        return f"`{name}` is a value: write it without parentheses; `{name}[1]` is that of the bar before."
    if name in checker.bindings.types:
        return f"`{name}` is a type: an object of it is made by `{name}.new(...)`."
    if "." in name:
        return _successor(name) or _member(checker, name)
    if name in checker.bindings.functions:
        return f"`{name}` is declared further down: a function can be called only after its declaration."
    return (
        _successor(name)
        or did_you_mean(name, [*checker.bindings.functions, *_plain(reference.functions())])
        or _within(name, reference.functions())
    )


def _within(name: str, known: Iterable[str]) -> str | None:
    """A hint for a name whose namespace was forgotten, or its dot, if one of `known` alone is called so."""
    found = within_a_namespace(name, known)
    return f"Did you mean `{found}`?" if found else None


def _moved_value(name: str) -> str | None:
    """A hint for a value of an older version; none for a function's name, which is no value (`length`)."""
    if name in VALUES:
        return f"Did you mean `{VALUES[name]}`?"
    found = successor(name)
    if found is not None and reference.function(found) is not None and reference.variable(found) is None:
        return _successor(name) if name in RENAMED else None
    return _successor(name)


def _successor(name: str) -> str | None:
    """A hint for a name of an older version."""
    if name in COMPOSED:
        return f"Pine v6 has no `{name}`; write `{COMPOSED[name]}`."
    if name in ELSEWHERE:
        return f"Pine v6 has {ELSEWHERE[name]} instead."
    found = successor(name)
    if found is None:
        return None
    # A name that only moved into a namespace was more likely forgotten than old.
    return f"Did you mean `{found}`?" if found.endswith(f".{name}") else f"Pine v6 has `{found}` instead."


def _member(checker: Checker, name: str) -> str | None:
    """A hint for a dotted name whose last part is misspelt, or whose first is."""
    owner, _, short = name.rpartition(".")
    bindings = checker.bindings
    enum = bindings.enums.get(owner)
    members = enum.fields if enum is not None else ("new",) if owner in bindings.types else reference.members(owner)
    found = spelling.best(short, members, spelling.LIKENESS_WITHIN)
    if found is not None:
        return f"Did you mean `{owner}.{found}`?"
    if members:
        return None
    if reference.function(f"{short}.{owner}") is not None:
        return f"Did you mean `{short}.{owner}`?"
    if short == "new":
        found = spelling.best(owner, {*bindings.types, *reference.namespaces()})
    else:
        having = [space for space in sorted(reference.namespaces()) if short in reference.members(space)]
        found = spelling.best(owner, having, _LIKENESS_OF_A_NAMESPACE)
    return None if found is None else f"Did you mean `{found}.{short}`?"


@_remembered
def similar_type(checker: Checker, name: str) -> str | None:
    """A hint for an unknown type."""
    if name in _FOREIGN_TYPES:
        return f"Did you mean `{_FOREIGN_TYPES[name]}`?"
    bindings = checker.bindings
    if name in bindings.types or name in bindings.enums:
        return f"`{name}` is declared further down: a type can be named only after its declaration."
    return did_you_mean(name, [*bindings.types, *bindings.enums, *TYPE_KEYWORDS, *_COLLECTIONS, "var", "varip"])


@_remembered
def similar_field(_: Checker, base: Base, name: str) -> str | None:
    """A hint for an unknown field of a value of type `base`."""
    if base.kind == "tuple":
        return taken_apart(base, None, "")
    if base.kind == "scalar":
        space = _space_of(base.name, name)
        own = f"; `{name}` is a value by itself" if reference.variable(name) is not None else ""
        return f"A {base.name} has no fields" + (f": call `{space}.{name}(...)`." if space else f"{own}.")
    builtin = reference.types().get(base.name)
    fields = (
        base.symbol.fields
        if isinstance(base.symbol, TypeSymbol)
        else [field.name for field in builtin.fields]
        if builtin
        else ()
    )
    if fields:
        return did_you_mean(name, fields) or _has(list(fields))
    kind = base.kind if base.kind in _COLLECTIONS else base.name
    methods = reference.methods(kind)
    renamed = (successor(f"{kind}.{name}") or "").rpartition(".")[2]
    meant = name if name in methods else renamed if renamed in methods else spelling.best(name, set(methods))
    return f"It has no fields; did you mean the method `{meant}()`?" if meant else None


def _space_of(type_name: str, function: str) -> str | None:
    """The namespace with a function for values of a type."""
    spaces = ("str",) if type_name == "string" else ("math", "str", "ta")
    return next((space for space in spaces if function in reference.members(space)), None)


@_remembered
def similar_method(checker: Checker, base: Base, name: str) -> str | None:
    """A hint for an unknown method of a value of type `base`."""
    owner = base.kind if base.kind in ("array", "matrix", "map") else base.name
    if base.kind == "scalar":
        one = f"An {base.name}" if base.name == "int" else f"A {base.name}"
        space = _space_of(base.name, name)
        own = any(name == function.name for group in checker.bindings.functions.values() for function in group)
        if space:
            return f"{one} has no built-in methods; call `{space}.{name}(...)`."
        if not own:
            return f"{one} has no built-in methods: functions stand in `str`, `math` and `ta`."
    if name == "new":
        return "An object is made by its type, as in `label.new(...)` or `Level.new(...)`, and not by an object."
    renamed = successor(f"{owner}.{name}")
    if renamed is not None and renamed.startswith(f"{owner}."):
        return f"Pine v6 has `{renamed.rpartition('.')[2]}` instead."
    user = [function.name for group in checker.bindings.functions.values() for function in group if function.is_method]
    return did_you_mean(name, [*user, *reference.methods(owner)])


@_remembered
def similar_parameter(_: Checker, known: tuple[str, ...], name: str) -> str | None:
    """A hint for an unknown parameter name."""
    if name == "when" and name not in known:
        return "Pine v6 has no `when`: put the call into a block, `if` and the condition."
    if name == "transp":
        return "Pine v6 has no `transp`: make it part of the colour, as in `color.new(color.red, 40)`."
    if name in _OF_KINDS and "defval" in known:
        return "Pine v6 has a function for each kind of input: `input.int()`, `input.float()`, `input.string()`, ..."
    if name in PARAMETERS and PARAMETERS[name][0] in known:
        return PARAMETERS[name][1]
    if name == "src" and "source" in known:
        return "Did you mean `source`?"
    begun = [parameter for parameter in known if parameter.startswith(name)] if len(name) > 1 else []
    return (
        did_you_mean(name, known) or (f"Did you mean `{begun[0]}`?" if len(begun) == 1 else None) or _has(sorted(known))
    )


def truth_value(given: str, wanted: str, function: str = "") -> str | None:
    """A hint where a value of the type `given` stands and one of the type `wanted` is due, if one of them is a bool:
    earlier versions took numbers for it, and had `na` as a third one."""
    given, wanted = given.rpartition(" ")[2], wanted.rpartition(" ")[2]
    if wanted == "bool" and given == "na":
        return "A bool is never `na` in v6: write `false`, or keep a third state in an int."
    if wanted == "bool" and given in ("int", "float"):
        return "Pine v6 takes no number for a bool: compare it, or write `bool(...)`, which is false for 0 and `na`."
    if given == "bool" and function == "alert":
        return "`alert(message)` is called under its condition: put it into a block, `if` and the condition."
    if given == "bool" and wanted == "na":
        return "A bool is never `na` in v6: write `false` in the other branch."
    return None


def no_text(given: str, wanted: str) -> str | None:
    """A hint where a text stands and a colour is due."""
    if given.rpartition(" ")[2] == "string" and wanted.rpartition(" ")[2] == "color":
        return "A colour is no text: write `color.green` or `#00FF00`."
    return None


def never_na(function: str) -> str | None:
    """A hint for a bool given to a function that asks for `na`, which no bool is."""
    if function not in ("na", "nz", "fixnan"):
        return None
    return f"A bool is never `na` in v6, so `{function}()` takes none: leave it out, or keep a third state in an int."


def at_top_level(function: str) -> str | None:
    """A hint for a call in a block that belongs to the top level."""
    if function == "alertcondition":
        return "Call it at the top level with the condition as its argument, or call `alert()` here."
    if function.startswith("plot") or function in ("bgcolor", "barcolor"):
        return f"Call it at the top level, with what it shows under the condition: `{function}(condition ? ... : na)`."
    return None


def joined(function: str, given: str, expected: str, node: nodes.Node) -> str | None:
    """A hint for an operator that texts and numbers meet at."""
    if function == "operator +" and expected == "const string" and given in ("int", "float", "bool"):
        return f"Texts are joined with texts only: make one of the {given} with `str.tostring(...)`."
    if function == "operator %" and given == "string":
        return "`%` computes a remainder only: `str.format()` fills texts with values."
    if function == "operator *" and given == "string" and isinstance(node, nodes.Literal):
        return "`*` multiplies numbers only: `str.repeat()` repeats texts."
    return None


def taken_apart(base: Base, node: nodes.Node | None, expected: str) -> str | None:
    """A hint where a collection or a tuple stands and one value is due, or the other way round."""
    if base.kind == "tuple":
        names = _names_for(base)
        return f"It gives {len(base.items)} values: take them apart first, `{names} = ...`, and use one of them."
    if base.kind in ("array", "matrix") and isinstance(node, nodes.History):
        return f"`[]` looks back in time: an element is read with `{base.kind}.get()`."
    if base.kind == "object" and expected.endswith("float"):
        return f"A {base.name} is no number and shows itself: it needs no `plot()`."
    if base.name == "int" and expected == "array<type>":
        return FOREIGN["range"]
    if expected in ("plot", "hline"):
        return "Give what `plot()` or `hline()` returns, kept in a variable: `upper = plot(high)`."
    if expected.startswith("tuple of"):
        values = '["A", "B"]' if expected.endswith("string") else "[1, 2, 3]"
        return f"Give the values as a list in brackets, as in `options = {values}`."
    if expected == "const enum":
        return "Give a field of an enum that the script declares, as in `enum Side` and `Side.long`."
    if expected.endswith("strategy_direction"):
        return "Say which way the order goes: `strategy.long` or `strategy.short`."
    return None


def tuple_in_one(base: Base) -> str:
    """A hint for a tuple that is given to one variable."""
    return f"Name a variable for each value, `{_names_for(base)} = ...`; `_` stands for one that is not needed."


def _names_for(base: Base) -> str:
    count = len(base.items)
    return f"[{', '.join('abcdefgh'[:count])}]" if count <= _MOST_NAMES else "[a, b, ...]"


_MOST_NAMES = 8


def steady(function: str, given: str, qualifier: int, expected: str) -> str | None:
    """A hint for a value that is known too late where one that stays is due."""
    wanted, _, base = expected.rpartition(" ")
    if function.startswith("operator") or wanted not in _STEADY_VALUES or qualifier <= QUALIFIERS[wanted]:
        return None
    if given != base and (given, base) != ("int", "float"):
        return None
    other = _STEADY.get(function) if qualifier == SERIES else None
    more = f"; {other}" if other else ""
    return f"It must be {_STEADY_VALUES[wanted]}{more}."


def history_of_field(field: str) -> str:
    """A hint for the history of a field: what TradingView's words advise stops the script where there is no object."""
    return (
        f"Keep the field in a variable on every bar, `kept = object.{field}`, and read `kept[1]`:"
        f" `(object[1]).{field}` stops the script on the first bar, where there is no object."
    )


def one_of(values: str) -> str | None:
    """A hint where one of certain constants is due, listed in `values`."""
    first = values.partition(",")[0].strip()
    return f"Write one of those constants, such as `{first}`." if first else None


def surplus(function: str) -> str | None:
    """A hint for more arguments than a function takes, where another one takes them."""
    return "A colour is made of its parts by `color.rgb(red, green, blue)`." if function == "color" else None


def missing_argument(name: str) -> str | None:
    """A hint for a required parameter that has no argument, where it must not be guessed."""
    if name != "direction":
        return None
    return "Say which way the order goes: `strategy.long` or `strategy.short`."


def _plain(names: Iterable[str]) -> list[str]:
    return [name for name in names if "." not in name]
