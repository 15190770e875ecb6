"""The parts that all commands running scripts share: options, bars, inputs, dates, and writing results."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pinebench import LANGUAGE_DATE, config
from pinebench.cli.console import (
    InputPath,
    note,
    notes_are_seen,
    output_path,
    positive,
    print_report,
    read_script,
    result_place,
    tell_error,
)
from pinebench.cli.failure_report import refuse_faulty
from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern
from pinebench.printable import json_text, printable
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date
    from pathlib import Path

    from pinebench.broker import Fill
    from pinebench.checker import Program
    from pinebench.inspecting.run_queries import Inspection
    from pinebench.market import Bars, Data
    from pinebench.runtime import RequestSource, Result
    from pinebench.why.order_life import OrderLife
    from pinebench.why.why import Why
    from pinebench.workers.request import Request

COUNT = 1000
"""The number of bars that are fetched or made by default."""
DRAWN = 300
"""The number of bars that are drawn by default."""


def _bars_help(described_by: str) -> str:
    """The help about bars. `described_by` names the files that describe the symbol."""
    return f"""\
BARS is a CSV or Parquet file with the columns time, open, high, low, close and perhaps volume, such as TradingView's
own export of a chart; bars from the web, where --bars says how many are fetched: binance:BTCUSDT:4h, yahoo:AAPL:1d or
any exchange by ccxt:EXCHANGE:SYMBOL:TIMEFRAME; or made-up bars of the sample market, sample:SYMBOL[@TIMEFRAME[xCOUNT]],
such as sample:AAPL@15x2000. {described_by} describes the
symbol: its tick, time zone, session ...; what it does not say comes from the bars. docs/your-own-data.md lists its keys
and the layouts of files; bars from the web describe their symbols themselves.
"""


BARS_HELP = _bars_help("A TOML file of the same name beside it, or the file that --symbol-info names,")
"""The help about the bars of commands with one chart."""
BARS_HELP_OF_MANY = _bars_help("A TOML file of the same name beside it")
"""The help about the bars of commands with a chart for each strategy, where no option names a symbol's file."""


_CHART_COLOR = lazy_pattern(r"\bchart\s*\.\s*[bf]g_color\b")

ONE_INPUT = ("TITLE=VALUE", "an input by its title or variable")
"""The placeholder for the value of --input in the help of a single run, and the option's help."""


def add_arguments(add: Callable[..., object], inputs: tuple[str, str] = ONE_INPUT) -> None:
    """Declare the script, its bars and its inputs. `add` is a parser's `add_argument` method.

    `inputs` are the placeholder and the help text of --input.
    """
    add("file", type=InputPath, metavar="FILE", help="the script; - reads standard input")
    add(
        "--data",
        type=InputPath,
        action="append",
        required=True,
        metavar="[SYMBOL=]BARS",
        help="the bars of the chart, or of another symbol",
    )
    add("--symbol-info", type=InputPath, metavar="FILE", help="the properties of the chart's symbol, in TOML")
    add_zone_argument(add)
    add("--timeframe", metavar="T", help='aggregate BARS to this timeframe first, for example "240" or 1D')
    add(
        "--bars",
        type=positive,
        metavar="N",
        help=f"how many bars of an exchange or the sample market (default: {COUNT})",
    )
    add("--input", action="append", default=[], metavar=inputs[0], help=inputs[1])
    add_as_of_argument(add)


def add_zone_argument(add: Callable[..., object]) -> None:
    """Declare --data-timezone, the time zone of the times in the file of the chart's bars.

    Files of shorter bars, of standard bars and of other symbols share it.
    """
    words = 'the time zone of times without one in the file of the chart, for example "America/New_York"'
    add("--data-timezone", metavar="ZONE", help=f"{words} (default: UTC)")


def add_as_of_argument(add: Callable[..., object]) -> None:
    """Declare --as-of, the date that selects the defaults of `strategy()`."""
    words = "test strategies with the defaults that TradingView's strategy() had on this date, for example 2026-09-23"
    add("--as-of", metavar="DATE", help=f"{words} (default: {LANGUAGE_DATE})")


def add_tier_argument(add: Callable[..., object]) -> None:
    """Declare --tier, which selects how the script runs."""
    words = (
        "how the script runs: as Python, or compiled to machine code where that is possible; the results are the same"
    )
    add("--tier", choices=("auto", "python", "compiled"), default="auto", help=f"{words} (default: auto)")


def as_of(args: argparse.Namespace) -> date | None:
    """Return the date in --as-of, or None. Raises UsageError if its value is not a date."""
    from pinebench.backtesting.defaults import day_of

    return day_of("--as-of", args.as_of)


class RunInput(NamedTuple):
    """The input of a run as described by the command line. `path` is the script's name in messages."""

    path: str
    program: Program
    chart: Data
    others: dict[str, RequestSource]
    inputs: dict[str, str]


