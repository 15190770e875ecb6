"""The language reference, prepared for the checker: signatures with parsed types, and values by dotted name."""

from __future__ import annotations

from functools import cache

from pinebench import reference
from pinebench.checker.types import (
    CONST,
    FLOAT,
    QUALIFIERS,
    SOURCE,
    VOID_TYPE,
    Base,
    Type,
    display,
    parse_type,
    tuple_of,
)
from pinebench.records import NamedTuple


class ParameterSpec:
    """A parameter of a built-in overload: the strongest accepted qualifier, the base type, and whether it is
    required."""

    __slots__ = ("allowed", "base", "default", "name", "noun", "qualifier", "required")

    def __init__(self, source: reference.Parameter) -> None:
        self.name = source.name
        self.required = source.required
        self.default = source.default
        self.allowed = source.allowed
        self.qualifier, self.base = parse_type(source.type)
        self.noun = source.noun or _rule_of_thumb(self.qualifier, self.base)


class ResultForm:
    """The result of an overload: a fixed type, a pattern with type variables, or a type that depends on the arguments.

    `form` is fixed, pattern, typeof (the type of argument `name`), elements (an array of that type) or qualified
    (`base` with the strongest qualifier of the arguments).
    """

    __slots__ = ("base", "form", "name", "qualifier", "type")

    def __init__(self, text: str) -> None:
        self.form = "fixed"
        self.type: Type = VOID_TYPE
        self.name = ""
        self.qualifier: int | None = None
        self.base: Base | None = None
        if text == "void":
            return
        if text.startswith("["):
            self.type = tuple_of(tuple(_typed(item.strip()) for item in text[1:-1].split(",")))
            return
        if "typeof " in text:
            self._argument_form(text)
            return
        if text.startswith("qualified "):
            self.form = "qualified"
            self.base = parse_type(text.removeprefix("qualified "))[1]
            return
        self.type = _typed(text)
        if _has_variable(self.type.base):
            self.form = "pattern"
            self.base = self.type.base

    def _argument_form(self, text: str) -> None:
        self.form = "elements" if text.startswith("array<") else "typeof"
        text = text.removeprefix("array<").removesuffix(">")
        head, _, self.name = text.partition("typeof ")
        self.qualifier = QUALIFIERS.get(head.strip())


class OverloadSpec:
    """An overload of a built-in function. `is_generic` tells whether its types contain a type variable."""

    __slots__ = ("bases", "index", "is_generic", "parameters", "required", "result", "source")

    def __init__(self, source: reference.Overload, required: tuple[str, ...] | None) -> None:
        self.source = source
        self.parameters = tuple(ParameterSpec(parameter) for parameter in source.parameters)
        self.index = {parameter.name: number for number, parameter in enumerate(self.parameters)}
        self.required = tuple(
            parameter.name
            for parameter in self.parameters
            if parameter.required and (required is None or parameter.name in required)
        )
        self.result = ResultForm(source.returns)
        self.bases = {parameter.name: parameter.base for parameter in self.parameters}
        mentioned = (*self.bases.values(), *([self.result.base] if self.result.base is not None else []))
        self.is_generic = any(map(_has_variable, mentioned))


class ChosenOverload(NamedTuple):
    """The resolution of a built-in call: its overload, the parameter of each argument in order, and the result type.

    `misused` are the parameters that expect a constant of a special type but received a literal.
    """

    overload: OverloadSpec
    names: tuple[str, ...]
    result: Type
    misused: tuple[ParameterSpec, ...]


class Signature:
    """A built-in function with its overloads and the names of all their parameters."""

    __slots__ = ("function", "name", "names", "overloads", "required", "variadic")

    def __init__(self, function: reference.Function) -> None:
        self.function = function
        self.name = function.name
        self.variadic = function.variadic
        self.required = function.required
        only = function.required if len(function.overloads) == 1 else None
        # An overload for an exact element type (`array<int>`) is tried before one for a union of types. Otherwise the
        # order is as in the reference.
        specs = (OverloadSpec(overload, only) for overload in function.overloads)
        self.overloads = tuple(sorted(specs, key=_element_unions))
        self.names = frozenset(name for overload in self.overloads for name in overload.index)


def _element_unions(overload: OverloadSpec) -> int:
    return sum(1 for parameter in overload.parameters for base in parameter.base.arguments if base.kind == "union")


def _typed(text: str) -> Type:
    qualifier, base = parse_type(text)
    return base.at(qualifier)


def _has_variable(base: Base) -> bool:
    return base.kind == "variable" or any(map(_has_variable, base.arguments))


@cache
def special_values(base: Base) -> tuple[str, ...]:
    """Return the built-in constants of a special type, in the order of the reference."""
    named = ((name, reference.constant(name)) for name in reference.constants())
    return tuple(name for name, constant in named if constant is not None and constant.type == f"const {base.name}")


def _rule_of_thumb(qualifier: int, base: Base) -> str:
    """Return a noun for CE10123 if TradingView's noun for the parameter was never recorded."""
    if base.kind in ("array", "matrix"):
        return f"{base.kind}<type>" if _has_variable(base) else f"{base.kind}<{_shown(base.arguments[0]).name}>"
    if base.kind == "map":
        return "map<type, type>"
    if base is SOURCE:
        return "series float"
    if base.kind == "options":
        return f"tuple of const {base.arguments[0].name}"
    return display(_shown(base).at(qualifier))


def _shown(base: Base) -> Base:
    """Return the member of a union that messages show; another base as it is."""
    if base.kind != "union":
        return base
    return FLOAT if FLOAT in base.arguments else base.arguments[0]


@cache
def signature(name: str) -> Signature | None:
    """Return the built-in function `name`; None if there is none."""
    function = reference.function(name)
    return Signature(function) if function is not None else None


@cache
def value_type(name: str) -> Type | None:
    """Return the type of the built-in variable or constant with the dotted name `name`; None if there is none."""
    variable = reference.variable(name)
    if variable is not None:
        return _typed(variable.type)
    constant = reference.constant(name)
    if constant is not None:
        return parse_type(constant.type)[1].at(CONST)
    return None


@cache
def methods(base_name: str) -> dict[str, Signature]:
    """Return the built-in methods of a type, by their names without the namespace."""
    return {name: Signature(function) for name, function in reference.methods(base_name).items()}
