"""`pinebench launch`: start a browser, or TradingView Desktop, with a debug port on this computer."""

from __future__ import annotations

import argparse

from pinebench.cli.console import note, output_path, port
from pinebench.cli.page import PORT_HELP
from pinebench.printable import printable

EPILOG = """\
examples:
  pinebench launch                      the first of Chrome, Chromium, Edge and TradingView Desktop that is there
  pinebench launch --browser desktop    TradingView Desktop
  pinebench launch --browser edge       the chart in Microsoft Edge

A browser gets a profile of its own, readable by you only: log in there once. A browser that already answers at
the port is left as it is, and nothing that was running before is ever ended.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("--browser", metavar="NAME", help="desktop, chrome, chromium, edge, or a path (default: PINEBENCH_BROWSER)")
    add("--cdp-port", "--debug-port", type=port, metavar="PORT", help=PORT_HELP)
    add("--profile", type=output_path, metavar="FOLDER", help="profile folder (default: one of pinebench's own)")
    add("--headless", action="store_true", help="without a window")


def run(args: argparse.Namespace) -> int:
    """Launch the browser, print the address of its debug port, and return the exit code."""
    from pinebench.tradingview import browser, endpoint

    chosen = endpoint.resolve(None, args.cdp_port).port
    launched = browser.launch(args.browser, port=chosen, profile=args.profile, headless=args.headless)
    for trap in launched.warnings:
        note(trap.problem, trap.advice)
    started = f"process {launched.pid}" if launched.pid else "it was already running"
    if launched.profile:
        note(f"the profile is {launched.profile}; log in to TradingView there once")
    print(printable(f"{launched.version} answers at 127.0.0.1:{launched.port} ({started})"))
    return 0
