"""`pinebench compile`: one script's verdict from the compiler of your choice."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pinebench.cli.compiler_option import add_compiler_arguments, compiler_of, in_words
from pinebench.cli.console import note, print_report, read_script, style_for
from pinebench.cli.exits import FINDINGS, FINE
from pinebench.cli.table import Subparsers
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.compilers.protocol import Verdict

_EPILOG = """\
examples:
  pinebench compile my.pine                        our checker, offline
  pinebench compile my.pine --with online          TradingView's own check; sends the script to TradingView
  pinebench compile my.pine --with chart           the Pine editor of the open chart
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "compile", description="Compile one script and report the compiler's verdict.", epilog=_EPILOG
    )
    parser.add_argument("file", metavar="FILE", help="the script; - reads standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_compiler_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compile, print the verdict, and return the exit code."""
    from pinebench.context import Context
    from pinebench.linter import locate
    from pinebench.linter.project import ScriptFindings, SourceFile
    from pinebench.linter.report import LintRun, json, text
    from pinebench.projects.findings_elsewhere import results_elsewhere
    from pinebench.syntax.lines import LineIndex

    name, file = read_script(args.file)
    verdict = compiler_of(args, path=args.file, bundles=True).compile(file.text, Context())
    found = locate(verdict.diagnostics, LineIndex(file.text), name)
    report = LintRun([ScriptFindings(SourceFile(name, file), found), *results_elsewhere(verdict)])
    unread = _unread(verdict)
    if args.format == "json":
        outcome: dict[str, object] = {
            "ok": verdict.ok, "origin": verdict.origin, "elapsed": round(verdict.elapsed, 3), "not_checked": unread
        }  # fmt: skip
        print_report(json.dump({**json.as_object(report), **outcome}))
    else:
        paint = style_for(sys.stdout)
        if found or verdict.elsewhere:
            sys.stdout.write(text.render(report, paint))
        word = paint(in_words(verdict.origin, ok=verdict.ok), "hint" if verdict.ok else "error")
        origin = printable(verdict.origin)
        print(f"{printable(name)}: {word} (origin: {origin}, {verdict.elapsed:.2f} s)")
        if unread:
            paths = printable(", ".join(unread))
            note(f"uses of {paths} were not checked, because the text is in none of the library-paths")
    return FINE if verdict.ok else FINDINGS


def _unread(verdict: Verdict) -> list[str]:
    """The libraries whose uses our check could not judge; none if another compiler judged."""
    from pinebench.compilers import OURS

    if verdict.origin not in OURS or verdict.program is None:
        return []
    return [each.path for each in verdict.program.unread_imports]
