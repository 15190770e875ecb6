"""Converts calls of built-ins, of the script's functions and methods, and of constructors to the typed form (IR)."""

from __future__ import annotations

from collections.abc import Callable

from pinebench.checker import (
    SERIES,
    Base,
    BoundArgument,
    BuiltinCall,
    ConstructorCall,
    CopyCall,
    FunctionSymbol,
    LibraryCall,
    UserCall,
    path_of,
)
from pinebench.runtime import ir
from pinebench.runtime.builtins import CONTEXT_FUNCTIONS, FUNCTIONS, KERNELS, SOURCES
from pinebench.runtime.lower.context import Lowering, LoweringPlace, empty, is_drawing, kind_of, overload_number
from pinebench.runtime.lower.expressions import as_kind, literal, member_of_enum
from pinebench.runtime.lower.names import builtin
from pinebench.runtime.lower.statements import last_value, statements
from pinebench.runtime.published import no_source
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nodes

Special = Callable[[Lowering, nodes.Call, BuiltinCall, LoweringPlace], ir.Expression]

_MOST_LETTERS = 10_000_000
"""A number of characters that no script reaches."""
_MOST_COPIES = 200
"""A function that needs more running copies for one call has no copies only because its values are kept."""
_CASTS = frozenset("string color line label box table linefill polyline".split())
"""Casts that only give `na` a type."""
_NOTHING = frozenset(("max_bars_back", "indicator", "strategy", "library"))
_OF_AN_ELEMENT = ("array.get", "array.remove")
"""Functions that get the elements' empty value, unless elements are numbers: it is the result for an na index."""
_LENGTHS = frozenset(("length", "leftbars", "rightbars", "occurrence", "diLength", "adxSmoothing", "short_length"))
_ANY = frozenset(("any", "variable", "source", "any-enum", "any-udt"))
"""Kinds of parameters that accept any value unchanged."""
_MEANT = {
    ("ta.vwap", "anchor"): "session.isfirstbar",
    ("label.new", "color"): "color.blue",
    ("label.new", "textcolor"): "color.white",
}
"""Defaults that differ from the reference. `ta.vwap` without an anchor has a value on the chart's first bar
(recorded)."""
_TIME_FORM = ("timeframe", "session", "timezone", "bars_back", "timeframe_bars_back")
_ZONED = frozenset("dayofmonth dayofweek hour month str.format_time time time_close timestamp weekofyear year".split())
"""The functions that use the exchange's time zone if none is given."""
FORMS: dict[str, tuple[str, ...]] = {"time": _TIME_FORM, "time_close": _TIME_FORM}
"""The parameter order for functions whose overloads have different orders; all calls use this one order."""


def call(lowering: Lowering, node: nodes.Call, place: LoweringPlace) -> ir.Expression:
    """Convert a call of any kind to the typed form (IR)."""
    bound = place.program.call(node, place.frame)
    if isinstance(bound, BuiltinCall):
        return _builtin_call(lowering, node, bound, place)
    if isinstance(bound, UserCall):
        return _user_call(lowering, node, bound, place)
    if isinstance(bound, ConstructorCall):
        return _construct(lowering, bound, place)
    if isinstance(bound, CopyCall):
        given = next(lowering.expression(a.node, place) for a in bound.arguments if a.node is not None)
        return ir.CallHost("object", "object.copy", [given])
    if isinstance(bound, LibraryCall):
        raise no_source([bound.library.path], lowering.line_of(node, place))
    name = path_of(node.callee) or "this call"
    missing = [path for path, text in place.program.libraries_read.items() if text is None]
    if missing and isinstance(node.callee, nodes.Member):
        # only a method of such a library leaves a call of a method unbound
        method = f"{name.rpartition('.')[2]}(), a method of "
        raise no_source(missing, lowering.line_of(node, place), method)
    raise NotComputed(name, lowering.line_of(node, place))


# built-ins


