"""`pinebench debug`: run a script step by step, forward and back, in an editor that uses the Debug Adapter Protocol."""

from __future__ import annotations

import argparse

from pinebench.cli.console import note, port
from pinebench.cli.signals import end_at_once
from pinebench.errors import UnavailableError, UsageError

EPILOG = """\
examples:
  pinebench debug               for an editor that starts it and speaks over standard input and output
  pinebench debug --port 6071   for editors that connect to a port on this computer

An editor launches a script with `program` (its path), and perhaps `data`, `inputs`, `symbolInfo`, `timeframe`, `bars`,
`live` and `stopOnEntry`. docs/debugging.md says how to set it up in VS Code, Neovim and Helix, and its features.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--port", type=port, metavar="PORT", help="listen on this port of this computer instead of standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Serve editors with the Debug Adapter Protocol."""
    from pinebench.debugger import debug_sessions

    if args.port is None:
        end_at_once()
        if problem := debug_sessions.serve():
            raise UsageError(problem, "expected messages of the Debug Adapter Protocol")
        return 0
    try:
        listening = debug_sessions.listen(args.port)
    except OSError as error:
        raise UnavailableError(f"port {args.port} cannot be used: {error.strerror}", "choose another port") from None
    note(f"listening at {debug_sessions.LOOPBACK}:{args.port} for editors")
    end_at_once()
    with listening:
        debug_sessions.serve_at(listening, note)
    return 0
