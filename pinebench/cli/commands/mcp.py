"""`pinebench mcp`: offer the tools to models by the Model Context Protocol."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pinebench.cli.console import free_port, note, print_diff
from pinebench.cli.page import add_page_arguments
from pinebench.cli.signals import end_at_once, until_stopped

if TYPE_CHECKING:
    from pinebench.cli.table import Subparsers

_CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode")
_PORT = 7843

_EPILOG = """\
examples:
  pinebench mcp --install claude-code     show the change to the client's configuration, then write it
  pinebench mcp                           serve over standard input and output; clients start it so
  pinebench mcp --tools health,data --read-only
  pinebench mcp --http --port 7843        serve http://127.0.0.1:7843/mcp, on this computer only

'pinebench tools' shows groups and tools. Raw JavaScript on the page stays off unless PINEBENCH_ALLOW_EVALUATE=1.
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "mcp", description="Offer pinebench's tools to models by the Model Context Protocol.", epilog=_EPILOG
    )
    add = parser.add_argument
    add("--tools", metavar="GROUPS", help="groups of tools with commas between, default, or all")
    add("--read-only", action="store_true", help="leave out every tool that changes something")
    add("--output-schemas", action="store_true", help="also list what results look like; costs a model's tokens")
    add("--http", action="store_true", help="serve over HTTP on this computer instead of standard input and output")
    add("--port", type=free_port, default=_PORT, metavar="P", help=f"port for --http (default: {_PORT})")
    add("--install", choices=_CLIENTS, metavar="CLIENT", help=f"enter pinebench into {', '.join(_CLIENTS)}")
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the client goes or a signal comes; or set a client up."""
    from pinebench.tools import registry

    suite = args.tools == "conformance"
    chosen = [] if suite else registry.chosen(args.tools, read_only=args.read_only)
    try:
        from pinebench.mcp import serving
        from pinebench.mcp.server import Offer
    except ImportError:
        from pinebench.extras import missing

        raise missing("the server for models", "mcp") from None
    if args.install:
        return _install(args)
    from pinebench.tools.chart_browser import ChartBrowser

    # Nobody waits at the terminal: a page that is missing is said at once.
    desk = ChartBrowser(args.cdp_host, args.cdp_port, args.target, allow_remote=args.allow_remote_cdp, notify=note)
    if suite:
        from pinebench.mcp.conformance import Fixtures

        offer = Fixtures(desk)
    else:
        offer = Offer(desk, chosen, output_schemas=args.output_schemas)
    if args.http:
        with until_stopped(), desk:
            serving.over_http(offer, args.port, lambda address: note(f"serving {address}; Ctrl+C ends it"))
        return 0
    end_at_once()
    with desk:
        serving.over_stdio(offer)
    return 0


def _install(args: argparse.Namespace) -> int:
    from pinebench.mcp import clients

    client = clients.client(args.install)
    before, after = clients.changed(client, _repeated(args))
    if before == after:
        note(f"{client.path} has it already")
        return 0
    print_diff(before, after, str(client.path))
    said = clients.write(client, after)
    if said:
        note(said)
    note(f"{client.title}: written to {client.path}; restart the client")
    return 0


def _repeated(args: argparse.Namespace) -> list[str]:
    """What was said on this command line that the client is to say each time."""
    words: list[str] = []
    for option in ("tools", "cdp_host", "cdp_port", "target"):
        value = getattr(args, option)
        if value is not None:
            words += [f"--{option.replace('_', '-')}", str(value)]
    words += ["--read-only"] if args.read_only else []
    words += ["--output-schemas"] if args.output_schemas else []
    return words + (["--allow-remote-cdp"] if args.allow_remote_cdp else [])
