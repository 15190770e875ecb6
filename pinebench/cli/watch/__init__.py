"""Watches scripts and compiles them when they are saved."""

from pinebench.cli.watch.watcher import ScriptCompiled, ScriptRemoval, VerdictFailure, Watcher, WatchEvent, WatchStart

__all__ = ["ScriptCompiled", "ScriptRemoval", "VerdictFailure", "WatchEvent", "WatchStart", "Watcher"]