def read_run_input(
    args: argparse.Namespace, written: Iterable[str | None], read: Iterable[str | None] = ()
) -> RunInput:
    """Read the script and the bars. `written` are the files that the command will write, and `read` are other files
    that it reads.

    Raises UsageError for a file that cannot be read, for an output that is also an input or is named twice, and for an
    existing output that pinebench did not write, unless --force is given. Raises FaultyScript or UnavailableError if
    the script cannot run.
    """
    from pathlib import Path

    from pinebench.checker import open_program
    from pinebench.market import bar_choice
    from pinebench.market import beside as beside_of
    from pinebench.runtime import RequestSource

    inputs = inputs_given(args.input)
    names = bar_choice.names(args.data)
    data = names.files()
    beside = [beside_of(path) for path in data if path.name]
    check_outputs(list(written), [args.file, args.symbol_info, *data, *beside, *read], force=args.force)
    path, text = read_script(args.file)
    program = open_program(text.text, config.library_folders(args.file, args.config))
    refuse_faulty(program, path)
    if args.as_of is not None and not program.is_strategy:
        raise UsageError(f"--as-of {args.as_of} has no effect: the script is not a strategy", "leave --as-of out")
    if getattr(args, "plot", None) is None:
        refuse_idle_bars(args.bars, [names.chart, *names.others.values()])
        _refuse_idle_theme(args, program)
    info = Path(args.symbol_info) if args.symbol_info else None
    chart, named = bar_choice.choose(names, info, args.timeframe, args.bars or COUNT, args.data_timezone)
    tell_read(names.chart, chart)
    for name, each in named.items():
        tell_read(f"{name}={names.others[name]}", each)
    others = {name: RequestSource(data.bars, data.symbol) for name, data in named.items()}
    return RunInput(path, program, chart, others, inputs)


def refuse_idle_bars(count: int | None, sources: Iterable[str]) -> None:
    """Raise UsageError if --bars gives a `count` that none of the `sources` takes: they are files, whose bars are
    always all used, or their names have a number of bars."""
    from pinebench.market import bar_choice

    named = list(sources)
    if count is None or any(map(bar_choice.takes_count, named)):
        return
    whose = next((name for name in named if not bar_choice.is_file(name)), None)
    what = "bars from files: all bars of a file are used" if whose is None else f"{whose}, which names a number of bars"
    raise UsageError(
        f"--bars {count} has no effect on {what}",
        "leave --bars out; it is for bars of an exchange, a feed or the sample market",
    )


def _refuse_idle_theme(args: argparse.Namespace, program: Program) -> None:
    """Raise UsageError for --theme, if no picture is drawn and the script does not read the colours of the chart."""
    texts = [program.document.text, *(each.document.text for each in program.libraries.values())]
    if getattr(args, "theme", None) is not None and not any(map(_CHART_COLOR.search, texts)):
        raise UsageError(
            f"--theme {args.theme} has no effect: nothing is drawn, and the script does not read chart.bg_color or"
            " chart.fg_color",
            "add --plot FILE, or leave --theme out",
        )


def run_request(run: RunInput, day: date | None, **options: Any) -> Request:
    """Return the request to run the script with the defaults of the date `day`. `options` are for `request_of`."""
    from pinebench.workers.jobs import request_of

    chart = run.chart
    return request_of(run.program, chart.bars, chart.symbol, inputs=run.inputs, others=run.others, as_of=day, **options)


def head(args: argparse.Namespace, chart: Data) -> str:
    """Return the line about the bars for the top of a report in a file. A report on standard output gets the line only
    if the prices are made up and the notes of `tell_read` are not seen beside it; otherwise the result is empty."""
    is_wanted = args.output is not None or (chart.symbol.is_made_up and not notes_are_seen())
    return f"{printable(chart.line)}\n\n" if is_wanted else ""


def tell_read(name: str, data: Data) -> None:
    """Print notes about the loaded bars: a summary line, and a line for each remark."""
    note(f"{name}: {data.summary}")
    for said in data.remarks:
        note(said)


def facts(run: RunInput) -> dict[str, object]:
    """Return additional parts of a JSON report: facts about the bars, and notes about replaced libraries."""
    from pinebench.runtime import library_notes

    return {"data": run.chart.facts, "notes": library_notes(run.program)}


def tell_own_versions(program: Program) -> None:
    """Print a note for each published library that pinebench replaces with its own version when it runs this script."""
    from pinebench.runtime import library_notes

    for said in library_notes(program):
        note(said)


def answer(args: argparse.Namespace, run: RunInput, result: Inspection | Why | OrderLife, lines: Iterable[str]) -> int:
    """Write `result` as text (`lines`) or as JSON, and return the exit code."""
    if args.format == "json":
        text = as_json(result.report() | facts(run))
    else:
        text = head(args, run.chart) + "".join(f"{line}\n" for line in lines)
    write(text, args.output, force=args.force)
    tell_own_versions(run.program)
    for said in getattr(result, "dropped", ()):
        note(said)
    if result.error is not None:
        tell_error(f"{run.path}: {result.error}")
        note("these are the values until the script stopped")
    return int(result.error is not None)


