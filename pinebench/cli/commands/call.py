"""`pinebench call`: call one chart tool and print its result as one JSON object."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from pinebench import files
from pinebench.cli.console import note, print_report, read_stdin
from pinebench.cli.exit_codes import FINE, NOT_DONE
from pinebench.cli.page import add_page_arguments
from pinebench.errors import PinebenchError, UsageError
from pinebench.printable import json_text

if TYPE_CHECKING:
    from pinebench.tools.registry import Tool
    from pinebench.tools.tool_calls import ToolOutcome

EPILOG = """\
examples:
  pinebench call quote_get
  pinebench call chart_set_symbol symbol=NASDAQ:MSFT
  pinebench call data_get_ohlcv '{"count": 20, "summary": true}'
  pinebench call pine_set_source source=@my.pine          @FILE is the text of a file, @- standard input

'pinebench tools' lists the tools, 'pinebench tools NAME' shows the arguments of one tool. A failure is an object too:
{"success": false, "error": …, "hint": …}. A result of more than 24,000 characters keeps the first and the last
entries of its longest lists, and says so under "rest"; programs give --all.
"""

USAGE = 'TOOL [\'{"json": "arguments"}\'] [NAME=VALUE]... [OPTION]...'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("tool", metavar="TOOL", help="the tool's name")
    parser.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="a JSON object, or NAME=VALUE")
    parser.add_argument("--all", action="store_true", help="print all of the result, however long it is")
    # JSON is the only format; the option exists for users who always give it.
    parser.add_argument("--format", choices=("json",), default="json", help=argparse.SUPPRESS)
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Call the tool, print its result, and return the exit code."""
    from pinebench.tools import registry
    from pinebench.tools.tool_calls import answer

    tool = registry.find(args.tool)
    given = _given(tool, args.arguments)
    with chart_browser_of(args) as chart_browser:
        outcome = answer(chart_browser, tool.name, given)
    print_result(outcome.result if args.all else _shortened(tool.name, outcome.result))
    return exit_code(outcome)


def _shortened(name: str, result: dict[str, Any]) -> dict[str, Any]:
    """The result in the length that models get. A person is told if entries are left out."""
    from pinebench.tools.pages import shortened

    told = shortened(result, name, None, indent=2, how="'pinebench call --all' prints all of the result")
    if told is not result:
        note(
            "the result is long, so entries between the first and the last ones are left out", "--all prints all of it"
        )
    return told


def exit_code(outcome: ToolOutcome) -> int:
    """Return the exit code for the outcome of a tool: 0 for success, else the exit code of its error."""
    if outcome.result["success"]:
        return FINE
    return outcome.error.exit_code if isinstance(outcome.error, PinebenchError) else NOT_DONE


def chart_browser_of(args: argparse.Namespace) -> Any:
    """Return the `ChartBrowser` for the page selected by the arguments."""
    from pinebench.tools.chart_browser import ChartBrowser

    return ChartBrowser(
        args.cdp_host, args.cdp_port, args.target, wait=not args.no_wait, allow_remote=args.allow_remote_cdp
    )


def print_result(result: dict[str, Any]) -> None:
    """Print a tool's result as JSON, indented by two spaces."""
    print_report(json_text(result, indent=2) + "\n")


def _given(tool: Tool, words: list[str]) -> dict[str, object]:
    """The tool's arguments as JSON values. Raises UsageError for words that cannot be read."""
    from pinebench import decoding

    given: dict[str, object] = {}
    for word in words:
        if word.lstrip().startswith("{"):
            try:
                found: dict[str, object] = decoding.loads(word, {str: decoding.Anything}, unique=True)
            except decoding.MalformedDocument as error:
                raise UsageError(f"the arguments cannot be read: {error}", "give a JSON object") from None
        else:
            name, separator, text = word.partition("=")
            if not separator:
                hint = _meant(tool, word) or "expected NAME=VALUE or a JSON object"
                raise UsageError(f"'{word}' is not an argument", hint)
            found = {name: _value(tool, name, text)}
        twice = given.keys() & found.keys()
        if twice:
            raise UsageError(f"{min(twice)} is given twice", "give each argument once")
        given |= found
    return given


def about_unknown(args: argparse.Namespace, unknown: list[str]) -> str:
    """Return a hint for a tool's argument that was written like an option of the command; empty for anything else."""
    from pinebench.tools import registry

    name, _, value = unknown[0].lstrip("-").partition("=")
    name = name.replace("-", "_")
    tool = registry.tools().get(args.tool)
    if tool is None or name not in tool.arguments:
        return ""
    given = [value, *unknown[1:], *args.arguments]
    return f"write {name}={next(filter(None, given), 'VALUE')}, without dashes"


def _meant(tool: Tool, word: str) -> str:
    """The way to give a value without a name, or a name without a value; empty if that is not clear."""
    if word in tool.arguments:
        return f"write {word}=VALUE"
    required = [*tool.required]
    if len(required) != 1 or word.startswith("["):
        return ""
    is_file = required[0] == "source" and not word.startswith("@") and os.path.isfile(word)
    return f"write {required[0]}={'@' if is_file else ''}{word}"


def _value(tool: Tool, name: str, text: str) -> object:
    kind = tool.arguments.get(name)
    if text.startswith("@"):
        return text_of(text)
    if name == "source":
        refuse_name_of_file(text)
    return text if kind is None else kind.read(text)


def refuse_name_of_file(text: str) -> None:
    """Raise UsageError if a script's text is the name of an existing file: its content was probably meant."""
    if "\n" not in text and len(text) < 1000 and os.path.isfile(text):
        raise UsageError(
            f"source must be the text of a script, and '{text}' is a file", f"write @{text} to read the file"
        )


def text_of(named: str) -> str:
    """Return the text of the file in `@FILE`, or of standard input for `@-`."""
    return read_stdin("<stdin>").text if named == "@-" else files.read(named[1:]).text
