"""Parameters that have different names in v6, and removed parameters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pinebench import reference
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript
from pinebench.reference.successors import PARAMETERS, PLACES
from pinebench.syntax import nodes
from pinebench.syntax.edits import removing, replacing


@rewrite()
def names(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `time(resolution = "D")` to `time(timeframe = "D")`."""
    for name, calls in script.calls.items():
        known = _parameters(name)
        if not known:
            continue
        for call in calls:
            for item in call.arguments:
                if not isinstance(item, nodes.NamedArgument):
                    continue
                renamed = _renamed(item.name, known)
                text = script.line_of(item.value) if renamed is not None else None
                if text is not None:
                    told = f"`{item.name}` of `{name}()` is `{renamed}`"
                    yield RewriteChange(item, told, replacing(item, f"{renamed} = {text}"))


@rewrite(newest=5)
def gone(script: OldScript) -> Iterator[RewriteChange]:
    """Remove the argument `linktoseries`, which has no effect."""
    for call in script.called("indicator", "strategy"):
        for item in call.arguments:
            if isinstance(item, nodes.NamedArgument) and item.name == "linktoseries":
                yield RewriteChange(item, "`linktoseries` does nothing any more", removing(item))


def _renamed(name: str, known: tuple[str, ...]) -> str | None:
    if name in known:
        return None
    place = PLACES.get(name)
    renamed = PARAMETERS.get(name) or (known[place] if place is not None and place < len(known) else None)
    return renamed if renamed in known else None


@cache
def _parameters(name: str) -> tuple[str, ...]:
    function = reference.function(name)
    if function is None:
        return ()
    return tuple(dict.fromkeys(parameter.name for overload in function.overloads for parameter in overload.parameters))
