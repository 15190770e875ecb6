"""Rule PB5008: an input without a minimum that is used as a length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class LengthWithoutMinimum(Rule):
    """An input is the length of a function such as `ta.sma`, which takes only 1 or more, and it has no `minval`.
    Whoever sets it to 0 gets an error instead of a chart.

    Bad:

        //@version=6
        indicator("Example")
        length = input.int(14, "Length")
        plot(ta.sma(close, length))

    Good:

        //@version=6
        indicator("Example")
        length = input.int(14, "Length", minval = 1)
        plot(ta.sma(close, length))
    """

    code = "PB5008"

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report inputs, each at its first use as a length."""
        told: set[nodes.Node] = set()
        for name, calls in look.builtin_calls.items():
            if not name.startswith("ta.") or name in _ANY_LENGTH:
                continue
            for call in calls:
                given = look.argument(call, "length")
                made = bare(look.value_node(given)) if given is not None else None
                if given is None or made is None or made in told or look.called(made) not in ("input.int", "input"):
                    continue
                if look.argument(made, "minval") is None and look.argument(made, "options") is None:
                    told.add(made)
                    yield look.report(self.code, given, within=call, name=look.shown(given), function=name)


_ANY_LENGTH = ("ta.change", "ta.mom", "ta.roc")
