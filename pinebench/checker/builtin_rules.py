"""Rules for individual built-in functions that their parameter types cannot express."""

from __future__ import annotations

from collections.abc import Callable

from pinebench.checker.argument_text import called_name, path_of
from pinebench.checker.arguments import Argument, Bound, report_type
from pinebench.checker.builtins import Signature
from pinebench.checker.checker import Checker
from pinebench.checker.constants import NotConstant, Value, fold
from pinebench.checker.symbols import FieldSymbol, Frame, ResolvedCall, TypeSymbol
from pinebench.checker.types import BOOL, COLOR, FLOAT, INT, SERIES, STRING, UNKNOWN_BASE
from pinebench.reference import Function
from pinebench.reference import variable as builtin_variable
from pinebench.reference.declarations import standing
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_EXIT_TARGETS = frozenset(("profit", "limit", "loss", "stop"))
_TRAIL = frozenset(("trail_price", "trail_points"))
_SHORT_TITLE = 10
_MOST_REQUEST_VALUES = 127
_MOST_DRAWINGS = {"max_lines_count": 500, "max_labels_count": 500}
_MOST_BOXES = 500
_MOST_POLYLINES = 100


def apply(checker: Checker, node: nodes.Call, function: Function, bound: Bound) -> None:
    """Check a call by the additional rule that the reference names for its function, if any."""
    if function.rule is not None:
        RULES[function.rule](checker, node, function.name, bound)


def _named_input(checker: Checker, node: nodes.Call, name: str, bound: Bound) -> None:
    """Report an input in an exported function, and a default that is not one of the options (TradingView's
    reference)."""
    if checker.exporting:
        checker.report("export-uses-input", node, functionName=name)
    options = bound.get("options")
    if options is None or not isinstance(options.value, nodes.TupleExpression):
        return
    default = _constant(checker, bound, "defval")
    try:
        values = [fold(checker, item) for item in options.value.items]
    except NotConstant:
        return
    if default is not None and default not in values:
        checker.report("default-not-in-options", bound["defval"].value, functionName=name)


