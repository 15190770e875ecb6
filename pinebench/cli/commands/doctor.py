"""`pinebench doctor`: examine the browser, its debug port, the chart page, the Pine editor and the log-in."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import print_report, style_for
from pinebench.cli.exit_codes import FINDINGS, FINE, NOT_DONE
from pinebench.cli.page import add_page_arguments
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.cli.console import Style
    from pinebench.tradingview.doctor import DoctorReport

EPILOG = """\
examples:
  pinebench doctor
  pinebench doctor --format json
"""

_COLOURS = {"ok": "hint", "failed": "error", "note": "dim"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the checks, print the report, and return the exit code."""
    from pinebench.tradingview import doctor, endpoint

    report = doctor.examine(endpoint.resolve(args.cdp_host, args.cdp_port, args.target), args.allow_remote_cdp)
    _clients(report)
    if args.format == "json":
        from pinebench.linter.report.json import dump

        print_report(dump(report.as_data()))
    else:
        print(_text(report, style_for(sys.stdout)))
    if report.ok:
        return FINE
    return FINDINGS if report.reached else NOT_DONE


def _clients(report: DoctorReport) -> None:
    """Name clients whose entry of an earlier version runs files of the folder that is open in them."""
    from pinebench.mcp import clients

    for name in clients.CLIENTS:
        try:
            client = clients.client(name)
            if not clients.is_open(client):
                continue
        except UsageError:  # it cannot be read, so it has no entry that is known
            continue
        detail = (
            f"{client.path}: the pinebench entry would run a file pinebench.py from the folder that is open "
            "in the client"
        )
        report.add("clients", client.title, "note", detail, f"pinebench mcp --install {name} repairs it")


def _text(report: DoctorReport, style: Style) -> str:
    lines: list[str] = []
    area = ""
    for check in report.checks:
        if check.area != area:
            area = check.area
            lines.append(style(area, "bold"))
        lines.append(
            f"  {style(f'{check.state:<6}', _COLOURS[check.state])} {printable(f'{check.name}: {check.detail}')}"
        )
        if check.advice:
            lines.append(printable(f"         → {check.advice}"))
    failed = sum(check.state == "failed" for check in report.checks)
    lines.append(style(f"{failed} failed" if failed else "nothing failed", "error" if failed else "hint"))
    return "\n".join(lines)
