"""The trading engine: alerts, notifications and paper trading on bars as they arrive, stored in one SQLite file."""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.engine.cluster.broker_connection import LogConnection, connect, has_broker
    from pinebench.engine.cluster.cluster_control import halt_all, resume_all, status_of_all
    from pinebench.engine.cluster.desk import Desk
    from pinebench.engine.cluster.feed_process import FeedProcess
    from pinebench.engine.cluster.log import ClusterLog, IncompleteLog, Unreachable
    from pinebench.engine.cluster.member import ClusterMember, agreed_groups
    from pinebench.engine.engine import EngineSettings, TradingEngine
    from pinebench.engine.engine_thread import RunningEngine, series_of, start_engine
    from pinebench.engine.paper import Terms
    from pinebench.engine.push_subscriptions import LARGEST_ANSWER
    from pinebench.engine.risk import RiskLimits

MODULES = ("backups", "settings_file", "owner_view")
"""The modules that other rooms import whole."""
NAMES = {
    "cluster.broker_connection": "LogConnection connect has_broker",
    "cluster.desk": "Desk",
    "cluster.feed_process": "FeedProcess",
    "cluster.log": "ClusterLog IncompleteLog Unreachable",
    "cluster.member": "ClusterMember agreed_groups",
    "cluster.cluster_control": "halt_all resume_all status_of_all",
    "engine": "TradingEngine EngineSettings",
    "paper": "Terms",
    "push_subscriptions": "LARGEST_ANSWER",
    "risk": "RiskLimits",
    "engine_thread": "RunningEngine series_of start_engine",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
