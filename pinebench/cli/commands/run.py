"""`pinebench run`: run a script on bars and show its plots, alerts and logs."""

from __future__ import annotations

import argparse
from typing import Any

from pinebench.cli import behaviour, run_options
from pinebench.cli.console import add_config_argument, note, tell_error
from pinebench.errors import UsageError
from pinebench.printable import printable

EPILOG = f"""\
examples:
  pinebench run my.pine --data bars.csv                          the plots on the last bars
  pinebench run my.pine --data bars.csv --format csv -o out.csv  all of them, a row for each bar
  pinebench run my.pine --data bars.csv --input Length=20        with another value of an input
  pinebench run my.pine --data es.csv --data SPY=spy.csv         with the bars of another symbol for its requests
  pinebench run my.pine --data bars.csv --no-repaint             and check whether its output changes later
  pinebench run my.pine --data bars.parquet --plot chart.png     and draw it as the chart would show it
  pinebench run my.pine --data ccxt:binance:BTC/USDT:15m         on the last bars of an exchange

{run_options.BARS_HELP}The script always runs from the first bar; --from and --to say which bars are shown.
The orders of a strategy are filled; `pinebench backtest` reports its trades.
An existing file is replaced only if pinebench wrote it, unless --force is given.

{behaviour.HELP}
"""

USAGE = "FILE --data BARS [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    run_options.add_arguments(add)
    add("--from", dest="first", metavar="DATE", help="show bars from this date on (ISO 8601, UTC)")
    add("--to", dest="last", metavar="DATE", help="show bars before this date")
    add(
        "--format", choices=("text", "json", "csv", "parquet"), default="text", help="the output format (default: text)"
    )
    run_options.add_plot_argument(add)
    run_options.add_output_arguments(add)
    run_options.add_tier_argument(add)
    behaviour.add_behaviour_arguments(add)
    add_config_argument(add)


def run(args: argparse.Namespace) -> int:
    """Run the script, write its results, and return the exit code."""
    from pinebench.compiled import run_on_tier
    from pinebench.linter.repainting import look_for_repainting
    from pinebench.runtime import Look, report, shown
    from pinebench.workers.dispatch import explain

    goals = behaviour.goals_of(args)
    first, last = run_options.moment("--from", args.first), run_options.moment("--to", args.last)
    _check_formats(args)
    day = run_options.as_of(args)
    given = run_options.read_run_input(args, [args.output, args.plot])
    run_options.check_range(args, given.chart.bars)
    request = run_options.run_request(given, day, look=Look(args.theme == "dark"), tier=args.tier)
    tiered = run_on_tier(request)
    ran = tiered.ran
    result = ran.result
    judged = goals.judge(result, ran.figures, lambda: look_for_repainting(request), lambda: explain(request))
    told = shown.cut(report.report(result), first, last)
    if args.plot is not None and result.error is None:
        fills = () if ran.tested is None else ran.tested.fills
        run_options.draw(args, given, result, told["times"], fills)
    whole: dict[str, Any] = {**told, "tier": tiered.report(), **(judged.report() if goals else {})}
    whole["data"] = given.chart.facts
    _write(args, whole, run_options.head(args, given.chart), behaviour.as_text(judged))
    if args.format != "text" or args.output is not None:
        behaviour.tell_failures(judged)
    for words in (*result.notes, *filter(None, [tiered.told()])):
        note(words)
    if result.error is not None:
        tell_error(f"{result.error.place(given.path)}: {result.error.message}")
    return int(not judged.ok)


def _check_formats(args: argparse.Namespace) -> None:
    """Raise UsageError for outputs of a wrong kind."""
    run_options.check_plot(args.plot)
    if args.format == "parquet" and args.output is None:
        raise UsageError("Parquet is a binary format and cannot be printed", "name a file with -o")


def _write(args: argparse.Namespace, told: dict[str, Any], head: str, judged: str) -> None:
    from pinebench.runtime import shown

    if told["error"] is not None and args.format in ("csv", "parquet"):
        return  # a table without a value would replace an earlier one
    if args.format == "parquet":
        run_options.put(args.output, shown.as_parquet(told), force=args.force)
        return
    if args.format == "json":
        text = run_options.as_json(told)
    elif args.format == "csv":
        text = shown.as_csv(told)
    else:
        text = head + shown.as_text(told, printable) + judged
    run_options.write(text, args.output, force=args.force)
