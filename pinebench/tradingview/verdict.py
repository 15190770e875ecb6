"""What a compile on the page came to: markers, outcomes, and when the evidence is enough for a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pinebench.tradingview import paths
from pinebench.tradingview.errors import EditorRefused
from pinebench.tradingview.results import CompileLook, ConsoleEntry, DialogEntry, MarkerEntry

ERRORS_SETTLE_MS = 30
"""Milliseconds without a change after which freshly set error markers count as complete."""

CONSOLE_SETTLE_MS = 1500
"""Milliseconds for which a study or a question may follow the console's word that the script compiled."""

SUCCESS = ("added", "updated", "compiled")
"""The outcomes in which the page accepted the script."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker: 1-based line and column in UTF-16 units; severity `error`, `warning`, `info` or `hint`."""

    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    severity: str
    code: str | None = None


_SEVERITIES = {8: "error", 4: "warning", 2: "info", 1: "hint"}


def to_markers(entries: Iterable[MarkerEntry]) -> list[Marker]:
    """The markers for what a page function says of them."""
    return [Marker(**{**entry, "severity": _SEVERITIES.get(entry["severity"], "info")}) for entry in entries]


@dataclass(frozen=True, slots=True)
class CompileOutcome:
    """What happened after the script was added to the chart or updated on it.

    `outcome` is `added`, `updated`, `compiled` (only the console says so), `errors`, or `linted` (the page had marked
    errors in this very text before the button was pressed). `ok` is True only for the first three.
    """

    outcome: str
    ok: bool
    markers: tuple[Marker, ...]
    button: str | None
    via: str
    study: str | None
    console: tuple[ConsoleEntry, ...]
    elapsed: float

    @property
    def errors(self) -> list[Marker]:
        """The markers that make the page refuse the script."""
        return [marker for marker in self.markers if marker.severity == "error"]

    @property
    def warnings(self) -> list[Marker]:
        """The page's warnings."""
        return [marker for marker in self.markers if marker.severity == "warning"]


def blocking(dialogs: Iterable[DialogEntry]) -> list[DialogEntry]:
    """The dialogs behind which nothing goes on; others a person opened, and they stand in nobody's way."""
    return [dialog for dialog in dialogs if dialog["kind"] not in paths.HARMLESS_DIALOGS]


def judge(state: CompileLook, written: int = 0, pressed: bool = True) -> str | None:
    """What one look at a compile under way (`js/compile_state.js`) means, or None while it is not decided.

    A dialog comes first: nothing goes on behind it. Errors count once their markers were set anew and have settled; a
    study or a line in the console is the only evidence of success, because a page clears its markers before it
    compiles. `written` counts how often markers were set between the writing of the text and the button; without a
    button that could be pressed (`pressed`) they are the verdict.
    """
    if blocking(state["dialogs"]):
        return "dialog"
    settled = state["quiet_ms"] >= ERRORS_SETTLE_MS
    if not pressed:
        return "linted" if state["errors"] and written else None
    if state["errors"] and state["marker_events"] and settled:
        return "errors"
    if not settled and state["marker_events"]:
        return None
    if state["added"]:
        return "added"
    if state["updated"]:
        return "updated"
    said = [row for row in state["console"] if row["type"] == "compile" and "compiled" in row["message"].lower()]
    quiet = min(state["quiet_ms"], state["console_quiet_ms"])
    if said and quiet >= CONSOLE_SETTLE_MS and not any(row["type"] == "error" for row in state["console"]):
        return "compiled"
    return None


def no_verdict(state: CompileLook, timeout: float) -> EditorRefused:
    """The error for a page that said nothing about the script."""
    if state["markers"] is None:
        return EditorRefused(
            "the page does not expose its markers", "'pinebench doctor' shows how the editor is reached"
        )
    if state["marker_events"] and state["quiet_ms"] < ERRORS_SETTLE_MS:
        return EditorRefused(
            f"the page's markers were still changing after {timeout:g} s", "look at the editor in the browser"
        )
    return EditorRefused(
        f"the page gave no verdict within {timeout:g} s: no markers, no study on the chart, no dialog",
        "check that TradingView is logged in and online, then try again",
    )
