"""The inputs of a script that people see in its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.lint.rules.look import Look


def inputs(look: Look) -> Iterator[tuple[nodes.Call, str]]:
    """The calls of `input*()`, each with the name of the variable that it is kept in, else an empty text."""
    for name, calls in look.builtin_calls.items():
        if name == "input" or name.startswith("input."):
            for call in calls:
                above = look.parent.get(call)
                yield call, above.name.id if isinstance(above, nodes.VariableDeclaration) else ""
