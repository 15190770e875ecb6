"""`pinebench montecarlo`: vary the trades of a back-test at random, and report what else could have happened."""

from __future__ import annotations

import argparse
from typing import Any

from pinebench.cli import backtest_options, run_options
from pinebench.cli.console import amount, note, positive, tell_error, whole
from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.printable import printable

EPILOG = f"""\
examples:
  pinebench montecarlo my.pine --data bars.csv                         1,000 paths of each of four methods
  pinebench montecarlo my.pine --data bars.csv --runs 5000 --seed 7 --ruin 0.3
  pinebench montecarlo my.pine --data bars.csv --skip 0.2 --ticks 5 --format json

{run_options.BARS_HELP}Each method changes the closed trades of one back-test: bootstrap draws blocks of them
again, order shuffles them, skipped leaves some out, and worse_fills makes their fills worse. docs/optimizing.md
defines each figure.
"""
_NAMES = {
    "bootstrap": "blocks drawn again",
    "order": "another order",
    "skipped": "skipped trades",
    "worse_fills": "worse fills",
}

USAGE = "FILE --data BARS [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add)
    add("--runs", type=positive, default=1000, metavar="N", help="the number of paths of each method (default: 1000)")
    add("--seed", type=whole(0), default=1, metavar="N", help="the seed of the random numbers (default: 1)")
    add(
        "--block",
        type=positive,
        metavar="N",
        help="the number of trades that stay together (default: the square root of the number of trades)",
    )
    add("--skip", type=_share, default=0.1, metavar="SHARE", help="the fraction of trades to leave out (default: 0.1)")
    add(
        "--ticks",
        type=amount,
        default=2.0,
        metavar="N",
        help="the largest number of ticks by which a fill is worse (default: 2)",
    )
    add(
        "--ruin",
        type=_share,
        default=0.5,
        metavar="SHARE",
        help="the fraction of the capital whose loss counts as ruin (default: 0.5)",
    )
    backtest_options.add_arguments(parser)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be a fraction between 0 and 1, not '{text}'")
    return value


def run(args: argparse.Namespace) -> int:
    """Run the strategy once, sample the paths, write the report, and return the exit code."""
    from pinebench.sweeps import monte_carlo
    from pinebench.sweeps.combination_runs import traded

    given, request = backtest_options.asked(args, [args.output])
    run = traded(request, {})
    if run.error is not None:
        tell_error(f"{given.path}: {run.error}")
        return FINDINGS
    odds = monte_carlo.Odds(args.runs, args.seed, args.block, args.skip, args.ticks, args.ruin)
    found = monte_carlo.report(run, odds, monte_carlo.chances(run, odds))
    told = found | run_options.facts(given)
    text = run_options.as_json(told) if args.format == "json" else _as_text(told, printable(given.chart.line))
    run_options.write(text, args.output, force=args.force)
    for words in found["notes"]:
        note(printable(words))
    return FINE


def _as_text(told: dict[str, Any], line: str) -> str:
    from pinebench.amounts import aligned

    levels = list(next(iter(told["methods"].values()))["final_equity"])
    how = "compounded" if told["compounded"] else "added"
    lines = [
        line,
        f"{told['trades']} closed trades, {told['runs']:,} paths of each method, seed {told['seed']};"
        f" profits are {how}",
        "",
    ]
    heads = ["", *(f"{level} %" for level in levels), "ruin", "loss"]
    for title, name in (
        ("final equity", "final_equity"),
        ("largest drawdown from trade to trade, %", "max_drawdown_percent"),
    ):
        rows = [[title, *heads[1:]]]
        for method, each in told["methods"].items():
            cells = [f"{value:,.2f}" for value in each[name].values()]
            rows.append([_NAMES[method], *cells, f"{each['chance_of_ruin']:.1%}", f"{each['chance_of_loss']:.1%}"])
        lines += [*aligned(rows), ""]
    return "\n".join(lines)
