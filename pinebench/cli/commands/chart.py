"""`pinebench chart`: draw bars with indicators and scripts, or show their last values."""

from __future__ import annotations

import argparse

from pinebench.cli import run_options
from pinebench.cli.console import InputPath, note, result_place, tell_error
from pinebench.errors import UsageError

EPILOG = """\
examples:
  pinebench chart BTCUSDT -i 4h -p rsi -p macd -o btc.png       bars of Binance, with two panels
  pinebench chart AAPL -i 1d -p bbands,period=30 -o aapl.svg    bars of Yahoo, with another setting
  pinebench chart bars.csv -p my.pine -o chart.html             bars of a file, with a script of yours
  pinebench chart sample:AAPL -p rsi                            the last values as JSON

Without a symbol the bars are made up. `pinebench call list_indicators` tells the names and their settings.
A file that exists is only replaced if pinebench wrote it, or with --force.
"""

USAGE = "[SYMBOL|BARS] [-p INDICATOR]... [-o FILE] [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("symbol", nargs="?", metavar="SYMBOL", help="BTCUSDT, AAPL, or bars, named as for --data of `run`")
    add("-i", "--interval", metavar="TIMEFRAME", help="for example 15m, 4h (default), 1d; a file keeps its own")
    add(
        "-p",
        "--indicator",
        action="append",
        default=[],
        metavar="NAME",
        help="a name, a name with settings (rsi,length=21), a .pine file, or an object in JSON",
    )
    add("--bars", type=int, default=200, metavar="N", help="how many bars are shown (default: 200)")
    add("--width", type=int, metavar="PIXELS", help="400 to 7680 (default: 1920)")
    add("--height", type=int, metavar="PIXELS", help="300 to 4320 (default: 1080)")
    add("--log", action="store_true", help="a logarithmic scale of prices")
    run_options.add_theme_argument(add)
    add(
        "--timezone",
        metavar="ZONE",
        help="the time zone of the time axis (default: the exchange's), for example Europe/Berlin",
    )
    add("--compat", choices=("chartgen",), help="compute indicators as the program chartgen does, not as TradingView")
    add(
        "--data",
        type=InputPath,
        action="append",
        default=[],
        metavar="SYMBOL=BARS",
        help="bars of another symbol that an indicator needs; may be given several times",
    )
    add(
        "--symbol-info",
        type=InputPath,
        metavar="FILE",
        help="a TOML file with the properties of the symbol in a file of bars",
    )
    add(
        "-o",
        "--output",
        metavar="FILE",
        type=result_place,
        help="a .png, .svg or .html file, or a .json file for the summary (default: print the summary)",
    )
    add("--force", action="store_true", help="also replace files that pinebench did not write")


def run(args: argparse.Namespace) -> int:
    """Draw the chart or show the summary, and return the exit code."""
    import json
    from pathlib import Path

    from pinebench import charts
    from pinebench.files import outputs
    from pinebench.indicators import asked, compute_all, draw, load, summary

    _check(args)
    if args.output is not None:
        outputs.check(args.output, force=args.force)
    wanted = asked([_entry(one) for one in args.indicator], args.compat)
    info = Path(args.symbol_info) if args.symbol_info else None
    warm_up = max((one.warm_up for one in wanted), default=0)
    loaded = load(args.symbol, args.interval, args.bars, args.data, info, warm_up)
    answered = compute_all(wanted, loaded, dark=args.theme == "dark")
    for words in (*loaded.remarks, loaded.freshness, *answered.remarks):
        if words:
            note(words)
    for failed in answered.failed:
        tell_error(failed.error.message, failed.error.hint)
    code = max((failed.error.exit_code for failed in answered.failed), default=0)
    if args.output is None or args.output.lower().endswith(_TEXTS):
        feeds = {"feeds": answered.feeds} if answered.feeds else {}
        told = summary(loaded.priced, answered.runs)
        text = json.dumps({**told, **feeds, "data": loaded.kind}, indent=2, allow_nan=False)
        run_options.write(text + "\n", args.output, force=args.force)
        return code
    look = {"logarithmic": args.log, "zone": args.timezone, "theme": args.theme or "light"}
    size = {name: value for name in ("width", "height") if (value := getattr(args, name)) is not None}
    drawn = draw(loaded, answered.computed, **size, **look)
    run_options.put(args.output, charts.as_file(drawn, args.output), force=args.force)
    return code


_TEXTS = (".json", ".txt")


def _check(args: argparse.Namespace) -> None:
    """Raise UsageError for a file of another kind, or for an option about a picture that is not drawn, and
    UnavailableError if drawing needs a missing extra."""
    output: str | None = args.output
    if output is None or output.lower().endswith(_TEXTS):
        options = ("width", "height", "log", "timezone")
        idle = next((name for name in options if getattr(args, name) not in (None, False)), None)
        if idle is not None:
            raise UsageError(f"--{idle} has no effect: no picture is drawn", f"name one with -o, or leave --{idle} out")
        return
    from pinebench import charts

    if not output.lower().endswith(charts.PICTURES):
        raise UsageError(f"-o {output} is neither a picture nor a page", "expected .png, .svg, .html or .json")
    charts.require_renderer(output)


def _entry(text: str) -> object:
    """Read `rsi`, `rsi,length=21`, `my.pine`, or an object in JSON."""
    import json

    if text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError as error:
            raise UsageError(f"-p {text} is not JSON ({error})", 'expected {"name": "rsi", "length": 21}') from None
    name, *settings = text.split(",")
    inputs: dict[str, str] = {}
    for one in settings:
        key, mark, value = one.partition("=")
        if not mark:
            raise UsageError(f"-p {text}: {one} has no value", "expected NAME,SETTING=VALUE")
        inputs[key.strip()] = value.strip()
    return {"pine" if name.endswith(".pine") else "name": name, "inputs": inputs}
