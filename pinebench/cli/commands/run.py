"""`pinebench run`: run a script on bars, with TradingView's own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import behaviour
from pinebench.cli.console import note, print_report, read_stdin
from pinebench.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Any

    from pinebench.check import Program
    from pinebench.cli.table import Subparsers
    from pinebench.market.bars import Bars, SymbolInfo
    from pinebench.market.loading import Data
    from pinebench.runtime.runtime import Result

_EPILOG = f"""\
examples:
  pinebench run my.pine --data bars.csv                          the plots on the last bars
  pinebench run my.pine --data bars.csv --format csv -o out.csv  all of them, a row for each bar
  pinebench run my.pine --data bars.csv --input Length=20        with another value of an input
  pinebench run my.pine --data es.csv --data SPY=spy.csv         with the bars of another symbol for its requests
  pinebench run my.pine --data bars.csv --no-repaint             and say whether what it shows stays as it is
  pinebench run my.pine --data bars.parquet --plot chart.png     and draw it as the chart would show it
  pinebench run my.pine --data ccxt:binance:BTC/USDT:15m         on the last bars of an exchange

BARS is a CSV or Parquet file with the columns time, open, high, low, close and perhaps volume, such as TradingView's
own export of a chart, or ccxt:EXCHANGE:SYMBOL:TIMEFRAME, of which --bars are fetched. What is known about the symbol
(its tick, time zone, session ...) stands in a TOML file of the same name beside it, or in the file that --symbol-info
names; an exchange says it itself. The script always runs from the first bar; --from and --to say
which bars are shown. A strategy runs without fills: its orders are not executed yet.

{behaviour.HELP}
exit codes: 0 fine, 1 the script stopped with an error or is not as expected, 2 wrong usage, a script that does not
compile or bars that cannot be read, 3 the script needs what is not computed here
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "run",
        usage="pinebench run FILE --data BARS [OPTION]...",
        description="Run a script on bars and show what it plots, alerts and logs.",
        epilog=_EPILOG,
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="the script; - reads standard input")
    add("--data", action="append", required=True, metavar="[SYMBOL=]BARS", help="the chart's bars; or another symbol's")
    add("--symbol-info", metavar="FILE", help="what is known about the chart's symbol, in TOML")
    add("--timeframe", metavar="T", help='make bars of this timeframe of those in BARS first, for example "240" or 1D')
    add("--input", action="append", default=[], metavar="TITLE=VALUE", help="an input by its title or variable")
    add("--from", dest="first", metavar="DATE", help="show bars from this date on (ISO 8601, UTC)")
    add("--to", dest="last", metavar="DATE", help="show bars before this date")
    add("--format", choices=("text", "json", "csv", "parquet"), default="text", help="how to write it (default: text)")
    add("--plot", metavar="FILE", help="draw the bars that are shown, at most the last 300, into a .png or .html file")
    add("--bars", type=int, default=1000, metavar="N", help="how many bars are fetched of an exchange (default: 1000)")
    add("-o", "--output", metavar="FILE", help="write it into this file")
    behaviour.add_behaviour_arguments(add)
    add("--config", metavar="FILE", help="use this configuration file, not the nearest pinebench.toml")


def run(args: argparse.Namespace) -> int:
    """Run the script, write what it left, and return the exit code."""
    from pathlib import Path

    from pinebench import config, files
    from pinebench.check import open_program
    from pinebench.execution.repaint import check_repainting
    from pinebench.runtime.report import report
    from pinebench.runtime.requests import Source
    from pinebench.runtime.runtime import Runtime
    from pinebench.runtime.shown import cut

    path = "<stdin>" if args.file == "-" else args.file
    goals = behaviour.goals_of(args)
    first, last = _moment("--from", args.first), _moment("--to", args.last)
    own, named = _files(args.data)
    _check_outputs(args, [Path(data) for data in (own, *named.values()) if not data.startswith("ccxt:")])
    text = read_stdin(path).text if args.file == "-" else files.read(args.file).text
    chart = _load(own, args)
    note(f"{own}: {len(chart.bars)} bars of {chart.symbol.timeframe}, times in {chart.times}")
    others = {name: Source(*_others(name, data, args)) for name, data in named.items()}
    program = open_program(text, config.library_folders(args.file, args.config))
    inputs = _inputs(args.input)
    result = Runtime(program, chart.bars, chart.symbol, inputs=inputs, others=others).run()
    judged = goals.judge(
        result, None, lambda: check_repainting(program, chart.bars, chart.symbol, inputs=inputs, others=others)
    )
    told = cut(report(result), first, last)
    _write(args, told | judged.report() if goals else told, behaviour.as_text(judged))
    if args.plot is not None and result.error is None:
        _draw(args.plot, program, result, chart, told["times"])
    if args.format != "text" or args.output is not None:
        behaviour.tell_failures(judged)
    for words in result.notes:
        note(words)
    if result.error is not None:
        note(f"{path}:{result.error.line or 1}: {result.error.message}")
    return int(not judged.ok)


