"""Texts about tool calls for every user interface: a call in one line, and the question whether to allow it."""

from __future__ import annotations

from pinebench.agent.consent import ConsentRequest
from pinebench.agent.events import ToolUse
from pinebench.printable import json_text

LONGEST_SHOWN = 100
"""The largest number of characters of a call's arguments that are shown while it runs."""
LONGEST_ASKED = 2_000
"""The largest number of characters of a call's arguments that are shown when a person is asked about it."""


def shown_call(event: ToolUse | ConsentRequest, longest: int = LONGEST_SHOWN) -> str:
    """Return a call in one line: the tool's name, and its arguments up to `longest` characters."""
    arguments = " ".join(f"{name}={json_text(value)}" for name, value in event.input.items())
    cut = f"{arguments[:longest]}… ({len(arguments):,} characters)" if len(arguments) > longest else arguments
    return f"{event.name} {cut}".rstrip()


def wanted(request: ConsentRequest) -> str:
    """Return the sentence that says which call a person must decide about."""
    return f"Claude wants to call {shown_call(request, LONGEST_ASKED)}"


def reason(request: ConsentRequest) -> str:
    """Return the reason why a person must decide about the call, as a sentence."""
    return f"{request.reason[0].upper()}{request.reason[1:]}."
