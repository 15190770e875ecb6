"""The Python side of the playground: checks and runs a script inside the reader's browser.

The page sends a request as JSON and gets the answer as JSON. The worker of the page calls `answer`; everything is
loaded beforehand, because the page starts from a copy of the memory of a Python that has run this module.
"""

from __future__ import annotations

import json
from importlib import import_module
from math import isfinite
from pkgutil import walk_packages
from typing import Any

from pinebench import charts, codes, reference
from pinebench.broker import figure_text, figure_title
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.checker import own_versions
from pinebench.errors import PinebenchError
from pinebench.garbage import CollectionPaused
from pinebench.linter.engine import locate
from pinebench.market import sample_bars, samples
from pinebench.printable import json_text
from pinebench.runtime import Look, report
from pinebench.workers.jobs import RunResult, opened, perform
from pinebench.workers.request import Request

BARS = 500
ROOMS = (
    "backtesting",
    "broker",
    "calendars",
    "charts",
    "checker",
    "codes",
    "config",
    "diagnostics",
    "files",
    "linter",
    "market",
    "reference",
    "repaint",
    "runtime",
    "syntax",
    "workers",
)
"""What a script needs to be checked, run and drawn."""
FIGURES = ("net_profit", "trades", "percent_profitable", "profit_factor", "max_drawdown")


def answer(text: str) -> str:
    """Answer a request of the page. `kind` is `check` or `run`, `source` is the script.

    A check returns `findings`, with lines and columns from 1. A run also takes `symbol`, `timeframe` and `dark`; it
    returns `chart` (None if the script stopped), `error`, `alerts`, `logs` and `figures`, or `refused` with `hint`.
    """
    asked = json.loads(text)
    source = str(asked["source"])
    with CollectionPaused():
        found = findings(source) if asked["kind"] == "check" else run(source, asked)
    return json_text(found, allow_nan=False, separators=(",", ":"))


def findings(source: str) -> dict[str, Any]:
    """The errors and warnings of a script, in TradingView's words."""
    program = opened(source, ())
    document = program.document
    return {
        "findings": [
            {
                "line": one.line,
                "column": one.column,
                "endLine": one.end_line,
                "endColumn": one.end_column,
                "code": one.code,
                "severity": one.severity.label,
                "message": one.message,
                "hint": one.hint,
            }
            for one in locate(program.diagnostics, document.lines, "script", syntax=document.diagnostics)
        ]
    }


def run(source: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Run a script on bars of the sample market."""
    symbol = samples.find(str(asked["symbol"])) or samples.SAMPLES[0]
    timeframe = timeframe_of(str(asked["timeframe"]))
    bars, info = sample_bars(symbol, timeframe, BARS), symbol.info(timeframe.text)
    dark = bool(asked.get("dark"))
    try:
        ran = perform(Request(source, bars, info, samples=True, look=Look(dark)))
    except PinebenchError as error:
        return {"refused": error.message, "hint": error.hint}
    view = charts.view_of(opened(source, ()), theme="dark" if dark else "light")
    fills = charts.filled(ran.tested.fills) if ran.tested is not None else ()
    result = ran.result
    # A script that stopped has no plots; the page keeps the chart that it shows.
    drawn = charts.picture(result, bars, info, view, fills) if result.error is None else None
    return {
        "chart": None if drawn is None else charts.page_data(drawn),
        "error": None if result.error is None else report.error(result.error),
        "alerts": [{"bar": one.bar, "message": one.message} for one in result.alerts],
        "logs": [{"bar": one.bar, "level": one.level, "message": one.message} for one in result.logs],
        "figures": figures(ran),
        "notes": list(result.notes),
    }


def figures(ran: RunResult) -> dict[str, str]:
    """The main figures of a back-test as people read them, by their titles; empty for other scripts."""
    found = {name: ran.figures.get(name) for name in FIGURES}
    known = {name: value for name, value in found.items() if value is not None and isfinite(value)}
    return {figure_title(name): figure_text(name, value) for name, value in known.items()}


ZONES: list[Any] = []


def prepare(examples: list[str]) -> None:
    """Load every module, code, published library and time zone and the bars of the first chart, and run `examples`.

    A browser has neither files of the package nor time zones afterwards.
    """
    from zoneinfo import ZoneInfo, available_timezones

    ZONES.extend(ZoneInfo(name) for name in sorted(available_timezones()))
    for room in ROOMS:
        _load(f"pinebench.{room}")
    codes.all_codes()
    codes.opinion_codes()
    reference.libraries()
    for library in own_versions.own_version_names():
        own_versions.own_version_numbers(library)
    for source in examples:
        answer(json.dumps({"kind": "check", "source": source}))
        answer(json.dumps({"kind": "run", "source": source, "symbol": "NASDAQ:AAPL", "timeframe": "1D"}))


def _load(name: str) -> None:
    module = import_module(name)
    for one in walk_packages(getattr(module, "__path__", ()), f"{name}."):
        # The process of a worker and the parser's oracle are of no use in a browser.
        if not one.name.endswith((".worker", ".worker_pool", ".lark_engine", ".generate", ".dispatch", ".__main__")):
            import_module(one.name)
