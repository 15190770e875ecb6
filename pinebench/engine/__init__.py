"""The trading engine: alerts, notifications and paper trading on bars as they come, kept in one SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.engine.cluster.connecting import LogConnection, connect, has_broker
    from pinebench.engine.cluster.desk import Desk
    from pinebench.engine.cluster.feeding import FeedProcess
    from pinebench.engine.cluster.log import IncompleteLog, Log, Unreachable
    from pinebench.engine.cluster.member import ClusterMember, agreed_groups
    from pinebench.engine.cluster.steering import halt_all, resume_all, status_of_all
    from pinebench.engine.engine import EngineSettings, TradingEngine
    from pinebench.engine.paper import Terms
    from pinebench.engine.pushing import LARGEST_ANSWER
    from pinebench.engine.risk import Limits
    from pinebench.engine.starting import RunningEngine, notifiers_of, series_of, start_engine

MODULES = ("backups", "options", "owner")
"""The modules that other rooms import whole."""
NAMES = {
    "cluster.connecting": "LogConnection connect has_broker",
    "cluster.desk": "Desk",
    "cluster.feeding": "FeedProcess",
    "cluster.log": "Log IncompleteLog Unreachable",
    "cluster.member": "ClusterMember agreed_groups",
    "cluster.steering": "halt_all resume_all status_of_all",
    "engine": "TradingEngine EngineSettings",
    "paper": "Terms",
    "pushing": "LARGEST_ANSWER",
    "risk": "Limits",
    "starting": "RunningEngine notifiers_of series_of start_engine",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
