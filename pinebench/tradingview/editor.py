"""The Pine editor on the page: opens it, reads and writes its text, and compiles."""

from __future__ import annotations

import contextlib
import math
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.files import originals
from pinebench.tradingview import chart_results, page_internals, results, verdict
from pinebench.tradingview.connection import LOOK_TIMEOUT, document_gone
from pinebench.tradingview.errors import (
    CallTimeout,
    ConnectionLost,
    EditorNotFound,
    EditorRefused,
    HeldBack,
    PageError,
    PageHung,
    ProtocolError,
    TextOvertaken,
)
from pinebench.tradingview.page import CTRL, META, Page
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.verdict import SUCCESS, CompileOutcome, blocking, is_answered, judge, no_verdict

OPEN_TIMEOUT = 10.0
"""Seconds that opening the editor may take."""

COMPILE_TIMEOUT = 15.0
"""Seconds that the page may take to give a verdict."""

FORMER_SECONDS = 5.0
"""Seconds, after the press of a compile that was given up, during which the page's answer to it is awaited."""

WRITES = 4
"""The largest number of times that a text is written, if the page replaces it with its own text."""

OVERTAKEN_PAUSE = 0.2
"""Seconds to wait before the text is written again."""

SETTLE_SECONDS = 1.0
"""Seconds for which the text is watched after a push into a page that is starting."""

STARTING_MS = 10_000
"""Milliseconds after the load of its document during which a page counts as starting."""

CLOSED_SECONDS = 0.5
"""Seconds after which a missing editor counts as closed; until then the page may put a new one in its place."""

LOOK_SECONDS = 3.0
"""The longest wait in seconds of one call on the page. If the page hangs meanwhile, the next call notices it."""

# The steps that open the editor, each with its time in milliseconds. `reopen` closes a panel whose Monaco cannot be
# reached.
_OPENING = ((0, "bar"), (600, "button"), (1200, "api"), (3000, "reopen"), (4000, "bar"), (4600, "button"))


@dataclass(frozen=True, slots=True)
class EditorAccess:
    """The way in which the editor was reached: `strategy` is the name of the method. The editor was found after going
    up `parents` parent nodes and `steps` React fibers."""

    strategy: str
    parents: int
    steps: int
    key: str | None = None
    containers: int = 1
    editors: int = 1
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class EditorWrite:
    """The result of a write. `via` names the way in which the text was written. `normalised` names the changes that the
    editor makes to the text. `previous` is the text that was there before. `kept` is the file with a copy of that text,
    if pinebench had not written it."""

    characters: int
    lines: int
    via: str
    strategy: str
    normalised: tuple[str, ...]
    previous: str
    verified: bool = True
    kept: Path | None = None


def found_from(report: results.FoundEditor) -> EditorAccess | None:
    """Convert the answer of the page function `find_editor`. Return None if no editor is open."""
    if not report["open"]:
        return None
    return EditorAccess(
        report.get("strategy", ""),
        report.get("parents", 0),
        report.get("steps", 0),
        report.get("key"),
        report["containers"],
        report["editors"],
        report.get("read_only", False),
    )


