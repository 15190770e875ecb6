"""`pinebench screen`: run a script on many symbols, and list the symbols whose last values satisfy a condition."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pinebench import config
from pinebench.cli import run_options, sweep_options
from pinebench.cli.console import InputPath, add_config_argument, note, positive, read_script
from pinebench.cli.exit_codes import FINDINGS, FINE, INTERRUPTED
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pinebench.sweeps.expressions import Expression
    from pinebench.sweeps.screening import ScreenRow

EPILOG = """\
examples:
  pinebench screen rsi.pine --data bars/ --where 'last(RSI) < 30 and last(close) > last(SMA)'
                                                            every .csv and .parquet file of a folder
  pinebench screen rsi.pine --data bars/ --symbols 'BTC*,ETH*' --timeframe 240 --timeframe 1D --where 'last(RSI) < 30'
  pinebench screen rsi.pine --data ccxt:binance --symbols BTC/USDT,ETH/USDT --timeframe 4h --where 'last(RSI) < 30'
  pinebench screen my-strategy.pine --data sample --where 'trades > 5' --rank sharpe_ratio -o table.csv
  pinebench screen rsi.pine --data bars/ --where 'last(RSI) < 30' --jobs 2
                                                            two workers; the table is the same

A condition names plots by their titles (in quotes if they have spaces), the columns open, high, low, close and volume,
and for a strategy the figures of its report. last(X) is the value on the last bar, ago(X, n) the one n bars before,
change(X, n) their difference; highest, lowest and mean(X, n) are of the last n bars. --rank sorts, the most first.
A symbol that fails is a row with its reason. Ctrl+C writes the rows so far.
"""

USAGE = "FILE --data DIR --where CONDITION [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("file", type=InputPath, metavar="FILE", help="the script; - reads standard input")
    add("--data", type=InputPath, required=True, metavar="DIR", help="a folder with bars, ccxt:EXCHANGE, or sample")
    add("--where", required=True, metavar="CONDITION", help="the condition on the last values")
    add("--symbols", metavar="LIST", help="names or patterns, separated by commas (default: all)")
    add("--timeframe", action="append", default=[], metavar="T", help="the timeframe; may be given several times")
    add("--rank", metavar="EXPR", help="sort by this expression, the highest value first")
    add("--bars", type=positive, default=run_options.COUNT, metavar="N", help="the last N bars (default: 1000)")
    add("--input", action="append", default=[], metavar="TITLE=VALUE", help="an input by its title or variable")
    add("--format", choices=("text", "json", "csv"), default="text", help="the output format (default: text)")
    sweep_options.add_workers(add)
    run_options.add_tier_argument(add)
    add_config_argument(add)
    run_options.add_output_arguments(add)


def run(args: argparse.Namespace) -> int:
    """Screen the symbols, write the table, and return the exit code."""
    from pinebench.checker import open_program
    from pinebench.cli.failure_report import refuse_faulty
    from pinebench.compiled import check_tier
    from pinebench.sweeps import cluster, screening

    where = screening.condition_of(args.where)
    rank = None if args.rank is None else screening.condition_of(args.rank)
    places = screening.places(args.data, args.symbols, args.timeframe)
    inputs = run_options.inputs_given(args.input)
    run_options.check_outputs([args.output], [args.file, *(each.bars for each in places)], force=args.force)
    path, text = read_script(args.file)
    program = open_program(text.text, config.library_folders(args.file, args.config))
    refuse_faulty(program, path)
    check_tier(args.tier)
    with cluster.hands(args.jobs, args.scheduler, sweep_options.keys(args)) as hands:
        rows = _followed(
            screening.screen(program, places, where, rank, count=args.bars, inputs=inputs, hands=hands, tier=args.tier),
            len(places),
        )
    rows = screening.ranked(rows)
    missing = len(places) - len(rows)
    stopped = [f"stopped: {missing:,} symbols were not screened"] if missing else []
    _write(args, rows, where, rank, stopped)
    if missing:
        note(stopped[0])
        return INTERRUPTED
    if all(row.error is not None for row in rows):
        raise UsageError(f"no symbol has values: {rows[0].symbol}: {rows[0].error}") from None
    return FINE if any(row.matches for row in rows) else FINDINGS


def _followed(screened: Iterator[ScreenRow], count: int) -> list[ScreenRow]:
    """The rows as they come, with their progress; those until ctrl+c, if there are any."""
    rows: list[ScreenRow] = []
    begin = time.monotonic()
    with sweep_options.ProgressPrinter() as shown:
        try:
            for row in screened:
                rows.append(row)
                rate = len(rows) / max(time.monotonic() - begin, 1e-6)
                left = (count - len(rows)) / rate
                shown.show(f"{len(rows):,} of {count:,} symbols, {rate:,.1f}/s, {left:,.0f} s left")
        except KeyboardInterrupt:
            if not rows:
                raise
    note(f"{len(rows):,} symbols in {time.monotonic() - begin:.1f} s")
    return rows


def _write(
    args: argparse.Namespace, rows: list[ScreenRow], where: Expression, rank: Expression | None, remarks: list[str]
) -> None:
    from pinebench.sweeps import screening

    if args.format == "json":
        text = screening.as_json(rows, where, rank, remarks)
    else:
        text = screening.as_csv(rows) if args.format == "csv" else screening.as_text(rows, printable)
    run_options.write(text, args.output, force=args.force)
