"""Our own checker as a compiler: offline, in milliseconds, with TradingView's codes and words."""

from __future__ import annotations

import time

from pinebench.check import check
from pinebench.compilers import Verdict
from pinebench.context import Context
from pinebench.diagnostics import Severity
from pinebench.syntax import parse


class LocalCompiler:
    """Compiles by `pinebench.check`; can always be reached."""

    name = "local"

    def compile(self, source: str, context: Context) -> Verdict:
        """The checker's verdict on `source`; raises CancelledError or DeadlineError when `context` is already over."""
        context.check()
        started = time.perf_counter()
        diagnostics = tuple(check(parse(source)).diagnostics)
        ok = all(finding.severity is not Severity.ERROR for finding in diagnostics)
        return Verdict(ok, diagnostics, "local", time.perf_counter() - started)
