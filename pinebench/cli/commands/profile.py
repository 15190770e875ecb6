"""`pinebench profile`: show what each line and function of a script costs, and what counts towards TradingView's
limits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.cli import run_options
from pinebench.cli.console import add_config_argument, note, tell_error
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse

    from pinebench.profiling.full_profile import ScriptProfile

EPILOG = f"""\
examples:
  pinebench profile my.pine --data bars.csv                                 the costliest lines and functions
  pinebench profile my.pine --data sample:AAPL@60x5000 --format html -o profile.html   with a flame graph
  pinebench profile my.pine --data bars.csv --format speedscope -o my.speedscope.json  for www.speedscope.app
  pinebench profile my.pine --data bars.csv --no-advice                     do not try rewrites

{run_options.BARS_HELP}The times are processor time here, not TradingView's. The script runs with and without
measurement in turns, a short one many times; the costs of all lines add up to the run without it. Advice names a
rewrite only if it was tried on these bars, was faster, and gave equal results.
"""

USAGE = "FILE --data BARS [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    run_options.add_arguments(add)
    add(
        "--format",
        choices=("text", "json", "html", "speedscope"),
        default="text",
        help="the output format (default: text)",
    )
    add("--no-advice", action="store_true", help="do not try rewrites")
    run_options.add_output_arguments(add)
    add_config_argument(add)


def run(args: argparse.Namespace) -> int:
    """Measure the script, print the costs, and return the exit code."""
    from pinebench.profiling.full_profile import SECONDS, profiled
    from pinebench.profiling.kept import keep
    from pinebench.workers.dispatch import execute

    given = run_options.read_run_input(args, [args.output])
    request = run_options.run_request(given, run_options.as_of(args))
    told = execute(request, partial(profiled, advise=not args.no_advice), seconds=SECONDS)
    run_options.write(_written(told, args, given), args.output, force=args.force)
    run_options.tell_own_versions(given.program)
    keep(request.source, told.profile)
    if told.profile.error is not None:
        tell_error(f"{given.path}: {told.profile.error}")
        note("these are the costs until the script stopped")
    return int(told.profile.error is not None)


def _written(told: ScriptProfile, args: argparse.Namespace, given: run_options.RunInput) -> str:
    from pathlib import Path

    from pinebench.profiling import page, report

    match args.format:
        case "json":
            values = report.report(told.profile, told.weights, told.advice)
            return run_options.as_json(values | run_options.facts(given))
        case "html":
            return page.page(told, Path(given.path).name, given.chart.line)
        case "speedscope":
            return run_options.as_json(report.speedscope(told.profile, Path(given.path).name, given.chart.line))
        case _:
            text = report.as_text(told.profile, told.weights, told.advice, printable)
            return run_options.head(args, given.chart) + text
