"""The options that all back-testing commands share: properties, dates, bars for fills, and exchange rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli import run_options
from pinebench.cli.console import InputPath, add_config_argument
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable
    from datetime import date
    from typing import Any

    from pinebench.backtesting.backtest import BacktestRun
    from pinebench.market import Bars
    from pinebench.repaint.repaint import RepaintVerdict
    from pinebench.workers.request import Request

    Checking = Callable[[], RepaintVerdict]
    Testing = Callable[[date | None], BacktestRun]

_NUMBERS = {
    "initial_capital": "the money with which the strategy starts",
    "default_qty_value": "the size of orders without qty: contracts, money or percent",
    "commission_value": "the commission: percent, or money",
    "margin_long": "the margin that a long position needs, in percent",
    "margin_short": "the margin that a short position needs, in percent",
}
_COUNTS = {
    "pyramiding": "the largest number of entries in one direction",
    "slippage": "slippage: ticks by which market and stop orders fill at a worse price",
    "backtest_fill_limits_assumption": "ticks by which the price must pass the price of a limit order to fill it",
}
_CHOICES = {
    "default_qty_type": ("fixed", "cash", "percent_of_equity"),
    "commission_type": ("percent", "cash_per_contract", "cash_per_order"),
    "close_entries_rule": ("FIFO", "ANY"),
    "process_orders_on_close": ("true", "false"),
    "calc_on_order_fills": ("true", "false"),
}


def add_arguments(parser: argparse.ArgumentParser, inputs: tuple[str, str] = run_options.ONE_INPUT) -> None:
    """Declare all options of a back-test. `inputs` are the placeholder and the help text of --input."""
    add = parser.add_argument
    run_options.add_arguments(add, inputs)
    add_range_arguments(add)
    add(
        "--lower-data",
        type=InputPath,
        metavar="BARS",
        help="shorter bars that decide how orders fill inside a bar (bar magnifier)",
    )
    add(
        "--standard-data",
        type=InputPath,
        metavar="BARS",
        help="standard bars for the fills of orders, if --data has Heikin Ashi bars",
    )
    add(
        "--rates",
        type=InputPath,
        metavar="FILE",
        help="daily rates of the symbol's currency in the account's: time, and close or rate",
    )
    add_properties(parser)
    add_config_argument(add)


def add_range_arguments(add: Callable[..., object]) -> None:
    """Declare --from and --to."""
    add("--from", dest="first", metavar="DATE", help="take orders from this date on (ISO 8601, UTC)")
    add("--to", dest="last", metavar="DATE", help="end before this date")


def add_properties(parser: argparse.ArgumentParser) -> None:
    """Declare the options that replace properties of the strategy's declaration statement."""
    group = parser.add_argument_group("properties, which replace those in the declaration")
    for name, words in _NUMBERS.items():
        group.add_argument(_option(name), type=float, metavar="N", help=words)
    for name, words in _COUNTS.items():
        group.add_argument(_option(name), type=int, metavar="N", help=words)
    for name, choices in _CHOICES.items():
        group.add_argument(_option(name), choices=choices)
    group.add_argument("--currency", metavar="CODE", help="the account's currency, for example EUR")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def properties_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the strategy properties that the options set, by name. Raises UsageError for an invalid value."""
    from pinebench.broker import checked_properties

    known: dict[str, Any] = {}
    for name in (*_NUMBERS, *_COUNTS, *_CHOICES, "currency"):
        value = getattr(args, name)
        if value is None:
            continue
        known[name] = value == "true" if value in ("true", "false") else value
    return checked_properties(known)


class BacktestJob(NamedTuple):
    """A back-test as described by the arguments.

    `given` holds the script and the bars. `as_of` is the date in --as-of, or None. `test` runs the back-test with
    TradingView's defaults of a given date. `check` checks for repainting.
    """

    given: run_options.RunInput
    as_of: date | None
    test: Testing
    check: Checking


def asked(args: argparse.Namespace, written: Iterable[str | None]) -> tuple[run_options.RunInput, Request]:
    """Read the script and all files named in the arguments. Return them with the request for the back-test.

    `written` are the files that the command will write.
    """
    from pathlib import Path

    from pinebench.backtesting.magnifier import check_shorter
    from pinebench.calendars.timeframes import timeframe
    from pinebench.market import load, read_rates
    from pinebench.runtime import Look

    properties = properties_of(args)
    first, last = run_options.moment("--from", args.first), run_options.moment("--to", args.last)
    day = run_options.as_of(args)
    read = (args.lower_data, args.standard_data, args.rates)
    given = run_options.read_run_input(args, written, read)
    run_options.check_range(args, given.chart.bars)

    def bars_of(name: str | None, wanted: str | None = None) -> Bars | None:
        """Read the bars of the file `name`, which decide about fills, and print notes about them like the chart's."""
        if name is None:
            return None
        data = load(Path(name), None, wanted, likely=given.chart.likely_zone)
        run_options.tell_read(name, data)
        return data.bars

    lower = bars_of(args.lower_data)
    if lower is not None:
        check_shorter(lower, timeframe(given.chart.symbol.timeframe))
    request = run_options.run_request(
        given,
        day,
        properties=properties,
        rates=read_rates(Path(args.rates)) if args.rates else None,
        lower=lower,
        standard=bars_of(args.standard_data, args.timeframe),
        first=first,
        last=last,
        look=Look(getattr(args, "theme", None) == "dark"),
        tier=getattr(args, "tier", "python"),
    )
    return given, request


def prepare(args: argparse.Namespace, written: Iterable[str | None]) -> BacktestJob:
    """Read the script and all files named in the arguments. `written` are the files that the command will write."""
    from dataclasses import replace

    from pinebench.compiled import run_on_tier, trade_on
    from pinebench.linter.repainting import look_for_repainting

    given, request = asked(args, written)
    day = request.as_of

    def test(as_of: date | None) -> BacktestRun:
        tiered = run_on_tier(replace(request, as_of=as_of), wanted=trade_on)
        tested = tiered.ran.tested
        assert tested is not None
        tested.notes += filter(None, [tiered.told()])
        tested.tier = tiered.report()
        return tested

    return BacktestJob(given, day, test, lambda: look_for_repainting(request))
