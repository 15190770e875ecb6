"""Checks scripts while a person types, in the background. Findings are only shown while they are about the current
text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pinebench.diagnostics import Diagnostic, Severity
from pinebench.tui.lines import SIGNS, StyledWords
from pinebench.tui.script_tab import ScriptTab, counted
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

    def ask(view: ScriptView) -> tuple[list[Diagnostic], str]:
        from pinebench.services.findings import findings

        return findings(view, opened.buffer.place)

    try:
        found, trouble = await bench.language.ask(opened.key, snapshot, opened.buffer.place, ask)
    except Exception as error:  # a fault of the checker itself: say so, and show no findings
        if opened.editor.snapshot is snapshot:
            opened.findings, opened.checked = [], None
            opened.trouble = f"the check failed: {type(error).__name__}: {error}"
            opened.editor.show_findings([])
            bench.findings_changed(opened)
        return
    if opened.editor.snapshot is not snapshot:
        return
    opened.findings, opened.checked, opened.trouble = found, snapshot, ""
    opened.editor.show_findings(opened.shown)
    bench.findings_changed(opened)
    bench.look_at_libraries()
    if trouble:
        bench.say(trouble, "warning")
    bench.set_timer(REST, lambda: bench.work(_color(bench, opened), group=f"colors-{opened.key}", exclusive=True))


async def check_importers(bench: BaseWorkbench) -> None:
    """Check the scripts again that import a library which has changed."""
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


def message(opened: ScriptTab | None) -> list[StyledWords]:
    """The words about the line of the cursor: its finding, or why the check has no findings."""
    if opened is None:
        return []
    finding = opened.editor.finding_here()
    if finding is None:
        return [StyledWords(opened.trouble, "error")] if opened.trouble else []
    kind = finding.severity.label
    more = [StyledWords(finding.hint, "quiet")] if finding.hint else []
    return [StyledWords(f"{SIGNS[kind]} {finding.code}", kind), StyledWords(finding.message, "note"), *more]


def status(bench: BaseWorkbench) -> tuple[list[StyledWords], list[StyledWords]]:
    """The parts of the status line: the place and the file at the left, verdicts and the chart at the right."""
    opened = bench.front
    right = list(bench.link_parts())
    if opened is None:
        return [], right
    editor = opened.editor
    row, column = editor.cursor_location
    source = editor.source
    ends = "mixed line ends" if source.is_mixed else {"\r\n": "CRLF", "\r": "CR"}.get(source.newline, "LF")
    encoding = opened.buffer.file.encoding.upper() + (" BOM" if opened.buffer.file.bom else "")
    encoding += "?" if opened.buffer.is_guessed else ""
    version = editor.snapshot.version
    left = [
        StyledWords(f"Ln {row + 1}, Col {column + 1}", "note"),
        StyledWords(f"Pine v{version}" if version else "Pine v6?", "quiet"),
        StyledWords(f"{ends} {encoding}", "quiet"),
    ]
    if opened.buffer.is_guessed:
        left.append(StyledWords("read-only: not UTF-8", "warning"))
    if bench.draft_trouble:
        left.append(StyledWords("drafts cannot be kept", "warning"))
    if opened.outside == "changed":
        left.append(StyledWords("changed on disk", "warning"))
    elif opened.outside == "gone":
        left.append(StyledWords("file is gone", "warning"))
    elif opened.buffer.is_new and opened.buffer.path is not None:
        left.append(StyledWords("new file", "quiet"))
    return left, [*_checked(opened), *_judged(opened), *right]


def _checked(opened: ScriptTab) -> list[StyledWords]:
    """The result of our own check of the current text, in words."""
    if opened.trouble:
        return [StyledWords("not checked", "error")]
    if not opened.is_checked:
        return [StyledWords("checking…", "quiet")]
    errors, warnings = opened.count(Severity.ERROR), opened.count(Severity.WARNING)
    others = len(opened.findings) - errors - warnings
    version = opened.editor.snapshot.version
    if version is not None and version < 6 and not errors:
        return [StyledWords(f"v{version}: only its syntax is checked", "quiet")]
    parts = [StyledWords(f"{SIGNS['error']} {counted(errors, 'error')}", "error")] if errors else []
    parts += [StyledWords(f"{SIGNS['warning']} {counted(warnings, 'warning')}", "warning")] if warnings else []
    parts += [StyledWords(f"{SIGNS['hint']} {others}", "quiet")] if others else []
    return parts if errors or warnings else [StyledWords("our check: nothing wrong", "good"), *parts]


def _judged(opened: ScriptTab) -> list[StyledWords]:
    """The last verdict of a compiler, in words that say whether it is about an earlier text."""
    judged = opened.judged
    if judged is None:
        return []
    if opened.verdict is None:
        return [StyledWords(f"{judged.words} (an earlier text)", "quiet")]
    return [StyledWords(judged.words, "good" if judged.ok else "error")]
