"""Our own checker as a compiler: offline, in milliseconds, with TradingView's codes and messages."""

from __future__ import annotations

import time

from pinebench import config
from pinebench.checker import Program, open_program
from pinebench.compilers.protocol import CompilerUnavailable, Verdict
from pinebench.context import Context
from pinebench.diagnostics import Severity

OLDEST_CHECKED = 6
"""The oldest version that is fully checked. Older scripts only get syntax errors, so they may be wrong even
without a finding."""


class LocalCompiler:
    """Compiles with `pinebench.checker`."""

    name = "local"

    def __init__(self, libraries: tuple[str, ...] = ()) -> None:
        """Search the source of imported libraries in the folders `libraries`."""
        self.libraries = libraries

    def beside(self, path: str) -> LocalCompiler:
        """Return a copy of this compiler that uses the library folders configured for the script at `path`."""
        return LocalCompiler(config.library_folders(path))

    def reach(self, context: Context) -> None:
        """Do nothing, because the checker is always available."""
        context.check()

    def compile(self, source: str, context: Context) -> Verdict:
        """Return the checker's verdict on `source`.

        Raises CompilerUnavailable for a script of a version older than v6 that has no syntax errors, because the
        checker cannot judge it. Raises CancelledError or DeadlineError if `context` has already ended.
        """
        context.check()
        program, verdict = _checked(source, self.libraries)
        version = program.document.version
        if verdict.ok and version is not None and version < OLDEST_CHECKED:
            raise CompilerUnavailable(
                f"the script is Pine v{version}, and the local compiler checks v{OLDEST_CHECKED} only",
                "update the script with 'pinebench migrate', or compile --with online",
            )
        return verdict


def check_locally(source: str, libraries: tuple[str, ...] = ()) -> Verdict:
    """Return the checker's verdict on `source`, which may be of any Pine version. The libraries in the folders
    `libraries` are always read again, without the cache."""
    return _checked(source, libraries)[1]


def _checked(source: str, libraries: tuple[str, ...]) -> tuple[Program, Verdict]:
    started = time.perf_counter()
    program = open_program(source, libraries, fresh=True)
    ok = all(finding.severity is not Severity.ERROR for finding in program.diagnostics)
    elapsed = time.perf_counter() - started
    return program, Verdict(ok, tuple(program.diagnostics), "local", elapsed, program=program)
