"""The protocol of all compilers: source in, verdict out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pinebench.checker import Program
from pinebench.context import Context
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.errors import UnavailableError

Origin = Literal["local", "online", "tradingview", "studio"]
"""The compiler: our checker, TradingView's HTTP check, the editor on TradingView's page, or the studio's page."""

OURS = frozenset({"local", "studio"})
"""The origins whose verdict is pinebench's own check: only TradingView's own compilers say that a script compiles."""

CHOICES = ("local", "online", "chart")
"""The values of `--with`. `chart` gives a verdict of origin `tradingview` or `studio`, depending on the page."""


class CompilerUnavailable(UnavailableError):
    """Raised if the compiler could not be reached, so that nothing is known about the script."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A compiler's verdict on one source.

    `ok` says whether the compiler accepts the script, and `elapsed` is in seconds. `evidence` backs the verdict; its
    keys are `button`, `markers`, `study` and `screenshot` for a chart, and `cached` and `url` for the HTTP check.
    `program` is the checked script if our own checker compiled it; journals do not store it. `elsewhere` has the
    findings in the libraries that are bundled with the script, by file.
    """

    ok: bool
    diagnostics: tuple[Diagnostic, ...]
    origin: Origin
    elapsed: float
    evidence: dict[str, Any] = field(default_factory=dict[str, Any])
    program: Program | None = field(default=None, compare=False, repr=False)
    elsewhere: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict[str, tuple[Diagnostic, ...]])

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors that make the compiler refuse the script."""
        return self._of(Severity.ERROR)

    @property
    def warnings(self) -> list[Diagnostic]:
        """The compiler's warnings."""
        return self._of(Severity.WARNING)

    def _of(self, severity: Severity) -> list[Diagnostic]:
        found = (self.diagnostics, *self.elsewhere.values())
        return [finding for findings in found for finding in findings if finding.severity is severity]


class Compiler(Protocol):
    """A compiler: anything that returns a verdict on a source. It raises CompilerUnavailable if it cannot be reached,
    and never answers `ok=False` in that case."""

    name: str

    def reach(self, context: Context) -> None:
        """Make sure that the compiler can be reached, before work that needs its verdict. Raises CompilerUnavailable.

        An online compiler sends no request for this.
        """
        ...

    def compile(self, source: str, context: Context) -> Verdict:
        """Compile `source` within the time that `context` leaves, and return the verdict. Raises
        CompilerUnavailable."""
        ...
