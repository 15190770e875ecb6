"""Checks scripts in the background while a person types. Findings are only shown if they belong to the current text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pinebench.diagnostics import Diagnostic
from pinebench.tui.script_tab import ScriptTab
from pinebench.tui.syntax_colors import Piece

if TYPE_CHECKING:
    from pinebench.services import ScriptView
    from pinebench.services.tokens import Token
    from pinebench.tui.base_workbench import BaseWorkbench

REST = 0.6
"""Seconds after a check until names are coloured by their meaning, if the text has not changed by then."""
_MEANT = {
    "parameter": "parameter",
    "property": "property",
    "enumMember": "property",
    "type": "type",
    "enum": "type",
    "function": "declared",
    "method": "declared",
    "namespace": "builtin",
}


async def check(bench: BaseWorkbench, opened: ScriptTab) -> None:
    """Check a script and show its findings, unless its text has changed meanwhile."""
    snapshot = opened.editor.snapshot

    def ask(view: ScriptView) -> tuple[list[Diagnostic], str, list[str]]:
        from pinebench.services.findings import findings

        return *findings(view, opened.buffer.place), [each.path for each in view.program.unread_imports]

    try:
        found, trouble, unread = await bench.language.ask(opened.key, snapshot, opened.buffer.place, ask)
    except Exception as error:  # a fault of the checker itself: say so, and show no findings
        if opened.editor.snapshot is snapshot:
            opened.findings, opened.checked = [], None
            opened.trouble = f"the check failed: {type(error).__name__}: {error}"
            opened.editor.show_findings([])
            bench.findings_changed(opened)
        return
    if opened.editor.snapshot is not snapshot:
        return
    opened.findings, opened.checked, opened.trouble, opened.unread = found, snapshot, "", unread
    opened.editor.show_findings(opened.shown)
    bench.findings_changed(opened)
    look_at_libraries(bench)
    if trouble:
        bench.say(trouble, "warning")
    bench.set_timer(REST, lambda: bench.work(_color(bench, opened), group=f"colors-{opened.key}", exclusive=True))


def look_at_libraries(bench: BaseWorkbench) -> None:
    """Recheck the scripts that import a library whose file or tab has changed."""
    if bench.language.has_libraries:
        bench.work(_check_importers(bench), group="libraries", exclusive=True)


async def _check_importers(bench: BaseWorkbench) -> None:
    outdated = await asyncio.to_thread(bench.language.outdated, bench.language.texts())
    for opened in list(bench.opened):
        if opened.key in outdated and opened.is_checked:
            opened.checked = None  # the findings are about the former library
            bench.check_soon(opened)
    if outdated:
        bench.refresh_words()


async def _color(bench: BaseWorkbench, opened: ScriptTab) -> None:
    snapshot = opened.editor.snapshot
    if opened.checked is not snapshot or opened.colored is snapshot:
        return

    def ask(view: ScriptView) -> dict[int, list[Piece]]:
        from pinebench.services.tokens import tokens

        return _by_rows(view, tokens(view))

    meanings = await bench.language.ask(opened.key, snapshot, opened.buffer.place, ask)
    if opened.editor.snapshot is snapshot:
        opened.colored = snapshot
        opened.editor.show_meanings(meanings)


def _by_rows(view: ScriptView, tokens: list[Token]) -> dict[int, list[Piece]]:
    """The names whose meaning gives them another colour, by rows. Rows and columns count from 0."""
    lines = view.snapshot.lines
    found: dict[int, list[Piece]] = {}
    for token in tokens:
        kind = _MEANT.get(token.kind)
        if kind is None or "defaultLibrary" in token.modifiers:
            continue
        row = lines.position(token.start).line - 1
        column = token.start - lines.line_start(row + 1)
        found.setdefault(row, []).append(Piece(column, column + token.length, kind))
    return found
