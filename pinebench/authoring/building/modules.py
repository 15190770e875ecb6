"""The registry of all strategy modules, by name."""

from __future__ import annotations

from pinebench.authoring.building.entries import ENTRIES
from pinebench.authoring.building.exits import EXITS
from pinebench.authoring.building.filters import FILTERS
from pinebench.authoring.building.parts import KINDS, Kind, ModuleSetting, StrategyModule
from pinebench.authoring.building.sizing import SIZINGS
from pinebench.errors import UsageError
from pinebench.near import hint_of_names, near_names

__all__ = ["KINDS", "MODULES", "Kind", "ModuleSetting", "StrategyModule", "find", "modules"]

MODULES: dict[str, StrategyModule] = {each.name: each for each in (*ENTRIES, *FILTERS, *EXITS, *SIZINGS)}
"""Every module by name: entries, filters, exits and sizings."""


def modules(kind: Kind) -> list[StrategyModule]:
    """Return all strategy modules of the given kind."""
    return [each for each in MODULES.values() if each.kind == kind]


def find(kind: Kind, name: str) -> StrategyModule:
    """Return the module with the given kind and name. Raises UsageError if there is none."""
    found = MODULES.get(name)
    if found is not None and found.kind == kind:
        return found
    names = [each.name for each in modules(kind)]
    near = near_names(name, names, 1)
    raise UsageError(
        f"there is no {kind} '{name[:60]}'", f"did you mean {near[0]}?" if near else hint_of_names("names", names)
    )
