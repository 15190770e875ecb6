"""Rule PB7007: a number without a name in a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Option, Rule, register
from pinebench.lint.rules.signals import signals
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class MagicNumber(Rule):
    """A condition that feeds a signal compares with a number that has no name, or waits for its crossing. As an input
    or a constant it says what it means, and can be tuned in one place.

    Bad:

        //@version=6
        indicator("Example")
        plotshape(ta.rsi(close, 14) > 72)

    Good:

        //@version=6
        indicator("Example")
        OVERBOUGHT = 72
        plotshape(ta.rsi(close, 14) > OVERBOUGHT)
    """

    code = "PB7007"
    operators = ("<", "<=", ">", ">=")
    calls = ("ta.cross", "ta.crossover", "ta.crossunder")
    options: ClassVar = {"allowed": Option(("0", "1", "2", "100"), "The numbers that need no name.")}

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report literals in comparisons that feed a signal."""
        allowed = look.option(self, "allowed")
        if not isinstance(allowed, tuple | list):
            return
        allowed = {_number(str(each)) for each in allowed}
        compared: list[tuple[nodes.Node, Iterable[nodes.Node]]] = [
            (node, (node.left, node.right)) for operator in self.operators for node in look.operations.get(operator, ())
        ]
        compared += [(call, look.program.resolved_calls[call].arguments.values()) for call in look.calls(*self.calls)]
        for node, sides in compared:
            for side in sides:
                if side.__class__ is nodes.Parenthesized:
                    side = bare(side)
                if not isinstance(side, nodes.Literal) or side.kind not in ("int", "float"):
                    continue
                if _number(side.text) not in allowed and node in signals(look).fed:
                    yield look.report(self.code, side, within=node, number=side.text)


def _number(text: str) -> object:
    """The number that a text is, so that `0.0` is `0`; other texts stay what they are."""
    try:
        return float(text)
    except ValueError:
        return text
