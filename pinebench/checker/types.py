"""Pine's types: a base with a qualifier. Each type exists only once, so types can be compared by identity."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pinebench.patterns import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.syntax import nodes

CONST, INPUT, SIMPLE, UNDETERMINED, SERIES = range(5)
"""Qualifiers from weakest to strongest.

An expression takes the strongest qualifier of its parts, so `max` combines them. `UNDETERMINED` comes before `SERIES`
because one part that is series makes the whole expression series.
"""

QUALIFIER_NAMES = ("const", "input", "simple", "", "series")
QUALIFIERS = {"const": CONST, "input": INPUT, "simple": SIMPLE, "series": SERIES}


COLLECTIONS = frozenset(("array", "matrix", "map"))
"""The kinds of bases that hold elements."""


class Type:
    """A base with a qualifier. `literal` marks the type of a literal, which messages describe differently from other
    constants. `from_library` marks the unknown type of a value from a library whose source was not found."""

    __slots__ = ("base", "from_library", "literal", "qualifier")

    def __init__(self, base: Base, qualifier: int, literal: bool = False, from_library: bool = False) -> None:
        self.base = base
        self.qualifier = qualifier
        self.literal = literal
        self.from_library = from_library

    def __repr__(self) -> str:
        return f"<{display(self)}>"


class Base:
    """A type without its qualifier.

    `kind` of a value's base is scalar, na, void, object, special, handle, array, matrix, map, tuple, udt, enum or
    unknown. Only signatures have the kinds variable, union, options, any, any-enum, any-udt and source. `arguments` has
    the element types of a collection or the members of a union, and `items` the types in a tuple. `symbol` is the
    declaration of a user-defined type or enum. `arrays`, `matrices`, `maps` and `tuples` cache the types made from this
    type, so that types made from a script's own types do not outlive the script.
    """

    __slots__ = (
        "arguments",
        "arrays",
        "items",
        "kind",
        "literal",
        "maps",
        "matrices",
        "name",
        "qualified",
        "symbol",
        "tuples",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        arguments: tuple[Base, ...] = (),
        symbol: NamedType | None = None,
        items: tuple[Type, ...] = (),
    ) -> None:
        self.name = name
        self.kind = kind
        self.arguments = arguments
        self.symbol = symbol
        self.items = items
        self.qualified = tuple(Type(self, qualifier) for qualifier in range(5))
        self.literal = Type(self, CONST, literal=True)
        self.arrays: Base | None = None
        self.matrices: Base | None = None
        self.maps: dict[tuple[Base, Base], Base] | None = None
        self.tuples: dict[tuple[Type, ...], Base] | None = None

    def __repr__(self) -> str:
        return f"Base({self.name})"

    def at(self, qualifier: int) -> Type:
        """Return this base with `qualifier`."""
        return self.qualified[qualifier]


class NamedType:
    """A type or an enum that a script declares. The module `symbols` has a subclass for each of the two.

    `start` is an offset in the text; the name can be used only after it. `library` is the path of the library that
    declares it; None if the script does. `is_broken` means that fields may be missing because of a syntax error.
    """

    __slots__ = ("exported", "is_broken", "library", "name", "offset", "start", "type")

    def __init__(
        self, name: str, node: nodes.TypeDeclaration | nodes.EnumDeclaration, offset: int, type_: Base
    ) -> None:
        self.name = name
        self.offset = offset
        self.start = offset + node.start
        self.exported = node.exported
        self.type = type_
        self.library: str | None = None
        self.is_broken = False


INT = Base("int", "scalar")
FLOAT = Base("float", "scalar")
BOOL = Base("bool", "scalar")
STRING = Base("string", "scalar")
COLOR = Base("color", "scalar")
NA = Base("na", "na")
VOID = Base("void", "void")
NOTHING = Base("void", "void")
"""The type of a block that ends in `break` or `continue`.

