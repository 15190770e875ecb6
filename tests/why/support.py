"""What the answers of this room hold."""

from typing import Any

from pinebench.why.why import ExpressionPart, Why


def parts(told: Why) -> dict[str, Any]:
    """The value of each part by its text; a part that was not evaluated has the value `...`."""
    found: dict[str, Any] = {}
    pending: list[ExpressionPart] = [*told.parts]
    while pending:
        part = pending.pop(0)
        found.setdefault(part.text, part.value if part.evaluated else ...)
        pending += part.parts
    return found
