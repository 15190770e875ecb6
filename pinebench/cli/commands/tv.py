"""`pinebench tv`: call the chart tools with short commands."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any, cast

from pinebench.cli import common
from pinebench.cli.commands.call import chart_browser_of, exit_code, print_result
from pinebench.cli.console import Parser, note, positive, print_report
from pinebench.cli.exit_codes import FINE, help_of
from pinebench.cli.page import add_page_arguments
from pinebench.cli.shorthand import CONSTANTS, FIXED, JOINED, OPTIONS, ORDER, POINTS, READ, SHORT
from pinebench.errors import UsageError
from pinebench.printable import json_text, printable

if TYPE_CHECKING:
    from pinebench.tools.arguments import ArgumentKind
    from pinebench.tools.registry import Tool

EPILOG = """\
examples:
  pinebench tv status                          which page the tools use
  pinebench tv symbol NASDAQ:MSFT              show a symbol; without one, say which is shown
  pinebench tv ohlcv --count 20 --table        bars as a table
  pinebench tv pine set @my.pine               @FILE is the text of a file, @- standard input
  pinebench tv draw shape horizontal_line --time 1790000000 --price 231.4
  pinebench tv indicator add "Relative Strength Index" --inputs '{"length": 7}'
  pinebench tv batch AAPL MSFT --action ohlcv
  pinebench tv stream quote --interval 500     one JSON line for each change, until Ctrl+C

The words are a tool's name without its underscores: 'pane list' is pane_list. A tool's arguments follow in order,
required ones first, or are given as --name VALUE; 'pinebench tools NAME' shows both.
"""

USAGE = "COMMAND... [ARGUMENT]... [--table] [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments: words that name a tool, followed by the tool's arguments."""
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="COMMAND", help="for example: quote, or pine compile"
    )


def run(args: argparse.Namespace) -> int:
    """Call the tool that the words name, print its result as JSON or as a table, and return the exit code."""
    words: list[str] = args.words
    if not words:
        raise UsageError("the COMMAND is missing", "for example: pinebench tv quote; see 'pinebench tv --help'")
    if words[0] == "stream":
        return _stream(args, words[1:])
    if words[-1] in ("-h", "--help") and _begins_commands(words[:-1]):
        _list_commands(words[:-1])
        return FINE
    from pinebench.tools import registry
    from pinebench.tools.tool_calls import answer

    tool, said, rest = _meant(words)
    try:
        parsed, given = _arguments(tool, said, rest)
    except UsageError:
        if said not in READ:
            raise
        tool = registry.find(READ[said])
        parsed, given = _arguments(tool, said, rest)
    common.apply(_both(args, parsed))
    with chart_browser_of(parsed) as chart_browser:
        outcome = answer(chart_browser, tool.name, given)
    with common.result_file(parsed):
        if parsed.format == "table" and outcome.result["success"]:
            print_report(as_table(outcome.result))
        else:
            print_result(outcome.result)
    return exit_code(outcome)


def _both(outer: argparse.Namespace, inner: argparse.Namespace) -> argparse.Namespace:
    """The common options, whether they were given before the tool's words or after them."""
    return argparse.Namespace(**{**vars(outer), **vars(inner)})


def _list_commands(words: list[str]) -> None:
    """Print the commands that begin with `words`, each with the summary of its tool."""
    from pinebench.tools import registry

    known = registry.tools()
    prefix = " ".join(words)
    found = {said: known[name] for said, name in SHORT.items() if said.startswith(f"{prefix} ")}
    named = {found_tool.name for found_tool in found.values()}
    for name, tool in known.items():
        said = name.replace("_", " ")
        if said.startswith(f"{prefix} ") and name not in named:
            found[said] = tool
    width = max(map(len, found)) + 2
    rows = [f"  pinebench tv {said:<{width}}{tool.summary}" for said, tool in sorted(found.items())]
    print_report("\n".join([f"usage: pinebench tv {prefix} COMMAND [ARGUMENT]... [OPTION]...", "", *rows, ""]))


