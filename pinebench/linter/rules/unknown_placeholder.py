"""Rule PB6002: a placeholder that does not exist."""

from __future__ import annotations

from pinebench.linter.rules.messages import NUMBERS, PLACEHOLDER, SENDING, TEXTS, sent
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext


class UnknownPlaceholder(Rule):
    """A placeholder in a message has a name that TradingView does not know, or refers to a plot that the script does
    not have. Then the placeholder itself is sent. Placeholders of orders (`strategy.order.action`) exist in strategies
    only. In the message of `alert()` no placeholder works: join `str.tostring(close)` instead.

    Bad:

        //@version=6
        indicator("Example")
        plot(close, "Price")
        alertcondition(ta.crossover(close, open), "Up", "{{symbol}} at {{plot_1}}")

    Good:

        //@version=6
        indicator("Example")
        plot(close, "Price")
        alertcondition(ta.crossover(close, open), "Up", "{{ticker}} at {{plot_0}}")
    """

    code = "PB6002"
    calls = SENDING

    def finish(self, context: RuleContext) -> Findings:
        """Report unknown placeholders in the messages of alertconditions and orders, and known ones in `alert()`."""
        found: list[Diagnostic] = []
        for call, node, texts in sent(context):
            for placeholder in dict.fromkeys(name.strip() for text in texts for name in PLACEHOLDER.findall(text)):
                # In `alert()`, an unknown placeholder may be meant for the receiver of the message.
                if _exists(context, placeholder) == (context.called(call) == "alert"):
                    found.append(context.report(self.code, node, within=call, name=placeholder))
        return found


def _exists(context: RuleContext, name: str) -> bool:
    if name in NUMBERS or name in TEXTS:
        return not name.startswith("strategy.") or context.kind == "strategy"
    if name.startswith("plot_"):
        number = name.removeprefix("plot_")
        # Plots with changing colours count more than once, and a candle counts as four.
        count = context.program.plot_count - len(context.calls("alertcondition"))
        return number.isdigit() and int(number) < min(20, count)
    if not name.startswith(('plot("', "plot('")):
        return False
    given = [context.argument(call.node, "title") for call in context.program.plots]
    titles = {context.value(each)[1] for each in given if each is not None}
    return name[6:-2] in titles or None in titles or (None in given and name[6:-2] in _WITHOUT_TITLE)


_WITHOUT_TITLE = frozenset(("Plot", "Shapes", "Characters", "Chars", "Arrows", "Bars", "Candles"))
"""The names that TradingView gives to plots without a title."""
