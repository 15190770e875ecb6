"""`pinebench import-trades`: compare our list of trades with one that TradingView's strategy tester exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import backtesting, running
from pinebench.cli.console import note, tell_error

if TYPE_CHECKING:
    import argparse

    from pinebench.cli.table import Subparsers

_EPILOG = f"""\
examples:
  pinebench import-trades my.pine exported.csv --data bars.csv
  pinebench import-trades my.pine exported.csv --data bars.csv --initial-capital 10000

CSV is what TradingView's strategy tester exports of its list of trades. The trades are compared inside the time that
the list spans: side, both times, both prices, quantity. The time zone of the list is found by its entries.

{running.BARS_HELP}
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "import-trades",
        usage="pinebench import-trades FILE CSV --data BARS [OPTION]...",
        description="Compare our list of trades with one that TradingView exported, and show where they first differ.",
        epilog=_EPILOG,
    )
    backtesting.add_arguments(parser)
    parser.set_defaults(force=False)
    parser.add_argument("csv", metavar="CSV", help="the list of trades that TradingView's strategy tester exported")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to write it (default: text)")


def run(args: argparse.Namespace) -> int:
    """Compare the lists, say where they differ, and return the exit code."""
    from pinebench import files
    from pinebench.execution import comparison, listing
    from pinebench.printable import printable

    listed = listing.read(files.read(args.csv).text, args.csv)
    given, tested, _ = backtesting.run_backtest(args, [])
    error = tested.result.error
    if error is not None:
        tell_error(f"{given.path}:{error.line or 1}: {error.message}")
        return 1
    found = comparison.compare(tested.trades, listed, tested.symbol.mintick)
    if args.format == "json":
        text = running.as_json(comparison.report(found))
    else:
        text = comparison.as_text(found, tested.bars, printable)
    running.write(text, None)
    for words in tested.notes:
        note(words)
    return int(not found.is_same)
