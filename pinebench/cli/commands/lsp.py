"""`pinebench lsp`: serve an editor with the Language Server Protocol until it disconnects."""

from __future__ import annotations

import argparse

from pinebench.cli.console import note, port
from pinebench.cli.signals import end_at_once

EPILOG = """\
examples:
  pinebench lsp               for an editor that starts it and speaks over standard input and output
  pinebench lsp --tcp 6070    for one that connects to a port on this computer

docs/editors.md says how to set it up in VS Code, Neovim, Helix, Emacs and Zed. It needs the extra 'lsp'. Nothing
leaves this computer, except a script that the command pinebench.compile is asked to send to TradingView.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--tcp",
        type=port,
        metavar="PORT",
        help="listen on this port of the computer for one editor, instead of standard input",
    )
    # Some editors always add it.
    parser.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Serve one editor with the Language Server Protocol."""
    try:
        from pinebench.lsp.editor_session import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        from pinebench.extras import missing

        raise missing("the language server", "lsp") from None
    if args.tcp is not None:
        note(f"listening at 127.0.0.1:{args.tcp} for one editor")
    end_at_once()
    return serve(args.tcp)
