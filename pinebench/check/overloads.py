"""Chooses the overload of a built-in that fits a call's arguments, or says which argument does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pinebench.check import rules
from pinebench.check.arguments import (
    Argument,
    name_of,
    positional_after_named,
    report_missing,
    report_too_many,
    report_twice,
    report_type,
    report_unknown_name,
)
from pinebench.check.builtins import OverloadSpec, ParameterSpec, Result, Signature, special_values
from pinebench.check.display import representation
from pinebench.check.evaluator import Evaluator, ResolvedCall
from pinebench.check.typenames import resolve_template
from pinebench.check.types import (
    BOOL,
    COLOR,
    CONST,
    DISPLAYS,
    FLOAT,
    INPUT,
    INT,
    NA,
    QUALIFIER_NAMES,
    SERIES,
    SIMPLE,
    SOURCE,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    VOID,
    VOID_TYPE,
    Base,
    Type,
    array_of,
    assignable,
    display,
    map_of,
    matrix_of,
    tuple_of,
    unify,
)
from pinebench.syntax import nodes

Bound = dict[str, Argument]
Environment = dict[Base, Base]


class Choice(NamedTuple):
    """What a call of a built-in comes to: its overload, the parameter of each argument in turn, and the result.

    `misused` are the parameters that ask for one of a special type's constants and have a literal.
    """

    overload: OverloadSpec
    names: tuple[str, ...]
    result: Type
    misused: tuple[ParameterSpec, ...]


def check_builtin(
    evaluator: Evaluator, node: nodes.Call, builtin: Signature, arguments: list[Argument], is_method: bool
) -> Type:
    """Bind and check the arguments of a built-in call; record the resolved call; give its type."""
    # Only the names and types of the arguments decide, and most calls of a script look alike.
    key = (builtin, tuple([argument.name for argument in arguments]), tuple([argument.type for argument in arguments]))
    choice = evaluator.choices.get(key) if node.template is None else None
    if choice is None:
        choice = _first_choice(evaluator, node, builtin, arguments)
        if not isinstance(choice, Choice):
            return choice
        if node.template is None:
            evaluator.choices[key] = choice
    overload, names, result, misused = choice
    bound = dict(zip(names, arguments, strict=True))
    for parameter in misused:
        _report_no_member(evaluator, builtin.name, parameter, bound[parameter.name].value)
    receiver = arguments[0].value if is_method else None
    values = {name: argument.value for name, argument in bound.items()}
    evaluator.frame.calls[node] = ResolvedCall("builtin", builtin, overload, values, receiver)
    rules.apply(evaluator, node, builtin.name, bound)
    return result


def _first_choice(
    evaluator: Evaluator, node: nodes.Call, builtin: Signature, arguments: list[Argument]
) -> Choice | Type:
    """The overload that a call means; the call's type where that is all there is to know, or an error was reported."""
    if positional_after_named(evaluator, arguments):
        return UNKNOWN
    if builtin.variadic and builtin.name not in _LOGS:
        return _variadic(evaluator, node, builtin, arguments)
    if builtin.name in _LOGS and len(arguments) > 1:
        return _log(evaluator, node, builtin, arguments)
    most = max(len(overload.parameters) for overload in builtin.overloads)
    if len(arguments) > most and builtin.name not in _LOGS:
        report_too_many(evaluator, arguments, builtin.name, len(arguments), most)
        return UNKNOWN
    if not _names_known(evaluator, builtin, arguments):
        _report_missing_beside(evaluator, builtin, arguments)
        return UNKNOWN
    candidates = _bind_all(builtin, arguments)
    if not candidates:
        return _no_binding(evaluator, builtin, arguments)
    complete = [(overload, bound) for overload, bound in candidates if all(map(bound.__contains__, overload.required))]
    if not complete:
        _report_missing(evaluator, node, builtin, candidates)
        return UNKNOWN
    environment = resolve_template(evaluator, node)
    if any(argument.type.base is UNKNOWN_BASE for argument in arguments):
        return _undetermined(evaluator, node, builtin, complete, environment)
    chosen = _choose(complete, environment)
    if chosen is None:
        _report_mismatch(evaluator, builtin, complete, environment)
        return UNKNOWN
    overload, bound, resolved = chosen
    return Choice(
        overload, tuple(bound), result_type(overload.result, bound, resolved), tuple(_misused(overload, bound))
    )


# binding


def _names_known(evaluator: Evaluator, builtin: Signature, arguments: list[Argument]) -> bool:
    """Report CE10120 for names that no overload has, and arguments given twice."""
    good = True
    seen: set[str] = set()
    for argument in arguments:
        name = argument.name
        if name is None:
            continue
        if name not in builtin.names:
            report_unknown_name(evaluator, argument, builtin.name, builtin.names)
            good = False
        elif name in seen:
            report_twice(evaluator, argument, builtin.name)
            good = False
        seen.add(name)
    return good


