"""Decides whether a built-in's parameters accept arguments of given types, and computes the type of the result."""

from __future__ import annotations

from pinebench.checker.arguments import Bound
from pinebench.checker.builtins import ParameterSpec, ResultForm
from pinebench.checker.types import (
    BOOL,
    COLOR,
    CONST,
    DISPLAYS,
    FLOAT,
    INPUT,
    INT,
    NA,
    SERIES,
    SIMPLE,
    SOURCE,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    VOID,
    Base,
    Type,
    array_of,
    assignable,
    map_of,
    matrix_of,
    tuple_of,
)

Environment = dict[Base, Base]
"""The bases that a signature's type variables are bound to."""


def accepts(parameter: ParameterSpec, type_: Type, environment: Environment, strict: bool) -> bool:
    """Return whether `parameter` accepts an argument of `type_`, and bind type variables in `environment`. Unless
    `strict`, some `input` parameters also accept stronger qualifiers, as TradingView does."""
    base = type_.base
    if base is UNKNOWN_BASE:
        return True
    if not _qualifier_fits(parameter, type_, strict):
        return False
    return fits(parameter.base, base, environment)


def _qualifier_fits(parameter: ParameterSpec, type_: Type, strict: bool) -> bool:
    limit, given = parameter.qualifier, type_.qualifier
    if given <= limit or given == UNDETERMINED or type_.base is NA:
        return True
    if strict or limit != INPUT:
        return False
    # TradingView enforces `input` for int and bool, and for the format of a plot (recorded: linewidth, active, format),
    # but not for other strings (facts: G007). For the other types a simple value is accepted (manual, built-in scripts:
    # hline).
    base = parameter.base
    if base is INT or base is BOOL or parameter.name == "format":
        return False
    return given == SIMPLE or not (base.kind == "union" or base is COLOR)


def fits(pattern: Base, base: Base, environment: Environment) -> bool:
    """Return whether a value of type `base` is accepted where `pattern` is expected."""
    kind = pattern.kind
    if pattern is base or base is UNKNOWN_BASE or pattern is UNKNOWN_BASE:
        return True
    if kind == "union":
        return any(fits(member, base, environment) for member in pattern.arguments)
    if kind == "any":
        return base is not VOID
    if kind == "variable":
        return _fits_variable(pattern, base, environment)
    if base is NA:
        return pattern is not BOOL and kind not in ("special", "handle")
    if kind == "any-enum":
        return base.kind == "enum"
    if pattern is SOURCE:
        return base is FLOAT or base is INT
    if kind == "any-udt":
        return base.kind == "udt"
    if kind == "options":
        return base.kind == "tuple" and all(fits(pattern.arguments[0], item.base, environment) for item in base.items)
    if base is INT:
        # The special constant types are integers underneath, so only a literal is certain not to be one of their
        # constants.
        return pattern is FLOAT or kind == "special"
    if pattern in DISPLAYS and base in DISPLAYS:
        return True
    if pattern.arguments and pattern.kind == base.kind:
        return all(_fits_element(p, b, environment) for p, b in zip(pattern.arguments, base.arguments, strict=True))
    return False


def _fits_variable(variable: Base, base: Base, environment: Environment) -> bool:
    known = environment.get(variable)
    if known is None or known is NA:
        environment[variable] = base
        return base is not VOID
    return known is UNKNOWN_BASE or assignable(known, base)


def _fits_element(pattern: Base, element: Base, environment: Environment) -> bool:
    """Whether an element type matches. The types must be equal; a type variable is bound to the element type."""
    if pattern.kind == "variable":
        known = environment.get(pattern)
        if known is None or known is NA:
            environment[pattern] = element
            return True
        return known is element or UNKNOWN_BASE in (known, element) or assignable(known, element)
    if pattern.kind == "union":
        return any(_fits_element(member, element, environment) for member in pattern.arguments)
    return (
        pattern is element
        or element is UNKNOWN_BASE
        or pattern.kind == "any"
        or (pattern.kind == "any-enum" and element.kind == "enum")
        or (pattern is FLOAT and element is INT)
    )


def result_type(result: ResultForm, bound: Bound, environment: Environment) -> Type:
    """Return the type that an overload returns for these arguments."""
    if result.form == "fixed":
        fixed = result.type
        if fixed.qualifier < UNDETERMINED and any(a.type.qualifier == UNDETERMINED for a in bound.values()):
            return fixed.base.at(UNDETERMINED)
        return fixed
    if result.form == "pattern":
        assert result.base is not None
        return substitute(result.base, environment).at(SERIES)
    if result.form == "qualified":
        assert result.base is not None
        return result.base.at(max((a.type.qualifier for a in bound.values()), default=CONST))
    argument = bound.get(result.name)
    if argument is None:
        return UNKNOWN
    if result.form == "elements":
        return _array_result(argument.type)
    base = argument.type.base
    if base.kind == "tuple" and result.qualifier is not None:
        return tuple_of(tuple(item.base.at(result.qualifier) for item in base.items))
    if base is NA:
        base = FLOAT
    return base.at(argument.type.qualifier if result.qualifier is None else result.qualifier)


def _array_result(type_: Type) -> Type:
    base = type_.base
    if base.kind == "tuple":
        return tuple_of(tuple(array_of(item.base).at(SERIES) for item in base.items))
    if base is UNKNOWN_BASE:
        return UNKNOWN
    return array_of(FLOAT if base is NA else base).at(SERIES)


def substitute(pattern: Base, environment: Environment) -> Base:
    """Replace the type variables in `pattern` with their types; an unbound variable becomes unknown."""
    if pattern.kind == "variable":
        return environment.get(pattern, UNKNOWN_BASE)
    if pattern.kind == "array":
        return array_of(substitute(pattern.arguments[0], environment))
    if pattern.kind == "matrix":
        return matrix_of(substitute(pattern.arguments[0], environment))
    if pattern.kind == "map":
        key, value = pattern.arguments
        return map_of(substitute(key, environment), substitute(value, environment))
    return pattern
