"""`pinebench compare`: show where pinebench and TradingView judge scripts differently, script by script."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from pinebench import config
from pinebench.cli.compiler_option import add_compiler_arguments, compiler_of
from pinebench.cli.console import (
    Progress,
    add_config_argument,
    add_paths_argument,
    positive,
    print_report,
    read_script,
    style_for,
    tell_error,
)
from pinebench.cli.exit_codes import INTERRUPTED
from pinebench.printable import json_text, printable
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from pinebench.cli.compare import ReducedScript, Side, VerdictComparison, VerdictDifference
    from pinebench.cli.console import Style
    from pinebench.compilers import Compiler
    from pinebench.context import Context
    from pinebench.errors import UnavailableError
    from pinebench.linter import Finding
    from pinebench.linter.project import FileProblem, LintedFile

EPILOG = """\
examples:
  pinebench compare my.pine --with online             TradingView's own check; sends the script to TradingView
  pinebench compare scripts --with chart              the Pine editor of the open chart
  pinebench compare my.pine --with online --reduce    and a few lines that show the difference, fit for a report

Only the named scripts are sent, and with --reduce parts of them, one at a time and half a second apart.
"""


class _ScriptComparison(NamedTuple):
    script: LintedFile
    comparison: VerdictComparison
    reduced: ReducedScript | None


USAGE = "PATH... --with online|chart [OPTION]..."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add_paths_argument(add)
    add("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add("--reduce", action="store_true", help="shrink each script with a difference to a few lines that still show it")
    add(
        "--limit",
        type=positive,
        metavar="N",
        help="with --reduce: compile at most N times for each script (default: 200)",
    )
    add_config_argument(add)
    add_compiler_arguments(parser, None, others_only=True)


def run(args: argparse.Namespace) -> int:
    """Compare the verdicts, print the differences, and return the exit code."""
    from pinebench.linter import project

    problems: list[FileProblem] = []
    paths = [path for path in args.paths if path != "-"]
    found = project.discover(paths, lambda path: config.is_excluded(path, args.config), problems)
    scripts = project.read_scripts(found, problems)
    if "-" in args.paths:
        scripts.append(project.LintedFile(*read_script("-")))
    compared, interrupted = _compare_all(args, scripts, problems)
    if args.format == "json":
        print_report(_as_json(args, compared, problems))
    elif compared:
        print_report(_as_text(args, compared, style_for(sys.stdout)))
    for problem in problems:
        tell_error(problem.message, problem.hint)
    if interrupted:
        return INTERRUPTED
    differ = any(each.comparison.kind for each in compared)
    return max((problem.exit_code for problem in problems), default=int(differ))


def _compare_all(
    args: argparse.Namespace, scripts: list[LintedFile], problems: list[FileProblem]
) -> tuple[list[_ScriptComparison], bool]:
    """The results of the scripts that could be compared, and whether Ctrl-C ended the work."""
    from pinebench.cli import compare as comparing
    from pinebench.compilers import CompilerUnavailable
    from pinebench.context import Context

    compared: list[_ScriptComparison] = []
    if not scripts:
        return compared, False
    compiler = compiler_of(args, path=scripts[0].path)
    with Progress() as progress:
        for number, script in enumerate(scripts):
            place = f"{script.path} ({number + 1} of {len(scripts)})"
            progress.show(place)
            context = Context(progress=lambda text, _, place=place: progress.show(f"{place}: {text}"))
            libraries = config.library_folders(script.path, args.config)
            try:
                # Our verdict comes first, because a script that we cannot judge must not be sent.
                one = comparing.ours(script.text, libraries)
            except CompilerUnavailable as error:
                problems.append(_problem([script], error))
                continue
            try:
                compared.append(_compare(args, script, one, compiler, context, libraries))
            except CompilerUnavailable as error:
                # A compiler that does not answer now is not asked about the other scripts.
                problems.append(_problem(scripts[number:], error))
                return compared, False
            except KeyboardInterrupt:
                return compared, True
            reduced = compared[-1].reduced
            if reduced is not None and reduced.ended == comparing.INTERRUPTED:
                return compared, True
    return compared, False


def _problem(scripts: list[LintedFile], error: UnavailableError) -> FileProblem:
    """The problem to report for scripts that could not be compared."""
    from pinebench.linter.project import FileProblem

    path = scripts[0].path
    others = f" and {len(scripts) - 1} more" if len(scripts) > 1 else ""
    return FileProblem(path, f"{path}{others}: {error.message}", error.hint, "not-compared", error.exit_code)


def _compare(
    args: argparse.Namespace,
    script: LintedFile,
    one: Side,
    compiler: Compiler,
    context: Context,
    libraries: tuple[str, ...],
) -> _ScriptComparison:
    from pinebench.cli import compare as comparing

    other = comparing.theirs(compiler.compile(script.text, context), script.text)
    found = comparing.compare(one, other)
    if not args.reduce or not found.kind:
        return _ScriptComparison(script, found, None)
    limit = args.limit or comparing.LIMIT
    return _ScriptComparison(script, found, comparing.reduce(script.text, found, compiler, context, libraries, limit))


def _as_text(args: argparse.Namespace, compared: list[_ScriptComparison], paint: Style) -> str:
    from pinebench.amounts import counted

    lines: list[str] = []
    for each in compared:
        path = paint(each.script.path, "bold")
        if not each.comparison.kind:
            lines.append(f"{path}: {paint('the same', 'hint')}")
            continue
        lines.append(f"{path}: {paint(_verdicts(each.comparison), 'error')}")
        lines += _table(each.comparison)
        if each.reduced is not None:
            lines += _reduced(each.reduced)
    differ = sum(1 for each in compared if each.comparison.kind)
    scripts = counted(len(compared), "script")
    lines.append(f"{scripts} compared with {args.compiler}: {len(compared) - differ} agree, {differ} differ")
    return "\n".join(lines) + "\n"


def _verdicts(found: VerdictComparison) -> str:
    if found.ours.ok == found.theirs.ok:
        return (
            "both accept it, but with different findings"
            if found.ours.ok
            else "both refuse it, but with different findings"
        )
    return (
        "TradingView refuses it, but pinebench does not"
        if found.ours.ok
        else "pinebench refuses it, but TradingView does not"
    )


def _table(found: VerdictComparison) -> list[str]:
    from pinebench.amounts import aligned

    rows = [_row(each) for each in found.differences]
    return [f"  {line}" for line in aligned(rows, 4)]


def _row(each: VerdictDifference) -> tuple[str, str, str, str]:
    """The cells of one row: who reports the finding, its place, its severity and code, and its message, with the place
    or message that TradingView has instead."""
    finding = each.finding
    who = "both" if each.other else "TradingView" if each.side == "theirs" else "pinebench"
    words = finding.message.partition("\n")[0]
    if each.kind == "place" and each.other:
        words = f"{words} (TradingView: {each.other.line}:{each.other.column})"
    elif each.kind == "words" and each.other:
        words = f"{words} (TradingView: {each.other.message.partition(chr(10))[0]})"
    place = f"{finding.line}:{finding.column}"
    return who, place, f"{finding.severity.label} {printable(finding.code)}", printable(words)


def _reduced(reduced: ReducedScript) -> list[str]:
    times = "once" if reduced.compilations == 1 else f"{reduced.compilations} times"
    ended = f"; ended early: {printable(reduced.ended)}" if reduced.ended else ""
    head = f"  {reduced.lines} lines show it (compiled {times}{ended}):"
    return [head, "", *(printable(line, keep="\t") for line in reduced.text.splitlines()), ""]


def _as_json(args: argparse.Namespace, compared: list[_ScriptComparison], problems: list[FileProblem]) -> str:
    differ = sum(1 for each in compared if each.comparison.kind)
    failed = [{"path": each.path, "message": each.message, "hint": each.hint} for each in problems]
    report = {
        "version": 1,
        "with": args.compiler,
        "files": [_plain(each) for each in compared],
        "problems": failed,
        "summary": {"files": len(compared), "same": len(compared) - differ, "different": differ},
    }
    return json_text(report, indent=2) + "\n"


def _plain(each: _ScriptComparison) -> dict[str, Any]:
    found, reduced = each.comparison, each.reduced
    return {
        "path": each.script.path,
        "difference": found.kind,
        "ours": {"ok": found.ours.ok, "findings": [_finding(finding) for finding in found.ours.findings]},
        "theirs": {"ok": found.theirs.ok, "findings": [_finding(finding) for finding in found.theirs.findings]},
        "differences": [
            {
                "kind": one.kind,
                "side": one.side,
                **_finding(one.finding),
                "other": None if one.other is None else _finding(one.other),
            }
            for one in found.differences
        ],
        "reduced": None
        if reduced is None
        else {
            "source": reduced.text,
            "lines": reduced.lines,
            "compilations": reduced.compilations,
            "ended": reduced.ended or None,
        },
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "line": finding.line,
        "column": finding.column,
        "severity": finding.severity.label,
        "code": finding.code,
        "message": finding.message,
    }
