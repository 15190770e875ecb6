"""Compiles a script for an editor."""

from __future__ import annotations

from typing import Any

from pinebench import compilers
from pinebench.amounts import counted
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.files import DecodedText
from pinebench.linter import locate
from pinebench.linter.project import LintedFile, ScriptFindings
from pinebench.linter.report import LintRun
from pinebench.linter.report import json as report
from pinebench.projects.compiler import BundlingCompiler
from pinebench.projects.findings_elsewhere import results_elsewhere, unread_by
from pinebench.syntax.lines import LineIndex


def compile_script(text: str, path: str, folders: tuple[str, ...], who: str, context: Context) -> dict[str, Any]:
    """Return the verdict of the compiler `who` (local, online, chart) on a script, as `compile --format json` prints
    it.

    `path` is the script's file, and `folders` lists the library folders. Raises PinebenchError if the compiler cannot
    be reached.
    """
    if who not in compilers.CHOICES:
        raise UsageError(f"there is no compiler '{who}'", f"the compilers are {', '.join(compilers.CHOICES)}")
    compiler = LocalCompiler(folders) if who == "local" else BundlingCompiler(compilers.get(who), path, folders)
    verdict = compiler.compile(text, context)
    found = locate(verdict.diagnostics, LineIndex(text), path)
    own = ScriptFindings(LintedFile(path, DecodedText(text)), found, unread=unread_by(verdict))
    run = LintRun([own, *results_elsewhere(verdict)])
    outcome = {"ok": verdict.ok, "origin": verdict.origin, "elapsed": round(verdict.elapsed, 3)}
    return {**report.as_object(run), **outcome}


def summary(result: dict[str, Any]) -> str:
    """Summarize a verdict in one line."""
    errors, warnings = result["summary"]["errors"], result["summary"]["warnings"]
    passed = "passes pinebench's check" if result["origin"] in compilers.OURS else "compiles"
    told = passed if result["ok"] else counted(errors, "error")
    more = f", {counted(warnings, 'warning')}" if warnings else ""
    unread = result["not_checked"]
    more += f", but uses of {', '.join(unread)} were not checked" if unread else ""
    return f"{told}{more} (origin: {result['origin']}, {result['elapsed']:.2f} s)"
