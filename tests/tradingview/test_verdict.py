"""When the evidence on the page is enough for a verdict."""

from typing import Any, cast

from pinebench.tradingview.results import CompileLook
from pinebench.tradingview.verdict import judge
from tests.tables import each


def look(**changes: Any) -> CompileLook:
    """A look at a page on which nothing happens, but for `changes`."""
    quiet: CompileLook = {
        "editor": True,
        "text": "ours",
        "markers": [],
        "dialogs": [],
        "errors": 0,
        "marker_events": 0,
        "quiet_ms": 5000,
        "console_quiet_ms": 5000,
        "closed_ms": 0,
        "symbol": "NASDAQ:AAPL",
        "disabled": False,
        "added": [],
        "updated": [],
        "console": [],
    }
    return cast(CompileLook, {**quiet, **changes})


@each(
    ("changes", "outcome"),
    [
        ({}, None),
        ({"marker_events": 1}, None),
        ({"errors": 1}, None),
        ({"errors": 1, "marker_events": 1}, "errors"),
        ({"errors": 1, "marker_events": 1, "quiet_ms": 10}, None),
        ({"added": ["a"]}, "added"),
        ({"updated": ["a"]}, "updated"),
        ({"added": ["a"], "marker_events": 1, "quiet_ms": 10}, None),
        ({"added": ["a"], "errors": 1, "marker_events": 1}, "errors"),
        ({"dialogs": [{"kind": "unknown"}], "added": ["a"]}, "dialog"),
        ({"dialogs": [{"kind": "settings"}], "added": ["a"]}, "added"),
        ({"console": [{"type": "compile", "message": "Compiled."}]}, "compiled"),
        ({"console": [{"type": "compile", "message": "Compiled."}], "console_quiet_ms": 10}, None),
        ({"console": [{"type": "compile", "message": "Compiling..."}]}, None),
        ({"console": [{"type": "compile", "message": "Compiled."}, {"type": "error", "message": "x"}]}, None),
    ],
)
def test_what_counts_as_a_verdict(changes: dict[str, Any], outcome: str | None) -> None:
    assert judge(look(**changes)) == outcome
