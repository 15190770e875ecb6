"""Resolves written types: type keywords, user-defined types and enums, and collections with their restrictions."""

from __future__ import annotations

from pinebench.checker import libraries
from pinebench.checker.argument_text import path_of
from pinebench.checker.checker import Checker
from pinebench.checker.types import TYPE_KEYWORDS, UNKNOWN_BASE, VARIABLES, Base, array_of, map_of, matrix_of
from pinebench.syntax import nodes

_COLLECTIONS = ("array", "matrix", "map")


def resolve(checker: Checker, node: nodes.TypeReference) -> Base:
    """Return the base type that a written type refers to. If it has errors, report them and return UNKNOWN_BASE."""
    name = path_of(node.name) or ""
    if node.arguments is not None:
        base = _collection(checker, node, name)
    elif name in _COLLECTIONS and name not in checker.bindings.types:
        base = UNKNOWN_BASE
    else:
        base = _named(checker, node, name)
    if not node.is_array or base is UNKNOWN_BASE:
        return base
    if base.kind in _COLLECTIONS:
        checker.report("CE10022", node, type=base.kind)
        return UNKNOWN_BASE
    return array_of(base)


def _named(checker: Checker, node: nodes.TypeReference, name: str) -> Base:
    bindings = checker.bindings
    position = checker.position(node)
    user_type = bindings.types.get(name)
    if user_type is not None and user_type.start <= position:
        return user_type.type
    enum = bindings.enums.get(name)
    if enum is not None and enum.start <= position:
        return enum.type
    keyword = TYPE_KEYWORDS.get(name)
    if keyword is not None:
        return keyword
    head, dot, rest = name.partition(".")
    if dot and head in bindings.imports:
        exported = libraries.type_(bindings.imports[head], rest)
        if exported is not None:
            return exported
    _report_unknown(checker, node, name)
    return UNKNOWN_BASE


def _report_unknown(checker: Checker, node: nodes.TypeReference, name: str) -> None:
    from pinebench.checker import hints  # here, because a script without errors needs no hints

    checker.report("CE10149", node, X=name, hint=hints.similar_type(checker, name))


def _collection(checker: Checker, node: nodes.TypeReference, name: str) -> Base:
    arguments = node.arguments or []
    if name not in _COLLECTIONS:
        for argument in arguments:
            resolve(checker, argument)
        _report_unknown(checker, node, name)
        return UNKNOWN_BASE
    nested = next((_kind(argument) for argument in arguments if _is_collection(argument)), None)
    if nested is not None:
        if name == "map":
            checker.report("CE10025", node)
        else:
            checker.report("CE10022" if name == "array" else "CE10023", node, type=nested)
        return UNKNOWN_BASE
    if len(arguments) != (2 if name == "map" else 1):
        return UNKNOWN_BASE
    elements = [_element(checker, node, name, argument) for argument in arguments]
    if UNKNOWN_BASE in elements:
        return UNKNOWN_BASE
    if name == "map":
        _check_key(checker, arguments[0], elements[0])
        return map_of(elements[0], elements[1])
    return array_of(elements[0]) if name == "array" else matrix_of(elements[0])


def _check_key(checker: Checker, node: nodes.TypeReference, key: Base) -> None:
    """Report a map whose keys are not of a fundamental type or an enum (TradingView's manual, maps)."""
    if key.kind not in ("scalar", "enum", "unknown"):
        checker.report("map-key-type", node, type=key.name)


def _is_collection(node: nodes.TypeReference) -> bool:
    return node.is_array or path_of(node.name) in _COLLECTIONS


def _kind(node: nodes.TypeReference) -> str | None:
    """The name of a collection's type: `int[]` is an array."""
    return "array" if node.is_array else path_of(node.name)


def _element(checker: Checker, node: nodes.TypeReference, name: str, argument: nodes.TypeReference) -> Base:
    """Resolve an element type. Handles such as plot and hline cannot be stored in a collection."""
    path = path_of(argument.name)
    if path in ("plot", "hline", "void") and path not in checker.bindings.types and name != "map":
        checker.report("CE10022" if name == "array" else "CE10023", node, type=path)
        return UNKNOWN_BASE
    return resolve(checker, argument)


def resolve_template(checker: Checker, node: nodes.Call) -> dict[Base, Base]:
    """Return the types of the type variables in `array.new<T>`, `matrix.new<T>` and `map.new<K, V>`."""
    template = node.template
    if template is None:
        return {}
    if any(_is_collection(argument) for argument in template):
        checker.report("CE10025", node)
        return dict.fromkeys(VARIABLES.values(), UNKNOWN_BASE)
    elements = [resolve(checker, argument) for argument in template]
    if len(elements) == 2:
        _check_key(checker, template[0], elements[0])
    names = ("K", "V") if len(elements) == 2 else ("T",)
    return {VARIABLES[name]: element for name, element in zip(names, elements, strict=False)}
