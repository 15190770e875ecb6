"""`pinebench bundle`: write a script and its local libraries as one script for TradingView, with a source map."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pinebench import config, files
from pinebench.cli.console import (
    InputPath,
    add_config_argument,
    note,
    print_script,
    read_script,
    result_place,
    tell_error,
)
from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.errors import PinebenchError, UsageError
from pinebench.printable import json_text

if TYPE_CHECKING:
    from pinebench.checker import Program
    from pinebench.projects.project import Project

EPILOG = """\
examples:
  pinebench bundle main.pine -o out.pine            one script, and its source map out.pine.map.json
  pinebench bundle main.pine -o out.pine --check    and run both: plots, drawings, alerts and trades must be the same
  pinebench bundle out.pine --where 45:3            the file, line and column of a place in a bundle

Local libraries are the ones whose source is in one of the library-paths of pinebench.toml. The script gets the parts
of them that it uses; published libraries stay imports. 'push', 'watch', 'verify --script' and 'compile --with
chart' bundle by themselves.
"""
_BARS = "sample:AAPL@60x500"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("file", type=InputPath, metavar="MAIN", help="the script; - reads standard input")
    add(
        "-o",
        "--output",
        metavar="OUT",
        type=result_place,
        help="write the bundle here, and its map to OUT.map.json (default: print it)",
    )
    add("--force", action="store_true", help="replace files that pinebench did not write")
    add("--check", action="store_true", help="run the script and the bundle, and fail if anything differs")
    add("--data", type=InputPath, metavar="BARS", help=f"the bars of --check, as in 'pinebench run' (default: {_BARS})")
    add(
        "--where",
        metavar="LINE[:COLUMN]",
        help="print the source file and position of this position in MAIN, which is a bundle",
    )
    add_config_argument(add)


def run(args: argparse.Namespace) -> int:
    """Bundle the script, write the files, and return the exit code."""
    from pinebench.checker import open_program
    from pinebench.cli.failure_report import refuse_faulty
    from pinebench.projects.project import library_files, project_of
    from pinebench.projects.refusals import NotBundled

    if args.where is not None:
        return _where(args)
    _check_places(args)
    name, source = read_script(args.file)
    folders = config.library_folders(args.file, args.config)
    program = open_program(source.text, folders, fresh=True)
    refuse_faulty(program, name)
    libraries = library_files(program, folders)
    _check_places(args, *libraries.values())
    try:
        _refuse_faulty_libraries(program, libraries)
        project = project_of(source.text, args.file, args.config)
    except NotBundled as refused:
        for each in refused.refusals:
            tell_error(str(each))
        raise PinebenchError(
            f"{name} cannot be bundled", "correct the script at the positions above; nothing was written"
        ) from None
    if project is None:
        note(f"{name}: imports no local library, so the bundle is the script itself")
        _write(args, source.text, None)
        return FINE
    if args.check and not _is_same(args, name, source.text, project):
        return FINDINGS
    _write(args, project.bundle.text, project)
    return FINE


def _refuse_faulty_libraries(program: Program, files: dict[str, str]) -> None:
    from pinebench.projects.bundle import library_faults
    from pinebench.projects.refusals import NotBundled, Refusal

    faults = library_faults(program, files)
    if faults:
        raise NotBundled([Refusal(each.file, each.position, f"{each.code} {each.message}") for each in faults])


def _check_places(args: argparse.Namespace, *libraries: str) -> None:
    """Raise UsageError if the outputs cannot be written, or if they would replace what this run reads."""
    from pinebench.cli.run_options import check_outputs

    if args.output is not None:
        places: list[str | None] = [args.output, _map_of(args.output)]
        check_outputs(
            places, [None if args.file == "-" else args.file, args.data, args.config, *libraries], force=args.force
        )


def _map_of(path: str) -> str:
    return f"{path}.map.json"


def _write(args: argparse.Namespace, text: str, project: Project | None) -> None:
    from pinebench.files import outputs

    if args.output is None:
        print_script(text)
    else:
        outputs.put(args.output, text.encode("utf-8"), force=args.force)
    if project is None:
        return
    if args.output is not None:
        plain = json_text(project.bundle.source_map.encode()) + "\n"
        outputs.put(_map_of(args.output), plain.encode("utf-8"), force=args.force)
    libraries = project.bundle.libraries
    note(
        f"{len(libraries)} {'library is' if len(libraries) == 1 else 'libraries are'} part of the script: "
        f"{', '.join(libraries)}"
    )
    note(
        "TradingView now counts them as part of the script: at most 100,000 compiled tokens, which only "
        "TradingView can count"
    )


def _is_same(args: argparse.Namespace, name: str, text: str, project: Project) -> bool:
    """Run the script and its bundle, print what was compared, and return whether both do the same."""
    from pinebench.market import bar_choice
    from pinebench.projects.comparison import compared
    from pinebench.workers.request import Request

    chart = bar_choice.choose(bar_choice.names([args.data or _BARS])).chart
    folders = config.library_folders(args.file, args.config)
    found = compared(Request(text, chart.bars, chart.symbol, samples=True, libraries=folders), project.bundle)
    for words in found.differences or ([] if found.ran else [found.account]):
        tell_error(f"{name}: {words}")
    if found.differences or not found.ran:
        return False
    note(found.account)
    return True


def _where(args: argparse.Namespace) -> int:
    """Print the position in the original file that a position in the bundle comes from."""
    from pinebench.diagnostics import TextPosition
    from pinebench.projects.source_map import decode
    from pinebench.syntax.lines import LineIndex

    line, _, column = args.where.partition(":")
    if not line.isdecimal() or not (column.isdecimal() or not column) or args.output or args.check:
        raise UsageError(f"--where {args.where}: expected LINE or LINE:COLUMN, without -o and --check")
    _, bundle = read_script(args.file)
    lines = LineIndex(bundle.text)
    wanted = TextPosition(int(line), int(column or 1))
    if lines.position(lines.offset(*wanted)) != wanted:
        raise UsageError(f"--where {args.where}: {args.file} has no such place", f"name one in its {len(lines)} lines")
    try:
        found = decode(files.read_bytes(_map_of(args.file)), _map_of(args.file))
    except files.MissingFile as error:
        hint = f"name a bundle: 'pinebench bundle {args.file} -o OUT' writes OUT with its map beside it"
        raise UsageError(error.message, hint) from None
    if not found.fits(bundle.text):
        raise UsageError(f"{args.file} was changed after its source map was made", "bundle the script again")
    if column:
        place = found.place(wanted)
        told = None if place is None else f"{place.file}:{place.start.line}:{place.start.column}"
    else:
        first = found.line(int(line))
        told = None if first is None else f"{first[0]}:{first[1]}"
    if told is None:
        tell_error(f"{args.file}:{args.where}: this text comes from no source file", "bundling added it")
        return FINDINGS
    sys.stdout.write(f"{told}\n")
    return FINE
