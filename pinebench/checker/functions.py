"""User-defined functions: chooses the function for a call, binds its arguments, and evaluates its body once for each
combination of argument types."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pinebench.checker import libraries, recall
from pinebench.checker.arguments import (
    Argument,
    Bound,
    positional_after_named,
    report_missing,
    report_too_many,
    report_twice,
    report_type,
    report_unknown_name,
)
from pinebench.checker.checker import Checker
from pinebench.checker.defaults import check_default
from pinebench.checker.symbols import Frame, FunctionSymbol, Overloads, ParameterSymbol, ResolvedCall
from pinebench.checker.typenames import resolve
from pinebench.checker.types import (
    BOOL,
    INPUT,
    NA,
    NOTHING,
    QUALIFIER_NAMES,
    QUALIFIERS,
    SERIES,
    SIMPLE,
    UNDETERMINED,
    UNKNOWN,
    UNKNOWN_BASE,
    VALUE_KINDS,
    Base,
    Type,
    assignable,
    is_bare,
    is_faulty,
)
from pinebench.diagnostics import Span
from pinebench.syntax import nodes

MOST_FRAMES = 48
"""The largest number of combinations of argument types per function. Calls with further combinations are unknown."""
MOST_NESTED_CALLS = 60
"""The largest depth of user functions that call each other. A call nested more deeply is unknown."""


def visible(checker: Checker, name: str, node: nodes.Node) -> list[FunctionSymbol]:
    """Return the functions and methods named `name` that are declared before `node`."""
    group = checker.bindings.functions.get(name)
    if not group:
        return []
    position = checker.position(node)
    return _declared_by(group, position)


def _declared_by(functions: list[FunctionSymbol], position: int) -> list[FunctionSymbol]:
    """The functions that end before `position`; `functions` are in text order."""
    return functions[: bisect_right(functions, position, key=lambda function: function.end)]


def visible_methods(checker: Checker, name: str, node: nodes.Node, base: Base) -> list[FunctionSymbol]:
    """Return the methods named `name` whose first parameter accepts a receiver of type `base`."""
    return [
        function
        for function in (*visible(checker, name, node), *libraries.methods(checker, name))
        if function.is_method and function.parameters and _receives(function.parameters[0].type, base)
    ]


def _receives(target: Base | None, base: Base) -> bool:
    return target is None or assignable(target, base)


# declaration


def declare(checker: Checker, function: FunctionSymbol) -> None:
    """Resolve a function's parameters, check its defaults and its overloads, and evaluate its body once."""
    for parameter in function.parameters:
        written = parameter.declared
        if written.type is not None:
            parameter.type = resolve(checker, written.type)
            if parameter.type.kind == "udt" and written.qualifier in ("const", "simple"):
                checker.report("CE10260", written, typeKindName=written.qualifier)
        elif written.qualifier is not None:
            report_bare_qualifier(checker, written, written.qualifier, written.name)
            parameter.type = UNKNOWN_BASE
        if written.qualifier in QUALIFIERS:
            parameter.qualifier = QUALIFIERS[written.qualifier]
        if function.exported and written.type is None:
            checker.report("exported-function-untyped", written)
        if written.default is not None:
            check_default(checker, written, written.name, parameter.type, written.default)
    if function.is_method and (not function.parameters or function.parameters[0].declared.type is None):
        hint = f"Begin with the object and its type, as in `method {function.name}(array<float> this) =>`."
        checker.report("method-receiver", function.node.name, name=function.name, hint=hint)
    _check_overloads(checker, function)
    if all(parameter.type is not None for parameter in function.parameters):
        _settle(checker, function, partial(_declared_types, function))


def report_bare_qualifier(checker: Checker, node: nodes.Node, qualifier: str, name: nodes.Name) -> None:
    """Report CE10147 at the last word of a qualifier that precedes `name` without a type, or is repeated."""
    word = qualifier.split()[-1]
    start = node.start + checker.text(node)[: name.start - node.start].rfind(word)
    checker.report("CE10147", node, at=Span(start, start + len(word)), simple=word)


def _check_overloads(checker: Checker, function: FunctionSymbol) -> None:
    """Report CE10110 to CE10113: overloads must differ in the number or the types of required parameters."""
    mine = _required_types(function)
    first = checker.overloads.setdefault((function.name, tuple(mine)), function)
    if first is not function:
        _report_overload(checker, function, first, mine)


