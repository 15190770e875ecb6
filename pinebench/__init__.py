"""pinebench: a workbench for people who write Pine Script v6.

`import pinebench as pb`, then for example `pb.check("my.pine")` and `pb.run("my.pine", "bars.csv")`. The names in
`__all__` are the public ones; docs/python.md describes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.api.bars import SymbolBars, bars
    from pinebench.api.check_report import Report, check
    from pinebench.api.figures import Figure
    from pinebench.api.functions import indicator
    from pinebench.api.notebook import load_ipython_extension
    from pinebench.api.portfolio import Member, Portfolio, portfolio
    from pinebench.api.run_results import Backtest, RepaintCheck, Run, ScriptStopped, Trade, backtest, run
    from pinebench.api.script_author import write
    from pinebench.api.script_changes import format, migrate
    from pinebench.api.sweep_functions import optimize, screen, walk_forward
    from pinebench.api.sweep_results import Optimization, Screening, WalkForward
    from pinebench.errors import DoesNotCompile, PinebenchError, UnavailableError, UnknownName, UsageError
    from pinebench.linter.findings import Finding
    from pinebench.market.bars import SymbolInfo
    from pinebench.migration.migration import Migration
    from pinebench.runtime.refusals import NotComputed

__version__ = "0.1.0"

LANGUAGE_DATE = "2026-10-02"
"""The date up to which changes to Pine Script v6 are covered."""

__all__ = [
    "LANGUAGE_DATE",
    "Backtest",
    "DoesNotCompile",
    "Figure",
    "Finding",
    "Member",
    "Migration",
    "NotComputed",
    "Optimization",
    "PinebenchError",
    "Portfolio",
    "RepaintCheck",
    "Report",
    "Run",
    "Screening",
    "ScriptStopped",
    "SymbolBars",
    "SymbolInfo",
    "Trade",
    "UnavailableError",
    "UnknownName",
    "UsageError",
    "WalkForward",
    "__version__",
    "backtest",
    "bars",
    "check",
    "format",
    "indicator",
    "load_ipython_extension",
    "migrate",
    "optimize",
    "portfolio",
    "run",
    "screen",
    "walk_forward",
    "write",
]

_NAMES = {
    "api.bars": "SymbolBars bars",
    "api.script_changes": "format migrate",
    "api.check_report": "Report check",
    "api.figures": "Figure",
    "api.functions": "indicator",
    "api.notebook": "load_ipython_extension",
    "api.portfolio": "Member Portfolio portfolio",
    "api.run_results": "Backtest RepaintCheck Run ScriptStopped Trade backtest run",
    "api.sweep_results": "Optimization Screening WalkForward",
    "api.sweep_functions": "optimize screen walk_forward",
    "api.script_author": "write",
    "errors": "DoesNotCompile PinebenchError UnavailableError UnknownName UsageError",
    "linter.findings": "Finding",
    "market.bars": "SymbolInfo",
    "migration.migration": "Migration",
    "runtime.refusals": "NotComputed",
}

__getattr__: Callable[[str], Any] = face(__name__, _NAMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
