"""The Pine editor on the page: open it, read and write its text, compile, and save only the script that is meant."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinebench import config, files
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.tradingview import paths
from pinebench.tradingview.bindings import Binding, Bindings
from pinebench.tradingview.errors import EditorNotFound, EditorRefused, PageError, ServiceError
from pinebench.tradingview.page import CTRL, META, Page
from pinebench.tradingview.saved import Saved, Script, find_script, refuse_foreign_save, save_target, service_data
from pinebench.tradingview.verdict import ERRORS_SETTLE_MS, SUCCESS, Compiled, Marker, judge, no_verdict

OPEN_TIMEOUT = 10.0
"""Seconds that opening the editor may take."""

COMPILE_TIMEOUT = 15.0
"""Seconds that the page may take to give a verdict."""

API_TIMEOUT = 5.0
"""Seconds that the page's own editor API may take to make or open a script."""

SAVE_TIMEOUT = 10.0
SERVICE_TIMEOUT = 15.0

POLL = 0.02
# When which step is taken to open the editor, in seconds; `reopen` closes a panel whose Monaco cannot be reached.
_OPENING = ((0.0, "bar"), (0.6, "button"), (1.2, "api"), (3.0, "reopen"), (4.0, "bar"), (4.6, "button"))

STARTERS = {
    "indicator": '//@version=6\nindicator("{name}", overlay = true)\nplot(close)\n',
    "strategy": '//@version=6\nstrategy("{name}", overlay = true)\n',
    "library": '//@version=6\n\n// @description Describe the library here.\nlibrary("{name}")\n',
}
"""The text that a new script starts with, by kind."""


@dataclass(frozen=True, slots=True)
class Found:
    """How the editor was reached: the strategy that won, and how deep it lies."""

    strategy: str
    parents: int
    steps: int
    key: str | None = None
    containers: int = 1
    editors: int = 1
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did: characters, lines, what the editor normalises, and the text that was there before."""

    characters: int
    lines: int
    via: str
    strategy: str
    normalised: tuple[str, ...]
    previous: str
    verified: bool = True


@dataclass(frozen=True, slots=True)
class Opened:
    """A script in the editor; `bound` says whether the editor's Save belongs to it."""

    name: str
    script_id: str | None
    source: str
    bound: bool
    via: str
    written: Written | None = field(default=None)


_SEVERITIES = {8: "error", 4: "warning", 2: "info", 1: "hint"}


