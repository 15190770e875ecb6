"""Runs the workbench until the person ends it, and prints the names of the unsaved texts that were kept as drafts."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from pinebench.tui import draft_commands, memory
from pinebench.tui.app import Workbench


def run(paths: Sequence[str]) -> int:
    """Run the workbench with files or a folder until it ends; return the exit code."""
    folders = [path for path in paths if os.path.isdir(path)]
    app = Workbench([path for path in paths if path not in folders], os.path.abspath(folders[0]) if folders else None)
    memory.begin()
    try:
        code = app.run()
    finally:
        draft_commands.keep_now(app)
        unsaved = draft_commands.kept_names(app)
    if (code or app.return_code) and unsaved:
        print(
            f"the unsaved text of {', '.join(unsaved)} is kept; 'pinebench edit' offers to restore it", file=sys.stderr
        )
    return code if code is not None else app.return_code or 0
