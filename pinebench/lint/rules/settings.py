"""The inputs of a script that people see in its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.lint.rules.look import Look


INPUTS = (
    "input",
    *(
        f"input.{kind}"
        for kind in "bool color enum float int price session source string symbol text_area time timeframe".split()
    ),
)
"""The functions that make inputs."""


def inputs(look: Look) -> list[tuple[nodes.Call, str]]:
    """The calls of `input*()`, each with the name of the variable that it is kept in, else an empty text."""
    return look.once(_inputs)


def _inputs(look: Look) -> list[tuple[nodes.Call, str]]:
    found: list[tuple[nodes.Call, str]] = []
    for name, calls in look.builtin_calls.items():
        if name == "input" or name.startswith("input."):
            for call in calls:
                above = look.parent.get(call)
                found.append((call, above.name.id if isinstance(above, nodes.VariableDeclaration) else ""))
    return found
