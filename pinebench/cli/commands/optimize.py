"""`pinebench optimize`: run a strategy with many combinations of inputs, and test the best ones on held-back bars."""

from __future__ import annotations

import time
from pathlib import PurePath
from typing import TYPE_CHECKING

from pinebench.cli import backtest_options, run_options, sweep_options
from pinebench.cli.console import DISPLAY, note, output_path, positive, print_report
from pinebench.cli.exit_codes import FINDINGS, FINE, INTERRUPTED
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse

    from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult
    from pinebench.workers.request import Request

EPILOG = f"""\
examples:
  pinebench optimize my.pine --data bars.csv --input 'Length=5:50:5' --input 'Mode=EMA,SMA'
                                                            every combination; the best on bars that were held back
  pinebench optimize my.pine --data bars.csv                the ranges of the script: minval, maxval, step, options
  pinebench optimize my.pine --data bars.csv --search tpe --trials 300 --metric 'net_profit / max_drawdown'
  pinebench optimize my.pine --data bars.csv --constraint 'trades > 30' -o results.parquet --page results.html
  pinebench optimize my.pine --data bars.csv --walk-forward 'train=6M test=1M'
                                                            choose on six months, trade the next one, and so on
  pinebench optimize my.pine --data bars.csv --resume       go on after Ctrl+C or a kill; no run is repeated

{run_options.BARS_HELP}--input 'Length=5:50:5' varies from:to:step, 'Mode=EMA,SMA' takes these values, 'Length=20' fixes
one, and 'Length' alone takes the range of the script. A metric and a constraint name figures of the report,
such as net_profit, trades or sharpe_ratio; docs/optimizing.md explains them, and how to tell luck from more than luck.
"""

USAGE = "FILE --data BARS [--input RANGE]... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(
        add, "write all results into this .parquet, .csv or .json file, or the report into a .txt file"
    )
    add(
        "--page",
        type=output_path,
        metavar="FILE",
        help="write a page with a heat map, parallel coordinates and the equity curve into this .html file",
    )
    add(
        "--metric",
        default="net_profit",
        metavar="EXPR",
        help="the figure or expression to maximize (default: net_profit)",
    )
    add(
        "--constraint",
        action="append",
        default=[],
        metavar="EXPR",
        help="a condition that results must meet, for example 'trades > 30'",
    )
    add(
        "--search",
        choices=("grid", "random", "tpe", "nsga2"),
        default="grid",
        help="how combinations are chosen (default: grid)",
    )
    add(
        "--trials", type=positive, metavar="N", help="the largest number of combinations (default: all for a grid, 200)"
    )
    add(
        "--holdout",
        type=sweep_options.share,
        metavar="SHARE",
        help="hold back this fraction of the bars (default: 0.3; 0: none)",
    )
    add("--walk-forward", metavar="WINDOWS", help="walk-forward test with these windows: 'train=6M test=1M [anchored]'")
    add("--resume", action="store_true", help="do not repeat the runs of an earlier, unfinished call")
    sweep_options.add_arguments(add)
    run_options.add_tier_argument(add)
    backtest_options.add_arguments(parser, sweep_options.RANGES)


def run(args: argparse.Namespace) -> int:
    """Run the search, write the results, and return the exit code."""
    from pinebench.sweeps import sweep_report
    from pinebench.sweeps.optimization import HOLDOUT, OptimizationPlan
    from pinebench.sweeps.space import space_of

    _check_names(args)
    sweep_report.check_file(args.output or "")
    ranges, args.input = args.input, []
    given, request = backtest_options.asked(args, [args.output, args.page])
    plan = OptimizationPlan.of(
        space_of(given.program, ranges),
        args.metric,
        args.constraint,
        search=args.search,
        trials=args.trials,
        holdout=HOLDOUT if args.holdout is None else args.holdout,
        seed=1 if args.seed is None else args.seed,
    )
    if args.walk_forward is not None:
        return _walk(args, given, request, plan)
    return _search(args, given, request, plan)


