"""What we merely dislike: each code is a rule's in `lint/rules`, whose docstring explains it, with two scripts.

No opinion is an error, and none is told unless somebody selects it.
"""

from __future__ import annotations

from pinebench.codes.model import OURS, Code
from pinebench.diagnostics import Severity


def _opinion(name: str, template: str, why: str) -> Code:
    return Code(name, Severity.WARNING, template, why, bad="", good="", text=OURS)


CODES = (
    _opinion("PB1001", 'The variable "{name}" is never read', "A variable that nothing reads can be removed."),
    _opinion("PB1002", '"{name}" is assigned to itself', "Assigning a variable to itself does nothing."),
    _opinion("PB1003", "This condition is always {value}", "A condition that never changes decides nothing."),
)
