"""Rule PB6001: a message that is meant to be JSON and is not."""

from __future__ import annotations

from pinebench.linter.rules.json_texts import may_be_json
from pinebench.linter.rules.messages import NUMBERS, PLACEHOLDER, SENDING, UNKNOWN, sent
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext


class InvalidJson(Rule):
    """The message of an alert or an order begins like JSON, but its joined text is not valid JSON. A quotation mark, a
    comma or a brace is missing, keys are in single quotation marks, or a text such as `{{ticker}}` has no quotation
    marks around it.

    Pieces whose value is known only at run time are assumed to be correct.

    Bad:

        //@version=6
        indicator("Example")
        if ta.crossover(close, ta.sma(close, 20))
            alert('{"symbol": "' + syminfo.ticker + '", "price": ' + str.tostring(close))
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        if ta.crossover(close, ta.sma(close, 20))
            alert('{"symbol": "' + syminfo.ticker + '", "price": ' + str.tostring(close) + '}')
        plot(close)
    """

    code = "PB6001"
    calls = SENDING

    def finish(self, context: RuleContext) -> Findings:
        """Report messages that begin like JSON and are not valid JSON."""
        found: list[Diagnostic] = []
        for call, node, texts in sent(context):
            reason = next(filter(None, map(_reason, texts)), None)
            if reason is not None:
                found.append(context.report(self.code, node, within=call, reason=reason))
        return found


def _reason(text: str) -> str | None:
    """The error in a message that begins like JSON; None if there is no error, or if the message does not begin like
    JSON."""
    start = text.lstrip()
    if not start.startswith(("{", "[")) or start.startswith("{{") or not {'"', "'", ":"} & set(text):
        return None
    return _fault(text)


def _fault(text: str) -> str | None:
    """The error in a text as JSON; None if some values for its unknown pieces may make it valid."""
    import json  # here, because few scripts have messages that begin like JSON

    text = PLACEHOLDER.sub(lambda found: "0" if _is_number(found[1].strip()) else "text", text)
    reasons: list[str] = []
    for piece in ("0", '""', '"a": 0', "", "{}", ', "a": 0'):
        try:
            json.loads(text.replace(UNKNOWN, piece), strict=False)
        except json.JSONDecodeError as error:
            reasons.append(error.msg)
        except RecursionError:
            return None
        else:
            return None
        if UNKNOWN not in text:
            break
    if may_be_json(text):
        return None
    return reasons[0][:1].lower() + reasons[0][1:]


def _is_number(name: str) -> bool:
    return name in NUMBERS or name.startswith("plot") or name == "interval"
