"""What the package build makes before it packs: the parser's tables from the grammar, the studio's page with npm."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TABLES = "pinebench/syntax/_tables.py"
STATIC = "pinebench/studio/static"


class PinebenchBuildHook(BuildHookInterface[Any]):
    """Makes generated files and adds them to the package, although git ignores them; an outdated page stays out."""

    def initialize(
        self,
        version: str,
        build_data: dict[str, Any],
    ) -> None:
        """Called by hatchling before it packs; `version` is `editable` for a development install."""
        root = Path(self.root)
        if self.target_name == "wheel":
            make_tables(root)
            build_data["artifacts"].append(f"/{TABLES}")
        # The source archive has the page too, so that installing from it needs no npm.
        if version != "editable" and make_page(root):
            build_data["artifacts"].append(f"/{STATIC}/")


def make_tables(root: Path) -> None:
    """Write the tables of `root/grammars/pine.lark` beside the parser."""
    sys.path.insert(0, str(root))
    try:
        from pinebench.syntax import tables

        if not tables.make(root / TABLES):
            raise RuntimeError(f"{TABLES} could not be written")
    finally:
        sys.path.remove(str(root))


def make_page(root: Path) -> bool:
    """Build the studio's page with npm; without it, or where PINEBENCH_WITHOUT_PAGE is set, the package has no page,
    which the studio says when it starts."""
    if os.environ.get("PINEBENCH_WITHOUT_PAGE"):
        return False
    sys.path.insert(0, str(root / "scripts"))
    try:
        builder = import_module("build_page")
        try:
            builder.build(root)
        except builder.PageError as error:
            print(f"the package is built without the studio's page: {error}", file=sys.stderr)
            return False
    finally:
        sys.path.remove(str(root / "scripts"))
    return True
