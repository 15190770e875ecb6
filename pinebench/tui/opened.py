"""An open script: its file, its editor, and what is known about the text that is in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pinebench.compilers import OURS
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.tui.buffer import Buffer, Outside

if TYPE_CHECKING:
    from pinebench.compilers import Verdict
    from pinebench.syntax import Snapshot
    from pinebench.tui.editor import Editor


@dataclass(frozen=True)
class Judged:
    """What a compiler said: who, about which text, and how it came out."""

    origin: str
    text: str
    ok: bool
    errors: int
    warnings: int
    findings: tuple[Diagnostic, ...] = ()

    @classmethod
    def of(cls, verdict: Verdict, text: str) -> Judged:
        """What `verdict` says about `text`."""
        found = tuple(verdict.diagnostics)
        return cls(verdict.origin, text, verdict.ok, len(verdict.errors), len(verdict.warnings), found)

    @property
    def words(self) -> str:
        """The verdict in words; only TradingView's own compilers say that a script compiles."""
        who = {"local": "our check", "studio": "our check in the studio"}.get(self.origin, self.origin)
        said = ("passes" if self.origin in OURS else "compiles") if self.ok else counted(self.errors, "error")
        more = f", {counted(self.warnings, 'warning')}" if self.warnings else ""
        return f"{who}: {said}{more}"


def counted(number: int, word: str) -> str:
    """`number` things, in words."""
    return f"{number} {word}{'' if number == 1 else 's'}"


@dataclass
class Opened:
    """One tab."""

    key: str
    buffer: Buffer
    editor: Editor
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    checked: Snapshot | None = None
    """The state that `findings` are about."""
    colored: Snapshot | None = None
    """The state whose names are coloured by what they mean."""
    trouble: str = ""
    """Why there are no findings although they were asked for; empty where there are."""
    judged: Judged | None = None
    outside: Outside = "same"
    """What became of the file meanwhile, as far as one has looked."""
    kept: str | None = None
    """The text that is kept as a draft; None where none is."""

    @property
    def is_dirty(self) -> bool:
        """Whether its text is another than what is saved."""
        return self.buffer.is_changed(self.editor.text)

    @property
    def is_checked(self) -> bool:
        """Whether the findings are those of the text as it is."""
        return self.checked is self.editor.snapshot

    @property
    def verdict(self) -> Judged | None:
        """What a compiler said about the text as it is; None where none did."""
        return self.judged if self.judged is not None and self.judged.text == self.editor.text else None

    @property
    def shown(self) -> list[Diagnostic]:
        """The findings of our check, and what a compiler said beside about the same text."""
        known = {(finding.code, finding.span.start) for finding in self.findings}
        judged = self.verdict
        others = judged.findings if judged is not None and judged.origin != "local" else ()
        return [*self.findings, *(each for each in others if (each.code, each.span.start) not in known)]

    def count(self, severity: Severity) -> int:
        """How many findings are that bad."""
        return sum(finding.severity is severity for finding in self.findings)
