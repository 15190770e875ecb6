"""The result of a compile on the page: markers, outcomes, and the rule that decides whether there is a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pinebench.tradingview import page_internals
from pinebench.tradingview.errors import EditorRefused
from pinebench.tradingview.results import CompileLook, ConsoleEntry, DialogEntry, Marker

ERRORS_SETTLE_MS = 30
"""Milliseconds without a change after which new error markers count as complete."""

CONSOLE_SETTLE_MS = 1500
"""Milliseconds to wait, after the console said that the script compiled, for a study or a dialog."""

SUCCESS = ("added", "updated", "compiled")
"""The outcomes in which the page accepted the script."""


@dataclass(frozen=True, slots=True)
class CompileOutcome:
    """The result of adding the script to the chart, or of updating it there.

    `outcome` is `added`, `updated`, `compiled` (only the console says so), `errors`, or `linted` (the page had marked
    errors in the same text before the button was pressed). `ok` is True only for the first three.

    `via` names the way in which the button was found, and `elapsed` is in seconds. `source` is the text that was
    compiled, and `symbol` the chart's symbol, if the page shows it. `state` says whether the study has been computed:
    `done`, `failed` or `loading`, or None if that is unknown. `failure` is the message of the error that stopped a
    study that has failed.
    """

    outcome: str
    ok: bool
    markers: tuple[Marker, ...]
    button: str | None
    via: str
    study: str | None
    console: tuple[ConsoleEntry, ...]
    elapsed: float
    source: str
    symbol: str | None
    state: str | None = None
    failure: str | None = None

    @property
    def errors(self) -> list[Marker]:
        """The error markers; with any of them, the page refuses the script."""
        return [marker for marker in self.markers if marker["severity"] == "error"]

    @property
    def warnings(self) -> list[Marker]:
        """The page's warnings."""
        return [marker for marker in self.markers if marker["severity"] == "warning"]


def blocking(dialogs: Iterable[DialogEntry]) -> list[DialogEntry]:
    """Return the dialogs that block the page. Dialogs that a person opened, such as settings, do not block it."""
    return [dialog for dialog in dialogs if dialog["kind"] not in page_internals.HARMLESS_DIALOGS]


def judge(state: CompileLook, written: int = 0, pressed: bool = True) -> str | None:
    """Return the outcome that one look at a running compile (`js/compile_state.js`) shows, or None if it is still
    undecided.

    A dialog has priority, because it blocks the page. Errors count once their markers have been set again and have
    settled. Only a study or a line in the console proves success; missing markers do not, because the page clears its
    markers before it compiles. `written` is the number of times that markers were set between the writing of the text
    and the press of the button. If the button could not be pressed (`pressed` is False), these markers are the verdict.
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


def is_answered(state: CompileLook) -> bool:
    """Return whether the page has reacted to a press, in any way. Markers alone do not show it, because a page may mark
    a text that nobody compiles."""
    failed = any(row["type"] == "error" for row in state["console"])
    return failed or judge(state) in (*SUCCESS, "dialog")


def no_verdict(state: CompileLook, timeout: float, asked: list[DialogEntry]) -> EditorRefused:
    """Return the error for a page that gave no verdict on the script within `timeout` seconds. `asked` lists the
    dialogs that block the page, including those that were open before."""
    if asked:
        kind = page_internals.DIALOGS.get(asked[0]["kind"])
        return EditorRefused(
            f"the page gave no verdict within {timeout:g} s, and a dialog is open: {asked[0]['text']!r}",
            kind.meaning if kind is not None else "answer it in the browser, then try again",
        )
    if state["markers"] is None:
        return EditorRefused(
            "the page does not expose its error markers", "'pinebench doctor' shows how the editor is reached"
        )
    if state["marker_events"] and state["quiet_ms"] < ERRORS_SETTLE_MS:
        return EditorRefused(
            f"the error markers on the page were still changing after {timeout:g} s",
            "look at the editor in the browser",
        )
    return EditorRefused(
        f"the page gave no verdict within {timeout:g} s: no markers, no study on the chart, no dialog",
        "check that TradingView is logged in and online, then try again",
    )
