"""`pinebench import-trades`: compare our list of trades with TradingView's export, and show the first difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import backtest_options, run_options
from pinebench.cli.console import InputPath, note, tell_error
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from datetime import date

    from pinebench.backtesting.backtest import BacktestRun
    from pinebench.backtesting.trade_list import ExportedTrade
    from pinebench.backtesting.trade_list_diff import TradeListDiff
    from pinebench.cli.backtest_options import Testing

EPILOG = f"""\
examples:
  pinebench import-trades my.pine exported.csv --data bars.csv
  pinebench import-trades my.pine exported.csv --data bars.csv --initial-capital 10000
  pinebench import-trades my.pine old.csv --data bars.csv --as-of 2026-08-31    an export of that day

LIST is what TradingView's strategy tester exports of its list of trades: CSV, or the XLSX of its button. The trades are
compared inside the time that the list spans: side, both times, both prices, quantity. The time zone of the list is
found by its entries. A report as XLSX has the properties of its test, too: those that this test did not have are noted.
TradingView changed the defaults of strategy() about 2026-09-24: for an older list name its day with --as-of.

{run_options.BARS_HELP}
"""

USAGE = "FILE LIST --data BARS [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    backtest_options.add_arguments(parser)
    parser.set_defaults(force=False, output=None)
    parser.add_argument(
        "csv",
        type=InputPath,
        metavar="LIST",
        help="the list of trades that TradingView's strategy tester exported, as CSV or XLSX",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")


def run(args: argparse.Namespace) -> int:
    """Compare the lists, print the first difference, and return the exit code."""
    from pinebench.backtesting import trade_list, trade_list_diff

    listed, still_open, properties = trade_list.read_file(args.csv)
    given, as_of, test, _ = backtest_options.prepare(args, [])
    tested = test(as_of)
    error = tested.result.error
    if error is not None:
        tell_error(f"{error.place(given.path)}: {error.message}")
        return 1
    found = trade_list_diff.compare(tested.trades, listed, tested.symbol.mintick)
    outside = trade_list_diff.outside(found, listed, tested)
    beyond = len(tested.trades) - found.counted
    better = _better_day(tested, found, test, listed) if found.is_same is False else None
    if args.format == "json":
        told = {
            "outside_the_bars": outside,
            "own_outside_the_list": beyond,
            "still_open": still_open,
            "defaults": tested.defaults.report(),
            "agrees_more_as_of": None if better is None else str(better),
        }
        text = run_options.as_json(trade_list_diff.report(found) | told | {"data": given.chart.facts})
    else:
        text = run_options.head(args, given.chart) + trade_list_diff.as_text(found, tested.bars, printable)
    run_options.write(text, None)
    if outside:
        trades = "1 trade of the list is" if outside == 1 else f"{outside} trades of the list are"
        advice = "leave --from out" if tested.first else "give bars of the whole time of the list"
        note(f"{trades} outside the time of the test, so our list has no trade to compare: {advice}")
    if beyond:
        trades = "1 trade of our list is" if beyond == 1 else f"{beyond} trades of our list are"
        note(f"{trades} before the first or after the last trade of the list, and not compared")
    if still_open:
        trades = "1 trade of the list is" if still_open == 1 else f"{still_open} trades of the list are"
        note(f"{trades} still open, and not compared")
    if found.is_same is None:
        note("neither list has a closed trade: nothing was compared")
    for words in (*trade_list.other_properties(properties, tested), *tested.notes):
        note(words)
    if better is not None:
        note(f"the list fits TradingView's defaults of {better} better: use --as-of {better}")
    return int(not found.is_same)


def _better_day(tested: BacktestRun, found: TradeListDiff, test: Testing, listed: list[ExportedTrade]) -> date | None:
    """The day whose defaults of `strategy()` make more trades equal to the list than the defaults that were used, or
    None if there is no such day."""
    from pinebench.backtesting.trade_list_diff import compare

    best, most = None, found.same - found.quantities
    for day in tested.defaults.other_days():
        other = test(day)
        if other.result.error is not None:
            continue
        again = compare(other.trades, listed, other.symbol.mintick)
        if again.same - again.quantities > most:
            best, most = day, again.same - again.quantities
    return best
