"""What the package build makes before it packs: the parser's tables, from the grammar."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TABLES = "pinebench/syntax/_tables.py"


class PinebenchBuildHook(BuildHookInterface[Any]):
    """Makes generated files and adds them to the package, although git ignores them."""

    def initialize(
        self,
        version: str,  # noqa: ARG002  (hatchling passes it by name)
        build_data: dict[str, Any],
    ) -> None:
        """Called by hatchling before it packs; `version` is `editable` for a development install."""
        if self.target_name != "wheel":
            return
        make_tables(Path(self.root))
        build_data["artifacts"].append(f"/{TABLES}")


def make_tables(root: Path) -> None:
    """Write the tables of `root/grammars/pine.lark` beside the parser."""
    sys.path.insert(0, str(root))
    try:
        from pinebench.syntax import generate

        if generate.main([str(root / TABLES)]) != 0:
            raise RuntimeError(f"{TABLES} could not be written")
    finally:
        sys.path.remove(str(root))
