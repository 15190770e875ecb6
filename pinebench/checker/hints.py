"""Hints that accompany TradingView's messages: similar names, and the expected form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from pinebench import reference
from pinebench.checker import spelling
from pinebench.checker.symbols import TypeSymbol, VariableSymbol
from pinebench.checker.types import TYPE_KEYWORDS, Base
from pinebench.reference.foreign import ELSEWHERE, FOREIGN, MODULES, PANDAS, PARAMETERS, SYNONYMS
from pinebench.reference.successors import COMPOSED, RENAMED, VALUES, successor, within_a_namespace

if TYPE_CHECKING:
    from pinebench.checker.checker import Checker

_FOREIGN_TYPES = {
    "str": "string",
    "integer": "int",
    "boolean": "bool",
    "double": "float",
    "number": "float",
    "point": "chart.point",
}
"""Names of types in other languages."""

_FOREIGN_VALUES = {**dict.fromkeys(("null", "none", "nan", "nil", "undefined"), "na"), "true": "true", "false": "false"}
"""Values in other languages, in small letters."""

_COLLECTIONS = ("array", "matrix", "map")

_OF_KINDS = frozenset(("type", "minval", "maxval", "step", "options", "confirm"))
"""Parameters that `input()` had in earlier versions."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """Return a hint with the candidate nearest to `name`; None if none is near. A single letter is near only to the
    same letter in the other case."""
    near = spelling.best(name, set(candidates))
    if near is not None and len(name) == 1 and len(near) == 1 and near.lower() != name.lower():
        return None
    return None if near is None else f"Did you mean `{near}`?"


_LIKENESS_OF_A_NAMESPACE = 0.6
"""The likeness that a namespace needs if the member is known and few namespaces have it."""

_MOST_HINTS = 50
"""The most different unknown names of one kind that get hints. A script with more has other problems than spelling."""
_MOST_LISTED = 20
"""The largest number of fields or parameters that a hint lists."""

_Asked = ParamSpec("_Asked")
_Search = Callable[Concatenate["Checker", _Asked], str | None]


def _remembered(search: _Search[_Asked]) -> _Search[_Asked]:
    """Cache the hints of a search, for a limited number of names. A search compares a name with all declarations, which
    is slow."""

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
    """A hint that lists `names`, or the first of them if there are many."""
    more = len(names) - _MOST_LISTED
    listed = ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"It has: {listed}." if names else None


@_remembered
def similar_name(checker: Checker, name: str) -> str | None:
    """Return a hint for an undeclared identifier."""
    if name in FOREIGN:
        return FOREIGN[name]
    if reference.function(name) is not None and name not in TYPE_KEYWORDS and name not in VALUES:
        return f"`{name}` is a function: write `{name}(...)`."
    if "." in name:
        if name in reference.namespaces():
            first = min(reference.members(name))
            return f"`{name}` is a namespace and not a value by itself: write a member, such as `{name}.{first}`."
        return _successor(name) or _member(checker, name)
    if name.lower() in _FOREIGN_VALUES:
        return f"Pine writes `{_FOREIGN_VALUES[name.lower()]}`."
    if name in reference.namespaces() and name not in VALUES:
        return f"`{name}` is a namespace and not a value by itself: write a member, `{name}.` and its name."
    if name in TYPE_KEYWORDS:
        return f"`{name}` is a type: write it before a name, or between angle brackets as in `array.new<{name}>()`."
    if name in checker.bindings.types or name in checker.bindings.enums:
        return _of_a_type(checker, name)
    declared = next((symbol for symbol in checker.bindings.symbols if symbol.name == name), None)
    if declared is not None:
        return _out_of_reach(declared)
    names = {symbol.name for symbol in checker.bindings.symbols}
    return (
        did_you_mean(name, names)
        or _moved_value(name)
        or did_you_mean(name, _plain(reference.variables()))
        or _within(name, (*reference.variables(), *reference.constants()))
        or f"`{name}` is not declared: declare a variable with `{name} = ...` above its first use."
    )


def _of_a_type(checker: Checker, name: str) -> str:
    """A hint for the name of a type or an enum that is used as a value."""
    if name in checker.bindings.enums:
        field = next(iter(checker.bindings.enums[name].fields), "field")
        return f"`{name}` is an enum: its values are its fields, as in `{name}.{field}`."
    return f"`{name}` is a type: `{name}.new()` makes an object of it, `array.new<{name}>()` an array of them."


def _out_of_reach(symbol: VariableSymbol) -> str:
    """Return a hint for a variable that is declared, but not visible at this position."""
    name = symbol.name
    if symbol.scope.function is not None:
        return f"`{name}` belongs to the function `{symbol.scope.function.name}`: only its body can use it."
    if symbol.scope.kind == "global":
        return f"`{name}` is declared further down: a variable can be used only after its declaration."
    return f"`{name}` ends with the block that declares it: declare it before, and change it there with `:=`."


@_remembered
def similar_function(checker: Checker, name: str, inside: str | None = None, of: str = "") -> str | None:
    """Return a hint for an unknown function that is called in the body of `inside`. `of` is the kind of the first
    argument (`array`, `matrix` or `map`); it is empty if that is not a collection."""
    if of and reference.function(f"{of}.{name}") is not None:
        return f"Did you mean `{of}.{name}`?"
    if name in FOREIGN:
        return FOREIGN[name]
    if reference.variable(name) is not None or reference.constant(name) is not None:
        return f"`{name}` is a value: write it without parentheses; `{name}[1]` is its value on the previous bar."
    if name in checker.bindings.types:
        return f"`{name}` is a type: make an object with `{name}.new(...)`."
    if name != name.lower() and reference.function(name.lower()) is not None:
        return f"Did you mean `{name.lower()}`?"
    if "." in name:
        return _successor(name) or _member(checker, name, called=True)
    if inside == name:
        return "Pine has no recursion: a function cannot call itself; a `for` or `while` loop repeats."
    around = checker.bindings.functions.get(inside or "", ())
    if any(parameter.name.id == name for function in around for parameter in function.node.parameters):
        return f"`{name}` is a parameter, and a function cannot be passed as an argument."
    if name in checker.bindings.functions:
        return f"`{name}` is declared further down: a function can be called only after its declaration."
    return (
        _successor(name)
        or did_you_mean(name, [*checker.bindings.functions, *_plain(reference.functions())])
        or _within(name, reference.functions())
        or f"Pine has no `{name}()`, and the script declares none: a function begins as `{name}(x) =>`."
    )


def _within(name: str, known: Iterable[str]) -> str | None:
    """Return a hint for a name whose namespace or dot is missing, if exactly one of `known` matches."""
    found = within_a_namespace(name, known)
    return f"Did you mean `{found}`?" if found else None


def _moved_value(name: str) -> str | None:
    """A hint for a value of an older version. None for the name of a function, which is not a value (`length`)."""
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
    # A name that only moved into a namespace: its namespace was probably forgotten.
    return f"Did you mean `{found}`?" if found.endswith(f".{name}") else f"Pine v6 has `{found}` instead."


def in_another_namespace(owner: str, name: str) -> str | None:
    """Return the dotted name of the function `name` in the only similar namespace that has it. None if there are
    several, or if `owner`, the written namespace, is not easily confused with others."""
    found = [space for space in _OF_FUNCTIONS if reference.function(f"{space}.{name}")]
    return f"{found[0]}.{name}" if len(found) == 1 and owner in _CONFUSED else None


_OF_FUNCTIONS = ("ta", "math", "str", "request", "ticker")
_CONFUSED = (*_OF_FUNCTIONS, "array")


def _of_python(name: str) -> str:
    """A hint for a call into a Python library."""
    told = PANDAS.get(name)
    return f"Pine cannot use Python's libraries: {told or 'it has `ta`, `math`, `array` and `str`'}."


def _or(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _offered(owner: str, members: Iterable[str], *, called: bool) -> str | None:
    """A hint that lists the members of a namespace, or None if there are too many."""
    found = [(member, reference.function(f"{owner}.{member}") is not None) for member in sorted(members)]
    names = [member for member, is_function in found if is_function is called] or [member for member, _ in found]
    if len(names) > _MOST_LISTED:
        return None
    return f"Members of `{owner}`: {', '.join(f'`{name}`' for name in names)}."


def _member(checker: Checker, name: str, *, called: bool = False) -> str | None:
    """Return a hint for a dotted name whose first or last part is misspelt. `called` says that it is the name of a
    called function."""
    owner, _, short = name.rpartition(".")
    bindings = checker.bindings
    enum = bindings.enums.get(owner)
    members = enum.fields if enum is not None else ("new",) if owner in bindings.types else reference.members(owner)
    if reference.variable(short) is not None and short not in members and owner in _OF_FUNCTIONS:
        return f"`{short}` is a value by itself: write it without `{owner}.`."
    elsewhere = in_another_namespace(owner, short) if called and members else None
    if elsewhere is not None:
        return f"Did you mean `{elsewhere}`?"
    longer = spelling.goes_on(short, members)
    if longer:
        return f"Did you mean {_or([f'`{owner}.{each}`' for each in longer])}?"
    asks = short.startswith("is") and [member for member in members if member.startswith("is")]
    found = spelling.best(short, asks or members, spelling.LIKENESS_WITHIN)
    if found is not None:
        return f"Did you mean `{owner}.{found}`?"
    alike = spelling.of_the_same_words(short, members)
    if alike:
        return f"Did you mean {_or([f'`{owner}.{each}`' for each in alike])}?"
    if members:
        own = f"Pine has no `{name}()`: compute it in a function of the script, `{short}(x) =>`."
        return _offered(owner, asks or members, called=called) or (own if called else None)
    root = owner.partition(".")[0]
    if root in MODULES:
        return _of_python(short)
    if bindings.imports and root not in reference.namespaces():
        alias = next(iter(bindings.imports))
        return f"`{root}` is not declared; an imported library is called by its alias: `{alias}.{short}`."
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
    """Return a hint for an unknown type."""
    if name in _FOREIGN_TYPES:
        return f"Did you mean `{_FOREIGN_TYPES[name]}`?"
    bindings = checker.bindings
    if name in bindings.types or name in bindings.enums:
        return f"`{name}` is declared further down: a type can be named only after its declaration."
    known = [*bindings.types, *bindings.enums, *TYPE_KEYWORDS, *_COLLECTIONS, "var", "varip"]
    return did_you_mean(name, known) or _TYPES_THERE_ARE


_TYPES_THERE_ARE = (
    "expected a type: `int`, `float`, `bool`, `string` (styles, sizes and places, too), `color`, one of drawings such"
    " as `line`, of collections such as `array<float>`, or one that the script declares"
)


@_remembered
def similar_field(_: Checker, base: Base, name: str, path: str | None = None) -> str | None:
    """Return a hint for an unknown field of a value of type `base`. `path` is the dotted name including the field."""
    if path is not None and reference.function(path) is not None:
        return f"`{path}` is a function: write `{path}(...)`."
    if base.kind == "scalar" and name.lower() in _OF_BEFORE:
        series = path.rpartition(".")[0] if path else "close"
        return f"{_one(base)} has no fields: the value on the previous bar is `{series}[1]`."
    if base.kind == "scalar" and path is not None and (joined := _written_together(path)):
        return f"Did you mean `{joined}`?"
    if base.kind == "scalar":
        space = _space_of(base.name, name)
        own = f"; `{name}` is a value by itself" if reference.variable(name) is not None else ""
        return f"{_one(base)} has no fields" + (f": call `{space}.{name}(...)`." if space else f"{own}.")
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
    read = f"get_{name}"
    meant = (
        name
        if name in methods
        else read
        if read in methods
        else renamed
        if renamed in methods
        else spelling.best(name, set(methods))
    )
    if meant == read and f"set_{name}" in methods:
        return f"It has no fields: `{read}()` reads this one, and `set_{name}()` changes it."
    return f"It has no fields; did you mean the method `{meant}()`?" if meant else None


def _one(base: Base) -> str:
    return f"{'An' if base.name == 'int' else 'A'} {base.name}"


def _written_together(path: str) -> str | None:
    """The variable whose name has the letters of `path` with other separators (`time.trading_day`), or None."""
    letters = path.replace(".", "").replace("_", "")
    return next((name for name in reference.variables() if name.replace(".", "").replace("_", "") == letters), None)


def _space_of(type_name: str, function: str) -> str | None:
    """The namespace that has a function of this name for values of the type, or None."""
    spaces = ("str",) if type_name == "string" else ("math", "str", "ta")
    return next((space for space in spaces if function in reference.members(space)), None)


_OF_BEFORE = frozenset(("previous", "prev", "last", "lag", "shift", "before", "prior"))
_FORMATTING = frozenset(("format", "strftime", "toString", "to_string", "tostr", "format_time", "toFixed"))


def _of_texts(name: str) -> str | None:
    """The text function that corresponds to a name of another language, or None."""
    found = successor(f"str.{name}") or successor(f"str.{name.lower()}")
    if found is not None:
        return found
    if name.lower() in reference.members("str"):
        return f"str.{name.lower()}"
    near = spelling.best(name.lower(), reference.members("str"), spelling.LIKENESS_WITHIN)
    return f"str.{near}" if near is not None else None


def owners_of_method(name: str, owner: str) -> list[str]:
    """Return the other built-in types that have a method with exactly this name; empty if the type `owner` has it
    too."""
    return [] if name in reference.methods(owner) else [other for other in _OWNERS if name in reference.methods(other)]


def _scalar_method(base: Base, name: str, *, own: bool) -> str | None:
    """A hint for a method of a scalar, which has no built-in ones; None if the script has its `own` function `name`."""
    if name == "now":
        return FOREIGN["now"]
    if base.name == "color":
        return "A color has no methods: `color.new(color, transp)` makes it transparent, `color.rgb()` another one."
    if base.name != "string" and name in _FORMATTING:
        return '`str.tostring(x, "#.##")` turns a number into text, `str.format_time(time, "yyyy-MM-dd")` a time.'
    space = _space_of(base.name, name)
    meant = _of_texts(name) if base.name == "string" and not space else None
    if meant is not None:
        return f"A string has no such method; call `{meant}(...)`."
    if space:
        return f"{_one(base)} has no built-in methods; call `{space}.{name}(...)`."
    told = PANDAS.get(name, "functions are in `str`, `math` and `ta`")
    return None if own else f"{_one(base)} has no built-in methods: {told}."


_OWNERS = ("label", "line", "box", "table", "linefill", "polyline", "array", "matrix", "map")


def _of(owner: str) -> str:
    """A list of the methods of a built-in type; if there are many, only the first."""
    names = sorted(reference.methods(owner))
    return ", ".join(names[:_MOST_LISTED]) + (" ..." if len(names) > _MOST_LISTED else "")


@_remembered
def similar_method(checker: Checker, base: Base, name: str) -> str | None:
    """Return a hint for an unknown method of a value of type `base`."""
    owner = base.kind if base.kind in ("array", "matrix", "map") else base.name
    functions = [function for group in checker.bindings.functions.values() for function in group]
    if base.kind == "scalar":
        own = any(name == function.name for function in functions)
        hint = _scalar_method(base, name, own=own)
        if hint is not None:
            return hint
    if name == "new":
        return "Make an object from its type, as in `label.new(...)` or `Level.new(...)`, and not from an object."
    if f"{owner}.{name}" in FOREIGN:
        return FOREIGN[f"{owner}.{name}"]
    renamed = successor(f"{owner}.{name}")
    if renamed is not None and renamed.startswith(f"{owner}."):
        return f"Pine v6 has `{renamed.rpartition('.')[2]}` instead."
    user = [function.name for function in functions if function.is_method]
    others = [] if name in user else owners_of_method(name, owner)
    if others:
        return f"`{name}()` is a method of {' and '.join(others)}; the methods of {owner} are: {_of(owner)}."
    methods = [*user, *reference.methods(owner)]
    near = did_you_mean(name, methods) or (_has(sorted(methods)) if len(methods) <= _MOST_LISTED else None)
    if near is not None:
        return near
    shown = f"{owner}<...>" if base.kind in ("array", "matrix", "map") else owner
    new = f"it begins as `method {name}({shown} this) =>`."
    if reference.methods(owner):
        return f"The methods of {owner} are: {_of(owner)}. A method of your own: {new}"
    return f"There is no such method; declare one: {new}"


@_remembered
def similar_parameter(_: Checker, parameters: tuple[str, ...], name: str) -> str | None:
    """Return a hint for the argument name `name`, which is not one of a function's `parameters`."""
    if name == "when" and name not in parameters:
        return "Pine v6 has no `when`: put the call into a block, `if` and the condition."
    colored = any(parameter.endswith("color") for parameter in parameters)
    if name == "transp" or (colored and name in ("transparency", "opacity", "alpha")):
        return f"Pine v6 has no `{name}`: make it part of the colour, as in `color.new(color.red, 40)`."
    if name in _OF_KINDS and "defval" in parameters:
        return "Pine v6 has a function for each kind of input: `input.int()`, `input.float()`, `input.string()`, ..."
    if name in PARAMETERS and PARAMETERS[name][0] in parameters:
        return PARAMETERS[name][1]
    meant = next((each for each in SYNONYMS.get(name, ()) if each in parameters), None)
    if meant is not None:
        return f"Did you mean `{meant}`?"
    begun = [parameter for parameter in parameters if parameter.startswith(name)] if len(name) > 1 else []
    return (
        did_you_mean(name, parameters)
        or (f"Did you mean `{begun[0]}`?" if len(begun) == 1 else None)
        or _named_within(name, parameters)
        or _has(sorted(parameters))
    )


def _named_within(name: str, known: Iterable[str]) -> str | None:
    """A hint for a parameter that is one of the words of `name` (`limit_price`) or contains its last word
    (`fill_color`)."""
    words = name.lower().split("_")
    alone = [each for each in known if each in words]
    if len(alone) == 1:
        return f"Did you mean `{alone[0]}`?"
    alike = sorted(each for each in known if words[-1] in each.split("_") or each.endswith(words[-1]))
    return f"Did you mean {_or([f'`{each}`' for each in alike])}?" if 0 < len(alike) <= _MOST_MEANT else None


_MOST_MEANT = 4


def _plain(names: Iterable[str]) -> list[str]:
    return [name for name in names if "." not in name]
