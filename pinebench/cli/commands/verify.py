"""`pinebench verify`: compare a script's plots and trades on TradingView's chart with pinebench's, on the same bars."""

from __future__ import annotations

import argparse
from typing import Any

from pinebench import files
from pinebench.cli.console import InputPath, note, output_path
from pinebench.cli.exit_codes import FINDINGS, FINE, NOT_DONE
from pinebench.cli.page import add_page_arguments
from pinebench.errors import UsageError
from pinebench.printable import json_text, printable

EPILOG = """\
examples:
  pinebench verify                              the only script on the open chart
  pinebench verify --study "My script" --save parity/my-script
  pinebench verify --script my.pine             its text from a file, if the account does not give it
  pinebench verify parity/my-script             run a saved comparison again, without a chart

Bars, plots and trades are read from the chart at once; the same script runs here on the same bars with the same
inputs. A result is equal, different, or not compared with the reason. Comments, texts of alerts, and names and ids of
the account are never saved; if a script or an input still holds something personal, nothing is saved.
"""
_WORDS = {"equal": "equal", "different": "DIFFERENT", "not compared": "not compared"}
_MOST_TRADES = 5

USAGE = "[FOLDER] [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add(
        "folder",
        type=InputPath,
        nargs="?",
        metavar="FOLDER",
        help="a saved comparison, which runs again without a chart",
    )
    add("--study", metavar="NAME", default="", help="the script on the chart, by name or id (default: the only one)")
    add("--script", type=InputPath, metavar="FILE", help="the script's text, if it cannot be read from the account")
    add(
        "--save",
        type=output_path,
        metavar="FOLDER",
        help="write bars, script, inputs and TradingView's values into a new folder",
    )
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the results, print the verdicts, and return the exit code."""
    told = _replayed(args) if args.folder is not None else _on_chart(args)
    print(json_text(told) if args.format == "json" else "\n".join(_lines(told)))
    if "folder" in told:
        note(f"saved in {told['folder']}; 'pinebench verify {told['folder']}' runs it again")
    return {"equal": FINE, "different": FINDINGS}.get(str(told["verdict"]), NOT_DONE)


def _replayed(args: argparse.Namespace) -> dict[str, Any]:
    from pinebench.verification import folders, verdicts

    if args.save or args.script or args.study:
        raise UsageError("FOLDER is a saved comparison", "leave out --save, --script and --study, which need a chart")
    return {"study": args.folder, **verdicts.verify(folders.load(args.folder))}


def _on_chart(args: argparse.Namespace) -> dict[str, Any]:
    from pinebench.tools.chart_browser import ChartBrowser
    from pinebench.tools.tool_calls import answer

    given: dict[str, Any] = {"study": args.study}
    if args.script:
        from pinebench.projects.project import text_to_send

        given["source"] = text_to_send(files.read_script(args.script).text, args.script)
    if args.save:
        given["folder"] = args.save
    with ChartBrowser(
        args.cdp_host,
        args.cdp_port,
        args.target,
        wait=not args.no_wait,
        allow_remote=args.allow_remote_cdp,
        notify=note,
    ) as chart_browser:
        outcome = answer(chart_browser, "pine_verify_save" if args.save else "pine_verify", given)
    if outcome.error is not None:
        raise outcome.error
    return outcome.result


def _lines(told: dict[str, Any]) -> list[str]:
    head = f"{told['study']} on {told['symbol']}, {told['timeframe']}, {told['bars']} bars: {_WORDS[told['verdict']]}"
    lines = [printable(head), ""]
    lines += [printable(line) for plot in told["plots"] for line in _plot(plot)]
    if told["trades"] is not None:
        lines += [printable(line) for line in _trades(told["trades"])]
    lines.append("")
    for name, what in (("plot_counts", "plots"), ("bar_counts", "bars of plots"), ("trade_counts", "trades")):
        counts = told[name]
        if any(counts.values()):
            row = f"{counts['equal']} equal, {counts['different']} different, {counts['not_compared']} not compared"
            lines.append(f"{what}: {row}")
    lines += [printable(f"not compared: {each['what']}: {each['reason']}") for each in told["not_compared"]]
    lines += [printable(f"assumed: {each}") for each in told["assumed"]]
    return lines


def _plot(plot: dict[str, Any]) -> list[str]:
    exact = f", {plot['exact']} to the last bit" if plot["exact"] != plot["equal"] else ""
    lines = [
        f"{plot['plot'] or 'a plot without a title'}: {_WORDS[plot['verdict']]}; {plot['equal']} bars equal{exact}"
    ]
    if plot["different"]:
        lines.append(f"  {plot['different']} bars differ, first {_difference(plot['first'])}")
        lines.append(f"  the largest difference {_difference(plot['largest'])}")
    if "reason" in plot:
        lines.append(f"  {plot['not_compared']} bars not compared: {plot['reason']}")
    return lines


def _trades(trades: dict[str, Any]) -> list[str]:
    numbers = f"{trades['listed']} on the chart, {trades['counted']} here, {trades['equal']} equal"
    lines = [f"trades: {_WORDS[trades['verdict']]}; {numbers}"]
    for one in trades["trades"][:_MOST_TRADES]:
        if "only" in one:
            whose = "the chart" if one["only"] == "tradingview" else "pinebench's run"
            lines.append(f"  trade {one['number']} at bar {one['bar']} ({one['time']}): only {whose} has it")
        lines += [
            f"  trade {one['number']}: {name} {_difference(difference)}" for name, difference in one["fields"].items()
        ]
    if trades["different"] > _MOST_TRADES:
        lines.append(f"  … and {trades['different'] - _MOST_TRADES} more trades")
    if "reason" in trades:
        lines.append(f"  {trades['not_compared']} trades not compared: {trades['reason']}")
    return lines


def _difference(one: dict[str, Any]) -> str:
    share = "" if one["percent"] is None else f", {one['percent']:.3g} %"
    shown = [("na" if value is None else value) for value in (one["tradingview"], one["pinebench"])]
    return f"at bar {one['bar']} ({one['time']}): {shown[0]} on the chart, {shown[1]} here{share}"