def _begins_commands(words: list[str]) -> bool:
    """Whether `words` are the beginning of several commands, as in `tv pine`, and not a command themselves."""
    from pinebench.tools import registry

    prefix = " ".join(words)
    every = [*SHORT, *(name.replace("_", " ") for name in registry.tools())]
    return bool(words) and prefix not in every and any(said.startswith(f"{prefix} ") for said in every)


def _meant(words: list[str]) -> tuple[Tool, str, list[str]]:
    """The tool that the first words name, these words, and the remaining words. Raises UsageError if there is none."""
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
    if any(name.startswith(f"{words[0]} ") for name in names):
        asked = (
            f"there is no command '{' '.join(words[:2])}'" if words[1:] else f"the command '{words[0]}' is not complete"
        )
        raise UsageError(asked, f"'pinebench tv {words[0]} --help' lists its commands")
    raise UsageError(
        f"there is no command '{' '.join(words[:2])}'",
        "did you mean " + " or ".join(f"'{each}'" for each in near) + "?"
        if near
        else "'pinebench tools' lists all tools",
    )


def _arguments(tool: Tool, said: str, rest: list[str]) -> tuple[argparse.Namespace, dict[str, object]]:
    """The parsed options, and the tool's arguments as JSON values."""
    from pinebench.tools.arguments import ListArgument

    parser = _parser(tool, said)
    parsed = parser.parse_intermixed_args(rest)
    given: dict[str, object] = dict(FIXED.get(said, {}))
    for name, kind in tool.arguments.items():
        value = getattr(parsed, f"given_{name}", None)
        if value is not None:
            given[name] = _read(name, kind, value)
    for name, options in POINTS.items():
        price, time = (getattr(parsed, option.removeprefix("--"), None) for option in options)
        if name in tool.arguments and (price is not None or time is not None):
            point = {"price": price, "time": time}
            given[name] = {key: _number(value) for key, value in point.items() if value is not None}
    for option, constant in CONSTANTS.get(tool.name, {}).items():
        if getattr(parsed, option.removeprefix("--").replace("-", "_")):
            is_list = isinstance(tool.arguments[constant.argument], ListArgument)
            several = cast("list[object]", given.get(constant.argument, []))
            given[constant.argument] = [*several, constant.value] if is_list else constant.value
    _fill(tool, said, parsed.words, given)
    return parsed, given


_OWN = ("format",)
"""The names of the command's own options. A tool's argument with such a name is given by `--tool-NAME`."""


def _parser(tool: Tool, said: str) -> Parser:
    from pinebench.tools.arguments import Flag

    places = " ".join(name.upper() if name in tool.required else f"[{name.upper()}]" for name in _order(tool, said))
    usage = " ".join(part for part in (f"pinebench tv {said}", places, "[OPTION]...") if part)
    parser = Parser(prog=f"pinebench tv {said}", usage=usage, description=tool.summary, epilog=help_of("tv"))
    parser.add_argument("words", nargs="*", metavar="ARGUMENT", help="the tool's arguments, in their order")
    points = {option for name, options in POINTS.items() if name in tool.arguments for option in options}
    for name, kind in tool.arguments.items():
        if name == "target" or name in FIXED.get(said, {}):
            continue
        words = [*OPTIONS.get(name, ()), f"--{'tool-' if name in _OWN else ''}{name.replace('_', '-')}"]
        flag: dict[str, Any] = {"nargs": "?", "const": "true"} if isinstance(kind, Flag) else {"metavar": "VALUE"}
        own = [word for word in dict.fromkeys(words) if word not in points]
        parser.add_argument(*own, dest=f"given_{name}", help=kind.about.replace("%", "%%"), **flag)
    for option in sorted(points):
        parser.add_argument(*OPTIONS.get(option, ()), option, metavar="VALUE", help="of the point on the chart")
    for option, constant in CONSTANTS.get(tool.name, {}).items():
        parser.add_argument(option, action="store_true", help=f"{constant.argument}: {constant.value}")
    parser.add_argument("--format", choices=("json", "table"), default="json", help="the output format (default: json)")
    parser.add_argument(
        "--table", dest="format", action="store_const", const="table", help="the same as --format table"
    )
    add_page_arguments(parser)
    common.add_common_options(parser, has_result=True)
    return parser


