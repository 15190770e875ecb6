"""The arguments of a call as written, and the reports about them that all kinds of calls share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pinebench.checker.argument_text import path_of, representation
from pinebench.checker.builtins import ParameterSpec, special_values
from pinebench.checker.checker import Checker
from pinebench.checker.types import BOOL, SERIES, Base, Type, display
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.syntax import nodes


class Argument(NamedTuple):
    """An argument as written: its name (None if positional), the node to report at, its value and its type."""

    name: str | None
    node: nodes.Node
    value: nodes.Node
    type: Type


Bound = dict[str, Argument]
"""Arguments by parameter name."""


def positional_after_named(checker: Checker, arguments: Iterable[Argument]) -> bool:
    """Report CE10157 at the first positional argument after a named one. Return whether one was found."""
    name: str | None = None
    for argument in arguments:
        if argument.name is not None:
            name = argument.name
        elif name is not None:
            checker.report("CE10157", argument.node, name=name)
            return True
    return False


def report_type(
    checker: Checker,
    function: str,
    parameter: str,
    node: nodes.Node,
    type_: Type,
    expected: str,
    allowed: Sequence[str] = (),
    hint: str | None = None,
    order: str | None = None,
) -> None:
    """Report CE10123: the value at `node` has the wrong type for a parameter or operand.

    `allowed` has the accepted values if the parameter accepts only certain ones. `hint` is advice about this value, and
    `order` is a text that lists the function's parameters in order.
    """
    from pinebench.checker import value_hints as hints  # here, because a script without errors needs no hints

    checker.report(
        "CE10123",
        node,
        key=parameter,
        funId=function,
        argDisplayName=parameter,
        argUserFriendlyRepresentation=representation(checker, node, type_),
        argumentType=display(type_),
        currentTypeDocStr=expected,
        typePostfix="",
        hint=hints.written_as_text(checker.text(node), node, expected)
        or hints.of_its_own(function, type_.base.name, node)
        or hint
        or (hints.never_na(function) if type_.base is BOOL else None)
        or (hints.several_requested(function, parameter, type_.base.name) if order else None)
        or hints.misplaced(function, parameter, type_.base, expected, node)
        or _with_order(hints.truth_value(type_.base.name, expected, function, _literal(node)), order)
        or hints.joined(function, type_.base.name, expected, node)
        or (None if isinstance(node, nodes.Literal) else hints.no_text(type_.base.name, expected))
        or hints.taken_apart(type_.base, node, expected)
        or hints.one_of(", ".join(sorted(allowed, key=lambda name: not _is_called(name, node))))
        or hints.steady(function, type_.base.name, type_.qualifier, expected)
        or order,
    )


def _is_called(name: str, node: nodes.Node) -> bool:
    """Return whether `node` is a literal, or a constant of another namespace, that contains the constant's `name`
    (`"line"` or `plot.style_line`)."""
    said = node.text.strip(_QUOTES) if isinstance(node, nodes.Literal) else (path_of(node) or "").rpartition("_")[2]
    return bool(said) and name.replace("_", ".").endswith(f".{said.lower()}")


_QUOTES = "\"'"


def _literal(node: nodes.Node) -> str:
    return node.text if isinstance(node, nodes.Literal) else ""


def _with_order(hint: str | None, order: str | None) -> str | None:
    """Append the list of parameters to `hint`, because the argument may be meant for another parameter."""
    return f"{hint} Its parameters: {order.removeprefix('expected ')}." if hint and order else hint


def name_of(argument: Argument) -> Span:
    """Return the span of a named argument's name, as offsets within its chunk (top-level statement)."""
    return Span(argument.node.start, argument.node.start + len(argument.name or ""))


def report_unknown_name(checker: Checker, argument: Argument, function: str, names: Iterable[str]) -> None:
    """Report CE10120 at the name of an argument that is not one of `names`."""
    from pinebench.checker import hints  # here, because a script without errors needs no hints

    assert argument.name is not None
    checker.report(
        "CE10120",
        argument.node,
        at=name_of(argument),
        signature=function,
        name=argument.name,
        hint=hints.similar_parameter(checker, tuple(sorted(names)), argument.name),
    )


def report_twice(checker: Checker, argument: Argument, function: str) -> None:
    """Report that a parameter has two arguments."""
    hint = f"Leave one of the two `{argument.name}` out."
    checker.report("CE10072", argument.node, key=function, hint=hint, argName=argument.name)


def report_missing(
    checker: Checker, node: nodes.Node, name: str, function: str, names: Sequence[str] = (), *, at: Span | None = None
) -> None:
    """Report CE10165 at `node`, or at `at`, for a parameter without an argument. `names` lists all parameters."""
    from pinebench.checker import value_hints as hints  # here, because a script without errors needs no hints

    hint = hints.missing_argument(name, function) or (hints.in_order(function, names) if len(names) > 1 else None)
    checker.report("CE10165", node, at=at, key=name, hint=hint, name=name, functionName=function)


def report_too_many(
    checker: Checker,
    arguments: list[Argument],
    function: str,
    count: int,
    limit: int,
    hint: str | None = None,
    names: Sequence[str] = (),
) -> None:
    """Report CE10115 at `arguments`, the ones that TradingView marks. `count` arguments were passed, but only `limit`
    are allowed. `names` are the parameters of the function."""
    from pinebench.checker import value_hints as hints  # here, because a script without errors needs no hints

    checker.report(
        "CE10115",
        arguments[0].node,
        at=Span(arguments[0].node.start, arguments[-1].node.end),
        funName=function,
        hint=hints.surplus(function, ()) or hint or hints.surplus(function, names),
        passedArgsCount=count,
        expectMsg=" but expected ",
        expectArgsCount=limit,
    )


def report_argument(
    checker: Checker,
    function: str,
    parameter: ParameterSpec,
    argument: Argument,
    environment: Mapping[Base, Base],
    hint: str | None = None,
    order: str | None = None,
) -> None:
    """Report CE10123 for an argument that `parameter` does not accept.

    `environment` maps the function's type variables to their types. For `hint` and `order` see `report_type`.
    """
    noun = parameter.noun
    if parameter.base.kind == "variable":
        known = environment.get(parameter.base)
        noun = display(known.at(SERIES)) if known is not None else "series float"
    allowed = parameter.allowed if parameter.allowed and "." in parameter.allowed[0] else ()
    if parameter.base.kind == "special" and argument.type.base.name == "string":
        allowed = special_values(parameter.base)
    report_type(checker, function, parameter.name, argument.value, argument.type, noun, allowed, hint, order)