def bind(overload: OverloadSpec, arguments: list[Argument]) -> Bound | None:
    """Arguments by parameter name, or None when they cannot all be placed."""
    bound: Bound = {}
    parameters = overload.parameters
    for number, argument in enumerate(arguments):
        name = argument.name
        if name is None:
            if number >= len(parameters):
                return None
            name = parameters[number].name
        elif name not in overload.index:
            return None
        if name in bound:
            return None
        bound[name] = argument
    return bound


def _bind_all(builtin: Signature, arguments: list[Argument]) -> list[tuple[OverloadSpec, Bound]]:
    found: list[tuple[OverloadSpec, Bound]] = []
    for overload in builtin.overloads:
        bound = bind(overload, arguments)
        if bound is not None:
            found.append((overload, bound))
    return found


def _no_binding(evaluator: Evaluator, builtin: Signature, arguments: list[Argument]) -> Type:
    duplicate = _given_twice(builtin, arguments)
    if duplicate is not None:
        report_twice(evaluator, duplicate, builtin.name)
        return UNKNOWN
    # Each name belongs to some overload, but no overload has them all: blame the first that the best overload lacks.
    best = max(builtin.overloads, key=lambda overload: sum(a.name in overload.index for a in arguments if a.name))
    for argument in arguments:
        if argument.name is not None and argument.name not in best.index:
            report_unknown_name(evaluator, argument, builtin.name, best.index)
            return UNKNOWN
    report_too_many(evaluator, arguments, builtin.name, len(arguments), len(best.parameters))
    return UNKNOWN


def _given_twice(builtin: Signature, arguments: list[Argument]) -> Argument | None:
    """The named argument that every overload with its name already has by position, or None."""
    positional = sum(1 for argument in arguments if argument.name is None)
    for argument in arguments:
        if argument.name is None:
            continue
        owners = [overload for overload in builtin.overloads if argument.name in overload.index]
        if owners and all(overload.index[argument.name] < positional for overload in owners):
            return argument
    return None


def _report_missing(
    evaluator: Evaluator, node: nodes.Call, builtin: Signature, candidates: list[tuple[OverloadSpec, Bound]]
) -> None:
    """Report CE10165 for what the overload nearest to the call still lacks."""
    lacking = [[name for name in overload.required if name not in bound] for overload, bound in candidates]
    missing = min(lacking, key=len)
    if not candidates[0][1]:
        missing = list(builtin.required)
    for name in missing:
        report_missing(evaluator, node, name, builtin.name)


def _report_missing_beside(evaluator: Evaluator, builtin: Signature, arguments: list[Argument]) -> None:
    """Report CE10165 at the first unknown name for what the known arguments do not give (recorded verdict)."""
    unknown = next((a for a in arguments if a.name is not None and a.name not in builtin.names), None)
    if unknown is None:
        return
    known = [argument for argument in arguments if argument.name is None or argument.name in builtin.names]
    lacking = [
        [name for name in overload.required if name not in bound] for overload, bound in _bind_all(builtin, known)
    ]
    if not lacking:
        return
    missing = min(lacking, key=len) if known else builtin.required
    for name in missing:
        report_missing(evaluator, unknown.node, name, builtin.name, at=name_of(unknown))


# matching


def _choose(
    complete: list[tuple[OverloadSpec, Bound]], environment: Environment
) -> tuple[OverloadSpec, Bound, Environment] | None:
    """The first overload whose parameters all accept their arguments, strictly, else with TradingView's leniency."""
    for strict in (True, False):
        for overload, bound in complete:
            resolved = dict(environment)
            if all(
                accepts(overload.parameters[overload.index[name]], argument.type, resolved, strict)
                for name, argument in bound.items()
            ):
                return overload, bound, resolved
    return None


def accepts(parameter: ParameterSpec, type_: Type, environment: Environment, strict: bool) -> bool:
    """Whether `parameter` takes an argument of `type_`; type variables are bound in `environment`."""
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
    # `input` is enforced for int and bool (recorded: linewidth, active), not for strings (facts: G007); of the rest a
    # simple value passes (manual, built-in scripts: hline).
    base = parameter.base
    if base is INT or base is BOOL:
        return False
    return given == SIMPLE or not (base.kind == "union" or base is COLOR)


def fits(pattern: Base, base: Base, environment: Environment) -> bool:
    """Whether a value of type `base` may stand where `pattern` is asked for."""
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
        # The special constant types are integers underneath: only a literal can be seen not to be one of theirs.
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
    """Elements of a collection match exactly; a type variable takes the element's type."""
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


