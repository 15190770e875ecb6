"""The trading engine: alerts, notifications and paper trading on bars as they come, kept in one SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.engine.engine import Engine, Settings
    from pinebench.engine.paper import Terms
    from pinebench.engine.risk import Limits
    from pinebench.engine.starting import Running, notifiers_of, start_engine

MODULES = ("backups", "options", "owner")
"""The modules that other rooms import whole."""
NAMES = {
    "engine": "Engine Settings",
    "paper": "Terms",
    "risk": "Limits",
    "starting": "Running notifiers_of start_engine",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
