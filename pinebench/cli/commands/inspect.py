"""`pinebench inspect`: show the values of a script's variables, inputs and calls on any bar, and when they change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pinebench.cli import run_options
from pinebench.cli.console import add_config_argument, positive
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pinebench.inspecting.drawing_history import DrawingHistory
    from pinebench.inspecting.run_queries import BarValue, Inspection

EPILOG = f"""\
examples:
  pinebench inspect my.pine --data bars.csv                     every name on the last bar, for each call of a function
  pinebench inspect my.pine --data bars.csv --bar 120 --bar 2024-03-01 --name rsi --name longCondition
  pinebench inspect my.pine --data bars.csv --name trend --changes   the bars on which a value changed
  pinebench inspect my.pine --data bars.csv --drawings               which lines made and moved the drawings

{run_options.BARS_HELP}The values are the ones at the close of a bar. A name in a function is shown once for each call
of the function, and a variable of a loop with its last value. Values take memory: beyond --memory, the values of the
oldest bars are dropped, and a note says so. 'pinebench why' says why a value is na or false.
"""

USAGE = "FILE --data BARS [--bar N|DATE]... [--name NAME]... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    run_options.add_arguments(add)
    add(
        "--bar",
        action="append",
        default=[],
        metavar="N|DATE",
        help="a bar, from 0 (-1 is the last); or a time (ISO 8601, UTC); default: the last bar",
    )
    add("--name", action="append", default=[], metavar="NAME", help="a variable, or the text of a call (default: all)")
    add("--calls", action="store_true", help="also show the result of every call")
    add("--changes", action="store_true", help="show the last bars on which each value changed")
    add("--drawings", action="store_true", help="show which lines made, changed and deleted the last drawings")
    add("--memory", type=positive, default=256, metavar="MIB", help="the memory for values in MiB (default: 256)")
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add)
    add_config_argument(add)


def run(args: argparse.Namespace) -> int:
    """Show the values, and return the exit code."""
    from pinebench.calendars.dates import bar_of
    from pinebench.inspecting.run_queries import inspect
    from pinebench.workers.dispatch import execute

    given = run_options.read_run_input(args, [args.output])
    chart = given.chart
    bars = [bar_of("--bar", text, chart.bars.time) for text in args.bar]
    request = run_options.run_request(given, run_options.as_of(args))
    asked = partial(
        inspect,
        bars=bars,
        names=args.name,
        calls=args.calls,
        changes=args.changes,
        drawings=args.drawings,
        memory=args.memory << 20,
    )
    told = execute(request, asked)
    return run_options.answer(args, given, told, _lines(told))


def _lines(told: Inspection) -> Iterator[str]:
    place: object = None
    for answer in told.answers:
        name = answer.name
        if place != (name.function, name.key[1]):
            place = (name.function, name.key[1])
            calls = ", ".join(f"{printable(site.text)} on line {site.line}" for site in name.site)
            yield f"in {printable(name.function)}, called by {calls}" if name.function else "in the global scope"
        kind = " ".join(part for part in (name.mode, name.type) if part)
        where = f"line {name.line}" if name.line else "in a library"
        yield f"  {printable(name.name)}  ({where}, {kind})"
        for each in answer.values:
            yield f"    {_value(told, each)}"
        if answer.changed:
            yield f"    changed on {answer.changed} bars; the last of them:"
            for each in answer.changes:
                yield f"      {_value(told, each)}"
    for written in told.drawings:
        yield from _drawing(told, written)


def _value(told: Inspection, each: BarValue) -> str:
    from pinebench.calendars.dates import minute_text
    from pinebench.inspecting.frozen_values import written

    value = printable(written(each.value)) if each.ran else "did not run"
    return f"bar {each.bar} ({minute_text(told.times[each.bar])} UTC): {value}"


def _drawing(told: Inspection, written: DrawingHistory) -> Iterator[str]:
    from pinebench.calendars.dates import minute_text

    state = "deleted " if written.is_deleted else ""
    yield f"{state}{written.kind}, changed {written.count} times"
    for write in (written.made, *written.writes):
        lines = ", called on line ".join(map(str, write.lines))
        yield f"  bar {write.bar} ({minute_text(told.times[write.bar])} UTC): {write.what} on line {lines}"
