"""Checks calls of the built-ins that take any number of arguments."""

from __future__ import annotations

from pinebench.checker.argument_text import representation
from pinebench.checker.arguments import Argument, report_argument, report_missing, report_type
from pinebench.checker.builtins import OverloadSpec, Signature
from pinebench.checker.checker import Checker
from pinebench.checker.constants import NotConstant, fold
from pinebench.checker.symbols import ResolvedCall
from pinebench.checker.type_matching import Environment, accepts, result_type
from pinebench.checker.types import (
    COLLECTIONS,
    FLOAT,
    INT,
    NA,
    QUALIFIER_NAMES,
    REFUSED,
    SERIES,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    VOID_TYPE,
    Base,
    Type,
    array_of,
    display,
    is_faulty,
    unify,
    unknown_type,
)
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes


def writes_log(builtin: Signature) -> bool:
    """Return whether a function writes to the log. Its calls with one argument are checked like other calls."""
    return "log" in builtin.function.effects.changes


def check_variadic(checker: Checker, node: nodes.Call, builtin: Signature, arguments: list[Argument]) -> Type:
    """Check a call whose last parameter may be repeated, record the resolved call, and return its type."""
    if any(argument.name is not None and argument.name not in builtin.names for argument in arguments):
        named = next(argument for argument in arguments if argument.name is not None)
        checker.report("CE10119", named.node)
        return UNKNOWN
    fixed = len(builtin.overloads[0].parameters) - 1
    least = builtin.variadic + fixed
    if len(arguments) < least:
        hint = f"`{builtin.name}()` takes each value as an argument of its own: `{builtin.name}(a, b)`."
        checker.report("CE10118", node, hint=hint, count=len(arguments))
        for parameter in builtin.overloads[0].parameters[len(arguments) :]:
            report_missing(checker, node, parameter.name, builtin.name)
        return UNKNOWN
    values = _values(builtin.overloads[0], arguments)
    # An array holds no collections (recorded for arrays: CE10122).
    held = builtin.name != "array.from" or not any(argument.type.base.kind in COLLECTIONS for argument in arguments)
    for overload in builtin.overloads if held else ():
        resolved: Environment = {}
        if _fits(overload, arguments, resolved):
            checker.frame.calls[node] = ResolvedCall(builtin, overload, values)
            if builtin.name == "str.format":
                _count_placeholders(checker, arguments)
            if any(argument.type.base is UNKNOWN_BASE for argument in arguments):
                return _unknown_result(builtin, arguments)
            return _result(builtin, overload, arguments, resolved)
    if any(is_faulty(argument.type) for argument in arguments):
        return UNKNOWN
    _blame(checker, builtin, arguments)
    return REFUSED


def _values(overload: OverloadSpec, arguments: list[Argument]) -> dict[str, nodes.Node]:
    """The arguments by parameter name. The repeated parameter's arguments are named `arg0`, `arg1` and so on."""
    names = [parameter.name for parameter in overload.parameters[:-1]]
    names += [f"arg{number}" for number in range(len(arguments) - len(names))]
    return {name: argument.value for name, argument in zip(names, arguments, strict=True)}


def _count_placeholders(checker: Checker, arguments: list[Argument]) -> None:
    """Report CW10023: the number of values does not match the number of placeholders; a lone brace is not one
    (recorded).

    Apostrophes quote braces, and whether skipped numbers count is unknown: such formats are not reported.
    """
    try:
        pattern = fold(checker, arguments[0].value)
    except NotConstant:
        return
    if not isinstance(pattern, str) or "'" in pattern:
        return
    numbers = {int(number) for number in _PLACEHOLDER.findall(pattern)}
    expected, received = len(numbers), len(arguments) - 1
    if expected != received and (not numbers or max(numbers) + 1 == expected):
        checker.report("CW10023", arguments[0].node, expected=expected, received=received)


_PLACEHOLDER = lazy_pattern(r"\{\s*(\d{1,3})\s*(?:,[^{}]*)?\}")


def _fits(overload: OverloadSpec, arguments: list[Argument], environment: Environment) -> bool:
    last = len(overload.parameters) - 1
    return all(
        accepts(overload.parameters[min(number, last)], argument.type, environment, strict=True)
        for number, argument in enumerate(arguments)
    )


def _unknown_result(builtin: Signature, arguments: list[Argument]) -> Type:
    results = {overload.result.type.base for overload in builtin.overloads if overload.result.form == "fixed"}
    if len(results) == 1 and all(overload.result.form == "fixed" for overload in builtin.overloads):
        return results.pop().at(UNDETERMINED)
    return unknown_type(argument.type for argument in arguments)


