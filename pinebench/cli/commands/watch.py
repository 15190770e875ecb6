"""`pinebench watch`: compile Pine scripts whenever they are saved, and show the compiler's verdict."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pinebench import files
from pinebench.cli.compiler_option import add_compiler_arguments, compiler_of
from pinebench.cli.console import InputPath, Style, print_report, style_for
from pinebench.printable import json_text, printable

if TYPE_CHECKING:
    from contextlib import ExitStack

    from pinebench.cli.watch import WatchEvent
    from pinebench.compilers import Compiler

_MOST_SCRIPTS = 8
_MOST_FINDINGS = 10
_MOST_TOLD = 3

EPILOG = """\
examples:
  pinebench watch my.pine                  our checker, on every save
  pinebench watch scripts --push           put every script that compiles into the Pine editor of the open chart
  pinebench watch my.pine --with chart     the editor on the open chart compiles
  pinebench watch //server/share --poll    for folders whose system does not report changes

The first push replaces the text in the editor, keeps that text in a file, and names the file. Later, --push does not
write while the editor has a text that pinebench did not write; 'pinebench push FILE' replaces that text.

With our checker every script is compiled at the start, and again when a library that it imports is saved. With another
compiler, and with --push, a named file is compiled at the start and a folder's scripts when they are saved. A terminal
shows the verdicts in the same place; otherwise every event is one line of JSON (--format chooses). Ctrl+C ends it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add(
        "paths",
        type=InputPath,
        nargs="*",
        default=[InputPath(".")],
        metavar="PATH",
        help="scripts or folders (default: this folder)",
    )
    add("--push", action="store_true", help="put every script that compiles into the Pine editor of the open chart")
    add("--poll", action="store_true", help="check all files every second instead of waiting for reports of the system")
    add(
        "--format",
        choices=("live", "text", "json"),
        help="live: one view that is updated; text: one line for each event",
    )
    add_compiler_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Watch until a signal, such as Ctrl-C, arrives. Return the exit code."""
    from pinebench.cli.signals import until_stopped
    from pinebench.cli.watch import Watcher

    with until_stopped(), ExitStack() as stack:
        form = args.format or ("live" if sys.stdout.isatty() else "json")
        board = None if form == "json" else Board(args.compiler, style_for(sys.stdout))
        notify = (
            board.tell if board is not None and form == "live" else None
        )  # a printed line would destroy the live view
        options: dict[str, Any] = {"guarded": args.push, "notify": notify} if args.compiler == "chart" else {}
        compiler = compiler_of(args, bundles=True, **options)
        push = _pusher(args, stack, compiler, notify) if args.push else None
        at_start = args.compiler == "local" and push is None
        watcher = Watcher(args.paths, compiler, push=push, poll=args.poll, at_start=at_start)
        show = _json_lines if board is None else _drawn(board) if form == "live" else _text_lines(board)
        for event in watcher.run():
            show(event)
    return 0


def _pusher(
    args: argparse.Namespace, stack: ExitStack, compiler: Compiler, notify: Callable[[str], None] | None
) -> Callable[[str], str | None]:
    """Return a function that puts a source into the editor and returns the file with the replaced text, or None. It
    connects at the first push."""
    from pinebench.cli.page import connect
    from pinebench.tradingview.editor import PageEditor
    from pinebench.tradingview.page import Page

    # A compiler on the page already has an editor, which knows the texts that pinebench wrote.
    editor: PageEditor | None = getattr(compiler, "editor", None)
    if editor is None:
        editor = PageEditor(Page(stack.enter_context(connect(args, notify))), guarded=True)

    def push(source: str) -> str | None:
        kept = editor.push(source).kept
        return None if kept is None else str(kept)

    return push


def _json_lines(event: WatchEvent) -> None:
    print_report(json_text(_as_object(event)) + "\n")


def _as_object(event: WatchEvent) -> dict[str, Any]:
    from pinebench.cli.watch import ScriptCompiled, VerdictFailure, WatchStart

    if isinstance(event, WatchStart):
        return {"event": "watching", "scripts": event.scripts}
    if isinstance(event, VerdictFailure):
        return {"event": "failed", "path": event.path, "error": event.message, "hint": event.hint}
    if not isinstance(event, ScriptCompiled):
        return {"event": "removed", "path": event.path}
    from pinebench.linter.report import LintRun
    from pinebench.linter.report import json as report
    from pinebench.projects.findings_elsewhere import results_elsewhere

    listed = report.as_object(LintRun([_result(event), *results_elsewhere(event.verdict)]))
    return {
        "event": "compiled",
        "path": event.path,
        "ok": event.verdict.ok,
        "origin": event.verdict.origin,
        "elapsed": round(event.verdict.elapsed, 3),
        "pushed": event.pushed,
        "push_problem": event.push_problem,
        "replaced": event.replaced,
        "diagnostics": listed["diagnostics"],
        "not_checked": listed["not_checked"],
    }


def _result(event: Any) -> Any:
    from pinebench.linter import locate
    from pinebench.linter.project import LintedFile, ScriptFindings
    from pinebench.projects.findings_elsewhere import unread_by
    from pinebench.syntax.lines import LineIndex

    findings = locate(event.verdict.diagnostics, LineIndex(event.source), event.path)
    file = LintedFile(event.path, files.DecodedText(event.source))
    return ScriptFindings(file, findings, unread=unread_by(event.verdict))


def _drawn(board: Board) -> Callable[[WatchEvent], None]:
    from pinebench.cli.live import LiveView

    view = LiveView(sys.stdout)

    def show(event: WatchEvent) -> None:
        board.note(event, time.strftime("%H:%M:%S"))
        view.draw(board.lines())

    return show


def _text_lines(board: Board) -> Callable[[WatchEvent], None]:
    def show(event: WatchEvent) -> None:
        board.note(event, time.strftime("%H:%M:%S"))
        print_report("".join(f"{line}\n" for line in board.news(event)))

    return show


class Board:
    """The content of the live view: the last saved scripts with their verdicts, and the newest script's findings."""

    def __init__(self, compiler: str, paint: Style) -> None:
        self._compiler = compiler
        self._paint = paint
        self._scripts = 0
        self._rows: dict[str, str] = {}
        self._findings: list[str] = []
        self._told: list[str] = []

    def tell(self, line: str) -> None:
        """Add a note for the user, which is shown with the next event."""
        self._told = [*self._told, line][-_MOST_TOLD:]

    def note(self, event: WatchEvent, clock: str) -> None:
        """Add an event. `clock` is its time of day, such as `14:05:09`."""
        from pinebench.cli.watch import ScriptCompiled, VerdictFailure, WatchStart
        from pinebench.linter.report.text import not_checked
        from pinebench.projects.findings_elsewhere import results_elsewhere

        if isinstance(event, WatchStart):
            self._scripts = event.scripts
            return
        self._rows.pop(event.path, None)
        self._findings = []
        if isinstance(event, ScriptCompiled):
            results = (_result(event), *results_elsewhere(event.verdict))
            findings = [each for result in results for each in result.findings]
            self._rows[event.path] = self._verdict(event, clock)
            self._findings = [self._finding(finding, event.path) for finding in findings[:_MOST_FINDINGS]]
            if len(findings) > _MOST_FINDINGS:
                self._findings.append(self._paint(f"    and {len(findings) - _MOST_FINDINGS} more", "dim"))
            if results[0].unread:
                self._findings.append(self._paint(f"    {not_checked(results[0].unread)}", "dim"))
        elif isinstance(event, VerdictFailure):
            self._rows[event.path] = (
                f"{self._paint('?', 'warning')} {self._paint(clock, 'dim')} {printable(event.path)}"
            )
            self._findings = [f"    {printable(words)}" for words in (event.message, event.hint) if words]

    def news(self, event: WatchEvent) -> list[str]:
        """Return the lines about the last event that was added."""
        from pinebench.cli.watch import ScriptRemoval, WatchStart

        if isinstance(event, WatchStart):
            return [self._title()]
        if isinstance(event, ScriptRemoval):
            return [self._paint(f"{printable(event.path)} was removed", "dim")]
        return [self._rows[event.path], *self._findings]

    def _title(self) -> str:
        from pinebench.amounts import counted

        scripts = counted(self._scripts, "script")
        return self._paint(f"watching {scripts}, compiler: {self._compiler} (Ctrl+C ends)", "dim")

    def lines(self) -> list[str]:
        """Return the lines to draw, the newest verdict first."""
        rows = list(reversed(self._rows.values()))[:_MOST_SCRIPTS]
        return [self._title(), *rows[:1], *self._findings, *rows[1:], *self._told]

    def _verdict(self, event: Any, clock: str) -> str:
        verdict = event.verdict
        counts = [f"{len(verdict.errors)} errors", f"{len(verdict.warnings)} warnings"]
        said = ", ".join(text.removesuffix("s") if text.startswith("1 ") else text for text in counts)
        mark = self._paint("✓", "hint") if verdict.ok else self._paint("✗", "error")
        pushed = {None: "", True: ", pushed", False: f", not pushed: {event.push_problem}"}[event.pushed]
        detail = self._paint(f"({verdict.origin}, {verdict.elapsed * 1000:.0f} ms{pushed})", "dim")
        return f"{mark} {self._paint(clock, 'dim')} {said}  {self._paint(event.path, 'bold')} {detail}"

    def _finding(self, finding: Any, script: str) -> str:
        level = finding.severity.label
        place = f"{finding.line}:{finding.column}"
        if finding.path != script:
            place = f"{printable(finding.path)}:{place}"
        message = printable(finding.message.replace("\n", " "))
        return f"    {place:>8} {self._paint(level, level)} {self._paint(finding.code, 'dim')} {message}"
