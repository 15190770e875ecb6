"""`pinebench edit`: write, check and run scripts in the terminal."""

from __future__ import annotations

import argparse
import sys

from pinebench.cli.console import InputPath
from pinebench.errors import UsageError

EPILOG = """\
examples:
  pinebench edit my.pine       one script
  pinebench edit scripts/      a folder: ctrl+o opens what is in it, alt+i searches it
  pinebench edit               an empty workbench

F1 helps, ctrl+p lists all commands, ctrl+q quits. Text that is not saved is kept even when the terminal dies, and is
offered at the next start. It needs the extra 'tui'.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "paths", type=InputPath, metavar="FILE|FOLDER", nargs="*", help="scripts to open, or the folder to work in"
    )


def run(args: argparse.Namespace) -> int:
    """Run the workbench."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the workbench needs a terminal", "start it without a pipe, or use 'pinebench lint'")
    try:
        from pinebench.tui.workbench_session import run as run_workbench
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        from pinebench.extras import missing

        raise missing("the workbench in the terminal", "tui") from None
    return run_workbench(args.paths)
