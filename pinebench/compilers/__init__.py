"""The compilers, which decide whether a script compiles. All follow the same protocol: source in, verdict out."""

from __future__ import annotations

from typing import Any

from pinebench.compilers.protocol import CHOICES, OURS, Compiler, CompilerUnavailable, Origin, Verdict
from pinebench.errors import UsageError

__all__ = ["CHOICES", "OURS", "Compiler", "CompilerUnavailable", "Origin", "Verdict", "get"]


def get(name: str, **options: Any) -> Compiler:
    """Create the compiler called `name`, one of CHOICES. Only the chart's compiler uses `options`, which are the
    arguments of `ChartCompiler`. Raises UsageError for an unknown name."""
    if name == "local":
        from pinebench.compilers.local import LocalCompiler

        return LocalCompiler()
    if name == "online":
        from pathlib import Path

        from pinebench import config
        from pinebench.compilers.online import OnlineCompiler

        return OnlineCompiler(cache=Path(config.cache_folder()) / "online")
    if name == "chart":
        from pinebench.compilers.chart import ChartCompiler

        return ChartCompiler(**options)
    raise UsageError(f"there is no compiler '{name}'", f"the compilers are {', '.join(CHOICES)}")
