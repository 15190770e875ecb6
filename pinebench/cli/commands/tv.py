"""`pinebench tv`: every chart tool in words that are short to type, and streams."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pinebench.cli.commands.call import desk_of, print_result
from pinebench.cli.console import Parser, note, print_report
from pinebench.cli.page import add_page_arguments
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.cli.table import Subparsers
    from pinebench.tools.arguments import Kind
    from pinebench.tools.registry import Tool

SHORT = {
    "status": "tv_health_check", "launch": "tv_launch", "discover": "tv_discover", "ui-state": "tv_ui_state",
    "state": "chart_get_state", "symbol": "chart_set_symbol", "timeframe": "chart_set_timeframe",
    "type": "chart_set_type", "info": "symbol_info", "search": "symbol_search", "range": "chart_get_visible_range",
    "scroll": "chart_scroll_to_date", "quote": "quote_get", "ohlcv": "data_get_ohlcv", "bars": "data_get_ohlcv",
    "values": "data_get_study_values", "screenshot": "capture_screenshot", "batch": "batch_run",
    "data lines": "data_get_pine_lines", "data labels": "data_get_pine_labels", "data tables": "data_get_pine_tables",
    "data boxes": "data_get_pine_boxes", "data indicator": "data_get_indicator", "data export": "data_export_csv",
    "data shapes": "data_get_pine_shapes", "data trades": "data_get_trades", "data equity": "data_get_equity",
    "data strategy": "data_get_strategy_results",
    "pine get": "pine_get_source", "pine set": "pine_set_source", "pine compile": "pine_smart_compile",
    "pine errors": "pine_get_errors", "pine console": "pine_get_console", "pine logs": "pine_get_logs",
    "pine list": "pine_list_scripts",
    "indicator set": "indicator_set_inputs", "indicator toggle": "indicator_toggle_visibility",
    "indicator get": "data_get_indicator", "draw get": "draw_get_properties", "draw remove": "draw_remove_one",
    "pane layout": "pane_set_layout", "pane symbol": "pane_set_symbol", "ui panel": "ui_open_panel",
    "ui find": "ui_find_element", "ui eval": "ui_evaluate", "ui type": "ui_type_text", "ui mouse": "ui_mouse_click",
}  # fmt: skip
"""Words for tools, besides their own names in words: `pane list` is pane_list."""

READ = {"symbol": "symbol_info", "timeframe": "chart_get_state", "type": "chart_get_state"}
"""What is read where one of these is said without a value."""

_EPILOG = """\
examples:
  pinebench tv status                          which page is driven
  pinebench tv symbol NASDAQ:MSFT              show a symbol; without one, say which is shown
  pinebench tv ohlcv --count 20 --table        bars as a table
  pinebench tv pine set @my.pine               @FILE is the text of a file, @- standard input
  pinebench tv draw shape horizontal_line '{"time": 1790000000, "price": 231.4}'
  pinebench tv batch AAPL MSFT --action ohlcv
  pinebench tv stream quote --interval 500     one JSON line for each change, until Ctrl+C

Words are a tool's name without its lines: 'pane list' is pane_list. What a tool needs stands in order behind them, the
rest is --name VALUE; 'pinebench tools NAME' shows both.

