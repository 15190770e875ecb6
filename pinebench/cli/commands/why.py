"""`pinebench why`: show why an expression of a script has its value on a bar, or what happened to an order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pinebench.cli import run_options
from pinebench.cli.console import add_config_argument
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pinebench.why.order_life import OrderLife
    from pinebench.why.why import ExpressionPart, Why

EPILOG = f"""\
examples:
  pinebench why my.pine --data bars.csv --bar 120 longCondition          the parts of a variable's value, from bar 0
  pinebench why my.pine --data bars.csv --bar 2024-03-01 'rsi < 30'      on the bar at that time (UTC)
  pinebench why my.pine --data sample:AAPL@60x500 --bar -1 'ta.atr(14)'  on the last bar; any expression is possible
  pinebench why my.pine --data bars.csv --bar 120 --line 31 above        inside a block or a function, after line 31
  pinebench why my.pine --data bars.csv --bar 120 --line 31 --call 'f(open, 3)' --iteration 2 'x * i'
  pinebench why my.pine --data bars.csv --bar 120 --order Long           the order's life: call, refusal, waiting, fill
  pinebench why my.pine --data bars.csv --bar 120 --order Long --format json

{run_options.BARS_HELP}Without --line, the expression is one of the script's global scope. The answer shows the value
of each of its parts on that bar, and the values that its variables were assigned. A part after `and`, `or` or `?` that
was not evaluated has no value. With --line, the expression is asked after this line of a block or a function (before
it, if the line begins a block), in its last run on the bar or the one of --iteration. If the line did not run on the
bar, the answer is the condition that kept it from running. With --order, the answer is the life of the orders with this
id that concern the bar: the call
and its arguments, the quantity and how it was computed, the rule that refused it, why each bar did not fill it, and the
price of its fill. If no call with this id ran on the bar, the answer is the condition that was false.
"""

USAGE = "FILE --data BARS --bar N|DATE (EXPRESSION | --order ID) [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    run_options.add_arguments(add)
    add("expression", metavar="EXPRESSION", help="an expression, for example the name of a variable")
    add("--line", type=int, metavar="N", help="evaluate it inside the block or the function of this line")
    add("--iteration", type=int, metavar="N", help="the run of the line on the bar, from 1 (default: the last)")
    add("--call", metavar="CALL", help="only runs in this call of the function: its line or its text")
    add("--order", metavar="ID", help="show what happened to the orders with this id instead")
    add("--bar", required=True, metavar="N|DATE", help="the bar, from 0 (-1 is the last); or a time (ISO 8601, UTC)")
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add)
    add_config_argument(add)
    _ask_once(parser)


def _ask_once(parser: argparse.ArgumentParser) -> None:
    """Need EXPRESSION only if there is no --order. A positional that is always optional must not follow options."""
    read = parser.parse_known_args
    expression = next(one for one in parser._actions if one.dest == "expression")

    def parse(args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        has_order = any(str(one).partition("=")[0] == "--order" for one in args or ())
        expression.nargs, expression.required = ("?", False) if has_order else (None, True)
        return read(args, namespace)

    parser.parse_known_args = parse


def run(args: argparse.Namespace) -> int:
    """Explain the value or the order, and return the exit code."""
    from pinebench.calendars.dates import bar_of
    from pinebench.why.block_why import place_of, why_at
    from pinebench.why.order_life import order_life
    from pinebench.why.why import own_lines
    from pinebench.workers.dispatch import execute

    if args.expression is not None and args.order is not None:
        raise UsageError("an expression and --order cannot be combined", "give one of them")
    place = place_of(args.line, args.iteration, args.call)
    if place is not None and args.order is not None:
        raise UsageError("--line applies to an expression, not to an order", "leave --line or --order out")
    given = run_options.read_run_input(args, [args.output])
    chart = given.chart
    bar = bar_of("--bar", args.bar, chart.bars.time)
    request = run_options.run_request(given, run_options.as_of(args))
    if args.order is None:
        told = execute(request, partial(why_at, expression=str(args.expression), bar=bar, place=place))
        added = own_lines(given.program.document.text) + 1
        lines = _lines(told, added)
    else:
        told = execute(request, partial(order_life, order=args.order, bar=bar))
        lines = _life(told)
    return run_options.answer(args, given, told, lines)


def _lines(told: Why, added: int) -> Iterator[str]:
    """The answer as text. `added` is the line after the script, on which an expression of the global scope is asked."""
    from pinebench.calendars.dates import minute_text

    moment, equals = minute_text(told.time), " = " if told.ran else ": "
    yield f"bar {told.bar} ({moment} UTC): {printable(told.expression)}{equals}{printable(told.text)}"
    if told.note:
        yield f"  {printable(told.note)}"
    for reason in told.reasons:
        yield f"  because {printable(reason)}"
    for part in told.parts:
        yield from _tree(part, 1, added)


_SHOWN = 3
"""The number of first and last waiting bars of an order that the text shows."""


def _life(told: OrderLife) -> Iterator[str]:
    from pinebench.calendars.dates import minute_text

    moment, cause = minute_text(told.time), told.cause.replace("-", " ")
    yield f"bar {told.bar} ({moment} UTC): order {printable(told.order)}: {cause}"
    for reason in told.reasons:
        yield f"  because {printable(reason)}"
    for order in dict.fromkeys(step.order for step in told.steps):
        own = [step for step in told.steps if step.order == order]
        waits = [step for step in own if step.what == "waited"]
        hidden = {id(step) for step in waits[_SHOWN:-_SHOWN]}
        for step in own:
            if id(step) in hidden:
                if step is waits[_SHOWN]:
                    yield f"    … {len(hidden)} more bars did not fill it (--format json lists them)"
                continue
            bars = f"bar {step.bar}" if step.until is None else f"bars {step.bar} to {step.until}"
            line = f"  (line {step.line})" if step.line and step.what == "called" else ""
            yield f"  {bars} {step.what}: {printable(step.text)}{line}"
    for part in told.parts:
        yield from _tree(part, 1, 0)


def _tree(part: ExpressionPart, depth: int, above: int) -> Iterator[str]:
    from pinebench.why.why import shown_below

    value = part.told
    often = f", {part.evaluated} times" if part.evaluated > 1 else ""
    where = f"  (line {part.line}{often})" if part.line != above or often else ""
    yield f"{'  ' * depth}{printable(part.text)} → {printable(value)}{where}"
    for each in shown_below(part):
        yield from _tree(each, depth + 1, part.line)
