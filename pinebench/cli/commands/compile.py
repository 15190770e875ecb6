"""`pinebench compile`: compile one script and report the compiler's verdict."""

from __future__ import annotations

import argparse
import sys

from pinebench.cli.compiler_option import add_compiler_arguments, compiler_of, in_words
from pinebench.cli.console import InputPath, note, print_report, read_script, style_for
from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.printable import printable

EPILOG = """\
examples:
  pinebench compile my.pine                        our checker, offline
  pinebench compile my.pine --with online          TradingView's own check; sends the script to TradingView
  pinebench compile my.pine --with chart           the Pine editor of the open chart
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=InputPath, metavar="FILE", help="the script; - reads standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    add_compiler_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Compile the script, print the verdict, and return the exit code."""
    from pinebench.context import Context
    from pinebench.linter import locate
    from pinebench.linter.project import LintedFile, ScriptFindings
    from pinebench.linter.report import LintRun, json, text
    from pinebench.projects.findings_elsewhere import results_elsewhere, unread_by
    from pinebench.syntax.lines import LineIndex

    name, file = read_script(args.file)
    verdict = compiler_of(args, path=args.file, bundles=True).compile(file.text, Context())
    found = locate(verdict.diagnostics, LineIndex(file.text), name)
    own = ScriptFindings(LintedFile(name, file), found, unread=unread_by(verdict))
    report = LintRun([own, *results_elsewhere(verdict)])
    if args.format == "json":
        outcome = {"ok": verdict.ok, "origin": verdict.origin, "elapsed": round(verdict.elapsed, 3)}
        print_report(json.dump({**json.as_object(report), **outcome}))
    else:
        paint = style_for(sys.stdout)
        if found or verdict.elsewhere:
            sys.stdout.write(text.render(report, paint))
        elif report.unread:
            note(text.not_checked(report.unread))
        word = paint(in_words(verdict.origin, ok=verdict.ok), "hint" if verdict.ok else "error")
        origin = printable(verdict.origin)
        print(f"{printable(name)}: {word} (origin: {origin}, {verdict.elapsed:.2f} s)")
    return FINE if verdict.ok else FINDINGS
