"""`pinebench template`: list, show or copy scripts to start from."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pinebench import files
from pinebench.cli.console import note, output_path, print_report, put_script, style_for, terminal_width

if TYPE_CHECKING:
    from pinebench.authoring.catalogue import Template

WIDTH = 100
"""The largest number of columns for prose, even on a wider terminal."""

EPILOG = """\
examples:
  pinebench template list                     all of them
  pinebench template search mean reversion    the templates that fit these words, best first
  pinebench template show ema_ribbon          what it does, its inputs, when it fails, and its source
  pinebench template new ema_ribbon -o my.pine
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="list|search|show|new", required=True)
    listing = actions.add_parser("list", description="List the templates.")
    listing.add_argument("words", nargs="*", metavar="WORD", help="list the templates that match, best first")
    _add_format(listing)
    searching = actions.add_parser("search", description="List the templates that match words, best first.")
    searching.add_argument("words", nargs="+", metavar="WORD")
    _add_format(searching)
    showing = actions.add_parser("show", description="Show what a template does, and its source.")
    showing.add_argument("name", metavar="NAME")
    making = actions.add_parser("new", description="Write a template's source to a new file.")
    making.add_argument("name", metavar="NAME")
    making.add_argument(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        required=True,
        help="the file to write; it must not exist (-: print it)",
    )


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")


def run(args: argparse.Namespace) -> int:
    """List, show or write templates, and return the exit code."""
    from pinebench.authoring import catalogue

    if args.action in ("list", "search"):
        words = " ".join(args.words)
        found = [item for _, item in catalogue.search(words)] if words else list(catalogue.templates())
        if args.format == "json":
            _list_for_programs(found)
        else:
            _list(found)
        if not found:
            note(f"no template matches '{words}'", "see 'pinebench template list'")
        return 0 if found else 1
    template = catalogue.template(args.name)
    if args.action == "show":
        _show(template)
    else:
        _write_new(args.output, template)
    return 0


def _list(found: list[Template]) -> None:
    from textwrap import wrap

    paint = style_for(sys.stdout)
    width = max((len(item.name) for item in found), default=0)
    indent = " " * (width + 13)
    for item in found:
        head = f"{paint(f'{item.name:<{width}}', 'bold')}  {item.kind:<9}  "
        # One line for each template for programs; wrapped lines for people.
        columns = max(20, min(terminal_width(), WIDTH) - len(indent))
        lines = wrap(item.purpose, columns) if sys.stdout.isatty() else [item.purpose]
        print(head + f"\n{indent}".join(lines))


def _list_for_programs(found: list[Template]) -> None:
    from pinebench.linter.report.json import dump

    fields = ("name", "title", "kind", "purpose", "inputs", "fails_when")
    print_report(dump([{field: getattr(item, field) for field in fields} for item in found]))


def _show(item: Template) -> None:
    from textwrap import fill

    paint = style_for(sys.stdout)
    width = min(terminal_width(), WIDTH)
    print(f"{paint(item.title, 'bold')} ({item.name}, {item.kind})\n")
    print(fill(item.purpose, width))
    print(f"\n{paint('Inputs', 'bold')}")
    for title, text in item.inputs.items():
        print(fill(f"{title}: {text}", width, initial_indent="  ", subsequent_indent="    "))
    print(f"\n{paint('When it fails', 'bold')}")
    print(fill(item.fails_when, width, initial_indent="  ", subsequent_indent="  "))
    print(f"\n{item.source}", end="")


def _write_new(path: str, item: Template) -> None:
    if path == "-":
        put_script(item.source.encode())
        return
    files.create(path, item.source.encode())
    note(f"{path}: written from the template {item.name}")
