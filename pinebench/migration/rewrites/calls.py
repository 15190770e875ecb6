"""Arguments that v6 refuses: duplicate arguments, line widths below 1, `na` for a style, and a `switch` without a
default."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.edits import TreeEdits, removing, replacing

_DEFAULTS = {
    "plot_style": "plot.style_line",
    "hline_style": "hline.style_solid",
    "line_style": "line.style_solid",
    "label_style": "label.style_label_down",
    "size": "size.auto",
    "text_align": "text.align_center",
    "extend": "extend.none",
    "xloc": "xloc.bar_index",
    "yloc": "yloc.price",
    "location": "location.abovebar",
    "shape": "shape.xcross",
}
"""The defaults of parameters with a special constant type, by type."""


@rewrite()
def twice(script: OldScript) -> Iterator[RewriteChange]:
    """Remove the second of two arguments for the same parameter: only the first took effect."""
    for finding in script.findings["CE10072"]:
        found = script.at(finding.span)
        call = script.parent(found) if found is not None else None
        call = found if isinstance(found, nodes.Call) else call
        name = finding.value("argName")
        if not isinstance(call, nodes.Call):
            continue
        given = [item for item in call.arguments[1:] if isinstance(item, nodes.NamedArgument) and item.name == name]
        if given and not script.changes_within(given[-1]):
            yield RewriteChange(given[-1], f"`{name}` is given twice, and the first one was used", removing(given[-1]))


@rewrite()
def widths(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite a line width below 1, which was drawn as 1."""
    for finding in script.findings["linewidth-too-small"]:
        found = script.at(finding.span)
        if found is not None:
            yield RewriteChange(found, "a width below 1 was drawn as 1", replacing(value_of(found), "1"))


@rewrite()
def unset(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `style = na`, which meant the default."""
    for finding in script.findings["CE10123"]:
        expected = finding.value("currentTypeDocStr").rpartition(" ")[2]
        node = script.at(finding.span)
        if node is None or finding.value("argUserFriendlyRepresentation") != "na" or expected not in _DEFAULTS:
            continue
        named = node if isinstance(node, nodes.NamedArgument) else script.parent(node)
        told = "`na` is not allowed here in v6, and meant the default"
        if isinstance(named, nodes.NamedArgument):
            yield RewriteChange(named, told, removing(named))
        elif isinstance(named, nodes.Call | nodes.Ternary):
            yield RewriteChange(node, told, replacing(node, _DEFAULTS[expected]))


@rewrite()
def branches(script: OldScript) -> Iterator[RewriteChange]:
    """Add a default case to a `switch` whose value is a special constant."""
    for finding in script.findings["switch-default-missing"]:
        node = script.at(finding.span, nodes.Switch)
        kind = str(finding.value("type") or "")
        default = next((value for name, value in _DEFAULTS.items() if name in finding.message), _DEFAULTS.get(kind))
        if node is None or not node.cases or default is None:
            continue
        told = f"without a default case, the function's default was used: it is `{default}` now"
        yield RewriteChange(node, told, partial(_last_case, node.cases[-1], default))


def _last_case(case: nodes.Case, default: str, edits: TreeEdits) -> None:
    edits.insert_after(case, f"=> {default}")


@rewrite(newest=4)
def colors(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `color(...)` with a transparency to `color.new(...)`."""
    for call in script.called("color"):
        if len(call.arguments) == 2 and call.template is None:
            yield RewriteChange(call.callee, "`color()` is `color.new()`", replacing(call.callee, "color.new"))


@rewrite(last=True)
def moving(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on changing values where a fixed value is expected: only the first or last value took effect."""
    for finding in script.findings["CE10123"]:
        node = script.at(finding.span)
        given, expected = str(finding.value("argumentType")), str(finding.value("currentTypeDocStr"))
        bases = given.rpartition(" ")[2], expected.rpartition(" ")[2]
        if node is None or not given.startswith("series ") or (bases[0] != bases[1] and bases != ("int", "float")):
            continue
        if finding.value("argDisplayName") == "offset":
            told = "`offset` of a plot must not change from bar to bar; only its last value was used"
            yield RewriteChange(node, told, kind=RemarkKind.LOOK)
        elif expected.startswith(("simple ", "const ", "input ")):
            told = "this argument changes from bar to bar, and only its first value was used: pass a fixed value"
            yield RewriteChange(node, told, kind=RemarkKind.LOOK)
