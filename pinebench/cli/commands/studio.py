"""`pinebench studio`: open a chart and a Pine editor that work like TradingView's, on this computer."""

from __future__ import annotations

import argparse
import json
import os
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pinebench import config
from pinebench.cli.console import InputPath, free_port, note, print_report
from pinebench.errors import PinebenchError, UnavailableError

if TYPE_CHECKING:
    from pinebench.context import Engine
    from pinebench.studio.session import StudioSession
    from pinebench.tradingview.browser import RunningBrowser

_REFUSED_PORTS = frozenset(
    [
        *(1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080),
        *(1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109),
        *(110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530),
        *(531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995),
    ]
)
"""Ports at which no browser opens a page, because other services have them (the "bad ports" of the Fetch standard)."""

_READY_SECONDS = 90.0
_POLL_SECONDS = 0.5

_SIGN = "tradingview.com/chart"
"""The part of the address by which clients recognize TradingView's page; the page itself ignores it."""

_OPENER = '<!doctype html><meta http-equiv="refresh" content="0;url={}">'
"""The page that the browser opens first; it leads to the studio's address. The address is not in the browser's command
line, because every user of the computer can read that; only the owner can read this file."""

EPILOG = """\
examples:
  pinebench studio                    open the studio in a window of its own
  pinebench studio --headless         no window; one line of JSON says where it is
  pinebench studio --no-browser       only serve the page: open the printed address in any browser
  pinebench studio --data my-data     chart the files of a folder, too (NASDAQ_AAPL_60.csv)
  pinebench studio --trade BTCUSDT    with alerts and paper orders on prices of Binance

The studio listens on this computer only and sends nothing anywhere;
--trade, and symbols in its market page, fetch prices. To drive it as TradingView's page:
  PINEBENCH_CDP_PORT=<debug port> pinebench push my.pine
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("--port", type=_page_port, default=0, metavar="P", help="port of the page (default: a free one)")
    add(
        "--debug-port",
        "--cdp-port",
        type=free_port,
        default=0,
        metavar="D",
        help="debug port of the browser (default: a free one)",
    )
    add(
        "--headless",
        action="store_true",
        help="run without a window, and print one line of JSON when the chart and the editor answer",
    )
    add("--no-browser", action="store_true", help="only serve the page")
    add(
        "--data",
        type=InputPath,
        metavar="FOLDER",
        help="folder of CSV and Parquet files to show and follow, named EXCHANGE_SYMBOL_RESOLUTION.csv",
    )
    add(
        "--trade",
        nargs="+",
        metavar="SYMBOL",
        help="watch alerts and trade a paper account on these symbols of Binance",
    )
    add(
        "--interval",
        nargs="+",
        default=["4h"],
        metavar="I",
        help="the bars that --trade watches: 1m, 5m, 15m, 1h, 4h (default), 1d, 1wk",
    )
    # As it was called before --bars meant a number everywhere.
    add("--bars", dest="data", type=InputPath, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal arrives or the browser is closed. Then close the browser too."""
    from pathlib import Path

    from pinebench.cli.signals import until_stopped
    from pinebench.studio.session import StudioSession, default_store
    from pinebench.tradingview.studios import announced

    with until_stopped(), ExitStack() as stack:
        bars = Path(args.data) if args.data else None
        folders = config.library_folders(os.curdir)
        session = stack.enter_context(StudioSession(args.port, default_store(), bars, _engine(args, stack), folders))
        browser = None if args.no_browser else _open_browser(args, session, stack)
        if browser is not None:
            stack.enter_context(announced(session.url, browser.port))
            session.drive(browser.port)
        _announce(args, session, browser)
        while browser is None or browser.process is None or browser.process.poll() is None:
            time.sleep(_POLL_SECONDS)
        if args.headless:
            raise UnavailableError("the studio's browser ended unexpectedly", "start the studio again")
    return 0


def _engine(args: argparse.Namespace, stack: ExitStack) -> Engine | None:
    """The trading engine on the symbols that were asked for, which ends with `stack`; None if there are none."""
    if not args.trade:
        return None
    from pinebench.engine import start_engine

    note(f"fetching the bars of {', '.join(args.trade)[:200]}")
    return stack.enter_context(start_engine(args.trade, args.interval))


def _open_browser(args: argparse.Namespace, session: StudioSession, stack: ExitStack) -> RunningBrowser | None:
    """Start a browser with the studio's page; return None if there is no browser and a person can open the page."""
    try:
        launched = _launch(args, session.address(keeps=_SIGN), stack)
    except PinebenchError as error:
        if args.headless or not isinstance(error, UnavailableError):
            raise
        note(error.message, f"open {session.url} yourself; without a debug port pinebench cannot control it")
        return None
    if not session.wait_until_ready(_READY_SECONDS):
        raise UnavailableError(
            f"the studio's page did not load within {_READY_SECONDS:g} s", "try again, or add -vv to see its requests"
        )
    return launched


def _launch(args: argparse.Namespace, url: str, stack: ExitStack) -> RunningBrowser:
    import html
    from pathlib import Path

    from pinebench.tradingview import browser, browser_programs
    from pinebench.tradingview.temporary_browser import run_profile

    if args.debug_port and not browser.is_free(args.debug_port):
        raise UnavailableError(f"debug port {args.debug_port} is taken", "choose another --debug-port")
    executable = browser_programs.find()
    kept = browser_programs.default_profile(executable, browser_programs.platform_name(), os.environ)
    if kept is None:
        raise UnavailableError(f"{executable.known.title} cannot show the studio", "install Chrome, Chromium or Edge")
    # A profile for this run only, where the browser may write, so that studios can run side by side.
    profile = stack.enter_context(run_profile(Path(kept).parent))
    opener = Path(profile) / "open.html"
    opener.touch(mode=0o600)
    opener.write_text(_OPENER.format(html.escape(url)), encoding="utf-8")
    launched = browser.launch(
        executable.path,
        port=args.debug_port,
        profile=profile,
        url=opener.as_uri(),
        headless=args.headless,
        leashed=True,
        extra=("--disable-extensions", "--disable-background-networking", "--disable-sync", "--password-store=basic"),
    )
    stack.callback(launched.stop)
    return launched


def _announce(args: argparse.Namespace, session: StudioSession, browser: RunningBrowser | None) -> None:
    port = browser.port if browser else None
    if args.headless:
        print_report(json.dumps({"url": session.url, "debug_port": port, "pid": os.getpid()}) + "\n")
        return
    print(f"studio: {session.url}", flush=True)
    if port:
        print(f"to control it, set PINEBENCH_CDP_PORT={port}; Ctrl+C or closing its window ends it", flush=True)
    else:
        print("Ctrl+C ends it", flush=True)


def _page_port(text: str) -> int:
    number = free_port(text)
    if number in _REFUSED_PORTS:
        raise argparse.ArgumentTypeError(f"browsers refuse pages at port {number}; choose another port")
    return number