def normalise(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` as Monaco will hold it, and what that changes: `byte order mark` dropped, `line ends` made alike."""
    changes: list[str] = []
    if text.startswith("\ufeff"):
        text = text[1:]
        changes.append("byte order mark")
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    if unified != text:
        changes.append("line ends")
    return unified, tuple(changes)


class Editor:
    """The Pine editor of one page. Each public method is one whole step, safe to call from any thread, and opens the
    editor first.
    """

    def __init__(self, page: Page, bindings: Bindings | None = None) -> None:
        self.page = page
        self.bindings = bindings or Bindings()
        self._flow = page.connection.flow

    # -- finding ---------------------------------------------------------------------------------------------------

    def find(self) -> Found | None:
        """How the editor is reached right now, or None when no visible one is; opens nothing."""
        report = self.page.call("find_editor", timeout=5, read=True)
        if not report["open"]:
            return None
        names = ("strategy", "parents", "steps", "key", "containers", "editors", "read_only")
        return Found(**{name: report[name] for name in names})

    def open(self, context: Context | None = None, timeout: float | None = None) -> Found:
        """Make the editor visible and reachable; raises EditorNotFound after `timeout` (10) seconds."""
        limit = OPEN_TIMEOUT if timeout is None else timeout
        with self._flow:
            started = time.monotonic()
            steps = list(_OPENING)
            tried: list[str] = []
            while (found := self.find()) is None:
                passed = time.monotonic() - started
                if steps and passed >= steps[0][0]:
                    tried += self.page.call("open_editor", {"step": steps.pop(0)[1]}, timeout=5)
                elif passed > limit:
                    raise EditorNotFound(
                        self._why_not_found(tried), "open the Pine editor by hand; 'pinebench doctor' shows more"
                    )
                _pause(POLL, context)
            return found

    def _why_not_found(self, tried: list[str]) -> str:
        report = self.page.call("find_editor", timeout=5, read=True)
        if report["containers"] == 0:
            why = "the page shows no Pine editor"
        elif report["editors"] == 0:
            why = f"{report['containers']} editor node(s) are on the page, but Monaco cannot be reached from them"
        else:
            why = f"{report['editors']} editor(s) can be reached, but none of them is visible"
        dialogs = self.page.call("dialogs", timeout=5, read=True)
        blocked = f"; a dialog is open: {dialogs[0]['text']!r}" if dialogs else ""
        steps = ", ".join(dict.fromkeys(tried)) or "nothing to press"
        return f"the Pine editor could not be opened: {why} (tried: {steps}){blocked}"

    def _call(
        self, name: str, argument: dict[str, Any] | None = None, context: Context | None = None, **options: Any
    ) -> Any:
        """Run a page function that needs the editor; open the editor and run it again when it was closed meanwhile."""
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
        """The editor's text, with the line ends it has there. Raises EditorRefused where the page does not give it."""
        with self._flow:
            source = self._call("read_source", read=True, context=context)["source"]
        if source is None:
            raise EditorRefused(
                "the page's editor does not give its text", "reload the page; 'pinebench doctor' shows more"
            )
        return source

    def write(self, text: str, context: Context | None = None) -> Written:
        """Replace the editor's text, keeping its undo, and read it back.

        Raises EditorRefused when the script is read-only or when what is read back is not what was written.
        """
        wanted, normalised = normalise(text)
        with self._flow:
            report = self._call("write_source", {"text": wanted}, context)
            if report.get("read_only"):
                raise EditorRefused("the script in the editor is read-only", "open a script of your own, or a new one")
            held = self.read(context).replace("\r\n", "\n")
            if held != wanted:
                raise EditorRefused(
                    f"the editor did not take the text: {_first_difference(wanted, held)}",
                    "try again, or paste it by hand",
                )
        previous = report["previous"]
        return Written(
            len(wanted), wanted.count("\n") + 1, report["via"], report["strategy"], normalised, previous, verified=True
        )

    def markers(self, context: Context | None = None) -> list[Marker]:
        """The markers of the editor's text. Raises EditorRefused where the page does not let them be read."""
        with self._flow:
            entries = self._call("markers", read=True, context=context)
        if entries is None:
            raise EditorRefused(
                "the page does not expose its markers", "'pinebench doctor' shows how the editor is reached"
            )
        return [Marker(**{**entry, "severity": _SEVERITIES.get(entry["severity"], "info")}) for entry in entries]

    def console(self) -> list[dict[str, Any]]:
        """The rows of the Pine console, the oldest first: `timestamp`, `type` and `message`."""
        return self.page.call("console", timeout=5, read=True)

    # -- compiling -------------------------------------------------------------------------------------------------

    def compile(self, context: Context | None = None, timeout: float = COMPILE_TIMEOUT) -> Compiled:
        """Add the script to the chart, or update it there, and wait for the page's verdict; never presses Save.

        Raises EditorRefused when a dialog got in the way or no verdict came within `timeout` seconds.
        """
        with self._flow:
            started = time.monotonic()
            start = self._press_compile(context, timeout)
            while True:
                state = self._compile_state(context)
                outcome = judge(state, start["written"], pressed=start["via"] is not None)
                if outcome == "dialog":
                    self._refuse_dialog(state["dialogs"][0])
                if outcome is None and time.monotonic() - started > timeout:
                    if not state["errors"] or not start["written"]:
                        raise no_verdict(state, timeout)
                    outcome = "linted"
                if outcome is not None:
                    break
                _pause(POLL, context)
            markers = self.markers(context) if state["markers_readable"] else []
        if outcome in SUCCESS and not state["marker_events"]:
            markers = [marker for marker in markers if marker.severity != "error"]  # left over from an earlier compile
        study = (state["added"] or state["updated"] or [None])[0]
        return Compiled(
            outcome,
            outcome in SUCCESS,
            tuple(markers),
            start.get("button"),
            start["via"],
            study,
            tuple(state["console"]),
            time.monotonic() - started,
        )

    def _press_compile(self, context: Context | None, timeout: float) -> dict[str, Any]:
        """Press the button, once it is enabled; not at all where the page has marked errors and keeps it disabled."""
        end = time.monotonic() + timeout
        while True:
            start = self._call("compile_start", {}, context)
            if not start.get("disabled"):
                break
            state = self._compile_state(context)
            if state["errors"] and start["written"] and state["quiet_ms"] >= ERRORS_SETTLE_MS:
                return start
            if time.monotonic() > end:
                raise EditorRefused('the button "Add to chart" stays disabled', "look at the editor in the browser")
            _pause(0.1, context)
        if start["via"] == "keyboard":
            self.page.press_key("Enter", "Enter", 13, META if start["mac"] else CTRL)
        return start

    def _compile_state(self, context: Context | None) -> dict[str, Any]:
        state = self.page.call("compile_state", timeout=5, read=True, context=context)
        if state.get("reloaded"):
            raise EditorRefused("the page was reloaded while the script was compiled", "try again")
        return state

    def _refuse_dialog(self, dialog: dict[str, Any]) -> None:
        kind = paths.DIALOGS.get(dialog["kind"])
        if kind is not None and kind.dismiss:
            self.page.call("answer_dialog", {"id": dialog["id"], "purpose": "cancel"}, timeout=5)
        meaning = kind.meaning if kind is not None else "answer it in the browser, then try again"
        raise EditorRefused(f"the page asked something instead of compiling: {dialog['text']!r}", meaning)

    # -- saved scripts ---------------------------------------------------------------------------------------------

    def scripts(self, context: Context | None = None) -> list[Script]:
        """The saved scripts of whoever is logged in on the page. Raises ServiceError."""
        limit = int(SERVICE_TIMEOUT * 1000)
        answer = self.page.call(
            "list_scripts", {"limit": limit}, timeout=SERVICE_TIMEOUT + 2, read=True, context=context
        )
        data = service_data(answer, "list the saved scripts")
        if not isinstance(data, list):
            raise ServiceError("the script service's list has an unexpected shape", "'pinebench doctor' shows more")
        return [
            Script(
                str(entry.get("scriptIdPart", "")),
                str(entry.get("scriptName", "")),
                str(entry.get("scriptTitle", "") or ""),
                str(entry.get("version", "")),
                entry.get("modified"),
            )
            for entry in data
            if isinstance(entry, dict)
        ]

    def script_name(self, known: Iterable[str] = ()) -> str | None:
        """The name of the script that the editor's Save belongs to, as the panel shows it, or None.

        `known` are names of saved scripts, by which it is found where the page has moved it.
        """
        return self.page.call("script_name", {"names": [*known]}, timeout=5, read=True)["name"]

    def new(self, kind: str = "indicator", name: str = "Untitled script", *, discard: bool = False) -> Opened:
        """Start a new script of `kind` (indicator, strategy, library).

        With the page's own editor API the editor is bound to the new script; without it only the text is replaced, and
        Save stays refused. Unsaved changes are kept unless `discard` is true: then EditorRefused says so.
        """
        text = STARTERS[kind].replace("{name}", name.replace("\\", "\\\\").replace('"', '\\"'))
        with self._flow:
            self.open()
            bound = self._editor_api("openNewScript", kind, discard)
            written = self.write(text)
            self.bindings.set(self._key(), Binding(name) if bound else None)
        return Opened(name, None, text, bound, "api" if bound else "text", written)

    def open_script(self, name: str, *, discard: bool = False) -> Opened:
        """Open the saved script `name`: exact name or title first, then the only one that contains it.

        Raises EditorRefused when there is none or several, or when unsaved changes are in the way.
        """
        with self._flow:
            script = find_script(self.scripts(), name)
            limit = int(SERVICE_TIMEOUT * 1000)
            request = {"id": script.id, "version": script.version, "limit": limit}
            answer = self.page.call("get_script", request, timeout=SERVICE_TIMEOUT + 2, read=True)
            data = service_data(answer, f"read the script '{script.name}'")
            if not isinstance(data, dict) or not isinstance(data.get("source"), str) or not data["source"]:
                raise ServiceError(f"the script service gave no source for '{script.name}'", "open it in the browser")
            self.open()
            argument = {"scriptIdPart": script.id, "version": script.version}
            bound = self._editor_api("openScript", argument, discard)
            if bound:
                bound = self._shows(data["source"])
            written = None if bound else self.write(data["source"])
            self.bindings.set(self._key(), Binding(script.name, script.id, script.version) if bound else None)
        return Opened(script.name, script.id, data["source"], bound, "api" if bound else "text", written)

    def save(self, name: str | None = None, context: Context | None = None) -> Saved:
        """Save the editor's script, and read back that the script service has the new version.

        Only the script that pinebench put there (`new`, `open_script`, an earlier `save`) is saved, compared by name
        and version; to save another one, say its `name`. A new script needs a name that is not taken. Raises
        SaveRefused.
        """
        with self._flow:
            self.open(context)
            before = {script.name: script for script in self.scripts(context)}
            bound = self.bindings.get(self._key())
            shown = self.script_name([*before, bound.name] if bound else before)
            target = save_target(name, shown, bound, before)
            pressed = self._call("press_save", {}, context)
            if pressed["via"] == "keyboard":
                self.page.press_key("s", "KeyS", 83, META if pressed["mac"] else CTRL)
            created = target not in before
            listed = self._await_saved(target, before, context)
            saved = Saved(target, listed.version if listed else None, created, listed is not None)
            if listed is not None:
                self.bindings.set(self._key(), Binding(listed.name, listed.id, listed.version))
        return saved

    def _await_saved(self, target: str, before: dict[str, Script], context: Context | None) -> Script | None:
        """Answer the name dialog if there is one, then wait until the service lists the new version.

        Raises EditorRefused when another script than `target` was saved, ServiceError when the service cannot tell.
        """
        end = time.monotonic() + SAVE_TIMEOUT
        known = before.get(target)
        answered: set[int] = set()
        while True:
            for dialog in self.page.call("dialogs", timeout=5, read=True, context=context):
                if dialog["id"] in answered:
                    continue
                answered.add(dialog["id"])
                if known is not None or dialog["kind"] not in ("save-name", "unknown"):
                    self._refuse_dialog(dialog)
                self.page.call("answer_dialog", {"id": dialog["id"], "purpose": "save", "name": target}, timeout=5)
            try:
                listed = self.scripts(context)
            except ServiceError:
                if time.monotonic() >= end:
                    raise
                listed = []  # the service may have recovered by the next look
            for script in listed:
                if script.name == target and (
                    known is None or (script.id == known.id and script.version != known.version)
                ):
                    return script
            if known is None and not answered:
                refuse_foreign_save(listed, before)
            if time.monotonic() >= end:
                return None
            _pause(0.1, context)

    def _editor_api(self, action: str, argument: Any, discard: bool) -> bool:
        """Use the page's own editor API, if there is one; says whether. What it asks is cancelled or discarded."""
        request = {"action": action, "argument": argument, "limit": API_TIMEOUT * 1000}
        try:
            answer = self.page.call("editor_api", request, timeout=API_TIMEOUT + 3)
        except PageError as error:
            raise EditorRefused(
                f"the page's editor refused {action}: {error}", "try it by hand in the browser"
            ) from error
        for dialog in answer["dialogs"]:
            self.page.call(
                "answer_dialog", {"id": dialog["id"], "purpose": "discard" if discard else "cancel"}, timeout=5
            )
            if not discard:
                raise EditorRefused(
                    f"the page asked something first: {dialog['text']!r}", "save your changes, or allow to discard them"
                )
        if answer["available"] and not answer["settled"] and not answer["dialogs"]:
            raise EditorRefused(
                f"the page's editor did not finish {action} in time",
                "look at the editor in the browser, then try again",
            )
        return answer["available"]

    def _shows(self, source: str) -> bool:
        """Whether the editor comes to hold `source` within two seconds."""
        wanted, _ = normalise(source)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            if self.read().replace("\r\n", "\n") == wanted:
                return True
            _pause(0.05, None)
        return False

    def _key(self) -> str:
        """The page's name in the bindings: its address without the query."""
        return str(self.page.connection.tab().identity["href"]).split("?")[0].split("#")[0]


def keep_replaced(written: Written) -> Path | None:
    """Keep the text that a write replaced as a file in the state folder, so that it is never lost; returns the file.

    None when there was nothing worth keeping, or when the folder cannot be written.
    """
    if not written.previous.strip():
        return None
    digest = hashlib.sha256(written.previous.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    with contextlib.suppress(UsageError):
        path = Path(config.private_state_folder("replaced")) / f"{digest}.pine"
        files.write_atomically(path, written.previous.encode("utf-8", "surrogatepass"), private=True)
        return path
    return None


def _first_difference(wanted: str, held: str) -> str:
    """Where two texts part, for a person."""
    if not held:
        return "it is empty"
    index = next((i for i, (a, b) in enumerate(zip(wanted, held, strict=False)) if a != b), min(len(wanted), len(held)))
    line = wanted.count("\n", 0, index) + 1
    return f"it differs from line {line} on ({len(held)} characters instead of {len(wanted)})"


def _pause(seconds: float, context: Context | None) -> None:
    if context is None:
        time.sleep(seconds)
    else:
        context.sleep(seconds)