def _required_types(function: FunctionSymbol) -> list[tuple[str | None, Base] | None]:
    """Return the types of the parameters up to the last one without a default: none of these can be left out."""
    numbers = [number for number, parameter in enumerate(function.parameters, 1) if not parameter.has_default]
    return [
        (parameter.declared.qualifier, parameter.type) if parameter.type is not None else None
        for parameter in function.parameters[: max(numbers, default=0)]
    ]


def _report_overload(
    checker: Checker, function: FunctionSymbol, other: FunctionSymbol, types: list[tuple[str | None, Base] | None]
) -> None:
    if any(type_ is not None and type_[1] is UNKNOWN_BASE for type_ in types):
        return
    if not types:
        code = "CE10112"
    elif None in types:
        code = "CE10113"
    else:
        optional = len(function.parameters) + len(other.parameters) > 2 * len(types)
        code = "CE10111" if optional else "CE10110"
    node = function.node
    last = node.parameters[-1].end if node.parameters else node.name.end + 1
    span = Span(node.name.end, last + 1)
    checker.report(code, node, at=span, functionName=function.name, functionName1=function.name)


def _settle(checker: Checker, function: FunctionSymbol, types: Callable[[], tuple[Type, ...]]) -> Frame:
    """Evaluate the body for `types`, and decide which typed parameters without a qualifier must be simple.

    Such a parameter is series if the body permits it, and simple otherwise (TradingView's manual, user-defined
    functions). `types` is called again after a parameter's qualifier has changed. The same types are tried only once;
    otherwise a chain of calls would try every combination.
    """
    owner = function.owner if isinstance(function.owner, Checker) else checker
    mark, made = owner.reporter.mark(), len(owner.made)
    asked = types()
    frame = frame_for(checker, function, asked)
    open_parameters = [parameter for parameter in function.parameters if _is_open(parameter)]
    if not open_parameters or asked in function.settled or not owner.reporter.qualifier_errors_since(mark):
        return frame
    function.settled.add(asked)

    def places() -> set[tuple[str, Span]]:
        _undo(owner, mark, made)
        frame_for(checker, function, types())
        return {(finding.code, finding.span) for finding in owner.reporter.errors[mark[0] :]}

    as_series = places()
    _qualify(open_parameters, SIMPLE)
    as_simple = places()
    if as_series <= as_simple:
        _qualify(open_parameters, None)
    else:
        for parameter in open_parameters:
            _qualify((parameter,), None)
            if not places() <= as_simple:
                _qualify((parameter,), SIMPLE)
    places()
    return frame_for(checker, function, types())


def _is_open(parameter: ParameterSymbol) -> bool:
    return parameter.type is not None and parameter.qualifier is None and parameter.type.kind in VALUE_KINDS


def _qualify(parameters: Iterable[ParameterSymbol], qualifier: int | None) -> None:
    for parameter in parameters:
        parameter.qualifier = qualifier


def generic_frame(checker: Checker, function: FunctionSymbol) -> Frame:
    """Evaluate a function with unknown types for its untyped parameters, and discard the new findings."""
    types = _declared_types(function)
    known = function.frames.get(types)
    if known is not None:
        return known
    mark = checker.reporter.mark()
    frame = frame_for(checker, function, types)
    checker.reporter.rollback(mark)
    return frame


def _undo(checker: Checker, mark: tuple[int, int, int], made: int) -> None:
    """Remove the findings since `mark`, and the evaluations that caused them."""
    checker.reporter.rollback(mark)
    for function, key in checker.made[made:]:
        function.frames.pop(key, None)
    del checker.made[made:]


def _declared_types(function: FunctionSymbol) -> tuple[Type, ...]:
    return tuple(_parameter_type(parameter, None) for parameter in function.parameters)


def is_generic(function: FunctionSymbol, types: tuple[Type, ...]) -> bool:
    """Return whether `types` are exactly the declared parameter types, and at least one parameter has no declared type.
    No call has such types."""
    return types == _declared_types(function) and any(parameter.type is None for parameter in function.parameters)


