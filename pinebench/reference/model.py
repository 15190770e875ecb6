"""The data types of the reference: parameters, overloads, functions, variables, constants and types of Pine v6.

Types are written as compact text, `[qualifier ]base(|base)*`.
- The qualifier is `const`, `input`, `simple` or `series`: the strongest one that a parameter accepts, or the qualifier
  of a result. Without it any qualifier is accepted; collections and objects are always series.
- A base is one of `int float bool string color`, a drawing or another object type (`line linefill box polyline label
  table chart.point footprint volume_row`), a handle (`plot hline`), `enum` (any enum), `udt` (any user-defined type), a
  special constant type (`plot_display`, `sort_order`, ...), `na`, `source` (one of the built-in prices that an input
  can offer), `any` or `void`.
- Collections are `array<X>`, `matrix<X>` and `map<K,V>`. X is a base, a union in parentheses (`array<(int|float)>`),
  `any`, or a type variable.
- `T` is the element type of the call's collection, or the type argument of `array.new<T>` and `matrix.new<T>`. `K` and
  `V` are the key and value types of its map. Written alone, each stands for a value of that type.
- `tuple<const string>` is a literal tuple of such values (the `options` of an input).
- Only for results: `[series float, series float]` is a tuple. `typeof NAME` is the type of the argument `NAME`; a
  qualifier before it replaces the argument's own. `qualified BASE` has the strongest qualifier of all arguments.
"""

from __future__ import annotations

from pinebench.records import NamedTuple


class Parameter(NamedTuple):
    """One parameter of an overload.

    `default` is Pine text. It is None if the parameter is required, or if its default depends on the chart. A name in
    it that is a parameter of the same function refers to the argument for that parameter. `allowed` has the documented
    values; it is empty if any value is allowed. `noun` is the expected type as TradingView was recorded to print it in
    CE10123, or None. The last parameter of a variadic overload represents all further arguments and has TradingView's
    name for them (`arg0, arg1, ...`).
    """

    name: str
    type: str
    required: bool = True
    default: str | None = None
    allowed: tuple[str, ...] = ()
    noun: str | None = None


class Overload(NamedTuple):
    """One signature of a function: its parameters in order, and the text of its return type."""

    parameters: tuple[Parameter, ...]
    returns: str


class Effects(NamedTuple):
    """The effects of a built-in besides its value.

    `reads` says what its value depends on besides its arguments: `bars` (prices, volume, time, place in the history),
    `chart` (symbol, timeframe and settings of the chart), `inputs`, `requests` (data of other charts and reports),
    `orders` (positions and trades), `drawings` (existing drawings), `object` (the content of its first argument),
    `clock`, `random`. `changes` says what it changes: `object` (its first argument, in place), `drawings`, `plots`,
    `orders`, `alerts`, `log`, `declaration` (the kind of the script), `history` (its length), `stop` (it ends the run).
    `keeps` says that it keeps state from bar to bar, so that skipping a bar changes its values.
    """

    reads: frozenset[str]
    changes: frozenset[str]
    keeps: bool


class Function(NamedTuple):
    """A built-in function with all its overloads, in the order of TradingView's reference.

    `required` are the parameters without which the compiler reports CE10165, whatever the overload; `variadic` is the
    least number of arguments of a function that takes any number of them, else 0. `receiver` is the type that also has
    it as a method. `description` says in one sentence what it does, `effects` are its effects besides its value, and
    `traits` are facts that rules use (`pinebench.reference.records.TRAITS`). `within` are the least and the greatest
    number that its value can be, None if they are not known (the greatest may be infinite). `places` are its parameters
    that take a bar index. A call selects an overload with the parameters `choosing` only if it passes one of them by
    name, or several by position. `rule` names an additional check of the checker, None if there is none.
    """

    name: str
    overloads: tuple[Overload, ...]
    required: tuple[str, ...]
    variadic: int
    history_dependent: bool
    top_level_only: bool
    receiver: str | None
    namespace: str | None
    description: str
    effects: Effects
    traits: frozenset[str]
    within: tuple[float, float] | None
    places: tuple[str, ...]
    choosing: tuple[str, ...]
    rule: str | None


class Variable(NamedTuple):
    """A built-in variable and its type text with the qualifier. `description` says what it holds; the other fields are
    the same as for a function."""

    name: str
    type: str
    namespace: str | None
    description: str
    effects: Effects
    traits: frozenset[str]
    within: tuple[float, float] | None


class Constant(NamedTuple):
    """A built-in constant and its type text with the qualifier. `description` says what it stands for."""

    name: str
    type: str
    namespace: str | None
    description: str


class ObjectField(NamedTuple):
    """A field of a built-in object type; `description` says what it holds."""

    name: str
    type: str
    description: str = ""


class Type(NamedTuple):
    """A type that can be written in a declaration; `kind` is `primitive`, `object` or `container`, and `description`
    says what a value of the type is."""

    name: str
    kind: str
    fields: tuple[ObjectField, ...]
    description: str = ""
