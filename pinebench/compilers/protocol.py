"""What every compiler has in common: source in, verdict out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pinebench.checker import Program
from pinebench.context import Context
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import UnavailableError

Origin = Literal["local", "online", "tradingview", "studio"]
"""Who compiled: our checker, TradingView's HTTP check, the editor on TradingView's page, or the studio's page."""

OURS = frozenset({"local", "studio"})
"""The origins whose verdict is pinebench's own check: only TradingView's own compilers say that a script compiles."""

CHOICES = ("local", "online", "chart")
"""What `--with` accepts; `chart` gives a verdict of origin `tradingview` or `studio`, whichever page is there."""


class CompilerUnavailable(UnavailableError):
    """The compiler could not be reached, so nothing is known about the script."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a compiler said about one source.

    `ok` means that it would accept the script; `elapsed` is in seconds; `evidence` holds what backs the verdict where
    there is something to show: for a chart `button`, `markers`, `study`, `screenshot`; for the HTTP check `cached`
    and `url`. `program` is the script as our own checker opened it, where it did: nobody need parse it again. It is not
    kept in journals.
    """

    ok: bool
    diagnostics: tuple[Diagnostic, ...]
    origin: Origin
    elapsed: float
    evidence: dict[str, Any] = field(default_factory=dict[str, Any])
    program: Program | None = field(default=None, compare=False, repr=False)

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that make the compiler refuse the script."""
        return [finding for finding in self.diagnostics if finding.severity is Severity.ERROR]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The compiler's warnings."""
        return [finding for finding in self.diagnostics if finding.severity is Severity.WARNING]


class Compiler(Protocol):
    """Anything that compiles; raises CompilerUnavailable when it cannot be reached, and never answers `ok=False` for
    that."""

    name: str

    def reach(self, context: Context) -> None:
        """Make sure that it can be reached, before anything is done for which its verdict will be needed.

        Raises CompilerUnavailable. What is only asked when needed, over a network, is not asked for this.
        """
        ...

    def compile(self, source: str, context: Context) -> Verdict:
        """Compile `source` within the limits of `context`."""
        ...