def _load(data: str, args: argparse.Namespace) -> Data:
    """The chart's bars, of a file or an exchange, in the timeframe that was asked for."""
    from pathlib import Path

    from pinebench.market.loading import in_another, load

    info = Path(args.symbol_info) if args.symbol_info else None
    if not data.startswith("ccxt:"):
        return load(Path(data), info, args.timeframe)
    return in_another(_fetch(data, args), info, args.timeframe)


def _fetch(data: str, args: argparse.Namespace) -> Data:
    from pinebench.market.exchanges import fetch

    if args.bars < 1:
        raise UsageError(f"--bars {args.bars}: there is nothing to fetch", "expected a positive number")
    return fetch(data, args.bars)


def _others(name: str, data: str, args: argparse.Namespace) -> tuple[Bars, SymbolInfo]:
    """The bars of another symbol, which is called `name`."""
    from pathlib import Path

    from pinebench.market.loading import load, named

    found = named(name, _fetch(data, args) if data.startswith("ccxt:") else load(Path(data)))
    return found.bars, found.symbol


def _files(data: list[str]) -> tuple[str, dict[str, str]]:
    """What has the chart's bars, and what those of other symbols by name."""
    from pathlib import Path

    own: str | None = None
    named: dict[str, str] = {}
    for given in data:
        name, separator, file = given.rpartition("=")
        if separator and not Path(given).exists():
            if name in named:
                raise UsageError(f"--data {given}: {name} is given twice", "name one file for each symbol")
            named[name] = file
        elif own is not None:
            raise UsageError(f"'{given}' is a second file for the chart itself", "name its symbol: --data SYMBOL=BARS")
        else:
            own = given
    if own is None:
        raise UsageError("there are no bars for the chart itself", "name them without a symbol: --data BARS")
    return own, named


def _check_outputs(args: argparse.Namespace, data: list[Path]) -> None:
    """Refuse outputs that would replace what is read or each other, or that are of no kind that is written."""
    import os

    beside = [path.with_suffix(".toml") for path in data if path.name]
    for output in (args.output, args.plot):
        _refuse_to_replace(output, (args.file, args.symbol_info, *data, *beside))
    if args.plot is not None and not args.plot.lower().endswith((".png", ".html", ".htm")):
        raise UsageError(f"--plot {args.plot}: is neither a picture nor a page", "expected FILE.png or FILE.html")
    if args.plot is not None and args.output is not None and os.path.abspath(args.plot) == os.path.abspath(args.output):
        raise UsageError(f"{args.plot}: is to hold both the picture and the values", "name another file with -o")
    if args.format == "parquet" and args.output is None:
        raise UsageError("--format parquet is nothing for a screen", "name a file with -o")


def _refuse_to_replace(output: str | None, read: Iterable[str | Path | None]) -> None:
    """Raises UsageError when the output is a file that is read, whatever it is called: it would be gone."""
    import os

    if output is None or not os.path.exists(output):
        return
    for path in read:
        if path is not None and os.path.exists(path) and os.path.samefile(output, path):
            raise UsageError(f"{output}: is read by this run and would be written over", "name another file")


def _draw(path: str, program: Program, result: Result, chart: Data, shown: list[int]) -> None:
    """Draw the last of the bars that are shown."""
    from bisect import bisect_left

    from pinebench.runtime.picture import as_html, as_png, picture, view_of

    if not shown:
        raise UsageError("there are no bars to draw", "name other dates with --from and --to")
    end = bisect_left(chart.bars.time, shown[-1]) + 1
    scene = picture(result, chart.bars, chart.symbol, view_of(program, end - min(len(shown), 300), end))
    _put(path, as_png(scene) if path.lower().endswith(".png") else as_html(scene).encode())


def _inputs(given: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in given:
        name, separator, value = one.partition("=")
        if not separator:
            raise UsageError(f"--input {one}: there is no value", "expected TITLE=VALUE")
        if name in found:
            raise UsageError(f"--input {one}: {name} is given twice", "give each input one value")
        found[name] = value
    return found


def _moment(option: str, text: str | None) -> int | None:
    """Milliseconds UTC of a date that was given."""
    from datetime import UTC, datetime

    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{option} {text}: is no date", "expected for example 2024-01-31 or 2024-01-31T14:30"
        ) from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def _write(args: argparse.Namespace, told: dict[str, Any], judged: str) -> None:
    import json

    from pinebench.printable import in_json, printable
    from pinebench.runtime import shown

    if args.format == "parquet":
        _put(args.output, shown.as_parquet(told))
        return
    if args.format == "json":
        text = in_json(json.dumps(told, ensure_ascii=False, allow_nan=False, separators=(",", ":"))) + "\n"
    elif args.format == "csv":
        text = shown.as_csv(told)
    else:
        text = shown.as_text(told, printable) + judged
    if args.output is None:
        print_report(text)
        return
    _put(args.output, text.encode())


def _put(path: str, content: bytes) -> None:
    from pinebench.files import write_atomically

    said = write_atomically(path, content)
    if said is not None:
        note(said)
    note(f"{path}: written")