def _undetermined(
    evaluator: Evaluator,
    node: nodes.Call,
    builtin: Signature,
    complete: list[tuple[OverloadSpec, Bound]],
    environment: Environment,
) -> Type:
    """An unknown argument switches off all checks of its call; the result is known where all overloads agree."""
    results: list[Type] = []
    first: tuple[OverloadSpec, Bound] | None = None
    for overload, bound in complete:
        resolved = dict(environment)
        if all(
            accepts(overload.parameters[overload.index[name]], argument.type, resolved, strict=False)
            for name, argument in bound.items()
        ):
            first = first or (overload, bound)
            results.append(result_type(overload.result, bound, resolved))
    if first is None or not results:
        return UNKNOWN
    values = {name: argument.value for name, argument in first[1].items()}
    evaluator.frame.calls[node] = ResolvedCall("builtin", builtin, first[0], values)
    base = results[0].base
    if any(result.base is not base for result in results):
        return UNKNOWN
    qualifiers = {result.qualifier for result in results}
    return base.at(qualifiers.pop() if len(qualifiers) == 1 else UNDETERMINED)


def _misused(overload: OverloadSpec, bound: Bound) -> Iterator[ParameterSpec]:
    for name, argument in bound.items():
        parameter = overload.parameters[overload.index[name]]
        if parameter.base.kind == "special" and parameter.base not in DISPLAYS and argument.type.literal:
            yield parameter


def _report_no_member(evaluator: Evaluator, function: str, parameter: ParameterSpec, node: nodes.Node) -> None:
    """Report CE10068: a literal where one of a special type's constants is asked for."""
    values = ", ".join(parameter.allowed or special_values(parameter.base))
    evaluator.reporter.report("CE10068", node, argumentName=parameter.name, funName=function, possibleValues=values)


# results


def result_type(result: Result, bound: Bound, environment: Environment) -> Type:
    """The type an overload gives for these arguments."""
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
    """`pattern` with its type variables replaced; an unbound one is unknown."""
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


# blame


def _report_mismatch(
    evaluator: Evaluator,
    builtin: Signature,
    complete: list[tuple[OverloadSpec, Bound]],
    environment: Environment,
) -> None:
    """Report each argument that the nearest overload does not accept; the last of equally near ones names the type."""
    best: list[tuple[ParameterSpec, Argument]] | None = None
    elements = environment
    for overload, bound in complete:
        resolved = dict(environment)
        wrong = [
            (parameter, argument)
            for name, argument in bound.items()
            for parameter in (overload.parameters[overload.index[name]],)
            if not accepts(parameter, argument.type, resolved, strict=False)
        ]
        if best is None or len(wrong) <= len(best):
            best, elements = wrong, resolved
    for parameter, argument in best or ():
        if builtin.name == "na" and _is_parameter(evaluator, argument.value):
            # The manual's methods page asks na() of a bool parameter, and TradingView takes it.
            continue
        report_argument(evaluator, builtin.name, parameter, argument, elements)


def _is_parameter(evaluator: Evaluator, node: nodes.Node) -> bool:
    symbol = evaluator.bindings.variables.get(node)
    return symbol is not None and symbol.kind == "parameter"


def report_argument(
    evaluator: Evaluator, function: str, parameter: ParameterSpec, argument: Argument, environment: Environment
) -> None:
    """Report CE10123 for one argument of the wrong type."""
    type_ = argument.type
    noun = parameter.noun
    if parameter.base.kind == "variable":
        known = environment.get(parameter.base)
        noun = display(known.at(SERIES)) if known is not None else "series float"
    report_type(evaluator, function, parameter.name, argument.value, type_, noun)


# variadic functions

_LOGS = frozenset(("log.info", "log.warning", "log.error"))


def _variadic(evaluator: Evaluator, node: nodes.Call, builtin: Signature, arguments: list[Argument]) -> Type:
    if any(argument.name is not None and argument.name not in builtin.names for argument in arguments):
        named = next(argument for argument in arguments if argument.name is not None)
        evaluator.reporter.report("CE10119", named.node)
        return UNKNOWN
    fixed = len(builtin.overloads[0].parameters) - 1
    least = builtin.variadic + fixed
    if len(arguments) < least:
        evaluator.reporter.report("CE10118", node, count=len(arguments))
        for parameter in builtin.overloads[0].parameters[len(arguments) :]:
            report_missing(evaluator, node, parameter.name, builtin.name)
        return UNKNOWN
    values = {f"arg{number}": argument.value for number, argument in enumerate(arguments)}
    for overload in builtin.overloads:
        resolved: Environment = {}
        if _variadic_fits(overload, arguments, resolved):
            evaluator.frame.calls[node] = ResolvedCall("builtin", builtin, overload, values)
            if any(argument.type.base is UNKNOWN_BASE for argument in arguments):
                return _variadic_unknown(builtin)
            return _variadic_result(builtin, overload, arguments, resolved)
    if any(argument.type.base is UNKNOWN_BASE for argument in arguments):
        return UNKNOWN
    _blame_variadic(evaluator, builtin, arguments)
    return UNKNOWN


