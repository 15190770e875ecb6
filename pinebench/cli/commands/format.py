"""`pinebench format`: format Pine scripts by the style guide: four spaces per block, spaces around operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import config
from pinebench.cli.console import (
    add_config_argument,
    add_paths_argument,
    note,
    output_path,
    print_diff,
    put_script,
    read_script,
    result_place,
    tell_error,
)
from pinebench.errors import UsageError
from pinebench.printable import json_text, printable

if TYPE_CHECKING:
    import argparse

    from pinebench.formatting import FormatStyle
    from pinebench.linter import project
    from pinebench.linter.project import LintedFile

EPILOG = """\
examples:
  pinebench format my.pine          reformat it in place
  pinebench format scripts --check  name the scripts that would change, and change nothing; for CI
  pinebench format my.pine --diff   show what would change
  pinebench format - < my.pine      from standard input to standard output

Only white space changes. A script's behaviour, comments and line ends stay the same. Lines between the comments
// format: off and // format: on stay as they are. Keys of section [format] in pinebench.toml: width (of code, default
120) and align (keep aligned columns, default true).
"""

USAGE = "[PATH]... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add_paths_argument(add, default="this folder")
    add("--check", action="store_true", help="name the scripts that would change and change nothing")
    add("--diff", action="store_true", help="show what would change and change nothing")
    add(
        "--force-exclude",
        action="store_true",
        help="leave out files that the configuration excludes, even if they are named",
    )
    add(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        help="write the result of one script here (-: print it), and leave it alone",
    )
    add("--force", action="store_true", help="also replace a file that pinebench did not write")
    add("--format", choices=("text", "json"), default="text", help="the format of the report (default: text)")
    add_config_argument(add)


def _refuse_contradictions(args: argparse.Namespace) -> None:
    if args.format == "json" and ("-" in args.paths or args.output is not None):
        raise UsageError(
            "--format json reports what happened to files", "leave it out, and the formatted script is printed"
        )
    if args.output is not None and (len(args.paths) != 1 or args.check or args.diff):
        raise UsageError("-o is for the result of one script", "name one script, without --check and --diff")


def run(args: argparse.Namespace) -> int:
    """Format the scripts, report the changes, and return the exit code."""
    from pinebench.linter import project

    _refuse_contradictions(args)
    if "-" in args.paths or args.output is not None:
        return _one(args)
    problems: list[project.FileProblem] = []
    found = project.discover(
        args.paths or ["."],
        lambda path: config.is_excluded(path, args.config),
        problems,
        force_exclude=args.force_exclude,
    )
    scripts = project.read_scripts(found, problems, changing=True)
    changed = broken = 0
    told: list[dict[str, object]] = []
    for script in scripts:
        after, refused = _formatted(script, args)
        broken += refused
        changes = after.text != script.text
        told.append({"path": script.path, "changes": changes, "has_syntax_errors": refused})
        if not changes:
            continue
        try:
            _show_or_save(script, after, args)
            changed += 1
        except UsageError as error:
            problems.append(project.FileProblem(script.path, error.message, error.hint))
    for problem in problems:
        tell_error(problem.message, problem.hint)
    if args.format == "json":
        _print_json(args, told, problems)
    _sum_up(args, changed, len(scripts))
    if problems:
        return 2
    return int(bool(broken or (changed and (args.check or args.diff))))


def _print_json(args: argparse.Namespace, told: list[dict[str, object]], problems: list[project.FileProblem]) -> None:
    """Print what became of each script: `written` says whether the formatted text was saved."""
    failed = {problem.path for problem in problems}
    only_shown = args.check or args.diff
    scripts = [
        {**each, "written": bool(each["changes"]) and not only_shown and each["path"] not in failed} for each in told
    ]
    errors = [{"path": each.path, "message": each.message, "hint": each.hint} for each in problems]
    print(json_text({"version": 1, "scripts": scripts, "errors": errors}))


def _one(args: argparse.Namespace) -> int:
    """Format standard input, or one script whose result goes to another file."""
    from pinebench.files.outputs import refuse_to_replace
    from pinebench.linter.project import LintedFile

    if len(args.paths) > 1:
        raise UsageError("- (standard input) must be the only path", "leave the other paths out")
    output = None if args.output is None else result_place(args.output)
    if output is not None and args.paths != ["-"]:
        refuse_to_replace(output, args.paths, "leave -o out: format writes the script in place")
    script = LintedFile(*read_script(args.paths[0], changing=True))
    after, refused = _formatted(script, args)
    changes = after.text != script.text
    if args.diff and changes:
        print_diff(script.text, after.text, script.path)
    if not args.diff and not args.check:
        put_script(after.file.encode(after.text), output, force=args.force)
    return int(refused or (changes and (args.check or args.diff)))


def _formatted(script: LintedFile, args: argparse.Namespace) -> tuple[LintedFile, bool]:
    """The formatted script, and whether syntax errors prevented the formatting."""
    from pinebench.formatting import format_text

    result = format_text(script.text, _style(script.path, args))
    if result.reason:
        note(f"{script.path}: not changed: {result.reason}")
    return script.with_text(result.text), result.broken


def _style(path: str, args: argparse.Namespace) -> FormatStyle:
    from pinebench.formatting import FormatStyle

    settings = config.resolved("format", path, args.config)
    return FormatStyle(settings["width"].value, settings["align"].value)


def _show_or_save(before: LintedFile, after: LintedFile, args: argparse.Namespace) -> None:
    from pinebench.linter.project import FixedScript, save_script

    if args.check and args.format == "text":
        print(printable(f"{before.path} would be reformatted"))
    if args.diff and args.format == "text":
        print_diff(before.text, after.text, before.path)
    if not args.check and not args.diff:
        save_script(FixedScript(before, after, 1))
        note(f"{before.path}: reformatted")


def _sum_up(args: argparse.Namespace, changed: int, seen: int) -> None:
    from pinebench.amounts import counted

    if args.diff or not seen:
        return
    would = "would be " if args.check else ""
    note(f"{changed} of {counted(seen, 'script')} {would}reformatted")
