"""The families of tasks, a module for each subject."""

from __future__ import annotations

from importlib import import_module

MODULES = (
    "averages",
    "oscillators",
    "volumes",
    "signals",
    "sessions",
    "timeframes",
    "states",
    "collections",
    "objects",
    "drawings",
    "strategies",
    "libraries",
    "changes",
    "repairs",
    "migrations",
    "faults",
)
"""The modules in the order in which their tasks are listed."""


def load() -> None:
    """Import all modules, which registers their families."""
    for name in MODULES:
        import_module(f"{__name__}.{name}")
