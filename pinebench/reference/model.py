"""The shapes of the reference: parameters, overloads, functions, variables, constants and types of Pine v6.

Types are written as compact text, `[qualifier ]base(|base)*`:

- the qualifier is `const`, `input`, `simple` or `series`: the strongest one a parameter accepts, or the one a result
  has. Without it any qualifier is accepted (collections and objects are always series);
- a base is `int float bool string color`, a drawing or special type (`line linefill box polyline label table
  chart.point footprint volume_row`), a handle (`plot hline`), `enum` (any enum), `udt` (any user-defined type), a
  special constant type (`plot_display`, `sort_order`, ...), `na`, `source` (one of the price built-ins that an input
  can offer), `any` or `void`;
- collections: `array<X>`, `matrix<X>`, `map<K,V>`, where X is a base, a union in parentheses
  (`array<(int|float)>`), `any`, or a type variable;
- `T` is the element type of the call's collection, or the type argument of `array.new<T>` and `matrix.new<T>`;
  `K` and `V` are the key and value types of its map. Alone they accept, or give, a value of that type;
- `tuple<const string>` is a literal tuple of such values (the `options` of an input);
- results only: `[series float, series float]` is a tuple; `typeof NAME` is the type of the argument `NAME`, with the
  qualifier written in front of it, if any, in place of its own; `qualified BASE` takes the strongest qualifier of all
  arguments.
"""

from __future__ import annotations

from typing import NamedTuple


class Parameter(NamedTuple):
    """One parameter of an overload.

    `default` is Pine text, None when the parameter is required or its default depends on where the script runs; a name
    in it that is a parameter of the same function stands for that argument. `allowed` are the documented values, empty
    when free. `noun` is the word that TradingView was recorded to print as the expected type in CE10123, else None. The
    last parameter of a variadic overload stands for all further arguments and carries TradingView's name for them
    (`arg0, arg1, ...`).
    """

    name: str
    type: str
    required: bool = True
    default: str | None = None
    allowed: tuple[str, ...] = ()
    noun: str | None = None


class Overload(NamedTuple):
    """One signature of a function: its parameters in order, and the type text of its result."""

    parameters: tuple[Parameter, ...]
    returns: str


class Effects(NamedTuple):
    """What a built-in does beside giving a value.

    `reads` says of what, beside its arguments, its value depends: `bars` (prices, volume, time, place in the history),
    `chart` (symbol, timeframe and settings of the chart), `inputs`, `requests` (data of other charts and reports),
    `orders` (positions and trades), `drawings` (those that are there), `object` (what is in its first argument),
    `clock`, `random`. `changes` says what it changes: `object` (its first argument, in place), `drawings`, `plots`,
    `orders`, `alerts`, `log`, `declaration` (what the script is), `history` (how much of it is kept), `stop` (it ends
    the run). `keeps` says that it keeps something from bar to bar, so that leaving a bar out changes what it gives.
    """

    reads: frozenset[str]
    changes: frozenset[str]
    keeps: bool


class Function(NamedTuple):
    """A built-in function with all its overloads, in the order of TradingView's reference.

    `required` are the parameters without which the compiler reports CE10165, whatever the overload; `variadic` is the
    least number of arguments of a function that takes any number of them, else 0. `receiver` is the type whose method
    it also is. `description` is one sentence on what it does, `effects` what it does beside giving a value, `traits`
    what rules know about it (`pinebench.reference.records.TRAITS`). `within` are the least and the greatest number that
    its value can be, None where that is not known (the greatest may be infinite). `places` are its parameters that are
    the index of a bar, `rule` is the name of what the checker checks beside its parameters.
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
    rule: str | None


class Variable(NamedTuple):
    """A built-in variable and its qualified type text; `description` says what it holds, the rest as for a function."""

    name: str
    type: str
    namespace: str | None
    description: str
    effects: Effects
    traits: frozenset[str]
    within: tuple[float, float] | None


class Constant(NamedTuple):
    """A built-in constant and its type text, qualifier included; `description` says what it stands for."""

    name: str
    type: str
    namespace: str | None
    description: str


class Field(NamedTuple):
    """A field of a built-in object type."""

    name: str
    type: str


class Type(NamedTuple):
    """A type that can be written in a declaration; `kind` is `primitive`, `object` or `container`."""

    name: str
    kind: str
    fields: tuple[Field, ...]