def _variadic_fits(overload: OverloadSpec, arguments: list[Argument], environment: Environment) -> bool:
    last = len(overload.parameters) - 1
    return all(
        accepts(overload.parameters[min(number, last)], argument.type, environment, strict=True)
        for number, argument in enumerate(arguments)
    )


def _variadic_unknown(builtin: Signature) -> Type:
    results = {overload.result.type.base for overload in builtin.overloads if overload.result.form == "fixed"}
    if len(results) == 1 and all(overload.result.form == "fixed" for overload in builtin.overloads):
        return results.pop().at(UNDETERMINED)
    return UNKNOWN


def _variadic_result(
    builtin: Signature, overload: OverloadSpec, arguments: list[Argument], environment: Environment
) -> Type:
    if builtin.name != "array.from":
        bound = {str(number): argument for number, argument in enumerate(arguments)}
        return result_type(overload.result, bound, environment)
    base: Base | None = arguments[0].type.base
    for argument in arguments[1:]:
        base = unify(base, argument.type.base) if base is not None else None
    return array_of(base or UNKNOWN_BASE).at(SERIES) if base is not NA else array_of(FLOAT).at(SERIES)


def _blame_variadic(evaluator: Evaluator, builtin: Signature, arguments: list[Argument]) -> None:
    fixed = len(builtin.overloads[0].parameters) - 1
    culprit, expected = _variadic_culprit(builtin, arguments)
    number = arguments.index(culprit)
    if number < fixed:
        report_argument(evaluator, builtin.name, builtin.overloads[-1].parameters[number], culprit, {})
        return
    if builtin.name.startswith("math."):
        noun = builtin.overloads[0].parameters[-1].noun
        report_type(evaluator, builtin.name, f"number{number}", culprit.value, culprit.type, noun)
        return
    if builtin.name == "str.format" and culprit.type.base.kind == "enum":
        _blame_collected(evaluator, builtin, culprit, number, expected)
        return
    evaluator.reporter.report(
        "CE10122",
        culprit.value,
        funId=builtin.name,
        argDisplayName=f"arg_{number}",
        argUserFriendlyRepresentation=representation(evaluator, culprit.value, culprit.type),
        argumentType=display(culprit.type),
        expectedType=expected,
    )


def _blame_collected(evaluator: Evaluator, builtin: Signature, culprit: Argument, number: int, expected: str) -> None:
    """An enum's field cannot be put into a format (recorded: CE10124)."""
    field = culprit.value.name if isinstance(culprit.value, nodes.Member) else f"arg_{number}"
    evaluator.reporter.report(
        "CE10124",
        culprit.value,
        funId=builtin.name,
        field=field,
        name=culprit.type.base.name,
        argumentType=display(culprit.type),
        expectedType=expected,
    )


def _variadic_culprit(builtin: Signature, arguments: list[Argument]) -> tuple[Argument, str]:
    """The first argument that differs from the first one's type (array.from), or that no overload takes."""
    if builtin.name == "array.from":
        first = arguments[0].type.base
        expected = "series int/float" if first in (INT, FLOAT, NA) else f"series {first.name}"
        for argument in arguments[1:]:
            if unify(first, argument.type.base) is None:
                return argument, expected
        return arguments[0], expected
    last = builtin.overloads[-1]
    # The first overload names the types, though the last one accepts more (recorded: str.format).
    named = builtin.overloads[0 if builtin.name == "str.format" else -1].parameters[-1]
    expected = f"{QUALIFIER_NAMES[named.qualifier]} {named.base.name}"
    for number, argument in enumerate(arguments):
        parameter = last.parameters[min(number, len(last.parameters) - 1)]
        if not accepts(parameter, argument.type, {}, strict=False):
            return argument, expected
    return arguments[-1], expected


def _log(evaluator: Evaluator, node: nodes.Call, builtin: Signature, arguments: list[Argument]) -> Type:
    """`log.*(formatString, …)`: any number of values that can be printed."""
    overload = builtin.overloads[-1]
    values = {f"arg{number}": argument.value for number, argument in enumerate(arguments)}
    if any(argument.type.base is UNKNOWN_BASE for argument in arguments) or _variadic_fits(overload, arguments, {}):
        evaluator.frame.calls[node] = ResolvedCall("builtin", builtin, overload, values)
        return VOID_TYPE
    _blame_variadic(evaluator, builtin, arguments)
    return VOID_TYPE
