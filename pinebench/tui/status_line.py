"""The text of the lines below the editor: the message about the line of the cursor, and the status line."""

from __future__ import annotations

from pinebench.amounts import counted
from pinebench.diagnostics import Severity
from pinebench.tui.bottom_lines import SIGNS, StyledWords
from pinebench.tui.script_tab import ScriptTab


def message(opened: ScriptTab | None) -> list[StyledWords]:
    """Return the message about the line of the cursor: its finding, or the reason why the check has no findings."""
    if opened is None:
        return []
    finding = opened.editor.finding_here()
    if finding is None:
        return [StyledWords(opened.trouble, "error")] if opened.trouble else []
    kind = finding.severity.label
    more = [StyledWords(finding.hint, "quiet")] if finding.hint else []
    return [StyledWords(f"{SIGNS[kind]} {finding.code}", kind), StyledWords(finding.message, "note"), *more]


def status(
    opened: ScriptTab | None, link: list[StyledWords], draft_trouble: str
) -> tuple[list[StyledWords], list[StyledWords]]:
    """Return the two parts of the status line. The left part shows the cursor and the file's state, the right part the
    verdicts and `link`. `draft_trouble` is empty if drafts can be saved."""
    if opened is None:
        return [], link
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
    if draft_trouble:
        left.append(StyledWords("drafts cannot be kept", "warning"))
    if opened.outside == "changed":
        left.append(StyledWords("changed on disk", "warning"))
    elif opened.outside == "gone":
        left.append(StyledWords("file is gone", "warning"))
    elif opened.buffer.is_new and opened.buffer.path is not None:
        left.append(StyledWords("new file", "quiet"))
    return left, [*_checked(opened), *_judged(opened), *link]


def _checked(opened: ScriptTab) -> list[StyledWords]:
    """The result of our own check of the current text, in words."""
    if opened.trouble:
        return [StyledWords("not checked", "error")]
    if not opened.is_checked:
        return [StyledWords("checking…", "quiet")]
    errors, warnings = opened.count(Severity.ERROR), opened.count(Severity.WARNING)
    others = len(opened.findings) - errors - warnings
    if opened.half_checked and not errors:
        return [StyledWords(opened.half_checked, "quiet")]
    parts = [StyledWords(f"{SIGNS['error']} {counted(errors, 'error')}", "error")] if errors else []
    parts += [StyledWords(f"{SIGNS['warning']} {counted(warnings, 'warning')}", "warning")] if warnings else []
    parts += [StyledWords(f"{SIGNS['hint']} {others}", "quiet")] if others else []
    if opened.unread:
        what = opened.unread[0] if len(opened.unread) == 1 else f"{len(opened.unread)} libraries"
        parts.append(StyledWords(f"{what} not checked", "quiet"))
    return parts if errors or warnings else [StyledWords("our check: nothing wrong", "good"), *parts]


def _judged(opened: ScriptTab) -> list[StyledWords]:
    """The last verdict of a compiler, in words that say whether it is about an earlier text."""
    judged = opened.judged
    if judged is None:
        return []
    if opened.verdict is None:
        return [StyledWords(f"{judged.words} (an earlier text)", "quiet")]
    return [StyledWords(judged.words, "good" if judged.ok else "error")]
