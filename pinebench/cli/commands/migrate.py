"""`pinebench migrate`: convert scripts of Pine v3, v4 and v5 to v6, and report the differences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pinebench import config, files
from pinebench.cli.console import (
    add_config_argument,
    add_paths_argument,
    note,
    output_path,
    print_diff,
    print_report,
    put_script,
    read_script,
    result_place,
    tell_error,
)
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse

    from pinebench.linter.project import FileProblem, LintedFile
    from pinebench.migration import Migration

EPILOG = """\
examples:
  pinebench migrate old.pine            report the changes, the differences, and code to check
  pinebench migrate old.pine --diff     show the change
  pinebench migrate scripts --write     change the scripts; the originals are kept in the state folder
  pinebench migrate - < old.pine        from standard input to standard output; the report goes to stderr

The report has three kinds of lines: "changed" was rewritten with the same meaning, "differs" behaves differently in
v6, and "look" needs a decision of a person, also about code that v6 refuses; --write writes such a script too. Scripts
of v6 and scripts with syntax errors are left alone.
"""
_WORDS = {"changed": "changed", "differs": "differs", "look": "look at"}

USAGE = "PATH... [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add_paths_argument(add)
    add("--write", action="store_true", help="change the scripts; each original is kept")
    add("--diff", action="store_true", help="show what would change")
    add(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        help="write the v6 version of one script here (-: print it), and leave it alone",
    )
    add("--force", action="store_true", help="also replace a file that pinebench did not write")
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_config_argument(add)


def run(args: argparse.Namespace) -> int:
    """Migrate the scripts, report the differences, and return the exit code."""
    from pinebench.linter import project

    if args.write and args.diff:
        raise UsageError("--diff writes nothing, so --write has no effect with it", "leave one of them out")
    if args.diff and args.format == "json":
        raise UsageError("--diff prints a diff, and --format json prints a report", "leave one of them out")
    if args.output is not None and (len(args.paths) != 1 or args.write or args.diff):
        raise UsageError("-o takes the result of one script only", "name one script, without --write and --diff")
    if "-" in args.paths or args.output is not None:
        return _one(args)
    problems: list[FileProblem] = []
    found = project.discover(args.paths, lambda path: config.is_excluded(path, args.config), problems)
    scripts = project.read_scripts(found, problems, changing=True)
    told: list[dict[str, Any]] = []
    for script in scripts:
        done = _migrated(script, args)
        written = False
        if args.write and done.text != script.text:
            try:
                _save(script, done, args.config)
                written = True
            except UsageError as error:
                problems.append(project.FileProblem(script.path, error.message, error.hint))
        told.append(_as_object(script, done, written=written))
        if args.diff and done.text != script.text:
            print_diff(script.text, done.text, script.path)
        elif args.format == "text":
            _print(told[-1], sys.stdout)
    for problem in problems:
        tell_error(problem.message, problem.hint)
    if args.format == "json":
        _print_json(told, problems)
    else:
        _sum_up(told, args)
    if problems:
        return 2
    return int(any(each["refused"] or each["errors"] for each in told))


def _migrated(script: LintedFile, args: argparse.Namespace) -> Migration:
    from pinebench.migration import migrate

    return migrate(script.text, config.library_folders(script.path, args.config))


def _one(args: argparse.Namespace) -> int:
    """Migrate standard input, or one script whose result goes to another file."""
    from pinebench.files.outputs import refuse_to_replace
    from pinebench.linter.project import LintedFile

    if len(args.paths) > 1:
        raise UsageError("- (standard input) must be the only path", "leave the other paths out")
    if args.write:
        raise UsageError("--write has no effect with - (standard input): the result is printed", "leave --write out")
    output = None if args.output is None else result_place(args.output)
    if output is not None and args.paths != ["-"]:
        refuse_to_replace(output, args.paths, "use --write instead of -o")
    script = LintedFile(*read_script(args.paths[0], changing=True))
    done = _migrated(script, args)
    told = _as_object(script, done, written=False)
    if output is not None and not done.refused:
        put_script(script.file.encode(done.text), output, force=args.force)
    if args.format == "json":
        _print_json([{**told, "text": done.text}], [])
    else:
        _print(told, sys.stderr)
        if not args.diff and output is None:
            put_script(script.file.encode(done.text))
        elif args.diff and done.text != script.text:
            print_diff(script.text, done.text, script.path)
    return int(bool(done.refused or done.errors))


def _save(script: LintedFile, done: Migration, settings: str | None) -> None:
    """Write the migrated script to the file of the old one, and keep a copy of the old one.

    Raises UsageError if the file cannot be written, if it has changed meanwhile, or if the migrated script has more
    errors than the report says.
    """
    from pinebench.checker import open_program
    from pinebench.diagnostics import Severity
    from pinebench.files import originals

    program = open_program(done.text, config.library_folders(script.path, settings))
    left = [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
    if len(left) > len(done.errors):
        raise UsageError(
            f"{script.path} was not changed: the migrated script has errors that the report does not mention"
        )
    held = script.file.encode(script.text)
    kept = originals.keep(script.path, held)
    said = files.replace(script.path, script.file.encode(done.text), held)
    note(f"{script.path}: the original is kept as {kept}")
    if said:
        note(said)


def _as_object(script: LintedFile, done: Migration, *, written: bool) -> dict[str, Any]:
    return {
        "path": script.path,
        "version": done.version,
        "changed": done.text != script.text,
        "written": written,
        "refused": done.refused,
        "errors": len(done.errors),
        "remarks": [
            {"kind": remark.kind.value, "line": remark.line, "was": remark.was, "text": remark.text}
            for remark in done.remarks
        ],
    }


def _print(told: dict[str, Any], stream: Any) -> None:
    path = printable(told["path"])
    if told["refused"]:
        print(f"{path}: not changed: {printable(told['refused'])}", file=stream)
        return
    if not told["changed"]:
        return
    for remark in told["remarks"]:
        was = "" if remark["was"] == remark["line"] else f" (was {remark['was']})"
        print(f"{path}:{remark['line']}{was}: {_WORDS[remark['kind']]}: {printable(remark['text'])}", file=stream)


def _print_json(told: list[dict[str, Any]], problems: list[FileProblem]) -> None:
    from pinebench.linter.report import json

    unreadable = [{"path": problem.path, "message": problem.message} for problem in problems]
    print_report(json.dump({"version": 1, "files": told, "problems": unreadable}))


def _sum_up(told: list[dict[str, Any]], args: argparse.Namespace) -> None:
    from pinebench.amounts import counted
    from pinebench.migration.migration import NEWEST

    done = sum(each["written" if args.write else "changed"] for each in told)
    refused = sum(bool(each["refused"]) for each in told)
    errors = sum(bool(each["errors"]) for each in told)
    verb = "migrated" if args.write else "would be migrated"
    parts = [f"{done} of {counted(len(told), 'script')} {verb}"]
    new = sum(each["version"] == NEWEST for each in told)
    if new:
        parts.append(f"{new} {'are' if new > 1 else 'is'} already Pine v{NEWEST}")
    if errors:
        parts.append(f"{errors} with errors left")
    if refused:
        parts.append(f"{refused} not changed")
    note(", ".join(parts))
