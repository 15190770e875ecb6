"""The elements of Pine v6: built-in functions, variables, constants and types, keywords, and exports of known
libraries.

The data are plain tuples in `pinebench.reference.data`, written by `scripts/update_reference.py`. Objects are made at
the first use and cached. `pinebench.reference.model` explains the texts of types.
"""

from __future__ import annotations

from functools import cache

from pinebench import LANGUAGE_DATE
from pinebench.reference.blocks import namespace_of, read_function
from pinebench.reference.keywords import KEYWORDS, Keyword
from pinebench.reference.model import Constant, Effects, Field, Function, Overload, Parameter, Type, Variable

__all__ = [
    "LANGUAGE_DATE",
    "Constant",
    "Effects",
    "Field",
    "Function",
    "Keyword",
    "Overload",
    "Parameter",
    "Type",
    "Variable",
    "constant",
    "constants",
    "function",
    "functions",
    "keyword",
    "keywords",
    "libraries",
    "library_exports",
    "library_history_dependent",
    "members",
    "methods",
    "namespaces",
    "types",
    "variable",
    "variables",
]


def functions() -> tuple[str, ...]:
    """The names of all built-in functions. The generic ones are `array.new`, `matrix.new` and `map.new`."""
    return tuple(_functions())


def variables() -> tuple[str, ...]:
    """The names of all built-in variables."""
    return tuple(_variables())


def constants() -> tuple[str, ...]:
    """The names of all built-in constants."""
    return tuple(_constants())


def keywords() -> frozenset[str]:
    """Every keyword."""
    return frozenset(KEYWORDS)


def keyword(name: str) -> Keyword | None:
    """The keyword called `name`, or None."""
    return KEYWORDS.get(name)


@cache
def function(name: str) -> Function | None:
    """The built-in function called `name` (with its namespace: `ta.sma`), or None."""
    block = _functions().get(name)
    if block is None:
        return None
    return read_function(name, block)


@cache
def variable(name: str) -> Variable | None:
    """The built-in variable called `name`, or None."""
    type_text = _variables().get(name)
    return None if type_text is None else Variable(name, type_text, namespace_of(name))


@cache
def constant(name: str) -> Constant | None:
    """The built-in constant called `name`, or None."""
    type_text = _constants().get(name)
    return None if type_text is None else Constant(name, type_text, namespace_of(name))


@cache
def types() -> dict[str, Type]:
    """The built-in types that can be written in a declaration, by name."""
    from pinebench.reference.data.types import TYPES

    return {name: Type(name, kind, tuple(Field(*field) for field in fields)) for name, (kind, fields) in TYPES.items()}


def namespaces() -> frozenset[str]:
    """Every built-in namespace, including nested ones (`strategy.risk`)."""
    return frozenset(_members())


def members(namespace: str) -> frozenset[str]:
    """The names directly in `namespace`, without it, including inner namespaces. Empty if there is no such
    namespace."""
    return _members().get(namespace, frozenset())


@cache
def methods(type_name: str) -> dict[str, Function]:
    """The built-in methods of `type_name` (`array`, `line`, `chart.point`, ...) by their names without the
    namespace.

    A method is a function of the type's own namespace whose first parameter has that type.
    """
    found: dict[str, Function] = {}
    prefix = type_name + "."
    for name in _functions():
        if name.startswith(prefix):
            candidate = function(name)
            if candidate is not None and candidate.receiver == type_name:
                found[name[len(prefix) :]] = candidate
    return found


def libraries() -> tuple[str, ...]:
    """The published libraries whose exports are known, as `User/Name/Version`."""
    from pinebench.reference.data.libraries import EXPORTS

    return tuple(EXPORTS)


def library_exports(path: str) -> frozenset[str] | None:
    """The names that the library `path` (`User/Name/Version`) exports, or None if they are unknown."""
    from pinebench.reference.data.libraries import EXPORTS

    return _name_set(EXPORTS.get(path))


def library_history_dependent(path: str) -> frozenset[str] | None:
    """The exports of the library `path` that depend on history, or None if they are unknown."""
    from pinebench.reference.data.libraries import EXPORTS, HISTORY_DEPENDENT

    if path not in EXPORTS:
        return None
    return _name_set(HISTORY_DEPENDENT.get(path, ""))


def _name_set(names: str | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names.split())


@cache
def _members() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name in (*_functions(), *_variables(), *_constants()):
        while "." in name:
            name, _, short = name.rpartition(".")
            found.setdefault(name, set()).add(short)
    return {namespace: frozenset(names) for namespace, names in found.items()}


def _functions() -> dict[str, str]:
    from pinebench.reference.data.functions import FUNCTIONS

    return FUNCTIONS


def _variables() -> dict[str, str]:
    from pinebench.reference.data.variables import VARIABLES

    return VARIABLES


def _constants() -> dict[str, str]:
    from pinebench.reference.data.constants import CONSTANTS

    return CONSTANTS
