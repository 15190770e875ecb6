"""An open script: its file, its editor, and the findings and verdicts about its text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pinebench.amounts import counted
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.files import Outside
from pinebench.tui.buffer import Buffer

if TYPE_CHECKING:
    from pinebench.compilers import Verdict
    from pinebench.syntax import Snapshot
    from pinebench.tui.editor import Editor


@dataclass(frozen=True)
class CompilerVerdict:
    """A compiler's verdict. `origin` names the compiler, `text` is the script that it compiled, and `ok` is True if it
    has no errors."""

    origin: str
    text: str
    ok: bool
    errors: int
    warnings: int
    findings: tuple[Diagnostic, ...] = ()

    @classmethod
    def of(cls, verdict: Verdict, text: str) -> CompilerVerdict:
        """Convert `verdict`, a compiler's verdict on the script `text`."""
        found = tuple(verdict.diagnostics)
        return cls(verdict.origin, text, verdict.ok, len(verdict.errors), len(verdict.warnings), found)

    @property
    def words(self) -> str:
        """The verdict as text. It says "compiles" only for TradingView's own compilers."""
        from pinebench.compilers import OURS  # here, because the checker takes long to load

        who = {"local": "our check", "studio": "our check in the studio"}.get(self.origin, self.origin)
        said = ("passes" if self.origin in OURS else "compiles") if self.ok else counted(self.errors, "error")
        more = f", {counted(self.warnings, 'warning')}" if self.warnings else ""
        return f"{who}: {said}{more}"


def tab_names(buffers: Sequence[Buffer]) -> list[str]:
    """Return the names of files on tabs. Files with the same name also get the folders that distinguish them."""
    names: list[str] = []
    for buffer in buffers:
        alike = [each for each in buffers if each is not buffer and each.name == buffer.name]
        folders = 0
        while folders < (buffer.path or "").count(os.sep) and any(
            _with_folders(each, folders) == _with_folders(buffer, folders) for each in alike
        ):
            folders += 1
        names.append(_with_folders(buffer, folders))
    return names


def _with_folders(buffer: Buffer, count: int) -> str:
    """The name of a buffer's file with the last `count` folders of its path."""
    return os.sep.join(buffer.path.split(os.sep)[-1 - count :]) if buffer.path and count else buffer.name


@dataclass
class ScriptTab:
    """One tab of the workbench: a script in its editor, with its file, its findings and its verdict."""

    key: str
    buffer: Buffer
    editor: Editor
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    checked: Snapshot | None = None
    """The state that `findings` are about."""
    colored: Snapshot | None = None
    """The state whose names are coloured by their meaning."""
    trouble: str = ""
    """The reason why the check has no findings to show; empty if it worked."""
    unread: Sequence[str] = ()
    """The paths of the imported libraries whose text is not here, so that uses of them were not checked."""
    judged: CompilerVerdict | None = None
    outside: Outside = "same"
    """Whether the file was the same, changed or gone at the last check."""

    @property
    def is_changed(self) -> bool:
        """Whether the text differs from the text that was last read from its file or written to it."""
        return self.buffer.is_changed(self.editor.text)

    @property
    def is_dirty(self) -> bool:
        """Whether the text is not safe on disk: it was changed here, or its file was changed or removed since it was
        read or written."""
        return self.outside != "same" or self.is_changed

    @property
    def is_checked(self) -> bool:
        """Whether the findings are about the current text."""
        return self.checked is self.editor.snapshot

    @property
    def half_checked(self) -> str:
        """A note for a script of an old version of Pine: only its syntax is checked. Empty for other scripts."""
        version = self.editor.snapshot.version
        return f"v{version}: only its syntax is checked" if version is not None and version < 6 else ""

    @property
    def verdict(self) -> CompilerVerdict | None:
        """The verdict of a compiler about the current text; None if there is none."""
        return self.judged if self.judged is not None and self.judged.text == self.editor.text else None

    @property
    def shown(self) -> list[Diagnostic]:
        """The findings of our check, and the other findings of a compiler about the same text."""
        known = {(finding.code, finding.span.start) for finding in self.findings}
        judged = self.verdict
        others = judged.findings if judged is not None and judged.origin != "local" else ()
        return [*self.findings, *(each for each in others if (each.code, each.span.start) not in known)]

    def count(self, severity: Severity) -> int:
        """Return the number of findings with this severity."""
        return sum(finding.severity is severity for finding in self.findings)


def lines_changed(before: str, after: str) -> int:
    """Return the number of lines that differ between `before` and `after`. A line that was rewritten counts once."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    steps = (step for step in matcher.get_opcodes() if step[0] != "equal")
    return sum(max(end - start, other_end - other) for _, start, end, other, other_end in steps)