def normalise(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` as Monaco, the page's editor component, will hold it, and the names of the changes. `byte order
    mark` means that it was removed, and `line ends` that all of them became line feeds."""
    changes: list[str] = []
    if text.startswith("\ufeff"):
        text = text[1:]
        changes.append("byte order mark")
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    if unified != text:
        changes.append("line ends")
    return unified, tuple(changes)


class PageEditor:
    """The Pine editor of one page. Each public method is one complete step and may be called from any thread. Methods
    that need the editor open it first."""

    def __init__(self, page: Page, *, guarded: bool = False) -> None:
        """With `guarded`, every write after the first one replaces only texts that pinebench wrote, never a text that
        somebody changed."""
        self.page = page
        self.guarded = guarded
        self._flow = page.connection.flow
        self._own: list[str] = []
        self._unanswered: tuple[Tab, float] | None = None  # the tab and the time of a press that had no verdict
        self._sent = ("", "")  # the name of the last write, by which the page knows it again, and its text

    # -- finding ---------------------------------------------------------------------------------------------------

    def find(self, context: Context | None = None) -> EditorAccess | None:
        """Return the current way to reach the editor, or None if no editor is visible. The editor is not opened."""
        report: results.FoundEditor = self.page.call("find_editor", timeout=LOOK_TIMEOUT, read=True, context=context)
        return found_from(report)

    def open(self, context: Context | None = None, timeout: float | None = None) -> EditorAccess:
        """Make the editor visible and reachable, and return the way to reach it.

        Raises EditorNotFound if it cannot be opened within `timeout` seconds (default: 10).
        """
        limit = OPEN_TIMEOUT if timeout is None else timeout
        with self._flow:
            found = self.find(context)
            started = time.monotonic()
            tried: list[str] = []
            passed = 0.0
            while found is None:
                left = limit - (time.monotonic() - started)
                if left <= 0:
                    raise EditorNotFound(
                        self._why_not_found(tried, context),
                        "open the Pine editor by hand; 'pinebench doctor' shows more",
                    )
                request = {"plan": _OPENING, "passed": passed}
                opened: results.OpenedEditor = self._wait("open_editor", request, left, context)
                passed = max(opened["passed"], 1.0)
                tried += opened["tried"]
                found = self.find(context)
            return found

    def _wait(
        self, name: str, argument: dict[str, Any], left: float, context: Context | None, tab: Tab | None = None
    ) -> Any:
        """Return the answer of a page function that waits on the page, for `left` or `LOOK_SECONDS` seconds at most."""
        limit = max(0.001, min(LOOK_SECONDS, left, math.inf if context is None else context.remaining() / 2))
        argument = {**argument, "limit": int(limit * 1000)}
        return self.page.call(name, argument, timeout=limit + 2, context=context, tab=tab)

    def _why_not_found(self, tried: list[str], context: Context | None) -> str:
        report: results.FoundEditor = self.page.call("find_editor", timeout=LOOK_TIMEOUT, read=True, context=context)
        why = why_not_found(report)
        dialogs = self.page.call("dialogs", timeout=LOOK_TIMEOUT, read=True, context=context)
        blocked = f"; a dialog is open: {dialogs[0]['text']!r}" if dialogs else ""
        steps = ", ".join(dict.fromkeys(tried)) or "there was no button to press"
        return f"the Pine editor could not be opened: {why} (tried: {steps}){blocked}"

    def call(
        self, name: str, argument: dict[str, Any] | None = None, context: Context | None = None, **options: Any
    ) -> Any:
        """Call a page function that needs the editor. If the editor is closed, open it and call the function again.
        `options` are passed to `Page.call`."""
        for last in (False, False, True):
            try:
                return self.page.call(name, argument, context=context, **options)
            except PageError as error:
                if last or "EDITOR_MISSING" not in error.description:
                    raise
            self.open(context)
        return None

    # -- text ------------------------------------------------------------------------------------------------------

    def read(self, context: Context | None = None) -> str:
        """Return the editor's text with its own line ends. Raises EditorRefused if the page does not return it."""
        with self._flow:
            return given_text(self.call("read_source", read=True, context=context)["source"])

    def write(self, text: str, context: Context | None = None) -> EditorWrite:
        """Replace the editor's text and read it back. The editor's undo still works.

        If pinebench had not written the replaced text, a copy of it is saved in a file, and the user is told where. A
        page that is starting may put its own text into the editor; then the text is written again, up to `WRITES`
        times.

        Raises EditorRefused if the script is read-only or the editor does not accept the text, TextOvertaken if a
        person changes the text meanwhile, and HeldBack if `guarded` is set and somebody changed pinebench's text.
        """
        return self._write(text, context)[0]

    def _write(self, text: str, context: Context | None) -> tuple[EditorWrite, float]:
        """Do what `write` does, and also return the age of the page's document in milliseconds."""
        wanted, normalised = normalise(text)
        with self.page.connection.exclusive(context):
            kept: Path | None = None
            attempt = 0
            while True:
                attempt += 1
                before = self._sent[1]
                report = self._write_once(wanted, context)
                previous = before if report["previous"] is None else report["previous"]
                kept = kept or self.keep(previous, wanted)
                if report["verified"]:
                    break
                whose, held = self._read_back(report, context)
                if held == wanted:
                    break
                if whose == "person" and report["via"] is not None:  # a text that never arrived was changed by nobody
                    raise TextOvertaken("person")
                if report["via"] is None or attempt == WRITES:
                    raise EditorRefused(
                        f"the editor did not accept the text: {first_difference(wanted, held)}",
                        "try again, or paste it by hand",
                    )
                pause(OVERTAKEN_PAUSE, context)
            self._own = [wanted]
        written = EditorWrite(
            len(wanted),
            wanted.count("\n") + 1,
            str(report["via"]),
            report["strategy"],
            normalised,
            previous,
            verified=True,
            kept=kept,
        )
        return written, report["age_ms"]

    def _read_back(self, report: results.WriteReport, context: Context | None) -> tuple[str, str]:
        """Return, after a write that was not verified, who wrote the text in the editor, and that text."""
        if not report["closed"]:
            return report["text"], given_text(report["back"]).replace("\r\n", "\n")
        back: results.ReadSource = self.call("read_source", read=True, context=context)
        return back["text"], given_text(back["source"]).replace("\r\n", "\n")

    def push(self, text: str, context: Context | None = None) -> EditorWrite:
        """Write the text, and write it again if a page that is still starting replaces it with its own. Raises the
        errors of `write`."""
        with self.page.connection.exclusive(context):
            for _ in range(WRITES):
                written, age = self._write(text, context)
                if not self._is_overtaken(age, context):
                    return written
        raise TextOvertaken("page")

    def _is_overtaken(self, age: float, context: Context | None) -> bool:
        """Return whether a page that is starting replaces the text within `SETTLE_SECONDS`. `age` is the age of the
        page's document in milliseconds. There is no wait for a page that has already started."""
        left = min(SETTLE_SECONDS, (STARTING_MS - age) / 1000)
        if left <= 0:
            return False
        owner: results.TextOwner = self._wait("overtaken", {}, left, context)
        return owner["text"] == "page"

    def _write_once(self, wanted: str, context: Context | None) -> results.WriteReport:
        before, self._sent = self._sent[0], (secrets.token_hex(8), wanted)
        request: dict[str, Any] = {"text": wanted, "name": self._sent[0], "before": before}
        if self.guarded and self._own:
            request["over"] = self._own
        report: results.WriteReport = self.call("write_source", request, context)
        if report.get("read_only"):
            raise EditorRefused("the script in the editor is read-only", "open a script of your own, or a new one")
        if report.get("unread"):
            given_text(None)
        if report.get("held_back"):
            # Somebody may paste this text into the editor by hand; then the editor holds our text again.
            self._own = [*self._own, wanted][-20:]
            raise HeldBack
        return report

    def keep(self, previous: str, replacement: str) -> Path | None:
        """Save a copy of a replaced text in a file, unless pinebench wrote it, and tell the user. Return the file, or
        None if no copy was needed or possible."""
        text = normalise(previous)[0]
        if not text.strip() or text == replacement or text in self._own:
            return None
        kept = keep_replaced(previous)
        if kept is None:
            line = "the text that was in the editor could not be saved; the editor's undo restores it"
        else:
            line = f"a copy of the text that was in the editor is in {kept}"
        self.page.connection.notify(line)
        return kept

    def holds(self, text: str, seconds: float) -> bool:
        """Wait up to `seconds` seconds for the editor to hold `text`, and return whether it does."""
        return self._wait("holds", {"text": normalise(text)[0]}, seconds, None)["holds"]

    def markers(self, context: Context | None = None) -> list[results.Marker]:
        """Return the markers of the editor's text. Raises EditorRefused if the page does not give access to them."""
        with self._flow:
            entries: list[results.Marker] | None = self.call("markers", read=True, context=context)
        if entries is None:
            raise EditorRefused(
                "the page does not expose its error markers", "'pinebench doctor' shows how the editor is reached"
            )
        return entries

    def console(self) -> list[results.ConsoleEntry]:
        """Return the rows of the Pine console, the oldest first."""
        return self.page.call("console", timeout=LOOK_TIMEOUT, read=True)

    # -- compiling -------------------------------------------------------------------------------------------------

    def compile(
        self,
        context: Context | None = None,
        timeout: float = COMPILE_TIMEOUT,
        *,
        text: str | None = None,
        confirm_external_data: bool = False,
    ) -> CompileOutcome:
        """Add the script to the chart, or update it there, and wait for the page's verdict; never press Save.

        The verdict is about `text`, which was written before. If `text` is None, the verdict is about the current text
        of the editor. Each look at the page checks that the editor still holds this text. `confirm_external_data`
        presses "Continue" if the page asks whether a script may use external data. Without it, the question stays
        open for a person.

        Raises TextOvertaken if the text was replaced meanwhile. Raises EditorRefused if a dialog blocked the page, if
        the editor was closed, or if no verdict came within `timeout` seconds. Raises ConnectionLost if the page was
        closed.
        """
        wanted = None if text is None else normalise(text)[0]
        with self.page.connection.exclusive(context):
            started = time.monotonic()
            self._await_former(context, timeout)
            start = self._press_compile(context, timeout, wanted)
            if start["via"] is not None:
                self._unanswered = (self.page.connection.tab(context), time.monotonic())
            outcome, state = self._verdict(start, started, timeout, confirm_external_data, context)
            self._unanswered = None
            study = (state["added"] or state["updated"] or [None])[0]
            ran = self._study_state(study, context) if outcome in SUCCESS else None
        markers = state["markers"] or []
        if outcome in SUCCESS and not state["marker_events"]:
            markers = [
                marker for marker in markers if marker["severity"] != "error"
            ]  # left over from an earlier compile
        return CompileOutcome(
            outcome,
            outcome in SUCCESS,
            tuple(markers),
            start.get("button"),
            str(start["via"]),
            study,
            tuple(state["console"]),
            time.monotonic() - started,
            start.get("source") or wanted or "",
            state["symbol"],
            ran and ran["state"],
            ran and ran["failure"],
        )

    def _study_state(self, study: str | None, context: Context | None) -> chart_results.StudyState | None:
        """Return the state of the study after a compile, as soon as it has been computed; None if it cannot be read.
        The user also gets the message of an error that stopped it."""
        if study is None:
            return None
        try:
            found: chart_results.StudyState = self._wait("study_state", {"id": study}, LOOK_SECONDS, context)
        except (CallTimeout, PageError, ProtocolError, ConnectionLost):
            return None  # the verdict is known, whatever became of the page
        if found["failure"] is not None:
            self.page.connection.notify(f"the script is on the chart, but stopped there: {found['failure']}")
        return found

    def _await_former(self, context: Context | None, timeout: float) -> None:
        """Wait for the answer to an earlier press that was given up; it would count as the answer to the next press."""
        if self._unanswered is None:
            return
        tab, pressed = self._unanswered
        end = min(pressed + FORMER_SECONDS, time.monotonic() + timeout)
        with contextlib.suppress(EditorRefused, ConnectionLost):  # another document gives no answer to it
            while (left := end - time.monotonic()) > 0 and not is_answered(self._compile_state(tab, context, left)):
                continue
        self._unanswered = None

    def _verdict(
        self,
        start: results.CompileStart,
        started: float,
        timeout: float,
        confirm_external_data: bool,
        context: Context | None,
    ) -> tuple[str, results.CompileLook]:
        """Look at a compile until it has an outcome; return it with the last look. Raises the errors of `compile`."""
        tab = self.page.connection.tab(context)
        confirmed: set[int] = set()
        while True:
            state = self._compile_state(tab, context, timeout - (time.monotonic() - started))
            outcome = judge(state, start.get("written", 0), pressed=start["via"] is not None)
            if outcome == "dialog":
                outcome = None
                self._answer(blocking(state["dialogs"])[0], confirm_external_data, confirmed, context)
            if state["text"] != "ours" and (state["editor"] or state["text"] == "person"):
                raise TextOvertaken(state["text"])
            if outcome is not None and state["text"] == "ours":
                return outcome, state
            if state["closed_ms"] > CLOSED_SECONDS * 1000:
                raise EditorRefused("the editor was closed while the script was compiled", "open it and try again")
            if time.monotonic() - started > timeout:
                if not state["errors"] or not start.get("written"):
                    shown = self.page.call("dialogs", timeout=LOOK_TIMEOUT, read=True, context=context)
                    raise no_verdict(state, timeout, blocking(shown))
                return "linted", state

    def _press_compile(self, context: Context | None, timeout: float, text: str | None) -> results.CompileStart:
        """Press the button when it is enabled, or do nothing if the page has marked errors and keeps it disabled."""
        end = time.monotonic() + timeout
        while True:
            start: results.CompileStart = self.call("compile_start", {"text": text}, context)
            other = start.get("other_text")
            if other is not None:
                raise TextOvertaken(other)
            if not start.get("disabled"):
                break
            tab = self.page.connection.tab(context)
            state = self._compile_state(tab, context, end - time.monotonic())
            while state["disabled"] and state["text"] == "ours":
                if state["errors"] and start.get("written") and state["quiet_ms"] >= verdict.ERRORS_SETTLE_MS:
                    return start
                if time.monotonic() > end:
                    raise EditorRefused(
                        'the button "Add to chart" remained disabled', "look at the editor in the browser"
                    )
                state = self._compile_state(tab, context, end - time.monotonic())
        if start["via"] == "keyboard":
            self.page.press_key("Enter", "Enter", 13, META if start.get("mac") else CTRL, context)
        return start

    def _compile_state(self, tab: Tab, context: Context | None, left: float) -> results.CompileLook:
        """Wait for the next change of the compile and return its state.

        `tab` is the tab in which the compile was started, because no other document knows about it. Raises
        EditorRefused if the page was reloaded.
        """
        quiet = {
            "quiet_ms": [verdict.ERRORS_SETTLE_MS, verdict.CONSOLE_SETTLE_MS],
            "console_quiet_ms": [verdict.CONSOLE_SETTLE_MS],
            "closed_ms": [CLOSED_SECONDS * 1000 + 1],
        }
        try:
            state: results.CompileLook | results.PageReload = self._wait(
                "compile_state", {"quiet": quiet}, left, context, tab
            )
        except CallTimeout as error:
            if context is not None and not isinstance(error, PageHung):
                context.check()
            raise
        except (PageError, ProtocolError) as error:
            if not document_gone(error):
                raise
            state = {"reloaded": True}
        if "reloaded" in state:
            raise EditorRefused("the page was reloaded while the script was compiled", "try again")
        return state

    def _answer(
        self, dialog: results.DialogEntry, confirm_external_data: bool, confirmed: set[int], context: Context | None
    ) -> None:
        """Confirm the question about external data, once and only if that is wanted. Any other dialog raises
        EditorRefused."""
        if dialog["kind"] == "external-data" and confirm_external_data:
            if dialog["id"] in confirmed:
                return  # it is closing
            confirmed.add(dialog["id"])
            answer = self.page.call(
                "answer_dialog", {"id": dialog["id"], "purpose": "confirm"}, timeout=LOOK_TIMEOUT, context=context
            )
            if answer.get("gone") or answer.get("pressed"):
                return
        self._unanswered = None  # the dialog is the answer
        self.refuse_dialog(dialog, context)

    def refuse_dialog(
        self, dialog: results.DialogEntry, context: Context | None = None, *, instead_of: str = "compiling"
    ) -> None:
        """Raise EditorRefused with the question of a dialog that appeared instead of the action `instead_of`. A dialog
        that may be dismissed is dismissed."""
        kind = page_internals.DIALOGS.get(dialog["kind"])
        if kind is not None and kind.dismiss:
            self.page.call(
                "answer_dialog", {"id": dialog["id"], "purpose": "cancel"}, timeout=LOOK_TIMEOUT, context=context
            )
        meaning = kind.meaning if kind is not None else "answer it in the browser, then try again"
        raise EditorRefused(f"the page asked a question instead of {instead_of}: {dialog['text']!r}", meaning)


def keep_replaced(text: str) -> Path | None:
    """Save `text`, which a write replaced, in a file of the state folder, so that it is never lost. Return the file, or
    None if the folder cannot be written."""
    with contextlib.suppress(OSError, UsageError):
        return Path(originals.keep("editor.pine", text.encode("utf-8", "surrogatepass")))
    return None


def given_text(source: str | None) -> str:
    """Return `source`, the editor's text as a page function read it. Raises EditorRefused if it is None."""
    if source is None:
        raise EditorRefused(
            "the page's editor does not give its text", "reload the page; 'pinebench doctor' shows more"
        )
    return source


def why_not_found(report: results.FoundEditor) -> str:
    """Return a message that explains to a person why no editor can be used."""
    if report["containers"] == 0:
        return "the page shows no Pine editor"
    if report["editors"] == 0:
        return f"{report['containers']} editor node(s) are on the page, but Monaco cannot be reached from them"
    return f"{report['editors']} editor(s) can be reached, but none of them is visible"


def first_difference(expected: str, actual: str) -> str:
    """Describe the first difference between two texts, for a person."""
    if not actual:
        return "it is empty"
    index = next(
        (i for i, (a, b) in enumerate(zip(expected, actual, strict=False)) if a != b), min(len(expected), len(actual))
    )
    line = expected.count("\n", 0, index) + 1
    return f"it differs from line {line} onwards ({len(actual)} characters instead of {len(expected)})"


def pause(seconds: float, context: Context | None) -> None:
    """Sleep for `seconds`. If `context` is cancelled meanwhile, raise its error."""
    if context is None:
        time.sleep(seconds)
    else:
        context.sleep(seconds)
