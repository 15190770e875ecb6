"""The built-ins that only some kinds of scripts support, and what happens if a script of another kind uses them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache

from pinebench import reference
from pinebench.records import NamedTuple


class UnsupportedUse(Enum):
    """The result if a script uses a built-in that scripts of its kind must not use."""

    REFUSED = "refused"
    """The compiler refuses the script."""
    IDLE = "idle"
    """The script compiles, and the call does nothing."""


class DeclarationGroup(NamedTuple):
    """Built-ins that depend on the kind of a script in the same way: the functions and variables whose names start with
    `beginning`, but not the constants, which work in every script. `standing` maps each kind of script that does not
    support these built-ins to the consequence of a use."""

    beginning: str
    standing: Mapping[str, UnsupportedUse]

    def contains(self, name: str) -> bool:
        """Return whether the group has the built-in `name`."""
        if not name.startswith(self.beginning):
            return False
        return reference.function(name) is not None or reference.variable(name) is not None


GROUPS = (
    DeclarationGroup("strategy.", {"indicator": UnsupportedUse.REFUSED}),
    DeclarationGroup("alertcondition", {"strategy": UnsupportedUse.IDLE, "library": UnsupportedUse.IDLE}),
)
"""Every group. The first is recorded: TradingView refuses it in indicators with CE10027 and accepts it in libraries,
which publish such functions. The second is from TradingView's reference: only indicators offer alert conditions."""


@cache
def refused(kind: str | None) -> tuple[str, ...]:
    """Return the beginnings of names that a script of `kind` must not use. A script whose text contains none of them
    need not be examined."""
    return tuple(
        group.beginning.partition(".")[0]
        for group in GROUPS
        if group.standing.get(kind or "") is UnsupportedUse.REFUSED
    )


@cache
def standing(name: str, kind: str | None) -> UnsupportedUse | None:
    """Return what happens to a script of `kind` that uses the built-in `name`; None if the kind supports it, or if the
    kind is not known."""
    if kind is None:
        return None
    return next((group.standing.get(kind) for group in GROUPS if group.contains(name)), None)
