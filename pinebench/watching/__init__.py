"""Files change, scripts are compiled, verdicts are shown: what happens between a save and a verdict."""

from __future__ import annotations

from pinebench.watching.watcher import Compiled, Event, Failed, Removed, Watcher, Watching

__all__ = ["Compiled", "Event", "Failed", "Removed", "Watcher", "Watching"]
