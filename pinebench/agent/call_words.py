"""Formats tool calls for every user interface: a one-line summary, and the question that asks for consent."""

from __future__ import annotations

from pinebench.agent.consent import ConsentRequest
from pinebench.agent.events import ToolUse
from pinebench.printable import json_text

LONGEST_SHOWN = 100
"""The largest number of characters of a call's arguments that are shown while it runs."""
LONGEST_ASKED = 2_000
"""The largest number of characters of a call's arguments that are shown when a person is asked about it."""


def shown_call(event: ToolUse | ConsentRequest, longest: int = LONGEST_SHOWN) -> str:
    """Return a call as one line: the tool's name, then its arguments, cut to `longest` characters."""
    arguments = " ".join(f"{name}={json_text(value)}" for name, value in event.input.items())
    cut = f"{arguments[:longest]}… ({len(arguments):,} characters)" if len(arguments) > longest else arguments
    return f"{event.name} {cut}".rstrip()


def wanted(request: ConsentRequest) -> str:
    """Return the sentence that shows a person which call Claude wants to make."""
    return f"Claude wants to call {shown_call(request, LONGEST_ASKED)}"


def reason(request: ConsentRequest) -> str:
    """Return a sentence that explains why the call needs consent."""
    return f"{request.reason[0].upper()}{request.reason[1:]}."
