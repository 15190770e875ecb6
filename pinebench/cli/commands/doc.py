"""`pinebench doc`: write the description of a library, or compare its exports with an older version."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from pinebench import config
from pinebench.cli.console import InputPath, note, print_script, read_script, result_place
from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.projects.exports import Library

EPILOG = """\
examples:
  pinebench doc libs/me/Tools.pine                        the description, as TradingView makes it of the annotations
  pinebench doc libs/me/Tools.pine --format markdown      a page for people
  pinebench doc libs/me/Tools.pine --against old.pine     what is different for scripts that import it; 1 if any breaks

'pinebench lint --select publish' reports exports, parameters and fields without annotations.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("file", type=InputPath, metavar="LIBRARY", help="the library; - reads standard input")
    add("--format", choices=("text", "markdown"), default="text", help="the format of the description (default: text)")
    add("--against", metavar="OLD", help="an older version of the library, to compare the exports with")
    add("-o", "--output", metavar="FILE", type=result_place, help="write the result here (default: print it)")
    add("--force", action="store_true", help="replace a file that pinebench did not write")


def run(args: argparse.Namespace) -> int:
    """Write the description or the comparison, and return the exit code."""
    from pinebench.cli.run_options import check_outputs
    from pinebench.files import outputs
    from pinebench.projects import publication

    if args.against is not None and args.format != "text":
        raise UsageError(f"--against compares exports, and --format {args.format} is a description", "leave one out")
    check_outputs([args.output], [None if args.file == "-" else args.file, args.against], force=args.force)
    library, path = _read(args.file)
    breaks = False
    if args.against is not None:
        old, old_path = _read(args.against)
        found = publication.changes(old, library)
        breaks = any(each.breaks for each in found)
        text = "".join(f"{'breaks' if each.breaks else 'fine'}: {each.text}\n" for each in found)
        text = text or "no export has another name, parameter, field or value\n"
        note("the code of functions was not compared: it may compute other values, or return another type")
        note(_next_version(old_path))
    elif args.format == "markdown":
        text = publication.page(library, path)
    else:
        text = publication.description(library)
    if args.output is None:
        print_script(text)
    else:
        outputs.put(args.output, text.encode("utf-8"), force=args.force)
    return FINDINGS if breaks else FINE


def _read(file: str) -> tuple[Library, str]:
    """The library in a file, and the path by which scripts import it."""
    from pinebench.checker import open_program
    from pinebench.cli.failure_report import refuse_faulty
    from pinebench.projects.exports import library_of

    name, source = read_script(file)
    program = open_program(source.text, config.library_folders(file), fresh=True)
    refuse_faulty(program, name)
    library = library_of(program)
    if library is None:
        raise UsageError(f"{name} is not a library", "name a script that begins with library()")
    return library, _import_path(file, library.title)


def _import_path(file: str, title: str) -> str:
    """The path by which scripts import the library of a file: `USER/NAME/VERSION`, as far as its folders tell it."""
    folder, name = os.path.split(os.path.abspath(file))
    stem = os.path.splitext(name)[0]
    if stem.isdigit():
        return f"{os.path.basename(os.path.dirname(folder))}/{title}/{stem}"
    return f"{os.path.basename(folder)}/{title}/1" if file != "-" else f"USER/{title}/1"


def _next_version(old: str) -> str:
    """A line about the number of the next version. TradingView counts the publications of a library."""
    path, _, number = old.rpartition("/")
    if number.isdigit() and number != "1":
        return f"if {old} is the last version on TradingView, the next one is {path}/{int(number) + 1}"
    return "TradingView numbers the versions: the next version has the number of the last published version plus 1"
