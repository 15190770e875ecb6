"""`pinebench backtest`: run a strategy on bars, and report its trades and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import backtest_options, behaviour, run_options
from pinebench.cli.console import note, notes_are_seen, output_path, tell_error
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse

    from pinebench.backtesting.backtest import BacktestRun
    from pinebench.checker import Program
    from pinebench.market import Data
    from pinebench.testing.goals import GoalsResult

EPILOG = f"""\
examples:
  pinebench backtest my.pine --data bars.csv                        the figures, and the last trades
  pinebench backtest my.pine --data bars.csv --format html -o report.html
                                                                    prices with entries and exits, equity, drawdown
  pinebench backtest my.pine --data bars.csv --trades trades.csv    the list of trades as TradingView exports it
  pinebench backtest my.pine --data bars.csv --commission-value 0.1 --slippage 2
  pinebench backtest my.pine --data day.csv --lower-data hour.csv   with finer prices inside each bar
  pinebench backtest my.pine --data bars.csv --expect 'profit_factor>1.2' --no-repaint

{run_options.BARS_HELP}The script always runs from the first bar; --from and --to say when it trades.
docs/strategy-tester.md says how orders are filled and how each figure is defined.

{behaviour.HELP}
"""

USAGE = "FILE --data BARS [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("--format", choices=("text", "json", "html"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add)
    run_options.add_plot_argument(add)
    add("--trades", type=output_path, metavar="FILE", help="write the list of trades into this CSV file too")
    run_options.add_tier_argument(add)
    behaviour.add_behaviour_arguments(add)
    backtest_options.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the strategy, write the report, and return the exit code."""
    from pinebench.backtesting.trade_list import as_csv
    from pinebench.runtime import report, shown

    goals = behaviour.goals_of(args)
    run_options.check_plot(args.plot)
    given, as_of, test, check = backtest_options.prepare(args, [args.output, args.trades, args.plot])
    tested = test(as_of)
    judged = goals.judge(tested.result, tested.figures(), check)
    if args.plot is not None and tested.result.error is None:
        first, last = run_options.moment("--from", args.first), run_options.moment("--to", args.last)
        times = shown.cut(report.report(tested.result), first, last)["times"]
        run_options.draw(args, given, tested.result, times, tested.fills)
    if args.trades is not None and tested.result.error is None:  # an empty list would replace an earlier one
        run_options.put(args.trades, as_csv(tested).encode(), force=args.force)
    if tested.result.error is None or args.format == "json":
        told = _report(args, given.program, given.chart, tested, judged if goals else None)
        run_options.write(told, args.output, force=args.force)
    if args.format != "text" or args.output is not None:
        behaviour.tell_failures(judged)
    for words in tested.notes:
        note(words)
    error = tested.result.error
    if error is not None:
        tell_error(f"{error.place(given.path)}: {error.message}")
    return int(not judged.ok)


def _title(program: Program) -> str:
    """The title that the script declares; empty if it is not a constant text."""
    from pinebench.runtime import declared_arguments

    return str(declared_arguments(program).get("title") or "")


def _report(
    args: argparse.Namespace, program: Program, chart: Data, tested: BacktestRun, judged: GoalsResult | None
) -> str:
    from pinebench.backtesting import backtest_report

    if args.format == "json":
        told = backtest_report.report(tested) | {"data": chart.facts}
        return run_options.as_json(told | judged.report() if judged is not None else told)
    if args.format == "html":
        from pinebench.cli.testing_page import page

        return page(tested, _title(program) or args.file, f"{chart.summary}; script: {args.file}")
    text = backtest_report.as_text(tested, printable)
    if args.output is not None or not notes_are_seen():  # on a screen, a note has told it
        text = f"Bars: {printable(chart.summary)}\n{text}"
    return text + behaviour.as_text(judged) if judged is not None else text
