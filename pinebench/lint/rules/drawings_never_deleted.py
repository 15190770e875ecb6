"""Rule PB4004: drawings that are made on every bar and never deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import path
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class DrawingsNeverDeleted(Rule):
    """A drawing is made on every bar and none is deleted. TradingView keeps only the last ones, 50 unless the
    declaration says more, and each new one costs time. Make it once with `var` and move it, delete the last one, or
    draw on `barstate.islast`.

    Bad:

        //@version=6
        indicator("Example", overlay = true)
        label.new(bar_index, high, str.tostring(close))

    Good:

        //@version=6
        indicator("Example", overlay = true)
        var label last = label.new(bar_index, high)
        label.set_xy(last, bar_index, high)
        label.set_text(last, str.tostring(close))
    """

    code = "PB4004"
    calls = ("label.new", "line.new", "box.new", "polyline.new")

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report calls that run on every bar, of kinds of which nothing is ever deleted."""
        for kind, (limit, most) in _LIMITS.items():
            if look.calls(f"{kind}.delete"):
                continue
            given, set_to = look.argument(look.declaration, limit) if look.declaration else None, most
            if given is not None:
                known, value = look.value(given)
                set_to = value if known and isinstance(value, int) else most
            for call in look.calls(f"{kind}.new"):
                if _runs_on_every_bar(look, call) and not _is_kept(look, call):
                    yield look.report(self.code, call, kind=kind, most=set_to)


_LIMITS = {
    "label": ("max_labels_count", 50),
    "line": ("max_lines_count", 50),
    "box": ("max_boxes_count", 50),
    "polyline": ("max_polylines_count", 50),
}


def _runs_on_every_bar(look: Look, call: nodes.Call) -> bool:
    """Whether a call runs on every bar of history; each of these is confirmed."""
    if look.runs_always(call):
        return True
    asked = list(look.conditions(call))
    return (
        bool(asked)
        and all(truth and node is not None and path(node) == "barstate.isconfirmed" for node, truth in asked)
        and not look.loops(call)
        and look.function(call) is None
    )


def _is_kept(look: Look, call: nodes.Call) -> bool:
    """Whether a call runs once only, as the first value of a `var` variable or within the call of such a one."""
    if any(isinstance(above, nodes.VariableDeclaration) and above.mode is not None for above in look.parents(call)):
        return True
    function = look.function(call)
    sites = look.call_sites.get(look.program.bindings.function_of[function], []) if function is not None else []
    return any(_is_kept(look, site) for site in sites if look.function(site) is None)