def _exit(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report an exit without a target. Only the presence of the arguments counts, not their values (recorded
    message)."""
    targets, trails = not _EXIT_TARGETS.isdisjoint(bound), not _TRAIL.isdisjoint(bound)
    if targets or (trails and "trail_offset" in bound):
        return
    checker.report("strategy-exit-without-target", node)


def _declaration(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Store the declaration statement and check its arguments. Only the first declaration statement counts. One in a
    local scope was already reported."""
    assert isinstance(node.callee, nodes.Name)
    if checker.local_depth or checker.declaration is not None:
        return
    checker.declaration = node
    checker.declaration_kind = node.callee.id
    checker.declaration_offset = checker.offset
    checker.dynamic_requests = _constant(checker, bound, "dynamic_requests") is not False
    _short_title(checker, bound)
    _count_limits(checker, node, bound)
    _library_title(checker, bound)
    _default_size(checker, bound)


def _default_size(checker: Checker, bound: Bound) -> None:
    """Report CE10034 for a default size of orders that is `na` (recorded code)."""
    size = bound.get("default_qty_value")
    if size is None:
        return
    try:
        is_na = fold(checker, size.value) is None
    except NotConstant:
        return
    if is_na:
        checker.report("CE10034", size.value, argumentName="default_qty_value")


def _count_limits(checker: Checker, node: nodes.Call, bound: Bound) -> None:
    """Report a declaration with a larger drawing limit than TradingView allows (recorded verdicts, limits of the
    manual). For boxes only the limit is known, not the message: a published script sets a larger one."""
    for name, most in _MOST_DRAWINGS.items():
        value = _number(checker, bound, name)
        if value is not None and value > most:
            checker.report("CE10178", bound[name].value, drwName=name, value=_shown(value), MAX_DRAWINGS_COUNT=most)
    _range(checker, node, bound, "max_polylines_count", 1, _MOST_POLYLINES)
    boxes = _number(checker, bound, "max_boxes_count")
    if boxes is not None and boxes > _MOST_BOXES:
        checker.report("too-many-boxes", bound["max_boxes_count"].value, value=_shown(boxes), limit=_MOST_BOXES)


def _constant(checker: Checker, bound: Bound, name: str) -> Value:
    """The constant value of the argument `name`, or None if it is missing or not known before the script runs."""
    argument = bound.get(name)
    if argument is None:
        return None
    try:
        return fold(checker, argument.value)
    except NotConstant:
        return None


def _number(checker: Checker, bound: Bound, name: str) -> float | None:
    """The constant number of the argument `name`, or None if it is missing, not a number, or not known before the
    script runs."""
    value = _constant(checker, bound, name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _shown(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _range(checker: Checker, node: nodes.Call, bound: Bound, name: str, least: int, most: int) -> None:
    """Report CE10041 if a constant argument is outside the function's range (recorded verdicts)."""
    value = _number(checker, bound, name)
    if value is None or least <= value <= most:
        return
    node_given = bound[name].value
    is_session = name == "bars_back" and isinstance(node_given, nodes.Binary) and node_given.operator == "-"
    hint = f'A session is a text: `"{checker.text(node_given)}"`.' if is_session else None
    checker.report(
        "CE10041",
        node_given,
        value=_shown(value),
        argument_name=name,
        funId=called_name(checker, node),
        min_value=least,
        max_value=most,
        hint=hint,
    )


def _text_size(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report CE10039 for a negative text size (recorded verdict)."""
    value = _number(checker, bound, "text_size")
    if value is not None and value < 0:
        name = called_name(checker, node)
        checker.report("CE10039", bound["text_size"].value, funId=name, argument_name="text_size")


def _occurrence(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report CE10039 for a negative `occurrence` argument (recorded code)."""
    value = _number(checker, bound, "occurrence")
    if value is not None and value < 0:
        name = called_name(checker, node)
        checker.report("CE10039", bound["occurrence"].value, funId=name, argument_name="occurrence")


def _transparency(checker: Checker, _node: nodes.Call, _name: str, bound: Bound) -> None:
    value = _number(checker, bound, "transp")
    if value is not None and not 0 <= value <= 100:
        checker.report("CE10274", bound["transp"].value)


def _input(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report CE10212 for a computed default (recorded verdict). The name of a variable is accepted."""
    if checker.exporting:
        checker.report("export-uses-input", node, functionName="input")
    default = bound["defval"]
    if default.type.qualifier == SERIES and path_of(default.value) is None:
        checker.report("CE10212", node)


def _timestamp(checker: Checker, _node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report CE10275 for a constant text that TradingView's compiler does not read as a date (recorded verdicts)."""
    text = _constant(checker, bound, "dateString")
    if not isinstance(text, str):
        return
    from pinebench.calendars import dates  # imported here, because few scripts have a date

    try:
        dates.timestamp(text)
    except dates.UnreadableDate as error:
        if error.is_refused:
            checker.report("CE10275", bound["dateString"].value, hint=error.hint)


def _short_title(checker: Checker, bound: Bound) -> None:
    title = _constant(checker, bound, "shorttitle")
    if isinstance(title, str) and len(title) > _SHORT_TITLE:
        checker.report("short-title-too-long", bound["shorttitle"].value, length=len(title))


def _library_title(checker: Checker, bound: Bound) -> None:
    """Report CE10292 for a library's title that is not one word: scripts import the library by its title (recorded
    code)."""
    title = _constant(checker, bound, "title")
    if checker.declaration_kind == "library" and isinstance(title, str) and " " in title:
        checker.report("CE10292", bound["title"].value, title=title)


def _linewidth(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report a constant line width below 1, which v6 refuses (TradingView's migration guide)."""
    width = _constant(checker, bound, "linewidth")
    if isinstance(width, int) and width < 1:
        name = called_name(checker, node)
        checker.report("linewidth-too-small", bound["linewidth"].value, functionName=name, value=width)


def _not_dynamic(checker: Checker, node: nodes.Call, name: str, bound: Bound) -> None:
    """Report a request in a local block, and arguments that are not known before the first bar, in a script without
    dynamic requests. The body of a function that is not exported does not count as a local block: it runs where the
    function is called."""
    function = checker.frame.function
    if checker.local_depth > (1 if function is not None and not function.exported else 0):
        checker.report("request-not-dynamic", node, declaration=checker.declaration_kind or "indicator")
    for parameter in ("symbol", "ticker", "timeframe"):
        argument = bound.get(parameter)
        if argument is not None and argument.type.qualifier == SERIES and argument.type.base is STRING:
            report_type(checker, name, parameter, argument.value, argument.type, "simple string")


def _request(checker: Checker, node: nodes.Call, name: str, bound: Bound) -> None:
    """Report that a `request.*()` call or its expression depends on something it must not depend on (TradingView's
    manual, other timeframes)."""
    report = checker.report
    if not checker.dynamic_requests:
        _not_dynamic(checker, node, name, bound)
    if "expression" not in bound:
        return
    expression = bound["expression"].value
    if isinstance(expression, nodes.TupleExpression):
        # The manual has one limit for all tuples of a script, but TradingView runs scripts that exceed it (recorded).
        count = len(expression.items)
        if count > _MOST_REQUEST_VALUES:
            report("too-many-request-values", expression, count=count, limit=_MOST_REQUEST_VALUES)
    known: dict[Frame, str | None] = {}
    for part in walk(expression):
        if isinstance(part, nodes.Name):
            _request_name(checker, part)
        elif isinstance(part, nodes.Member):
            path = path_of(part)
            trades = path is not None and path.startswith("strategy.") and builtin_variable(path) is not None
            if trades and standing(path or "", checker.declaration_kind) is None:
                report("CE10059", part, name=path)
        elif isinstance(part, nodes.Call):
            culprit = _drawing(checker.frame.calls.get(part), known)
            if culprit is not None:
                report("CE10057", part, name=culprit)


def _drawing(call: ResolvedCall | None, known: dict[Frame, str | None]) -> str | None:
    """Return the name of a function that a call uses to draw, directly or through user functions, or None. Logs are
    allowed (manual)."""
    if call is None:
        return None
    if isinstance(call.target, Signature):
        name, made = call.target.name, "drawings" in call.target.function.effects.changes
        return name if made and name.endswith(".new") else None
    frame = call.frame
    if frame is None:
        return None
    if frame not in known:
        known[frame] = None
        found = (_drawing(inner, known) for inner in frame.calls.values())
        known[frame] = next((name for name in found if name is not None), None)
    return known[frame]


def _request_name(checker: Checker, node: nodes.Name) -> None:
    symbol = checker.bindings.variables.get(node)
    if symbol is None:
        return
    if symbol.kind in ("counter", "element"):
        checker.report("request-depends-on-loop", node, name=symbol.name)
    elif symbol.kind == "parameter" and checker.exporting:
        checker.report("CE10051", node, name=symbol.name)


def _sort(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report the sorting of values that have no order: colours, bools, drawings, and objects that are sorted by such a
    field (manual, arrays)."""
    collection = bound["id"]
    if not collection.type.base.arguments:
        return  # `na` is accepted as a collection of any type
    element = collection.type.base.arguments[0]
    name = called_name(checker, node)
    if element in (BOOL, COLOR) or element.kind == "object":
        kind = collection.type.base.kind
        report_type(checker, name, "id", collection.value, collection.type, f"{kind}<float>")
    if not isinstance(element.symbol, TypeSymbol) or not element.symbol.fields:
        return
    field = _sort_field(checker, list(element.symbol.fields.values()), bound.get("sort_field"))
    if field is not None and field.type not in (INT, FLOAT, STRING, UNKNOWN_BASE):
        checker.report("sort-field-type", node, functionName=name, field=field.name, type=field.type.name)


def _search(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    """Report a search for a value whose type is neither the type of the array's numbers nor of its objects' field
    (reference)."""
    array, value = bound["id"], bound["val"]
    if not array.type.base.arguments:
        return
    element = array.type.base.arguments[0]
    name = called_name(checker, node)
    if element in (INT, FLOAT):
        _searched(checker, name, value, "float")
    elif isinstance(element.symbol, TypeSymbol) and element.symbol.fields:
        field = _sort_field(checker, list(element.symbol.fields.values()), bound.get("sort_field"))
        if field is not None and field.type in (INT, FLOAT, STRING):
            _searched(checker, name, value, "string" if field.type is STRING else "float")
    elif element is not UNKNOWN_BASE and element.kind != "udt":
        report_type(checker, name, "id", array.value, array.type, "array<float>")


def _searched(checker: Checker, name: str, value: Argument, wanted: str) -> None:
    """Report a search for a text among numbers, or for a number among texts."""
    base = value.type.base
    if base in (INT, FLOAT, STRING) and (base is STRING) != (wanted == "string"):
        report_type(checker, name, "val", value.value, value.type, f"series {wanted}")


def _sort_field(checker: Checker, fields: list[FieldSymbol], chosen: Argument | None) -> FieldSymbol | None:
    """The field that objects are sorted by: the first, or the one `sort_field` names. None if that field is not
    known."""
    return fields[0] if chosen is None else _field_of(checker, fields, chosen.value)


def _field_of(checker: Checker, fields: list[FieldSymbol], value: nodes.Node) -> FieldSymbol | None:
    """The field with the constant name or number `value`. None if `value` is not constant or there is no such field."""
    try:
        chosen = fold(checker, value)
    except NotConstant:
        return None
    if isinstance(chosen, int) and 0 <= chosen < len(fields):
        return fields[chosen]
    return next((field for field in fields if field.name == chosen), None)


def _bars_back(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    for parameter in ("bars_back", "timeframe_bars_back"):
        _range(checker, node, bound, parameter, -500, 5000)


def _max_bars_back(checker: Checker, node: nodes.Call, _name: str, bound: Bound) -> None:
    _range(checker, node, bound, "num", 0, 5000)


RULES: dict[str, Callable[[Checker, nodes.Call, str, Bound], None]] = {
    "bars_back": _bars_back,
    "declaration": _declaration,
    "exit": _exit,
    "input": _input,
    "linewidth": _linewidth,
    "max_bars_back": _max_bars_back,
    "named_input": _named_input,
    "occurrence": _occurrence,
    "request": _request,
    "search": _search,
    "sort": _sort,
    "text_size": _text_size,
    "timestamp": _timestamp,
    "transparency": _transparency,
}
"""The rules by the names that records give them."""
