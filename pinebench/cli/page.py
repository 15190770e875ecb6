"""The arguments of all commands that work on a chart page, and the connection that they describe."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from pinebench.cli.console import port

if TYPE_CHECKING:
    from pinebench.tradingview.connection import Connection


PORT_HELP = "the browser's debug port (default: PINEBENCH_CDP_PORT, 9222)"


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--cdp-host`, `--cdp-port`, `--target`, `--allow-remote-cdp` and `--no-wait`."""
    group = parser.add_argument_group("which page")
    add = group.add_argument
    add("--cdp-host", metavar="HOST", help="host of the browser's debug port (default: PINEBENCH_CDP_HOST, 127.0.0.1)")
    add(
        "--cdp-port",
        "--debug-port",
        type=port,
        metavar="PORT",
        help="the browser's debug port (default: PINEBENCH_CDP_PORT, 9222)",
    )
    add("--target", metavar="PAGE", help="which page, if several charts are open: its id, or a part of its address")
    add("--allow-remote-cdp", action="store_true", help="permit a host that is not this computer")
    add("--no-wait", action="store_true", help="do not wait if no chart can be reached")


def connect(args: argparse.Namespace, notify: Callable[[str], None] | None = None) -> Connection:
    """Return the connection that the arguments describe. It is opened on first use.

    `notify` receives messages for a person, one line each (default: print them to stderr).
    """
    from pinebench.cli.console import note
    from pinebench.tradingview import endpoint
    from pinebench.tradingview.connection import Connection

    found = endpoint.resolve(args.cdp_host, args.cdp_port, args.target, notify=notify or note)
    return Connection(*found, wait=not args.no_wait, allow_remote=args.allow_remote_cdp, notify=notify)
