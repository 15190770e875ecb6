"""The rewrites to v6: one module for each subject, with functions that are registered as rewrites.

To add a rewrite, write a function that takes an `OldScript` in the module of its subject, and decorate it with
`rewrite`. Add a new module to the list below; in a round, the rewrites run in this order.
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
