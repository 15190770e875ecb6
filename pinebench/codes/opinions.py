"""What we merely dislike: each code is a rule's in `lint/rules`, whose docstring explains it, with two scripts.

No opinion is an error. Those that a careful author would agree with are told unasked, the others where they are
selected: by code, by the rule's name, by a group's name or number.
"""

from __future__ import annotations

from pinebench.codes.model import OURS, Code
from pinebench.diagnostics import Severity

GROUPS = {
    "correctness": "PB1",
    "repainting": "PB2",
    "strategy": "PB3",
    "limits": "PB4",
    "traps": "PB5",
    "alerts": "PB6",
    "style": "PB7",
}
"""The groups of rules by name, each with the beginning of its codes."""


def _opinion(
    name: str, alias: str, template: str, why: str, *, default: bool = True, severity: Severity = Severity.WARNING
) -> Code:
    return Code(name, severity, template, why, bad="", good="", text=OURS, alias=alias, default=default)


CODES = (
    _opinion(
        "PB1001",
        "unused-variable",
        'The variable "{name}" is never read',
        "A variable that nothing reads can be removed.",
        default=False,
    ),
    _opinion(
        "PB1002",
        "self-assignment",
        '"{name}" is assigned to itself',
        "Assigning a variable to itself does nothing.",
        default=False,
    ),
    _opinion(
        "PB1003",
        "constant-condition",
        "This condition is always {value}",
        "A condition that never changes decides nothing.",
        default=False,
    ),
)
