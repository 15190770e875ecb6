"""Our own checker as a compiler: offline, in milliseconds, with TradingView's codes and words."""

from __future__ import annotations

import time

from pinebench import config
from pinebench.checker import Program, open_program
from pinebench.compilers.protocol import CompilerUnavailable, Verdict
from pinebench.context import Context
from pinebench.diagnostics import Severity

OLDEST_CHECKED = 6
"""Scripts of older versions get syntax errors only, so finding none says nothing about them."""


class LocalCompiler:
    """Compiles by `pinebench.checker`."""

    name = "local"

    def __init__(self, libraries: tuple[str, ...] = ()) -> None:
        """`libraries` are the folders in which the source of imported libraries may lie."""
        self.libraries = libraries

    def beside(self, path: str) -> LocalCompiler:
        """The same compiler with the libraries of the script at `path`, as its configuration names them."""
        return LocalCompiler(config.library_folders(path))

    def reach(self, context: Context) -> None:
        """Nothing to reach: it is always here."""
        context.check()

    def compile(self, source: str, context: Context) -> Verdict:
        """The checker's verdict on `source`.

        Raises CompilerUnavailable for an older version without syntax errors, which the checker cannot judge, and
        CancelledError or DeadlineError when `context` is already over.
        """
        context.check()
        program, verdict = _checked(source, self.libraries)
        version = program.document.version
        if verdict.ok and version is not None and version < OLDEST_CHECKED:
            raise CompilerUnavailable(
                f"the script is Pine v{version}, and the local compiler judges v{OLDEST_CHECKED} only",
                "bring it up to date with 'pinebench migrate', or compile --with online",
            )
        return verdict


def check_locally(source: str, libraries: tuple[str, ...] = ()) -> Verdict:
    """What the checker says about `source`, whatever its version; libraries are read anew from their folders."""
    return _checked(source, libraries)[1]


def _checked(source: str, libraries: tuple[str, ...]) -> tuple[Program, Verdict]:
    started = time.perf_counter()
    program = open_program(source, libraries, fresh=True)
    ok = all(finding.severity is not Severity.ERROR for finding in program.diagnostics)
    elapsed = time.perf_counter() - started
    return program, Verdict(ok, tuple(program.diagnostics), "local", elapsed, program=program)