def _parameter_type(parameter: ParameterSymbol, argument: Type | None) -> Type:
    """The type of a parameter in the body: the declared one, or the type of the argument."""
    if parameter.type is not None:
        qualifier = (
            SERIES if parameter.qualifier is None or parameter.type.kind not in VALUE_KINDS else parameter.qualifier
        )
        return parameter.type.at(qualifier)
    if argument is None or argument.base is NA:
        return UNKNOWN
    return argument if argument.from_library else argument.base.at(argument.qualifier)


def check_uncalled(checker: Checker) -> None:
    """Check the bodies of functions that are never called, with unknown types for their untyped parameters."""
    for group in checker.bindings.functions.values():
        for function in group:
            if not function.frames:
                frame_for(checker, function, _declared_types(function))


# calls


def call_user(
    checker: Checker,
    node: nodes.Call,
    name: str,
    candidates: list[FunctionSymbol],
    arguments: list[Argument],
    receiver: nodes.Node | None = None,
) -> Type:
    """Check a call of a user-defined function or method, and evaluate its body for these argument types."""
    if positional_after_named(checker, arguments):
        return UNKNOWN
    unknown = any(argument.type.base is UNKNOWN_BASE for argument in arguments)
    faulty = unknown and any(is_faulty(argument.type) for argument in arguments)
    if len(candidates) > _FEW and receiver is None and not unknown:
        candidates = _narrowed(checker, name, candidates, arguments)
    takers = list(_takers(candidates, arguments))
    complete = [pair for pair in takers if _complete(*pair)]
    if not complete:
        _report_binding(checker, node, name, candidates, takers, arguments, is_method=receiver is not None)
        return UNKNOWN
    fitting = [pair for pair in complete if not _misfits(*pair)]
    if unknown and len(fitting) != 1 and len(complete) > 1 and (faulty or fitting):
        return _common_result(checker, fitting)
    if faulty and not fitting:
        fitting = complete
    if not fitting:
        function, bound = min(complete, key=lambda pair: len(_misfits(*pair)))
        for parameter, argument in _misfits(function, bound):
            _report_misfit(checker, name, parameter, argument)
        return UNKNOWN
    function, bound = min(fitting, key=lambda pair: (_casts(*pair), _slack(*pair)))
    _report_untyped_na(checker, name, function, bound)
    frame = _settle(checker, function, partial(_argument_types, checker, function, bound))
    misfits = [] if faulty else _misfits(function, bound)
    for parameter, argument in misfits:
        _report_misfit(checker, name, parameter, argument)
    return UNKNOWN if misfits else _enter(checker, node, function, bound, frame, receiver)


def _report_untyped_na(checker: Checker, name: str, function: FunctionSymbol, bound: Bound) -> None:
    """Report CE10189 for `na` as the argument of an untyped parameter, which would take its type (recorded message)."""
    for parameter in function.parameters:
        argument = bound.get(parameter.name)
        if argument is not None and parameter.declared.type is None and _is_na(argument):
            checker.report("CE10189", argument.value, key=parameter.name, funName=name, argName=parameter.name)


def _is_na(argument: Argument) -> bool:
    value = argument.value
    while isinstance(value, nodes.Parenthesized):
        value = value.expression
    return argument.type.base is NA and isinstance(value, nodes.Name)


def accepts(candidates: list[FunctionSymbol], arguments: list[Argument]) -> bool:
    """Return whether one of the user-defined functions accepts these arguments, by their number, names and types."""
    return any(_complete(*taker) and not _misfits(*taker) for taker in _takers(candidates, arguments))


def _common_result(checker: Checker, fitting: list[tuple[FunctionSymbol, Bound]]) -> Type:
    """The result of a call with an unknown argument: known only if all overloads that fit have the same result type."""
    results: set[Base] = set()
    for function, bound in fitting:
        frame = frame_for(checker, function, _argument_types(checker, function, bound))
        results.add(frame.result.base)
    base = results.pop() if len(results) == 1 else UNKNOWN_BASE
    return UNKNOWN if base is NOTHING else base.at(UNDETERMINED)


_FEW = 8
"""With at most this number of overloads, each call looks at all of them."""


