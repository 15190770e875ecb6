"""Watches scripts and compiles them when they are saved."""

from __future__ import annotations

from pinebench.watching.watcher import Failed, Removed, ScriptCompiled, Watcher, WatchEvent, Watching

__all__ = ["Failed", "Removed", "ScriptCompiled", "WatchEvent", "Watcher", "Watching"]
