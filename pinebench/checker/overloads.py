"""Chooses the overload of a built-in that matches a call's arguments, or reports the argument that does not match."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import builtin_rules
from pinebench.checker.arguments import (
    Argument,
    Bound,
    name_of,
    positional_after_named,
    report_argument,
    report_missing,
    report_too_many,
    report_twice,
    report_unknown_name,
)
from pinebench.checker.builtins import ChosenOverload, OverloadSpec, ParameterSpec, Signature, special_values
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import ResolvedCall
from pinebench.checker.type_matching import Environment, accepts, result_type
from pinebench.checker.typenames import resolve_template
from pinebench.checker.types import (
    COLOR,
    DISPLAYS,
    NA,
    REFUSED,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    Type,
    is_faulty,
    unknown_type,
)
from pinebench.checker.variadic import check_log, check_variadic, writes_log
from pinebench.syntax import nodes

_Key = tuple[Signature, tuple[str | None, ...], tuple[Type, ...]]
_CHOICES: dict[_Key, ChosenOverload] = {}
"""A cache of overloads chosen for arguments of built-in types, shared by all scripts."""
_MOST_CHOICES = 20_000
_EVERYWHERE = frozenset(("scalar", "na", "object", "special", "handle"))
"""Kinds of types that do not belong to a script."""


def _remember(checker: Checker, key: _Key, arguments: list[Argument], choice: ChosenOverload) -> None:
    """Cache a choice: for all scripts, or only for this one if an argument has a type that the script declares."""
    is_shared = all(argument.type.base.kind in _EVERYWHERE for argument in arguments)
    choices = _CHOICES if is_shared and len(_CHOICES) < _MOST_CHOICES else checker.choices
    choices[key] = choice


def check_builtin(
    checker: Checker, node: nodes.Call, builtin: Signature, arguments: list[Argument], is_method: bool
) -> Type:
    """Bind and check the arguments of a built-in call, record the resolved call, and return its type."""
    # The names and types of the arguments decide alone, and most calls of a script are alike.
    key = (builtin, tuple([argument.name for argument in arguments]), tuple([argument.type for argument in arguments]))
    choice = checker.choices.get(key) or _CHOICES.get(key) if node.template is None else None
    if choice is None:
        first = _first_choice(checker, node, builtin, arguments)
        if not isinstance(first, ChosenOverload):
            return first
        choice = first
        if node.template is None:
            _remember(checker, key, arguments, choice)
    overload, names, result, misused = choice
    bound = dict(zip(names, arguments, strict=True))
    for parameter in misused:
        _report_no_member(checker, builtin.name, parameter, bound[parameter.name].value)
    receiver = arguments[0].value if is_method else None
    values = {name: argument.value for name, argument in bound.items()}
    checker.frame.calls[node] = ResolvedCall(builtin, overload, values, receiver)
    builtin_rules.apply(checker, node, builtin.function, bound)
    return result


def _first_choice(
    checker: Checker, node: nodes.Call, builtin: Signature, arguments: list[Argument]
) -> ChosenOverload | Type:
    """Choose the overload for a call.

    Return only the call's type if nothing more is known, or if an error was reported.
    """
    if positional_after_named(checker, arguments):
        return UNKNOWN
    if builtin.variadic and not writes_log(builtin):
        return check_variadic(checker, node, builtin, arguments)
    if writes_log(builtin) and len(arguments) > 1:
        return check_log(checker, node, builtin, arguments)
    most = max(len(overload.parameters) for overload in builtin.overloads)
    if len(arguments) > most and not writes_log(builtin):
        _report_surplus(checker, builtin, arguments, most)
        return UNKNOWN
    if not _names_known(checker, builtin, arguments):
        _report_missing_beside(checker, builtin, arguments)
        return UNKNOWN
    candidates = _bind_all(builtin, arguments)
    if not candidates:
        return _no_binding(checker, builtin, arguments)
    complete = [(overload, bound) for overload, bound in candidates if all(map(bound.__contains__, overload.required))]
    complete = _meant(builtin, complete, 2)
    if not complete:
        _report_missing(checker, node, builtin, candidates)
        return UNKNOWN
    environment = resolve_template(checker, node)
    types = [argument.type for argument in arguments]
    if any(map(is_faulty, types)):
        return _undetermined(checker, node, builtin, complete, environment)
    chosen = _choose(complete, environment)
    if chosen is not None and any(type_.from_library for type_ in types):
        return _undetermined(checker, node, builtin, complete, environment)
    if chosen is None:
        if builtin.name == "na" and all(_is_parameter(checker, argument.value) for argument in arguments):
            return _empty_test(checker, node, builtin, *complete[0])
        _report_mismatch(checker, builtin, _meant(builtin, complete, 3), environment)
        return REFUSED
    overload, bound, resolved = chosen
    return ChosenOverload(
        overload, tuple(bound), result_type(overload.result, bound, resolved), tuple(_misused(overload, bound))
    )


def _report_surplus(checker: Checker, builtin: Signature, arguments: list[Argument], most: int) -> None:
    from pinebench.checker import argument_hints  # here, because a script without errors needs no hints

    hint = argument_hints.to_leave_out(builtin.overloads, builtin.name, arguments)
    longest = max(builtin.overloads, key=lambda overload: len(overload.parameters))
    names = [parameter.name for parameter in longest.parameters]
    report_too_many(checker, arguments, builtin.name, len(arguments), most, hint, names)


# binding


def _names_known(checker: Checker, builtin: Signature, arguments: list[Argument]) -> bool:
    """Report CE10120 for names that no overload has, and report arguments given twice. Return True if there was no such
    error."""
    good = True
    seen: set[str] = set()
    for argument in arguments:
        name = argument.name
        if name is None:
            continue
        if name not in builtin.names:
            report_unknown_name(checker, argument, builtin.name, builtin.names)
            good = False
        elif name in seen:
            report_twice(checker, argument, builtin.name)
            good = False
        seen.add(name)
    return good


def bind(overload: OverloadSpec, arguments: list[Argument]) -> Bound | None:
    """Bind the arguments to parameter names; None if some argument cannot be bound."""
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


def _meant(
    builtin: Signature, complete: list[tuple[OverloadSpec, Bound]], least: int
) -> list[tuple[OverloadSpec, Bound]]:
    """Remove overloads that the call does not mean, although all parameters that only they have are optional. A call
    means them if it passes one of these parameters by name, or at least `least` of them by position."""
    own = builtin.function.choosing
    if not own:
        return complete
    found: list[tuple[OverloadSpec, Bound]] = []
    for overload, bound in complete:
        given = [bound[name].name for name in own if name in bound]
        if own[0] not in overload.index or any(given) or len(given) >= least:
            found.append((overload, bound))
    return found or complete


def _bind_all(builtin: Signature, arguments: list[Argument]) -> list[tuple[OverloadSpec, Bound]]:
    found: list[tuple[OverloadSpec, Bound]] = []
    for overload in builtin.overloads:
        bound = bind(overload, arguments)
        if bound is not None:
            found.append((overload, bound))
    return found


def _no_binding(checker: Checker, builtin: Signature, arguments: list[Argument]) -> Type:
    duplicate = _given_twice(builtin, arguments)
    if duplicate is not None:
        report_twice(checker, duplicate, builtin.name)
        return UNKNOWN
    # Each name belongs to some overload, but none has them all: report the first name that the best overload lacks.
    best = max(builtin.overloads, key=lambda overload: sum(a.name in overload.index for a in arguments if a.name))
    for argument in arguments:
        if argument.name is not None and argument.name not in best.index:
            report_unknown_name(checker, argument, builtin.name, best.index)
            return UNKNOWN
    report_too_many(checker, arguments, builtin.name, len(arguments), len(best.parameters))
    return UNKNOWN


def _given_twice(builtin: Signature, arguments: list[Argument]) -> Argument | None:
    """The named argument whose parameter already has a positional argument in every overload, or None."""
    positional = sum(1 for argument in arguments if argument.name is None)
    for argument in arguments:
        if argument.name is None:
            continue
        owners = [overload for overload in builtin.overloads if argument.name in overload.index]
        if owners and all(overload.index[argument.name] < positional for overload in owners):
            return argument
    return None


def _report_missing(
    checker: Checker, node: nodes.Call, builtin: Signature, candidates: list[tuple[OverloadSpec, Bound]]
) -> None:
    """Report CE10165 for the parameters that are missing in the overload nearest to the call."""
    lacking = [[name for name in overload.required if name not in bound] for overload, bound in candidates]
    missing = min(lacking, key=len)
    if not candidates[0][1]:
        missing = list(builtin.required)
    for name in missing:
        report_missing(checker, node, name, builtin.name, _taken(builtin))


def _report_missing_beside(checker: Checker, builtin: Signature, arguments: list[Argument]) -> None:
    """Report CE10165 at the first unknown name, for the parameters that the known arguments leave out (recorded
    verdict)."""
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
        report_missing(checker, unknown.node, name, builtin.name, at=name_of(unknown))


# choosing


def _choose(
    complete: list[tuple[OverloadSpec, Bound]], environment: Environment
) -> tuple[OverloadSpec, Bound, Environment] | None:
    """Return the first overload whose parameters all accept their arguments: strictly, or else with TradingView's
    leniency."""
    for strict in (True, False):
        for overload, bound in complete:
            resolved = dict(environment)
            if all(
                accepts(overload.parameters[overload.index[name]], argument.type, resolved, strict)
                for name, argument in bound.items()
            ):
                return overload, bound, resolved
    return None


def _empty_test(checker: Checker, node: nodes.Call, builtin: Signature, overload: OverloadSpec, bound: Bound) -> Type:
    """Accept `na()` of a parameter: the manual's methods page calls it with a bool parameter, and TradingView accepts
    it. Other calls with the same types are refused."""
    checker.frame.calls[node] = ResolvedCall(builtin, overload, {name: each.value for name, each in bound.items()})
    return result_type(overload.result, bound, {})


def _undetermined(
    checker: Checker,
    node: nodes.Call,
    builtin: Signature,
    complete: list[tuple[OverloadSpec, Bound]],
    environment: Environment,
) -> Type:
    """Resolve a call with an unknown argument. Its type is known if all overloads that accept the other arguments
    return the same type."""
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
    checker.frame.calls[node] = ResolvedCall(builtin, first[0], values)
    base = results[0].base
    types = [argument.type for argument in first[1].values()]
    if any(result.base is not base for result in results):
        return unknown_type(types)
    qualifiers = {result.qualifier for result in results}
    qualifier = qualifiers.pop() if len(qualifiers) == 1 else UNDETERMINED
    return unknown_type(types, qualifier) if base is UNKNOWN_BASE else base.at(qualifier)


def _misused(overload: OverloadSpec, bound: Bound) -> Iterator[ParameterSpec]:
    for name, argument in bound.items():
        parameter = overload.parameters[overload.index[name]]
        if parameter.base.kind == "special" and parameter.base not in DISPLAYS and argument.type.literal:
            yield parameter


def _report_no_member(checker: Checker, function: str, parameter: ParameterSpec, node: nodes.Node) -> None:
    """Report CE10068: a literal where one of a special type's constants is expected."""
    from pinebench.checker import value_hints  # here, because a script without errors needs no hints

    values = ", ".join(parameter.allowed or special_values(parameter.base))
    checker.report(
        "CE10068",
        node,
        hint=value_hints.one_of(values),
        argumentName=parameter.name,
        funName=function,
        possibleValues=values,
    )