def _narrowed(
    checker: Checker, name: str, candidates: list[FunctionSymbol], arguments: list[Argument]
) -> list[FunctionSymbol]:
    """Reduce a large number of overloads to the decisive ones. The result and the reports are the same as with all
    of them."""
    if any(argument.name is not None for argument in arguments):
        return candidates
    known = checker.overloads_of.setdefault(name, Overloads())
    known.add(candidates)
    key = (len(candidates), *(argument.type for argument in arguments))
    meant = known.meant.get(key)
    if meant is None:
        meant = known.meant[key] = _decisive(known, candidates, arguments)
    return meant


def _decisive(known: Overloads, candidates: list[FunctionSymbol], arguments: list[Argument]) -> list[FunctionSymbol]:
    count, end = len(arguments), candidates[-1].end
    exact = known.by_types.get(tuple(argument.type.base for argument in arguments), [])
    for functions in (exact, known.by_count.get(count, [])):
        found = [pair[0] for pair in _takers(_declared_by(functions, end), arguments) if not _misfits(*pair)]
        if found:
            return found
    complete = list(_takers(_declared_by(known.by_count.get(count, []), end), arguments))
    if complete:
        return [min(complete, key=lambda pair: len(_misfits(*pair)))[0]]
    first = [function for function in known.first_of_length.values() if function.end <= end]
    takers = [function for function in first if len(function.parameters) >= count]
    if takers:
        return [min(takers, key=lambda function: len(function.parameters))]
    return [max(first, key=lambda function: len(function.parameters))]


def _takers(candidates: list[FunctionSymbol], arguments: list[Argument]) -> Iterator[tuple[FunctionSymbol, Bound]]:
    """Yield the functions that have parameters for these arguments, by number and names, with the argument of each
    parameter."""
    count = len(arguments)
    for function in candidates:
        if len(function.parameters) >= count and (bound := _bind(function, arguments)) is not None:
            yield function, bound


def _bind(function: FunctionSymbol, arguments: list[Argument]) -> Bound | None:
    bound: Bound = {}
    names = {parameter.name for parameter in function.parameters}
    for number, argument in enumerate(arguments):
        name = argument.name
        if name is None:
            name = function.parameters[number].name
        if name not in names or name in bound:
            return None
        bound[name] = argument
    return bound


def _complete(function: FunctionSymbol, bound: Bound) -> bool:
    return all(parameter.has_default or parameter.name in bound for parameter in function.parameters)


def _misfits(function: FunctionSymbol, bound: Bound) -> list[tuple[ParameterSymbol, Argument]]:
    found: list[tuple[ParameterSymbol, Argument]] = []
    for parameter in function.parameters:
        argument = bound.get(parameter.name)
        if argument is not None and not _takes(parameter, argument.type):
            found.append((parameter, argument))
    return found


def _casts(function: FunctionSymbol, bound: Bound) -> int:
    """The number of arguments whose type is not exactly their parameter's type. The overload with the smallest number
    is chosen."""
    return sum(
        1
        for parameter in function.parameters
        if parameter.name in bound and bound[parameter.name].type.base is not parameter.type
    )


def _slack(function: FunctionSymbol, bound: Bound) -> int:
    """Return the sum of the differences between the qualifiers of the parameters and of their arguments. The overload
    with the smallest sum is chosen: a value that is the same on every bar fits `simple int` better than `series int`
    (recorded)."""
    return sum(
        (SERIES if parameter.qualifier is None else parameter.qualifier) - bound[parameter.name].type.qualifier
        for parameter in function.parameters
        if parameter.name in bound and parameter.type is not None
    )


def _takes(parameter: ParameterSymbol, type_: Type) -> bool:
    target = parameter.type
    if target is None or type_.base is UNKNOWN_BASE:
        return True
    if type_.base is NA:
        return target is not BOOL
    if not assignable(target, type_.base):
        return False
    limit = parameter.qualifier
    return (
        limit is None or target.kind not in VALUE_KINDS or type_.qualifier <= limit or type_.qualifier == UNDETERMINED
    )


def _report_misfit(checker: Checker, name: str, parameter: ParameterSymbol, argument: Argument) -> None:
    assert parameter.type is not None
    base = parameter.type
    qualifier = QUALIFIER_NAMES[SERIES if parameter.qualifier is None else parameter.qualifier]
    expected = base.name if is_bare(base) else f"{qualifier} {base.name}"
    report_type(checker, name, parameter.name, argument.value, argument.type, expected)


