"""The elements of Pine v6: built-in functions, variables, constants and types, keywords, and exports of known
libraries.

Every built-in has one record in `pinebench/reference/data`, in the form that `pinebench.reference.records` explains.
Its object is created on first use and cached. `pinebench.reference.model` explains how types are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from pinebench import LANGUAGE_DATE
from pinebench.reference.keywords import KEYWORDS, Keyword
from pinebench.reference.model import Constant, Effects, Function, ObjectField, Overload, Parameter, Type, Variable
from pinebench.reference.records import computed, read_constant, read_function, read_variable, with_line

__all__ = [
    "LANGUAGE_DATE",
    "Constant",
    "Effects",
    "Function",
    "Keyword",
    "ObjectField",
    "Overload",
    "Parameter",
    "Type",
    "Variable",
    "annotation",
    "bar_places",
    "compiler_annotations",
    "constant",
    "constants",
    "function",
    "functions",
    "functions_within",
    "having",
    "keyword",
    "keywords",
    "libraries",
    "library_exports",
    "library_history_dependent",
    "members",
    "methods",
    "namespaces",
    "often_named",
    "operators",
    "runs",
    "types",
    "uses",
    "variable",
    "variables",
    "variables_within",
    "word",
]


def functions() -> tuple[str, ...]:
    """Return the names of all built-in functions. The generic ones are `array.new`, `matrix.new` and `map.new`."""
    return tuple(_functions())


def variables() -> tuple[str, ...]:
    """Return the names of all built-in variables."""
    return tuple(_variables())


def constants() -> tuple[str, ...]:
    """Return the names of all built-in constants."""
    return tuple(_constants())


def keywords() -> frozenset[str]:
    """Return all keywords."""
    return frozenset(KEYWORDS)


def keyword(name: str) -> Keyword | None:
    """Return the keyword called `name`, or None."""
    return KEYWORDS.get(name)


@cache
def function(name: str) -> Function | None:
    """Return the built-in function called `name` (with its namespace: `ta.sma`), or None."""
    record = _functions().get(name)
    return None if record is None else read_function(name, record)


@cache
def variable(name: str) -> Variable | None:
    """Return the built-in variable called `name`, or None."""
    record = _variables().get(name)
    return None if record is None else read_variable(name, record)


@cache
def constant(name: str) -> Constant | None:
    """Return the built-in constant called `name`, or None."""
    record = _constants().get(name)
    return None if record is None else read_constant(name, record)


@cache
def types() -> dict[str, Type]:
    """Return the built-in types that can be written in a declaration, by name."""
    from pinebench.reference import signs
    from pinebench.reference.data.types import TYPES

    return {
        name: Type(
            name,
            kind,
            tuple(ObjectField(*field, signs.FIELDS.get((name, field[0]), "")) for field in fields),
            signs.TYPES.get(name, ""),
        )
        for name, (kind, fields) in TYPES.items()
    }


def operators() -> tuple[str, ...]:
    """Return all operators that are symbols rather than words."""
    from pinebench.reference.signs import OPERATORS

    return tuple(OPERATORS)


def compiler_annotations() -> tuple[str, ...]:
    """Return all annotations of the compiler, with the slashes: `//@function`."""
    from pinebench.reference.signs import ANNOTATIONS

    return tuple(ANNOTATIONS)


def word(name: str) -> Keyword | None:
    """Return the keyword, operator or annotation called `name`, or None. An annotation is also found without its
    slashes, and without the sign or number after it."""
    from pinebench.reference.signs import ANNOTATIONS, OPERATORS

    found = KEYWORDS.get(name) or OPERATORS.get(name)
    return found or ANNOTATIONS.get(annotation(name) or "")


def annotation(name: str) -> str | None:
    """Return the annotation that `name` means, as `compiler_annotations` lists it; None if there is none. `@version`
    means `//@version=`."""
    from pinebench.reference.signs import ANNOTATIONS

    plain = name.replace(" ", "").lstrip("/").rstrip("=0123456789")
    if not plain.startswith("@"):
        return None
    return next((each for each in ANNOTATIONS if each.strip("/=") == plain), None)


def namespaces() -> frozenset[str]:
    """Return every built-in namespace, including nested ones (`strategy.risk`)."""
    return frozenset(_members())


def members(namespace: str) -> frozenset[str]:
    """Return the names of the members and inner namespaces of `namespace`, without the part before the last dot. Empty
    if there is no such namespace."""
    return _members().get(namespace, frozenset())


@cache
def methods(type_name: str) -> dict[str, Function]:
    """Return the built-in methods of `type_name` (`array`, `line`, `chart.point`, ...) by their names without the
    namespace. A method is a function of the type's own namespace whose first parameter has that type."""
    found: dict[str, Function] = {}
    prefix = type_name + "."
    for name in _functions():
        if name.startswith(prefix):
            candidate = function(name)
            if candidate is not None and candidate.receiver == type_name:
                found[name[len(prefix) :]] = candidate
    return found