def _builtin_call(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    name = bound.function.name
    if name in _ZONED and _uses_zone_of_exchange(name, bound):
        lowering.read.add(f"{name}()")
    special = lowering.special.get(name) or lowering.special.get(name.partition(".")[0] + ".")
    if special is not None:
        return special(lowering, node, bound, place)
    kind = kind_of(lowering.typed(node, place))
    numbered = f"{name}#{overload_number(bound)}"
    key = numbered if numbered in KERNELS else name
    if key in KERNELS:
        values = [value for _, value in bound_arguments(lowering, bound, place)]
        if key in SOURCES:
            values.insert(0, ir.Column("float", SOURCES[key]))
        return kernel(lowering, key, kind, values, place, series_length=_has_series_length(bound))
    key = numbered if numbered in FUNCTIONS or numbered in CONTEXT_FUNCTIONS else name
    if key not in FUNCTIONS and key not in CONTEXT_FUNCTIONS:
        raise NotComputed(name, lowering.line_of(node, place))
    values = _in_form(lowering, name, bound, place)
    if name.startswith(("array.new", "matrix.new", "map.new")):
        values = _with_elements(lowering, node, values, place)
    if name in _OF_AN_ELEMENT and kind not in ir.NUMBERS:
        values.append(empty(kind))
    return ir.CallBuiltin(kind, key, values, key in CONTEXT_FUNCTIONS, _objects(lowering, node, bound, place))


def _uses_zone_of_exchange(name: str, bound: BuiltinCall) -> bool:
    """Whether a call of a function in `_ZONED` uses the exchange's time zone: a text of `timestamp` has its own, and
    `time` uses one only for a session."""
    given = {argument.parameter for argument in bound.arguments if argument.node is not None}
    needed = {"time": "session", "time_close": "session", "timestamp": "year"}.get(name)
    return "timezone" not in given and (needed is None or needed in given)


def _objects(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> tuple[str | None, ...]:
    """The sorts of the result and of each argument that is an object."""
    given = [a.type for a in bound.arguments if a.node is not None or not bound.function.variadic]
    found: list[str | None] = []
    for type_ in (lowering.typed(node, place), *given):
        sort = type_.base.kind if type_ is not None and kind_of(type_) == "object" else None
        if sort == "array" and type_ is not None:
            sort = f"array of {kind_of(type_.base.arguments[0].at(SERIES))}"
        found.append(sort)
    return tuple(found) if any(found) else ()


def _with_elements(
    lowering: Lowering, node: nodes.Call, values: list[ir.Expression], place: LoweringPlace
) -> list[ir.Expression]:
    """Convert the initial value of a new collection to the kind of its elements. A map and a matrix also get the empty
    value of their elements."""
    type_ = lowering.typed(node, place)
    element = type_.base.arguments[-1].at(SERIES) if type_ is not None and type_.base.arguments else None
    sort = type_.base.kind if type_ is not None else None
    if not values:
        return [empty(kind_of(element))]
    made = [*values[:-1], as_kind(values[-1], kind_of(element))]
    return [*made, empty(kind_of(element))] if sort == "matrix" else made


def _in_form(lowering: Lowering, name: str, bound: BuiltinCall, place: LoweringPlace) -> list[ir.Expression]:
    given = bound_arguments(lowering, bound, place)
    form = FORMS.get(name)
    if form is None:
        return [value for _, value in given]
    known = dict(given)
    absent = {"session": empty("string"), "timezone": empty("string")}
    return [known.get(parameter, absent.get(parameter, ir.Constant("int", 0))) for parameter in form]


def _has_series_length(bound: BuiltinCall) -> bool:
    return any(
        argument.parameter in _LENGTHS and argument.type is not None and argument.type.qualifier >= SERIES
        for argument in bound.arguments
    )


def kernel(
    lowering: Lowering,
    name: str,
    kind: ir.Kind,
    values: list[ir.Expression],
    place: LoweringPlace,
    *,
    series_length: bool,
) -> ir.Expression:
    """Make a copy of the stateful built-in `name` for this call with the arguments `values`. `series_length` says that
    its length can change from bar to bar."""
    if name not in KERNELS:
        raise NotComputed(name, place.line)
    state = ir.KernelState(lowering.number(), name, series_length)
    place.unit.state.append(state)
    return ir.CallKernel(kind, state, values, tuple(KERNELS[name].reads))


def bound_arguments(lowering: Lowering, bound: BuiltinCall, place: LoweringPlace) -> list[tuple[str, ir.Expression]]:
    """Return the parameters of a built-in, each with its argument, its default, or the na of its kind. A function with
    any number of arguments gets only the arguments that were passed."""
    found: list[tuple[str, ir.Expression]] = []
    known: dict[str, ir.Expression] = {}
    for argument in bound.arguments:
        # A function with any number of arguments has only the given ones; the parameter names do not matter.
        if bound.function.variadic and argument.node is None:
            continue
        value = _bound_value(lowering, bound, argument, known, place)
        known[argument.parameter] = value
        found.append((argument.parameter, value))
    return found


def _bound_value(
    lowering: Lowering,
    bound: BuiltinCall,
    argument: BoundArgument,
    known: dict[str, ir.Expression],
    place: LoweringPlace,
) -> ir.Expression:
    base = _parameter_base(bound, argument.parameter)
    if argument.node is not None:
        value = lowering.expression(argument.node, place)
        if argument.conversion is not None:
            value = as_kind(value, kind_of(argument.conversion))
        return value if base is None or base.kind in _ANY else as_kind(value, _kind_of_base(base))
    meant = _MEANT.get((bound.function.name, argument.parameter))
    if meant is not None:
        return builtin(lowering, meant, place)
    if argument.default is None:
        return empty(_kind_of_base(base))
    return default(lowering, argument.default, known, _kind_of_base(base), place)


def _parameter_base(bound: BuiltinCall, name: str) -> Base | None:
    index = bound.overload.index
    return bound.overload.parameters[index[name]].base if name in index else None


def _kind_of_base(base: Base | None) -> ir.Kind:
    if base is None or base.kind in _ANY:
        return "float"
    if base.kind == "union":
        kinds: list[ir.Kind] = [_kind_of_base(member) for member in base.arguments]
        return "float" if "float" in kinds else kinds[0]
    return kind_of(base.at(SERIES))


def default(
    lowering: Lowering, node: nodes.Node, values_by_name: dict[str, ir.Expression], kind: ir.Kind, place: LoweringPlace
) -> ir.Expression:
    """Convert the default of a built-in's parameter to the typed form (IR). The default is a literal, a built-in, or
    the name of another parameter, whose value is in `values_by_name`."""
    if isinstance(node, nodes.Literal):
        return literal(lowering, node, place)
    if isinstance(node, nodes.Unary):
        return ir.Unary("float", node.operator, default(lowering, node.operand, values_by_name, kind, place))
    if isinstance(node, nodes.Call):
        name = path_of(node.callee) or ""
        arguments = [default(lowering, part, values_by_name, "object", place) for part in node.arguments]
        sorts = [name.partition(".")[0] if each.kind == "object" else None for each in arguments]
        return ir.CallBuiltin("int", name, arguments, name in CONTEXT_FUNCTIONS, (None, *sorts))
    name = path_of(node) or ""
    if name in values_by_name:
        return values_by_name[name]
    return empty(kind) if name == "na" else builtin(lowering, name, place)


# calls of built-ins that the library does not implement as functions


def _empty_test(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    [(_, value)] = bound_arguments(lowering, bound, place)[:1]
    source = next((a.node for a in bound.arguments if a.node is not None), None)
    if source is not None and is_drawing(lowering.typed(source, place)):
        return ir.Unary("bool", "gone", as_kind(value, "object"))
    return ir.Unary("bool", "na", value)


def _replace_empty(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    kind = kind_of(lowering.typed(node, place))
    given = dict(bound_arguments(lowering, bound, place))
    source = given.get("source") or next(iter(given.values()))
    kind = source.kind if kind == "void" else kind
    replacement = given.get("replacement")
    if replacement is None or not any(a.parameter == "replacement" and a.node is not None for a in bound.arguments):
        blank: dict[str, float | str] = {"string": "", "float": 0.0}
        replacement = ir.Constant(kind, blank.get(kind, 0))
    return ir.CallBuiltin(kind, "nz", [as_kind(source, kind), as_kind(replacement, kind)])


def _number_cast(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    [(_, value)] = bound_arguments(lowering, bound, place)[:1]
    if bound.function.name == "float":
        return ir.Unary("float", "float", value) if value.kind == "int" else value
    return ir.CallBuiltin(kind_of(lowering.typed(node, place)), bound.function.name, [value])


def _type_cast(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    [(_, value)] = bound_arguments(lowering, bound, place)[:1]
    return as_kind(value, kind_of(lowering.typed(node, place)))


def _no_call(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    return ir.Constant("void", None)


def _call_of(lowering: Lowering, node: nodes.Call, place: LoweringPlace) -> list[ir.Expression]:
    """The script's line that an alert names, and a number for its call: its offset, made negative in a library. Several
    calls may be on one line."""
    start = place.program.span(node).start + 1
    paths = list(lowering.program.libraries)
    call = start if place.program.path is None else -(paths.index(place.program.path) * _MOST_LETTERS + start)
    return [ir.Constant("int", lowering.script_line(node, place)), ir.Constant("int", call)]


def host(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    """Convert a call that the run itself handles (drawings, orders, alerts, errors) to the typed form (IR). Its
    arguments are passed by name."""
    if lowering.is_requested and bound.function.function.effects.changes & {"alerts", "log", "orders"}:
        return ir.Constant("void", None)
    name = bound.function.name
    return ir.CallHost(
        kind_of(lowering.typed(node, place)),
        name,
        _call_of(lowering, node, place) if name == "alert" else [],
        dict(bound_arguments(lowering, bound, place)),
    )


def _log(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    if lowering.is_requested:
        return ir.Constant("void", None)
    values = [value for _, value in bound_arguments(lowering, bound, place)]
    objects = _objects(lowering, node, bound, place)
    text = values[0] if len(values) == 1 else ir.CallBuiltin("string", "str.format", values, objects=objects)
    return ir.CallHost("void", bound.function.name, [text, ir.Constant("int", lowering.script_line(node, place))])


def _input(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    """The value that was given for an input, else its default."""
    kind = kind_of(lowering.typed(node, place))
    if node in lowering.settings.inputs:
        value = lowering.settings.inputs[node]
        if isinstance(value, ChosenSeries):
            return builtin(lowering, value, place)
        if isinstance(value, nodes.EnumField):
            return member_of_enum(lowering, value)
        if isinstance(value, LaterInput):
            return ir.FixedValue(kind, "input", value.number)
        return ir.Constant(kind, value)
    return next(value for name, value in bound_arguments(lowering, bound, place) if name == "defval")


class LaterInput:
    """The value of a number or bool input, which is set only when the script runs. `number` identifies the input."""

    def __init__(self, number: int) -> None:
        self.number = number


class ChosenSeries(str):
    """The name of the built-in series that was chosen for an input."""

    __slots__ = ()


SPECIAL: dict[str, Special] = {
    "na": _empty_test,
    "nz": _replace_empty,
    "int": _number_cast,
    "float": _number_cast,
    "bool": _number_cast,
    "alert": host,
    "runtime.error": host,
    "log.info": _log,
    "log.warning": _log,
    "log.error": _log,
    "input": _input,
    **dict.fromkeys(_CASTS, _type_cast),
    **dict.fromkeys(_NOTHING, _no_call),
    "input.": _input,
    **dict.fromkeys(("strategy.", "line.", "label.", "box.", "table.", "linefill.", "polyline.", "chart."), host),
}


# functions and types of the script


def _user_call(lowering: Lowering, node: nodes.Call, bound: UserCall, place: LoweringPlace) -> ir.Expression:
    values = [_argument(lowering, bound.function, argument, place) for argument in bound.arguments]
    function = _function(lowering, node, bound, place)
    kind = function.result.kind if function.result is not None else "void"
    state: ir.CallState | None = None
    if function.unit.stateful:
        text = lowering.text_of(node, place) if lowering.records or lowering.settings.watched else ""
        state = ir.CallState(lowering.number(), function, lowering.line_of(node, place), text)
        place.unit.state.append(state)
    return ir.CallFunction(kind, function, state, values)


def _argument(
    lowering: Lowering, function: FunctionSymbol, argument: BoundArgument, place: LoweringPlace
) -> ir.Expression:
    kind = kind_of(argument.conversion or argument.type)
    if argument.node is not None:
        return as_kind(lowering.expression(argument.node, place), kind)
    if argument.default is None:
        raise NotComputed(f"the argument {argument.parameter} of {function.name}", place.line)
    owner = lowering.place_of_function(function)
    return as_kind(lowering.expression(argument.default, owner), kind)


def _function(lowering: Lowering, node: nodes.Call, bound: UserCall, place: LoweringPlace) -> ir.Function:
    """Return the lowered function for these argument types. A function that makes requests is lowered for each call."""
    own = "requests" in lowering.program.effects_of(bound.frame).uses
    key: object = (bound.frame, place.unit, bound.site) if own else bound.frame
    known = lowering.functions.get(key)
    if known is not None:
        return known
    symbol = bound.function
    unit = ir.Unit(symbol.name, parent=place.unit)
    function = ir.Function(lowering.number(), symbol.name, unit)
    outer = lowering.place_of_function(symbol)
    function.library = outer.program.path
    inner = LoweringPlace(outer.program, bound.frame, unit, unit.body, outer=outer, caller=place, site=node)
    given = {argument.parameter: argument.node for argument in bound.arguments}
    for parameter in symbol.parameters:
        type_ = outer.program.declared_type(parameter.variable, bound.frame)
        variable = lowering.declare(parameter.name, kind_of(type_), inner, parameter.variable)
        lowering.describe(variable, type_)
        function.parameters.append(variable)
        argument = given.get(parameter.name)
        if argument is not None:
            inner.arguments[parameter.variable] = (argument, place)
    _body(lowering, symbol, function, inner)
    unit.foreign = outer.program is not lowering.program
    unit.own = lowering.records and _copies(unit) <= _MOST_COPIES
    lowering.functions[key] = function
    lowering.module.functions.append(function)
    return function


def _copies(unit: ir.Unit) -> int:
    """The number of running copies of functions for one copy of a unit, itself included."""
    copies, pending = 0, [unit]
    while pending and copies <= _MOST_COPIES:
        copies += 1
        pending += [state.function.unit for state in pending.pop().state if isinstance(state, ir.CallState)]
    return copies


def _body(lowering: Lowering, symbol: FunctionSymbol, function: ir.Function, place: LoweringPlace) -> None:
    body = symbol.node.body
    statements(lowering, body[:-1], place)
    value = last_value(lowering, body[-1], place) if body else None
    function.result = value
    function.line = place.line


def _construct(lowering: Lowering, bound: ConstructorCall, place: LoweringPlace) -> ir.Expression:
    type_ = lowering.types.of(bound.type)
    values: list[ir.Expression] = []
    for argument in bound.arguments:
        known = type_.fields[argument.parameter]
        if argument.node is not None:
            value = lowering.expression(argument.node, place)
        elif argument.default is None or path_of(argument.default) == "na":
            value = empty(known.kind)
        else:
            value = lowering.expression(argument.default, lowering.place_of_type(bound.type))
        values.append(as_kind(value, known.kind))
    return ir.New("object", type_, values)
