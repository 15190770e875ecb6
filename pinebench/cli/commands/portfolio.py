"""`pinebench portfolio`: run several strategies on several symbols in one account, and report on them together."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pinebench import config
from pinebench.cli import backtest_options, run_options
from pinebench.cli.console import add_config_argument, note, output_path, positive, read_script, tell_error
from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    from datetime import date
    from typing import Any

    from pinebench.cli.portfolio_files import PortfolioEntry
    from pinebench.market import Data
    from pinebench.portfolios.portfolio import PortfolioMember, PortfolioRun

EPILOG = f"""\
examples:
  pinebench portfolio cross.pine@aapl.csv rsi.pine@btc.csv --initial-capital 100000
                                                      one account: no money is used twice
  pinebench portfolio cross.pine@aapl.csv cross.pine@msft.csv --default-qty-value 50
                                                      each order takes 50 % of the equity of the whole
  pinebench portfolio cross.pine@aapl.csv rsi.pine@btc.csv --weights 0.6,0.4
                                                      each trades with its own part of the capital
  pinebench portfolio plan.toml --trades trades.csv   strategies with their inputs, properties and weights

{run_options.BARS_HELP_OF_MANY}A .toml file has a table [[strategy]] for each strategy, with script, data, name, weight,
timeframe, symbol-info, data-timezone, rates, and the tables inputs and properties. docs/portfolio.md explains it, and
how money is shared.
"""

USAGE = "FILE@BARS... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("strategies", nargs="+", metavar="FILE@BARS", help="a strategy and its bars; or a .toml file with strategies")
    add(
        "--weights",
        type=_weights,
        metavar="W,W...",
        help="give each strategy its own part of the capital, for example 0.5,0.3",
    )
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    run_options.add_output_arguments(add)
    add("--trades", type=output_path, metavar="FILE", help="write the list of all trades into this CSV file too")
    add("--timeframe", metavar="T", help='aggregate all bars to this timeframe first, for example "240" or 1D')
    add("--bars", type=positive, metavar="N", help="how many bars of an exchange or the sample market (default: 1000)")
    run_options.add_as_of_argument(add)
    backtest_options.add_range_arguments(add)
    backtest_options.add_properties(parser)
    add_config_argument(add)


def _weights(text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be numbers such as 0.5,0.3, not '{text}'") from None


def run(args: argparse.Namespace) -> int:
    """Run the strategies, write the report, and return the exit code."""
    from pinebench.portfolios import portfolio_report
    from pinebench.portfolios.portfolio import portfolio

    members, charts = _members(args)
    found = portfolio(members)
    if args.trades is not None and found.error is None:
        run_options.put(args.trades, portfolio_report.as_csv(found).encode(), force=args.force)
    if args.format == "json":
        run_options.write(run_options.as_json(portfolio_report.report(found, charts)), args.output, force=args.force)
    elif found.error is None:
        heads = "".join(dict.fromkeys(run_options.head(args, chart) for chart in charts))
        run_options.write(heads + portfolio_report.as_text(found, printable), args.output, force=args.force)
    for words in found.notes:
        note(words)
    return _told_error(found)


def _told_error(found: PortfolioRun) -> int:
    if found.error is None:
        return FINE
    place = found.error.place(found.failed) if found.failed else "the portfolio"
    tell_error(f"{place}: {found.error.message}")
    return FINDINGS


def _members(args: argparse.Namespace) -> tuple[list[PortfolioMember], list[Data]]:
    """Read the scripts, and the bars of each. Raises UsageError for what cannot be read or does not fit together."""
    from dataclasses import replace
    from pathlib import Path

    from pinebench.cli.portfolio_files import entries
    from pinebench.market import bar_choice
    from pinebench.market import beside as beside_of

    known = entries(args.strategies)
    if args.weights is not None:
        if len(args.weights) != len(known):
            raise UsageError(
                f"there are {len(args.weights)} weights for {len(known)} strategies", "give a weight for each strategy"
            )
        known = [replace(one, weight=weight) for one, weight in zip(known, args.weights, strict=True)]
    run_options.refuse_idle_bars(args.bars, [one.data for one in known])
    data = [Path(one.data) for one in known if bar_choice.is_file(one.data)]
    read = [*(one.script for one in known), *(one.symbol_info for one in known), *(one.rates for one in known)]
    plans = [one for one in args.strategies if one.lower().endswith(".toml")]
    beside = [beside_of(path) for path in data if path.name]
    run_options.check_outputs([args.output, args.trades], [*read, *plans, *data, *beside], force=args.force)
    properties = backtest_options.properties_of(args)
    dates = run_options.moment("--from", args.first), run_options.moment("--to", args.last)
    day = run_options.as_of(args)
    made = [_member(args, one, properties, dates, day) for one in known]
    return [member for member, _ in made], [chart for _, chart in made]


def _member(
    args: argparse.Namespace,
    one: PortfolioEntry,
    properties: dict[str, Any],
    dates: tuple[int | None, int | None],
    day: date | None,
) -> tuple[PortfolioMember, Data]:
    from pathlib import Path

    from pinebench.broker import checked_properties
    from pinebench.checker import open_program
    from pinebench.cli.failure_report import refuse_faulty
    from pinebench.market import bar_choice, read_rates
    from pinebench.portfolios.portfolio import PortfolioMember
    from pinebench.workers.jobs import request_of

    path, text = read_script(one.script)
    program = open_program(text.text, config.library_folders(one.script, args.config))
    refuse_faulty(program, path)
    info = Path(one.symbol_info) if one.symbol_info else None
    chart = bar_choice.bars_named(one.data, info, one.timeframe or args.timeframe, args.bars, one.data_timezone)
    run_options.tell_read(one.data, chart)
    run_options.check_range(args, chart.bars)
    request = request_of(
        program,
        chart.bars,
        chart.symbol,
        inputs=one.inputs,
        properties={**checked_properties(one.properties), **properties},
        rates=read_rates(Path(one.rates)) if one.rates else None,
        first=dates[0],
        last=dates[1],
        as_of=day,
    )
    return PortfolioMember(one.name or f"{Path(one.script).name} on {chart.symbol.symbol}", request, one.weight), chart