# blame


def _nearest(
    complete: list[tuple[OverloadSpec, Bound]], environment: Environment
) -> tuple[list[tuple[ParameterSpec, Argument]], Environment, tuple[OverloadSpec, Bound]]:
    """The parameters and arguments that the nearest overload does not accept, its element types, and the overload."""
    best: list[tuple[ParameterSpec, Argument]] | None = None
    nearest = complete[0]
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
            best, elements, nearest = wrong, resolved, (overload, bound)
    return best or [], elements, nearest


def _report_mismatch(
    checker: Checker, builtin: Signature, complete: list[tuple[OverloadSpec, Bound]], environment: Environment
) -> None:
    """Report each argument that the nearest overload does not accept.

    If several overloads are equally near, the last one decides the expected type.
    """
    from pinebench.checker import argument_hints, value_hints  # here, because a script without errors needs no hints

    best, elements, nearest = _nearest(complete, environment)
    moved = next(filter(None, (_reordered(overload, bound, environment) for overload, bound in complete)), None)
    taken = [parameter.name for parameter in nearest[0].parameters] if moved is None else moved[0]
    order = value_hints.in_order(builtin.name, taken, moved[1] if moved else None)
    other = next((overload for overload in builtin.overloads if overload.parameters[0].name != taken[0]), None)
    if other is not None and moved is None:
        others = value_hints.in_order(builtin.name, [parameter.name for parameter in other.parameters])
        order += f" or {others.removeprefix('expected ')}"
    for parameter, argument in best:
        compared = value_hints.named_by_comparing(argument.value, builtin.names)
        if compared is not None:
            report_argument(checker, builtin.name, parameter, argument, elements, compared)
            continue
        fitting = _fitting(nearest[0], nearest[1], argument) if argument.name is not None else None
        hint = (
            (order if moved is not None and argument.name is None else None)
            or (value_hints.given_elsewhere(checker.text(argument.value), fitting) if fitting else None)
            or argument_hints.out_of_order(*nearest, parameter, argument)
        )
        # a named argument is at the right place
        tells = argument.name is None and len(taken) > 1
        report_argument(checker, builtin.name, parameter, argument, elements, hint, order if tells else None)


