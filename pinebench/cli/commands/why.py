"""`pinebench why`: why an expression of a script has its value on a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import run_options
from pinebench.cli.console import note, tell_error

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pinebench.cli.table import Subparsers
    from pinebench.execution.why import Part, Why

_EPILOG = f"""\
examples:
  pinebench why my.pine --data bars.csv --bar 120 longCondition          the parts of a variable's value, from bar 0
  pinebench why my.pine --data bars.csv --bar 2024-03-01 'rsi < 30'      on the bar at that time (UTC)
  pinebench why my.pine --data sample:AAPL@60x500 --bar -1 'ta.atr(14)'  on the last bar; any expression may be asked

{run_options.BARS_HELP}The expression is one of the script's global scope. The answer shows the value of each of its
parts on that bar, and the values that its variables were assigned. A part after `and`, `or` or `?` that was not
evaluated has no value.
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "why",
        usage="pinebench why FILE --data BARS --bar N|DATE EXPRESSION [OPTION]...",
        description="Show why an expression of a script has its value on a bar.",
        epilog=_EPILOG,
    )
    add = parser.add_argument
    run_options.add_arguments(add)
    add("expression", metavar="EXPRESSION", help="an expression, for example the name of a variable")
    add(
        "--bar",
        required=True,
        metavar="N|DATE",
        help="the bar, from 0 (-1 is the last); or a time (ISO 8601, UTC)",
    )
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add)
    add("--config", metavar="FILE", help="use this configuration file, not the nearest pinebench.toml")


def run(args: argparse.Namespace) -> int:
    """Explain the value, and return the exit code."""
    from functools import partial

    from pinebench.execution.executing import execute
    from pinebench.execution.performing import request_of
    from pinebench.execution.why import why

    given = run_options.read_run_input(args, [args.output])
    chart = given.chart
    bar = run_options.bar_of(args.bar, chart.bars.time)
    request = request_of(
        given.program,
        chart.bars,
        chart.symbol,
        inputs=given.inputs,
        others=given.others,
        as_of=run_options.as_of(args),
    )
    told = execute(request, partial(why, expression=args.expression, bar=bar))
    text = run_options.as_json(told.report()) if args.format == "json" else "".join(f"{one}\n" for one in _lines(told))
    run_options.write(text, args.output, force=args.force)
    if told.error is not None:
        tell_error(f"{given.path}: {told.error}")
        note("the values are the ones until the script stopped")
    return int(told.error is not None)


def _lines(told: Why) -> Iterator[str]:
    from pinebench.execution.why import written
    from pinebench.printable import printable

    moment = run_options.moment_text(told.time)
    yield f"bar {told.bar} ({moment} UTC): {printable(told.expression)} = {printable(written(told.value))}"
    for reason in told.reasons:
        yield f"  because {printable(reason)}"
    for part in told.parts:
        yield from _tree(part, 1, 0)


def _tree(part: Part, depth: int, above: int) -> Iterator[str]:
    from pinebench.execution.why import written
    from pinebench.printable import printable

    value = written(part.value) if part.evaluated else "not evaluated"
    often = f", {part.evaluated} times" if part.evaluated > 1 else ""
    where = f"  (line {part.line}{often})" if part.line != above or often else ""
    yield f"{'  ' * depth}{printable(part.text)} → {printable(value)}{where}"
    for each in _below(part):
        yield from _tree(each, depth + 1, part.line)


def _below(part: Part) -> list[Part]:
    """The parts to show below a part: not the value that an assignment shows already."""
    if not part.evaluated:
        return []
    only = part.parts[0] if len(part.parts) == 1 else None
    return only.parts if only is not None and part.sets and part.text.endswith(f"= {only.text}") else part.parts