def check_outputs(written: list[str | None], read: list[str | Path | None], *, force: bool) -> None:
    """Raise UsageError if one of the files `written` would replace a file in `read`, another output, or, without
    `force`, a file that pinebench did not write."""
    from pinebench.files.outputs import check, refuse_to_replace

    outputs = [output for output in written if output is not None]
    for output in outputs:
        refuse_to_replace(output, read)
    for number, output in enumerate(outputs):
        if os.path.abspath(output) in map(os.path.abspath, outputs[:number]):
            raise UsageError(f"{output} is given for two results", "name another file for one of them")
        check(output, force=force)


def inputs_given(texts: list[str]) -> dict[str, str]:
    """Return inputs by title from strings `TITLE=VALUE`. Raises UsageError for other strings or repeated titles."""
    found: dict[str, str] = {}
    for one in texts:
        name, separator, value = one.partition("=")
        if not separator:
            raise UsageError(f"--input {one} has no value", "expected TITLE=VALUE")
        if name in found:
            raise UsageError(f"--input {one}: {name} is given twice", "give each input one value")
        found[name] = value
    return found


def moment(option: str, text: str | None) -> int | None:
    """Return the date in the value of `option` as milliseconds UTC, or None without it. Raises UsageError for other
    values."""
    from pinebench.calendars.dates import moment as read

    return read(option, text)


def check_range(args: argparse.Namespace, bars: Bars) -> None:
    """Raise UsageError if there is no bar between --from and --to."""
    first, last = moment("--from", args.first), moment("--to", args.last)
    if first is not None and last is not None and first >= last:
        raise UsageError(f"--to {args.last} is not after --from {args.first}", "expected a later date")
    if any((first is None or time >= first) and (last is None or time < last) for time in bars.time):
        return
    from pinebench.calendars.dates import day_text

    asked = " ".join(f"{name} {text}" for name, text in (("--from", args.first), ("--to", args.last)) if text)
    raise UsageError(
        f"{asked}: no bar is in this range", f"the bars go from {day_text(bars.time[0])} to {day_text(bars.time[-1])}"
    )


def as_json(told: object) -> str:
    """Return `told` as a single line of JSON."""
    return json_text(told, allow_nan=False, separators=(",", ":")) + "\n"


def write(text: str, output: str | None, *, force: bool = False) -> None:
    """Write a result to the file `output`, or to standard output."""
    if output is None:
        print_report(text)
        return
    put(output, text.encode(), force=force)


def put(path: str, content: bytes, *, force: bool) -> None:
    """Write a file atomically, and print a note. With `force`, it may replace a file that pinebench did not write."""
    from pinebench.files import outputs

    said = outputs.put(path, content, force=force)
    if said is not None:
        note(said)
    note(f"{path}: written")


def add_output_arguments(add: Callable[..., object], what: str = "write it into this file") -> None:
    """Declare the output file, with the help text `what`, and the option that allows it to replace a file that
    pinebench did not write."""
    add("-o", "--output", metavar="FILE", type=result_place, help=what)
    add("--force", action="store_true", help="also replace files that pinebench did not write")


def add_plot_argument(add: Callable[..., object]) -> None:
    """Declare --plot, the file for a picture of the run."""
    add(
        "--plot",
        type=output_path,
        metavar="FILE",
        help=f"draw the last {DRAWN} of the bars that are shown, or --bars of them, into a .png, .svg or .html file",
    )
    add_theme_argument(add)


def add_theme_argument(add: Callable[..., object]) -> None:
    """Declare --theme, which selects the colours of a picture."""
    add("--theme", choices=("light", "dark"), help="the colours of a picture (default: light)")


def check_plot(path: str | None) -> None:
    """Check the file for a picture before the script runs.

    Raises UsageError if `path` is not a .png, .svg or .html file, and UnavailableError if drawing needs an extra or the
    built page that is missing.
    """
    if path is None:
        return
    from pinebench import charts

    try:
        charts.check_name(path)
    except UsageError as error:
        raise UsageError(f"--plot {error.message}", error.hint) from None
    charts.require_renderer(path)


def draw(args: argparse.Namespace, run: RunInput, result: Result, times: list[int], fills: Sequence[Fill] = ()) -> None:
    """Draw the last of the bars at `times` with a strategy's fills, as specified by --plot, --bars and --theme.

    `times` are in milliseconds UTC. Raises UsageError if there are none.
    """
    from bisect import bisect_left

    from pinebench import charts

    if not times:
        raise UsageError("there are no bars to draw", "choose other dates with --from and --to")
    chart = run.chart
    end = bisect_left(chart.bars.time, times[-1]) + 1
    view = charts.view_of(run.program, end - min(len(times), args.bars or DRAWN), end, args.theme or "light")
    drawn = charts.picture(result, chart.bars, chart.symbol, view, charts.filled(fills))
    put(args.plot, charts.as_file(drawn, args.plot), force=args.force)
