"""`pinebench push`: put a script into the Pine editor of the open chart, and read it back to verify it."""

from __future__ import annotations

import argparse

from pinebench.cli.console import InputPath, note, read_script
from pinebench.cli.page import add_page_arguments
from pinebench.printable import printable

EPILOG = """\
examples:
  pinebench push my.pine                      into the Pine editor of the open chart
  pinebench compile my.pine --with chart      the same, then add it to the chart and read the verdict

A script that imports local libraries is bundled with them first; see 'pinebench bundle'.

The editor's undo brings the old text back, and a copy of it is kept in pinebench's state folder. Nothing is saved on
TradingView.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=InputPath, metavar="FILE", help="the script; - reads standard input")
    add_page_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Push the script, print one line, and return the exit code."""
    from pinebench.cli.page import connect
    from pinebench.projects.project import project_of
    from pinebench.tradingview.editor import PageEditor
    from pinebench.tradingview.page import Page

    _, source = read_script(args.file)
    project = project_of(source.text, args.file)
    with connect(args) as connection:
        written = PageEditor(Page(connection)).push(source.text if project is None else project.bundle.text)
    if written.normalised:
        note(f"the editor changed these parts of the text: {' and '.join(written.normalised)}")
    if project is not None:
        note(f"the script is bundled with its libraries: {', '.join(project.bundle.libraries)}")
    print(printable(f"{args.file}: {written.lines} lines are in the editor and were compared with the file"))
    return 0
