"""Rules about the script as a whole: its version, its declaration statement, its plots and outputs, and its exports."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench.checker.argument_text import path_of, root_name
from pinebench.checker.builtins import Signature
from pinebench.checker.checker import Checker
from pinebench.checker.constants import NotConstant, fold
from pinebench.checker.symbols import ImportSymbol, ResolvedCall, frames_from
from pinebench.checker.types import COLOR, INPUT, SERIES, SIMPLE
from pinebench.codes import finding
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.reference import variable as builtin_variable
from pinebench.reference.declarations import UnsupportedUse, refused, standing
from pinebench.syntax import Chunk, Snapshot, nodes
from pinebench.syntax.walk import walk

CHECKED_VERSION = 6
_MOST_PLOTS = 64
_PLOT_COUNTS: dict[str, tuple[int, tuple[str, ...]]] = {
    "plot": (1, ("color",)),
    "plotshape": (1, ("color", "textcolor")),
    "plotchar": (1, ("color", "textcolor")),
    "plotarrow": (1, ("colorup", "colordown")),
    "plotbar": (4, ("color",)),
    "plotcandle": (4, ("color", "wickcolor", "bordercolor")),
    "fill": (0, ("color", "top_color", "bottom_color")),
    "bgcolor": (1, ()),
    "barcolor": (1, ()),
    "alertcondition": (1, ()),
}
"""The count of each call towards the plot limit, and its colour arguments, which are added to it if they are not
constant. Source: TradingView's manual, plot limits; its worked example comes to 56. The two colours of a gradient count
as one fill."""
MOST_OF_A_PLOT = {name: least + len(colors) for name, (least, colors) in _PLOT_COUNTS.items()}
"""The functions whose calls count towards the limit of plots, with the most that one call can count."""
_DECLARATIONS = frozenset(("indicator", "strategy", "library"))
_WITHOUT_OUTPUT = {"indicator": "CE10246", "strategy": "CE10244", "library": "CE10245"}
_OUTPUTS = frozenset(("plots", "drawings", "alerts", "log", "orders"))
_EXPORTABLE = nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration | nodes.VariableDeclaration


def version_finding(document: Snapshot) -> Diagnostic | None:
    """Report a version line that is missing, older than v6, or newer than the known versions; None for v6."""
    version = document.version
    if version == CHECKED_VERSION:
        return None
    if version is None:
        hint = "Start the script with the line //@version=6."
        return _finding("version-missing", Span(0, 0), hint=hint)
    span = document.version_span or Span(0, 0)
    if version < CHECKED_VERSION:
        return _finding("PB0001", span, version=version)
    return _finding("PB0002", span, version=version)


def _finding(code: str, span: Span, *, hint: str | None = None, **values: object) -> Diagnostic:
    return finding(code, span, values, hint=hint)


def check_script(checker: Checker) -> None:
    """Check the rules that need the types of the entire script."""
    reporter = checker.reporter
    if any(finding.severity is Severity.ERROR for finding in checker.document.diagnostics):
        return
    first = next((chunk for chunk in checker.document.chunks if chunk.body), None)
    if first is None:
        reporter.report("CE10250", Span(0, 0))
        return
    if not _check_declarations(checker, first):
        return
    _check_kind(checker)
    _check_plots(checker)
    _check_output(checker)
    _check_exports(checker)
    _check_receivers(checker)
    _check_timeframe(checker)


def _check_declarations(checker: Checker, first: Chunk) -> bool:
    """Report CE10243 at the script's beginning, or at each declaration statement after the first. Return whether
    there is one."""
    reporter = checker.reporter
    declarations = [
        (chunk, statement)
        for chunk in checker.document.chunks
        for statement in chunk.body
        if isinstance(statement, nodes.ExpressionStatement) and is_declaration(statement.expression)
    ]
    if not declarations:
        if reporter.errors:
            return True  # the declaration statement may be misspelt
        start = first.start + first.body[0].start
        reporter.report("CE10243", Span(start, start), count=0)
        return False
    for chunk, statement in declarations[1:]:
        with checker.at(chunk.start):
            checker.report("CE10243", statement, count=len(declarations))
    return True


def _check_kind(checker: Checker) -> None:
    """Report built-ins that a script of this kind must not use: CE10027 for each order in an indicator (recorded
    message). The declaration statement may follow code that needs it, so the kind is known only when all of the script
    is typed."""
    kind = checker.declaration_kind
    words = refused(kind)
    for chunk in checker.document.chunks if words else ():
        if any(word in chunk.text for word in words):
            with checker.at(chunk.start):
                _report_refused(checker, chunk.body, kind)


def _report_refused(checker: Checker, body: Iterable[nodes.Node], kind: str | None) -> None:
    calls: dict[nodes.Node, nodes.Call] = {}
    owners: set[nodes.Node] = set()
    for node in walk(body):
        if isinstance(node, nodes.Call):
            calls[node.callee] = node
        if not isinstance(node, nodes.Member) or node in owners:
            continue
        owners.add(node.object)  # `strategy.closedtrades.size` does not read the value `strategy.closedtrades`
        path = path_of(node)
        if path is None or standing(path, kind) is not UnsupportedUse.REFUSED:
            continue
        call = calls.get(node)
        if call is not None and root_name(node) in checker.bindings.variables:
            continue  # a method of a variable that is named like the namespace
        if call is not None or builtin_variable(path) is not None:
            checker.report("CE10027", call or node, name=path, hint="Declare the script with `strategy(...)`.")


def is_declaration(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name) and node.callee.id in _DECLARATIONS


def plot_counts(checker: Checker) -> dict[nodes.Node, int]:
    """Return how much each call of a plot function counts towards the limit of plots."""
    return {
        node: _plot_count(checker, call.target.name, call)
        for node, call in checker.global_frame.calls.items()
        if isinstance(call.target, Signature) and call.target.name in _PLOT_COUNTS
    }


def _check_plots(checker: Checker) -> None:
    """Report RE10140 at the call that exceeds the limit of plots."""
    counts = plot_counts(checker)
    total = sum(counts.values())
    if total <= _MOST_PLOTS:
        return
    count = 0
    for chunk in checker.document.chunks:
        for node in (call for parts in list(chunk.parts.values()) for call in parts.calls):
            count += counts.get(node, 0)
            if count > _MOST_PLOTS:
                with checker.at(chunk.start):
                    checker.report("RE10140", node, countPLots=total, maxPlotsNumber=_MOST_PLOTS)
                return


def _plot_count(checker: Checker, name: str, call: ResolvedCall) -> int:
    least, colors = _PLOT_COUNTS[name]
    changing = sum(1 for color in colors if _may_change(checker, call.arguments.get(color)))
    return min(changing, 1) if name == "fill" else least + changing


def _may_change(checker: Checker, color: nodes.Node | None) -> bool:
    """Whether a colour is certainly not constant. An input counts as one that changes (recorded count)."""
    type_ = checker.global_frame.types.get(color) if color is not None else None
    if color is None or type_ is None or type_.base is not COLOR:
        return False
    if type_.qualifier == SIMPLE:
        return not _is_known(checker, color)  # `color(na)` is simple
    return type_.qualifier in (INPUT, SERIES)


def _is_known(checker: Checker, node: nodes.Node) -> bool:
    try:
        fold(checker, node)
    except NotConstant:
        return False
    return True


def _check_output(checker: Checker) -> None:
    """Report CE10244 to CE10246 for a script without output, unless an error hides a part of it."""
    kind, reporter = checker.declaration_kind, checker.reporter
    if kind is None or reporter.errors or _has_output(checker):
        return
    assert checker.declaration is not None
    with checker.at(checker.declaration_offset):
        checker.report(_WITHOUT_OUTPUT[kind], checker.declaration)


def _has_output(checker: Checker) -> bool:
    """Whether any typed call draws, plots, logs, alerts or orders. A call into an unknown library may do so.

    A library must export something instead.
    """
    if checker.declaration_kind == "library":
        return any(_is_exported(statement) for chunk in checker.document.chunks for statement in chunk.body)
    frames = [checker.global_frame]
    frames += [frame for group in checker.bindings.functions.values() for f in group for frame in f.frames.values()]
    for frame in frames:
        for call in frame.calls.values():
            if isinstance(call.target, ImportSymbol):
                return True
            if isinstance(call.target, Signature) and call.target.function.effects.changes & _OUTPUTS:
                return True
    return bool(checker.bindings.imports)


def _check_exports(checker: Checker) -> None:
    """Report CE10099: an indicator or strategy must not export functions (recorded in the editor, not by the quick
    check)."""
    if checker.declaration_kind not in ("indicator", "strategy"):
        return
    for chunk in checker.document.chunks:
        for statement in chunk.body:
            if isinstance(statement, nodes.FunctionDeclaration) and statement.exported:
                with checker.at(chunk.start):
                    checker.report("CE10099", statement)


def _check_receivers(checker: Checker) -> None:
    """Report CE10236: a method that is called or exported must use its object. Other methods were never refused
    (recorded verdicts)."""
    group = (function for group in checker.bindings.functions.values() for function in group)
    methods = [function for function in group if function.is_method and function.parameters]
    if not methods:
        return
    used = {symbol for name, symbol in checker.bindings.variables.items() if name is not symbol.name_node}
    idle = [method for method in methods if method.parameters[0].variable not in used]
    if not idle:
        return
    called = {frame.function for frame in frames_from(checker.global_frame)}
    for method in idle:
        if method.exported or method in called:
            first = method.parameters[0]
            with checker.at(method.offset):
                checker.report("CE10236", first.declared, argName=first.name)


def _check_timeframe(checker: Checker) -> None:
    """Report CE10080: an indicator with another timeframe must not draw or alert (recorded message)."""
    declaration = checker.declaration
    if declaration is None or checker.declaration_kind != "indicator":
        return
    call = checker.global_frame.calls.get(declaration)
    if call is None or "timeframe" not in call.arguments:
        return
    calls = (call for frame in frames_from(checker.global_frame) for call in frame.calls.values())
    if any(isinstance(call.target, Signature) and _is_side_effect(call.target) for call in calls):
        with checker.at(checker.declaration_offset):
            checker.report("CE10080", declaration)


def _is_side_effect(builtin: Signature) -> bool:
    """Whether a built-in alerts or makes a drawing. For functions that change drawings nothing was recorded."""
    if builtin.name.endswith(".new"):
        return "drawings" in builtin.function.effects.changes
    return builtin.name == "alert"


def _is_exported(statement: nodes.Node) -> bool:
    return isinstance(statement, _EXPORTABLE) and statement.exported