_MOST_REORDERED = 6


def _reordered(overload: OverloadSpec, bound: Bound, environment: Environment) -> tuple[list[str], list[str]] | None:
    """Find an order of the positional arguments in which all fit.

    Return the names of the overload's parameters, and the parameter for each argument; None if there is no such order.
    """
    given = [(name, argument.type) for name, argument in bound.items() if argument.name is None]
    if not 1 < len(given) <= _MOST_REORDERED or any(type_.base in (NA, UNKNOWN_BASE) for _, type_ in given):
        return None
    places = [overload.parameters[overload.index[name]] for name, _ in given]
    found: list[int] = []

    def fill(place: int) -> bool:
        if place == len(places):
            return True
        tried: list[Type] = []  # arguments of the same type lead to the same orders
        for number, (_, type_) in enumerate(given):
            if number in found or type_ in tried:
                continue
            tried.append(type_)
            if accepts(places[place], type_, dict(environment), strict=False):
                found.append(number)
                if fill(place + 1):
                    return True
                found.pop()
        return False

    if not fill(0) or found == sorted(found):
        return None
    shared = dict(environment)
    if not all(accepts(places[place], given[number][1], shared, strict=False) for place, number in enumerate(found)):
        return None
    purposes = [""] * len(given)
    for place, number in enumerate(found):
        purposes[number] = places[place].name
    return [parameter.name for parameter in overload.parameters], purposes


def _taken(builtin: Signature) -> list[str]:
    """The parameters of the overload with the fewest required ones."""
    fewest = min(builtin.overloads, key=lambda overload: len(overload.required))
    return [parameter.name for parameter in fewest.parameters]


def _fitting(overload: OverloadSpec, bound: Bound, argument: Argument) -> list[str]:
    """The free parameters that accept `argument`, if its type shows its purpose: a colour, or a constant of a
    special type."""
    base = argument.type.base
    if base is not COLOR and base.kind != "special":
        return []
    free = (parameter for parameter in overload.parameters if parameter.name not in bound)
    return [parameter.name for parameter in free if parameter.base is base]


def _is_parameter(checker: Checker, node: nodes.Node) -> bool:
    symbol = checker.bindings.variables.get(node)
    return symbol is not None and symbol.kind == "parameter"
