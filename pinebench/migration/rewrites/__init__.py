"""What v6 writes otherwise: a module for each subject, each with functions that are registered as rewrites.

To add a rewrite, decorate a function of a `Script` with `rewrite` in the module of its subject; a new module goes into
the list below, whose order is that in which they look in a round.
"""

from importlib import import_module

from pinebench.migration.rewrites.rewrite import REWRITES

__all__ = ["REWRITES"]

for _subject in (
    "names",
    "inputs",
    "parameters",
    "constants",
    "removed",
    "transparency",
    "orders",
    "booleans",
    "numbers",
    "history",
    "laziness",
    "calls",
    "types",
    "loops",
    "timeframes",
    "behaviour",
):
    import_module(f"pinebench.migration.rewrites.{_subject}")
