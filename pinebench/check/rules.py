"""Rules of single built-in functions that their parameter types cannot express."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from pinebench.check.arguments import Argument, report_type
from pinebench.check.builtins import Signature
from pinebench.check.constants import Unfolded, Value, fold
from pinebench.check.display import called_name, path_of
from pinebench.check.evaluator import Evaluator, Frame, ResolvedCall
from pinebench.check.matching import Bound
from pinebench.check.symbols import FieldSymbol, TypeSymbol
from pinebench.check.types import BOOL, COLOR, FLOAT, INT, SERIES, STRING, UNKNOWN_BASE, Base
from pinebench.reference import variable as builtin_variable
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_EXIT_TARGETS = frozenset(("profit", "limit", "loss", "stop"))
_TRAIL = frozenset(("trail_price", "trail_points"))
_SHORT_TITLE = 10
_MOST_REQUEST_VALUES = 127
_MOST_DRAWINGS = {
    "max_lines_count": 500,
    "max_labels_count": 500,
    "max_boxes_count": 500,
    "max_polylines_count": 100,
}
_ZULU = re.compile(r"\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z\s*")
_ORDERS = frozenset(("entry", "order", "exit", "close", "close_all", "cancel", "cancel_all"))
_DRAWINGS = frozenset(("line", "label", "box", "table", "polyline", "linefill"))


def apply(evaluator: Evaluator, node: nodes.Call, name: str, bound: Bound) -> None:
    """Check the rules of the built-in function `name`, if it has any."""
    rule = _RULES.get(name)
    if rule is not None:
        rule(evaluator, node, bound)
    elif name.startswith("strategy."):
        _order(evaluator, node, name)
    elif name.startswith("input") and evaluator.exporting:
        evaluator.reporter.report("export-uses-input", node, functionName=name)
    elif name.startswith("request."):
        _request(evaluator, node, name, bound)


def _order(evaluator: Evaluator, node: nodes.Call, name: str) -> None:
    """An indicator cannot place orders (manual, strategies); a library can: TradingView publishes one that does."""
    if evaluator.declaration_kind == "indicator":
        short = name.removeprefix("strategy.")
        if short in _ORDERS or short.startswith("risk."):
            evaluator.reporter.report("strategy-only", node, name=name)


def _exit(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """An exit needs a target: presence is enough, its value is not looked at (recorded message)."""
    _order(evaluator, node, "strategy.exit")
    if _EXIT_TARGETS & bound.keys() or ("trail_offset" in bound and _TRAIL & bound.keys()):
        return
    evaluator.reporter.report("strategy-exit-without-target", node)


def _declaration(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """Remember the declaration statement; a second one is an error. One in a local scope was reported as such."""
    assert isinstance(node.callee, nodes.Name)
    if evaluator.local_depth:
        return
    if evaluator.declaration is not None and evaluator.declaration is not node:
        evaluator.reporter.report("declaration-repeated", node, name=node.callee.id)
        return
    evaluator.declaration = node
    evaluator.declaration_kind = node.callee.id
    evaluator.declaration_base = evaluator.reporter.base
    evaluator.dynamic_requests = _constant(evaluator, bound, "dynamic_requests") is not False
    _short_title(evaluator, bound)
    _count_limits(evaluator, bound)


def _count_limits(evaluator: Evaluator, bound: Bound) -> None:
    """No declaration may ask for more drawings than TradingView keeps (recorded verdict, limits of the manual)."""
    for name, most in _MOST_DRAWINGS.items():
        value = _number(evaluator, bound, name)
        if value is not None and value > most:
            evaluator.reporter.report(
                "CE10178", bound[name].value, drwName=name, value=_shown(value), MAX_DRAWINGS_COUNT=most
            )


def _constant(evaluator: Evaluator, bound: Bound, name: str) -> Value:
    """The value of the argument `name` when it is known before the script runs, else None."""
    argument = bound.get(name)
    if argument is None:
        return None
    try:
        return fold(evaluator, argument.value)
    except Unfolded:
        return None


def _number(evaluator: Evaluator, bound: Bound, name: str) -> float | None:
    """The number that the argument `name` is known to be before the script runs, else None."""
    value = _constant(evaluator, bound, name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _shown(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _range(evaluator: Evaluator, node: nodes.Call, bound: Bound, name: str, least: int, most: int) -> None:
    """CE10041: a constant argument outside of the range that the function takes (recorded verdicts)."""
    value = _number(evaluator, bound, name)
    if value is None or least <= value <= most:
        return
    evaluator.reporter.report(
        "CE10041",
        bound[name].value,
        value=_shown(value),
        argument_name=name,
        funId=called_name(evaluator, node),
        min_value=least,
        max_value=most,
    )


def _text_size(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """CE10039: no text is smaller than nothing (recorded verdict)."""
    value = _number(evaluator, bound, "text_size")
    if value is not None and value < 0:
        name = called_name(evaluator, node)
        evaluator.reporter.report("CE10039", bound["text_size"].value, funId=name, argument_name="text_size")


def _transparency(evaluator: Evaluator, _node: nodes.Call, bound: Bound) -> None:
    value = _number(evaluator, bound, "transp")
    if value is not None and not 0 <= value <= 100:
        evaluator.reporter.report("CE10274", bound["transp"].value)


def _input(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """CE10212: a default that is computed (recorded verdict); a variable may hold a built-in one, and passes."""
    if evaluator.exporting:
        evaluator.reporter.report("export-uses-input", node, functionName="input")
    default = bound["defval"]
    if default.type.qualifier == SERIES and path_of(default.value) is None:
        evaluator.reporter.report("CE10212", node)


def _timestamp(evaluator: Evaluator, _node: nodes.Call, bound: Bound) -> None:
    """CE10275: of the ISO forms TradingView does not read the one that ends in Z (recorded verdict)."""
    text = _constant(evaluator, bound, "dateString")
    if isinstance(text, str) and _ZULU.fullmatch(text):
        hint = "Write the zone as an offset: `+00:00` instead of `Z`."
        evaluator.reporter.report("CE10275", bound["dateString"].value, hint=hint)


def _short_title(evaluator: Evaluator, bound: Bound) -> None:
    title = _constant(evaluator, bound, "shorttitle")
    if isinstance(title, str) and len(title) > _SHORT_TITLE:
        evaluator.reporter.report("short-title-too-long", bound["shorttitle"].value, length=len(title))


def _linewidth(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """A constant width below 1 is refused since v6 (TradingView's migration guide)."""
    width = _constant(evaluator, bound, "linewidth")
    if isinstance(width, int) and width < 1:
        name = called_name(evaluator, node)
        evaluator.reporter.report("linewidth-too-small", bound["linewidth"].value, functionName=name, value=width)


def _not_dynamic(evaluator: Evaluator, node: nodes.Call, name: str, bound: Bound) -> None:
    """Without dynamic requests a call stands in no local block and asks for what is known before the first bar.

    The body of a function that is not exported is no such block: it takes the place of its call.
    """
    function = evaluator.frame.function
    if evaluator.local_depth > (1 if function is not None and not function.exported else 0):
        evaluator.reporter.report("request-not-dynamic", node, declaration=evaluator.declaration_kind or "indicator")
    for parameter in ("symbol", "ticker", "timeframe"):
        argument = bound.get(parameter)
        if argument is not None and argument.type.qualifier == SERIES and argument.type.base is STRING:
            report_type(evaluator, name, parameter, argument.value, argument.type, "simple string")


def _request(evaluator: Evaluator, node: nodes.Call, name: str, bound: Bound) -> None:
    """What a `request.*()` call and its expression may not depend on (TradingView's manual, other timeframes)."""
    report = evaluator.reporter.report
    if not evaluator.dynamic_requests:
        _not_dynamic(evaluator, node, name, bound)
    if "expression" not in bound:
        return
    expression = bound["expression"].value
    if isinstance(expression, nodes.TupleExpression):
        # The manual speaks of all tuples together, but TradingView runs scripts whose calls give more (recorded).
        count = len(expression.items)
        if count > _MOST_REQUEST_VALUES:
            report("too-many-request-values", expression, count=count, limit=_MOST_REQUEST_VALUES)
    known: dict[Frame, str | None] = {}
    for part in walk(expression):
        if isinstance(part, nodes.Name):
            _request_name(evaluator, part)
        elif isinstance(part, nodes.Member):
            path = path_of(part)
            if path is not None and path.startswith("strategy.") and builtin_variable(path) is not None:
                report("CE10059", part, name=path)
        elif isinstance(part, nodes.Call):
            culprit = _drawing(evaluator.frame.calls.get(part), known)
            if culprit is not None:
                report("CE10057", part, name=culprit)


def _drawing(call: ResolvedCall | None, known: dict[Frame, str | None]) -> str | None:
    """The drawing that a call makes or reaches through user functions, or None; logs may be written (manual)."""
    if call is None:
        return None
    if isinstance(call.target, Signature):
        name = call.target.name
        return name if name.endswith(".new") and name.partition(".")[0] in _DRAWINGS else None
    frame = call.instance
    if frame is None:
        return None
    if frame not in known:
        known[frame] = None
        found = (_drawing(inner, known) for inner in frame.calls.values())
        known[frame] = next((name for name in found if name is not None), None)
    return known[frame]


def _request_name(evaluator: Evaluator, node: nodes.Name) -> None:
    symbol = evaluator.bindings.variables.get(node)
    if symbol is None:
        return
    if symbol.kind in ("counter", "element"):
        evaluator.reporter.report("request-depends-on-loop", node, name=symbol.name)
    elif symbol.kind == "parameter" and evaluator.exporting:
        evaluator.reporter.report("CE10051", node, name=symbol.name)


def _sort(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """What has no order cannot be sorted: colours, bools and drawings, nor objects by such a field (manual, arrays)."""
    collection = bound["id"]
    if not collection.type.base.arguments:
        return  # `na` stands for a collection of any type
    element = collection.type.base.arguments[0]
    name = called_name(evaluator, node)
    if _is_unordered(element):
        kind = collection.type.base.kind
        report_type(evaluator, name, "id", collection.value, collection.type, f"{kind}<float>")
    if not isinstance(element.symbol, TypeSymbol) or not element.symbol.fields:
        return
    field = _sort_field(evaluator, list(element.symbol.fields.values()), bound.get("sort_field"))
    if field is not None and field.type not in (INT, FLOAT, STRING, UNKNOWN_BASE):
        evaluator.reporter.report("sort-field-type", node, functionName=name, field=field.name, type=field.type.name)


def _search(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """Numbers are looked for in arrays of numbers and in a field of objects (TradingView's reference)."""
    array = bound["id"]
    if not array.type.base.arguments:
        return
    element = array.type.base.arguments[0]
    if element not in (INT, FLOAT, UNKNOWN_BASE) and element.kind != "udt":
        report_type(evaluator, called_name(evaluator, node), "id", array.value, array.type, "array<float>")


def _is_unordered(element: Base) -> bool:
    return element in (BOOL, COLOR) or element.kind == "object"


def _sort_field(evaluator: Evaluator, fields: list[FieldSymbol], chosen: Argument | None) -> FieldSymbol | None:
    """The field that objects are sorted by: the first, or the one `sort_field` names; None when that is not known."""
    return fields[0] if chosen is None else _field_of(evaluator, fields, chosen.value)


def _field_of(evaluator: Evaluator, fields: list[FieldSymbol], value: nodes.Node) -> FieldSymbol | None:
    """The field that a constant name or number means; None when it is not constant or there is no such field."""
    try:
        chosen = fold(evaluator, value)
    except Unfolded:
        return None
    if isinstance(chosen, int) and 0 <= chosen < len(fields):
        return fields[chosen]
    return next((field for field in fields if field.name == chosen), None)


_bars_back = partial(_range, name="bars_back", least=-500, most=5000)

_RULES: dict[str, Callable[[Evaluator, nodes.Call, Bound], None]] = {
    "strategy.exit": _exit,
    "indicator": _declaration,
    "strategy": _declaration,
    "library": _declaration,
    "array.sort": _sort,
    "array.sort_indices": _sort,
    "matrix.sort": _sort,
    "array.binary_search": _search,
    "array.binary_search_leftmost": _search,
    "array.binary_search_rightmost": _search,
    "color.new": _transparency,
    "input": _input,
    "table.cell": _text_size,
    "table.cell_set_text_size": _text_size,
    "max_bars_back": partial(_range, name="num", least=0, most=5000),
    "time": _bars_back,
    "time_close": _bars_back,
    "timestamp": _timestamp,
    "plot": _linewidth,
    "hline": _linewidth,
}