exit codes: 0 fine, 1 the tool failed, 2 wrong usage
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments, which are those of the tool that is meant."""
    parser = subparsers.add_parser(
        "tv",
        usage="pinebench tv COMMAND... [ARGUMENT]... [--table] [OPTION]...",
        description="Use the chart tools in short words.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="COMMAND", help="for example: quote, or pine compile"
    )


def run(args: argparse.Namespace) -> int:
    """Call the tool that the words mean, print its object, and return the exit code."""
    words: list[str] = args.words
    if not words:
        raise UsageError("say what is to be done", "for example: pinebench tv quote; see 'pinebench tv --help'")
    if words[0] == "stream":
        return _stream(words[1:])
    from pinebench.tools import registry
    from pinebench.tools.calling import call

    tool, said, rest = _meant(words)
    try:
        parsed, given = _arguments(tool, said, rest)
    except UsageError:
        if said not in READ:
            raise
        tool = registry.find(READ[said])
        parsed, given = _arguments(tool, said, rest)
    with desk_of(parsed) as desk:
        result = call(desk, tool.name, given)
    if parsed.table and result["success"]:
        print_report(as_table(result))
    else:
        print_result(result)
    return 0 if result["success"] else 1


def _meant(words: list[str]) -> tuple[Tool, str, list[str]]:
    """The tool that the first words mean, these words, and what stands behind them."""
    from difflib import get_close_matches

    from pinebench.tools import registry

    known = registry.tools()
    for count in (4, 3, 2, 1):
        said = words[:count]
        if len(said) < count:
            continue
        text = " ".join(said)
        rest = words[count:]
        name = SHORT.get(text) or "_".join(said).replace("-", "_")
        if name in known:
            return known[name], text, rest
    names = [*SHORT, *(name.replace("_", " ") for name in known)]
    near = get_close_matches(" ".join(words[:2]), names, 3) or get_close_matches(words[0], names, 3)
    raise UsageError(
        f"nothing is called '{' '.join(words[:2])}'",
        f"did you mean {' or '.join(near)}?" if near else "'pinebench tools' lists everything",
    )


def _arguments(tool: Tool, said: str, rest: list[str]) -> tuple[argparse.Namespace, dict[str, object]]:
    from pinebench.tools.arguments import Flag, Several

    parser = Parser(prog=f"pinebench tv {said}", description=tool.summary)
    for name, kind in tool.arguments.items():
        if name == "target":
            continue
        if name in tool.required:
            parser.add_argument(f"given_{name}", metavar=name.upper(), nargs="+" if isinstance(kind, Several) else None)
        elif isinstance(kind, Flag):
            parser.add_argument(
                f"--{name.replace('_', '-')}", dest=f"given_{name}", nargs="?", const="true", help=kind.about
            )
        else:
            parser.add_argument(f"--{name.replace('_', '-')}", dest=f"given_{name}", help=kind.about, metavar="VALUE")
    parser.add_argument("--table", action="store_true", help="print a table for people instead of JSON")
    add_page_arguments(parser)
    parsed = parser.parse_args(rest)
    given: dict[str, object] = {}
    for name, kind in tool.arguments.items():
        value = getattr(parsed, f"given_{name}", None)
        if value is not None:
            given[name] = _read(kind, value)
    return parsed, given


def _read(kind: Kind, value: str | list[str]) -> object:
    from pinebench.cli.commands.call import text_of

    if isinstance(value, list):
        return kind.read(",".join(value))
    return text_of(value) if value.startswith("@") else kind.read(value)


def as_table(result: dict[str, Any]) -> str:
    """A result for people: its single values line by line, each list of objects as a table below."""
    from pinebench.printable import printable

    lines: list[str] = []
    tables: list[tuple[str, list[dict[str, Any]]]] = []
    for key, value in result.items():
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            tables.append((key, value))
        elif key != "success":
            lines.append(f"{key}: {_cell(value)}")
    for key, rows in tables:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        cells = [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
        lines += [
            "",
            key,
            *("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells),
        ]
    return printable("\n".join(lines).lstrip("\n"), keep="\n") + "\n"


def _cell(value: Any) -> str:
    import json

    if isinstance(value, str):
        return value.replace("\n", " ")
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False)


def _stream(words: list[str]) -> int:
    """Print a stream's changes as JSON lines until it is stopped."""
    import json
    import time

    from pinebench.cli.signals import until_stopped
    from pinebench.printable import in_json
    from pinebench.tools.streaming import INTERVALS, stream

    parser = Parser(prog="pinebench tv stream", description="Print a JSON line whenever something has changed.")
    parser.add_argument("what", choices=tuple(INTERVALS), metavar="WHAT", help=", ".join(INTERVALS))
    parser.add_argument("--interval", type=int, metavar="MS", help="milliseconds between two looks")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only studies with this in their name")
    add_page_arguments(parser)
    args = parser.parse_args(words)
    began, count = time.monotonic(), 0
    with until_stopped(), desk_of(args) as desk:
        for each in stream(desk, args.what, interval=args.interval, study_filter=args.filter, notify=note):
            count += 1
            print_report(in_json(json.dumps(each, ensure_ascii=False)) + "\n")
    note(f"{count} changes in {time.monotonic() - began:.0f} s")
    return 0
