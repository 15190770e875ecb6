"""Files change, scripts are compiled, verdicts are shown: what happens between a save and a verdict."""

from __future__ import annotations

from pinebench.watching.watcher import Failed, Removed, ScriptCompiled, Watcher, WatchEvent, Watching

__all__ = ["Failed", "Removed", "ScriptCompiled", "WatchEvent", "Watcher", "Watching"]