@cache
def having(trait: str, start: str = "") -> frozenset[str]:
    """Return the functions and variables that have a trait (`pinebench.reference.records.TRAITS`) and whose names begin
    with `start`."""
    return frozenset(name for name, traits in _traits() if trait in traits and name.startswith(start))


@cache
def functions_within() -> dict[str, tuple[float, float]]:
    """Return the least and the greatest number that each function returns. Functions with unknown bounds are left
    out."""
    return _within(_functions(), function)


@cache
def variables_within() -> dict[str, tuple[float, float]]:
    """Return the least and the greatest number that each variable holds. Variables with unknown bounds are left out."""
    return _within(_variables(), variable)


def _within(
    records: Mapping[str, str], read: Callable[[str], Function | Variable | None]
) -> dict[str, tuple[float, float]]:
    read_ones = ((name, read(name)) for name, _ in with_line(records, "within"))
    return {name: found.within for name, found in read_ones if found is not None and found.within is not None}


@cache
def bar_places() -> dict[str, tuple[str, ...]]:
    """Return the parameters of each function that take a bar index. Functions without such a parameter are left out."""
    return {name: tuple(rest.split()) for name, rest in with_line(_functions(), "places")}


@cache
def uses() -> dict[str, int]:
    """Return a count of real scripts that use each built-in. Rarely used built-ins are left out. A script counts once;
    a script that uses the built-in often counts once more for each doubling of the number of uses."""
    tables = (_constants(), _variables(), _functions())
    return {name: int(number) for table in tables for name, number in with_line(table, "used")}


@cache
def often_named() -> dict[str, tuple[str, ...]]:
    """Return the parameters that scripts pass as named arguments, by function, most used first."""
    return {name: tuple(rest.split()) for name, rest in with_line(_functions(), "often")}


@cache
def runs() -> dict[str, tuple[str, str]]:
    """Return the code that computes each built-in, and its first argument.

    The code is `MODULE.NAME` in the runtime. The first argument is `context` (the bar's context), `of COLUMN` (a column
    of the chart), or empty for the call's own first argument. A key is a name, `name#NUMBER` for one overload of a
    function, or `name#variable` for the variable whose name is also a function's.
    """
    found: dict[str, tuple[str, str]] = {}
    functions = _functions()
    for name, record in functions.items():
        if "\nruns " in record:
            found.update((key, _path(rest)) for key, rest in computed(name, record))
    for name, rest in with_line(_variables(), "runs"):
        found[f"{name}#variable" if name in functions else name] = _path(rest)
    return found


def _path(rest: str) -> tuple[str, str]:
    path, _, first = rest.partition(" ")
    return path, first


def libraries() -> tuple[str, ...]:
    """Return the published libraries whose exports are known, as `User/Name/Version`."""
    return tuple(_libraries())


def imported_libraries() -> tuple[str, ...]:
    """Return the published libraries that scripts import and whose exports are not known, as `User/Name/Version`."""
    from pinebench.reference.data.imported import IMPORTED

    return IMPORTED


def library_exports(path: str) -> frozenset[str] | None:
    """Return the names that the library `path` (`User/Name/Version`) exports, or None if they are unknown."""
    names = _libraries().get(path)
    return None if names is None else frozenset(name.removesuffix("*") for name in names)


def library_history_dependent(path: str) -> frozenset[str] | None:
    """Return the exports of the library `path` that depend on history, or None if they are unknown."""
    names = _libraries().get(path)
    return None if names is None else frozenset(name[:-1] for name in names if name.endswith("*"))


@cache
def _libraries() -> dict[str, list[str]]:
    """The exports of each published library by its path; one that depends on history has `*` at its end."""
    with open(f"{__path__[0]}/data/libraries.list", encoding="utf-8") as file:
        rows = [line.split(": ") for line in file.read().splitlines()]
    return {path: names.split() for path, names in rows}


@cache
def _traits() -> tuple[tuple[str, list[str]], ...]:
    tables = (_functions(), _variables())
    return tuple((name, rest.split()) for table in tables for name, rest in with_line(table, "traits"))


@cache
def _members() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name in (*_functions(), *_variables(), *_constants()):
        while "." in name:
            name, _, short = name.rpartition(".")
            found.setdefault(name, set()).add(short)
    return {namespace: frozenset(names) for namespace, names in found.items()}


def _functions() -> dict[str, str]:
    from pinebench.reference.data.tables import FUNCTIONS

    return FUNCTIONS


def _variables() -> dict[str, str]:
    from pinebench.reference.data.tables import VARIABLES

    return VARIABLES


def _constants() -> dict[str, str]:
    from pinebench.reference.data.tables import CONSTANTS

    return CONSTANTS