def _report_binding(
    checker: Checker,
    node: nodes.Call,
    name: str,
    candidates: list[FunctionSymbol],
    takers: list[tuple[FunctionSymbol, Bound]],
    arguments: list[Argument],
    *,
    is_method: bool,
) -> None:
    if takers:
        function, bound = min(takers, key=lambda pair: len(pair[0].parameters))
        for parameter in function.parameters:
            if not parameter.has_default and parameter.name not in bound:
                report_missing(checker, node, parameter.name, name)
        return
    function = max(candidates, key=lambda candidate: len(candidate.parameters))
    most = len(function.parameters)
    if len(arguments) > most:
        hidden = 1 if is_method else 0
        report_too_many(checker, arguments[most:], name, len(arguments) - hidden, most - hidden)
        return
    names = {parameter.name for candidate in candidates for parameter in candidate.parameters}
    unknown = next((argument for argument in arguments if argument.name and argument.name not in names), None)
    if unknown is not None:
        report_unknown_name(checker, unknown, name, names)
        return
    twice = next(
        (a for number, a in enumerate(arguments) if a.name and _is_taken(function, arguments[:number], a)), None
    )
    if twice is not None:
        report_twice(checker, twice, name)
        return


def _is_taken(function: FunctionSymbol, before: list[Argument], argument: Argument) -> bool:
    """Return whether an earlier argument is for the parameter that `argument` names."""
    positional = sum(1 for other in before if other.name is None)
    names = [parameter.name for parameter in function.parameters[:positional]]
    return argument.name in names or any(other.name == argument.name for other in before)


def _enter(
    checker: Checker,
    node: nodes.Call,
    function: FunctionSymbol,
    bound: Bound,
    frame: Frame,
    receiver: nodes.Node | None,
) -> Type:
    """Record the resolution of a call, and return the type of the body's value, which does not count as a literal."""
    values = {name: argument.value for name, argument in bound.items()}
    checker.frame.calls[node] = ResolvedCall(function, None, values, receiver, frame)
    result = frame.result
    if result.base is NOTHING:
        return UNKNOWN
    if result.from_library:
        return result
    if result.qualifier in (INPUT, SIMPLE) and any(parameter.type is None for parameter in function.parameters):
        # TradingView leaves such a result undetermined: it accepts the result where a constant is expected (recorded
        # verdict).
        return result.base.at(UNDETERMINED)
    return result.base.at(result.qualifier)


def _argument_types(checker: Checker, function: FunctionSymbol, bound: Bound) -> tuple[Type, ...]:
    types: list[Type] = []
    for parameter in function.parameters:
        argument = bound.get(parameter.name)
        if argument is not None:
            types.append(_parameter_type(parameter, argument.type))
        elif parameter.type is not None or parameter.default is None:
            types.append(_parameter_type(parameter, None))
        else:
            types.append(_parameter_type(parameter, default_type(checker, function, parameter.default)))
    return tuple(types)


def default_type(checker: Checker, function: FunctionSymbol, default: nodes.Expression) -> Type:
    """Return the type of a parameter's default."""
    known = checker.global_frame.types.get(default)
    if known is not None:
        return known
    owner = function.owner if isinstance(function.owner, Checker) else checker
    with owner.at(function.offset):
        return owner.evaluate(default)


def frame_for(checker: Checker, function: FunctionSymbol, types: tuple[Type, ...]) -> Frame:
    """Return the evaluation of a function's body for these parameter types, from the cache if possible."""
    found = function.frames.get(types)
    if found is not None:
        return found
    owner = function.owner if isinstance(function.owner, Checker) else checker
    if len(function.frames) >= MOST_FRAMES or owner.call_depth >= MOST_NESTED_CALLS:
        return Frame(function, types)
    frame = Frame(function, types)
    function.frames[types] = frame
    owner.made.append((function, types))
    for parameter, type_ in zip(function.parameters, types, strict=True):
        frame.locals[parameter.variable] = type_
    with owner.inside(frame, function):
        frame.result = recall.body(owner, function, types)
    if function.exported and frame.result.qualifier < SIMPLE:
        frame.result = frame.result.base.at(SIMPLE)
    return frame