It is void, but whether TradingView lets a script use such a value was never recorded. So code that uses the value gets
UNKNOWN.
"""
ANY = Base("any", "any")
UNKNOWN_BASE = Base("unknown", "unknown")
PLOT = Base("plot", "handle")
HLINE = Base("hline", "handle")
ENUM = Base("enum", "any-enum")
SOURCE = Base("source", "source")
UDT = Base("udt", "any-udt")

UNKNOWN = UNKNOWN_BASE.at(UNDETERMINED)
"""The type of values that nothing is known about. Nothing is ever reported about them."""
REFUSED = Type(UNKNOWN_BASE, UNDETERMINED)
"""The type of a call whose arguments were refused. It is unknown; a log function refuses it as an argument
(recorded)."""
_FROM_LIBRARY = tuple(Type(UNKNOWN_BASE, qualifier, from_library=True) for qualifier in range(5))
FROM_LIBRARY = _FROM_LIBRARY[UNDETERMINED]
"""The type of values of a library whose source was not found. TradingView knows their type, so the other parts of code
that uses them are checked; after an error, TradingView leaves them unchecked (recorded)."""
VOID_TYPE = VOID.at(CONST)

SCALARS = {base.name: base for base in (INT, FLOAT, BOOL, STRING, COLOR)}
LITERALS = {name: base.literal for name, base in SCALARS.items()}
"""The type of a literal, by its kind."""
OBJECTS = {
    name: Base(name, "object")
    for name in ("line", "linefill", "box", "polyline", "label", "table", "chart.point", "footprint", "volume_row")
}
SPECIALS = {
    name: Base(name, "special")
    for name in (
        "backadjustment",
        "barmerge_gaps",
        "barmerge_lookahead",
        "hline_style",
        "plot_display",
        "plot_simple_display",
        "plot_line_style",
        "plot_style",
        "scale_type",
        "settlement",
        "sort_order",
        "strategy_direction",
        "text_format",
    )
}
DISPLAYS = frozenset((SPECIALS["plot_display"], SPECIALS["plot_simple_display"]))
"""`display.*` constants are integers to the compiler: they can be added, and an integer is accepted for them."""
ADDABLE = DISPLAYS | {SPECIALS["text_format"]}
"""Special constants that combine with `+`: `display.*` and `text.format_*` (TradingView's reference)."""

TYPE_KEYWORDS: dict[str, Base] = {**SCALARS, **OBJECTS}
"""Types that a script can name. The special constant types, plot and hline cannot be named (recorded verdicts,
CE10149)."""

VARIABLES = {name: Base(name, "variable") for name in ("T", "K", "V")}
_NAMED: dict[str, Base] = {
    **SCALARS,
    **OBJECTS,
    **SPECIALS,
    **VARIABLES,
    "na": NA,
    "void": VOID,
    "any": ANY,
    "plot": PLOT,
    "hline": HLINE,
    "enum": ENUM,
    "source": SOURCE,
    "udt": UDT,
}
_UNIONS: dict[tuple[Base, ...], Base] = {}

NUMBERS = frozenset((INT, FLOAT))
VALUE_KINDS = frozenset(("scalar", "enum", "special"))
"""Kinds whose values have a qualifier of their own. Everything else is a reference, and always series."""


def array_of(element: Base) -> Base:
    """Return the type `array<element>`."""
    if element.arrays is None:
        element.arrays = Base(f"array<{element.name}>", "array", (element,))
    return element.arrays


def matrix_of(element: Base) -> Base:
    """Return the type `matrix<element>`."""
    if element.matrices is None:
        element.matrices = Base(f"matrix<{element.name}>", "matrix", (element,))
    return element.matrices


def map_of(key: Base, value: Base) -> Base:
    """Return the type `map<key, value>`."""
    owner = value if _is_of_a_script(value) else key
    if owner.maps is None:
        owner.maps = {}
    found = owner.maps.get((key, value))
    if found is None:
        found = owner.maps[key, value] = Base(f"map<{key.name}, {value.name}>", "map", (key, value))
    return found


def _is_of_a_script(base: Base) -> bool:
    """Whether a type is declared by a script, or made of such a type. It refers to the script's tree."""
    if base.kind in _DECLARED_KINDS or any(map(_is_of_a_script, base.arguments)):
        return True
    return any(_is_of_a_script(item.base) for item in base.items)


_DECLARED_KINDS = ("udt", "enum")


def tuple_of(items: tuple[Type, ...]) -> Type:
    """Return the type of a tuple of `items`.

    All items get the strongest qualifier among them, which is at least simple (TradingView's manual, tuples).
    """
    qualifier = max((SIMPLE, *(item.qualifier for item in items)))
    shared = tuple(item.base.at(qualifier) for item in items)
    bases = [item.base for item in shared]
    owner = next(filter(_is_of_a_script, bases), bases[0] if bases else VOID)
    if owner.tuples is None:
        owner.tuples = {}
    found = owner.tuples.get(shared)
    if found is None:
        name = "[" + ", ".join(display(item) for item in shared) + "]"
        found = owner.tuples[shared] = Base(name, "tuple", items=shared)
    return found.at(qualifier)


def union_of(members: tuple[Base, ...]) -> Base:
    """Return the union of several bases. Unions occur only in signatures."""
    if len(members) == 1:
        return members[0]
    found = _UNIONS.get(members)
    if found is None:
        found = _UNIONS[members] = Base("/".join(member.name for member in members), "union", members)
    return found


_TYPE_TOKEN = lazy_pattern(r"\s*([A-Za-z_][\w.]*|[<>(),|\[\]])")


@cache
def parse_type(text: str) -> tuple[int, Base]:
    """Parse the reference's compact notation of a type: `[qualifier ]base(|base)*`.

    Return the qualifier and the base. Without a qualifier in the text, it is SERIES, which allows everything. Raises
    ValueError if the text is not a type.
    """
    tokens = _TYPE_TOKEN.findall(text)
    qualifier = SERIES
    if tokens and tokens[0] in QUALIFIERS:
        qualifier = QUALIFIERS[tokens.pop(0)]
    base = _parse_union(tokens)
    if tokens:
        raise ValueError(f"cannot read the type {text!r}")
    return qualifier, base


def _parse_union(tokens: list[str]) -> Base:
    members = [_parse_member(tokens)]
    while tokens and tokens[0] == "|":
        tokens.pop(0)
        members.append(_parse_member(tokens))
    return union_of(tuple(members))


def _parse_member(tokens: list[str]) -> Base:
    word = tokens.pop(0)
    if word == "(":
        inner = _parse_union(tokens)
        tokens.pop(0)
        return inner
    if not tokens or tokens[0] != "<":
        return _NAMED[word]
    tokens.pop(0)
    if tokens[0] in QUALIFIERS:
        tokens.pop(0)
    arguments = [_parse_union(tokens)]
    while tokens.pop(0) == ",":
        arguments.append(_parse_union(tokens))
    if word == "array":
        return array_of(arguments[0])
    if word == "matrix":
        return matrix_of(arguments[0])
    if word == "map":
        return map_of(arguments[0], arguments[1])
    return Base(f"tuple<{arguments[0].name}>", "options", (arguments[0],))


def display(type_: Type) -> str:
    """Return the name of a type in TradingView's messages (recorded from its answers)."""
    base = type_.base
    if base is UNKNOWN_BASE:
        return "unknown"
    if type_.literal:
        return f"literal {base.name}"
    if is_bare(base):
        return base.name
    name = QUALIFIER_NAMES[type_.qualifier]
    return f"{name} {base.name}" if name else base.name


_BARE_KINDS = COLLECTIONS | {"udt", "handle", "tuple", "void"}
_BARE_OBJECTS = frozenset(OBJECTS[name] for name in ("chart.point", "footprint", "volume_row"))


def is_bare(base: Base) -> bool:
    """Return whether messages show `base` without a qualifier. This holds for collections, handles, and objects that
    are not drawings."""
    return base.kind in _BARE_KINDS or base in _BARE_OBJECTS


def assignable(target: Base, value: Base) -> bool:
    """Return whether a value may be stored in a variable, field or element of type `target`.

    The bases must be equal, with two exceptions. An int is accepted as a float, even as an element of a collection.
    `na` is accepted by every type that can be empty, which excludes bool and the special constant types. An unknown
    type accepts everything and is accepted everywhere.
    """
    if target is value or target is UNKNOWN_BASE or value is UNKNOWN_BASE:
        return True
    if value is INT:
        return target is FLOAT or target in DISPLAYS
    if value is NA:
        return target is not BOOL and target.kind != "special"
    if target.kind != value.kind:
        return target.kind == "any" or value.kind == "any"
    if target in DISPLAYS and value in DISPLAYS:
        return True
    if target.arguments:
        return len(target.arguments) == len(value.arguments) and all(map(assignable, target.arguments, value.arguments))
    return False


def is_faulty(type_: Type) -> bool:
    """Return whether a type is unknown because of an error, rather than because a library's source was not found."""
    return type_.base is UNKNOWN_BASE and not type_.from_library


def unknown_type(types: Iterable[Type], qualifier: int = UNDETERMINED) -> Type:
    """Return the unknown type for code whose parts have `types`. The result is marked as coming from a library, unless
    the type of a part, or of its elements, is unknown because of an error."""
    if any(is_faulty(part) or UNKNOWN_BASE in part.base.arguments for part in types):
        return UNKNOWN_BASE.at(qualifier)
    return _FROM_LIBRARY[qualifier]


def unify(first: Base, second: Base) -> Base | None:
    """Return the common base of two branches; None if there is none. `na` takes the base of the other branch."""
    if first is second:
        return first
    if first is UNKNOWN_BASE or second is UNKNOWN_BASE:
        return UNKNOWN_BASE
    if first is NA:
        return second if assignable(second, first) else None
    if second is NA:
        return first if assignable(first, second) else None
    if first in NUMBERS and second in NUMBERS:
        return FLOAT
    if assignable(first, second):
        return first
    if assignable(second, first):
        return second
    return None
