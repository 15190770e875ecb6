"""Rule PB4004: drawings that are made on every bar and never deleted."""

from __future__ import annotations

from pinebench.linter.rules.bars import is_kept, may_be_deleted, runs_in_some_branch, runs_on_every_bar
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, reference


class DrawingsNeverDeleted(Rule):
    """A drawing is made on every bar and never deleted. TradingView keeps only the latest drawings (50 unless the
    declaration statement sets more), and each new drawing costs time. Make the drawing once with `var` and move it,
    delete the last one, or draw only on `barstate.islast`.

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
    calls = tuple(sorted(reference.having("limited")))

    def finish(self, context: RuleContext) -> Findings:
        """Report calls that run on every bar and make drawings of a kind that is never deleted."""
        for kind, (limit, most) in _LIMITS.items():
            calls = context.calls(f"{kind}.new")
            if not calls or may_be_deleted(context, kind):
                continue
            given, set_to = context.argument(context.declaration, limit) if context.declaration else None, most
            if given is not None:
                known, value = context.value(given)
                set_to = value if known and isinstance(value, int) else most
            alike = frozenset(calls)
            for call in calls:
                if is_kept(context, call):
                    continue
                if runs_on_every_bar(context, call) or runs_in_some_branch(context, call, alike):
                    yield context.report(self.code, call, kind=kind, most=set_to)


_LIMITS = {
    "label": ("max_labels_count", 50),
    "line": ("max_lines_count", 50),
    "box": ("max_boxes_count", 50),
    "polyline": ("max_polylines_count", 50),
}