def _order(tool: Tool, said: str) -> list[str]:
    """The arguments that can be given as words, in their order: required arguments first, then the others."""
    known = [name for name in tool.arguments if name != "target" and name not in FIXED.get(said, {})]
    needed = [name for name in known if name in tool.required]
    return list(ORDER.get(said, ())) or [*needed, *(name for name in known if name not in needed)]


def _fill(tool: Tool, said: str, words: list[str], given: dict[str, object]) -> None:
    """Assign the words to the arguments that were not given as options. Raises UsageError for too many or too few."""
    from pinebench.tools.arguments import ListArgument

    free = [name for name in _order(tool, said) if name not in given]
    while words and free:
        name, kind = free[0], tool.arguments[free[0]]
        if JOINED.get(said) == name:
            taken, words = " ".join(words), []
        elif isinstance(kind, ListArgument):
            taken, words = words, []
        else:
            taken, words = words[0], words[1:]
        given[name] = _read(name, kind, taken)
        free.pop(0)
    if words:
        raise UsageError(f"unexpected argument '{words[0]}'", f"see 'pinebench tv {said} --help'")
    if "source" in tool.required and "source" not in given and not sys.stdin.isatty():
        given["source"] = _read("source", tool.arguments["source"], "@-")
    missing = [name for name in _order(tool, said) if name in tool.required and name not in given]
    if missing:
        raise UsageError(f"{missing[0].upper()} is missing", f"see 'pinebench tv {said} --help'")


def _number(text: str) -> object:
    from pinebench.tools.arguments import Number

    return Number().read(text)


def _read(name: str, kind: ArgumentKind, value: str | list[str]) -> object:
    from pinebench.cli.commands.call import refuse_name_of_file, text_of

    if isinstance(value, list):
        return kind.read(",".join(value))
    if name == "source":
        refuse_name_of_file(value)
    return text_of(value) if value.startswith("@") else kind.read(value)


def as_table(result: dict[str, Any]) -> str:
    """Return a result as text for people: its single values, one per line, then each list of objects as a table."""
    from pinebench.amounts import aligned

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
        lines += ["", key, *aligned(cells, len(columns))]
    return printable("\n".join(lines).lstrip("\n"), keep="\n") + "\n"


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value.replace("\n", " ")
    if value is None:
        return ""
    return json_text(value)


def _stream(outer: argparse.Namespace, words: list[str]) -> int:
    """Print a stream's changes as JSON lines until it is stopped."""
    from pinebench.cli.signals import until_stopped
    from pinebench.tools.chart_streams import INTERVALS, stream

    parser = Parser(prog="pinebench tv stream", description="Print a JSON line whenever something has changed.")
    parser.add_argument("what", choices=tuple(INTERVALS), metavar="WHAT", help=", ".join(INTERVALS))
    parser.add_argument("-i", "--interval", type=positive, metavar="MS", help="milliseconds between two readings")
    parser.add_argument("-f", "--filter", default="", metavar="TEXT", help="only studies whose name contains this text")
    add_page_arguments(parser)
    common.add_common_options(parser, has_result=False)
    args = parser.parse_args(words)
    common.apply(_both(outer, args))
    began, count = time.monotonic(), 0
    with until_stopped(), chart_browser_of(args) as chart_browser:
        for each in stream(chart_browser, args.what, interval=args.interval, study_filter=args.filter, notify=note):
            count += 1
            print_report(json_text(each) + "\n")
    note(f"{count} changes in {time.monotonic() - began:.0f} s")
    return 0
