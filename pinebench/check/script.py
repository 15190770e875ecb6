"""Rules of the script as a whole: its version, its one declaration statement, its output, its number of plots."""

from __future__ import annotations

from pinebench.check.builtins import Signature
from pinebench.check.checker import Checker
from pinebench.codes import finding
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.syntax import Document, nodes

CHECKED_VERSION = 6
_MOST_PLOTS = 64
_PLOT_COUNTS = {
    "plot": 1,
    "plotshape": 1,
    "plotchar": 1,
    "plotarrow": 1,
    "plotbar": 4,
    "plotcandle": 4,
    "bgcolor": 1,
    "barcolor": 1,
    "alertcondition": 1,
}
"""The least that each call counts against the limit (TradingView's manual); changing colours count on top."""
_DECLARATIONS = frozenset(("indicator", "strategy", "library"))
_OUTPUTS = ("plot", "fill", "hline", "bgcolor", "barcolor", "alert", "log.", "strategy.")
_DRAWINGS = ("line", "label", "box", "table", "polyline", "linefill")


def version_finding(document: Document) -> Diagnostic | None:
    """What the version line alone decides: missing, older than v6, or newer than is known."""
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
    """Check the rules that need the whole script typed."""
    reporter = checker.reporter
    if any(finding.severity is Severity.ERROR for finding in checker.document.diagnostics):
        return
    first = next((chunk for chunk in checker.document.chunks if chunk.body), None)
    if first is None:
        reporter.base = 0
        reporter.report("CE10250", nodes.Name(0, 0, ""))
        return
    if not reporter.errors and not any(_is_declaration(call) for call in _global_calls(checker)):
        reporter.base = first.start
        start = first.body[0].start
        reporter.report("declaration-missing", first.body[0], at=Span(start, start))
        return
    _check_plots(checker)
    if checker.declaration_kind == "indicator" and not reporter.errors and not _has_output(checker):
        reporter.base = checker.declaration_base
        assert checker.declaration is not None
        reporter.report("CE10244", checker.declaration)


def _global_calls(checker: Checker) -> list[nodes.Call]:
    return [
        statement.expression
        for chunk in checker.document.chunks
        for statement in chunk.body
        if isinstance(statement, nodes.ExpressionStatement) and isinstance(statement.expression, nodes.Call)
    ]


def _is_declaration(call: nodes.Call) -> bool:
    return isinstance(call.callee, nodes.Name) and call.callee.id in _DECLARATIONS


def _check_plots(checker: Checker) -> None:
    count = 0
    for chunk in checker.document.chunks:
        for statement in chunk.body:
            call = statement.expression if isinstance(statement, nodes.ExpressionStatement) else None
            if isinstance(statement, nodes.VariableDeclaration):
                call = statement.value
            if not isinstance(call, nodes.Call) or not isinstance(call.callee, nodes.Name):
                continue
            resolved = checker.global_frame.calls.get(call)
            if resolved is None or not isinstance(resolved.target, Signature):
                continue
            before = count
            count += _PLOT_COUNTS.get(call.callee.id, 0)
            if before <= _MOST_PLOTS < count:
                checker.reporter.base = chunk.start
                checker.reporter.report("too-many-plots", call, count=count, limit=_MOST_PLOTS)


def _has_output(checker: Checker) -> bool:
    """Whether any call that was typed draws, plots, logs, alerts or orders; what is unknown may."""
    frames = [checker.global_frame]
    frames += [frame for group in checker.bindings.functions.values() for f in group for frame in f.instances.values()]
    for frame in frames:
        for call in frame.calls.values():
            if call.kind == "library":
                return True
            if isinstance(call.target, Signature) and _is_output(call.target.name):
                return True
    return bool(checker.bindings.imports)


def _is_output(name: str) -> bool:
    namespace, dot, short = name.partition(".")
    if dot and namespace in _DRAWINGS:
        return short == "new"
    return name.startswith(_OUTPUTS)
