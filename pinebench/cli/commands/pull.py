"""`pinebench pull`: fetch the script in the Pine editor of the open chart."""

from __future__ import annotations

import argparse

from pinebench.cli import run_options
from pinebench.cli.console import note, print_script
from pinebench.cli.page import add_page_arguments

EPILOG = """\
examples:
  pinebench pull                the script to standard output
  pinebench pull -o my.pine     into a file, which is replaced only where pull wrote it last and nobody changed it
  pinebench pull | pinebench lint -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    run_options.add_output_arguments(parser.add_argument, "write to this file (default: standard output)")
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Fetch the script, print or write it, and return the exit code."""
    from pinebench.cli.page import connect
    from pinebench.files import outputs
    from pinebench.tradingview.editor import PageEditor, normalise
    from pinebench.tradingview.page import Page

    if args.output:
        outputs.check(args.output, force=args.force)
    with connect(args) as connection, connection.exclusive():  # not in the middle of another process's compile
        text, _ = normalise(PageEditor(Page(connection)).read())
    if args.output:
        said = outputs.put(args.output, text.encode("utf-8", "surrogatepass"), force=args.force)
        note(f"{text.count(chr(10)) + 1} lines are in {args.output}")
        if said:
            note(said)
    else:
        print_script(text)
    return 0