def _result(builtin: Signature, overload: OverloadSpec, arguments: list[Argument], environment: Environment) -> Type:
    if builtin.name != "array.from":
        bound = {str(number): argument for number, argument in enumerate(arguments)}
        return result_type(overload.result, bound, environment)
    base: Base | None = arguments[0].type.base
    for argument in arguments[1:]:
        base = unify(base, argument.type.base) if base is not None else None
    return array_of(INT if base is NA else base or UNKNOWN_BASE).at(SERIES)


def _blame(checker: Checker, builtin: Signature, arguments: list[Argument]) -> None:
    fixed = len(builtin.overloads[0].parameters) - 1
    culprit, expected = _culprit(builtin, arguments)
    number = arguments.index(culprit)
    if number < fixed:
        report_argument(checker, builtin.name, builtin.overloads[-1].parameters[number], culprit, {})
        return
    if builtin.name.startswith("math."):
        noun = builtin.overloads[0].parameters[-1].noun
        report_type(checker, builtin.name, f"number{number}", culprit.value, culprit.type, noun)
        return
    if builtin.name == "str.format" and culprit.type.base.kind == "enum":
        _blame_collected(checker, builtin, culprit, number, expected)
        return
    _report_union(checker, builtin, number, culprit, expected)


def _report_union(checker: Checker, builtin: Signature, number: int, culprit: Argument, expected: str) -> None:
    """Report CE10122: argument `number` has a type that the repeated parameter does not accept."""
    checker.report(
        "CE10122",
        culprit.value,
        funId=builtin.name,
        argDisplayName=f"arg_{number}",
        argUserFriendlyRepresentation=representation(checker, culprit.value, culprit.type),
        argumentType=display(culprit.type),
        expectedType=expected,
    )


def _blame_collected(checker: Checker, builtin: Signature, culprit: Argument, number: int, expected: str) -> None:
    """Report an enum's field in a format (recorded: CE10124)."""
    field = culprit.value.name if isinstance(culprit.value, nodes.Member) else f"arg_{number}"
    checker.report(
        "CE10124",
        culprit.value,
        funId=builtin.name,
        field=field,
        name=culprit.type.base.name,
        argumentType=display(culprit.type),
        expectedType=expected,
    )


def _culprit(builtin: Signature, arguments: list[Argument]) -> tuple[Argument, str]:
    """The argument to report, with the expected type.

    For array.from it is the first argument that does not match the first one's type; otherwise the first that no
    overload accepts.
    """
    known = [argument for argument in arguments if argument.type.base is not UNKNOWN_BASE]
    if builtin.name == "array.from":
        first = known[0].type.base
        if first.kind in COLLECTIONS:
            return known[0], display(builtin.overloads[-1].parameters[-1].base.at(SERIES))
        expected = "series int/float" if first in (INT, FLOAT, NA) else display(first.at(SERIES))
        for argument in known[1:]:
            if unify(first, argument.type.base) is None:
                return argument, expected
        return known[0], expected
    last = builtin.overloads[-1]
    expected = _printed(builtin)
    for number, argument in enumerate(arguments):
        parameter = last.parameters[min(number, len(last.parameters) - 1)]
        if not accepts(parameter, argument.type, {}, strict=False):
            return argument, expected
    return known[-1], expected


def check_log(checker: Checker, node: nodes.Call, builtin: Signature, arguments: list[Argument]) -> Type:
    """Check `log.*(formatString, …)`, which accepts any number of printable values."""
    overload = builtin.overloads[-1]
    values = _values(overload, arguments)
    refused = next((argument for argument in arguments[1:] if argument.type is REFUSED), None)
    if refused is not None:
        _report_union(checker, builtin, arguments.index(refused), refused, _printed(builtin))
        return VOID_TYPE
    if any(is_faulty(argument.type) for argument in arguments) or _fits(overload, arguments, {}):
        checker.frame.calls[node] = ResolvedCall(builtin, overload, values)
        return VOID_TYPE
    _blame(checker, builtin, arguments)
    return VOID_TYPE


def _printed(builtin: Signature) -> str:
    """The types that a function prints. For str.format the first overload names them, although the last accepts more
    (recorded)."""
    named = builtin.overloads[0 if builtin.name == "str.format" else -1].parameters[-1]
    return f"{QUALIFIER_NAMES[named.qualifier]} {named.base.name}"