def _search(args: argparse.Namespace, given: run_options.RunInput, request: Request, plan: OptimizationPlan) -> int:
    """Run the combinations, write the results, and return the exit code."""
    from pinebench.amounts import counted
    from pinebench.sweeps import cluster
    from pinebench.sweeps.optimization import Optimizer

    begin = time.monotonic()
    with (
        sweep_options.in_options(),
        Optimizer(given.program, request, plan, resume=args.resume) as optimizer,
        sweep_options.ProgressPrinter() as shown,
        cluster.hands(args.jobs, args.scheduler, sweep_options.keys(args)) as hands,
    ):
        found = optimizer.run(hands, shown.show)
    note(f"{counted(len(found.ranked), 'combination')} in {time.monotonic() - begin:.1f} s")
    if found.repeated:
        note(f"{found.repeated:,} of the runs were taken from an earlier call")
    if found.ranked:  # an interruption before the first run leaves earlier results alone
        _write(args, given, found)
    return _exit_code(found.is_whole, has_result=found.best is not None)


def _walk(args: argparse.Namespace, given: run_options.RunInput, request: Request, plan: OptimizationPlan) -> int:
    """Choose and trade window after window, write the result, and return the exit code."""
    from pinebench.sweeps import cluster, walk_forward_runs
    from pinebench.sweeps.windows import windows_of

    windows = windows_of(args.walk_forward)
    with (
        sweep_options.in_options(),
        sweep_options.ProgressPrinter() as shown,
        cluster.hands(args.jobs, args.scheduler, sweep_options.keys(args)) as hands,
    ):
        found = walk_forward_runs.walk(given.program, request, plan, windows, hands, shown.show, resume=args.resume)
    if not found.is_whole and not found.steps:
        return _exit_code(found.is_whole, has_result=False)  # earlier results stay
    told = run_options.as_json(walk_forward_runs.report(found) | {"data": given.chart.facts})
    if args.output is not None:
        run_options.put(args.output, told.encode(), force=args.force)
    text = run_options.head(args, given.chart) + walk_forward_runs.as_text(found, printable)
    _print(args, told if args.format == "json" else text)
    return _exit_code(found.is_whole, has_result=bool(found.equity))


def _exit_code(is_whole: bool, *, has_result: bool) -> int:
    if not is_whole:
        note("stopped: the finished runs are kept, and --resume continues")
        return INTERRUPTED
    return FINE if has_result else FINDINGS


def _check_names(args: argparse.Namespace) -> None:
    """Raise UsageError for files and options that do not fit together, before anything runs."""
    if args.walk_forward is not None and (args.page or not (args.output or ".json").lower().endswith(".json")):
        raise UsageError("--walk-forward writes JSON only", "leave out --page, and give a .json file with -o")
    if args.walk_forward is not None and args.holdout is not None:
        raise UsageError(
            "--holdout has no effect with --walk-forward", "each test window is held back from its training window"
        )
    kinds = (".parquet", ".csv", ".json", ".txt", ".md", "")
    if args.output is not None and PurePath(args.output).suffix.lower() not in kinds:
        raise UsageError(
            f"-o {args.output} is not a kind of file that optimize writes",
            "expected .parquet, .csv or .json for all results, or .txt for the report",
        )
    if args.page is not None and not args.page.lower().endswith((".html", ".htm")):
        raise UsageError(f"--page {args.page} does not end with .html", "name another file")


def _write(args: argparse.Namespace, given: run_options.RunInput, found: OptimizationResult) -> None:
    from pinebench.sweeps import page, sweep_report

    chart = given.chart
    if args.format == "json":
        text = sweep_report.as_json(found, chart)
    else:
        text = run_options.head(args, chart) + sweep_report.as_text(found, printable)
    if args.page is not None:
        run_options.put(args.page, page.page(found, given.path, chart.summary).encode(), force=args.force)
    if args.output is None or not args.output.lower().endswith(sweep_report.ENDINGS):
        run_options.write(text, args.output, force=args.force)
        return
    run_options.put(args.output, sweep_report.as_file(found, args.output, chart), force=args.force)
    _print(args, text)


def _print(args: argparse.Namespace, text: str) -> None:
    """Print the report, unless a file has the same JSON, or --quiet is given and a file has the results."""
    if args.output is None or not (DISPLAY.quiet or args.format == "json"):
        print_report(text)
